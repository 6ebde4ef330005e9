//! Frames grown from what a subspace misses: each new weight is fitted to the Newton correction at the reduced solution.
//!
//! At the reduced solution `x` of a training load, `dx = -H^-1 r` is what one full Newton step would add; it is H-orthogonal to the span.
//! Its best fit `w (A X + t)` gives the weight of the next frame (`rank_one_fit`). With several loads the one with the largest
//! estimated error is taken each time. No nonlinear full solve is needed; the bases are nested.

use pliant_basis::{Subspace, Weights};
use pliant_fem::HessianProjection;
use pliant_mesh::MaterialMap;

use crate::error_estimate::ErrorEstimator;
use crate::rank_one_fit::{RankOneFit, RankOneFitter};
use crate::{
    Equilibrium, EquilibriumProblem, FullProblem, NewtonOptions, StaticsError, solve_equilibrium_from,
};

/// How frames are grown.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveOptions {
    /// Frames at the end, those of the start included (default 9).
    pub frames: usize,
    /// Growing ends early when the estimated error of every load is below this (default 0: never).
    pub target_error: f64,
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
/// The loads are problems on one mesh. Costs one reduced solve and one estimate for each load and frame, and for each frame one full
/// factorisation and `fit_passes` factorisations on the vertices.
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
    let estimators = loads.iter().map(ErrorEstimator::new).collect::<Result<Vec<_>, _>>()?;
    let mut growth = Growth { fitter: RankOneFitter::new(first.mesh())?, fixed, options };
    let mut weights = start.clone();
    let mut solutions: Vec<Option<Equilibrium<D>>> = vec![None; loads.len()];
    let mut stages: Vec<AdaptiveStage> = Vec::new();
    loop {
        let subspace = Subspace::linear_blend_skinning(first.mesh(), material, weights.clone())?;
        let mut estimated_errors = Vec::with_capacity(loads.len());
        for ((load, estimator), solution) in loads.iter().zip(&estimators).zip(&mut solutions) {
            let next = growth.solve(load, &subspace, solution.take())?;
            estimated_errors.push(estimator.estimate(load, &next));
            *solution = Some(next);
        }
        let worst = largest(&estimated_errors);
        let met = estimated_errors[worst] <= options.target_error;
        stages.push(AdaptiveStage { frames: weights.frame_count(), estimated_errors });
        if met || weights.frame_count() >= options.frames {
            break;
        }
        let solution = solutions[worst].as_ref().expect("every load was just solved");
        let Some(column) = growth.next_weight(&loads[worst], &solution.displacement)? else { break };
        weights = with_column(&weights, &column)?;
    }
    Ok(AdaptiveFrames { weights, stages })
}

fn largest(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |most, index| if values[index] > values[most] { index } else { most })
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

struct Growth<'a, 'm, const D: usize> {
    fitter: RankOneFitter<'m, D>,
    fixed: &'a FixedVertices,
    options: &'a AdaptiveOptions,
}

impl<const D: usize> Growth<'_, '_, D> {
    /// The reduced solution of a load, from the one of the subspace before where its unknowns are a beginning of the new ones.
    fn solve(
        &self,
        load: &FullProblem<'_, D>,
        subspace: &Subspace<D>,
        before: Option<Equilibrium<D>>,
    ) -> Result<Equilibrium<D>, StaticsError> {
        let reduced = load.project(subspace)?;
        let mut start = reduced.start();
        if let Some(before) = before
            && before.unknowns.len() <= start.len()
            && subspace.rank() == subspace.dofs()
        {
            start[..before.unknowns.len()].copy_from_slice(&before.unknowns);
        }
        solve_equilibrium_from(&reduced, &mut reduced.workspace()?, start, &self.options.newton)
    }

    /// The weight of the frame that does most for the Newton correction at a displacement.
    fn next_weight(
        &mut self,
        load: &FullProblem<'_, D>,
        displacement: &[f64],
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        let mut workspace = load.workspace()?;
        let gradient = load.restrict(load.residual(displacement));
        let mut correction = None;
        for projection in [HessianProjection::Plain, HessianProjection::PositiveSemidefinite] {
            correction = load.newton_step(&mut workspace, displacement, &gradient, projection, 0.0)?;
            if correction.is_some() {
                break;
            }
        }
        let Some(correction) = correction else { return Ok(None) };
        let passes = self.options.fit_passes;
        let hessian = workspace.hessian();
        let outside = self.fitter.fit(hessian, &correction, &self.fixed.anchored, passes)?;
        let anywhere = self.fitter.fit(hessian, &correction, &self.fixed.held, passes)?;
        let gain = |fit: &Option<RankOneFit>| fit.as_ref().map_or(0.0, |fit| fit.gain);
        let inside_pays = gain(&anywhere) > self.options.stiff_part_advantage * gain(&outside);
        let best = if inside_pays { anywhere } else { outside };
        Ok(best.map(|fit| fit.weight))
    }
}
