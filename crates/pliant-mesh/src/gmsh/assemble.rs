//! From the sections of a Gmsh file to a mesh: cells, regions, vertex sets and arrays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::contents::{Elements, GmshContents, Run};
use super::data_section::DataSection;
use super::repeated_cells::repeated_cells;
use super::tag_index::TagIndex;
use crate::{
    AnyMesh, ArrayLocation, Dropped, InvertedCells, MeshArray, MeshError, MeshFile, MeshOptions, MeshParts,
    SimplexMesh, UnusedVertices, VertexSet,
};

/// A flat mesh keeps its z within this fraction of its extent.
const FLATNESS: f64 = 1e-10;

/// Builds the mesh: the simplices of the highest dimension become cells.
pub(super) fn assemble(path: &Path, contents: GmshContents) -> Result<MeshFile, MeshError> {
    let no_cells = || MeshError::NoCellsInFile { path: path.to_owned() };
    let elements = contents.elements.as_ref().ok_or_else(no_cells)?;
    let dimensions = elements.runs.iter().filter(|run| run.count > 0).map(|run| run.element_type.dimension());
    match dimensions.max() {
        Some(2) => assemble_in::<2>(path, &contents, AnyMesh::Two),
        Some(3) => assemble_in::<3>(path, &contents, AnyMesh::Three),
        _ => Err(no_cells()),
    }
}

fn assemble_in<const D: usize>(
    path: &Path,
    contents: &GmshContents,
    wrap: fn(SimplexMesh<D>) -> AnyMesh,
) -> Result<MeshFile, MeshError> {
    let (Some(nodes), Some(elements)) = (&contents.nodes, &contents.elements) else {
        return Err(MeshError::NoCellsInFile { path: path.to_owned() });
    };
    check_types::<D>(path, elements)?;
    let mut dropped = Vec::new();
    let mut groups = Groups::new::<D>(contents, elements);
    let mut cells = Vec::with_capacity(elements.nodes.len());
    let mut cell_regions = Vec::with_capacity(elements.tags.len());
    let mut cell_tags = Vec::with_capacity(elements.tags.len());
    let mut ungrouped: BTreeMap<_, usize> = BTreeMap::new();
    for (run, tags, vertices) in elements.by_run() {
        if run.element_type.dimension() == D {
            cells.extend_from_slice(vertices);
            cell_tags.extend_from_slice(tags);
            let group = elements.groups[run.groups.clone()].first().copied().unwrap_or(0);
            cell_regions.extend(std::iter::repeat_n(groups.region_of[&group], run.count));
        } else if run.groups.is_empty() && run.count > 0 {
            *ungrouped.entry(run.element_type).or_default() += run.count;
        }
    }
    for (element_type, count) in ungrouped {
        dropped.push(Dropped { what: element_type.plural(), count });
    }
    for section in &contents.skipped {
        dropped.push(Dropped { what: format!("${section} section"), count: 1 });
    }
    let repeated = repeated_cells::<D>(&cells);
    if !repeated.is_empty() {
        for (&cell, &first) in &repeated {
            if cell_regions[cell] != cell_regions[first] {
                let name = groups.regions[cell_regions[cell]].clone();
                add_to_set(&mut groups.vertex_sets, name, &cells[cell * (D + 1)..(cell + 1) * (D + 1)]);
            }
        }
        let corners: Vec<&[usize]> = cells.chunks_exact(D + 1).collect();
        cells = without(&corners, &repeated).concat();
        cell_regions = without(&cell_regions, &repeated);
        cell_tags = without(&cell_tags, &repeated);
        dropped.push(Dropped { what: "repeated cells".to_owned(), count: repeated.len() });
    }
    let kept = kept_vertices(&cells, nodes.positions.len());
    let parts = MeshParts {
        positions: flatten::<D>(path, &nodes.positions, &kept)?,
        cells,
        regions: groups.regions,
        cell_regions,
        vertex_sets: groups.vertex_sets,
    };
    let options =
        MeshOptions { inverted_cells: InvertedCells::Reorient, unused_vertices: UnusedVertices::Drop };
    let checked = SimplexMesh::from_parts(parts, &options)
        .map_err(|error| MeshError::InFile { path: path.to_owned(), source: Box::new(error) })?;
    for (what, count) in
        [("reoriented cells", checked.reoriented_cells), ("unused vertices", checked.dropped_vertices)]
    {
        if count > 0 {
            dropped.push(Dropped { what: what.to_owned(), count });
        }
    }
    let arrays = arrays(&contents.data, &cell_tags, &kept, &nodes.tags, &mut dropped);
    Ok(MeshFile { format: contents.format.clone(), mesh: wrap(checked.mesh), arrays, dropped })
}

impl Elements {
    /// Each run with the tags and the nodes of its elements.
    fn by_run(&self) -> impl Iterator<Item = (&Run, &[u64], &[usize])> {
        let mut first = 0;
        let mut first_node = 0;
        self.runs.iter().map(move |run| {
            let tags = &self.tags[first..first + run.count];
            let length = run.count * run.element_type.nodes;
            let nodes = &self.nodes[first_node..first_node + length];
            first += run.count;
            first_node += length;
            (run, tags, nodes)
        })
    }
}

fn check_types<const D: usize>(path: &Path, elements: &Elements) -> Result<(), MeshError> {
    let unsupported: BTreeSet<_> = elements
        .runs
        .iter()
        .filter(|run| {
            run.count > 0 && run.element_type.dimension() == D && !run.element_type.is_linear_cell()
        })
        .map(|run| run.element_type)
        .collect();
    if unsupported.is_empty() {
        return Ok(());
    }
    let kinds: Vec<String> = unsupported.into_iter().map(|kind| kind.plural()).collect();
    Err(MeshError::UnsupportedCells {
        path: path.to_owned(),
        kinds: kinds.join(", "),
        wanted: if D == 2 { "three-node triangles" } else { "four-node tetrahedra" },
    })
}

/// Physical groups as regions and vertex sets.
struct Groups {
    regions: Vec<String>,
    region_of: BTreeMap<i64, usize>,
    vertex_sets: Vec<VertexSet>,
}

impl Groups {
    /// Regions in the order of their numbers; groups that share a name are one region or one set.
    fn new<const D: usize>(contents: &GmshContents, elements: &Elements) -> Self {
        let names: BTreeMap<(usize, i64), &str> = contents
            .physical_names
            .iter()
            .map(|entry| ((entry.dimension, entry.group), entry.name.as_str()))
            .collect();
        let mut region_groups: BTreeSet<i64> =
            names.keys().filter(|&&(dimension, _)| dimension == D).map(|&(_, group)| group).collect();
        let mut members: BTreeMap<(usize, i64), Vec<usize>> = names
            .keys()
            .filter(|&&(dimension, _)| dimension < D)
            .map(|&dimension_and_group| (dimension_and_group, Vec::new()))
            .collect();
        for (run, _, vertices) in elements.by_run().filter(|(run, ..)| run.count > 0) {
            let dimension = run.element_type.dimension();
            let mut groups = elements.groups[run.groups.clone()].iter();
            if dimension == D {
                // A cell has one region; its other groups live on as vertex sets.
                region_groups.insert(groups.next().copied().unwrap_or(0));
            }
            for &group in groups {
                members.entry((dimension, group)).or_default().extend_from_slice(vertices);
            }
        }
        let name = |dimension: usize, group: i64| {
            names.get(&(dimension, group)).map_or_else(|| group.to_string(), |&name| name.to_owned())
        };
        let mut groups = Self { regions: Vec::new(), region_of: BTreeMap::new(), vertex_sets: Vec::new() };
        for group in region_groups {
            let name = name(D, group);
            let known = groups.regions.iter().position(|region| *region == name);
            let region = known.unwrap_or_else(|| {
                groups.regions.push(name);
                groups.regions.len() - 1
            });
            groups.region_of.insert(group, region);
        }
        for ((dimension, group), vertices) in members {
            let name = name(dimension, group);
            add_to_set(&mut groups.vertex_sets, name, &vertices);
        }
        groups
    }
}

fn add_to_set(sets: &mut Vec<VertexSet>, name: String, vertices: &[usize]) {
    match sets.iter_mut().find(|set| set.name == name) {
        Some(set) => set.vertices.extend(vertices),
        None => sets.push(VertexSet { name, vertices: vertices.to_vec() }),
    }
}

/// The entries of all cells but the repeated ones.
fn without<T: Copy>(entries: &[T], repeated: &BTreeMap<usize, usize>) -> Vec<T> {
    let kept = entries.iter().enumerate().filter(|(cell, _)| !repeated.contains_key(cell));
    kept.map(|(_, &entry)| entry).collect()
}

/// For each node its index after unused nodes are dropped.
fn kept_vertices(cells: &[usize], count: usize) -> Vec<Option<usize>> {
    let mut kept = vec![None; count];
    for &vertex in cells {
        kept[vertex] = Some(0);
    }
    for (index, entry) in kept.iter_mut().flatten().enumerate() {
        *entry = index;
    }
    kept
}

/// The first D coordinates; in 2D the third must be the same for all vertices of cells.
fn flatten<const D: usize>(
    path: &Path,
    positions: &[[f64; 3]],
    kept: &[Option<usize>],
) -> Result<Vec<[f64; D]>, MeshError> {
    if D == 2 {
        let used =
            || positions.iter().zip(kept).filter(|(_, kept)| kept.is_some()).map(|(position, _)| position);
        let extent = |axis: usize| {
            let (low, high) = used().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), position| {
                (position[axis].min(low), position[axis].max(high))
            });
            (low, high)
        };
        let (low, high) = extent(2);
        let size = (0..3).map(extent).map(|(low, high)| high - low).fold(0.0, f64::max);
        if high - low > FLATNESS * size {
            return Err(MeshError::NotFlat { path: path.to_owned(), low, high });
        }
    }
    Ok(positions.iter().map(|position| std::array::from_fn(|axis| position[axis])).collect())
}

/// The data sections as arrays with one entry for each cell or vertex of the mesh.
fn arrays(
    sections: &[DataSection],
    cell_tags: &[u64],
    kept: &[Option<usize>],
    node_tags: &TagIndex,
    dropped: &mut Vec<Dropped>,
) -> Vec<MeshArray> {
    let vertices = kept.iter().flatten().count();
    // A repeated element number makes arrays on cells ambiguous; they are reported as incomplete then.
    let cells = sections
        .iter()
        .any(|section| section.on == ArrayLocation::Cell)
        .then(|| TagIndex::new(cell_tags).ok())
        .flatten();
    let mut arrays: Vec<MeshArray> = Vec::new();
    for section in sections {
        let entries = if section.on == ArrayLocation::Cell { cell_tags.len() } else { vertices };
        let mut values = vec![0.0; entries * section.components];
        let mut given = vec![false; entries];
        for (&tag, value) in section.tags.iter().zip(section.values.chunks_exact(section.components)) {
            let index = match section.on {
                ArrayLocation::Cell => cells.as_ref().and_then(|cells| cells.get(tag)),
                ArrayLocation::Vertex => node_tags.get(tag).and_then(|node| kept[node]),
            };
            if let Some(index) = index {
                values[index * section.components..][..section.components].copy_from_slice(value);
                given[index] = true;
            }
        }
        let missing = given.iter().filter(|&&given| !given).count();
        if missing > 0 {
            let plural = if section.on == ArrayLocation::Cell { "cells" } else { "vertices" };
            let what = format!("array \"{}\" without values for some {}", section.name, plural);
            dropped.push(Dropped { what, count: missing });
            continue;
        }
        let array =
            MeshArray { name: section.name.clone(), on: section.on, components: section.components, values };
        match arrays.iter_mut().find(|other| other.name == array.name && other.on == array.on) {
            Some(earlier) => {
                *earlier = array;
                dropped
                    .push(Dropped { what: format!("earlier step of array \"{}\"", section.name), count: 1 });
            }
            None => arrays.push(array),
        }
    }
    arrays
}
