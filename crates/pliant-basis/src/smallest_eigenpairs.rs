//! Smallest eigenpairs of `K x = lambda M x`, K sparse symmetric positive semi-definite, M a lumped mass.
//!
//! Two ways ([`EigenSolver`](crate::EigenSolver)). The iterative one is trace minimisation on smoothed aggregation (`iterative.rs`). The direct one shifts and inverts: `C = M^1/2 (K + sigma M)^-1 M^1/2` has the eigenvalues `theta = 1 / (lambda + sigma)`. Block Lanczos finds the largest
//! (small problems: one dense decomposition), one more product with C takes the noise out of the vectors, and a last Rayleigh-Ritz
//! step in their span gives the eigenvalues.

mod block_lanczos;
mod correction;
mod iterative;
mod krylov_basis;
mod level_problem;
mod nested_start;
mod orthonormal;
mod panel;
mod shift;
mod shift_invert;
mod symmetric_evd;
mod tall_products;
#[cfg(test)]
mod tests;
mod trace_minimization;

use faer::Mat;
use pliant_fem::SymmetricMatrix;

use block_lanczos::{RitzPairs, basis_capacity, largest_eigenpairs};
use iterative::{iterated_eigenpairs, vector_count};
use shift_invert::ShiftInvert;
pub(crate) use symmetric_evd::symmetric_evd;
use tall_products::{product, transpose_times};

use crate::{BasisError, EigenSolver};

/// Columns that one purification solve handles: one of 32 costs a third of what they cost by eights.
const COLUMNS_PER_SOLVE: usize = 32;
/// Residuals up to this multiple of round-off are as good as double precision allows.
const ROUND_OFF_FACTOR: f64 = 100.0;

/// Pairs from which wider blocks pay.
const WIDE_FROM: usize = 50;
/// Pairs with a larger residual are refined again: their Ritz vectors had converged, but still held much of high eigenvectors.
const REFINED_RESIDUAL: f64 = 1e-8;
/// Relative change of a theta that counts as a new eigenvalue.
const NEW_COPY: f64 = 1e-7;
/// Rows for each vector that the iterative solver holds; below that the dense decomposition is as good.
const ROWS_PER_VECTOR: usize = 2;
/// Refinements at most; each costs two solves a vector, and the first one where that suffices.
const REFINEMENTS: usize = 3;
/// Relative round-off that a single solve may leave.
const SINGLE_SOLVE_NOISE: f64 = 1e-9;

/// How [`smallest_eigenpairs`] iterates.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenOptions {
    /// Direct or iterative. Default [`EigenSolver::Auto`].
    pub solver: EigenSolver,
    /// Relative residual of the shift-inverted problem at which a pair of the direct solver has converged, and about that of `K x - lambda M x` then. Default 1e-9.
    pub tolerance: f64,
    /// Largest relative residual of `K x - lambda M x` to return, unless round-off alone leaves more. Default 1e-6.
    pub residual_limit: f64,
    /// Vectors that the direct solver multiplies at once, at least 1: wide blocks are cheaper by the vector, and need more vectors. Default `None`: 4, and 8 for
    /// 50 pairs and more.
    pub block_size: Option<usize>,
    /// Rows up to which the dense decomposition is used. Default 500.
    pub dense_below: usize,
    /// Restarts before it gives up; five rounds of the iterative solver stand for one. Default 40.
    pub restarts: usize,
    /// Seed of the random start. Default 1.
    pub seed: u64,
}

impl Default for EigenOptions {
    fn default() -> Self {
        Self {
            solver: EigenSolver::Auto,
            tolerance: 1e-9,
            residual_limit: 1e-6,
            block_size: None,
            dense_below: 500,
            restarts: 40,
            seed: 1,
        }
    }
}

/// Eigenpairs in ascending order.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Eigenpairs {
    /// lambda, k, in the unit of K over that of M. A zero eigenvalue comes out as round-off of either sign.
    pub values: Vec<f64>,
    /// x, n x k: `X^T M X = I`; in each the entry of largest magnitude is positive (of entries within 1e-9 of it the first).
    pub vectors: Mat<f64>,
    /// `|K x - lambda M x|` in the norm of `M^-1`, over `|lambda| + shift`, k.
    pub residuals: Vec<f64>,
    /// The sigma that was used, in the unit of the eigenvalues; of the size of the first eigenvalue above zero.
    pub shift: f64,
    /// The cost that counts: right-hand sides solved for; of the iterative solver, columns that were preconditioned.
    pub solves: usize,
}

/// The `count` smallest eigenvalues of `K x = lambda M x` and their vectors, `M` diagonal with one entry for each row of K.
///
/// Repeated and zero eigenvalues come with all their copies. The bits do not depend on the number of threads. Direct: one factorisation and about
/// `5 count + 50` solves in blocks; memory for `3 count + 240` vectors at most beside the factor. Iterative: about 25 V-cycles a pair, and memory for
/// `2.5 count + 300` vectors at most beside a few copies of the matrix. Small problems, and nearly all pairs, cost O(n^3) either way.
///
/// # Errors
/// A count of 0 or above the number of rows, a mass that is not positive, a K that is not positive semi-definite; pairs that
/// do not converge or whose residual is too large; iterations asked for where a vertex has several rows.
pub fn smallest_eigenpairs(
    stiffness: &SymmetricMatrix,
    lumped_mass: &[f64],
    count: usize,
    options: &EigenOptions,
) -> Result<Eigenpairs, BasisError> {
    let rows = stiffness.dof_count();
    if count == 0 || count > rows {
        return Err(BasisError::EigenpairCount { count, rows });
    }
    check_mass(lumped_mass, rows)?;
    let accuracy = Accuracy::new(stiffness, lumped_mass);
    let small = rows <= options.dense_below;
    let iterates =
        options.solver.iterates(stiffness) && !small && ROWS_PER_VECTOR * vector_count(count) <= rows;
    if iterates && stiffness.pattern().components() != 1 {
        return Err(BasisError::SeveralRowsForAVertex { components: stiffness.pattern().components() });
    }
    let mut pairs = if iterates {
        iterated_eigenpairs(stiffness, lumped_mass, count, options, &accuracy)?
    } else {
        let mut operator = ShiftInvert::new(stiffness, lumped_mass)?;
        let block_size = options.block_size.unwrap_or(if count < WIDE_FROM { 4 } else { 8 }).max(1);
        let pairs = if small || basis_capacity(count, block_size) >= rows {
            dense_eigenpairs(&mut operator, count)?
        } else {
            largest_eigenpairs(&mut operator, count, block_size, options)?
        };
        accurate_eigenpairs(&mut operator, pairs, &accuracy)?
    };
    fix_signs(&mut pairs.vectors);
    for (index, (&residual, &value)) in pairs.residuals.iter().zip(&pairs.values).enumerate() {
        let limit = options.residual_limit.max(accuracy.round_off(value, pairs.shift));
        if residual > limit || residual.is_nan() {
            return Err(BasisError::EigenpairInaccurate { index, value, residual, limit });
        }
    }
    Ok(pairs)
}

/// How small a relative residual can and should be.
pub(crate) struct Accuracy {
    /// `eps` times the largest eigenvalue, which is bounded by twice the largest `K_ii / m_i`.
    noise: f64,
}

impl Accuracy {
    fn new(stiffness: &SymmetricMatrix, mass: &[f64]) -> Self {
        let ratios = stiffness.diagonal().into_iter().zip(mass).map(|(entry, mass)| entry / mass);
        Self { noise: 2.0 * f64::EPSILON * ratios.fold(0.0, f64::max) }
    }

    /// As good as double precision allows: a multiple of what round-off alone leaves.
    fn round_off(&self, value: f64, shift: f64) -> f64 {
        ROUND_OFF_FACTOR * self.noise / (value.abs() + shift)
    }

    /// What both solvers iterate for.
    fn limit(&self, value: f64, shift: f64) -> f64 {
        REFINED_RESIDUAL.max(self.round_off(value, shift))
    }
}

fn check_mass(mass: &[f64], rows: usize) -> Result<(), BasisError> {
    if mass.len() != rows {
        return Err(BasisError::ArrayLength {
            what: "the lumped mass",
            length: mass.len(),
            expected: rows,
            hint: "give one entry for each row of the stiffness",
        });
    }
    match mass.iter().position(|&mass| !(mass.is_finite() && mass > 0.0)) {
        Some(row) => Err(BasisError::MassNotPositive { row, mass: mass[row] }),
        None => Ok(()),
    }
}

/// All eigenpairs of C at once, the wanted ones kept.
fn dense_eigenpairs(operator: &mut ShiftInvert<'_>, count: usize) -> Result<RitzPairs, BasisError> {
    let (ascending, vectors) = symmetric_evd(operator.dense().as_ref())?;
    // The theta of very high eigenvalues may drown in round-off; it only scales a vector here.
    let floor = f64::EPSILON * ascending.last().copied().unwrap_or(0.0);
    let theta = ascending.iter().rev().take(count).map(|theta| theta.max(floor)).collect();
    Ok(RitzPairs { theta, vectors: vectors.reverse_cols().subcols(0, count).to_owned() })
}

/// The eigenpairs of (K, M), refined until every residual is small, or as often as it may help.
fn accurate_eigenpairs(
    operator: &mut ShiftInvert<'_>,
    mut pairs: RitzPairs,
    accuracy: &Accuracy,
) -> Result<Eigenpairs, BasisError> {
    let mut refinements = 0;
    loop {
        let single = |theta: f64| refinements == 0 && accuracy.noise * theta < SINGLE_SOLVE_NOISE;
        let (values, mut vectors) = refine(operator, pairs, single)?;
        operator.unscale(vectors.as_mut());
        let residuals = operator.relative_residuals(&values, &vectors);
        let limit = |value: f64| accuracy.limit(value, operator.shift());
        let accurate = residuals.iter().zip(&values).all(|(&residual, &value)| residual <= limit(value));
        refinements += 1;
        if accurate || refinements == REFINEMENTS {
            let (shift, solves) = (operator.shift(), operator.solved_columns());
            return Ok(Eigenpairs { values, vectors, residuals, shift, solves });
        }
        let theta = values.iter().map(|value| 1.0 / (value + operator.shift())).collect();
        operator.scale(vectors.as_mut());
        pairs = RitzPairs { theta, vectors };
    }
}

/// One product with C per vector, `Z = C Y / theta`, and Rayleigh-Ritz for `C^-1` in the span of Z: `Z^T C^-1 Z = Z^T Y / theta`.
///
/// What Y holds of high eigenvectors shrinks by their small theta. A `single` solve does for a block where it is good enough for the largest theta.
/// Values ascend, vectors are orthonormal.
fn refine(
    operator: &mut ShiftInvert<'_>,
    pairs: RitzPairs,
    single: impl Fn(f64) -> bool,
) -> Result<(Vec<f64>, Mat<f64>), BasisError> {
    let RitzPairs { theta, vectors: mut scaled } = pairs;
    let count = theta.len();
    let mut purified = scaled.clone();
    for first in (0..count).step_by(COLUMNS_PER_SOLVE) {
        let block = purified.subcols_mut(first, COLUMNS_PER_SOLVE.min(count - first));
        if single(theta[first]) { operator.apply(block) } else { operator.apply_refined(block) }
    }
    for block in [&mut purified, &mut scaled] {
        for (column, theta) in block.col_iter_mut().zip(&theta) {
            column.iter_mut().for_each(|value| *value /= theta);
        }
    }
    let gram = transpose_times(purified.as_ref(), purified.as_ref());
    let inverse = inverse_cholesky(&gram)?;
    let shifted = transpose_times(purified.as_ref(), scaled.as_ref());
    let projected = product(product(inverse.as_ref(), shifted.as_ref()).as_ref(), inverse.transpose());
    let symmetric = Mat::from_fn(count, count, |i, j| 0.5 * (projected[(i, j)] + projected[(j, i)]));
    let (shifted_values, rotation) = symmetric_evd(symmetric.as_ref())?;
    let coefficients = product(inverse.transpose(), rotation.as_ref());
    let values = shifted_values.into_iter().map(|value| value - operator.shift()).collect();
    Ok((values, product(purified.as_ref(), coefficients.as_ref())))
}

/// `L^-1` of `G = L L^T`, by rows; G is near the identity.
fn inverse_cholesky(gram: &Mat<f64>) -> Result<Mat<f64>, BasisError> {
    let size = gram.nrows();
    let mut factor = Mat::<f64>::zeros(size, size);
    let mut inverse = Mat::<f64>::zeros(size, size);
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[(row, k)] * factor[(column, k)]).sum();
            let rest = gram[(row, column)] - known;
            factor[(row, column)] = if column < row { rest / factor[(column, column)] } else { rest.sqrt() };
        }
        let pivot = factor[(row, row)];
        if pivot <= 0.0 || pivot.is_nan() {
            return Err(BasisError::EigenBreakdown { reason: "the vectors found are linearly dependent" });
        }
        for column in 0..row {
            let sum: f64 = (column..row).map(|k| factor[(row, k)] * inverse[(k, column)]).sum();
            inverse[(row, column)] = -sum / pivot;
        }
        inverse[(row, row)] = 1.0 / pivot;
    }
    Ok(inverse)
}

/// Turns each vector so that its entry of largest magnitude is positive; within 1e-9 of it the lowest index decides.
fn fix_signs(vectors: &mut Mat<f64>) {
    for column in 0..vectors.ncols() {
        let column = vectors.col_as_slice_mut(column);
        let largest = column.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let decisive = column.iter().find(|value| value.abs() >= largest * (1.0 - 1e-9));
        if decisive.is_some_and(|&value| value < 0.0) {
            column.iter_mut().for_each(|value| *value = -*value);
        }
    }
}
