//! Newton steps of full FEM: the Hessian of the potential, assembled and factored where it is asked for.

use pliant_fem::{FemError, HessianProjection, Ordering, SparseCholesky, SymmetricMatrix};

use crate::full_problem::TangentStiffness;
use crate::{FullProblem, StaticsError};

/// A solve counts as inaccurate when the residual is above this fraction of the right-hand side; it is refined then.
const ACCEPTED_RESIDUAL: f64 = 1e-8;

/// The memory of a Hessian and of its factor. It serves every problem of one mesh, whatever its loads and holds.
pub(crate) struct TangentSolver {
    stiffness: TangentStiffness,
    cholesky: SparseCholesky,
}

impl TangentSolver {
    /// Orders the unknowns and factors symbolically.
    pub(crate) fn new<const D: usize>(problem: &FullProblem<'_, D>) -> Result<Self, StaticsError> {
        let stiffness = problem.tangent_stiffness();
        let cholesky = SparseCholesky::new(stiffness.matrix.pattern(), Ordering::Auto)?;
        Ok(Self { stiffness, cholesky })
    }

    /// The Hessian of the last step, hard-held rows eliminated.
    pub(crate) fn hessian(&self) -> &SymmetricMatrix {
        &self.stiffness.matrix
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
        if !is_positive_definite(self.cholesky.factorize(matrix))? {
            return Ok(None);
        }
        let right_hand_side: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut step = right_hand_side.clone();
        self.cholesky.solve_in_place(&mut step);
        if matrix.relative_residual(&step, &right_hand_side) > ACCEPTED_RESIDUAL {
            let mut correction = vec![0.0; step.len()];
            matrix.multiply(&step, &mut correction);
            for (correction, wanted) in correction.iter_mut().zip(&right_hand_side) {
                *correction = wanted - *correction;
            }
            self.cholesky.solve_in_place(&mut correction);
            step.iter_mut().zip(correction).for_each(|(step, correction)| *step += correction);
        }
        Ok(Some(step))
    }
}

/// Whether a factorisation found its matrix positive definite.
pub(crate) fn is_positive_definite(factored: Result<(), FemError>) -> Result<bool, StaticsError> {
    match factored {
        Ok(()) => Ok(true),
        Err(FemError::NotPositiveDefinite { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
