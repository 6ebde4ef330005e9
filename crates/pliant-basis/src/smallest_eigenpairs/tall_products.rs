//! Products with tall matrices (many rows, few columns), by fixed blocks of rows: parallel, and the same bits for any number of threads.

use faer::linalg::matmul::matmul;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Rows of a block: a block of some tens of columns stays in the second-level cache.
const ROWS_PER_TASK: usize = 2048;
/// Columns of the left factor that are added at once: so few are read in long streams, and what they add to stays in the cache.
const COLUMNS_AT_ONCE: usize = 32;

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
    sum(&parts, a.ncols(), b.ncols())
}

fn sum(parts: &[Mat<f64>], rows: usize, columns: usize) -> Mat<f64> {
    let mut sum = Mat::zeros(rows, columns);
    for part in parts {
        for column in 0..columns {
            for row in 0..rows {
                sum[(row, column)] += part[(row, column)];
            }
        }
    }
    sum
}

/// `A^T diag(w) B`, p x q.
pub(crate) fn weighted_transpose_times(a: MatRef<'_, f64>, weights: &[f64], b: MatRef<'_, f64>) -> Mat<f64> {
    if a.ncols() > b.ncols() {
        // As above, and the factor with few columns is the one to weigh.
        return weighted_transpose_times(b, weights, a).transpose().to_owned();
    }
    let product = |((a, weights), b): ((MatRef<'_, f64>, &[f64]), MatRef<'_, f64>)| {
        let mut weighted = Mat::zeros(a.nrows(), a.ncols());
        for (out, column) in weighted.col_iter_mut().zip(a.col_iter()) {
            let products = column.iter().zip(weights).map(|(value, weight)| value * weight);
            out.iter_mut().zip(products).for_each(|(out, product)| *out = product);
        }
        let mut part = Mat::zeros(a.ncols(), b.ncols());
        matmul(&mut part, Accum::Replace, weighted.transpose(), b, 1.0, Par::Seq);
        part
    };
    if a.nrows() <= ROWS_PER_TASK {
        return product(((a, weights), b));
    }
    let parts: Vec<Mat<f64>> = a
        .par_row_chunks(ROWS_PER_TASK)
        .zip(weights.par_chunks(ROWS_PER_TASK))
        .zip(b.par_row_chunks(ROWS_PER_TASK))
        .map(product)
        .collect();
    sum(&parts, a.ncols(), b.ncols())
}

/// `out += factor A C`, A n x p, C p x q.
pub(crate) fn add_product(
    out: MatMut<'_, f64>,
    factor: f64,
    a: MatRef<'_, f64>,
    coefficients: MatRef<'_, f64>,
) {
    let add = |mut out: MatMut<'_, f64>, a: MatRef<'_, f64>| {
        for first in (0..a.ncols()).step_by(COLUMNS_AT_ONCE) {
            let columns = COLUMNS_AT_ONCE.min(a.ncols() - first);
            let (a, c) = (a.subcols(first, columns), coefficients.subrows(first, columns));
            matmul(out.rb_mut(), Accum::Add, a, c, factor, Par::Seq);
        }
    };
    if a.nrows() <= ROWS_PER_TASK {
        return add(out, a);
    }
    out.par_row_chunks_mut(ROWS_PER_TASK)
        .zip(a.par_row_chunks(ROWS_PER_TASK))
        .for_each(|(out, a)| add(out, a));
}

/// `A C`, n x q.
pub(crate) fn product(a: MatRef<'_, f64>, coefficients: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::zeros(a.nrows(), coefficients.ncols());
    add_product(out.as_mut(), 1.0, a, coefficients);
    out
}

/// Replaces A, n x p, by `A C`, C p x p, some rows after others.
pub(crate) fn multiply_in_place(a: &mut Mat<f64>, c: MatRef<'_, f64>) {
    a.as_mut().par_row_chunks_mut(ROWS_PER_TASK).for_each(|mut a| {
        let rows = a.rb().to_owned();
        matmul(a.rb_mut(), Accum::Replace, rows.as_ref(), c, 1.0, Par::Seq);
    });
}

/// Replaces A, n x p, by `A C + B E`, n x q, some rows after others; with q <= p this needs no second matrix of that size.
pub(crate) fn combine(a: &mut Mat<f64>, c: MatRef<'_, f64>, b: MatRef<'_, f64>, e: MatRef<'_, f64>) {
    let (rows, old, new) = (a.nrows(), c.nrows(), c.ncols());
    if new > old {
        a.resize_with(rows, new, |_, _| 0.0);
    }
    a.as_mut().par_row_chunks_mut(ROWS_PER_TASK).zip(b.par_row_chunks(ROWS_PER_TASK)).for_each(
        |(mut a, b)| {
            let mut part = Mat::zeros(a.nrows(), new);
            matmul(&mut part, Accum::Replace, a.as_ref().subcols(0, old), c, 1.0, Par::Seq);
            matmul(&mut part, Accum::Add, b, e, 1.0, Par::Seq);
            a.as_mut().subcols_mut(0, new).copy_from(&part);
        },
    );
    a.truncate(rows, new);
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

    #[test]
    fn weighted_products_and_combinations_agree_with_plain_ones() {
        let rows = 2 * ROWS_PER_TASK + 5;
        let matrix = |columns: usize, seed: usize| {
            Mat::from_fn(rows, columns, |i, j| ((i * 7 + j * 13 + seed) % 23) as f64 - 11.0)
        };
        let (a, b) = (matrix(6, 0), matrix(2, 5));
        let weights: Vec<f64> = (0..rows).map(|row| 1.0 + (row % 3) as f64).collect();
        let weighted = Mat::from_fn(rows, 2, |i, j| weights[i] * b[(i, j)]);
        let expected = a.transpose() * &weighted;
        let wide = weighted_transpose_times(a.as_ref(), &weights, b.as_ref());
        let narrow = weighted_transpose_times(b.as_ref(), &weights, a.as_ref());
        assert!((&wide - &expected).norm_max() < 1e-12 * expected.norm_max());
        assert!((narrow.transpose() - &expected).norm_max() < 1e-12 * expected.norm_max());
        for columns in [3, 6, 8] {
            let (c, e) =
                (matrix(columns, 1).subrows(0, 6).to_owned(), matrix(columns, 2).subrows(0, 2).to_owned());
            let expected = &a * &c + &b * &e;
            let mut combined = a.clone();
            combine(&mut combined, c.as_ref(), b.as_ref(), e.as_ref());
            assert!((&combined - &expected).norm_max() < 1e-12 * expected.norm_max());
        }
    }
}
