//! Eigenvalues and vectors of a dense symmetric matrix on one thread, so that the bits never depend on the number of threads.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatRef, Par, Scale};

use crate::BasisError;

/// Eigenvalues in ascending order and orthonormal eigenvectors as columns, from the lower triangle. O(n^3).
///
/// # Errors
/// If an entry is not finite or the iteration does not end.
pub(crate) fn symmetric_evd(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), BasisError> {
    let size = matrix.nrows();
    if !matrix.is_all_finite() {
        return Err(BasisError::EigenBreakdown { reason: "a projected entry is not finite" });
    }
    // faer's divide and conquer takes for equal what differs by less than 8 eps in units of the matrix, as if its norm were at least 1: with
    // entries of 1e-7 it loses half of the digits. A power of two rounds nothing.
    let unit = 2_f64.powi(matrix.norm_max().log2().round().clamp(-1000.0, 1000.0) as i32);
    let scaled = matrix * Scale(1.0 / unit);
    let mut values = Diag::zeros(size);
    let mut vectors = Mat::zeros(size, size);
    let scratch =
        self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    self_adjoint_evd(
        scaled.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| BasisError::EigenBreakdown { reason: "the dense eigenvalue iteration did not end" })?;
    Ok((values.column_vector().iter().map(|value| unit * value).collect(), vectors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smallest_eigenpairs::tall_products::{product, transpose_times};

    #[test]
    fn repeated_values_keep_all_digits_in_any_unit() {
        // The eigenvalues of a line of cells, each ten times, turned by a reflection.
        let size = 400;
        let value = |index: usize| 1.0 / (1.0 + (index / 10) as f64);
        let normal = Mat::from_fn(size, 1, |row, _| ((row * row) as f64).sin());
        let normal = &normal * Scale(1.0 / normal.norm_l2());
        let squares: f64 = (0..size).map(|k| normal[(k, 0)].powi(2) * value(k)).sum();
        for unit in [1.0, 1e-9, 1e9, 1e-300] {
            let turned = Mat::from_fn(size, size, |i, j| {
                let entry = |i: usize, j: usize| if i == j { value(i) } else { 0.0 };
                let along = |i: usize| 2.0 * normal[(i, 0)];
                unit * (entry(i, j) - along(i) * normal[(j, 0)] * (value(i) + value(j))
                    + along(i) * along(j) * squares)
            });
            let (values, vectors) = symmetric_evd(turned.as_ref()).unwrap();
            for (index, found) in values.iter().rev().enumerate() {
                assert!((found / unit - value(index)).abs() < 1e-13, "{index}: {found} of {unit}");
            }
            let image = product(turned.as_ref(), vectors.as_ref());
            let residual = Mat::from_fn(size, size, |i, j| image[(i, j)] - values[j] * vectors[(i, j)]);
            assert!(residual.norm_max() < 1e-13 * unit, "{} of {unit}", residual.norm_max());
            let gram = transpose_times(vectors.as_ref(), vectors.as_ref());
            assert!((gram - Mat::<f64>::identity(size, size)).norm_max() < 1e-13);
        }
    }
}
