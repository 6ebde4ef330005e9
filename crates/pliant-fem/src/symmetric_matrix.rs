//! A symmetric matrix on a mesh's pattern: products, diagonal, blocks and elimination of constrained rows.

use std::sync::Arc;

use faer::Mat;
use rayon::prelude::*;

use crate::SymmetricPattern;
use crate::symmetric_pattern::for_each_task;

/// Vertex rows that one task of a product works on; a constant, so that the split never depends on the number of threads.
const VERTICES_PER_TASK: usize = 256;

/// A symmetric sparse matrix, of which the lower triangle is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricMatrix {
    pattern: Arc<SymmetricPattern>,
    values: Vec<f64>,
}

impl SymmetricMatrix {
    /// The zero matrix on a pattern.
    pub fn zeros(pattern: Arc<SymmetricPattern>) -> Self {
        let values = vec![0.0; pattern.nonzeros()];
        Self { pattern, values }
    }

    /// The sum of the blocks of all cells; see [`SymmetricPattern::assemble`].
    pub fn from_cells(pattern: Arc<SymmetricPattern>, fill: impl Fn(usize, &mut [f64]) + Sync) -> Self {
        let mut matrix = Self::zeros(pattern);
        matrix.assemble(fill);
        matrix
    }

    /// Overwrites the matrix with the sum of the blocks of all cells; see [`SymmetricPattern::assemble`].
    pub fn assemble(&mut self, fill: impl Fn(usize, &mut [f64]) + Sync) {
        self.pattern.assemble(fill, &mut self.values);
    }

    /// The pattern, shared by all matrices of one mesh and component count.
    pub fn pattern(&self) -> &Arc<SymmetricPattern> {
        &self.pattern
    }

    /// Rows of the matrix.
    pub fn dof_count(&self) -> usize {
        self.pattern.dof_count()
    }

    /// The entries of the lower triangle, column by column, as [`SymmetricPattern::row_indices`] lists their rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entries, to change.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The `C x C` block of a column vertex and its n-th row vertex ([`SymmetricPattern::vertex_rows`]): entry `[i][l]` couples
    /// component `i` of the row vertex with component `l` of the column vertex. `nth = 0` is the whole symmetric diagonal block.
    ///
    /// # Panics
    /// If `C` is not the component count or an index is out of range.
    #[inline]
    pub fn block<const C: usize>(&self, column: usize, nth: usize) -> [[f64; C]; C] {
        assert_eq!(C, self.pattern.components(), "a block has the pattern's number of components");
        let offsets = &self.pattern.column_offsets()[column * C..(column + 1) * C];
        if nth == 0 {
            return std::array::from_fn(|i| {
                std::array::from_fn(|l| self.values[offsets[i.min(l)] + i.max(l) - i.min(l)])
            });
        }
        std::array::from_fn(|i| std::array::from_fn(|l| self.values[offsets[l] + nth * C + i - l]))
    }

    /// `y = A x`. O(non-zeros), parallel, the same bits for any number of threads.
    ///
    /// # Panics
    /// If a slice does not have one entry for each row.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.multiply_panel(x, 1, y);
    }

    /// `Y = A X` for a panel of several columns, both row-major (`dof_count x columns`). Much cheaper than as many
    /// single products; parallel, the same bits for any number of threads.
    ///
    /// # Panics
    /// If a slice does not have `columns` entries for each row.
    pub fn multiply_panel(&self, x: &[f64], columns: usize, y: &mut [f64]) {
        let length = self.dof_count() * columns;
        assert!(x.len() == length && y.len() == length, "a panel needs {columns} entries for each row");
        if columns == 0 {
            return;
        }
        match (self.pattern.components(), columns) {
            (1, 1) => self.multiply_in_tasks(y, 1, |vertex, out| self.vertex_product::<1>(x, vertex, out)),
            (2, 1) => self.multiply_in_tasks(y, 1, |vertex, out| self.vertex_product::<2>(x, vertex, out)),
            (3, 1) => self.multiply_in_tasks(y, 1, |vertex, out| self.vertex_product::<3>(x, vertex, out)),
            _ => self.multiply_in_tasks(y, columns, |vertex, out| {
                out.fill(0.0);
                self.accumulate_panel(x, columns, vertex, out);
            }),
        }
    }

    fn multiply_in_tasks(&self, y: &mut [f64], columns: usize, product: impl Fn(usize, &mut [f64]) + Sync) {
        let row = self.pattern.components() * columns;
        let work = |(task, part): (usize, &mut [f64])| {
            for (vertex, out) in part.chunks_exact_mut(row).enumerate() {
                product(task * VERTICES_PER_TASK + vertex, out);
            }
        };
        if self.pattern.vertex_count() <= VERTICES_PER_TASK {
            work((0, y));
        } else {
            y.par_chunks_mut(row * VERTICES_PER_TASK).enumerate().for_each(work);
        }
    }

    /// The rows of one vertex times x: blocks left of the diagonal, then its own column transposed.
    fn vertex_product<const C: usize>(&self, x: &[f64], vertex: usize, out: &mut [f64]) {
        let mut sum = [0.0; C];
        for &(column, nth) in self.pattern.blocks_left(vertex) {
            for l in 0..C {
                let factor = x[column * C + l];
                let start = self.pattern.column_offsets()[column * C + l] + nth * C - l;
                for (sum, value) in sum.iter_mut().zip(&self.values[start..start + C]) {
                    *sum += value * factor;
                }
            }
        }
        let own = &x[vertex * C..(vertex + 1) * C];
        for (sum, row) in sum.iter_mut().zip(self.block::<C>(vertex, 0)) {
            *sum += row.iter().zip(own).map(|(value, factor)| value * factor).sum::<f64>();
        }
        let rows = self.pattern.vertex_rows(vertex);
        for (l, sum) in sum.iter_mut().enumerate() {
            let start = self.pattern.column_offsets()[vertex * C + l] + C - l;
            let entries = &self.values[start..start + (rows.len() - 1) * C];
            for (&row, entries) in rows[1..].iter().zip(entries.chunks_exact(C)) {
                for (value, factor) in entries.iter().zip(&x[row * C..(row + 1) * C]) {
                    *sum += value * factor;
                }
            }
        }
        out.copy_from_slice(&sum);
    }

    fn accumulate_panel(&self, x: &[f64], columns: usize, vertex: usize, out: &mut [f64]) {
        let (pattern, components) = (&self.pattern, self.pattern.components());
        let add = |out: &mut [f64], i: usize, place: usize, row: usize| {
            let value = self.values[place];
            let from = &x[row * columns..(row + 1) * columns];
            for (out, from) in out[i * columns..(i + 1) * columns].iter_mut().zip(from) {
                *out += value * from;
            }
        };
        for &(column, nth) in pattern.blocks_left(vertex) {
            for l in 0..components {
                for i in 0..components {
                    add(out, i, pattern.entry(column, nth, i, l), column * components + l);
                }
            }
        }
        for i in 0..components {
            for l in 0..components {
                add(out, i, pattern.entry(vertex, 0, i.max(l), i.min(l)), vertex * components + l);
            }
        }
        for (nth, &row) in pattern.vertex_rows(vertex).iter().enumerate().skip(1) {
            for l in 0..components {
                for i in 0..components {
                    add(out, l, pattern.entry(vertex, nth, i, l), row * components + i);
                }
            }
        }
    }

    /// `|b - A x| / |b|` in the 2-norm, to judge a solve: one product. Zero for an exact solution, infinite when only `b` is zero.
    ///
    /// # Panics
    /// If a slice does not have one entry for each row.
    pub fn relative_residual(&self, x: &[f64], b: &[f64]) -> f64 {
        let mut product = vec![0.0; self.dof_count()];
        self.multiply(x, &mut product);
        assert_eq!(b.len(), product.len(), "the right-hand side needs one entry for each row");
        let residual: f64 = b.iter().zip(&product).map(|(b, product)| (b - product).powi(2)).sum();
        if residual == 0.0 { 0.0 } else { (residual / b.iter().map(|b| b * b).sum::<f64>()).sqrt() }
    }

    /// The diagonal, one entry for each row.
    pub fn diagonal(&self) -> Vec<f64> {
        self.pattern.column_offsets()[..self.dof_count()].iter().map(|&place| self.values[place]).collect()
    }

    /// Adds one number to each entry of the diagonal.
    ///
    /// # Panics
    /// If there is not one for each row.
    pub fn add_to_diagonal(&mut self, shift: &[f64]) {
        assert_eq!(shift.len(), self.dof_count(), "the shift needs one entry for each row");
        for (&place, shift) in self.pattern.column_offsets().iter().zip(shift) {
            self.values[place] += shift;
        }
    }

    /// Zeroes the rows and columns of constrained degrees of freedom and puts `diagonal` (positive; best of the size of the
    /// other diagonal entries) on their diagonal, so that a solve returns 0 there when the right-hand side is 0 there.
    ///
    /// # Panics
    /// If there is not one mark for each row.
    pub fn eliminate(&mut self, constrained: &[bool], diagonal: f64) {
        assert_eq!(constrained.len(), self.dof_count(), "there must be one mark for each row");
        let offsets = self.pattern.column_offsets();
        let rows = self.pattern.row_indices();
        for_each_task(
            &mut self.values,
            constrained.len(),
            |column| offsets[column],
            |columns, part| {
                let first = offsets[columns.start];
                for column in columns {
                    for place in offsets[column]..offsets[column + 1] {
                        if constrained[column] || constrained[rows[place]] {
                            part[place - first] = if rows[place] == column { diagonal } else { 0.0 };
                        }
                    }
                }
            },
        );
    }

    /// The whole matrix, both triangles, dense: for small problems.
    pub fn to_dense(&self) -> Mat<f64> {
        let mut dense = Mat::zeros(self.dof_count(), self.dof_count());
        for column in 0..self.dof_count() {
            for place in self.pattern.column_offsets()[column]..self.pattern.column_offsets()[column + 1] {
                let row = self.pattern.row_indices()[place];
                dense[(row, column)] = self.values[place];
                dense[(column, row)] = self.values[place];
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::{in_pools, random_cells, random_vector, shuffled_lattice};
    use proptest::prelude::*;

    fn random_matrix<const D: usize>(side: usize, components: usize, seed: u64) -> SymmetricMatrix {
        let mesh = shuffled_lattice::<D>(side, seed);
        let (cells, _) = random_cells(&mesh, components, seed);
        SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, components).into(), cells)
    }

    fn product_error(matrix: &SymmetricMatrix, columns: usize, seed: u64) -> f64 {
        let x = random_vector(matrix.dof_count() * columns, seed);
        let mut y = vec![f64::NAN; x.len()];
        matrix.multiply_panel(&x, columns, &mut y);
        let panel =
            |values: &[f64]| Mat::from_fn(matrix.dof_count(), columns, |i, j| values[i * columns + j]);
        let expected = matrix.to_dense() * panel(&x);
        (panel(&y) - &expected).norm_max() / expected.norm_max()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn products_agree_with_the_dense_matrix(side in 1_usize..4, columns in 1_usize..5, seed in 0_u64..1000) {
            for components in 1..=3 {
                prop_assert!(product_error(&random_matrix::<2>(side, components, seed), columns, seed) < 1e-14);
                prop_assert!(product_error(&random_matrix::<3>(side, components, seed), columns, seed) < 1e-14);
            }
        }
    }

    #[test]
    fn products_give_the_same_bits_for_any_number_of_threads() {
        let matrix = random_matrix::<2>(24, 2, 7);
        let x = random_vector(matrix.dof_count() * 3, 8);
        let [one, two, five] = in_pools(|| {
            let (mut single, mut panel) = (vec![0.0; matrix.dof_count()], vec![0.0; x.len()]);
            matrix.multiply(&x[..matrix.dof_count()], &mut single);
            matrix.multiply_panel(&x, 3, &mut panel);
            (single, panel)
        });
        assert!(one == two && one == five);
    }

    #[test]
    fn blocks_are_those_of_the_dense_matrix() {
        let matrix = random_matrix::<3>(2, 3, 9);
        let dense = matrix.to_dense();
        for column in 0..matrix.pattern().vertex_count() {
            for (nth, &row) in matrix.pattern().vertex_rows(column).iter().enumerate() {
                let block = matrix.block::<3>(column, nth);
                for i in 0..3 {
                    for l in 0..3 {
                        assert_eq!(block[i][l], dense[(row * 3 + i, column * 3 + l)]);
                    }
                }
            }
        }
    }

    #[test]
    fn elimination_leaves_a_diagonal_entry_in_constrained_rows_and_the_rest_untouched() {
        let mut matrix = random_matrix::<2>(3, 2, 10);
        let before = matrix.to_dense();
        let constrained: Vec<bool> = (0..matrix.dof_count()).map(|dof| dof % 5 == 0).collect();
        matrix.eliminate(&constrained, 7.0);
        let after = matrix.to_dense();
        for row in 0..constrained.len() {
            for column in 0..constrained.len() {
                let expected = match (constrained[row] || constrained[column], row == column) {
                    (true, true) => 7.0,
                    (true, false) => 0.0,
                    (false, _) => before[(row, column)],
                };
                assert_eq!(after[(row, column)], expected);
            }
        }
    }

    #[test]
    fn a_shift_of_the_diagonal_changes_only_the_diagonal() {
        let mut matrix = random_matrix::<2>(2, 2, 11);
        let before = matrix.to_dense();
        let shift = random_vector(matrix.dof_count(), 12);
        matrix.add_to_diagonal(&shift);
        for (row, (value, shift)) in matrix.diagonal().iter().zip(&shift).enumerate() {
            assert_eq!(*value, before[(row, row)] + shift);
        }
        assert_eq!(
            (matrix.to_dense() - before).norm_max(),
            shift.iter().fold(0.0, |a: f64, b| a.max(b.abs()))
        );
    }
}
