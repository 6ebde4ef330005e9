//! Where trace minimisation starts: eigenvectors of the next coarser level, found in the same way, interpolated.
//!
//! Modes that know the material live on coarse levels too, because aggregates do not cross its jumps.

use faer::Mat;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::level_problem::LevelProblem;
use super::panel::{Panel, WIDEST};
use super::trace_minimization::RitzPairs;
use crate::BasisError;

/// Relative residual at which a pair of a coarse level is good enough; the interpolation is no better.
const COARSE_RESIDUAL: f64 = 0.05;
/// Rounds on a coarse level at most.
const COARSE_ROUNDS: usize = 6;
/// Rows of a coarse level for each pair, below which it has little to say.
const LEAST_ROWS_PER_PAIR: usize = 2;

/// `count` Ritz pairs to start from (fewer where there are fewer rows).
pub(crate) fn start(problem: &LevelProblem<'_>, count: usize, seed: u64) -> Result<RitzPairs, BasisError> {
    let count = count.min(problem.rows());
    let coarser = problem.coarser().filter(|coarse| coarse.rows() >= LEAST_ROWS_PER_PAIR * count);
    let mut vectors = match coarser {
        None => random_vectors(problem, count, seed),
        Some(coarse) => {
            let mut pairs = start(&coarse, with_guard(count).min(coarse.rows()), seed)?;
            let wanted = count.min(pairs.theta.len());
            pairs.minimise(&coarse, wanted, |_| [COARSE_RESIDUAL; 2], COARSE_ROUNDS)?;
            problem.prolong(pairs.vectors.subcols(0, wanted), wanted)
        }
    };
    let missing = count - vectors.ncols();
    if missing > 0 {
        let random = random_vectors(problem, missing, seed + 1);
        vectors = faer::concat![[vectors, random]];
    }
    RitzPairs::of_span(problem, vectors)
}

/// Vectors to keep for some wanted pairs: the more there are, the fewer rounds, but each costs products with all others.
pub(crate) fn with_guard(count: usize) -> usize {
    count + count / 2 + 10
}

/// Random vectors, smoothed by a V-cycle.
pub(crate) fn random_vectors(problem: &LevelProblem<'_>, count: usize, seed: u64) -> Mat<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut vectors = Mat::zeros(problem.rows(), count);
    let roots: Vec<f64> = problem.mass().iter().map(|mass| mass.sqrt()).collect();
    for first in (0..count).step_by(WIDEST) {
        let columns = WIDEST.min(count - first);
        let mut panel = Panel::zeros(problem.rows(), columns);
        let width = panel.width();
        for (row, root) in panel.entries_mut().chunks_exact_mut(width).zip(&roots) {
            row[..columns].iter_mut().for_each(|value| *value = root * random.random_range(-1.0..1.0));
        }
        let mut smoothed = panel.like();
        problem.precondition(&panel, &mut smoothed);
        smoothed.scatter(vectors.subcols_mut(first, columns));
    }
    vectors
}
