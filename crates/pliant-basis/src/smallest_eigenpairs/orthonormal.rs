//! M-orthonormal columns, M diagonal, by products of tall matrices alone (Stathopoulos and Wu 2002).

use faer::Mat;

use super::symmetric_evd::symmetric_evd;
use super::tall_products::{add_product, combine, weighted_transpose_times};
use crate::BasisError;

/// Directions of a block of unit columns that are shorter than the root of this depend on the others.
const DEPENDENT: f64 = 1e-12;

/// Replaces a block by M-orthonormal columns that span what it adds to M-orthonormal vectors; there are fewer where it depends on them.
///
/// Two rounds, because the first leaves round-off magnified by the condition of the block.
pub(crate) fn orthonormalise(
    block: &mut Mat<f64>,
    against: &Mat<f64>,
    mass: &[f64],
) -> Result<(), BasisError> {
    for _ in 0..2 {
        if against.ncols() > 0 {
            let along = weighted_transpose_times(against.as_ref(), mass, block.as_ref());
            add_product(block.as_mut(), -1.0, against.as_ref(), along.as_ref());
        }
        let gram = weighted_transpose_times(block.as_ref(), mass, block.as_ref());
        let scale: Vec<f64> = gram
            .diagonal()
            .column_vector()
            .iter()
            .map(|&d| if d > 0.0 { d.sqrt().recip() } else { 0.0 })
            .collect();
        let size = scale.len();
        let scaled =
            Mat::from_fn(size, size, |i, j| 0.5 * scale[i] * scale[j] * (gram[(i, j)] + gram[(j, i)]));
        let (values, vectors) = symmetric_evd(scaled.as_ref())?;
        let least = DEPENDENT * values.last().copied().unwrap_or(0.0);
        // Longest first, so that the order is stable when a column is dropped.
        let kept: Vec<usize> = (0..size).rev().filter(|&index| values[index] > least).collect();
        let coefficients =
            Mat::from_fn(size, kept.len(), |i, j| scale[i] * vectors[(i, kept[j])] / values[kept[j]].sqrt());
        let nothing = Mat::<f64>::zeros(block.nrows(), 0);
        let no_rows = Mat::<f64>::zeros(0, kept.len());
        combine(block, coefficients.as_ref(), nothing.as_ref(), no_rows.as_ref());
    }
    Ok(())
}
