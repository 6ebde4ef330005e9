//! Building the weights of any method on one body, keeping what several builds share.

use crate::anchored_weights::{choice_size, most_frames};
use crate::{
    Anchor, AnchorOptions, AnchoredOptions, AnchoredWeights, Anchors, BasisError, CardinalOptions,
    EigenOptions, Eigenmodes, HrpdOptions, Method, Promise, Stiffness, Subspace, SubspaceChecks,
    VoronoiOptions, Weights, anchored_weights, find_anchors, skinning_eigenmodes,
};
use pliant_graph::{ComplianceGraph, EdgeReduction, SamplingOptions};
use pliant_mesh::{MaterialMap, SimplexMesh, VertexSet};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The options of every method; each reads its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodOptions {
    /// `sparse-meshless`: how nodes are chosen. Default: farthest points from the lowest first coordinate, 8 Lloyd passes.
    pub sampling: SamplingOptions,
    /// `sparse-meshless`: the compliance of an edge. Default: the mean over its cells.
    pub edge_reduction: EdgeReduction,
    /// `sparse-meshless`: how wide supports are. Default: support scale 1.
    pub voronoi: VoronoiOptions,
    /// `hrpd`: kernel and support scale. Default: Wendland with scale 2.
    pub hrpd: HrpdOptions,
    /// `anchored`: which modes, in which order. Default: by worth, inside stiff parts too.
    pub anchored: AnchoredOptions,
    /// `cardinal-eigenmodes`: how sparse. Default: threshold 0.01.
    pub cardinal: CardinalOptions,
}

/// Weights, and what their method says about them.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltWeights {
    /// W, n x k.
    pub weights: Weights,
    /// The vertex of each frame, or `None` for modes. More than asked for where components get nodes of their own.
    pub nodes: Option<Vec<usize>>,
    /// The anchors that the first frames belong to, in their order; empty for methods without anchors.
    pub anchors: Vec<Anchor>,
    /// The eigenvalue of each mode in ascending order, or `None` for methods with nodes.
    pub eigenvalues: Option<Vec<f64>>,
    /// What the method promises about these weights.
    pub promises: Vec<Promise>,
}

impl BuiltWeights {
    /// The checks of the subspace that these weights span.
    pub fn checks<const D: usize>(&self, subspace: &Subspace<D>) -> SubspaceChecks {
        let own = |(frame, anchor): (usize, &Anchor)| {
            anchor.vertices.iter().map(move |&vertex| (vertex, frame)).collect::<Vec<_>>()
        };
        let nodes = self.nodes.iter().flatten().copied().enumerate().map(|(frame, node)| (node, frame));
        let anchors = self.anchors.iter().enumerate().flat_map(own);
        SubspaceChecks::new(subspace, &self.promises, &nodes.chain(anchors).collect::<Vec<_>>())
    }
}

/// Builds weights on one body. Graphs and eigenmodes are computed when first needed and kept, so that a sweep over methods and
/// frame counts pays for them once; it can be shared between threads.
///
/// Results depend on the arguments and on [`BasisBuilder::with_largest_frame_count`] alone, never on the order of builds.
/// Threads that need the same thing for the first time at once may each compute it: build one basis first to avoid that.
#[derive(Debug)]
pub struct BasisBuilder<'a, const D: usize> {
    mesh: &'a SimplexMesh<D>,
    material: &'a MaterialMap,
    largest_frame_count: usize,
    graphs: [OnceLock<ComplianceGraph>; 3],
    uniform_modes: OnceLock<Eigenmodes>,
    material_modes: OnceLock<Eigenmodes>,
    widened_modes: OnceLock<Eigenmodes>,
    held_sets: Vec<VertexSet>,
    anchor_options: AnchorOptions,
    anchors: OnceLock<Anchors>,
    /// By the frame count that their modes were chosen for.
    anchored: Mutex<BTreeMap<usize, AnchoredWeights>>,
}

impl<'a, const D: usize> BasisBuilder<'a, D> {
    /// Computes nothing yet.
    ///
    /// # Errors
    /// A material map of another mesh.
    pub fn new(mesh: &'a SimplexMesh<D>, material: &'a MaterialMap) -> Result<Self, BasisError> {
        if material.cell_count() != mesh.cell_count() {
            return Err(BasisError::OtherMesh {
                what: "entries of the material map",
                given: material.cell_count(),
                expected: mesh.cell_count(),
                of: "cells",
            });
        }
        Ok(Self {
            mesh,
            material,
            largest_frame_count: 0,
            graphs: [const { OnceLock::new() }; 3],
            uniform_modes: OnceLock::new(),
            material_modes: OnceLock::new(),
            widened_modes: OnceLock::new(),
            held_sets: Vec::new(),
            anchor_options: AnchorOptions::default(),
            anchors: OnceLock::new(),
            anchored: Mutex::default(),
        })
    }

    /// Eigenmodes are computed once for this many frames (at most n) and cut down for every smaller build. Without it each
    /// build computes its own.
    #[must_use]
    pub fn with_largest_frame_count(mut self, frames: usize) -> Self {
        self.largest_frame_count = frames.min(self.mesh.vertex_count());
        self
    }

    /// The pins and handles of the body, by name: each is an anchor. Without them stiff parts alone are.
    #[must_use]
    pub fn with_held_sets(mut self, held_sets: Vec<VertexSet>) -> Self {
        self.held_sets = held_sets;
        self.forget_anchors()
    }

    /// How anchors are found; see [`AnchorOptions`] for the default.
    #[must_use]
    pub fn with_anchor_options(mut self, options: AnchorOptions) -> Self {
        self.anchor_options = options;
        self.forget_anchors()
    }

    fn forget_anchors(mut self) -> Self {
        self.anchors = OnceLock::new();
        self.anchored = Mutex::default();
        self
    }

    /// The weights of `frame_count` frames.
    ///
    /// # Errors
    /// No frame, more frames than vertices, an option out of range, a component of the body that holds no node, or an
    /// eigensolver that fails.
    pub fn build(
        &self,
        method: Method,
        frame_count: usize,
        options: &MethodOptions,
    ) -> Result<BuiltWeights, BasisError> {
        let vertices = self.mesh.vertex_count();
        if frame_count == 0 || frame_count > vertices {
            return Err(BasisError::FrameCount { frames: frame_count, vertices });
        }
        method.build(self, frame_count, options)
    }

    /// The body.
    pub fn mesh(&self) -> &'a SimplexMesh<D> {
        self.mesh
    }

    /// The pins and handles that it was given, by name.
    pub fn held_sets(&self) -> &[VertexSet] {
        &self.held_sets
    }

    /// Its material.
    pub fn material(&self) -> &'a MaterialMap {
        self.material
    }

    /// The compliance graph, kept for each reduction.
    pub fn compliance_graph(&self, reduction: EdgeReduction) -> &ComplianceGraph {
        let slot = match reduction {
            EdgeReduction::Mean => &self.graphs[0],
            EdgeReduction::Min => &self.graphs[1],
            EdgeReduction::Max => &self.graphs[2],
        };
        // Computed outside the lock: inside it, a thread that waits for parallel work could be given a task that wants the lock.
        match slot.get() {
            Some(graph) => graph,
            None => {
                let graph = ComplianceGraph::with_reduction(self.mesh, self.material, reduction);
                slot.get_or_init(|| graph)
            }
        }
    }

    /// The first `frame_count` skinning eigenmodes and their eigenvalues; see [`BasisBuilder::with_largest_frame_count`].
    ///
    /// # Errors
    /// As [`skinning_eigenmodes`].
    pub(crate) fn eigenmodes(
        &self,
        stiffness: Stiffness<'_>,
        frame_count: usize,
    ) -> Result<(Weights, Vec<f64>), BasisError> {
        let compute = |count| skinning_eigenmodes(self.mesh, count, stiffness, &EigenOptions::default());
        if frame_count > self.largest_frame_count {
            let modes = compute(frame_count)?;
            return Ok((modes.weights, modes.values));
        }
        let slot = match stiffness {
            Stiffness::Uniform => &self.uniform_modes,
            Stiffness::Material(_) => &self.material_modes,
        };
        let kept = match slot.get() {
            Some(modes) => modes,
            None => {
                let modes = compute(self.largest_frame_count)?;
                slot.get_or_init(|| modes)
            }
        };
        Ok((kept.weights.truncated(frame_count)?, kept.values[..frame_count].to_vec()))
    }

    /// The first `count` material eigenmodes; see [`BasisBuilder::eigenmodes`].
    pub(crate) fn material_modes(&self, count: usize) -> Result<(Weights, Vec<f64>), BasisError> {
        self.eigenmodes(Stiffness::Material(self.material), count)
    }

    /// The first `count` material eigenmodes for a widened span, computed once for the most that the default options ask of the
    /// largest frame count.
    ///
    /// # Errors
    /// As [`skinning_eigenmodes`].
    pub(crate) fn widened_modes(&self, count: usize) -> Result<(Weights, Vec<f64>), BasisError> {
        let stiffness = Stiffness::Material(self.material);
        let compute = |count| skinning_eigenmodes(self.mesh, count, stiffness, &EigenOptions::default());
        let most = CardinalOptions::default().widened(self.largest_frame_count, self.mesh.vertex_count());
        if self.largest_frame_count == 0 || count > most {
            let modes = compute(count)?;
            return Ok((modes.weights, modes.values));
        }
        let kept = match self.widened_modes.get() {
            Some(modes) => modes,
            None => {
                let modes = compute(most)?;
                self.widened_modes.get_or_init(|| modes)
            }
        };
        Ok((kept.weights.truncated(count)?, kept.values[..count].to_vec()))
    }

    /// The anchors of the body, found once.
    ///
    /// # Errors
    /// As [`find_anchors`].
    pub fn anchors(&self) -> Result<&Anchors, BasisError> {
        match self.anchors.get() {
            Some(anchors) => Ok(anchors),
            None => {
                let anchors = find_anchors(self.mesh, self.material, &self.held_sets, &self.anchor_options)?;
                Ok(self.anchors.get_or_init(|| anchors))
            }
        }
    }

    /// The anchored frames of a count. Those of the default options with modes are kept for each choice of modes; cardinal ones, which are not
    /// nested, are built for each count.
    ///
    /// # Errors
    /// As [`anchored_weights`] and [`find_anchors`].
    pub(crate) fn anchored(
        &self,
        frame_count: usize,
        options: &AnchoredOptions,
    ) -> Result<AnchoredWeights, BasisError> {
        let anchors = self.anchors()?;
        let most = most_frames(anchors, options.stiff_parts());
        // The anchors' frames alone have no modes, so nothing is worth keeping for other counts.
        if frame_count <= anchors.len() || frame_count > most || *options != AnchoredOptions::default() {
            return anchored_weights(self.mesh, self.material, anchors, frame_count, options);
        }
        let choice = choice_size(frame_count, most);
        let of_count = |error| for_frames(error, frame_count, most);
        if let Some(kept) = self.kept_anchored().get(&choice) {
            return kept.truncated(frame_count).map_err(of_count);
        }
        // Computed outside the lock, as the graphs are.
        let weights =
            anchored_weights(self.mesh, self.material, anchors, choice, options).map_err(of_count)?;
        self.kept_anchored().entry(choice).or_insert(weights).truncated(frame_count).map_err(of_count)
    }

    fn kept_anchored(&self) -> MutexGuard<'_, BTreeMap<usize, AnchoredWeights>> {
        self.anchored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error that a build of so few frames alone would have met.
fn for_frames(error: BasisError, frame_count: usize, most: usize) -> BasisError {
    match error {
        BasisError::AnchoredFrameCount { anchors, floating, least, .. } => {
            BasisError::AnchoredFrameCount { frames: frame_count, anchors, floating, least, most }
        }
        other => other,
    }
}
