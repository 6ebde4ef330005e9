//! The compliance medoid of a set of vertices: the member with the smallest sum of mass times distance to all members.
//!
//! Exact without all pairs: one search from member j gives its sum `S_j` and, by the triangle inequality, the bound
//! `|W d_ij - S_j| <= S_i` for every other member (W the total mass); a member whose bound exceeds the best sum is never
//! searched from. The number of searches grows like the square root of the number of members in 2D.
//! Source of the bound: Newling and Fleuret 2017, "A sub-quadratic exact medoid algorithm".

use std::ops::ControlFlow;

use crate::{
    ComplianceGraph, DistanceSearch,
    tie::{TIE, first_smallest},
};

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
    let mut bounds = vec![0.0_f64; members.len()];
    let mut sums = vec![f64::INFINITY; members.len()];
    let mut searched = vec![false; members.len()];
    let mut best = f64::INFINITY;
    loop {
        let open = (0..members.len()).filter(|&index| !searched[index]);
        let next = open.min_by(|&a, &b| bounds[a].total_cmp(&bounds[b]));
        // Twice the tie width, so that rounding of the bounds cannot hide a tie.
        let Some(next) = next.filter(|&index| bounds[index] <= best * (1.0 + 2.0 * TIE)) else {
            break;
        };
        let mut remaining = members.len();
        search.run(
            members[next],
            |_, _| true,
            |vertex, _| {
                remaining -= usize::from(is_member(vertex));
                if remaining == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let sum: f64 = members.iter().map(|&vertex| masses[vertex] * search.distance(vertex)).sum();
        searched[next] = true;
        sums[next] = sum;
        best = best.min(sum);
        for (bound, &member) in bounds.iter_mut().zip(members) {
            *bound = bound.max((total * search.distance(member) - sum).abs());
        }
    }
    members[first_smallest(sums.iter().copied()).expect("the set is not empty")]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::random_graph;

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
