//! Eigenvalues and vectors of a dense symmetric matrix on one thread, so that the bits never depend on the number of threads.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatRef, Par};

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
    let mut values = Diag::zeros(size);
    let mut vectors = Mat::zeros(size, size);
    let scratch =
        self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    self_adjoint_evd(
        matrix,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| BasisError::EigenBreakdown { reason: "the dense eigenvalue iteration did not end" })?;
    Ok((values.column_vector().iter().copied().collect(), vectors))
}
