//! How far a search may go: limits at vertices, carried back along paths.
//!
//! `reach(u) = max over v of (limit(v) - distance(u, v))`. A path that ends in `v` with a length of at most `limit(v)` has at
//! every vertex `u` on the way a length of at most `reach(u)`, so a search that stops beyond the reach finds every vertex
//! within its limit, whichever the source, and enters little else: a vertex is entered only on the way to another one
//! that is within its limit (or very nearly).

use crate::{
    ComplianceGraph,
    frontier::{Entry, Frontier},
};

impl ComplianceGraph {
    /// The reach of limits (n, not negative, in m/Pa, infinite allowed). One Dijkstra.
    ///
    /// # Panics
    /// If there is not one limit for each vertex, or one is negative or NaN.
    pub fn reach(&self, limits: &[f64]) -> Vec<f64> {
        assert_eq!(limits.len(), self.vertex_count(), "one limit for each vertex");
        assert!(limits.iter().all(|&limit| limit >= 0.0), "a limit is a distance");
        let mut reach = limits.to_vec();
        let highest = limits.iter().copied().filter(|limit| limit.is_finite()).fold(0.0, f64::max);
        // The highest limits first: they settle what they reach. Where rounding of the depth hides the order of two, or a limit is
        // infinite, a vertex is gone over again.
        let depth = |reach: f64| (highest - reach).max(0.0);
        let mut frontier = Frontier::new(self.calibers());
        for (vertex, &limit) in limits.iter().enumerate() {
            frontier.push(vertex, 0, depth(limit));
        }
        while let Some(Entry { distance, vertex, .. }) = frontier.pop() {
            let vertex = vertex as usize;
            let allowed = reach[vertex];
            if distance > depth(allowed) {
                continue;
            }
            for (neighbour, weight) in self.edges(vertex) {
                let rest = allowed - weight;
                if rest > reach[neighbour] {
                    reach[neighbour] = rest;
                    frontier.push(neighbour, 0, depth(rest));
                }
            }
        }
        reach
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::test_bodies::random_graph;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn reach_is_the_largest_limit_less_the_distance_to_it(
            seed in 0u64..1000,
            limits in proptest::collection::vec(0.0f64..1.0, 63),
        ) {
            let graph = random_graph(9, 7, seed);
            let reach = graph.reach(&limits);
            for (vertex, &found) in reach.iter().enumerate() {
                let distances = graph.distances_from(vertex);
                let rest = distances.iter().zip(&limits).map(|(distance, limit)| limit - distance);
                let expected = rest.fold(0.0, f64::max);
                prop_assert!((found - expected).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn an_infinite_limit_reaches_its_whole_component() {
        let graph = random_graph(5, 4, 1);
        let mut limits = vec![0.0; 20];
        limits[7] = f64::INFINITY;
        assert!(graph.reach(&limits).iter().all(|reach| reach.is_infinite()));
    }
}
