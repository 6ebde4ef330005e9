//! Products with tall matrices (many rows, few columns), by fixed blocks of rows: parallel, and the same bits for any number of threads.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Rows of a block: a block of some tens of columns stays in the second-level cache.
const ROWS_PER_TASK: usize = 2048;

/// `A^T B`, p x q. The blocks' products are added in the order of the rows.
pub(crate) fn transpose_times(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    if a.ncols() > b.ncols() {
        // The left factor is copied into another layout before it is multiplied: better the one of few columns.
        return transpose_times(b, a).transpose().to_owned();
    }
    let product = |(a, b): (MatRef<'_, f64>, MatRef<'_, f64>)| {
        let mut part = Mat::zeros(a.ncols(), b.ncols());
        matmul(&mut part, Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
        part
    };
    if a.nrows() <= ROWS_PER_TASK {
        return product((a, b));
    }
    let parts: Vec<Mat<f64>> =
        a.par_row_chunks(ROWS_PER_TASK).zip(b.par_row_chunks(ROWS_PER_TASK)).map(product).collect();
    let mut sum = Mat::zeros(a.ncols(), b.ncols());
    for part in &parts {
        for column in 0..sum.ncols() {
            for row in 0..sum.nrows() {
                sum[(row, column)] += part[(row, column)];
            }
        }
    }
    sum
}

/// `out += factor A C`, A n x p, C p x q.
pub(crate) fn add_product(
    out: MatMut<'_, f64>,
    factor: f64,
    a: MatRef<'_, f64>,
    coefficients: MatRef<'_, f64>,
) {
    if a.nrows() <= ROWS_PER_TASK {
        return matmul(out, Accum::Add, a, coefficients, factor, Par::Seq);
    }
    out.par_row_chunks_mut(ROWS_PER_TASK)
        .zip(a.par_row_chunks(ROWS_PER_TASK))
        .for_each(|(out, a)| matmul(out, Accum::Add, a, coefficients, factor, Par::Seq));
}

/// `A C`, n x q.
pub(crate) fn product(a: MatRef<'_, f64>, coefficients: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), coefficients.ncols());
    add_product(out.as_mut(), 1.0, a, coefficients);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_blocks_of_rows_agree_with_plain_ones_and_never_depend_on_threads() {
        let rows = 3 * ROWS_PER_TASK + 17;
        let a = Mat::from_fn(rows, 5, |i, j| ((i * 7 + j * 13) % 29) as f64 - 14.0);
        let b = Mat::from_fn(rows, 3, |i, j| ((i * 5 + j * 11) % 31) as f64 / 7.0);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let gram = transpose_times(a.as_ref(), b.as_ref());
                (product(a.as_ref(), gram.as_ref()), gram)
            })
        };
        let (tall, gram) = run(1);
        let expected = a.transpose() * &b;
        assert!((&gram - &expected).norm_max() < 1e-12 * expected.norm_max());
        assert!((&tall - &a * &gram).norm_max() < 1e-12 * tall.norm_max());
        for threads in [2, 5] {
            assert!(run(threads) == (tall.clone(), gram.clone()));
        }
    }
}
