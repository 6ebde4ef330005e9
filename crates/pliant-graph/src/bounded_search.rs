//! The smallest of many values that are costly to compute, from lower bounds that each value improves for all the others.

use crate::tie::{TIE, first_smallest};

/// The index of the smallest of `count` values, the first of those that tie.
///
/// `evaluate(index, bounds)` returns the value of an index and raises the lower bounds of the others. Indices are evaluated by
/// ascending bound; one whose bound exceeds the best value never is. `None` for no index.
pub(crate) fn smallest_by_bounds(
    count: usize,
    mut evaluate: impl FnMut(usize, &mut [f64]) -> f64,
) -> Option<usize> {
    let mut bounds = vec![0.0_f64; count];
    let mut values = vec![f64::INFINITY; count];
    let mut evaluated = vec![false; count];
    let mut best = f64::INFINITY;
    loop {
        let open = (0..count).filter(|&index| !evaluated[index]);
        let next = open.min_by(|&a, &b| bounds[a].total_cmp(&bounds[b]));
        // Twice the tie width, so that rounding of the bounds cannot hide a tie.
        let Some(next) = next.filter(|&index| bounds[index] <= best * (1.0 + 2.0 * TIE)) else {
            break;
        };
        evaluated[next] = true;
        values[next] = evaluate(next, &mut bounds);
        best = best.min(values[next]);
    }
    first_smallest(values.iter().copied())
}
