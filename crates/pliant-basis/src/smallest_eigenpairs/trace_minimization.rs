//! Smallest eigenpairs of `A x = theta M x`, A positive definite, by trace minimisation with shifts (Sameh and Tong 2000).
//!
//! More vectors than wanted are kept as Ritz vectors X. A round corrects those that are wanted and not good enough, and takes the smallest Ritz pairs in
//! the span of X and the corrections. The vectors beyond the wanted ones cost no correction: they keep the correction equations well
//! conditioned, as far as they go.

use faer::Mat;
use pliant_fem::FemError;

use super::correction::{STEPS, corrections, shifted_product};
use super::level_problem::LevelProblem;
use super::orthonormal::orthonormalise;
use super::panel::{Panel, WIDEST};
use super::symmetric_evd::symmetric_evd;
use super::tall_products::combine;
use crate::BasisError;

/// Ritz pairs, smallest first: theta, and M-orthonormal vectors, n x p.
pub(crate) struct RitzPairs {
    pub(crate) theta: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
}

/// The end of an iteration.
pub(crate) struct Outcome {
    /// How many of the wanted pairs have a small enough residual.
    pub(crate) converged: usize,
    /// Columns that were preconditioned.
    pub(crate) applications: usize,
}

impl RitzPairs {
    /// The Ritz pairs in the span of some vectors; fewer where they depend on each other.
    pub(crate) fn of_span(problem: &LevelProblem<'_>, mut vectors: Mat<f64>) -> Result<Self, BasisError> {
        orthonormalise(&mut vectors, &Mat::new(), problem.mass())?;
        let mut pairs = Self { theta: Vec::new(), vectors: Mat::zeros(problem.rows(), 0) };
        pairs.extend_by(problem, &vectors, vectors.ncols())?;
        Ok(pairs)
    }

    /// The `count` smallest Ritz pairs in the span of these and of vectors that are M-orthonormal to them.
    fn extend_by(
        &mut self,
        problem: &LevelProblem<'_>,
        added: &Mat<f64>,
        count: usize,
    ) -> Result<(), BasisError> {
        let Self { theta, vectors } = self;
        let (old, new) = (theta.len(), added.ncols());
        let products = problem.projected(&[vectors.as_ref(), added.as_ref()], added.as_ref());
        let projected =
            Mat::from_fn(old + new, old + new, |i, j| match (i.checked_sub(old), j.checked_sub(old)) {
                (None, None) if i == j => theta[i],
                (None, None) => 0.0,
                (None, Some(j)) => products[0][(i, j)],
                (Some(i), None) => products[0][(j, i)],
                (Some(i), Some(j)) => 0.5 * (products[1][(i, j)] + products[1][(j, i)]),
            });
        let (all, coefficients) = symmetric_evd(projected.as_ref())?;
        let kept = count.min(old + new);
        *theta = all[..kept].to_vec();
        let coefficients = coefficients.subcols(0, kept);
        combine(vectors, coefficients.subrows(0, old), added.as_ref(), coefficients.subrows(old, new));
        if theta.first().is_some_and(|&first| first <= 0.0) {
            return Err(FemError::Indefinite { iteration: 0 }.into());
        }
        Ok(())
    }

    /// Iterates until the first `wanted` pairs are good enough, or for some rounds: their relative residuals are below the first of two limits, or
    /// below the second and no longer halved by a round.
    ///
    /// # Errors
    /// If numbers are not finite, or a negative theta shows that A is not positive definite.
    pub(crate) fn minimise(
        &mut self,
        problem: &LevelProblem<'_>,
        wanted: usize,
        limits: impl Fn(f64) -> [f64; 2],
        rounds: usize,
    ) -> Result<Outcome, BasisError> {
        let mut applications = 0;
        let mut open: Vec<usize> = (0..wanted).collect();
        let mut before = vec![f64::INFINITY; wanted];
        let mut round = 0;
        loop {
            let residuals = self.relative_residuals(problem, &open);
            let mut still_open = Vec::new();
            for (&index, residual) in open.iter().zip(residuals) {
                let [wished, accepted] = limits(self.theta[index]);
                let good = residual <= wished || residual <= accepted && residual > 0.5 * before[index];
                before[index] = residual;
                if !good {
                    still_open.push(index);
                }
            }
            open = still_open;
            if open.is_empty() {
                // Those that were good before must still be.
                let all: Vec<usize> = (0..wanted).collect();
                let residuals = self.relative_residuals(problem, &all);
                let spoilt =
                    |&index: &usize| residuals[index] > 2.0 * before[index].max(limits(self.theta[index])[0]);
                open = all.into_iter().filter(spoilt).collect();
                if open.is_empty() {
                    return Ok(Outcome { converged: wanted, applications });
                }
            }
            if round == rounds {
                return Ok(Outcome { converged: wanted - open.len(), applications });
            }
            round += 1;
            if problem.is_finest() {
                log::info!("{} of {wanted} eigenmodes", wanted - open.len());
            }
            let mut added = Mat::zeros(problem.rows(), open.len());
            for (place, columns) in open.chunks(WIDEST).enumerate() {
                let shifts = self.shifts(columns);
                let vectors = Panel::gather(self.vectors.as_ref(), columns);
                let residuals = shifted_product(problem, &vectors, &shifts);
                drop(vectors);
                let out = added.subcols_mut(place * WIDEST, columns.len());
                corrections(problem, self.vectors.as_ref(), residuals, &shifts).scatter(out);
                applications += STEPS * columns.len();
            }
            self.extend(problem, added)?;
        }
    }

    /// Looks for the smallest Ritz pairs in the span of these and of other vectors.
    pub(crate) fn extend(
        &mut self,
        problem: &LevelProblem<'_>,
        mut added: Mat<f64>,
    ) -> Result<(), BasisError> {
        orthonormalise(&mut added, &self.vectors, problem.mass())?;
        self.extend_by(problem, &added, self.theta.len())
    }

    /// `|A x - theta M x|` in the norm of `M^-1`, over theta, of some pairs.
    pub(crate) fn relative_residuals(&self, problem: &LevelProblem<'_>, columns: &[usize]) -> Vec<f64> {
        let mass = problem.mass();
        let of_panel = |columns: &[usize]| {
            let shifts = self.shifts(columns);
            let residuals = shifted_product(problem, &Panel::gather(self.vectors.as_ref(), columns), &shifts);
            let squared = residuals.dots(&residuals, |row| 1.0 / mass[row]);
            (0..columns.len()).map(move |place| squared[place].sqrt() / shifts[place])
        };
        columns.chunks(WIDEST).flat_map(of_panel).collect()
    }

    /// The theta of some pairs, and 0 for columns of a panel beyond them.
    fn shifts(&self, columns: &[usize]) -> Vec<f64> {
        let mut shifts: Vec<f64> = columns.iter().map(|&column| self.theta[column]).collect();
        shifts.resize(WIDEST, 0.0);
        shifts
    }
}
