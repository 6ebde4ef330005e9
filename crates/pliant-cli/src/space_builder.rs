//! What the subspaces of a scene share: graphs, eigenmodes and anchors of its body, and the frames that are grown from its loads.

use pliant::basis::{AnchorChoice, AnchorOptions, BasisBuilder};
use pliant::mesh::VertexSet;
use pliant::statics::{AdaptiveOptions, Equilibrium};

use crate::failure::Failure;
use crate::grown_frames::GrownFrames;
use crate::load_case::handle_vertices;
use crate::model::{Model, select_vertices};
use crate::scene::{HandleSpec, Scene, SubspaceSpec};
use crate::setting::Setting;
use crate::space_method::SpaceMethod;

/// Builds the subspaces of one model; it can be shared between threads.
#[derive(Debug)]
pub struct SpaceBuilder<'a, const D: usize> {
    basis: BasisBuilder<'a, D>,
    grown: Vec<(AdaptiveOptions, Result<GrownFrames, Failure>)>,
}

impl<'a, const D: usize> SpaceBuilder<'a, D> {
    /// Prepares for these subspaces. The scene's pins are anchors, and the handles that `driven`, its training and its testing loads turn.
    ///
    /// # Errors
    /// What the library says, a selection that fails, or more frames than the mesh has vertices; the message points at the frame
    /// count.
    pub fn new(
        model: &'a Model<D>,
        scene: &Scene,
        specs: &[SubspaceSpec],
        driven: Option<&HandleSpec>,
    ) -> Result<Self, Failure> {
        check_frame_counts(model, scene, specs)?;
        let sets = held_sets(model, scene, driven)?;
        let choice = scene.anchors.clone().map_or(AnchorChoice::Automatic, AnchorChoice::Named);
        let handles = scene.handles.iter().map(|handle| handle.name.value.clone()).collect();
        let largest = specs.iter().map(|spec| spec.frames).max().unwrap_or(0);
        let basis = BasisBuilder::new(&model.mesh, &model.material)
            .map_err(Failure::work)?
            .with_held_sets(sets)
            .with_anchor_options(AnchorOptions { choice, handles, ..AnchorOptions::default() })
            .with_largest_frame_count(largest);
        Ok(Self { basis, grown: Vec::new() })
    }

    /// Grows the adaptive frames of these subspaces, once for all that grow alike, unless there are as many already. What goes wrong there is
    /// said when one of them is built.
    pub fn grow_frames(&mut self, setting: &Setting<'_, D>, specs: &[SubspaceSpec]) {
        let mut wanted: Vec<AdaptiveOptions> = Vec::new();
        for spec in specs.iter().filter(|spec| spec.method == SpaceMethod::Adaptive) {
            match wanted.iter_mut().find(|options| grows_alike(options, &spec.growth)) {
                Some(options) => options.frames = options.frames.max(spec.frames),
                None => wanted.push(AdaptiveOptions { frames: spec.frames, ..spec.growth.clone() }),
            }
        }
        let is_there = |options: &AdaptiveOptions| {
            self.grown.iter().any(|(other, _)| grows_alike(other, options) && other.frames >= options.frames)
        };
        wanted.retain(|options| !is_there(options));
        for options in wanted {
            let grown = self.grow(setting, &options, None);
            self.grown.retain(|(other, _)| !grows_alike(other, &options));
            self.grown.push((options, grown));
        }
    }

    /// Grows frames; as [`GrownFrames::grow`].
    ///
    /// # Errors
    /// What the library says.
    pub fn grow(
        &self,
        setting: &Setting<'_, D>,
        options: &AdaptiveOptions,
        full: Option<&[Equilibrium<D>]>,
    ) -> Result<GrownFrames, Failure> {
        GrownFrames::grow(&self.basis, setting, options, full)
    }

    /// What builds weights from mesh, material and anchors alone.
    pub fn basis(&self) -> &BasisBuilder<'a, D> {
        &self.basis
    }

    /// The frames that were grown with these options.
    ///
    /// # Errors
    /// What went wrong when they were grown.
    pub fn grown(&self, options: &AdaptiveOptions) -> Result<&GrownFrames, Failure> {
        let found = self.grown.iter().find(|(other, _)| grows_alike(other, options));
        match found {
            Some((_, Ok(grown))) => Ok(grown),
            Some((_, Err(failure))) => Err(failure.clone()),
            None => Err(Failure::input(
                "adaptive frames grow from the loads of a scene, and here is none; give a scene with pins and loads",
            )),
        }
    }
}

/// Whether two growths are the same as far as both go.
fn grows_alike(a: &AdaptiveOptions, b: &AdaptiveOptions) -> bool {
    AdaptiveOptions { frames: 0, ..a.clone() } == AdaptiveOptions { frames: 0, ..b.clone() }
}

fn check_frame_counts<const D: usize>(
    model: &Model<D>,
    scene: &Scene,
    specs: &[SubspaceSpec],
) -> Result<(), Failure> {
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
    Ok(())
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
    let turned = scene.training.iter().chain(&scene.testing).filter_map(|load| load.turn.as_ref());
    let mut driven: Vec<&str> =
        turned.map(|(handle, _)| handle.value.as_str()).chain(driven.map(name_of)).collect();
    driven.extend(scene.anchors.iter().flatten().map(String::as_str));
    for handle in scene.handles.iter().filter(|handle| driven.contains(&name_of(handle))) {
        let vertices = handle_vertices(&model.mesh, handle)?;
        sets.push(VertexSet { name: handle.name.value.clone(), vertices });
    }
    Ok(sets)
}

fn name_of(handle: &HandleSpec) -> &str {
    &handle.name.value
}
