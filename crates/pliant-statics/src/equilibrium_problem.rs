//! What Newton's method needs of a static problem, full or reduced.

use pliant_fem::HessianProjection;

use crate::{FullProblem, StaticsError};

/// A static problem in its own unknowns: displacements for full FEM, coordinates for a subspace.
///
/// The displacement is affine in the unknowns, and a step is a direction in which they may move; `restrict` is the transpose of
/// `prolong`.
pub trait EquilibriumProblem<'m, const D: usize>: Sync {
    /// What a solve keeps from one iteration to the next.
    type Workspace;

    /// The full problem, whose potential is minimised.
    fn full(&self) -> &FullProblem<'m, D>;

    /// Sets the buffers up: ordering and symbolic factorisation, once for many solves.
    ///
    /// # Errors
    /// A problem that fails its check, or memory that is not there.
    fn workspace(&self) -> Result<Self::Workspace, StaticsError>;

    /// The unknowns of the rest shape (of the nearest shape where hard handles are displaced).
    fn start(&self) -> Vec<f64>;

    /// The unknowns changed so that the hard holds are satisfied; unchanged up to round-off where they are.
    fn satisfy_holds(&self, unknowns: Vec<f64>) -> Vec<f64>;

    /// The stacked displacement in m, n D.
    fn displacement(&self, unknowns: &[f64]) -> Vec<f64>;

    /// The unknowns moved by a step.
    fn advance(&self, unknowns: &[f64], step: &[f64]) -> Vec<f64>;

    /// The step that a turning force makes: the solution of the turning Laplacian in the space of the steps.
    fn turn(&self, workspace: &mut Self::Workspace, force: Vec<f64>) -> Vec<f64>;

    /// The gradient along the steps, from the gradient by the displacement.
    fn restrict(&self, residual: Vec<f64>) -> Vec<f64>;

    /// The change of the displacement that a step makes.
    fn prolong(&self, step: &[f64]) -> Vec<f64>;

    /// `-H^-1 g` at a displacement, or `None` where H is not positive definite. `shift` (0 for Newton's own step) is the fraction
    /// of its diagonal that is added to H: what bounds the step where nothing else resists a motion.
    ///
    /// # Errors
    /// If the factorisation runs out of memory.
    fn newton_step(
        &self,
        workspace: &mut Self::Workspace,
        displacement: &[f64],
        gradient: &[f64],
        projection: HessianProjection,
        shift: f64,
    ) -> Result<Option<Vec<f64>>, StaticsError>;

    /// Iterations of an iterative linear solver so far; 0 where the solver is direct.
    fn linear_iterations(_workspace: &Self::Workspace) -> usize {
        0
    }
}
