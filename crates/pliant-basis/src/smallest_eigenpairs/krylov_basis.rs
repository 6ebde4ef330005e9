//! A growing orthonormal basis, n x m, of which the columns come in blocks.

use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::prelude::Reborrow;
use faer::{Mat, MatMut, MatRef, Par};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::tall_products::{add_product, multiply_in_place, product, transpose_times};

/// A column that keeps less than this part of the block's largest norm depends on the basis up to round-off.
const DEPENDENT: f64 = 1e-12;
/// Columns of which the projection keeps more than the root of this part leave a Gram matrix that tells them apart.
const INDEPENDENT: f64 = 1e-10;

/// Orthonormal columns, which memory is set aside for, and the random numbers that fill up deficient blocks.
pub(crate) struct KrylovBasis {
    columns: Mat<f64>,
    capacity: usize,
    random: Xoshiro256PlusPlus,
}

/// What [`KrylovBasis::append`] found: `W = V coefficients + (new columns) remainder`.
pub(crate) struct Appended {
    /// Old column count x w: the block's components along the columns that were there.
    pub(crate) coefficients: Mat<f64>,
    /// New columns x w.
    pub(crate) remainder: Mat<f64>,
}

impl KrylovBasis {
    /// An empty basis for vectors of `rows` entries.
    pub(crate) fn new(rows: usize, capacity: usize, seed: u64) -> Self {
        let mut columns = Mat::with_capacity(rows, capacity);
        columns.resize_with(rows, 0, |_, _| 0.0);
        Self { columns, capacity, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Drops all columns.
    pub(crate) fn clear(&mut self) {
        self.columns.truncate(self.columns.nrows(), 0);
    }

    /// Number of columns m.
    pub(crate) fn count(&self) -> usize {
        self.columns.ncols()
    }

    /// Columns `first..end`.
    pub(crate) fn columns(&self, first: usize, end: usize) -> MatRef<'_, f64> {
        self.columns.subcols(first, end - first)
    }

    /// Makes the basis V U, and drops the rest.
    pub(crate) fn rotate(&mut self, coefficients: MatRef<'_, f64>) {
        let rotated = product(self.columns(0, coefficients.nrows()), coefficients);
        self.columns.truncate(rotated.nrows(), rotated.ncols());
        self.columns.copy_from(&rotated);
    }

    /// Orthonormalises a block against the basis and in itself and appends the columns that are independent.
    ///
    /// Two rounds of projection and of [`orthonormalise`]: twice is enough, and once is not, because the round-off that it leaves would
    /// grow from block to block. What the second round finds belongs to the coefficients. The first round may leave out the columns before
    /// `nearest`, where the block has next to no components along them.
    pub(crate) fn append(&mut self, mut block: Mat<f64>, nearest: usize) -> Appended {
        let scale = block.col_iter().map(|column| column.norm_l2()).fold(0.0, f64::max);
        let old = self.count();
        let mut coefficients = Mat::zeros(old, block.ncols());
        let near = self.project_out(block.as_mut(), nearest);
        coefficients.subrows_mut(nearest, old - nearest).copy_from(&near);
        let first = orthonormalise(&mut block, DEPENDENT * scale);
        let left = self.project_out(block.as_mut(), 0);
        add_product(coefficients.as_mut(), 1.0, left.as_ref(), first.as_ref());
        let second = orthonormalise(&mut block, 0.5);
        let remainder = product(second.as_ref(), first.as_ref());
        self.columns
            .resize_with(block.nrows(), old + block.ncols(), |row, column| block[(row, column - old)]);
        Appended { coefficients, remainder }
    }

    /// Appends random columns, orthonormal to all others.
    pub(crate) fn append_random(&mut self, count: usize) {
        let rows = self.columns.nrows();
        // The probability that a random direction lies in the basis is zero unless the basis is the whole space.
        let target = (self.count() + count).min(rows).min(self.capacity);
        while self.count() < target {
            let block = Mat::from_fn(rows, target - self.count(), |_, _| self.random.random_range(-1.0..1.0));
            self.append(block, 0);
        }
    }

    fn project_out(&self, block: MatMut<'_, f64>, first: usize) -> Mat<f64> {
        let basis = self.columns(first, self.count());
        let coefficients = transpose_times(basis, block.rb());
        add_product(block, -1.0, basis, coefficients.as_ref());
        coefficients
    }
}

/// Replaces a block by orthonormal columns Q (fewer where columns are shorter than `least` after projection) and returns R with
/// `W = Q R`: from the Gram matrix, which takes two sweeps over the block, or where that is too near a singular one column by column.
fn orthonormalise(block: &mut Mat<f64>, least: f64) -> Mat<f64> {
    let gram = transpose_times(block.as_ref(), block.as_ref());
    let Some(triangle) = gram_triangle(&gram, least) else {
        return gram_schmidt(block, least);
    };
    let mut inverse = Mat::identity(triangle.nrows(), triangle.ncols());
    solve_upper_triangular_in_place(triangle.as_ref(), inverse.as_mut(), Par::Seq);
    multiply_in_place(block, inverse.as_ref());
    triangle
}

/// R with `G = R^T R`; `None` where columns are shorter than `least` or nearly dependent.
fn gram_triangle(gram: &Mat<f64>, least: f64) -> Option<Mat<f64>> {
    let mut triangle = Mat::<f64>::zeros(gram.nrows(), gram.ncols());
    for column in 0..gram.ncols() {
        for row in 0..=column {
            let known: f64 = (0..row).map(|k| triangle[(k, row)] * triangle[(k, column)]).sum();
            let rest = gram[(row, column)] - known;
            let independent = rest > (INDEPENDENT * gram[(row, row)]).max(least * least);
            triangle[(row, column)] = match row < column {
                true => rest / triangle[(row, row)],
                false if independent => rest.sqrt(),
                false => return None,
            };
        }
    }
    Some(triangle)
}

/// The same by modified Gram-Schmidt.
fn gram_schmidt(block: &mut Mat<f64>, least: f64) -> Mat<f64> {
    let width = block.ncols();
    let mut triangle = Mat::zeros(width, width);
    let mut kept = 0;
    for column in 0..width {
        let mut candidate: Vec<f64> = block.col(column).iter().copied().collect();
        for earlier in 0..kept {
            let direction = block.col(earlier);
            let part: f64 = direction.iter().zip(&candidate).map(|(a, b)| a * b).sum();
            candidate.iter_mut().zip(direction.iter()).for_each(|(value, along)| *value -= part * along);
            triangle[(earlier, column)] = part;
        }
        let norm = candidate.iter().map(|value| value * value).sum::<f64>().sqrt();
        if norm > least {
            triangle[(kept, column)] = norm;
            block.col_mut(kept).iter_mut().zip(&candidate).for_each(|(out, value)| *out = value / norm);
            kept += 1;
        }
    }
    *block = block.subcols(0, kept).to_owned();
    triangle.subrows(0, kept).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orthonormality_error(basis: &KrylovBasis) -> f64 {
        let all = basis.columns(0, basis.count());
        let gram = transpose_times(all, all);
        (gram - Mat::<f64>::identity(basis.count(), basis.count())).norm_max()
    }

    #[test]
    fn a_block_that_depends_on_the_basis_adds_only_its_independent_columns() {
        let mut basis = KrylovBasis::new(100, 20, 1);
        basis.append_random(4);
        let mut block = basis.columns(0, 4).to_owned();
        block[(3, 1)] += 1e-3;
        block[(7, 2)] += 1e-6;
        let appended = basis.append(block.clone(), 0);
        assert_eq!(basis.count(), 6);
        assert!(orthonormality_error(&basis) < 1e-14, "{}", orthonormality_error(&basis));
        let rebuilt =
            basis.columns(0, 4) * &appended.coefficients + basis.columns(4, 6) * &appended.remainder;
        assert!((rebuilt - block).norm_max() < 1e-14);
    }

    #[test]
    fn random_columns_fill_the_space_and_no_more() {
        let mut basis = KrylovBasis::new(10, 30, 2);
        basis.append_random(7);
        basis.append_random(7);
        assert_eq!(basis.count(), 10);
        assert!(orthonormality_error(&basis) < 1e-13);
    }
}
