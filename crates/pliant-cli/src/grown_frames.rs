//! Adaptive frames of a scene: grown once from its training loads to the largest frame count that is asked for, cut down for every smaller one.

use std::time::Instant;

use pliant::basis::{BasisBuilder, BuiltWeights, Promise, Weights};
use pliant::statics::{
    AdaptiveGrowth, AdaptiveOptions, AdaptiveStage, AdaptiveStart, Equilibrium, FullProblem, Termination,
    compare,
};

use crate::failure::Failure;
use crate::output::{TrainingRecord, add_progress, advance_progress};
use crate::setting::Setting;

/// A nested basis of grown frames.
#[derive(Clone, Debug)]
pub struct GrownFrames {
    weights: Weights,
    sizes: Vec<GrownSize>,
    loads: Vec<String>,
}

/// One size of the basis.
#[derive(Clone, Debug)]
pub struct GrownSize {
    /// What it is worth for the training loads.
    pub stage: AdaptiveStage,
    /// Newton iterations of the training loads in the subspace, together.
    pub newton_iterations: usize,
    /// `converged` if every one of these solves did.
    pub termination: Termination,
    /// The largest mass-norm error of the training loads; none where their full solutions are not known.
    pub true_error: Option<f64>,
    /// Seconds of growing to here.
    pub seconds: f64,
}

impl GrownFrames {
    /// Grows from the frames of the anchors (one constant frame where the body has no anchor) until `options.frames` or the target is reached,
    /// or nothing is left to fit. The target is of the true error where there are full solutions, one for each training load, else of the estimate.
    ///
    /// # Errors
    /// What the library says.
    pub fn grow<const D: usize>(
        builder: &BasisBuilder<'_, D>,
        setting: &Setting<'_, D>,
        options: &AdaptiveOptions,
        full: Option<&[Equilibrium<D>]>,
    ) -> Result<Self, Failure> {
        let begun = Instant::now();
        let start = AdaptiveStart::new(builder).map_err(Failure::work)?;
        let (loads, problems): (Vec<String>, Vec<FullProblem<'_, D>>) =
            setting.training.iter().map(|case| (case.name.clone(), case.problem.clone())).unzip();
        let target = options.target_error;
        let estimated_target = if full.is_some() { 0.0 } else { target };
        let options =
            AdaptiveOptions { newton: setting.newton, target_error: estimated_target, ..options.clone() };
        let mut growth =
            AdaptiveGrowth::new(&problems, builder.material(), &start, &options).map_err(Failure::work)?;
        let size = |growth: &AdaptiveGrowth<'_, '_, D>| {
            let mut terminations = growth.solutions().map(|solution| solution.termination);
            let solved = || problems.iter().zip(growth.solutions());
            let error = |((problem, quick), exact)| compare(problem, exact, quick).mass_norm_error;
            GrownSize {
                stage: growth.stage(),
                newton_iterations: growth.solutions().map(Equilibrium::iterations).sum(),
                termination: terminations
                    .find(|&termination| termination != Termination::Converged)
                    .unwrap_or(Termination::Converged),
                true_error: full.map(|full| solved().zip(full).map(error).fold(0.0, f64::max)),
                seconds: begun.elapsed().as_secs_f64(),
            }
        };
        let mut sizes = vec![size(&growth)];
        let wanted = options.frames.saturating_sub(sizes[0].stage.frames);
        add_progress(wanted);
        let is_enough = |sizes: &[GrownSize]| {
            sizes.last().and_then(|size| size.true_error).is_some_and(|error| error <= target)
        };
        while !growth.is_finished() && !is_enough(&sizes) && growth.grow().map_err(Failure::work)? {
            sizes.push(size(&growth));
            advance_progress(1);
        }
        advance_progress((wanted + 1).saturating_sub(sizes.len()));
        Ok(Self { weights: growth.weights().clone(), sizes, loads })
    }

    /// Every size of the basis, ascending by one frame.
    pub fn sizes(&self) -> &[GrownSize] {
        &self.sizes
    }

    /// The basis of one size.
    ///
    /// # Errors
    /// Fewer frames than the anchors, or more than could be grown.
    pub fn of_size(&self, frames: usize) -> Result<(BuiltWeights, &GrownSize), Failure> {
        let (least, most) = (self.sizes[0].stage.frames, self.weights.frame_count());
        if frames < least {
            return Err(Failure::NoSuchSize(format!(
                "adaptive frames start from the {least} of the anchors, but {frames} were asked for; ask for at least {least}"
            )));
        }
        let Some(size) = self.sizes.get(frames - least) else {
            return Err(Failure::NoSuchSize(format!(
                "{frames} adaptive frames were asked for, but with {most} nothing is left to fit; ask for at most {most}"
            )));
        };
        let weights = self.weights.truncated(frames).map_err(Failure::work)?;
        let promises = vec![Promise::PartitionOfUnity];
        Ok((BuiltWeights { weights, nodes: None, anchors: Vec::new(), eigenvalues: None, promises }, size))
    }

    /// What a size is worth for each training load.
    pub fn training(&self, size: &GrownSize) -> Vec<TrainingRecord> {
        let errors = self.loads.iter().zip(&size.stage.estimated_errors);
        errors
            .map(|(name, &estimated_error)| TrainingRecord { name: name.clone(), estimated_error })
            .collect()
    }
}
