//! Distances from one vertex, from each of many, and the pruned update of farthest-point sampling.
//!
//! Dijkstra's algorithm over the rows of the graph. Addition of a weight that is not negative never
//! decreases a floating-point sum and keeps its order, so every distance is the exact minimum, over all paths, of the sums
//! rounded from source to target: pruned and multi-source runs give the same bits as the minimum of full runs.

use rayon::prelude::*;

use crate::{
    ComplianceGraph,
    frontier::{Entry, Frontier},
};

impl ComplianceGraph {
    /// Distance of every vertex from `source` in m/Pa, infinite where no path leads. O(n log n).
    ///
    /// # Panics
    /// If the source is out of range.
    pub fn distances_from(&self, source: usize) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.vertex_count()];
        self.lower_distances(source, &mut distances);
        distances
    }

    /// Distances of every vertex from each source, in the order of the sources, run in parallel. O(k n log n).
    ///
    /// # Panics
    /// If a source is out of range.
    pub fn distances_from_each(&self, sources: &[usize]) -> Vec<Vec<f64>> {
        sources.par_iter().map(|&source| self.distances_from(source)).collect()
    }

    /// Lowers distances to the minimum of themselves and the distances from `source`; returns how many vertices it lowered.
    ///
    /// It visits only those vertices, so it costs much less than a full run when most are nearer to something else. The
    /// result has the bits of the full minimum, provided that `distances` are shortest-path distances from some set of
    /// vertices (or all infinite).
    ///
    /// # Panics
    /// If the source is out of range or `distances` does not have one entry for each vertex.
    pub fn lower_distances(&self, source: usize, distances: &mut [f64]) -> usize {
        assert_eq!(distances.len(), self.vertex_count(), "one distance for each vertex");
        if distances[source] == 0.0 {
            return 0;
        }
        distances[source] = 0.0;
        let mut frontier = Frontier::new(self.calibers());
        frontier.push(source, 0, 0.0);
        self.spread(&mut frontier, distances, |_, _| {})
    }

    /// The loop: settles the frontier and everything whose distance that lowers, and returns how many vertices that
    /// were; calls `on_lower(from, to)` at every step. Each vertex is settled once, since weights are not negative.
    pub(crate) fn spread(
        &self,
        frontier: &mut Frontier<'_>,
        distances: &mut [f64],
        mut on_lower: impl FnMut(usize, usize),
    ) -> usize {
        let mut settled = 0;
        while let Some(Entry { distance, vertex, .. }) = frontier.pop() {
            let vertex = vertex as usize;
            if distance > distances[vertex] {
                continue;
            }
            settled += 1;
            for (neighbour, weight) in self.edges(vertex) {
                let longer = distance + weight;
                if longer < distances[neighbour] {
                    distances[neighbour] = longer;
                    on_lower(vertex, neighbour);
                    frontier.push(neighbour, 0, longer);
                }
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{random_graph, two_squares};

    /// Bellman-Ford: relaxes every edge until nothing changes.
    fn textbook_distances(graph: &ComplianceGraph, source: usize) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; graph.vertex_count()];
        distances[source] = 0.0;
        loop {
            let before = distances.clone();
            for vertex in 0..graph.vertex_count() {
                for (neighbour, weight) in graph.edges(vertex) {
                    distances[neighbour] = distances[neighbour].min(distances[vertex] + weight);
                }
            }
            if distances == before {
                return distances;
            }
        }
    }

    #[test]
    fn another_component_is_infinitely_far() {
        let mesh = two_squares(4, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        let distances = graph.distances_from(0);
        assert!(distances[..16].iter().all(|distance| distance.is_finite()));
        assert!(distances[16..].iter().all(|&distance| distance == f64::INFINITY));
    }

    #[test]
    fn lowering_visits_only_the_vertices_that_become_nearer() {
        let graph = random_graph(20, 20, 5);
        let mut distances = graph.distances_from(0);
        let before = distances.clone();
        let visited = graph.lower_distances(399, &mut distances);
        let lowered = distances.iter().zip(&before).filter(|(after, before)| after < before).count();
        assert_eq!(visited, lowered);
        assert!(visited < 390, "{visited}");
        assert_eq!(graph.lower_distances(399, &mut distances), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn distances_are_those_of_the_textbook_algorithm(seed in 0u64..1000, source in 0usize..63) {
            let graph = random_graph(9, 7, seed);
            prop_assert_eq!(graph.distances_from(source), textbook_distances(&graph, source));
        }

        #[test]
        fn distances_are_symmetric_and_obey_the_triangle_inequality(seed in 0u64..1000) {
            let graph = random_graph(7, 6, seed);
            let all: Vec<usize> = (0..graph.vertex_count()).collect();
            let distances = graph.distances_from_each(&all);
            for &a in &all {
                for &b in &all {
                    prop_assert!((distances[a][b] - distances[b][a]).abs() <= 1e-13 * distances[a][b]);
                    for &c in &all {
                        prop_assert!(distances[a][c] <= (distances[a][b] + distances[b][c]) * (1.0 + 1e-13));
                    }
                }
            }
        }

        #[test]
        fn pruned_updates_have_the_bits_of_full_minima(
            seed in 0u64..1000,
            sources in proptest::collection::vec(0usize..80, 1..8),
        ) {
            let graph = random_graph(10, 8, seed);
            let mut pruned = vec![f64::INFINITY; graph.vertex_count()];
            let mut full = pruned.clone();
            for source in sources {
                graph.lower_distances(source, &mut pruned);
                for (least, distance) in full.iter_mut().zip(graph.distances_from(source)) {
                    *least = least.min(distance);
                }
                prop_assert_eq!(&pruned, &full);
            }
        }
    }
}
