//! Largest eigenpairs of the shift-invert operator C by block Lanczos with full reorthogonalisation and thick restarts.
//!
//! With V orthonormal and `T = V^T C V`, the pairs (theta, u) of T give Ritz pairs (theta, V u) whose residual is `|R u_last|`: R the remainder of
//! the last block, `u_last` the entries of u for the block before it. Blocks find repeated eigenvalues; more copies than a block
//! is wide show up when the converged space is completed with a fresh random block, which is done until nothing new appears.
//! Sources: Golub and Underwood 1977; Wu and Simon 2000 (thick restart).

use faer::Mat;

use super::NEW_COPY;
use super::krylov_basis::KrylovBasis;
use super::shift::better_shift;
use super::shift_invert::ShiftInvert;
use super::symmetric_evd::symmetric_evd;
use super::tall_products::product;
use crate::{BasisError, EigenOptions};

/// Size of T, and steps at least, at which the first estimate of the eigenvalues decides whether the shift is of their size. After fewer steps a zero
/// eigenvalue may still look like one above zero.
const SCOUTING_COLUMNS: usize = 24;
const SCOUTING_STEPS: usize = 3;
/// Steps from one decomposition of T to the next.
const STEPS_BETWEEN_CHECKS: usize = 2;
/// Steps from a random block that must leave the converged values as they are.
const VERIFICATION_STEPS: usize = 3;
/// Orthonormal approximate eigenvectors of C, n x k, and their theta, largest first.
pub(crate) struct RitzPairs {
    pub(crate) theta: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
}

/// The running process: columns before `processed` have been multiplied with C.
struct Lanczos<'a, 'k> {
    operator: &'a mut ShiftInvert<'k>,
    basis: KrylovBasis,
    projected: Mat<f64>,
    processed: usize,
    /// The images of the newest columns have no components along those before it, but for round-off.
    nearest: usize,
    last_width: usize,
    remainder: Mat<f64>,
    block_size: usize,
}

/// Eigenpairs of T, largest first, with the residual of each.
struct Ritz {
    theta: Vec<f64>,
    coefficients: Mat<f64>,
    residuals: Vec<f64>,
}

/// The capacity that [`largest_eigenpairs`] needs for `count` pairs; it must be below the number of rows.
pub(crate) fn basis_capacity(count: usize, block_size: usize) -> usize {
    3 * count + 30 * block_size
}

/// The `count` largest eigenpairs of C.
///
/// # Errors
/// If they have not converged after the restarts that the options allow.
pub(crate) fn largest_eigenpairs(
    operator: &mut ShiftInvert<'_>,
    count: usize,
    block_size: usize,
    options: &EigenOptions,
) -> Result<RitzPairs, BasisError> {
    log::info!("0 of {count} eigenmodes");
    let mut lanczos = Lanczos::new(operator, count, block_size, options.seed);
    lanczos.start();
    lanczos.scout_shift()?;
    let mut verified: Option<Vec<f64>> = None;
    let mut steps_left = 0;
    let (mut restarts, mut passes) = (0, 0);
    loop {
        log::debug!("{} of at most {} solves", lanczos.processed, lanczos.projected.nrows());
        lanczos.step();
        steps_left = usize::saturating_sub(steps_left, 1);
        let full = lanczos.basis.count() + block_size > lanczos.projected.nrows();
        if !full && (lanczos.processed < count || steps_left > 0) {
            continue;
        }
        let ritz = lanczos.ritz()?;
        let converged =
            (0..count).take_while(|&i| ritz.residuals[i] <= options.tolerance * ritz.theta[i]).count();
        log::info!("{converged} of {count} eigenmodes");
        if converged == count {
            let found = ritz.theta[..count].to_vec();
            let unchanged =
                |old: &Vec<f64>| old.iter().zip(&found).all(|(old, new)| *new <= old * (1.0 + NEW_COPY));
            if verified.as_ref().is_some_and(unchanged) {
                lanczos.basis.rotate(ritz.coefficients.subcols(0, count));
                return Ok(RitzPairs { theta: found, vectors: lanczos.basis.columns(0, count).to_owned() });
            }
            // Each pass but the last finds at least one new copy.
            if passes > count {
                return Err(BasisError::EigenBreakdown { reason: "new eigenvalues keep appearing" });
            }
            passes += 1;
            verified = Some(found);
            lanczos.restart(&ritz, count, Continue::Randomly);
            steps_left = VERIFICATION_STEPS;
        } else if full {
            if restarts == options.restarts {
                let residual = ritz.residuals[converged] / ritz.theta[converged];
                return Err(BasisError::EigenpairsNotConverged {
                    wanted: count,
                    converged,
                    restarts,
                    residual,
                });
            }
            restarts += 1;
            lanczos.restart(&ritz, count + count / 2 + block_size, Continue::Smoothly);
        } else {
            steps_left = STEPS_BETWEEN_CHECKS;
        }
    }
}

/// What follows the kept vectors after a restart.
enum Continue {
    /// The block that was next.
    Smoothly,
    /// A random block.
    Randomly,
}

impl<'a, 'k> Lanczos<'a, 'k> {
    fn new(operator: &'a mut ShiftInvert<'k>, count: usize, block_size: usize, seed: u64) -> Self {
        let capacity = basis_capacity(count, block_size).min(operator.dof_count());
        let basis = KrylovBasis::new(operator.dof_count(), capacity, seed);
        Self {
            operator,
            basis,
            projected: Mat::zeros(capacity, capacity),
            processed: 0,
            nearest: 0,
            last_width: 0,
            remainder: Mat::zeros(0, 0),
            block_size,
        }
    }

    /// Begins with a random block.
    fn start(&mut self) {
        self.basis.clear();
        self.processed = 0;
        self.nearest = 0;
        self.projected.fill(0.0);
        self.basis.append_random(self.block_size);
    }

    /// The first steps; starts again with a better shift when the first eigenvalue above zero is of another size.
    fn scout_shift(&mut self) -> Result<(), BasisError> {
        while self.processed < SCOUTING_COLUMNS.max(SCOUTING_STEPS * self.block_size) {
            self.step();
        }
        let shift = self.operator.shift();
        let eigenvalues = self.ritz()?.theta.into_iter().map(|theta| 1.0 / theta - shift);
        if let Some(better) = better_shift(eigenvalues, shift) {
            self.operator.set_shift(better)?;
            self.start();
        }
        Ok(())
    }

    /// Multiplies the newest columns with C and appends what is new.
    fn step(&mut self) {
        let (first, end) = (self.processed, self.basis.count());
        let mut image = self.basis.columns(first, end).to_owned();
        self.operator.apply(image.as_mut());
        let appended = self.basis.append(image, self.nearest);
        for column in 0..end - first {
            for row in 0..end {
                let value = appended.coefficients[(row, column)];
                self.projected[(first + column, row)] = value;
                self.projected[(row, first + column)] = value;
            }
        }
        self.nearest = first;
        self.last_width = end - first;
        self.processed = end;
        self.remainder = appended.remainder;
        let new = self.basis.count() - end;
        self.basis.append_random(self.block_size.saturating_sub(new));
    }

    fn ritz(&self) -> Result<Ritz, BasisError> {
        let (ascending, vectors) =
            symmetric_evd(self.projected.submatrix(0, 0, self.processed, self.processed))?;
        let coefficients = vectors.reverse_cols().to_owned();
        let theta: Vec<f64> = ascending.into_iter().rev().collect();
        let last = coefficients.subrows(self.processed - self.last_width, self.last_width);
        let residuals = product(self.remainder.as_ref(), last);
        let residuals = residuals.col_iter().map(|residual| residual.norm_l2()).collect();
        Ok(Ritz { theta, coefficients, residuals })
    }

    /// Keeps the leading Ritz vectors, and the newest block or a random one after them.
    fn restart(&mut self, ritz: &Ritz, keep: usize, next: Continue) {
        let keep = keep.min(self.processed);
        let newest = self.basis.columns(self.processed, self.basis.count()).to_owned();
        self.basis.rotate(ritz.coefficients.subcols(0, keep));
        self.projected.fill(0.0);
        for i in 0..keep {
            self.projected[(i, i)] = ritz.theta[i];
        }
        self.processed = keep;
        self.nearest = 0;
        match next {
            Continue::Smoothly => drop(self.basis.append(newest, 0)),
            Continue::Randomly => self.basis.append_random(self.block_size),
        }
    }
}
