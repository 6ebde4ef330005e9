//! Weights that sum to one in every row, from the kernel values of each frame.
//!
//! `w_a(v) = phi_a(v) / sum_b phi_b(v)`; what is then at most 1e-9 is dropped and the rest divided by its own sum, so that
//! rows sum to one to the last bits.

use crate::{BasisError, NONZERO, Weights};

/// Weights from the values of each frame as `(vertex, value)` pairs, every vertex with at least one positive value.
///
/// Values are not negative; a frame names a vertex once. O(n + entries).
pub(crate) fn partition_rows(
    vertex_count: usize,
    frames: Vec<Vec<(u32, f64)>>,
) -> Result<Weights, BasisError> {
    let frame_count = frames.len();
    let mut starts = vec![0_usize; vertex_count + 1];
    for &(vertex, _) in frames.iter().flatten() {
        starts[vertex as usize + 1] += 1;
    }
    for vertex in 0..vertex_count {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let (mut columns, mut weights) = (vec![0; starts[vertex_count]], vec![0.0; starts[vertex_count]]);
    for (frame, values) in frames.into_iter().enumerate() {
        for (vertex, value) in values {
            let slot = &mut next[vertex as usize];
            (columns[*slot], weights[*slot]) = (frame, value);
            *slot += 1;
        }
    }
    // Rows move up into the room of what is dropped, in place: entries may be the larger part of all memory.
    let mut end = 0;
    let mut row_offsets = next;
    row_offsets.clear();
    row_offsets.push(0);
    for range in starts.windows(2) {
        let first = end;
        let sum: f64 = weights[range[0]..range[1]].iter().sum();
        for entry in range[0]..range[1] {
            if weights[entry] / sum > NONZERO {
                (columns[end], weights[end]) = (columns[entry], weights[entry]);
                end += 1;
            }
        }
        let kept_sum: f64 = weights[first..end].iter().sum();
        weights[first..end].iter_mut().for_each(|weight| *weight /= kept_sum);
        row_offsets.push(end);
    }
    columns.truncate(end);
    weights.truncate(end);
    Weights::from_sparse_rows(frame_count, row_offsets, columns, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_sum_to_one_after_tiny_weights_are_dropped() {
        let frames = vec![vec![(0, 3.0), (1, 1e-40)], vec![(2, 5.0), (0, 1.0)], vec![(0, 3e-9), (1, 1e-50)]];
        let weights = partition_rows(3, frames).unwrap();
        assert_eq!(weights.row(0), (&[0, 1][..], &[0.75, 0.25][..]));
        assert_eq!(weights.row(1), (&[0][..], &[1.0][..]));
        assert_eq!(weights.row(2), (&[1][..], &[1.0][..]));
    }
}
