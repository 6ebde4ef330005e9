//! A subspace of a model: weights by the chosen method, then linear blend skinning.

use std::time::Instant;

use pliant::basis::{AnchorChoice, AnchorOptions, BasisBuilder, Method, Subspace, SubspaceChecks};
use pliant::mesh::VertexSet;

use crate::failure::Failure;
use crate::model::{Model, select_vertices};
use crate::output::{BasisRecord, ChecksRecord};
use crate::scene::{HandleSpec, Scene, SubspaceSpec};

/// A subspace, where it came from, and how long it took.
#[derive(Clone, Debug)]
pub struct Space<const D: usize> {
    /// How its weights were built.
    pub method: Method,
    /// The basis.
    pub subspace: Subspace<D>,
    /// Sampled vertices, for methods that have nodes.
    pub nodes: Option<Vec<usize>>,
    /// Seconds from mesh and material to the basis.
    pub seconds: f64,
    eigenvalues: Option<Vec<f64>>,
    checks: SubspaceChecks,
}

impl<const D: usize> Space<D> {
    /// Builds the subspace that the specification describes.
    ///
    /// # Errors
    /// What the library says.
    pub fn build(builder: &BasisBuilder<'_, D>, spec: &SubspaceSpec) -> Result<Self, Failure> {
        let begun = Instant::now();
        let built = builder.build(spec.method, spec.frames, &spec.options).map_err(Failure::work)?;
        let subspace =
            Subspace::linear_blend_skinning(builder.mesh(), builder.material(), built.weights.clone())
                .map_err(Failure::work)?;
        let seconds = begun.elapsed().as_secs_f64();
        let checks = built.checks(&subspace);
        Ok(Self {
            method: spec.method,
            subspace,
            nodes: built.nodes,
            seconds,
            eigenvalues: built.eigenvalues,
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

/// A builder that computes what the subspaces share once. The scene's pins and the handle that is driven are anchors.
///
/// # Errors
/// What the library says, a selection that fails, or more frames than the mesh has vertices; the message points at the frame
/// count.
pub fn builder_for<'a, const D: usize>(
    model: &'a Model<D>,
    scene: &Scene,
    specs: &[SubspaceSpec],
    driven: Option<&HandleSpec>,
) -> Result<BasisBuilder<'a, D>, Failure> {
    let vertices = model.mesh.vertex_count();
    if let Some(spec) = specs.iter().find(|spec| spec.frames > vertices) {
        let (frames, limit) = (spec.frames, format!("but the mesh has only {vertices} vertices"));
        return Err(match &spec.origin {
            Some(origin) => {
                origin.wrong(format_args!("{frames} frames were asked for, {limit}; ask for fewer frames"))
            }
            None => Failure::input(format_args!(
                "{}: {frames} frames is the default, {limit}; ask for fewer frames",
                scene.name
            )),
        });
    }
    let largest = specs.iter().map(|spec| spec.frames).max().unwrap_or(0);
    let builder = BasisBuilder::new(&model.mesh, &model.material).map_err(Failure::work)?;
    let choice = scene.anchors.clone().map_or(AnchorChoice::Automatic, AnchorChoice::Named);
    Ok(builder
        .with_held_sets(held_sets(model, scene, driven)?)
        .with_anchor_options(AnchorOptions { choice, ..AnchorOptions::default() })
        .with_largest_frame_count(largest))
}

/// The pins, called `pins[0]` and so on, and the handle that is driven or named as an anchor, by its own name.
fn held_sets<const D: usize>(
    model: &Model<D>,
    scene: &Scene,
    driven: Option<&HandleSpec>,
) -> Result<Vec<VertexSet>, Failure> {
    let mut sets = Vec::new();
    for (index, pin) in scene.pins.iter().enumerate() {
        let name = format!("pins[{index}]");
        let vertices = select_vertices(&model.mesh, &pin.select, &name)?;
        sets.push(VertexSet { name, vertices });
    }
    for handle in &scene.handles {
        let name = &handle.name.value;
        let is_named = scene.anchors.as_ref().is_some_and(|anchors| anchors.contains(name));
        if is_named || driven.is_some_and(|driven| driven.name.value == *name) {
            let vertices = select_vertices(&model.mesh, &handle.select, &format!("the handle \"{name}\""))?;
            sets.push(VertexSet { name: name.clone(), vertices });
        }
    }
    Ok(sets)
}
