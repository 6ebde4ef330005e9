//! Panels: some columns of a tall matrix, row by row, as the levels of smoothed aggregation take them.

use faer::{MatMut, MatRef};
use pliant_fem::SmoothedAggregation;
use rayon::prelude::*;

/// Rows that one task works on; a constant, so that no result depends on the number of threads.
const ROWS_PER_TASK: usize = 2048;

/// The widest panel.
pub(crate) const WIDEST: usize =
    SmoothedAggregation::PANEL_WIDTHS[SmoothedAggregation::PANEL_WIDTHS.len() - 1];

/// n x width, row-major; columns that are not needed are 0.
pub(crate) struct Panel {
    width: usize,
    entries: Vec<f64>,
}

impl Panel {
    /// Zeros, wide enough for some columns ([`WIDEST`] at most).
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        let width = SmoothedAggregation::PANEL_WIDTHS.into_iter().find(|&width| width >= columns);
        let width = width.unwrap_or(WIDEST);
        Self { width, entries: vec![0.0; rows * width] }
    }

    /// Zeros, of the size of this panel.
    pub(crate) fn like(&self) -> Self {
        Self { width: self.width, entries: vec![0.0; self.entries.len()] }
    }

    /// Row-major entries.
    pub(crate) fn new(width: usize, entries: Vec<f64>) -> Self {
        Self { width, entries }
    }

    /// Copies columns of a matrix, [`WIDEST`] at most.
    pub(crate) fn gather(matrix: MatRef<'_, f64>, columns: &[usize]) -> Self {
        let mut panel = Self::zeros(matrix.nrows(), columns.len());
        let width = panel.width;
        panel.entries.par_chunks_mut(ROWS_PER_TASK * width).enumerate().for_each(|(task, part)| {
            for (place, &column) in columns.iter().enumerate() {
                let from = matrix.col(column).subrows(task * ROWS_PER_TASK, part.len() / width);
                for (row, value) in part.chunks_exact_mut(width).zip(from.iter()) {
                    row[place] = *value;
                }
            }
        });
        panel
    }

    /// Copies the first columns into those of a matrix.
    pub(crate) fn scatter(&self, out: MatMut<'_, f64>) {
        out.par_row_chunks_mut(ROWS_PER_TASK)
            .zip(self.entries.par_chunks(ROWS_PER_TASK * self.width))
            .for_each(|(mut out, part)| {
                for (place, column) in out.as_mut().col_iter_mut().enumerate() {
                    for (value, row) in column.iter_mut().zip(part.chunks_exact(self.width)) {
                        *value = row[place];
                    }
                }
            });
    }

    /// Columns, the unused ones too.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Row by row.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Row by row, to change.
    pub(crate) fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// As a matrix.
    pub(crate) fn as_mat(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.entries, self.entries.len() / self.width, self.width)
    }

    /// As a matrix, to change.
    pub(crate) fn as_mat_mut(&mut self) -> MatMut<'_, f64> {
        let rows = self.entries.len() / self.width;
        MatMut::from_row_major_slice_mut(&mut self.entries, rows, self.width)
    }

    /// Works on every row, given its index and the same row of another panel. Parallel.
    pub(crate) fn for_each_row(&mut self, other: &Self, work: impl Fn(usize, &mut [f64], &[f64]) + Sync) {
        let width = self.width;
        let parts = self.entries.par_chunks_mut(ROWS_PER_TASK * width);
        parts.zip(other.entries.par_chunks(ROWS_PER_TASK * width)).enumerate().for_each(
            |(task, (own, other))| {
                let rows = own.chunks_exact_mut(width).zip(other.chunks_exact(width));
                for (index, (own, other)) in rows.enumerate() {
                    work(task * ROWS_PER_TASK + index, own, other);
                }
            },
        );
    }

    /// For every column the sum over the rows of `a b` times the weight of the row, added up in a fixed order.
    pub(crate) fn dots(&self, other: &Self, weight: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
        let width = self.width;
        let add = |mut sums: Vec<f64>, part: Vec<f64>| {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            sums
        };
        let parts: Vec<Vec<f64>> = self
            .entries
            .par_chunks(ROWS_PER_TASK * width)
            .zip(other.entries.par_chunks(ROWS_PER_TASK * width))
            .enumerate()
            .map(|(task, (a, b))| {
                let mut sums = vec![0.0; width];
                for (index, (a, b)) in a.chunks_exact(width).zip(b.chunks_exact(width)).enumerate() {
                    let weight = weight(task * ROWS_PER_TASK + index);
                    for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                        *sum += weight * a * b;
                    }
                }
                sums
            })
            .collect();
        parts.into_iter().fold(vec![0.0; width], add)
    }
}
