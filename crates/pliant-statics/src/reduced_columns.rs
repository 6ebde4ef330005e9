//! The independent columns of a subspace's scalar block S in centred frames, as sparse rows; `B = S (x) I_D`.

use pliant_basis::Subspace;
use rayon::prelude::*;

use crate::centred_frames::CentredFrames;

/// Rows that one task works on; a constant, so that sums never depend on the number of threads.
const ROWS_PER_TASK: usize = 512;

/// The independent columns of S, renumbered `0..column_count`, coordinates measured in each frame from its own centre.
#[derive(Clone, Debug)]
pub(crate) struct ReducedColumns {
    column_count: usize,
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl ReducedColumns {
    pub(crate) fn new<const D: usize>(subspace: &Subspace<D>, frames: &CentredFrames<D>) -> Self {
        let (weights, kept_columns) = (subspace.weights(), subspace.kept_columns());
        let mut place = vec![None; subspace.scalar_column_count()];
        for (index, &column) in kept_columns.iter().enumerate() {
            place[column] = Some(index);
        }
        let entries = subspace.scalar_rows().columns.len();
        let mut reduced = Self {
            column_count: kept_columns.len(),
            offsets: vec![0],
            columns: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        };
        for (vertex, position) in subspace.rest_positions().iter().enumerate() {
            let (of_row, values) = weights.row(vertex);
            for (&frame, &weight) in of_row.iter().zip(values) {
                for h in 0..=D {
                    if let Some(index) = place[frame * (D + 1) + h] {
                        reduced.columns.push(index);
                        reduced.values.push(frames.entry(frame, h, weight, position));
                    }
                }
            }
            reduced.offsets.push(reduced.columns.len());
        }
        reduced
    }

    pub(crate) fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn column_count(&self) -> usize {
        self.column_count
    }

    pub(crate) fn row(&self, vertex: usize) -> (&[usize], &[f64]) {
        let range = self.offsets[vertex]..self.offsets[vertex + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// `B z`, n D. Parallel over rows.
    pub(crate) fn multiply<const D: usize>(&self, coordinates: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.row_count() * D];
        product.par_chunks_mut(ROWS_PER_TASK * D).enumerate().for_each(|(task, part)| {
            for (index, out) in part.chunks_exact_mut(D).enumerate() {
                let (columns, values) = self.row(task * ROWS_PER_TASK + index);
                let mut sum = [0.0; D];
                for (&column, value) in columns.iter().zip(values) {
                    for (axis, sum) in sum.iter_mut().enumerate() {
                        *sum += value * coordinates[column * D + axis];
                    }
                }
                out.copy_from_slice(&sum);
            }
        });
        product
    }

    /// `B^T x`. Parallel over groups of rows whose sums are added in order.
    pub(crate) fn multiply_transposed<const D: usize>(&self, stacked: &[f64]) -> Vec<f64> {
        let tasks = self.row_count().div_ceil(ROWS_PER_TASK);
        let sum_of_task = |task: usize| {
            let mut sum = vec![0.0; self.column_count * D];
            for vertex in task * ROWS_PER_TASK..((task + 1) * ROWS_PER_TASK).min(self.row_count()) {
                let (columns, values) = self.row(vertex);
                for (&column, value) in columns.iter().zip(values) {
                    for axis in 0..D {
                        sum[column * D + axis] += value * stacked[vertex * D + axis];
                    }
                }
            }
            sum
        };
        let parts: Vec<Vec<f64>> = (0..tasks).into_par_iter().map(sum_of_task).collect();
        let mut total = vec![0.0; self.column_count * D];
        for part in parts {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        total
    }
}
