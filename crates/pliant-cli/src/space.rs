//! A subspace of a model: weights by the chosen method, then linear blend skinning.

use std::time::Instant;

use pliant::basis::{Subspace, SubspaceChecks};

use crate::failure::Failure;
use crate::output::{BasisRecord, ChecksRecord, TrainingRecord};
use crate::scene::SubspaceSpec;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;

/// A subspace, where it came from, and how long it took.
#[derive(Clone, Debug)]
pub struct Space<const D: usize> {
    /// How its weights were built.
    pub method: SpaceMethod,
    /// The basis.
    pub subspace: Subspace<D>,
    /// Sampled vertices, for methods that have nodes.
    pub nodes: Option<Vec<usize>>,
    /// Seconds from mesh and material to the basis.
    pub seconds: f64,
    eigenvalues: Option<Vec<f64>>,
    training: Option<Vec<TrainingRecord>>,
    checks: SubspaceChecks,
}

impl<const D: usize> Space<D> {
    /// Builds the subspace that the specification describes.
    ///
    /// # Errors
    /// What the library says.
    pub fn build(builder: &SpaceBuilder<'_, D>, spec: &SubspaceSpec) -> Result<Self, Failure> {
        let begun = Instant::now();
        let (built, training, mut seconds) = match spec.method {
            SpaceMethod::Weights(method) => {
                let built =
                    builder.basis().build(method, spec.frames, &spec.options).map_err(Failure::of_basis)?;
                (built, None, 0.0)
            }
            SpaceMethod::Adaptive => {
                let grown = builder.grown(&spec.growth)?;
                let (built, size) = grown.of_size(spec.frames)?;
                (built, Some(grown.training(size)), size.seconds)
            }
        };
        let basis = builder.basis();
        let weights = built.weights.clone();
        let subspace = Subspace::linear_blend_skinning(basis.mesh(), basis.material(), weights)
            .map_err(Failure::work)?;
        seconds += begun.elapsed().as_secs_f64();
        let checks = built.checks(&subspace);
        Ok(Self {
            method: spec.method,
            subspace,
            nodes: built.nodes,
            seconds,
            eigenvalues: built.eigenvalues,
            training,
            checks,
        })
    }

    /// The subspace as reports describe it, with its checks.
    pub fn record(&self) -> BasisRecord {
        let weights = self.subspace.weights();
        BasisRecord {
            method: self.method.name(),
            frames: self.subspace.frame_count(),
            dofs: self.subspace.dofs(),
            rank: self.subspace.rank(),
            weights_nonzeros: weights.nonzeros(),
            weights_density: weights.density(),
            basis_density: self.subspace.basis_density(),
            nodes: self.nodes.clone(),
            eigenvalues: self.eigenvalues.clone(),
            training: self.training.clone(),
            checks: ChecksRecord {
                partition_of_unity: self.checks.partition_of_unity,
                minimum_weight: self.checks.minimum_weight,
                interpolation: self.checks.interpolation,
                patch_test: Some(self.checks.patch_test),
                rest: Some(self.checks.rest),
            },
        }
    }
}
