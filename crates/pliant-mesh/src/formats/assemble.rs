//! From what a file says to a mesh: cells, regions, vertex sets and arrays.

use std::collections::BTreeMap;
use std::path::Path;

use super::file_arrays::mesh_arrays;
use super::file_mesh::FileMesh;
use super::groups::{Groups, group_by_array, sets_of_arrays};
use super::repeated_cells::repeated_cells;
use super::split_cells::split_cell;
use crate::mesh_parts::signed_volume;
use crate::{
    AnyMesh, InvertedCells, MeshError, MeshFile, MeshOptions, MeshParts, SimplexMesh, UnusedVertices,
};

/// A flat mesh keeps its z within this fraction of its extent.
const FLATNESS: f64 = 1e-10;

/// Builds the mesh: the elements of the highest dimension, cut into simplices, become cells.
pub(super) fn assemble(path: &Path, mut file: FileMesh) -> Result<MeshFile, MeshError> {
    let dimensions = file.runs.iter().filter(|run| run.count > 0).map(|run| run.cell_type.dimension());
    let dimension = dimensions.max().unwrap_or(0);
    if dimension < 2 {
        return Err(MeshError::NoCellsInFile { path: path.to_owned() });
    }
    group_by_array(&mut file, dimension);
    sets_of_arrays(&mut file);
    if dimension == 2 {
        assemble_in::<2>(path, file, AnyMesh::Two)
    } else {
        assemble_in::<3>(path, file, AnyMesh::Three)
    }
}

/// The simplices of the mesh as they are collected.
struct Simplices {
    /// D+1 points each.
    cells: Vec<usize>,
    regions: Vec<usize>,
    /// The element that each is a part of.
    parents: Vec<usize>,
}

fn assemble_in<const D: usize>(
    path: &Path,
    mut file: FileMesh,
    wrap: fn(SimplexMesh<D>) -> AnyMesh,
) -> Result<MeshFile, MeshError> {
    let mut groups = Groups::new(&file, D);
    let mut dropped = Vec::new();
    std::mem::swap(&mut dropped, &mut file.dropped);
    let mut simplices = collect_simplices::<D>(path, &file, &groups)?;
    report_types::<D>(&mut file);
    file.dropped.append(&mut dropped);
    let repeated = repeated_cells::<D>(&simplices.cells);
    if !repeated.is_empty() {
        for (&cell, &first) in &repeated {
            if simplices.regions[cell] != simplices.regions[first] {
                let name = groups.regions[simplices.regions[cell]].clone();
                groups.add_to_set(name, &simplices.cells[cell * (D + 1)..(cell + 1) * (D + 1)]);
            }
        }
        let corners: Vec<&[usize]> = simplices.cells.chunks_exact(D + 1).collect();
        simplices.cells = without(&corners, &repeated).concat();
        simplices.regions = without(&simplices.regions, &repeated);
        simplices.parents = without(&simplices.parents, &repeated);
        file.drop_some("repeated cells", repeated.len());
    }
    let kept = kept_vertices(&simplices.cells, file.positions.len());
    let parts = MeshParts {
        positions: flatten::<D>(path, &file.positions, &kept)?,
        cells: simplices.cells,
        regions: groups.regions,
        cell_regions: simplices.regions,
        vertex_sets: groups.vertex_sets,
    };
    let options =
        MeshOptions { inverted_cells: InvertedCells::Reorient, unused_vertices: UnusedVertices::Drop };
    let checked = SimplexMesh::from_parts(parts, &options)
        .map_err(|error| MeshError::InFile { path: path.to_owned(), source: Box::new(error) })?;
    file.drop_some("reoriented cells", checked.reoriented_cells);
    file.drop_some("unused vertices", checked.dropped_vertices - middle_nodes::<D>(&file, &kept));
    let arrays = mesh_arrays(&mut file, &simplices.parents, &kept);
    Ok(MeshFile { format: file.format, mesh: wrap(checked.mesh), arrays, dropped: file.dropped })
}

/// The elements of dimension D in order, cut where they are no simplices.
fn collect_simplices<const D: usize>(
    path: &Path,
    file: &FileMesh,
    groups: &Groups,
) -> Result<Simplices, MeshError> {
    let mut simplices = Simplices {
        cells: Vec::with_capacity(file.nodes.len()),
        regions: Vec::with_capacity(file.element_count()),
        parents: Vec::with_capacity(file.element_count()),
    };
    for (run, first, nodes) in file.by_run().filter(|(run, ..)| run.cell_type.dimension() == D) {
        let shape = run.cell_type.shape;
        let region = groups.region_of[&file.groups_of(run).first().copied().unwrap_or(0)];
        for (element, nodes) in (first..).zip(nodes.chunks_exact(run.cell_type.nodes)) {
            let start = simplices.cells.len();
            split_cell(shape, &nodes[..shape.corners()], &file.positions, &mut simplices.cells);
            let parts = (simplices.cells.len() - start) / (D + 1);
            if shape.corners() > D + 1 && !is_well_split::<D>(&file.positions, &simplices.cells[start..]) {
                let kind = shape.plural().to_owned();
                return Err(MeshError::DistortedCell { path: path.to_owned(), kind, element });
            }
            simplices.regions.extend(std::iter::repeat_n(region, parts));
            simplices.parents.extend(std::iter::repeat_n(element, parts));
        }
    }
    Ok(simplices)
}

/// Whether the parts of an element are all on the same side: they do not overlap then.
fn is_well_split<const D: usize>(positions: &[[f64; 3]], parts: &[usize]) -> bool {
    let mut signs = parts.chunks_exact(D + 1).map(|part| {
        let corners: Vec<[f64; D]> =
            part.iter().map(|&node| std::array::from_fn(|axis| positions[node][axis])).collect();
        signed_volume(&corners).total_cmp(&0.0)
    });
    match signs.next() {
        Some(first) => signs.all(|sign| sign == first),
        None => false,
    }
}

/// Says which elements were cut, reduced or left out.
fn report_types<const D: usize>(file: &mut FileMesh) {
    let mut ungrouped: BTreeMap<_, usize> = BTreeMap::new();
    let mut cut: BTreeMap<_, usize> = BTreeMap::new();
    let mut reduced = 0;
    for run in file.runs.iter().filter(|run| run.count > 0) {
        if run.cell_type.dimension() == D {
            if run.cell_type.shape.corners() > D + 1 {
                *cut.entry(run.cell_type.shape).or_default() += run.count;
            }
            if run.cell_type.is_higher_order() {
                reduced += run.count;
            }
        } else if run.groups.is_empty() {
            *ungrouped.entry(run.cell_type).or_default() += run.count;
        }
    }
    for (cell_type, count) in ungrouped {
        file.drop_some(cell_type.plural(), count);
    }
    for (shape, count) in cut {
        let parts = if D == 2 { "triangles" } else { "tetrahedra" };
        file.drop_some(format!("{} cut into {parts}", shape.plural()), count);
    }
    file.drop_some("second-order cells reduced to their corners", reduced);
}

/// Number of points that only higher-order elements use, between their corners; they are not reported as unused.
fn middle_nodes<const D: usize>(file: &FileMesh, kept: &[Option<usize>]) -> usize {
    if !file.runs.iter().any(|run| run.cell_type.is_higher_order()) {
        return 0;
    }
    let mut is_middle = vec![false; kept.len()];
    for (run, _, nodes) in file.by_run() {
        for nodes in nodes.chunks_exact(run.cell_type.nodes) {
            nodes[run.cell_type.shape.corners()..].iter().for_each(|&node| is_middle[node] = true);
        }
    }
    is_middle.iter().zip(kept).filter(|&(&is_middle, kept)| is_middle && kept.is_none()).count()
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
