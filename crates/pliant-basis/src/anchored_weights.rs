//! Anchored weights: component-mode synthesis in weight space.
//!
//! Each anchor has a frame whose weight is 1 on the anchor, 0 on the others and nearly harmonic between (`base_rows`). The other frames
//! are modes, eigenvectors of `L w = lambda M w` with L the Laplacian weighted by the shear modulus and M the lumped mass at unit density: fixed-interface
//! modes of the free components, zero on every anchor, and modes of the inside of stiff parts, zero on what is held (`stiff_part_modes`).
//! They come in the order of what they are worth under unit gravity (`unit_gravity`). A component of the body without an anchor gets a
//! frame whose weight is 1 on it, so the weights of the base frames (those before the modes) always sum to one.
//! Source: Craig and Bampton, "Coupling of substructures for dynamic analyses", 1968, there for displacements.

mod base_rows;
mod free_component;
mod mode;
mod stiff_part_modes;
#[cfg(test)]
mod tests;
mod unit_gravity;

use pliant_fem::{ShapeGradients, SymmetricMatrix, laplacian, lumped_mass};
use pliant_mesh::{MaterialMap, SimplexMesh};
use rayon::prelude::*;

use crate::{Anchors, BasisError, EigenOptions, Weights};
use base_rows::{Row, base_rows};
use free_component::{FreeComponent, SolvableComponent};
use mode::{Mode, lowest};
use stiff_part_modes::stiff_part_modes;
use unit_gravity::{is_firmly_held, order_of_worth};

/// Coordinates of base frames and candidates up to which modes are ordered by worth.
const MOST_COORDINATES: usize = 4000;
/// Least number of modes to choose from beyond those wanted.
const SPARE_MODES: usize = 8;

/// How anchored weights are built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnchoredOptions {
    /// In which order modes come. Default: by worth.
    pub order: ModeOrder,
    /// What stiff parts may do. Default: bend.
    pub stiff_parts: StiffParts,
    /// What the anchors' frames do between anchors. Default: what a swinging body does.
    pub between: BetweenAnchors,
    /// How eigenvectors are found. Default: see [`EigenOptions`].
    pub eigen: EigenOptions,
}

/// In which order modes come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeOrder {
    /// By the elastic energy that each adds under unit gravity along every axis. Bodies that pins and handles do not hold firmly, and those with more than
    /// 4000 coordinates to choose from, have the order of eigenvalues; [`AnchoredWeights::order`] tells.
    #[default]
    Worth,
    /// Ascending eigenvalues.
    Eigenvalue,
}

/// What stiff parts may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StiffParts {
    /// Modes may act inside stiff parts, where they are worth more than those of the free components; never inside what is held.
    #[default]
    Bend,
    /// Each moves by one affine map.
    Affine,
}

/// What the weights of the anchors' frames do in the free components between anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BetweenAnchors {
    /// Harmonic, bent by the inertia of anchors that swing slowly: more accurate by themselves, some weights slightly negative.
    #[default]
    Swinging,
    /// Harmonic: of least energy, never below 0 on a mesh without obtuse angles. A better start to grow other frames from.
    Harmonic,
}

/// Anchored weights of one body.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct AnchoredWeights {
    /// W, n x k: first one frame for each anchor in their order, then one for each component without an anchor, then the modes
    /// (largest entry 1). The modes are exactly 0 on everything held, and each acts inside one stiff part at most.
    pub weights: Weights,
    /// How many anchors there are; the first frames are theirs.
    pub anchor_count: usize,
    /// How many frames there are before the modes; their weights sum to one in every row.
    pub base_frame_count: usize,
    /// The eigenvalue of each mode in Pa/m^2, in the order of the modes.
    pub eigenvalues: Vec<f64>,
    /// The order that the modes have.
    pub order: ModeOrder,
}

impl AnchoredWeights {
    /// The first `frame_count` frames alone.
    ///
    /// # Errors
    /// Fewer than the base frames, or more than there are.
    pub fn truncated(&self, frame_count: usize) -> Result<Self, BasisError> {
        if frame_count < self.base_frame_count {
            return Err(BasisError::AnchoredFrameCount {
                frames: frame_count,
                anchors: self.anchor_count,
                floating: self.base_frame_count - self.anchor_count,
                least: self.base_frame_count,
                most: self.weights.frame_count(),
            });
        }
        let weights = self.weights.truncated(frame_count)?;
        let eigenvalues = self.eigenvalues[..frame_count - self.base_frame_count].to_vec();
        Ok(Self { weights, eigenvalues, ..*self })
    }
}

/// The weights of `frame_count` frames. The base frames are the same for every count; in the order of eigenvalues a prefix of the frames is the
/// answer for fewer, by worth it is nearly as good (modes are chosen among a third more than are wanted). For each component of the free
/// vertices one factorisation with a solve for each anchor around it, and eigenproblems; see `unit_gravity` for the cost of the order.
///
/// # Errors
/// Fewer frames than anchors (and components without one), more than anchors and vertices that may move, anchors or a material map of
/// another mesh, an eigensolver that fails.
pub fn anchored_weights<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    anchors: &Anchors,
    frame_count: usize,
    options: &AnchoredOptions,
) -> Result<AnchoredWeights, BasisError> {
    check_sizes(mesh, material, anchors)?;
    let mu: Vec<f64> = (0..mesh.cell_count()).map(|cell| material.material(cell).mu()).collect();
    let laplacian = laplacian(mesh, &ShapeGradients::new(mesh), &mu);
    let components = FreeComponent::find(&laplacian, anchors);
    let floating = components.iter().filter(|component| component.floats()).count();
    let base_frame_count = anchors.len() + floating;
    let most = most_frames(anchors, options.stiff_parts);
    if frame_count < base_frame_count || frame_count > most {
        return Err(BasisError::AnchoredFrameCount {
            frames: frame_count,
            anchors: anchors.len(),
            floating,
            least: base_frame_count,
            most,
        });
    }
    let mass = lumped_mass(mesh, &vec![1.0; mesh.cell_count()]);
    let mut components = components
        .into_par_iter()
        .map(|component| component.solvable(&laplacian))
        .collect::<Result<Vec<_>, BasisError>>()?;
    let rows = base_rows_of_all(&laplacian, &mass, anchors, &mut components, options.between);
    let mode_count = frame_count - base_frame_count;
    let free_modes = |count: usize| {
        components
            .par_iter()
            .map(|part| part.modes(&mass, count, &options.eigen))
            .collect::<Result<Vec<_>, _>>()
    };
    let by_worth =
        options.order == ModeOrder::Worth && mode_count > 0 && is_firmly_held(mesh, anchors.held());
    let wanted = if by_worth { mode_count + SPARE_MODES.max(mode_count / 3) } else { mode_count };
    let free = lowest(free_modes(wanted)?, wanted);
    let stiff = match options.stiff_parts {
        StiffParts::Bend => {
            modes_of_stiff_parts(&laplacian, &mass, anchors, &mut components, mode_count, &options.eigen)?
        }
        StiffParts::Affine => Vec::new(),
    };
    let all = free.len() + stiff.len();
    let mut modes = lowest(vec![free, stiff], all);
    let mut order = ModeOrder::Eigenvalue;
    if by_worth && (base_frame_count + all) * D * (D + 1) <= MOST_COORDINATES {
        order = ModeOrder::Worth;
        let base = columns(base_frame_count, &rows);
        let places = order_of_worth(mesh, material, anchors.held(), base, &modes, mode_count)?;
        modes = places.into_iter().map(|place| modes[place].clone()).collect();
    }
    modes.truncate(mode_count);
    let weights = with_modes(rows, base_frame_count, &modes)?;
    let eigenvalues = modes.iter().map(|mode| mode.eigenvalue).collect();
    Ok(AnchoredWeights { weights, anchor_count: anchors.len(), base_frame_count, eigenvalues, order })
}

/// The largest number of frames: anchors that something holds, and every vertex that may move on its own.
pub(crate) fn most_frames(anchors: &Anchors, stiff_parts: StiffParts) -> usize {
    let held = |anchor: &&crate::Anchor| anchor.vertices.iter().any(|&vertex| anchors.held()[vertex]);
    match stiff_parts {
        StiffParts::Bend => {
            let moving = anchors.held().iter().filter(|held| !**held).count();
            anchors.as_slice().iter().filter(held).count() + moving
        }
        StiffParts::Affine => anchors.len() + anchors.free_vertices().len(),
    }
}

fn check_sizes<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    anchors: &Anchors,
) -> Result<(), BasisError> {
    let sizes = [
        ("entries of the material map", material.cell_count(), mesh.cell_count(), "cells"),
        (
            "vertices that may belong to an anchor",
            anchors.of_vertices().len(),
            mesh.vertex_count(),
            "vertices",
        ),
    ];
    match sizes.into_iter().find(|(_, given, expected, _)| given != expected) {
        Some((what, given, expected, of)) => Err(BasisError::OtherMesh { what, given, expected, of }),
        None => Ok(()),
    }
}

/// The weights of the base frames, a row for each vertex of the body.
fn base_rows_of_all(
    laplacian: &SymmetricMatrix,
    mass: &[f64],
    anchors: &Anchors,
    components: &mut [SolvableComponent],
    between: BetweenAnchors,
) -> Vec<Row> {
    let of_components = base_rows(laplacian, mass, anchors, components, between);
    let mut rows: Vec<Row> = anchors
        .of_vertices()
        .iter()
        .map(|anchor| anchor.map(|anchor| (anchor, 1.0)).into_iter().collect())
        .collect();
    let mut next_floating = anchors.len();
    for (component, of_component) in components.iter().zip(of_components) {
        for (&vertex, mut row) in component.component.vertices.iter().zip(of_component) {
            if component.component.floats() {
                row.push((next_floating, 1.0));
            }
            rows[vertex] = row;
        }
        next_floating += usize::from(component.component.floats());
    }
    rows
}

/// The `count` lowest modes of all stiff parts together; of each part its share and as many again.
fn modes_of_stiff_parts(
    laplacian: &SymmetricMatrix,
    mass: &[f64],
    anchors: &Anchors,
    components: &mut [SolvableComponent],
    count: usize,
    options: &EigenOptions,
) -> Result<Vec<Mode>, BasisError> {
    let each = count.min(2 + (2 * count).div_ceil(anchors.len().max(1)));
    let of_part = |anchor| stiff_part_modes(laplacian, mass, anchors, anchor, components, each, options);
    Ok(lowest((0..anchors.len()).map(of_part).collect::<Result<Vec<_>, _>>()?, count))
}

/// The columns of the base frames as `(vertex, weight)` pairs.
fn columns(frame_count: usize, rows: &[Row]) -> Vec<Vec<(usize, f64)>> {
    let mut columns = vec![Vec::new(); frame_count];
    for (vertex, row) in rows.iter().enumerate() {
        row.iter().for_each(|&(frame, weight)| columns[frame].push((vertex, weight)));
    }
    columns
}

fn with_modes(mut rows: Vec<Row>, base_frame_count: usize, modes: &[Mode]) -> Result<Weights, BasisError> {
    for (index, mode) in modes.iter().enumerate() {
        mode.entries
            .iter()
            .for_each(|&(vertex, weight)| rows[vertex].push((base_frame_count + index, weight)));
    }
    Weights::from_rows(base_frame_count + modes.len(), &rows)
}
