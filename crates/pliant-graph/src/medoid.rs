//! The compliance medoid of a set of vertices: the member with the smallest sum of mass times distance to all members.
//!
//! Exact without all pairs: one search from member j gives its sum `S_j` and, by the triangle inequality, the bound
//! `|W d_ij - S_j| <= S_i` for every other member (W the total mass); a member whose bound exceeds the best sum is never
//! searched from. The number of searches grows like the square root of the number of members in 2D.
//! Source of the bound: Newling and Fleuret 2017, "A sub-quadratic exact medoid algorithm".

use std::ops::ControlFlow;

use crate::{ComplianceGraph, DistanceSearch, bounded_search::smallest_by_bounds};

/// The medoid of `members` (ascending, mutually reachable, not empty), the lowest of those that tie.
///
/// Paths may leave the set; `is_member` tells whether a vertex belongs to it.
pub(crate) fn compliance_medoid(
    graph: &ComplianceGraph,
    search: &mut DistanceSearch<'_>,
    members: &[usize],
    is_member: impl Fn(usize) -> bool,
) -> usize {
    let masses = graph.masses();
    let total: f64 = members.iter().map(|&vertex| masses[vertex]).sum();
    let evaluate = |index: usize, bounds: &mut [f64]| {
        let mut remaining = members.len();
        search.run(members[index], 0.0, |vertex, _| {
            remaining -= usize::from(is_member(vertex));
            if remaining == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let sum: f64 = members.iter().map(|&vertex| masses[vertex] * search.distance(vertex)).sum();
        for (bound, &member) in bounds.iter_mut().zip(members) {
            *bound = bound.max((total * search.distance(member) - sum).abs());
        }
        sum
    };
    members[smallest_by_bounds(members.len(), evaluate).expect("the set is not empty")]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::random_graph;
    use crate::tie::first_smallest;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_medoid_is_that_of_all_pairs(
            seed in 0u64..3000,
            members in proptest::collection::btree_set(0usize..80, 1..80),
        ) {
            let graph = random_graph(10, 8, seed);
            let sums = members.iter().map(|&from| {
                let distances = graph.distances_from(from);
                members.iter().map(|&to| graph.masses()[to] * distances[to]).sum::<f64>()
            });
            let sums: Vec<f64> = sums.collect();
            let members: Vec<usize> = members.into_iter().collect();
            let expected = members[first_smallest(sums.iter().copied()).unwrap()];
            let mut search = DistanceSearch::new(&graph);
            let found = compliance_medoid(&graph, &mut search, &members, |vertex| members.contains(&vertex));
            prop_assert_eq!(found, expected);
        }
    }
}
