//! Smallest eigenpairs without a factorisation: trace minimisation on smoothed aggregation, from the coarsest level upwards.

use faer::Mat;
use pliant_fem::{NearKernel, SmoothedAggregation, SymmetricMatrix};

use super::correction::{STEPS, corrections};
use super::level_problem::LevelProblem;
use super::nested_start::{random_vectors, start, with_guard};
use super::orthonormal::orthonormalise;
use super::panel::Panel;
use super::shift::{better_shift, first_shift, shifted};
use super::trace_minimization::RitzPairs;
use super::{Accuracy, NEW_COPY, REFINED_RESIDUAL};
use crate::{BasisError, EigenOptions, Eigenpairs};

/// Rounds that stand for one restart of the direct method.
const ROUNDS_PER_RESTART: usize = 5;
/// Random vectors that look for eigenvectors to which all others happen to be orthogonal.
const PROBES: usize = 8;
/// Inverse iterations of the probes.
const PROBE_ROUNDS: usize = 3;

/// Vectors that the iteration holds at once for `count` pairs; it needs a multiple of as many rows.
pub(crate) fn vector_count(count: usize) -> usize {
    with_guard(count) + count
}

/// The `count` smallest eigenpairs of (K, M), K with one row a vertex.
///
/// # Errors
/// If they have not converged after the rounds that the options allow, or K is not positive semi-definite.
pub(crate) fn iterated_eigenpairs(
    stiffness: &SymmetricMatrix,
    mass: &[f64],
    count: usize,
    options: &EigenOptions,
    accuracy: &Accuracy,
) -> Result<Eigenpairs, BasisError> {
    let mut shift = first_shift(stiffness, mass);
    let mut hierarchy = preconditioner(stiffness, mass, shift)?;
    let guarded = with_guard(count);
    let mut pairs = start(&LevelProblem::finest(&hierarchy, mass), guarded, options.seed)?;
    if let Some(better) = better_shift(pairs.theta.iter().map(|theta| theta - shift), shift) {
        // The vectors are as good as before; only what preconditions them is not.
        pairs.theta.iter_mut().for_each(|theta| *theta += better - shift);
        shift = better;
        hierarchy = preconditioner(stiffness, mass, shift)?;
    }
    let problem = LevelProblem::finest(&hierarchy, mass);
    let limits = |theta: f64| [0.5 * REFINED_RESIDUAL, accuracy.limit(theta - shift, shift)];
    let rounds = ROUNDS_PER_RESTART * options.restarts;
    let mut solves = 0;
    for pass in 0.. {
        let outcome = pairs.minimise(&problem, count, limits, rounds)?;
        solves += outcome.applications;
        if outcome.converged < count {
            let all: Vec<usize> = (0..count).collect();
            let residuals = pairs.relative_residuals(&problem, &all);
            return Err(BasisError::EigenpairsNotConverged {
                wanted: count,
                converged: outcome.converged,
                restarts: options.restarts,
                residual: residuals.into_iter().fold(0.0, f64::max),
            });
        }
        let found = pairs.theta[..count].to_vec();
        probe(&problem, &mut pairs, options.seed + pass + 2)?;
        solves += PROBES * PROBE_ROUNDS * STEPS;
        let unchanged = pairs.theta.iter().zip(&found).all(|(new, old)| *new >= old * (1.0 - NEW_COPY));
        if unchanged {
            break;
        }
        if pass > count as u64 {
            return Err(BasisError::EigenBreakdown { reason: "new eigenvalues keep appearing" });
        }
    }
    let mut vectors = pairs.vectors;
    vectors.truncate(mass.len(), count);
    let pairs = RitzPairs::of_span(&problem, vectors)?;
    let all: Vec<usize> = (0..pairs.theta.len()).collect();
    let residuals = pairs.relative_residuals(&problem, &all);
    let values = pairs.theta.iter().map(|theta| theta - shift).collect();
    Ok(Eigenpairs { values, vectors: pairs.vectors, residuals, shift, solves })
}

fn preconditioner(
    stiffness: &SymmetricMatrix,
    mass: &[f64],
    shift: f64,
) -> Result<SmoothedAggregation, BasisError> {
    Ok(SmoothedAggregation::new::<3>(&shifted(stiffness, mass, shift), NearKernel::Constant)?)
}

/// Takes up what inverse iteration finds from random vectors beside all others.
fn probe(problem: &LevelProblem<'_>, pairs: &mut RitzPairs, seed: u64) -> Result<(), BasisError> {
    let mut probes = random_vectors(problem, PROBES.min(problem.rows() - pairs.theta.len()), seed);
    for _ in 0..PROBE_ROUNDS {
        orthonormalise(&mut probes, &pairs.vectors, problem.mass())?;
        let columns: Vec<usize> = (0..probes.ncols()).collect();
        let mut loads = Panel::gather(probes.as_ref(), &columns);
        let width = loads.width();
        for (row, mass) in loads.entries_mut().chunks_exact_mut(width).zip(problem.mass()) {
            row.iter_mut().for_each(|value| *value *= mass);
        }
        let solved = corrections(problem, pairs.vectors.as_ref(), loads, &vec![0.0; width]);
        probes = Mat::zeros(problem.rows(), columns.len());
        solved.scatter(probes.as_mut());
    }
    pairs.extend(problem, probes)
}
