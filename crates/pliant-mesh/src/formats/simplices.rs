//! The elements of the highest dimension as simplices.

use std::ops::Range;
use std::path::Path;

use super::file_mesh::{FileMesh, Run};
use super::groups::Groups;
use super::split_cells::split_cell;
use crate::mesh_parts::signed_volume;
use crate::{ArrayLocation, MeshError};

/// The simplices of a mesh, in the order of the file.
pub(super) struct Simplices {
    /// D+1 points each.
    pub cells: Vec<usize>,
    pub regions: Vec<usize>,
    /// The element that each is a part of; empty where the file has no array on elements.
    pub parents: Vec<usize>,
}

impl Simplices {
    /// Takes the elements of dimension D, cut where they are no simplices. Where nothing is cut, the points of the file are
    /// taken out of it.
    ///
    /// # Errors
    /// An element so distorted that its parts overlap.
    pub fn collect<const D: usize>(
        path: &Path,
        file: &mut FileMesh,
        groups: &Groups,
    ) -> Result<Self, MeshError> {
        let count = file.runs.iter().filter(|run| is_cell::<D>(run)).map(|run| run.count).sum();
        let mut simplices =
            Self { cells: Vec::new(), regions: Vec::with_capacity(count), parents: Vec::new() };
        let has_arrays = file.arrays.iter().any(|array| array.array.on == ArrayLocation::Cell);
        let as_they_are = uncut_range::<D>(file);
        for (run, first, nodes) in file.by_run().filter(|(run, ..)| is_cell::<D>(run)) {
            let shape = run.cell_type.shape;
            let region = groups.region_of[&file.groups_of(run).first().copied().unwrap_or(0)];
            if as_they_are.is_some() {
                simplices.regions.extend(std::iter::repeat_n(region, run.count));
                if has_arrays {
                    simplices.parents.extend(first..first + run.count);
                }
                continue;
            }
            for (element, nodes) in (first..).zip(nodes.chunks_exact(run.cell_type.nodes)) {
                let start = simplices.cells.len();
                split_cell(shape, &nodes[..shape.corners()], &file.positions, &mut simplices.cells);
                let parts = (simplices.cells.len() - start) / (D + 1);
                if shape.corners() > D + 1 && !is_well_split::<D>(&file.positions, &simplices.cells[start..])
                {
                    let kind = shape.plural().to_owned();
                    return Err(MeshError::DistortedCell { path: path.to_owned(), kind, element });
                }
                simplices.regions.extend(std::iter::repeat_n(region, parts));
                if has_arrays {
                    simplices.parents.extend(std::iter::repeat_n(element, parts));
                }
            }
        }
        if let Some(range) = as_they_are {
            simplices.cells = std::mem::take(&mut file.nodes);
            simplices.cells.truncate(range.end);
            simplices.cells.drain(..range.start);
        }
        Ok(simplices)
    }
}

fn is_cell<const D: usize>(run: &Run) -> bool {
    run.count > 0 && run.cell_type.dimension() == D
}

/// Where the cells stand in the points of the file, if all are simplices behind each other and nothing is of higher order.
fn uncut_range<const D: usize>(file: &FileMesh) -> Option<Range<usize>> {
    if file.runs.iter().any(|run| run.cell_type.is_higher_order()) {
        return None;
    }
    let (mut start, mut range) = (0, None::<Range<usize>>);
    for run in &file.runs {
        let end = start + run.count * run.cell_type.nodes;
        if is_cell::<D>(run) {
            if run.cell_type.nodes != D + 1 || range.as_ref().is_some_and(|range| range.end != start) {
                return None;
            }
            range = Some(range.map_or(start, |range| range.start)..end);
        }
        start = end;
    }
    range
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
