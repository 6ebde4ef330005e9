//! Anchors: the sets of vertices of a body that move as one, each by one affine map.
//!
//! They are the connected stiff parts ([`AnchorOptions::stiffness_ratio`]) and the sets that are held, pins and handles. Sets that share a vertex
//! are one anchor. Anchors come in the order of their lowest vertex.

mod disjoint_sets;
mod stiff_parts;
#[cfg(test)]
mod tests;

use pliant_mesh::{MaterialMap, SimplexMesh, VertexSet};

use crate::BasisError;
use disjoint_sets::DisjointSets;
use stiff_parts::{connected_cells, stiff_parts};

/// How anchors are found.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchorOptions {
    /// Which sets become anchors. Default: the stiff parts and all held sets.
    pub choice: AnchorChoice,
    /// A part is stiff when its modulus exceeds the softest that it touches by more than this factor, above 1. Default 30.
    pub stiffness_ratio: f64,
    /// The names of held sets that are handles and may move; all others are pins. Default none.
    pub handles: Vec<String>,
}

impl Default for AnchorOptions {
    fn default() -> Self {
        Self { choice: AnchorChoice::Automatic, stiffness_ratio: 30.0, handles: Vec::new() }
    }
}

/// Which sets become anchors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnchorChoice {
    /// Every connected stiff part and every held set.
    #[default]
    Automatic,
    /// These alone, each the name of a held set, a vertex set of the mesh or a region (each connected piece of it); where a name
    /// is several of these, the first of that order counts.
    Named(Vec<String>),
}

/// What an anchor was found as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorKind {
    /// A connected stiff part, or a connected piece of a named region.
    StiffPart,
    /// A held set, pin or handle, or a named vertex set.
    Held,
}

/// A set of vertices that move as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The names of the sets that were merged, joined by ` + `: a pin's or a handle's own name; for stiff parts the region of the
    /// lowest cell, numbered from 1 where a region holds several.
    pub name: String,
    /// [`AnchorKind::Held`] as soon as one of the merged sets is held.
    pub kind: AnchorKind,
    /// The vertices, ascending, at least one.
    pub vertices: Vec<usize>,
}

/// The anchors of one body, disjoint, by lowest vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchors {
    list: Vec<Anchor>,
    of_vertex: Vec<Option<usize>>,
    held: Vec<bool>,
    pinned: Vec<bool>,
}

impl Anchors {
    /// The anchors, by lowest vertex.
    pub fn as_slice(&self) -> &[Anchor] {
        &self.list
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the body has none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// For each vertex the index of its anchor, `None` for free vertices; n.
    pub fn of_vertices(&self) -> &[Option<usize>] {
        &self.of_vertex
    }

    /// For each vertex whether it is in a held set, a pin, a handle or a named vertex set, and not only in a stiff part; n.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// For each vertex whether it is in a held set that is an anchor and no handle; n.
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// The vertices that belong to no anchor, ascending.
    pub fn free_vertices(&self) -> Vec<usize> {
        (0..self.of_vertex.len()).filter(|&vertex| self.of_vertex[vertex].is_none()).collect()
    }

    fn merge(vertex_count: usize, mut found: Vec<Anchor>, handles: &[String]) -> Self {
        let mut sets = DisjointSets::new(vertex_count);
        found.iter().for_each(|anchor| sets.join_all(&anchor.vertices));
        found.sort_by_key(|anchor| anchor.vertices[0]);
        let mut of_lowest = vec![None; vertex_count];
        let mut anchors = Self {
            list: Vec::new(),
            of_vertex: vec![None; vertex_count],
            held: vec![false; vertex_count],
            pinned: vec![false; vertex_count],
        };
        for anchor in found {
            if anchor.kind == AnchorKind::Held {
                let pinned = !handles.contains(&anchor.name);
                for &vertex in &anchor.vertices {
                    anchors.held[vertex] = true;
                    anchors.pinned[vertex] |= pinned;
                }
            }
            let place = &mut of_lowest[sets.lowest(anchor.vertices[0])];
            let index = *place.get_or_insert(anchors.list.len());
            anchor.vertices.iter().for_each(|&vertex| anchors.of_vertex[vertex] = Some(index));
            match anchors.list.get_mut(index) {
                None => anchors.list.push(Anchor { vertices: Vec::new(), ..anchor }),
                Some(merged) => {
                    merged.name = format!("{} + {}", merged.name, anchor.name);
                    merged.kind = merged.kind.max(anchor.kind);
                }
            }
        }
        for (vertex, anchor) in anchors.of_vertex.iter().enumerate() {
            if let Some(anchor) = anchor {
                anchors.list[*anchor].vertices.push(vertex);
            }
        }
        anchors
    }
}

/// The anchors of a body. `held` are its pins and handles, by name. O(t log t).
///
/// # Errors
/// A material map of another mesh, a stiffness ratio that is not above 1, a held set without vertices or with one out of
/// range, a name that is no set.
pub fn find_anchors<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    held: &[VertexSet],
    options: &AnchorOptions,
) -> Result<Anchors, BasisError> {
    if material.cell_count() != mesh.cell_count() {
        return Err(BasisError::OtherMesh {
            what: "entries of the material map",
            given: material.cell_count(),
            expected: mesh.cell_count(),
            of: "cells",
        });
    }
    held.iter().try_for_each(|set| check_held(set, mesh.vertex_count()))?;
    let ratio = options.stiffness_ratio;
    if !(ratio.is_finite() && ratio > 1.0) {
        return Err(BasisError::StiffnessRatio { ratio });
    }
    let mut found = Vec::new();
    match &options.choice {
        AnchorChoice::Automatic => {
            push_parts(mesh, stiff_parts(mesh, material.youngs_modulus(), ratio), &mut found);
            found.extend(held.iter().map(held_anchor));
        }
        AnchorChoice::Named(names) => {
            for name in names {
                let set = held.iter().chain(mesh.vertex_sets()).find(|set| set.name == *name);
                let region = mesh.regions().iter().position(|region| region == name);
                match (set, region) {
                    (Some(set), _) if !set.vertices.is_empty() => found.push(held_anchor(set)),
                    (None, Some(region)) => {
                        let in_region = |cell: usize| mesh.cell_regions()[cell] == region;
                        push_parts(mesh, connected_cells(mesh, in_region), &mut found);
                    }
                    _ => return Err(unknown_name(mesh, held, name)),
                }
            }
        }
    }
    Ok(Anchors::merge(mesh.vertex_count(), found, &options.handles))
}

fn check_held(set: &VertexSet, vertex_count: usize) -> Result<(), BasisError> {
    if set.vertices.is_empty() {
        return Err(BasisError::EmptyHeldSet { name: set.name.clone() });
    }
    match set.vertices.iter().find(|&&vertex| vertex >= vertex_count) {
        Some(&vertex) => {
            Err(BasisError::HeldVertex { name: set.name.clone(), vertex, vertices: vertex_count })
        }
        None => Ok(()),
    }
}

fn unknown_name<const D: usize>(mesh: &SimplexMesh<D>, held: &[VertexSet], name: &str) -> BasisError {
    let sets = held.iter().chain(mesh.vertex_sets()).map(|set| &set.name);
    BasisError::UnknownAnchor { name: name.to_owned(), known: sets.chain(mesh.regions()).cloned().collect() }
}

fn held_anchor(set: &VertexSet) -> Anchor {
    Anchor { name: set.name.clone(), kind: AnchorKind::Held, vertices: ascending(set.vertices.clone()) }
}

fn push_parts<const D: usize>(mesh: &SimplexMesh<D>, parts: Vec<Vec<usize>>, found: &mut Vec<Anchor>) {
    let mut region_counts = vec![0; mesh.regions().len()];
    let region = |cells: &[usize]| mesh.cell_regions()[cells[0]];
    parts.iter().for_each(|cells| region_counts[region(cells)] += 1);
    let mut numbers = vec![0; region_counts.len()];
    for cells in parts {
        let region = region(&cells);
        numbers[region] += 1;
        let name = &mesh.regions()[region];
        let several = region_counts[region] > 1;
        let name = if several { format!("{name} {}", numbers[region]) } else { name.clone() };
        let vertices = ascending(cells.iter().flat_map(|&cell| mesh.cell(cell)).copied().collect());
        found.push(Anchor { name, kind: AnchorKind::StiffPart, vertices });
    }
}

fn ascending(mut vertices: Vec<usize>) -> Vec<usize> {
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
