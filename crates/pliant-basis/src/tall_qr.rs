//! QR of a tall dense matrix by blocks of rows: `A = Q R`, A n x c, R min(n, c) x c.
//!
//! Each block of rows is factored by itself (in parallel), the stacked triangles once more. Householder reflections throughout,
//! so it is as stable as one QR of the whole, and the same bits come out for any number of threads.
//! Source: Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU factorizations", 2012.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::householder::{
    apply_block_householder_sequence_transpose_on_the_left_in_place_scratch as apply_scratch,
    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj as apply_transpose,
};
use faer::linalg::qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Conj, Mat, MatRef, Par};
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a block for each column: the second factorisation then costs an eighth of the first at most.
const BLOCK_ROWS_PER_COLUMN: usize = 8;
/// Rows of a block at least.
const LEAST_BLOCK_ROWS: usize = 512;

/// A kept factorisation that solves least-squares problems, n x c values.
#[derive(Clone, Debug)]
pub(crate) struct TallQr {
    rows: usize,
    columns: usize,
    blocks: Vec<HouseholderQr>,
    top: HouseholderQr,
}

impl TallQr {
    /// Factors the matrix whose row `v` is written by `fill_row(v, row)` into a row of zeros. O(n c^2).
    pub(crate) fn new(rows: usize, columns: usize, fill_row: impl Fn(usize, &mut [f64]) + Sync) -> Self {
        let blocks: Vec<HouseholderQr> = blocks_of(rows, columns)
            .into_par_iter()
            .map(|range| HouseholderQr::new(dense_rows(range, columns, &fill_row)))
            .collect();
        let triangles: Vec<Mat<f64>> = blocks.iter().map(HouseholderQr::triangle).collect();
        Self { rows, columns, top: HouseholderQr::new(stacked(&triangles, columns)), blocks }
    }

    /// The `x` (c x m) that minimises `|A x - b|` for each of the m columns of `b` (n x m). The columns of A must be independent.
    pub(crate) fn solve_least_squares(&self, right_hand_sides: MatRef<'_, f64>) -> Mat<f64> {
        let ranges = blocks_of(self.rows, self.columns);
        let tops: Vec<Mat<f64>> = ranges
            .into_par_iter()
            .zip(&self.blocks)
            .map(|(range, block)| {
                let rows = right_hand_sides.subrows(range.start, range.len());
                block.multiply_transposed(rows.to_owned())
            })
            .collect();
        self.top.solve_least_squares(stacked(&tops, right_hand_sides.ncols()))
    }
}

/// R of the matrix whose rows `fill_row` writes, min(n, c) x c. Keeps one block of rows at a time for each thread. O(n c^2).
pub(crate) fn triangular_factor(
    rows: usize,
    columns: usize,
    fill_row: impl Fn(usize, &mut [f64]) + Sync,
) -> Mat<f64> {
    let triangles: Vec<Mat<f64>> = blocks_of(rows, columns)
        .into_par_iter()
        .map(|range| HouseholderQr::new(dense_rows(range, columns, &fill_row)).triangle())
        .collect();
    HouseholderQr::new(stacked(&triangles, columns)).triangle()
}

/// Reflections and triangle of one dense matrix, in faer's packed form.
#[derive(Clone, Debug)]
pub(crate) struct HouseholderQr {
    packed: Mat<f64>,
    coefficients: Mat<f64>,
}

impl HouseholderQr {
    pub(crate) fn new(mut matrix: Mat<f64>) -> Self {
        let (rows, columns) = (matrix.nrows(), matrix.ncols());
        let block = recommended_block_size::<f64>(rows, columns);
        let mut coefficients = Mat::zeros(block, rows.min(columns));
        let scratch = qr_in_place_scratch::<f64>(rows, columns, block, Par::Seq, Default::default());
        qr_in_place(
            matrix.as_mut(),
            coefficients.as_mut(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Default::default(),
        );
        Self { packed: matrix, coefficients }
    }

    /// R, min(rows, columns) x columns.
    pub(crate) fn triangle(&self) -> Mat<f64> {
        let size = self.coefficients.ncols();
        Mat::from_fn(
            size,
            self.packed.ncols(),
            |row, column| {
                if row <= column { self.packed[(row, column)] } else { 0.0 }
            },
        )
    }

    /// The first min(rows, columns) rows of `Q^T b`: coordinates in the span of A.
    fn multiply_transposed(&self, matrix: Mat<f64>) -> Mat<f64> {
        let size = self.coefficients.ncols();
        self.multiply_all_transposed(matrix).get(..size, ..).to_owned()
    }

    /// The other rows of `Q^T b`: what is left of b beside the span of A, its lengths and angles kept.
    pub(crate) fn complement(&self, matrix: Mat<f64>) -> Mat<f64> {
        let size = self.coefficients.ncols();
        self.multiply_all_transposed(matrix).get(size.., ..).to_owned()
    }

    fn multiply_all_transposed(&self, mut matrix: Mat<f64>) -> Mat<f64> {
        let size = self.coefficients.ncols();
        let scratch = apply_scratch::<f64>(self.packed.nrows(), self.coefficients.nrows(), matrix.ncols());
        apply_transpose(
            self.packed.get(.., ..size),
            self.coefficients.as_ref(),
            Conj::No,
            matrix.as_mut(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
        matrix
    }

    /// The `x` that minimises `|A x - b|` for each column of `b`; A has independent columns.
    pub(crate) fn solve_least_squares(&self, right_hand_sides: Mat<f64>) -> Mat<f64> {
        let mut solution = self.multiply_transposed(right_hand_sides);
        let columns = self.packed.ncols();
        solve_upper_triangular_in_place(self.packed.get(..columns, ..), solution.as_mut(), Par::Seq);
        solution
    }
}

/// The blocks of rows; they depend on the shape alone. The last one takes the rest, so that none is small.
fn blocks_of(rows: usize, columns: usize) -> Vec<Range<usize>> {
    let block = (BLOCK_ROWS_PER_COLUMN * columns).max(LEAST_BLOCK_ROWS);
    let count = (rows / block).max(1);
    (0..count)
        .map(|index| index * block..if index + 1 == count { rows } else { (index + 1) * block })
        .collect()
}

fn dense_rows(range: Range<usize>, columns: usize, fill_row: impl Fn(usize, &mut [f64])) -> Mat<f64> {
    let mut matrix = Mat::zeros(range.len(), columns);
    let mut row = vec![0.0; columns];
    for (local, vertex) in range.enumerate() {
        row.fill(0.0);
        fill_row(vertex, &mut row);
        for (column, &value) in row.iter().enumerate() {
            matrix[(local, column)] = value;
        }
    }
    matrix
}

fn stacked(parts: &[Mat<f64>], columns: usize) -> Mat<f64> {
    let mut stack = Mat::zeros(parts.iter().map(Mat::nrows).sum(), columns);
    let mut start = 0;
    for part in parts {
        stack.get_mut(start..start + part.nrows(), ..).copy_from(part);
        start += part.nrows();
    }
    stack
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(row: usize, column: usize) -> f64 {
        ((row * 7 + column * 13) as f64).sin() + if row % 11 == column { 2.0 } else { 0.0 }
    }

    fn fill(row: usize, values: &mut [f64]) {
        values.iter_mut().enumerate().for_each(|(column, value)| *value = entry(row, column));
    }

    #[test]
    fn blocks_of_rows_give_the_triangle_of_the_whole_up_to_signs() {
        let (rows, columns) = (2000, 9);
        let blocked = triangular_factor(rows, columns, fill);
        let whole = HouseholderQr::new(Mat::from_fn(rows, columns, entry)).triangle();
        assert!(blocks_of(rows, columns).len() > 1);
        for row in 0..columns {
            let sign = (blocked[(row, row)] * whole[(row, row)]).signum();
            for column in row..columns {
                assert!((blocked[(row, column)] - sign * whole[(row, column)]).abs() < 1e-12 * 50.0);
            }
        }
    }

    #[test]
    fn least_squares_recovers_the_solution_and_leaves_an_orthogonal_residual() {
        let (rows, columns) = (1700, 8);
        let qr = TallQr::new(rows, columns, fill);
        let matrix = Mat::from_fn(rows, columns, entry);
        let solution = Mat::from_fn(columns, 2, |row, column| row as f64 - 3.0 * column as f64);
        let exact = qr.solve_least_squares((&matrix * &solution).as_ref());
        assert!((exact - &solution).norm_max() < 1e-12);
        let right = Mat::from_fn(rows, 1, |row, _| (row as f64).cos());
        let residual = &matrix * qr.solve_least_squares(right.as_ref()) - &right;
        assert!(residual.norm_max() > 0.1);
        assert!((matrix.transpose() * residual).norm_max() < 1e-10);
    }

    #[test]
    fn a_wide_matrix_has_a_trapezoidal_factor() {
        let factor = triangular_factor(3, 5, fill);
        assert_eq!((factor.nrows(), factor.ncols()), (3, 5));
        let matrix = Mat::from_fn(3, 5, entry);
        let difference = factor.transpose() * &factor - matrix.transpose() * &matrix;
        assert!(difference.norm_max() < 1e-12);
    }

    #[test]
    fn the_factor_has_the_same_bits_for_any_number_of_threads() {
        let with_threads = |count: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
            pool.install(|| {
                let right = Mat::from_fn(5000, 1, |row, _| (row as f64).sin());
                let solution = TallQr::new(5000, 7, fill).solve_least_squares(right.as_ref());
                (triangular_factor(5000, 7, fill), solution)
            })
        };
        assert_eq!(with_threads(1), with_threads(4));
    }
}
