//! From what a file says to a mesh: cells, regions, vertex sets and arrays.

use std::collections::BTreeMap;
use std::path::Path;

use super::file_arrays::mesh_arrays;
use super::file_mesh::FileMesh;
use super::groups::{Groups, group_by_array, sets_of_arrays};
use super::repeated_cells::repeated_cells;
use super::simplices::Simplices;
use crate::mesh_parts::used_vertices;
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

fn assemble_in<const D: usize>(
    path: &Path,
    mut file: FileMesh,
    wrap: fn(SimplexMesh<D>) -> AnyMesh,
) -> Result<MeshFile, MeshError> {
    let mut groups = Groups::new(&file, D);
    let mut dropped = Vec::new();
    std::mem::swap(&mut dropped, &mut file.dropped);
    let mut simplices = Simplices::collect::<D>(path, &mut file, &groups)?;
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
    let used = used_vertices(&simplices.cells, file.positions.len());
    let parts = MeshParts {
        positions: flatten::<D>(path, &file.positions, &used)?,
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
    file.drop_some("unused vertices", checked.dropped_vertices - middle_nodes::<D>(&file, &used));
    let arrays = mesh_arrays(&mut file, &simplices.parents, &used);
    Ok(MeshFile { format: file.format, mesh: wrap(checked.mesh), arrays, dropped: file.dropped })
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
fn middle_nodes<const D: usize>(file: &FileMesh, used: &[bool]) -> usize {
    if !file.runs.iter().any(|run| run.cell_type.is_higher_order()) {
        return 0;
    }
    let mut is_middle = vec![false; used.len()];
    for (run, _, nodes) in file.by_run() {
        for nodes in nodes.chunks_exact(run.cell_type.nodes) {
            nodes[run.cell_type.shape.corners()..].iter().for_each(|&node| is_middle[node] = true);
        }
    }
    is_middle.iter().zip(used).filter(|&(&is_middle, &used)| is_middle && !used).count()
}

/// The entries of all cells but the repeated ones.
fn without<T: Copy>(entries: &[T], repeated: &BTreeMap<usize, usize>) -> Vec<T> {
    let kept = entries.iter().enumerate().filter(|(cell, _)| !repeated.contains_key(cell));
    kept.map(|(_, &entry)| entry).collect()
}

/// The first D coordinates; in 2D the third must be the same for all vertices of cells.
fn flatten<const D: usize>(
    path: &Path,
    positions: &[[f64; 3]],
    used: &[bool],
) -> Result<Vec<[f64; D]>, MeshError> {
    if D == 2 {
        let of_cells = || positions.iter().zip(used).filter(|(_, used)| **used).map(|(position, _)| position);
        let extent = |axis: usize| {
            let (low, high) = of_cells().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), position| {
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
