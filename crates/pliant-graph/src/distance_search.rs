//! A bounded shortest-path search with buffers that are kept from one source to the next.

use std::ops::ControlFlow;

use crate::{
    ComplianceGraph,
    frontier::{Entry, Frontier},
};

/// Searches around one source after another, each touching only the vertices that it is allowed to enter.
///
/// Holds n numbers; a search costs a few steps for each vertex that it enters, whatever the size of the graph.
#[derive(Debug)]
pub struct DistanceSearch<'graph> {
    graph: &'graph ComplianceGraph,
    bounds: Option<&'graph [f64]>,
    /// Bounds where the search has not come: a distance that does not lower its entry is of no use, for either reason.
    distances: Vec<f64>,
    entered: Vec<bool>,
    settled: Vec<u32>,
    frontier: Frontier<'graph>,
}

impl<'graph> DistanceSearch<'graph> {
    /// Searches that may go everywhere. O(n).
    pub fn new(graph: &'graph ComplianceGraph) -> Self {
        Self::with_bounds(graph, None)
    }

    /// Searches that enter a vertex only at a distance below its bound, in m/Pa. O(n).
    ///
    /// # Panics
    /// If there is not one bound for each vertex.
    pub fn within(graph: &'graph ComplianceGraph, bounds: &'graph [f64]) -> Self {
        assert_eq!(bounds.len(), graph.vertex_count(), "one bound for each vertex");
        Self::with_bounds(graph, Some(bounds))
    }

    fn with_bounds(graph: &'graph ComplianceGraph, bounds: Option<&'graph [f64]>) -> Self {
        let vertices = graph.vertex_count();
        Self {
            graph,
            bounds,
            distances: bounds.map_or_else(|| vec![f64::INFINITY; vertices], <[f64]>::to_vec),
            entered: vec![false; vertices],
            settled: Vec::new(),
            frontier: Frontier::new(graph.calibers()),
        }
    }

    /// Visits each vertex once, with its distance from `source`, until nothing is left or `visit` breaks off; nearer ones before
    /// farther ones but for about the length of an edge.
    ///
    /// A vertex is entered below its bound, and whatever its bound below the distance `free`; the source is always entered.
    /// Distances are those of paths through entered vertices.
    ///
    /// # Panics
    /// If the source is out of range.
    pub fn run(&mut self, source: usize, free: f64, mut visit: impl FnMut(usize, f64) -> ControlFlow<()>) {
        self.forget();
        self.enter(source, 0.0);
        while let Some(Entry { distance, vertex, .. }) = self.frontier.pop() {
            let vertex = vertex as usize;
            if distance > self.distances[vertex] {
                continue;
            }
            self.settled.push(vertex as u32);
            if visit(vertex, distance).is_break() {
                return;
            }
            for (neighbour, weight) in self.graph.edges(vertex) {
                let longer = distance + weight;
                if longer < self.distances[neighbour] || (longer < free && !self.entered[neighbour]) {
                    self.enter(neighbour, longer);
                }
            }
        }
    }

    #[inline]
    fn enter(&mut self, vertex: usize, distance: f64) {
        self.distances[vertex] = distance;
        self.entered[vertex] = true;
        self.frontier.push(vertex, 0, distance);
    }

    /// Undoes the last search.
    fn forget(&mut self) {
        // What it broke off before settling is still in the frontier.
        self.settled.extend(std::iter::from_fn(|| self.frontier.pop()).map(|entry| entry.vertex));
        self.frontier.clear();
        for vertex in self.settled.drain(..).map(|vertex| vertex as usize) {
            self.distances[vertex] = self.bounds.map_or(f64::INFINITY, |bounds| bounds[vertex]);
            self.entered[vertex] = false;
        }
    }

    /// Distance of a vertex that the last search visited; for others an upper bound, or their own bound where it did not come.
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
        fn repeated_searches_visit_exactly_the_ball(
            seed in 0u64..1000,
            sources in proptest::collection::vec(0usize..63, 1..5),
            share in 0.1f64..1.2,
        ) {
            let graph = random_graph(9, 7, seed);
            let farthest = graph.distances_from(sources[0]).into_iter().fold(0.0, f64::max);
            let bounds = vec![share * farthest; graph.vertex_count()];
            let mut search = DistanceSearch::within(&graph, &bounds);
            for (source, free) in sources.into_iter().flat_map(|source| [(source, 0.0), (source, farthest)]) {
                let full = graph.distances_from(source);
                let radius = free.max(bounds[0]);
                let mut visited = Vec::new();
                search.run(source, free, |vertex, distance| {
                    visited.push((vertex, distance));
                    ControlFlow::Continue(())
                });
                visited.sort_by_key(|&(vertex, _)| vertex);
                let ball: Vec<_> = full.iter().copied().enumerate().filter(|&(_, d)| d < radius).collect();
                prop_assert_eq!(visited, ball);
            }
        }
    }
}
