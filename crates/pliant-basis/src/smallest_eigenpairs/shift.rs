//! The shift sigma that makes `K + sigma M` positive definite: about the first eigenvalue above zero.

use pliant_fem::SymmetricMatrix;

/// An eigenvalue below this part of the shift counts as zero when the shift is judged.
const ZERO: f64 = 1e-3;
/// The first eigenvalue above zero, in shifts, for which the shift stays as it is: a larger shift slows the convergence, a smaller one costs
/// digits.
const SHIFT_RANGE: (f64, f64) = (1e-2, 1e3);

/// The first guess: `min_i K_ii / m_i`, which is a stiffness over a squared cell size, times `n^(-2/D)`, which makes it about the soft
/// stiffness over the squared body size and so about the first non-zero eigenvalue.
pub(crate) fn first_shift(stiffness: &SymmetricMatrix, mass: &[f64]) -> f64 {
    let ratios = stiffness.diagonal().into_iter().zip(mass).map(|(entry, mass)| entry / mass);
    let smallest = ratios.filter(|&ratio| ratio > 0.0).fold(f64::INFINITY, f64::min);
    let pattern = stiffness.pattern();
    let cells_across = (pattern.vertex_count() as f64).powf(1.0 / pattern.dimension() as f64);
    if smallest.is_finite() { smallest / cells_across.powi(2) } else { 1.0 }
}

/// Another shift, where the first of some ascending eigenvalues above zero is of another size.
pub(crate) fn better_shift(mut values: impl Iterator<Item = f64>, shift: f64) -> Option<f64> {
    let first = values.find(|&value| value > ZERO * shift)?;
    (first < SHIFT_RANGE.0 * shift || first > SHIFT_RANGE.1 * shift).then_some(first)
}

/// `K + sigma M`.
pub(crate) fn shifted(stiffness: &SymmetricMatrix, mass: &[f64], shift: f64) -> SymmetricMatrix {
    let mut shifted = stiffness.clone();
    shifted.add_to_diagonal(&mass.iter().map(|mass| shift * mass).collect::<Vec<f64>>());
    shifted
}
