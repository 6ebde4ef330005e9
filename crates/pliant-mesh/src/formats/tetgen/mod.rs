//! TetGen and Triangle meshes: points in `NAME.node`, cells in `NAME.ele`, as text; either file stands for both.
//!
//! `.node`: `points dimension attributes markers`, then `number coordinates attributes [marker]`. `.ele`: `cells nodes
//! attributes`, then `number nodes attributes`. Numbers begin at 0 or 1, `#` begins a comment. The first attribute of cells is
//! the region, if it is whole; markers of points other than 0 are vertex sets.
//!
//! Source: the TetGen manual, "File Formats".

mod write;

use std::collections::BTreeMap;
use std::path::Path;

use super::Format;
use super::cell_type::{CellType, Shape};
use super::cursor::Cursor;
use super::file_mesh::{FileArray, FileMesh};
use super::tag_index::TagIndex;
use crate::fault::Fault;
use crate::scalar_type::Encoding;
use crate::{ArrayLocation, MeshArray, MeshError, VertexSet};
pub(super) use write::pair;

pub(super) const TETGEN: Format = Format {
    name: "TetGen .node and .ele",
    extensions: &["node", "ele"],
    // Both files are numbers and nothing else.
    is_in: |_| false,
    read: read_pair,
};

/// More attributes than any program writes.
const MOST_ATTRIBUTES: u64 = 1_000;

fn read_pair(path: &Path, bytes: &[u8]) -> Result<FileMesh, MeshError> {
    let is_cells = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ele"));
    let other = path.with_extension(if is_cells { "node" } else { "ele" });
    let other_bytes =
        std::fs::read(&other).map_err(|source| MeshError::ReadFile { path: other.clone(), source })?;
    let (points, cells) = if is_cells {
        ((other.as_path(), &other_bytes[..]), (path, bytes))
    } else {
        ((path, bytes), (other.as_path(), &other_bytes[..]))
    };
    let mut file = FileMesh { format: "TetGen".to_owned(), ..FileMesh::default() };
    let located = |(path, bytes): (&Path, &[u8]), fault: Fault| fault.in_bytes(path, bytes, Encoding::Ascii);
    let numbers = read_points(&mut cursor(points.1), &mut file).map_err(|fault| located(points, fault))?;
    read_cells(&mut cursor(cells.1), &numbers, &mut file).map_err(|fault| located(cells, fault))?;
    Ok(file)
}

fn cursor(bytes: &[u8]) -> Cursor<'_> {
    let mut cursor = Cursor::new(bytes);
    cursor.comment = Some(b'#');
    cursor
}

/// Columns of attributes, as arrays are made of them.
struct Attributes(Vec<Vec<f64>>);

impl Attributes {
    fn new(cursor: &mut Cursor) -> Result<Self, Fault> {
        let start = cursor.at();
        match cursor.size("the number of attributes")? {
            count @ 0..=MOST_ATTRIBUTES => Ok(Self(vec![Vec::new(); count as usize])),
            count => {
                cursor.fault(start, format!("there cannot be {count} attributes; correct the first line"))
            }
        }
    }

    fn read(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        for column in &mut self.0 {
            column.push(cursor.any_real("an attribute")?);
        }
        Ok(())
    }

    fn into_arrays(self, file: &mut FileMesh, on: ArrayLocation, name: impl Fn(usize) -> String) {
        for (index, values) in self.0.into_iter().enumerate() {
            let array = MeshArray { name: name(index), on, components: 1, values };
            file.arrays.push(FileArray { array, places: None });
        }
    }
}

fn read_points(cursor: &mut Cursor, file: &mut FileMesh) -> Result<TagIndex, Fault> {
    let count = cursor.size("the number of points")?;
    let start = cursor.at();
    let dimension = match cursor.integer("the dimension")? {
        2 => 2,
        3 => 3,
        other => return cursor.fault(start, format!("the dimension is {other}, but it is 2 or 3")),
    };
    let mut attributes = Attributes::new(cursor)?;
    let has_markers = cursor.integer("the number of markers")? != 0;
    let words = 1 + dimension + attributes.0.len() + usize::from(has_markers);
    let count = cursor.checked_count(count, "points", words, words)?;
    let mut tags = Vec::with_capacity(count);
    let mut marked = BTreeMap::<i64, Vec<usize>>::new();
    file.positions.reserve(count);
    for point in 0..count {
        tags.push(cursor.tag("the number of a point")?);
        let mut position = [0.0; 3];
        for coordinate in &mut position[..dimension] {
            *coordinate = cursor.real("a coordinate")?;
        }
        file.positions.push(position);
        attributes.read(cursor)?;
        if has_markers {
            match cursor.integer("a boundary marker")? {
                0 => {}
                marker => marked.entry(marker).or_default().push(point),
            }
        }
    }
    file.vertex_sets = marked
        .into_iter()
        .map(|(marker, vertices)| VertexSet { name: marker.to_string(), vertices })
        .collect();
    attributes.into_arrays(file, ArrayLocation::Vertex, |index| format!("attribute {}", index + 1));
    TagIndex::new(&tags).or_else(|tag| {
        cursor.fault(cursor.at(), format!("point {tag} is given twice; number the points differently"))
    })
}

fn read_cells(cursor: &mut Cursor, numbers: &TagIndex, file: &mut FileMesh) -> Result<(), Fault> {
    let count = cursor.size("the number of cells")?;
    let start = cursor.at();
    let (shape, nodes) = match cursor.integer("the number of nodes of a cell")? {
        3 => (Shape::Triangle, 3),
        6 => (Shape::Triangle, 6),
        4 => (Shape::Tetrahedron, 4),
        10 => (Shape::Tetrahedron, 10),
        other => {
            let problem =
                format!("cells have {other} nodes, but triangles have 3 or 6 and tetrahedra 4 or 10");
            return cursor.fault(start, problem);
        }
    };
    let mut attributes = Attributes::new(cursor)?;
    let words = 1 + nodes + attributes.0.len();
    let count = cursor.checked_count(count, "cells", words, words)?;
    file.nodes.reserve(count * nodes);
    for _ in 0..count {
        let cell = cursor.tag("the number of a cell")?;
        for _ in 0..nodes {
            let start = cursor.at();
            let tag = cursor.tag("a node of a cell")?;
            match numbers.get(tag) {
                Some(node) => file.nodes.push(node),
                None => {
                    let problem =
                        format!("cell {cell} names point {tag}, which the .node file does not give");
                    return cursor.fault(start, problem);
                }
            }
        }
        attributes.read(cursor)?;
        file.push_element(CellType { shape, nodes }, &[]);
    }
    // The name is one of those that give regions.
    attributes.into_arrays(file, ArrayLocation::Cell, |index| match index {
        0 => "tetgen:ref".to_owned(),
        _ => format!("attribute {}", index + 1),
    });
    Ok(())
}
