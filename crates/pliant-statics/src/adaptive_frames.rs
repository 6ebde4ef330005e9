//! Frames grown from what a subspace misses: each new weight is fitted to the distance of the reduced solutions from the full ones.
//!
//! Each training load keeps a full state `y_l`, which Newton's method moves towards the load's equilibrium by some iterations for each frame that is
//! grown. At the reduced solution `x_l`, `dx_l = y_l - x_l` less what the span can do of it in the norm of the Hessian `H_l` at `y_l` is what the
//! subspace misses, and `|y_l - x_l|_M / |y_l|_M` estimates its error. The weight of the next frame is the one whose `w (A_l X + t_l)`, with a map for
//! each load, come nearest to the `dx_l` (`rank_one_fit`), every load counted by its error. The bases are nested.

use pliant_basis::{Subspace, Weights};
use pliant_fem::SymmetricMatrix;
use pliant_mesh::MaterialMap;

use crate::rank_one_fit::{FitTarget, RankOneFit, RankOneFitter};
use crate::{
    Equilibrium, EquilibriumProblem, FullProblem, FullWorkspace, NewtonOptions, StaticsError, Termination,
    solve_equilibrium_from,
};

/// How frames are grown.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveOptions {
    /// Frames at the end, those of the start included (default 9).
    pub frames: usize,
    /// Growing ends early when the estimated error of every load is below this (default 0: never).
    pub target_error: f64,
    /// Newton iterations of the full problem for each load and frame, until it has converged (default 5).
    pub full_steps: usize,
    /// Passes of the alternating fit (default 15).
    pub fit_passes: usize,
    /// A frame may act inside stiff parts when it captures more than this many times what it captures outside (default 3).
    pub stiff_part_advantage: f64,
    /// Options of the reduced solves.
    pub newton: NewtonOptions,
}

impl Default for AdaptiveOptions {
    fn default() -> Self {
        Self {
            frames: 9,
            target_error: 0.0,
            full_steps: 5,
            fit_passes: 15,
            stiff_part_advantage: 3.0,
            newton: NewtonOptions::default(),
        }
    }
}

/// What the subspace was worth before a frame was added, and at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveStage {
    /// Frames of the subspace.
    pub frames: usize,
    /// The estimated mass-norm error of each training load.
    pub estimated_errors: Vec<f64>,
}

/// Grown weights and how they grew.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveFrames {
    /// n x k; fewer frames than asked for when the target was met or nothing was left to fit.
    pub weights: Weights,
    /// One entry for each size of the subspace, from the start to the end.
    pub stages: Vec<AdaptiveStage>,
}

/// Vertices at which the weights of grown frames are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedVertices {
    /// Of stiff parts and of everything held, n.
    pub anchored: Vec<bool>,
    /// Of pins and handles alone, n: grown frames never act there.
    pub held: Vec<bool>,
}

/// Grows frames from given ones until there are enough.
///
/// The loads are problems on one mesh, with whatever forces, pins and handles. Costs for each load and frame one reduced solve and one full factorisation,
/// and for each frame `2 fit_passes` factorisations on the vertices. Keeps one Hessian for each load.
///
/// # Errors
/// No load, or what the solves and factorisations report.
///
/// # Panics
/// If the fixed vertices are not those of the loads' mesh.
pub fn adaptive_frames<const D: usize>(
    loads: &[FullProblem<'_, D>],
    material: &MaterialMap,
    start: &Weights,
    fixed: &FixedVertices,
    options: &AdaptiveOptions,
) -> Result<AdaptiveFrames, StaticsError> {
    let Some(first) = loads.first() else { return Err(StaticsError::NoTrainingLoad) };
    let vertices = first.mesh().vertex_count();
    assert!(fixed.anchored.len() == vertices && fixed.held.len() == vertices, "one flag for each vertex");
    let mut fitter = RankOneFitter::new(first.mesh())?;
    let mut workspace = first.workspace()?;
    let mut states: Vec<LoadState<D>> = loads.iter().map(|_| LoadState::default()).collect();
    let mut weights = start.clone();
    let mut stages: Vec<AdaptiveStage> = Vec::new();
    loop {
        let subspace = Subspace::linear_blend_skinning(first.mesh(), material, weights.clone())?;
        for (load, state) in loads.iter().zip(&mut states) {
            state.advance(load, &subspace, &mut workspace, options)?;
        }
        let estimated_errors: Vec<f64> = states.iter().map(|state| state.estimated_error).collect();
        let met = estimated_errors.iter().all(|error| *error <= options.target_error);
        stages.push(AdaptiveStage { frames: weights.frame_count(), estimated_errors });
        if met || weights.frame_count() >= options.frames {
            break;
        }
        let targets: Vec<FitTarget<'_>> = states.iter().filter_map(LoadState::target).collect();
        let Some(column) = next_weight(&mut fitter, &targets, fixed, options)? else { break };
        weights = with_column(&weights, &column)?;
    }
    Ok(AdaptiveFrames { weights, stages })
}

/// What a training load keeps from one frame to the next.
#[derive(Default)]
struct LoadState<const D: usize> {
    reduced: Option<Equilibrium<D>>,
    /// y, n D.
    full: Vec<f64>,
    /// H of the last iteration towards y.
    hessian: Option<SymmetricMatrix>,
    /// No iteration would move y any more.
    is_settled: bool,
    /// What the subspace misses, n D, and its image under H.
    missed: Vec<f64>,
    force: Vec<f64>,
    estimated_error: f64,
}

impl<const D: usize> LoadState<D> {
    /// Solves the load in a larger subspace, moves the full state on, and measures the distance.
    fn advance(
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
    fn target(&self) -> Option<FitTarget<'_>> {
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

/// The weight of the frame that does most for the targets.
fn next_weight<const D: usize>(
    fitter: &mut RankOneFitter<'_, D>,
    targets: &[FitTarget<'_>],
    fixed: &FixedVertices,
    options: &AdaptiveOptions,
) -> Result<Option<Vec<f64>>, StaticsError> {
    let outside = fitter.fit(targets, &fixed.anchored, options.fit_passes)?;
    let anywhere = fitter.fit(targets, &fixed.held, options.fit_passes)?;
    let gain = |fit: &Option<RankOneFit>| fit.as_ref().map_or(0.0, |fit| fit.gain);
    let inside_pays = gain(&anywhere) > options.stiff_part_advantage * gain(&outside);
    let best = if inside_pays { anywhere } else { outside };
    Ok(best.map(|fit| fit.weight))
}

/// The weights with one frame more.
fn with_column(weights: &Weights, column: &[f64]) -> Result<Weights, StaticsError> {
    let frames = weights.frame_count();
    let rows: Vec<Vec<(usize, f64)>> = column
        .iter()
        .enumerate()
        .map(|(vertex, &weight)| {
            let (frames_of_row, values) = weights.row(vertex);
            let mut row: Vec<(usize, f64)> =
                frames_of_row.iter().copied().zip(values.iter().copied()).collect();
            if weight != 0.0 {
                row.push((frames, weight));
            }
            row
        })
        .collect();
    Ok(Weights::from_rows(frames + 1, &rows)?)
}
