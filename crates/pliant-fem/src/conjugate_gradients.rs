//! Preconditioned conjugate gradients (Hestenes and Stiefel 1952), which notice where the matrix curves downwards.

use rayon::prelude::*;

use crate::smoothed_aggregation::dot;
use crate::{FemError, SmoothedAggregation};

/// Entries that one task works on.
const ENTRIES_PER_TASK: usize = 4096;

/// The end of a solve with conjugate gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSolution {
    /// x.
    pub solution: Vec<f64>,
    /// Iterations made; each costs one product and one application of the preconditioner.
    pub iterations: usize,
    /// The residual in the norm of the preconditioner, `r^T M^-1 r`, as a fraction of the right-hand side's: the energy norm of the error,
    /// up to the quality of the preconditioner, whatever the units and stiffnesses of the rows.
    pub relative_residual: f64,
}

impl SmoothedAggregation {
    /// Solves `A x = b` until the relative residual is at most `tolerance`, or for `max_iterations`. The tolerance may depend on the norm of b, which is
    /// near `sqrt(b^T A^-1 b)`. Parallel, the same bits for any number of threads.
    ///
    /// # Errors
    /// If a direction along which `x^T A x` is not positive is met. An indefinite matrix whose negative directions the right-hand
    /// side does not reach passes.
    ///
    /// # Panics
    /// If the right-hand side does not have one entry for each row.
    pub fn solve(
        &self,
        b: &[f64],
        tolerance: impl FnOnce(f64) -> f64,
        max_iterations: usize,
    ) -> Result<LinearSolution, FemError> {
        let mut solution = vec![0.0; b.len()];
        let mut residual = b.to_vec();
        let mut direction = self.precondition(&residual);
        let mut rho = dot(&residual, &direction);
        if rho == 0.0 {
            return Ok(LinearSolution { solution, iterations: 0, relative_residual: 0.0 });
        }
        let start = positive(rho, 0)?;
        let bound = tolerance(start.sqrt()).powi(2) * start;
        let mut product = vec![0.0; b.len()];
        let mut iterations = 0;
        while rho > bound && iterations < max_iterations {
            iterations += 1;
            log::debug!("linear iteration {iterations}, {:.0} % of the way", 100.0 * way(rho, start, bound));
            self.multiply(&direction, &mut product);
            let length = rho / positive(dot(&direction, &product), iterations)?;
            add_scaled(&mut solution, length, &direction);
            add_scaled(&mut residual, -length, &product);
            let preconditioned = self.precondition(&residual);
            let before = rho;
            rho = dot(&residual, &preconditioned);
            if rho == 0.0 {
                break;
            }
            positive(rho, iterations)?;
            let turn = rho / before;
            for_each_pair(&mut direction, &preconditioned, |p, z| *p = z + turn * *p);
        }
        Ok(LinearSolution { solution, iterations, relative_residual: (rho / start).sqrt() })
    }
}

/// The share of the digits that are there, between 0 and 1: they come about as many with each iteration.
fn way(rho: f64, start: f64, bound: f64) -> f64 {
    let share = (rho / start).ln() / (bound / start).ln();
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// A curvature that must be positive.
fn positive(curvature: f64, iteration: usize) -> Result<f64, FemError> {
    if curvature > 0.0 && curvature.is_finite() {
        Ok(curvature)
    } else {
        Err(FemError::Indefinite { iteration })
    }
}

fn add_scaled(sum: &mut [f64], scale: f64, vector: &[f64]) {
    for_each_pair(sum, vector, |sum, entry| *sum += scale * entry);
}

fn for_each_pair(a: &mut [f64], b: &[f64], work: impl Fn(&mut f64, &f64) + Sync) {
    a.par_chunks_mut(ENTRIES_PER_TASK)
        .zip(b.par_chunks(ENTRIES_PER_TASK))
        .for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(a, b)| work(a, b)));
}
