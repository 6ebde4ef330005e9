//! Frames grown from what a subspace misses: each new weight is fitted to the distance of the reduced solutions from the full ones.
//!
//! Each training load keeps a full state `y_l`, which Newton's method moves towards the load's equilibrium by some iterations for each frame that is
//! grown. At the reduced solution `x_l`, `dx_l = y_l - x_l` less what the span can do of it in the norm of the Hessian `H_l` at `y_l` is what the
//! subspace misses, and `|y_l - x_l|_M / |y_l|_M` estimates its error. The weight of the next frame is the one whose `w (A_l X + t_l)`, with a map for
//! each load, come nearest to the `dx_l` (`rank_one_fit`), every load counted by its error. The bases are nested.

use pliant_basis::{Subspace, Weights};
use pliant_mesh::MaterialMap;

use crate::rank_one_fit::{FitTarget, RankOneFit, RankOneFitter};
use crate::training_state::TrainingState;
use crate::{
    AdaptiveStart, Equilibrium, EquilibriumProblem, FullProblem, FullWorkspace, NewtonOptions, StaticsError,
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
    /// Weights below this are left out of a grown frame, whose others are then fitted again; from 0, below 1 (default 0: none).
    pub threshold: f64,
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
            threshold: 0.0,
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

impl AdaptiveStage {
    /// The estimated error of the load that has the largest.
    pub fn largest_error(&self) -> f64 {
        self.estimated_errors.iter().copied().fold(0.0, f64::max)
    }
}

/// Grown weights and how they grew.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveFrames {
    /// n x k; fewer frames than asked for when the target was met or nothing was left to fit.
    pub weights: Weights,
    /// One entry for each size of the subspace, from the start to the end.
    pub stages: Vec<AdaptiveStage>,
}

/// Frames being grown: a basis that gains one frame at a time.
pub struct AdaptiveGrowth<'a, 'm, const D: usize> {
    loads: &'a [FullProblem<'m, D>],
    material: &'a MaterialMap,
    start: &'a AdaptiveStart,
    options: AdaptiveOptions,
    fitter: RankOneFitter<'m, D>,
    workspace: FullWorkspace,
    states: Vec<TrainingState<D>>,
    weights: Weights,
}

impl<'a, 'm, const D: usize> AdaptiveGrowth<'a, 'm, D> {
    /// Takes the start, and solves every load in its subspace.
    ///
    /// The loads are problems on one mesh, with whatever forces, pins and handles. Keeps one Hessian for each load.
    ///
    /// # Errors
    /// No load, or what the solves and factorisations report.
    ///
    /// # Panics
    /// If the start is not one of the loads' mesh.
    pub fn new(
        loads: &'a [FullProblem<'m, D>],
        material: &'a MaterialMap,
        start: &'a AdaptiveStart,
        options: &AdaptiveOptions,
    ) -> Result<Self, StaticsError> {
        let Some(first) = loads.first() else { return Err(StaticsError::NoTrainingLoad) };
        let vertices = first.mesh().vertex_count();
        let flags = [&start.anchored, &start.held];
        assert!(flags.iter().all(|flags| flags.len() == vertices), "one flag for each vertex");
        let mut growth = Self {
            loads,
            material,
            start,
            options: options.clone(),
            fitter: RankOneFitter::new(first.mesh())?,
            workspace: first.workspace()?,
            states: loads.iter().map(|_| TrainingState::default()).collect(),
            weights: start.weights.clone(),
        };
        growth.solve_loads()?;
        Ok(growth)
    }

    /// The weights so far, n x k.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What the subspace is worth for every load.
    pub fn stage(&self) -> AdaptiveStage {
        AdaptiveStage {
            frames: self.weights.frame_count(),
            estimated_errors: self.states.iter().map(|state| state.estimated_error).collect(),
        }
    }

    /// The solution of every load in the subspace so far.
    pub fn solutions(&self) -> impl Iterator<Item = &Equilibrium<D>> {
        self.states
            .iter()
            .map(|state| state.reduced.as_ref().expect("every load is solved when the subspace grows"))
    }

    /// Whether there are as many frames as the options ask for, or the target is met.
    pub fn is_finished(&self) -> bool {
        self.weights.frame_count() >= self.options.frames
            || self.stage().largest_error() <= self.options.target_error
    }

    /// Adds the frame that does most, and solves every load in the larger subspace; `false` where nothing is left to fit.
    ///
    /// Costs for each load one reduced solve and, until it has converged, `full_steps` full factorisations, and
    /// `2 fit_passes` factorisations on the vertices.
    ///
    /// # Errors
    /// What the solves and factorisations report.
    pub fn grow(&mut self) -> Result<bool, StaticsError> {
        log::info!("growing frame {} of {}", self.weights.frame_count() + 1, self.options.frames);
        let targets: Vec<FitTarget<'_>> = self.states.iter().filter_map(TrainingState::target).collect();
        let passes = self.options.fit_passes;
        let outside = self.fitter.fit(&targets, &self.start.anchored, passes)?;
        let anywhere = self.fitter.fit(&targets, &self.start.held, passes)?;
        let gain = |fit: &Option<RankOneFit>| fit.as_ref().map_or(0.0, |fit| fit.gain);
        let inside_pays = gain(&anywhere) > self.options.stiff_part_advantage * gain(&outside);
        let Some(mut best) = (if inside_pays { anywhere } else { outside }) else { return Ok(false) };
        if self.options.threshold > 0.0 {
            let left_out: Vec<bool> =
                best.weight.iter().map(|weight| weight.abs() < self.options.threshold).collect();
            best = self.fitter.fit(&targets, &left_out, passes)?.unwrap_or(best);
        }
        self.weights = with_column(&self.weights, &best.weight)?;
        self.solve_loads()?;
        Ok(true)
    }

    fn solve_loads(&mut self) -> Result<(), StaticsError> {
        let mesh = self.loads[0].mesh();
        let subspace = Subspace::linear_blend_skinning(mesh, self.material, self.weights.clone())?;
        for (load, state) in self.loads.iter().zip(&mut self.states) {
            state.advance(load, &subspace, &mut self.workspace, &self.options)?;
        }
        Ok(())
    }
}

/// Grows frames from those of the start until there are enough, or the target is met, or nothing is left to fit.
///
/// # Errors
/// As [`AdaptiveGrowth::new`] and [`AdaptiveGrowth::grow`].
///
/// # Panics
/// As [`AdaptiveGrowth::new`].
pub fn adaptive_frames<const D: usize>(
    loads: &[FullProblem<'_, D>],
    material: &MaterialMap,
    start: &AdaptiveStart,
    options: &AdaptiveOptions,
) -> Result<AdaptiveFrames, StaticsError> {
    let mut growth = AdaptiveGrowth::new(loads, material, start, options)?;
    let mut stages = vec![growth.stage()];
    while !growth.is_finished() && growth.grow()? {
        stages.push(growth.stage());
    }
    Ok(AdaptiveFrames { weights: growth.weights, stages })
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
