//! Newton's method on full FEM: the unknowns are the stacked displacements, each step one sparse solve.

use pliant_fem::{HessianProjection, SymmetricMatrix};

use crate::equilibrium_problem::EquilibriumProblem;
use crate::tangent_solver::TangentSolver;
use crate::turning_solver::TurningSolver;
use crate::{FullProblem, LinearSolver, StaticsError};

/// What a full solve keeps from one iteration to the next.
pub struct FullWorkspace {
    solver: LinearSolver,
    tangent: TangentSolver,
    turning: TurningSolver,
}

impl FullWorkspace {
    /// The solver in use, `Direct` or `Iterative`.
    pub fn linear_solver(&self) -> LinearSolver {
        self.solver
    }

    /// The Hessian of the last step, hard-held rows eliminated.
    pub(crate) fn hessian(&self) -> &SymmetricMatrix {
        self.tangent.hessian()
    }

    /// Makes the workspace serve another problem on the same mesh, whose holds may differ. One factorisation on the vertices.
    pub(crate) fn renew<const D: usize>(&mut self, problem: &FullProblem<'_, D>) -> Result<(), StaticsError> {
        self.turning = TurningSolver::new(problem, self.solver)?;
        Ok(())
    }
}

impl<'m, const D: usize> EquilibriumProblem<'m, D> for FullProblem<'m, D> {
    type Workspace = FullWorkspace;

    fn full(&self) -> &FullProblem<'m, D> {
        self
    }

    fn workspace(&self) -> Result<FullWorkspace, StaticsError> {
        self.check()?;
        let solver = self.chosen_solver();
        let turning = TurningSolver::new(self, solver)?;
        let tangent = TangentSolver::new(self, solver)?;
        Ok(FullWorkspace { solver, tangent, turning })
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
        workspace.turning.solve::<D>(&self.restrict(force))
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

    fn linear_iterations(workspace: &FullWorkspace) -> usize {
        workspace.tangent.linear_iterations()
    }
}
