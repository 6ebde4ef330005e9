//! An unstructured grid of VTK, as both file formats describe it, becomes a [`FileMesh`].

use std::collections::BTreeMap;

use super::cell_numbers::element_type;
use crate::formats::file_mesh::{FileArray, FileMesh, GroupName};
use crate::{ArrayLocation, MeshArray};

/// One piece of a grid. Everything is checked by [`Grid::append_to`].
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// Three coordinates for each point.
    pub points: Vec<f64>,
    /// The points of all cells, one cell after the other.
    pub connectivity: Vec<f64>,
    /// For each cell the end of its points in `connectivity`.
    pub ends: Vec<f64>,
    /// For each cell the number of its type.
    pub types: Vec<f64>,
    /// Arrays with an entry for each cell or point.
    pub arrays: Vec<MeshArray>,
}

impl Grid {
    /// Appends the grid to the mesh. Cells that are no simplices and cannot be cut are left out and reported, together
    /// with their entries in arrays.
    ///
    /// # Errors
    /// What is wrong, as a sentence without the file.
    pub fn append_to(self, file: &mut FileMesh) -> Result<(), String> {
        let first_point = file.positions.len();
        let (points, rest) = self.points.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(format!(
                "the points have {} coordinates, which is not a multiple of 3",
                self.points.len()
            ));
        }
        if let Some(point) = points.iter().position(|point| point.iter().any(|value| !value.is_finite())) {
            return Err(format!("point {point} has a coordinate that is not a finite number; correct it"));
        }
        if self.ends.len() != self.types.len() {
            return Err(format!("there are {} cells, but {} cell types", self.ends.len(), self.types.len()));
        }
        let mut start = 0;
        let mut is_kept = Vec::with_capacity(self.types.len());
        let mut skipped = BTreeMap::<i64, usize>::new();
        for (cell, (&end, &number)) in self.ends.iter().zip(&self.types).enumerate() {
            let Some(nodes) = whole(end).and_then(|end| self.connectivity.get(start..end)) else {
                let length = self.connectivity.len();
                return Err(format!(
                    "the points of cell {cell} end at {end}, which is not from {start} to {length}, the length of the connectivity"
                ));
            };
            start += nodes.len();
            let Some((cell_type, order)) = element_type(number as i64, nodes.len()) else {
                *skipped.entry(number as i64).or_default() += 1;
                is_kept.push(false);
                continue;
            };
            is_kept.push(true);
            for local in 0..nodes.len() {
                let node = nodes[order.map_or(local, |order| order[local])];
                match whole(node) {
                    Some(node) if node < points.len() => file.nodes.push(first_point + node),
                    _ => {
                        return Err(format!(
                            "cell {cell} names point {node}, but there are {} points",
                            points.len()
                        ));
                    }
                }
            }
            file.push_element(cell_type, &[]);
        }
        file.positions.extend_from_slice(points);
        for (number, count) in skipped {
            file.drop_some(format!("cells of the VTK type {number}"), count);
        }
        for array in self.arrays {
            let entries = match array.on {
                ArrayLocation::Cell => is_kept.len(),
                ArrayLocation::Vertex => points.len(),
            };
            if array.components == 0 || array.values.len() != entries * array.components {
                return Err(format!(
                    "the array \"{}\" has {} numbers, but {} for each of {entries} entries are announced",
                    array.name,
                    array.values.len(),
                    array.components
                ));
            }
            append_array(file, array, &is_kept, first_point > 0);
        }
        Ok(())
    }
}

/// Appends the entries of the cells that are kept; a piece continues the arrays of earlier ones.
fn append_array(file: &mut FileMesh, mut array: MeshArray, is_kept: &[bool], continues: bool) {
    if array.on == ArrayLocation::Cell && is_kept.contains(&false) {
        let entries = array.values.chunks_exact(array.components).zip(is_kept);
        array.values =
            entries.filter(|&(_, &is_kept)| is_kept).flat_map(|(entry, _)| entry).copied().collect();
    }
    let earlier = file.arrays.iter_mut().map(|earlier| &mut earlier.array).find(|earlier| {
        continues
            && earlier.name == array.name
            && earlier.on == array.on
            && earlier.components == array.components
    });
    match earlier {
        Some(earlier) => earlier.values.append(&mut array.values),
        None => file.arrays.push(FileArray { array, places: None }),
    }
}

/// A whole number that is an index.
fn whole(value: f64) -> Option<usize> {
    // Truncated and back: quicker than asking for the fraction.
    ((0.0..9e15).contains(&value) && (value as usize) as f64 == value).then_some(value as usize)
}

/// A field of two whole numbers, region number and dimension, names a region, as meshio writes it.
pub(super) fn name_group(file: &mut FileMesh, name: &str, values: &[f64]) {
    if let &[group, dimension] = values
        && let (true, Some(dimension @ 0..=3)) =
            (group.fract() == 0.0 && group.abs() < 9e15, whole(dimension))
    {
        file.group_names.push(GroupName { dimension, group: group as i64, name: name.to_owned() });
    } else {
        file.drop_some(format!("field \"{name}\""), 1);
    }
}
