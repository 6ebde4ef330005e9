//! Newton's method on full FEM: the unknowns are the stacked displacements, each step one sparse factorisation.

use faer::Mat;
use pliant_fem::{FemError, HessianProjection, Ordering, SparseCholesky, SymmetricMatrix};

use crate::equilibrium_problem::EquilibriumProblem;
use crate::full_problem::TangentStiffness;
use crate::{FullProblem, StaticsError};

/// What a full solve keeps from one iteration to the next.
pub struct FullWorkspace {
    stiffness: TangentStiffness,
    cholesky: SparseCholesky,
    constrained: Vec<bool>,
    /// `None` where round-off leaves a part without stiffness, and steps go straight.
    turning: Option<SparseCholesky>,
}

impl FullWorkspace {
    /// The Hessian of the last step, hard-held rows eliminated.
    pub(crate) fn hessian(&self) -> &SymmetricMatrix {
        &self.stiffness.matrix
    }
}

/// A solve counts as inaccurate when the residual is above this fraction of the right-hand side; it is refined then.
const ACCEPTED_RESIDUAL: f64 = 1e-8;

impl<'m, const D: usize> EquilibriumProblem<'m, D> for FullProblem<'m, D> {
    type Workspace = FullWorkspace;

    fn full(&self) -> &FullProblem<'m, D> {
        self
    }

    fn workspace(&self) -> Result<FullWorkspace, StaticsError> {
        self.check()?;
        let stiffness = self.tangent_stiffness();
        let cholesky = SparseCholesky::new(stiffness.matrix.pattern(), Ordering::Auto)?;
        let constrained = self.constrained();
        let mut laplacian = self.turning_laplacian();
        let held: Vec<bool> = constrained.iter().copied().step_by(D).collect();
        laplacian.eliminate(&held, 1.0);
        let mut turning = SparseCholesky::new(laplacian.pattern(), Ordering::Auto)?;
        let turning = is_positive_definite(turning.factorize(&laplacian))?.then_some(turning);
        Ok(FullWorkspace { stiffness, cholesky, constrained, turning })
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0; self.force().len()]
    }

    fn satisfy_holds(&self, unknowns: Vec<f64>) -> Vec<f64> {
        self.displacement(&unknowns)
    }

    fn displacement(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut displacement = unknowns.to_vec();
        self.impose_holds(&mut displacement);
        displacement
    }

    fn advance(&self, unknowns: &[f64], step: &[f64]) -> Vec<f64> {
        unknowns.iter().zip(step).map(|(u, du)| u + du).collect()
    }

    fn turn(&self, workspace: &mut FullWorkspace, force: Vec<f64>) -> Vec<f64> {
        let force = self.restrict(force);
        let Some(turning) = &mut workspace.turning else { return vec![0.0; force.len()] };
        let vertices = self.mesh().vertex_count();
        let mut columns = Mat::from_fn(vertices, D, |vertex, axis| force[vertex * D + axis]);
        turning.solve_many_in_place(columns.as_mut());
        (0..vertices * D).map(|dof| columns[(dof / D, dof % D)]).collect()
    }

    fn restrict(&self, residual: Vec<f64>) -> Vec<f64> {
        let mut gradient = residual;
        for (vertex, _) in self.hard_displacements() {
            gradient[vertex * D..(vertex + 1) * D].fill(0.0);
        }
        gradient
    }

    fn prolong(&self, step: &[f64]) -> Vec<f64> {
        step.to_vec()
    }

    fn newton_step(
        &self,
        workspace: &mut FullWorkspace,
        displacement: &[f64],
        gradient: &[f64],
        projection: HessianProjection,
        shift: f64,
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        self.assemble(&mut workspace.stiffness, displacement, projection);
        let matrix = &mut workspace.stiffness.matrix;
        if workspace.constrained.contains(&true) {
            matrix.eliminate(&workspace.constrained, 1.0);
        }
        if shift > 0.0 {
            let shifts: Vec<f64> = matrix.diagonal().iter().map(|entry| shift * entry).collect();
            matrix.add_to_diagonal(&shifts);
        }
        if !is_positive_definite(workspace.cholesky.factorize(matrix))? {
            return Ok(None);
        }
        let right_hand_side: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut step = right_hand_side.clone();
        workspace.cholesky.solve_in_place(&mut step);
        if matrix.relative_residual(&step, &right_hand_side) > ACCEPTED_RESIDUAL {
            let mut correction = vec![0.0; step.len()];
            matrix.multiply(&step, &mut correction);
            for (correction, wanted) in correction.iter_mut().zip(&right_hand_side) {
                *correction = wanted - *correction;
            }
            workspace.cholesky.solve_in_place(&mut correction);
            step.iter_mut().zip(correction).for_each(|(step, correction)| *step += correction);
        }
        Ok(Some(step))
    }
}

fn is_positive_definite(factored: Result<(), FemError>) -> Result<bool, StaticsError> {
    match factored {
        Ok(()) => Ok(true),
        Err(FemError::NotPositiveDefinite { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
