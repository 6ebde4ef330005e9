//! A training load of growing frames: its reduced solution, and a full state on its way to equilibrium.

use pliant_basis::Subspace;
use pliant_fem::SymmetricMatrix;

use crate::rank_one_fit::FitTarget;
use crate::{
    AdaptiveOptions, Equilibrium, EquilibriumProblem, FullProblem, FullWorkspace, NewtonOptions,
    StaticsError, Termination, solve_equilibrium_from,
};

/// What a training load keeps from one frame to the next.
#[derive(Default)]
pub(crate) struct TrainingState<const D: usize> {
    /// The solution in the subspace; none before the first.
    pub(crate) reduced: Option<Equilibrium<D>>,
    /// y, n D.
    full: Vec<f64>,
    /// H of the last iteration towards y.
    hessian: Option<SymmetricMatrix>,
    /// No iteration would move y any more.
    is_settled: bool,
    /// What the subspace misses, n D, and its image under H.
    missed: Vec<f64>,
    force: Vec<f64>,
    /// `|y - x|_M / |y|_M`.
    pub(crate) estimated_error: f64,
}

impl<const D: usize> TrainingState<D> {
    /// Solves the load in a larger subspace, moves the full state on, and measures the distance.
    pub(crate) fn advance(
        &mut self,
        load: &FullProblem<'_, D>,
        subspace: &Subspace<D>,
        workspace: &mut FullWorkspace,
        options: &AdaptiveOptions,
    ) -> Result<(), StaticsError> {
        let reduced = load.project(subspace)?;
        let mut start = reduced.start();
        // Where no column depends on others the unknowns of the subspace before are a beginning of these.
        if let Some(before) = self.reduced.take()
            && before.unknowns.len() <= start.len()
            && subspace.rank() == subspace.dofs()
        {
            start[..before.unknowns.len()].copy_from_slice(&before.unknowns);
        }
        let quick = solve_equilibrium_from(&reduced, &mut reduced.workspace()?, start, &options.newton)?;
        if !self.is_settled {
            self.move_on(load, &quick.displacement, workspace, options)?;
        }
        let rest = load.mesh().positions().as_flattened();
        let missed: Vec<f64> = self.full.iter().zip(&quick.displacement).map(|(y, x)| y - x).collect();
        self.estimated_error =
            load.mass_norm(|dof| missed[dof]) / load.mass_norm(|dof| rest[dof] + self.full[dof]);
        self.missed.clear();
        if let Some(hessian) = &self.hessian
            && let Some(missed) = reduced.outside_span(hessian, &missed)
        {
            self.force.resize(missed.len(), 0.0);
            hessian.multiply(&missed, &mut self.force);
            self.missed = missed;
        }
        self.reduced = Some(quick);
        Ok(())
    }

    /// Moves the full state by some iterations, from the reduced solution where that is the better start.
    fn move_on(
        &mut self,
        load: &FullProblem<'_, D>,
        reduced: &[f64],
        workspace: &mut FullWorkspace,
        options: &AdaptiveOptions,
    ) -> Result<(), StaticsError> {
        let potential = |displacement: &[f64]| load.potential_energy(displacement).value;
        if self.full.is_empty() || potential(reduced) < potential(&self.full) {
            self.full = reduced.to_vec();
        }
        workspace.renew(load)?;
        let newton = NewtonOptions { max_iterations: options.full_steps.max(1), ..options.newton };
        let moved = solve_equilibrium_from(load, workspace, std::mem::take(&mut self.full), &newton)?;
        self.is_settled = moved.termination != Termination::MaxIterations;
        self.full = moved.displacement;
        self.hessian = Some(workspace.hessian().clone());
        Ok(())
    }

    /// What the next frame should do for this load; none where nothing is missed.
    pub(crate) fn target(&self) -> Option<FitTarget<'_>> {
        let hessian = self.hessian.as_ref()?;
        let energy: f64 = self.missed.iter().zip(&self.force).map(|(dx, f)| dx * f).sum();
        (energy > 0.0 && energy.is_finite()).then(|| FitTarget {
            hessian,
            correction: &self.missed,
            force: &self.force,
            scale: self.estimated_error / energy,
        })
    }
}
