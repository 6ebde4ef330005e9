//! Reading a mesh from the arrays of an `.npz` file.

use std::collections::BTreeMap;

use super::{CELL_NAMES, REGION_NAMES, VERTEX_NAMES};
use crate::formats::cell_type::{CellType, Shape};
use crate::formats::file_mesh::{FileArray, FileMesh, GroupName};
use crate::formats::groups::{SET_PREFIX, is_cell_array};
use crate::numpy::{NumpyArray, read_npz};
use crate::{ArrayLocation, MeshArray, VertexSet};

/// An array of numbers with its shape.
type Numbers = (Vec<usize>, Vec<f64>);

/// Reads all arrays of an archive, and takes vertices, cells and what goes with them.
pub(super) fn read_file(bytes: &[u8]) -> Result<FileMesh, String> {
    mesh_of("NumPy .npz", read_npz(bytes)?)
}

/// Takes vertices, cells and what goes with them from arrays.
pub(super) fn mesh_of(format: &str, arrays: BTreeMap<String, NumpyArray>) -> Result<FileMesh, String> {
    let (mut numbers, mut strings) = (BTreeMap::new(), BTreeMap::new());
    for (name, array) in arrays {
        match array {
            NumpyArray::Numbers { shape, values } => _ = numbers.insert(name, (shape, values)),
            NumpyArray::Strings(values) => _ = strings.insert(name, values),
        }
    }
    let mut file = FileMesh { format: format.to_owned(), ..FileMesh::default() };
    let (name, (shape, vertices)) = take_first(&mut numbers, &VERTEX_NAMES, "vertices")?;
    let dimension = match shape[..] {
        [_, dimension @ 2..=3] => dimension,
        _ => {
            return Err(format!(
                "the array \"{name}\" has the shape {shape:?}, but vertices are n x 2 or n x 3"
            ));
        }
    };
    file.positions = vertices
        .chunks_exact(dimension)
        .map(|row| std::array::from_fn(|axis| row.get(axis).copied().unwrap_or(0.0)))
        .collect();
    let (name, (shape, cells)) = take_first(&mut numbers, &CELL_NAMES, "cells")?;
    let shape = match (&shape[..], dimension) {
        ([_, 3], _) => Shape::Triangle,
        ([_, 4], 3) => Shape::Tetrahedron,
        ([_, 4], _) => Shape::Quadrangle,
        ([_, 8], 3) => Shape::Hexahedron,
        _ => {
            let problem = format!(
                "the array \"{name}\" has the shape {shape:?}, but cells are t x 3 (triangles) or t x 4 (tetrahedra) vertex indices"
            );
            return Err(problem);
        }
    };
    push_cells(&mut file, &name, shape.linear(), &cells)?;
    if let Some(names) = strings.remove(REGION_NAMES) {
        let dimension = shape.dimension();
        file.group_names =
            (0..).zip(names).map(|(group, name)| GroupName { dimension, group, name }).collect();
    }
    let counts = (file.element_count(), file.positions.len());
    for (name, (shape, values)) in numbers {
        push_array(&mut file, name, &shape, values, counts);
    }
    for name in strings.keys() {
        file.drop_some(format!("array \"{name}\" of strings"), 1);
    }
    Ok(file)
}

/// The first of the arrays with one of these names.
fn take_first(
    arrays: &mut BTreeMap<String, Numbers>,
    names: &[&str],
    what: &str,
) -> Result<(String, Numbers), String> {
    match names.iter().find_map(|&name| arrays.remove_entry(name)) {
        Some(found) => Ok(found),
        None => Err(format!("there is no array of {what}; call it \"{}\"", names.join("\" or \""))),
    }
}

fn push_cells(file: &mut FileMesh, name: &str, cell_type: CellType, cells: &[f64]) -> Result<(), String> {
    let count = file.positions.len();
    for (entry, &value) in cells.iter().enumerate() {
        if !(value >= 0.0 && value < count as f64 && value.fract() == 0.0) {
            return Err(format!(
                "the array \"{name}\" has the vertex {value} in cell {}, but there are {count} vertices, counted from 0",
                entry / cell_type.nodes
            ));
        }
        file.nodes.push(value as usize);
    }
    for _ in 0..cells.len() / cell_type.nodes {
        file.push_element(cell_type, &[]);
    }
    Ok(())
}

/// Takes an array with an entry for every cell or vertex, or a set of vertices; reports any other.
fn push_array(
    file: &mut FileMesh,
    name: String,
    shape: &[usize],
    values: Vec<f64>,
    (cells, vertices): (usize, usize),
) {
    if let Some(set) = name.strip_prefix(SET_PREFIX) {
        let indices = values.iter().map(|&value| {
            (value >= 0.0 && value < vertices as f64 && value.fract() == 0.0).then_some(value as usize)
        });
        match indices.collect() {
            Some(vertices) => file.vertex_sets.push(VertexSet { name: set.to_owned(), vertices }),
            None => file.drop_some(format!("vertex set \"{set}\" with wrong indices"), 1),
        }
        return;
    }
    let (rows, components) = match *shape {
        [rows] => (rows, 1),
        [rows, components] => (rows, components),
        _ => (usize::MAX, 0),
    };
    let (on, name) = if let Some(name) = name.strip_prefix("cell:") {
        (Some(ArrayLocation::Cell), name.to_owned())
    } else if let Some(name) = name.strip_prefix("vertex:") {
        (Some(ArrayLocation::Vertex), name.to_owned())
    } else if rows == cells && (rows != vertices || is_cell_array(&name)) {
        (Some(ArrayLocation::Cell), name)
    } else if rows == vertices && rows != cells {
        (Some(ArrayLocation::Vertex), name)
    } else {
        (None, name)
    };
    match on {
        Some(on) if components > 0 => {
            file.arrays.push(FileArray { array: MeshArray { name, on, components, values }, places: None });
        }
        _ if rows == cells && rows == vertices => {
            file.drop_some(format!("array \"{name}\" that may be on cells or on vertices"), 1);
        }
        _ => file.drop_some(format!("array \"{name}\" of the shape {shape:?}"), 1),
    }
}
