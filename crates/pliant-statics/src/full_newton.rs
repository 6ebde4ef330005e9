//! Newton's method on full FEM: the unknowns are the stacked displacements, each step one sparse factorisation.

use faer::Mat;
use pliant_fem::{HessianProjection, Ordering, SparseCholesky, SymmetricMatrix};

use crate::equilibrium_problem::EquilibriumProblem;
use crate::tangent_solver::{TangentSolver, is_positive_definite};
use crate::{FullProblem, StaticsError};

/// What a full solve keeps from one iteration to the next.
pub struct FullWorkspace {
    tangent: TangentSolver,
    /// `None` where round-off leaves a part without stiffness, and steps go straight.
    turning: Option<SparseCholesky>,
}

impl FullWorkspace {
    /// The Hessian of the last step, hard-held rows eliminated.
    pub(crate) fn hessian(&self) -> &SymmetricMatrix {
        self.tangent.hessian()
    }

    /// Makes the workspace serve another problem on the same mesh, whose holds may differ. One factorisation on the vertices.
    pub(crate) fn renew<const D: usize>(&mut self, problem: &FullProblem<'_, D>) -> Result<(), StaticsError> {
        self.turning = factored_turning_laplacian(problem)?;
        Ok(())
    }
}

fn factored_turning_laplacian<const D: usize>(
    problem: &FullProblem<'_, D>,
) -> Result<Option<SparseCholesky>, StaticsError> {
    let mut laplacian = problem.turning_laplacian();
    let held: Vec<bool> = problem.constrained().into_iter().step_by(D).collect();
    laplacian.eliminate(&held, 1.0);
    let mut turning = SparseCholesky::new(laplacian.pattern(), Ordering::Auto)?;
    Ok(is_positive_definite(turning.factorize(&laplacian))?.then_some(turning))
}

impl<'m, const D: usize> EquilibriumProblem<'m, D> for FullProblem<'m, D> {
    type Workspace = FullWorkspace;

    fn full(&self) -> &FullProblem<'m, D> {
        self
    }

    fn workspace(&self) -> Result<FullWorkspace, StaticsError> {
        self.check()?;
        let tangent = TangentSolver::new(self)?;
        let turning = factored_turning_laplacian(self)?;
        Ok(FullWorkspace { tangent, turning })
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
        workspace.tangent.step(self, displacement, gradient, projection, shift)
    }
}
