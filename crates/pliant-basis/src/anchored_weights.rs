//! Anchored weights: component-mode synthesis in weight space.
//!
//! Each anchor has a frame whose weight is 1 on the anchor, 0 on the others and nearly harmonic between (`base_rows`). The other frames
//! are modes, eigenvectors of `L w = lambda M w` with L the Laplacian weighted by the shear modulus and M the lumped mass at unit density: fixed-interface
//! modes of the free components, zero on every anchor, and modes of the inside of stiff parts, zero on what is held (`stiff_part_modes`).
//! They come in the order of what they are worth under unit gravity (`unit_gravity`). A component of the body without an anchor gets a
//! frame whose weight is 1 on it, so the weights of the base frames (those before the modes) always sum to one.
//! Source: Craig and Bampton, "Coupling of substructures for dynamic analyses", 1968, there for displacements.

mod base_rows;
mod cardinal_rows;
mod free_component;
mod mode;
mod stiff_part_modes;
#[cfg(test)]
mod tests;
mod unit_gravity;

use pliant_fem::{ShapeGradients, SymmetricMatrix, laplacian, lumped_mass};
use pliant_mesh::{MaterialMap, SimplexMesh};
use rayon::prelude::*;

use crate::cardinal::Row;
use crate::{Anchors, BasisError, CardinalOptions, EigenOptions, Weights};
use base_rows::base_rows;
use cardinal_rows::cardinal_rows;
use free_component::{FreeComponent, SolvableComponent};
use mode::{Mode, lowest, sort};
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
    /// Weights that are sparse and interpolate at nodes in place of modes; stiff parts are affine then. Default: none, modes;
    /// otherwise best [`CardinalOptions::anchored`].
    pub cardinal: Option<CardinalOptions>,
    /// How eigenvectors are found. Default: see [`EigenOptions`].
    pub eigen: EigenOptions,
}

impl AnchoredOptions {
    /// What stiff parts may do: cardinal weights keep them affine, so that they stay 1 on their own anchors.
    pub(crate) fn stiff_parts(&self) -> StiffParts {
        if self.cardinal.is_some() { StiffParts::Affine } else { self.stiff_parts }
    }
}

/// In which order modes come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeOrder {
    /// By the elastic energy that each adds under unit gravity along every axis. Handles do not hold then. Bodies that pins do not hold firmly, and those with more than
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
    /// For cardinal weights the node of each frame, of anchors their lowest vertex; empty for modes. Then all rows sum to one and no
    /// prefix of the frames does.
    pub nodes: Vec<usize>,
}

impl AnchoredWeights {
    /// The first `frame_count` frames alone.
    ///
    /// # Errors
    /// Fewer than the base frames (of cardinal weights fewer than all), or more than there are.
    pub fn truncated(&self, frame_count: usize) -> Result<Self, BasisError> {
        let least = if self.nodes.is_empty() { self.base_frame_count } else { self.weights.frame_count() };
        if frame_count < least {
            return Err(BasisError::AnchoredFrameCount {
                frames: frame_count,
                anchors: self.anchor_count,
                floating: self.base_frame_count - self.anchor_count,
                least,
                most: self.weights.frame_count(),
            });
        }
        let weights = self.weights.truncated(frame_count)?;
        let eigenvalues = self.eigenvalues[..frame_count - self.base_frame_count].to_vec();
        Ok(Self { weights, eigenvalues, nodes: self.nodes.clone(), ..*self })
    }
}

/// The weights of `frame_count` frames. The base frames are the same for every count, and so are the first modes for all counts of one `choice_size`,
/// whose modes are chosen among the same: a prefix of the frames is the answer for fewer there, elsewhere nearly as good. For each component of
/// the free vertices one factorisation with a solve for each anchor around it, and eigenproblems; see `unit_gravity` for the cost of the order.
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
    let most = most_frames(anchors, options.stiff_parts());
    if frame_count < base_frame_count || frame_count > most {
        return Err(BasisError::AnchoredFrameCount {
            frames: frame_count,
            anchors: anchors.len(),
            floating,
            least: base_frame_count,
            most,
        });
    }
    let mut body = AnchoredBody {
        mass: lumped_mass(mesh, &vec![1.0; mesh.cell_count()]),
        components: components
            .into_par_iter()
            .map(|component| component.solvable(&laplacian))
            .collect::<Result<Vec<_>, BasisError>>()?,
        laplacian,
        anchors,
        eigen: &options.eigen,
    };
    let base = body.base_rows(options.between);
    let wanted = frame_count - base_frame_count;
    // Cardinal weights are no prefix of others, and the lowest modes make the most local ones. Base frames alone need no choice.
    let choice = match &options.cardinal {
        None if wanted > 0 => choice_size(frame_count, most) - base_frame_count,
        _ => wanted,
    };
    let (mut modes, order) = body.modes(mesh, material, &base, choice, options)?;
    modes.truncate(wanted);
    let (rows, nodes) = match &options.cardinal {
        None => (with_modes(base, base_frame_count, &modes), Vec::new()),
        Some(cardinal) => body.cardinal(&base, &modes, cardinal)?,
    };
    let weights = Weights::from_rows(frame_count, &rows)?;
    let eigenvalues = modes.iter().map(|mode| mode.eigenvalue).collect();
    Ok(AnchoredWeights { weights, anchor_count: anchors.len(), base_frame_count, eigenvalues, order, nodes })
}

/// The frame count that modes are chosen for when `frame_count` are asked for: 48, or the next power of two, or one and a half times one.
///
/// What a count gives so depends on nothing but itself, and a sweep over counts needs few choices. More modes to choose from are worth it: among
/// those for 48 frames the best 12 are up to 15 % more accurate than among those for 12.
pub(crate) fn choice_size(frame_count: usize, most: usize) -> usize {
    const LEAST: usize = 48;
    let power = frame_count.next_power_of_two();
    let between = power / 4 * 3;
    let size = if frame_count <= between { between } else { power };
    size.max(LEAST).min(most)
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

/// What all steps need.
struct AnchoredBody<'a> {
    laplacian: SymmetricMatrix,
    mass: Vec<f64>,
    anchors: &'a Anchors,
    components: Vec<SolvableComponent>,
    eigen: &'a EigenOptions,
}

impl AnchoredBody<'_> {
    /// The weights of the base frames, a row for each vertex of the body.
    fn base_rows(&mut self, between: BetweenAnchors) -> Vec<Row> {
        let of_components =
            base_rows(&self.laplacian, &self.mass, self.anchors, &mut self.components, between);
        let alone = |anchor: &Option<usize>| anchor.map(|anchor| (anchor, 1.0)).into_iter().collect();
        let mut rows: Vec<Row> = self.anchors.of_vertices().iter().map(alone).collect();
        let mut next_floating = self.anchors.len();
        for (part, of_component) in self.components.iter().zip(of_components) {
            for (&vertex, mut row) in part.component.vertices.iter().zip(of_component) {
                if part.component.floats() {
                    row.push((next_floating, 1.0));
                }
                rows[vertex] = row;
            }
            next_floating += usize::from(part.component.floats());
        }
        rows
    }

    /// The `count` modes to take, and the order that they have.
    fn modes<const D: usize>(
        &mut self,
        mesh: &SimplexMesh<D>,
        material: &MaterialMap,
        base: &[Row],
        count: usize,
        options: &AnchoredOptions,
    ) -> Result<(Vec<Mode>, ModeOrder), BasisError> {
        let by_worth =
            options.order == ModeOrder::Worth && count > 0 && is_firmly_held(mesh, self.anchors.pinned());
        let wanted = if by_worth { count + SPARE_MODES.max(count / 3) } else { count };
        let free = self.components.par_iter().map(|part| part.modes(&self.mass, wanted, self.eigen));
        let mut modes = lowest(free.collect::<Result<Vec<_>, _>>()?, 0, wanted);
        if options.stiff_parts() == StiffParts::Bend {
            modes.extend(self.modes_of_stiff_parts(count)?);
            sort(&mut modes);
        }
        let base_frame_count = self.anchors.len() + self.floating();
        if !by_worth || (base_frame_count + modes.len()) * D * (D + 1) > MOST_COORDINATES {
            modes.truncate(count);
            return Ok((modes, ModeOrder::Eigenvalue));
        }
        let base = columns(base_frame_count, base);
        let places = order_of_worth(mesh, material, self.anchors.pinned(), base, &modes, count)?;
        Ok((places.into_iter().map(|place| modes[place].clone()).collect(), ModeOrder::Worth))
    }

    /// The `count` lowest modes of all stiff parts together; of each part its share and as many again.
    fn modes_of_stiff_parts(&mut self, count: usize) -> Result<Vec<Mode>, BasisError> {
        let each = count.min(2 + (2 * count).div_ceil(self.anchors.len().max(1)));
        let (laplacian, mass, anchors, eigen) = (&self.laplacian, &self.mass, self.anchors, self.eigen);
        let components = &mut self.components;
        let of_part = |anchor| stiff_part_modes(laplacian, mass, anchors, anchor, components, each, eigen);
        let parts = (0..anchors.len()).map(of_part).collect::<Result<Vec<_>, _>>()?;
        Ok(lowest(parts, self.components.len(), count))
    }

    /// Base frames and modes as cardinal functions made sparse, and the node of each frame.
    fn cardinal(
        &self,
        base: &[Row],
        modes: &[Mode],
        options: &CardinalOptions,
    ) -> Result<(Vec<Row>, Vec<usize>), BasisError> {
        options.check()?;
        let in_component = |index| modes.iter().filter(move |mode| mode.group == index).cloned();
        let chosen: Vec<Vec<Mode>> =
            (0..self.components.len()).map(|index| in_component(index).collect()).collect();
        let counts: Vec<usize> = chosen.iter().map(Vec::len).collect();
        let rows_of = |modes: &[Vec<Mode>]| {
            let anchors = self.anchors.len();
            cardinal_rows(base, anchors, &self.components, modes, &counts, &self.mass, options.decay)
        };
        let mut found = rows_of(&chosen);
        if !options.is_local(&found.rows) {
            let widened = |(part, &count): (&SolvableComponent, &usize)| {
                let wanted =
                    if count == 0 { 0 } else { options.widened(count, part.component.vertices.len()) };
                part.modes(&self.mass, wanted, self.eigen)
            };
            let modes = self.components.par_iter().zip(&counts).map(widened);
            found = rows_of(&modes.collect::<Result<Vec<_>, _>>()?);
        }
        let of_anchors = self.anchors.as_slice().iter().map(|anchor| anchor.vertices[0]);
        Ok((
            options.shrink(&found.rows, self.anchors.len() + self.floating() + modes.len()),
            of_anchors.chain(found.nodes).collect(),
        ))
    }

    fn floating(&self) -> usize {
        self.components.iter().filter(|part| part.component.floats()).count()
    }
}

/// The columns of the base frames as `(vertex, weight)` pairs.
fn columns(frame_count: usize, rows: &[Row]) -> Vec<Vec<(usize, f64)>> {
    let mut columns = vec![Vec::new(); frame_count];
    for (vertex, row) in rows.iter().enumerate() {
        row.iter().for_each(|&(frame, weight)| columns[frame].push((vertex, weight)));
    }
    columns
}

fn with_modes(mut rows: Vec<Row>, base_frame_count: usize, modes: &[Mode]) -> Vec<Row> {
    for (index, mode) in modes.iter().enumerate() {
        mode.entries
            .iter()
            .for_each(|&(vertex, weight)| rows[vertex].push((base_frame_count + index, weight)));
    }
    rows
}
