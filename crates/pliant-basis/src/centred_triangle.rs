//! R of `M^1/2 [S X 1]` with the coordinates of every frame measured from the frame's own centre.
//!
//! Frame j spans the same with `W_j (X - c_j)` as with `W_j X`, because it has the column `W_j` too. With
//! `c_j = sum_v m w^2 X / sum_v m w^2` the two kinds of column are orthogonal, so that the rank can be told wherever the body
//! lies: far from the origin the columns of S are nearly parallel.

use crate::Weights;
use crate::independent_columns::independent_columns;
use crate::tall_qr::triangular_factor;
use faer::Mat;

/// The triangle, min(n, c + D + 1) x (c + D + 1) with c = k (D + 1), and the centre of every frame and of the body in m.
pub(crate) struct CentredTriangle<const D: usize> {
    triangle: Mat<f64>,
    centres: Vec<[f64; D]>,
}

impl<const D: usize> CentredTriangle<D> {
    /// O(n c^2).
    pub(crate) fn new(weights: &Weights, mass: &[f64], positions: &[[f64; D]]) -> Self {
        let centres = centres(weights, mass, positions);
        let frames = weights.frame_count();
        let columns = (frames + 1) * (D + 1);
        let triangle = triangular_factor(positions.len(), columns, |vertex, row| {
            let mut put = |frame: usize, weight: f64| {
                let scaled = mass[vertex].sqrt() * weight;
                let of_frame = &mut row[frame * (D + 1)..(frame + 1) * (D + 1)];
                for axis in 0..D {
                    of_frame[axis] = scaled * (positions[vertex][axis] - centres[frame][axis]);
                }
                of_frame[D] = scaled;
            };
            let (entries, values) = weights.row(vertex);
            entries.iter().zip(values).for_each(|(&frame, &weight)| put(frame, weight));
            put(frames, 1.0);
        });
        Self { triangle, centres }
    }

    /// The independent columns of S, ascending. The columns `W_j` are preferred: all that are independent are kept, so those
    /// kept are independent with coordinates measured from anywhere.
    pub(crate) fn independent_columns(&self) -> Vec<usize> {
        let columns = self.triangle.ncols() - (D + 1);
        let rows = self.triangle.nrows().min(columns);
        independent_columns(self.triangle.get(..rows, ..columns), |column| column % (D + 1) == D)
    }

    /// R of `M^1/2 [S X 1]` itself.
    pub(crate) fn uncentred(&self) -> Mat<f64> {
        Mat::from_fn(self.triangle.nrows(), self.triangle.ncols(), |row, column| {
            let (frame, axis) = (column / (D + 1), column % (D + 1));
            let shift = if axis < D {
                self.centres[frame][axis] * self.triangle[(row, frame * (D + 1) + D)]
            } else {
                0.0
            };
            self.triangle[(row, column)] + shift
        })
    }
}

/// `sum_v m w^2 X / sum_v m w^2` of every frame, and last the centre of mass; 0 for a frame without weight.
fn centres<const D: usize>(weights: &Weights, mass: &[f64], positions: &[[f64; D]]) -> Vec<[f64; D]> {
    let frames = weights.frame_count();
    let mut sums = vec![[0.0; D]; frames + 1];
    let mut totals = vec![0.0; frames + 1];
    for (vertex, position) in positions.iter().enumerate() {
        let (entries, values) = weights.row(vertex);
        let whole_body = std::iter::once((frames, 1.0));
        for (frame, weight) in entries.iter().copied().zip(values.iter().copied()).chain(whole_body) {
            let share = mass[vertex] * weight * weight;
            totals[frame] += share;
            sums[frame].iter_mut().zip(position).for_each(|(sum, coordinate)| *sum += share * coordinate);
        }
    }
    for (sum, total) in sums.iter_mut().zip(totals) {
        if total > 0.0 {
            sum.iter_mut().for_each(|coordinate| *coordinate /= total);
        }
    }
    sums
}
