//! Distances to the nearest and second nearest of many sources, in one run.
//!
//! Each vertex passes on its two best sources only: a third one at `u` is no better than those two anywhere behind `u`. The
//! values have the bits that full runs from every source would give.

use crate::{
    ComplianceGraph,
    frontier::{Entry, Frontier},
};

/// For every vertex the distances to its two nearest sources.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoNearest {
    /// n distances to the nearest source in m/Pa, infinite where none reaches.
    pub nearest: Vec<f64>,
    /// n distances to the second nearest source in m/Pa, infinite where only one reaches. At a source: to its nearest
    /// other source.
    pub second: Vec<f64>,
}

/// The best two sources of a vertex so far, `(distance, source)`, the nearer first.
#[derive(Clone, Copy)]
struct Pair([(f64, u32); 2]);

impl Pair {
    /// Takes a source in if it improves the pair.
    fn offer(&mut self, distance: f64, source: u32) -> bool {
        let [first, second] = self.0;
        if source == first.1 || distance < first.0 {
            if distance >= first.0 {
                return false;
            }
            self.0 = [(distance, source), if source == first.1 { second } else { first }];
            return true;
        }
        let better = distance < second.0;
        if better {
            self.0[1] = (distance, source);
        }
        better
    }

    fn holds(&self, distance: f64, source: u32) -> bool {
        self.0.contains(&(distance, source))
    }
}

impl ComplianceGraph {
    /// Distances to the nearest and the second nearest of different sources. About two Dijkstras, whatever their number.
    ///
    /// # Panics
    /// If a source is out of range.
    pub fn two_nearest(&self, sources: &[usize]) -> TwoNearest {
        let mut pairs = vec![Pair([(f64::INFINITY, u32::MAX); 2]); self.vertex_count()];
        let mut frontier = Frontier::new(self.calibers());
        for (index, &vertex) in sources.iter().enumerate() {
            if pairs[vertex].offer(0.0, index as u32) {
                frontier.push(vertex, index as u32, 0.0);
            }
        }
        while let Some(Entry { distance, vertex, source }) = frontier.pop() {
            if !pairs[vertex as usize].holds(distance, source) {
                continue;
            }
            for (neighbour, weight) in self.edges(vertex as usize) {
                let longer = distance + weight;
                if pairs[neighbour].offer(longer, source) {
                    frontier.push(neighbour, source, longer);
                }
            }
        }
        TwoNearest {
            nearest: pairs.iter().map(|pair| pair.0[0].0).collect(),
            second: pairs.iter().map(|pair| pair.0[1].0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{random_graph, two_squares};

    #[test]
    fn one_source_has_no_second_distance() {
        let graph = ComplianceGraph::geodesic(&two_squares(4, 4));
        let found = graph.two_nearest(&[3]);
        assert_eq!(found.nearest, graph.distances_from(3));
        assert!(found.second.iter().all(|distance| distance.is_infinite()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn both_distances_are_those_of_full_runs(
            seed in 0u64..3000,
            sources in proptest::collection::hash_set(0usize..130, 1..12),
        ) {
            let graph = random_graph(13, 10, seed);
            let sources: Vec<usize> = sources.into_iter().collect();
            let each = graph.distances_from_each(&sources);
            let found = graph.two_nearest(&sources);
            for vertex in 0..graph.vertex_count() {
                let mut distances: Vec<f64> = each.iter().map(|from| from[vertex]).collect();
                distances.push(f64::INFINITY);
                distances.sort_by(f64::total_cmp);
                prop_assert_eq!(&[found.nearest[vertex], found.second[vertex]], &distances[..2]);
            }
        }
    }
}
