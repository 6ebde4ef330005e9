//! How far a reduced solution is from the full one, without the full solution: `|K(X)^-1 r|_M / |x|_M`.
//!
//! `r` is the full residual at the lifted solution and `K(X)` the stiffness of the rest shape with its springs. One Newton step of full FEM
//! from the reduced solution, with the rest stiffness in place of the current one: exact to first order for small rotations.

use std::sync::{Mutex, PoisonError};

use pliant_fem::{HessianProjection, Ordering, SparseCholesky};

use crate::{Equilibrium, EquilibriumProblem, FullProblem, StaticsError};

/// Estimates errors of reduced solutions of one problem; keeps the factorisation of the rest stiffness.
pub struct ErrorEstimator {
    /// Its solves need scratch memory; nothing parallel runs while it is locked.
    cholesky: Mutex<SparseCholesky>,
}

impl ErrorEstimator {
    /// Factors the rest stiffness: the cost of one full Newton iteration.
    ///
    /// # Errors
    /// A problem that fails its check, or a rest stiffness that is singular because the pins leave a rigid motion free.
    pub fn new<const D: usize>(problem: &FullProblem<'_, D>) -> Result<Self, StaticsError> {
        problem.check()?;
        let mut stiffness = problem.tangent_stiffness();
        let rest = vec![0.0; problem.force().len()];
        problem.assemble(&mut stiffness, &rest, HessianProjection::Plain);
        let constrained = problem.constrained();
        if constrained.contains(&true) {
            stiffness.matrix.eliminate(&constrained, 1.0);
        }
        let mut cholesky = SparseCholesky::new(stiffness.matrix.pattern(), Ordering::Auto)?;
        cholesky.factorize(&stiffness.matrix)?;
        Ok(Self { cholesky: Mutex::new(cholesky) })
    }

    /// The estimate of the mass-norm error of a solution. One sparse solve.
    ///
    /// `problem` may carry other loads, and other targets of the same holds, than the one that was factored.
    ///
    /// # Panics
    /// If the solution belongs to another mesh.
    pub fn estimate<const D: usize>(&self, problem: &FullProblem<'_, D>, solution: &Equilibrium<D>) -> f64 {
        let mut correction = problem.restrict(problem.residual(&solution.displacement));
        self.cholesky.lock().unwrap_or_else(PoisonError::into_inner).solve_in_place(&mut correction);
        let rest = problem.mesh().positions().as_flattened();
        let size = problem.mass_norm(|dof| rest[dof] + solution.displacement[dof]);
        problem.mass_norm(|dof| correction[dof]) / size
    }
}
