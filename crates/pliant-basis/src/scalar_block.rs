//! The scalar block `S = W * [X 1]` of a linear blend skinning basis `B = S (x) I_D`, as sparse rows.
//!
//! S is n x c with c = k (D + 1): row `v`, column `j (D + 1) + h` holds `W[v, j] [X_v; 1]_h`, so the first D columns of a frame
//! are in m and the last is without unit.

use crate::Weights;
use crate::weights::NONZERO;
use rayon::prelude::*;

/// Sparse rows of S: row `v` is `offsets[v]..offsets[v + 1]` of `columns` (ascending in a row) and `values`.
#[derive(Clone, Copy, Debug)]
pub struct ScalarRows<'a> {
    /// Where each row starts, n + 1 entries.
    pub offsets: &'a [usize],
    /// The column `j (D + 1) + h` of every entry.
    pub columns: &'a [usize],
    /// The value of every entry; coordinates that are exactly 0 are stored too.
    pub values: &'a [f64],
}

impl<'a> ScalarRows<'a> {
    /// The columns and the values of one row.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn row(&self, vertex: usize) -> (&'a [usize], &'a [f64]) {
        let range = self.offsets[vertex]..self.offsets[vertex + 1];
        (&self.columns[range.clone()], &self.values[range])
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ScalarBlock {
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    column_count: usize,
}

impl ScalarBlock {
    /// O(entries of W times D + 1).
    pub(crate) fn new<const D: usize>(weights: &Weights, positions: &[[f64; D]]) -> Self {
        let entries = weights.values().len() * (D + 1);
        let mut block = Self {
            offsets: weights.row_offsets().iter().map(|offset| offset * (D + 1)).collect(),
            columns: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
            column_count: weights.frame_count() * (D + 1),
        };
        for (vertex, position) in positions.iter().enumerate() {
            let (frames, row) = weights.row(vertex);
            for (&frame, &weight) in frames.iter().zip(row) {
                block.columns.extend(frame * (D + 1)..(frame + 1) * (D + 1));
                block.values.extend(position.iter().map(|coordinate| weight * coordinate));
                block.values.push(weight);
            }
        }
        block
    }

    pub(crate) fn rows(&self) -> ScalarRows<'_> {
        ScalarRows { offsets: &self.offsets, columns: &self.columns, values: &self.values }
    }

    /// c.
    pub(crate) fn column_count(&self) -> usize {
        self.column_count
    }

    pub(crate) fn nonzeros(&self) -> usize {
        self.values.iter().filter(|value| value.abs() > NONZERO).count()
    }

    /// One column of S, n.
    pub(crate) fn column(&self, column: usize) -> Vec<f64> {
        self.map_rows(|(columns, values)| columns.binary_search(&column).map_or(0.0, |entry| values[entry]))
    }

    /// `S z` with D components for each column: z[c * D + i]. Parallel over rows.
    pub(crate) fn multiply<const D: usize>(&self, coordinates: &[f64]) -> Vec<[f64; D]> {
        self.map_rows(|(columns, values)| {
            let mut sum = [0.0; D];
            for (&column, &value) in columns.iter().zip(values) {
                let of_column = &coordinates[column * D..(column + 1) * D];
                for (component, coordinate) in sum.iter_mut().zip(of_column) {
                    *component += value * coordinate;
                }
            }
            sum
        })
    }

    fn map_rows<T: Send>(&self, function: impl Fn((&[usize], &[f64])) -> T + Sync) -> Vec<T> {
        let rows = self.rows();
        (0..self.offsets.len() - 1)
            .into_par_iter()
            .with_min_len(1024)
            .map(|vertex| function(rows.row(vertex)))
            .collect()
    }
}
