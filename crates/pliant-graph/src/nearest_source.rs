//! The nearest of many sources in one run, with the same labels as one full run from each source.
//!
//! Distances are those of a multi-source Dijkstra. The label of a vertex is the earliest source whose own distance ties
//! (within 1e-9 relative) with the smallest. The source that wins the run owns the vertex; an earlier one that ties may
//! have lost it by the last bit, so the sources that come close are followed as well: along a shortest path of one source
//! its lead over the best distance, `d_a(u) - m(u)`, never shrinks, so a path that ends in a tie stays within the largest
//! tie width everywhere, and it leaves the vertices that its source owns through one edge. Such pairs
//! `(vertex, source)` are few (the middle between sources), so the whole costs about one Dijkstra, not k.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use crate::{ComplianceGraph, frontier::Frontier, tie::TIE};

/// For every vertex the distance to its nearest source and which source that is.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestSource {
    /// n distances in m/Pa, infinite where no source reaches.
    pub distances: Vec<f64>,
    /// n positions in the list of sources, the earliest of those that tie; `None` where no source reaches.
    pub labels: Vec<Option<usize>>,
}

/// The label of a vertex that no source has reached.
const UNREACHED: u32 = u32::MAX;

impl ComplianceGraph {
    /// The nearest source of every vertex, ties to the earliest source. About one Dijkstra, whatever the number of sources.
    ///
    /// # Panics
    /// If a source is out of range.
    pub fn nearest_source(&self, sources: &[usize]) -> NearestSource {
        let (distances, mut owners) = self.owners(sources);
        for ((vertex, source), distance) in self.near_ties(&distances, &owners) {
            if distance <= distances[vertex as usize] * (1.0 + TIE) {
                let owner = &mut owners[vertex as usize];
                *owner = source.min(*owner);
            }
        }
        let labels = owners.iter().map(|&owner| (owner != UNREACHED).then_some(owner as usize)).collect();
        NearestSource { distances, labels }
    }

    /// Distances to the nearest source, and for each vertex one source that has exactly this distance.
    fn owners(&self, sources: &[usize]) -> (Vec<f64>, Vec<u32>) {
        let mut distances = vec![f64::INFINITY; self.vertex_count()];
        let mut owners = vec![UNREACHED; self.vertex_count()];
        let mut frontier = Frontier::new(self.calibers());
        for (index, &source) in sources.iter().enumerate() {
            if owners[source] == UNREACHED {
                distances[source] = 0.0;
                owners[source] = index as u32;
                frontier.push(source, 0, 0.0);
            }
        }
        self.spread(&mut frontier, &mut distances, |from, to| owners[to] = owners[from]);
        (distances, owners)
    }

    /// Distances of the pairs `(vertex, source)` that may tie without owning, a superset of those that do.
    fn near_ties(&self, distances: &[f64], owners: &[u32]) -> BTreeMap<(u32, u32), f64> {
        let farthest = distances.iter().copied().filter(|distance| distance.is_finite()).fold(0.0, f64::max);
        // Twice the largest tie width: the second half is for rounding, which is far smaller.
        let width = 2.0 * TIE * farthest;
        let mut pairs = BTreeMap::new();
        let mut frontier = BinaryHeap::new();
        let mut reach = |from_distance: f64, source: u32, from: usize, frontier: &mut BinaryHeap<_>| {
            for (vertex, weight) in self.edges(from) {
                let distance = from_distance + weight;
                if owners[vertex] == source || distance > distances[vertex] + width {
                    continue;
                }
                let known = pairs.entry((vertex as u32, source)).or_insert(f64::INFINITY);
                if distance < *known {
                    *known = distance;
                    frontier.push(Reverse((distance.to_bits(), vertex as u32, source)));
                }
            }
        };
        for (vertex, &owner) in owners.iter().enumerate() {
            if owner != UNREACHED {
                reach(distances[vertex], owner, vertex, &mut frontier);
            }
        }
        while let Some(Reverse((bits, vertex, source))) = frontier.pop() {
            // A pair that was lowered again comes with the lower distance first; going over it twice changes nothing.
            reach(f64::from_bits(bits), source, vertex as usize, &mut frontier);
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{grid, material, random_graph, two_squares};

    /// One full run from each source, then the tie rule as it is written.
    fn textbook(graph: &ComplianceGraph, sources: &[usize]) -> NearestSource {
        let each = graph.distances_from_each(sources);
        let (mut distances, mut labels) = (Vec::new(), Vec::new());
        for vertex in 0..graph.vertex_count() {
            let smallest = each.iter().map(|from| from[vertex]).fold(f64::INFINITY, f64::min);
            distances.push(smallest);
            let first = each.iter().position(|from| from[vertex] <= smallest * (1.0 + TIE));
            labels.push(first.filter(|_| smallest.is_finite()));
        }
        NearestSource { distances, labels }
    }

    #[test]
    fn a_vertex_halfway_belongs_to_the_earlier_source_whichever_that_is() {
        let graph = ComplianceGraph::geodesic(&grid(5, 2, 0.0, 0));
        assert_eq!(graph.nearest_source(&[0, 4]).labels[2], Some(0));
        assert_eq!(graph.nearest_source(&[4, 0]).labels[2], Some(0));
    }

    #[test]
    fn everything_behind_a_tie_belongs_to_the_earlier_source() {
        // Two sources at equal distance on both sides of a symmetric strip: beyond the middle column all is tied.
        let graph = ComplianceGraph::geodesic(&grid(40, 3, 0.0, 0));
        for sources in [[0, 80], [80, 0]] {
            let nearest = graph.nearest_source(&sources);
            assert_eq!(nearest, textbook(&graph, &sources));
        }
    }

    #[test]
    fn a_small_lead_beside_the_sources_is_a_tie_far_away() {
        // The cells at source 80 are softer by 2e-8: no tie in the first columns, a tie from some column on.
        let mesh = grid(40, 3, 0.0, 0);
        let softness = |cell: usize| if mesh.cell(cell).contains(&80) { 1.0 + 2e-8 } else { 1.0 };
        let moduli: Vec<f64> = (0..mesh.cell_count()).map(|cell| 1.0 / softness(cell)).collect();
        let graph = ComplianceGraph::new(&mesh, &material(&mesh, &moduli));
        let nearest = graph.nearest_source(&[80, 0]);
        assert_eq!(nearest.labels[41], Some(1));
        assert_eq!(nearest.labels[79], Some(0));
        assert_eq!(nearest, textbook(&graph, &[80, 0]));
    }

    #[test]
    fn a_component_without_source_has_no_label() {
        let graph = ComplianceGraph::geodesic(&two_squares(4, 4));
        let nearest = graph.nearest_source(&[3, 5]);
        assert_eq!(nearest, textbook(&graph, &[3, 5]));
        assert_eq!((nearest.labels[0].is_some(), nearest.labels[16]), (true, None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn labels_and_distances_are_those_of_full_runs(
            seed in 0u64..3000,
            sources in proptest::collection::vec(0usize..130, 1..12),
        ) {
            let graph = random_graph(13, 10, seed);
            prop_assert_eq!(graph.nearest_source(&sources), textbook(&graph, &sources));
        }
    }
}
