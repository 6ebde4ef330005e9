//! A bounded shortest-path search with buffers that are kept from one source to the next.

use std::ops::ControlFlow;

use crate::{ComplianceGraph, shortest_paths::Frontier};

/// Searches around one source after another, each touching only the vertices that it is allowed to enter.
///
/// Holds n numbers; a search costs `O(m log m)` for the m vertices that it enters, whatever the size of the graph.
#[derive(Debug)]
pub struct DistanceSearch<'graph> {
    graph: &'graph ComplianceGraph,
    distances: Vec<f64>,
    touched: Vec<usize>,
    frontier: Frontier,
}

impl<'graph> DistanceSearch<'graph> {
    /// Buffers for searches in this graph. O(n).
    pub fn new(graph: &'graph ComplianceGraph) -> Self {
        Self {
            graph,
            distances: vec![f64::INFINITY; graph.vertex_count()],
            touched: Vec::new(),
            frontier: Frontier::default(),
        }
    }

    /// Visits vertices in order of their distance from `source` until nothing is left or `visit` breaks off.
    ///
    /// A vertex is entered only where `enter(vertex, distance)` holds, which must hold for every smaller distance too;
    /// the source is always entered. Distances are those of paths through entered vertices.
    ///
    /// # Panics
    /// If the source is out of range.
    pub fn run(
        &mut self,
        source: usize,
        enter: impl Fn(usize, f64) -> bool,
        mut visit: impl FnMut(usize, f64) -> ControlFlow<()>,
    ) {
        for vertex in self.touched.drain(..) {
            self.distances[vertex] = f64::INFINITY;
        }
        self.frontier.clear();
        self.distances[source] = 0.0;
        self.touched.push(source);
        self.frontier.push(source, 0.0);
        while let Some((vertex, distance)) = self.frontier.pop() {
            if distance > self.distances[vertex] {
                continue;
            }
            if visit(vertex, distance).is_break() {
                return;
            }
            for (neighbour, weight) in self.graph.edges(vertex) {
                let longer = distance + weight;
                let known = &mut self.distances[neighbour];
                if longer < *known && enter(neighbour, longer) {
                    if *known == f64::INFINITY {
                        self.touched.push(neighbour);
                    }
                    *known = longer;
                    self.frontier.push(neighbour, longer);
                }
            }
        }
    }

    /// Distance of a vertex that the last search visited; for others an upper bound, infinite where it did not come.
    ///
    /// # Panics
    /// If the vertex is out of range.
    pub fn distance(&self, vertex: usize) -> f64 {
        self.distances[vertex]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::random_graph;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn repeated_searches_visit_exactly_the_ball_in_order(
            seed in 0u64..1000,
            sources in proptest::collection::vec(0usize..63, 1..5),
            share in 0.1f64..1.2,
        ) {
            let graph = random_graph(9, 7, seed);
            let mut search = DistanceSearch::new(&graph);
            for source in sources {
                let full = graph.distances_from(source);
                let radius = share * full.iter().copied().fold(0.0, f64::max);
                let mut visited = Vec::new();
                search.run(source, |_, distance| distance <= radius, |vertex, distance| {
                    visited.push((vertex, distance));
                    ControlFlow::Continue(())
                });
                prop_assert!(visited.windows(2).all(|pair| pair[0].1 <= pair[1].1));
                visited.sort_by_key(|&(vertex, _)| vertex);
                let ball: Vec<_> = full.iter().copied().enumerate().filter(|&(_, d)| d <= radius).collect();
                prop_assert_eq!(visited, ball);
            }
        }
    }
}
