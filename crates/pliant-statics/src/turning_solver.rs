//! Solves of the turning Laplacian of full FEM, by its factor or by iterations.

use faer::Mat;
use pliant_fem::{NearKernel, Ordering, SmoothedAggregation, SparseCholesky};

use crate::tangent_solver::{MOST_LINEAR_ITERATIONS, unless_indefinite};
use crate::{FullProblem, LinearSolver, StaticsError};

/// The relative error in the energy norm with which an iterative solve ends. Stiff parts that turn store nearly all of that energy: what is left of it
/// must be small beside the energy of parts that are a million times softer.
const TOLERANCE: f64 = 1e-7;

/// The turning Laplacian, ready for solves.
pub(crate) enum TurningSolver {
    Direct(Box<SparseCholesky>),
    Iterative(SmoothedAggregation),
    /// Round-off leaves a part without stiffness: steps go straight.
    Straight,
}

impl TurningSolver {
    pub(crate) fn new<const D: usize>(
        problem: &FullProblem<'_, D>,
        solver: LinearSolver,
    ) -> Result<Self, StaticsError> {
        let mut laplacian = problem.turning_laplacian();
        let held: Vec<bool> = problem.constrained().into_iter().step_by(D).collect();
        laplacian.eliminate(&held, 1.0);
        let ready = match solver {
            LinearSolver::Iterative => {
                let preconditioner = SmoothedAggregation::new::<D>(&laplacian, NearKernel::Constant);
                unless_indefinite(preconditioner)?.map(Self::Iterative)
            }
            _ => {
                let mut cholesky = SparseCholesky::new(laplacian.pattern(), Ordering::Auto)?;
                unless_indefinite(cholesky.factorize(&laplacian))?.map(|()| Self::Direct(Box::new(cholesky)))
            }
        };
        Ok(ready.unwrap_or(Self::Straight))
    }

    /// The displacement that a stacked force makes, n D; zero where there is no solution.
    pub(crate) fn solve<const D: usize>(&mut self, force: &[f64]) -> Vec<f64> {
        let vertices = force.len() / D;
        match self {
            Self::Straight => vec![0.0; force.len()],
            Self::Direct(cholesky) => {
                let mut columns = Mat::from_fn(vertices, D, |vertex, axis| force[vertex * D + axis]);
                cholesky.solve_many_in_place(columns.as_mut());
                (0..vertices * D).map(|dof| columns[(dof / D, dof % D)]).collect()
            }
            Self::Iterative(preconditioner) => {
                let mut turn = vec![0.0; force.len()];
                for axis in 0..D {
                    let column: Vec<f64> = force.iter().skip(axis).step_by(D).copied().collect();
                    // An axis without solution goes straight.
                    if let Ok(solved) = preconditioner.solve(&column, |_| TOLERANCE, MOST_LINEAR_ITERATIONS) {
                        let entries = turn.iter_mut().skip(axis).step_by(D);
                        entries.zip(solved.solution).for_each(|(turn, value)| *turn = value);
                    }
                }
                turn
            }
        }
    }
}
