//! The unchecked parts of a mesh and the checks and repairs that turn them into a [`SimplexMesh`](crate::SimplexMesh).

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::{MeshError, SimplexMesh, VertexSet};

/// The unchecked parts of a mesh, as a file or a mesher delivers them.
#[derive(Clone, Debug, Default)]
pub struct MeshParts<const D: usize> {
    /// n x D rest positions in m.
    pub positions: Vec<[f64; D]>,
    /// t x (D+1) vertex indices, flat, cell by cell.
    pub cells: Vec<usize>,
    /// Region names; empty means one region called `body`.
    pub regions: Vec<String>,
    /// For each cell the index of its region in `regions`; empty when there is one region.
    pub cell_regions: Vec<usize>,
    /// Named vertex sets.
    pub vertex_sets: Vec<VertexSet>,
}

/// What to do with a cell whose signed volume is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InvertedCells {
    /// Refuse the mesh (the default).
    #[default]
    Reject,
    /// Swap the last two vertices of the cell.
    Reorient,
}

/// What to do with a vertex that belongs to no cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnusedVertices {
    /// Refuse the mesh (the default).
    #[default]
    Reject,
    /// Drop it; later vertices move up.
    Drop,
}

/// How much repair [`SimplexMesh::from_parts`] may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshOptions {
    /// Default: reject.
    pub inverted_cells: InvertedCells,
    /// Default: reject.
    pub unused_vertices: UnusedVertices,
}

/// A mesh together with the repairs that its construction made.
#[derive(Clone, Debug)]
pub struct Checked<const D: usize> {
    /// The valid mesh.
    pub mesh: SimplexMesh<D>,
    /// Cells whose orientation was turned.
    pub reoriented_cells: usize,
    /// Vertices dropped because no cell uses them.
    pub dropped_vertices: usize,
}

/// A cell counts as flat when its volume is below this fraction of its longest edge to the power D.
const FLAT_CELL: f64 = 1e-13;

/// Signed volume of the simplex with these corners, in m^D.
pub(crate) fn signed_volume<const D: usize>(corners: &[[f64; D]]) -> f64 {
    let edge = |vertex: usize, axis: usize| corners[vertex][axis] - corners[0][axis];
    match D {
        2 => 0.5 * (edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0)),
        _ => {
            let minor = |a: usize, b: usize| edge(2, a) * edge(3, b) - edge(2, b) * edge(3, a);
            (edge(1, 0) * minor(1, 2) + edge(1, 1) * minor(2, 0) + edge(1, 2) * minor(0, 1)) / 6.0
        }
    }
}

pub(crate) fn check_finite<const D: usize>(positions: &[[f64; D]]) -> Result<(), MeshError> {
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|value| !value.is_finite()) {
            return Err(MeshError::NotFinite { vertex, value });
        }
    }
    Ok(())
}

pub(crate) fn check_cells<const D: usize>(cells: &[usize], vertices: usize) -> Result<(), MeshError> {
    if cells.is_empty() {
        return Err(MeshError::NoCells { kind: if D == 2 { "triangles" } else { "tetrahedra" } });
    }
    if !cells.len().is_multiple_of(D + 1) {
        return Err(MeshError::CellArrayLength { length: cells.len(), vertices_per_cell: D + 1 });
    }
    let fault = |cell: usize, corners: &[usize]| {
        for (local, &vertex) in corners.iter().enumerate() {
            if vertex >= vertices {
                return Some(MeshError::VertexOutOfRange { what: format!("cell {cell}"), vertex, vertices });
            }
            if corners[..local].contains(&vertex) {
                return Some(MeshError::RepeatedVertex { cell, vertex });
            }
        }
        None
    };
    let pieces = cells.par_chunks((D + 1) * PIECE).zip(first_cells(cells.len() / (D + 1)));
    let first = pieces.find_map_first(|(piece, first)| {
        piece.chunks_exact(D + 1).zip(first..).find_map(|(corners, cell)| fault(cell, corners))
    });
    first.map_or(Ok(()), Err)
}

/// Cells that one thread looks at at a time.
const PIECE: usize = 1 << 14;

/// The first cell of each piece.
fn first_cells(cells: usize) -> impl IndexedParallelIterator<Item = usize> {
    (0..cells.div_ceil(PIECE)).into_par_iter().map(|piece| piece * PIECE)
}

/// For each vertex whether a cell uses it.
pub(crate) fn used_vertices(cells: &[usize], vertices: usize) -> Vec<bool> {
    let used: Vec<AtomicBool> = (0..vertices).map(|_| AtomicBool::new(false)).collect();
    cells.par_chunks(PIECE).for_each(|cells| {
        cells.iter().for_each(|&vertex| used[vertex].store(true, Ordering::Relaxed));
    });
    used.into_iter().map(AtomicBool::into_inner).collect()
}

pub(crate) fn fill_regions<const D: usize>(parts: &mut MeshParts<D>) -> Result<(), MeshError> {
    let cells = parts.cells.len() / (D + 1);
    if parts.regions.is_empty() {
        parts.regions.push("body".to_owned());
    }
    if parts.cell_regions.is_empty() && parts.regions.len() == 1 {
        parts.cell_regions = vec![0; cells];
    }
    check_regions(&parts.regions, &parts.cell_regions, cells)
}

pub(crate) fn check_regions(
    regions: &[String],
    cell_regions: &[usize],
    cells: usize,
) -> Result<(), MeshError> {
    if cell_regions.len() != cells {
        return Err(MeshError::CellCount { what: "the region array", length: cell_regions.len(), cells });
    }
    match cell_regions.iter().position(|&region| region >= regions.len()) {
        Some(cell) => {
            Err(MeshError::RegionOutOfRange { cell, region: cell_regions[cell], regions: regions.len() })
        }
        None => Ok(()),
    }
}

pub(crate) fn check_set(set: &VertexSet, vertices: usize) -> Result<(), MeshError> {
    match set.vertices.last() {
        Some(&vertex) if vertex >= vertices => Err(MeshError::VertexOutOfRange {
            what: format!("vertex set \"{}\"", set.name),
            vertex,
            vertices,
        }),
        _ => Ok(()),
    }
}

pub(crate) fn drop_unused_vertices<const D: usize>(
    parts: &mut MeshParts<D>,
    unused: UnusedVertices,
) -> Result<usize, MeshError> {
    let used = used_vertices(&parts.cells, parts.positions.len());
    let count = used.iter().filter(|&&used| !used).count();
    if count == 0 {
        return Ok(0);
    }
    if unused == UnusedVertices::Reject {
        let first = used.iter().position(|&used| !used).expect("count is positive");
        return Err(MeshError::UnusedVertices { count, first });
    }
    let mut new_index = vec![usize::MAX; used.len()];
    let mut kept = Vec::with_capacity(used.len() - count);
    for (vertex, &position) in parts.positions.iter().enumerate() {
        if used[vertex] {
            new_index[vertex] = kept.len();
            kept.push(position);
        }
    }
    parts.positions = kept;
    for vertex in &mut parts.cells {
        *vertex = new_index[*vertex];
    }
    for set in &mut parts.vertex_sets {
        set.vertices.retain(|&vertex| used[vertex]);
        for vertex in &mut set.vertices {
            *vertex = new_index[*vertex];
        }
    }
    Ok(count)
}

/// Volumes of all cells and how many had to be turned.
pub(crate) fn orient_cells<const D: usize>(
    parts: &mut MeshParts<D>,
    inverted: InvertedCells,
) -> Result<(Vec<f64>, usize), MeshError> {
    let count = parts.cells.len() / (D + 1);
    let mut volumes = vec![0.0; count];
    let positions = &parts.positions;
    let pieces = parts.cells.par_chunks_mut((D + 1) * PIECE).zip(volumes.par_chunks_mut(PIECE));
    let turned = pieces.zip(first_cells(count)).map(|((cells, volumes), first)| {
        let mut turned = 0;
        for ((vertices, volume), cell) in cells.chunks_exact_mut(D + 1).zip(volumes).zip(first..) {
            *volume = orient_cell(positions, vertices, inverted, cell)?;
            turned += usize::from(*volume < 0.0);
            *volume = volume.abs();
        }
        Ok(turned)
    });
    // The first cell that is wrong is named, whichever is found first.
    let turned: Vec<Result<usize, MeshError>> = turned.collect();
    let reoriented = turned.into_iter().sum::<Result<usize, MeshError>>()?;
    Ok((volumes, reoriented))
}

/// The signed volume of a cell, which is turned where that is negative.
fn orient_cell<const D: usize>(
    positions: &[[f64; D]],
    vertices: &mut [usize],
    inverted: InvertedCells,
    cell: usize,
) -> Result<f64, MeshError> {
    let mut corners = [[0.0; D]; 4];
    for (corner, &vertex) in corners.iter_mut().zip(vertices.iter()) {
        *corner = positions[vertex];
    }
    let volume = signed_volume(&corners[..=D]);
    if volume.abs() <= FLAT_CELL * longest_edge(&corners[..=D]).powi(D as i32) {
        return Err(MeshError::ZeroVolume { cell, volume });
    }
    if volume < 0.0 {
        if inverted == InvertedCells::Reject {
            return Err(MeshError::InvertedCell { cell, volume });
        }
        vertices.swap(D - 1, D);
    }
    Ok(volume)
}

fn longest_edge<const D: usize>(corners: &[[f64; D]]) -> f64 {
    let mut longest: f64 = 0.0;
    for (index, a) in corners.iter().enumerate() {
        for b in &corners[..index] {
            let squared: f64 = (0..D).map(|axis| (a[axis] - b[axis]).powi(2)).sum();
            longest = longest.max(squared);
        }
    }
    longest.sqrt()
}
