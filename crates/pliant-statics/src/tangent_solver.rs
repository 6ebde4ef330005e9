//! Newton steps of full FEM: the Hessian of the potential, assembled where it is asked for, and factored or solved by iterations.

use pliant_fem::{
    FemError, HessianProjection, NearKernel, Ordering, SmoothedAggregation, SparseCholesky, SymmetricMatrix,
};

use crate::full_problem::TangentStiffness;
use crate::{FullProblem, LinearSolver, StaticsError};

/// A direct solve counts as inaccurate when the residual is above this fraction of the right-hand side; it is refined then.
const ACCEPTED_RESIDUAL: f64 = 1e-8;

/// The forcing term of inexact Newton: the relative error in the energy norm with which a step is solved (Dembo, Eisenstat, Steihaug 1982). Assembly
/// and preconditioner cost as much as ten iterations, so steps are solved well enough for Newton to need no more of them than with exact ones.
const FORCING_TERM: f64 = 1e-3;

/// Iterations of conjugate gradients at most.
pub(crate) const MOST_LINEAR_ITERATIONS: usize = 1000;

/// The memory of a Hessian and of its factor. It serves every problem of one mesh, whatever its loads and holds.
pub(crate) struct TangentSolver {
    stiffness: TangentStiffness,
    /// None where the systems are solved by iterations.
    cholesky: Option<SparseCholesky>,
    linear_iterations: usize,
}

impl TangentSolver {
    /// Orders the unknowns and factors symbolically, where the solver is direct.
    pub(crate) fn new<const D: usize>(
        problem: &FullProblem<'_, D>,
        solver: LinearSolver,
    ) -> Result<Self, StaticsError> {
        let stiffness = problem.tangent_stiffness();
        let cholesky = match solver {
            LinearSolver::Iterative => None,
            _ => Some(SparseCholesky::new(stiffness.matrix.pattern(), Ordering::Auto)?),
        };
        Ok(Self { stiffness, cholesky, linear_iterations: 0 })
    }

    /// The Hessian of the last step, hard-held rows eliminated.
    pub(crate) fn hessian(&self) -> &SymmetricMatrix {
        &self.stiffness.matrix
    }

    /// Iterations of conjugate gradients so far.
    pub(crate) fn linear_iterations(&self) -> usize {
        self.linear_iterations
    }

    /// `-H^-1 g` at a displacement, or `None` where H, its diagonal raised by the fraction `shift`, is not positive definite.
    pub(crate) fn step<const D: usize>(
        &mut self,
        problem: &FullProblem<'_, D>,
        displacement: &[f64],
        gradient: &[f64],
        projection: HessianProjection,
        shift: f64,
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        log::debug!("assembly");
        problem.assemble(&mut self.stiffness, displacement, projection);
        let matrix = &mut self.stiffness.matrix;
        let constrained = problem.constrained();
        if constrained.contains(&true) {
            matrix.eliminate(&constrained, 1.0);
        }
        if shift > 0.0 {
            let shifts: Vec<f64> = matrix.diagonal().iter().map(|entry| shift * entry).collect();
            matrix.add_to_diagonal(&shifts);
        }
        let right_hand_side: Vec<f64> = gradient.iter().map(|g| -g).collect();
        match &mut self.cholesky {
            Some(cholesky) => factored_step(cholesky, matrix, &right_hand_side),
            None => {
                let (step, iterations) = iterated_step(problem, displacement, matrix, &right_hand_side)?;
                self.linear_iterations += iterations;
                Ok(step)
            }
        }
    }
}

fn factored_step(
    cholesky: &mut SparseCholesky,
    matrix: &SymmetricMatrix,
    right_hand_side: &[f64],
) -> Result<Option<Vec<f64>>, StaticsError> {
    if unless_indefinite(cholesky.factorize(matrix))?.is_none() {
        return Ok(None);
    }
    let mut step = right_hand_side.to_vec();
    cholesky.solve_in_place(&mut step);
    if matrix.relative_residual(&step, right_hand_side) > ACCEPTED_RESIDUAL {
        let mut correction = vec![0.0; step.len()];
        matrix.multiply(&step, &mut correction);
        for (correction, wanted) in correction.iter_mut().zip(right_hand_side) {
            *correction = wanted - *correction;
        }
        cholesky.solve_in_place(&mut correction);
        step.iter_mut().zip(correction).for_each(|(step, correction)| *step += correction);
    }
    Ok(Some(step))
}

/// The step, if the matrix is positive definite as far as conjugate gradients see, and the iterations made.
fn iterated_step<const D: usize>(
    problem: &FullProblem<'_, D>,
    displacement: &[f64],
    matrix: &SymmetricMatrix,
    right_hand_side: &[f64],
) -> Result<(Option<Vec<f64>>, usize), StaticsError> {
    // The rigid motions of a stiff part that has turned are those about where it is now.
    let rest = problem.mesh().positions();
    let positions: Vec<[f64; D]> = rest
        .iter()
        .enumerate()
        .map(|(vertex, x)| std::array::from_fn(|axis| x[axis] + displacement[vertex * D + axis]))
        .collect();
    log::debug!("aggregation");
    let preconditioner = SmoothedAggregation::new(matrix, NearKernel::RigidMotions(&positions));
    let Some(preconditioner) = unless_indefinite(preconditioner)? else { return Ok((None, 0)) };
    let solved = match preconditioner.solve(right_hand_side, |_| FORCING_TERM, MOST_LINEAR_ITERATIONS) {
        Err(FemError::Indefinite { iteration }) => return Ok((None, iteration)),
        solved => solved?,
    };
    if solved.relative_residual > FORCING_TERM {
        return Err(StaticsError::LinearSolverStalled {
            iterations: solved.iterations,
            residual: solved.relative_residual,
            wanted: FORCING_TERM,
        });
    }
    Ok((Some(solved.solution), solved.iterations))
}

/// What was made of a matrix, or `None` where it is not positive definite.
pub(crate) fn unless_indefinite<T>(result: Result<T, FemError>) -> Result<Option<T>, StaticsError> {
    match result {
        Ok(made) => Ok(Some(made)),
        Err(FemError::NotPositiveDefinite { .. } | FemError::Indefinite { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
