//! Writing legacy VTK files: version 4.2, binary, which is big-endian.

use std::io::Write;
use std::path::Path;

use super::cell_numbers::simplex_number;
use super::contents::Contents;
use crate::formats::write_mesh::Written;
use crate::simplex_mesh::in_space;
use crate::{ArrayLocation, MeshArray, SimplexMesh};

/// The file of a mesh.
pub(in crate::formats) fn legacy<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let contents = Contents::new(mesh, arrays, &mut written);
    let mut out = Bytes(Vec::new());
    out.line("# vtk DataFile Version 4.2\nmesh\nBINARY\nDATASET UNSTRUCTURED_GRID");
    if !contents.fields.is_empty() {
        out.line(&format!("FIELD FieldData {}", contents.fields.len()));
        for (name, values) in &contents.fields {
            out.line(&format!("{} 2 1 int", encoded(name)));
            out.data(values.iter().flat_map(|value| value.to_be_bytes()));
        }
    }
    out.line(&format!("POINTS {} double", mesh.vertex_count()));
    out.data(mesh.positions().iter().flat_map(in_space).flat_map(f64::to_be_bytes));
    let cells = mesh.cell_count();
    out.line(&format!("CELLS {cells} {}", cells * (D + 2)));
    let numbers = mesh.cells().flat_map(|cell| std::iter::once(D + 1).chain(cell.iter().copied()));
    out.data(numbers.flat_map(|number| (number as i32).to_be_bytes()));
    out.line(&format!("CELL_TYPES {cells}"));
    out.data((0..cells).flat_map(|_| i32::from(simplex_number::<D>()).to_be_bytes()));
    out.line(&format!("CELL_DATA {cells}"));
    let on_cells: Vec<&MeshArray> = contents.arrays_on(ArrayLocation::Cell).collect();
    out.line(&format!("FIELD FieldData {}\nregion 1 {cells} int", on_cells.len() + 1));
    out.data(contents.regions.iter().flat_map(|region| region.to_be_bytes()));
    on_cells.into_iter().for_each(|array| out.array(array));
    let on_vertices: Vec<&MeshArray> = contents.arrays_on(ArrayLocation::Vertex).collect();
    if on_vertices.len() + contents.sets.len() > 0 {
        let vertices = mesh.vertex_count();
        out.line(&format!(
            "POINT_DATA {vertices}\nFIELD FieldData {}",
            on_vertices.len() + contents.sets.len()
        ));
        for (name, is_in) in &contents.sets {
            out.line(&format!("{} 1 {vertices} unsigned_char", encoded(name)));
            out.data(is_in.iter().copied());
        }
        on_vertices.into_iter().for_each(|array| out.array(array));
    }
    written.files[0].1 = out.0;
    written
}

/// The bytes of the file.
struct Bytes(Vec<u8>);

impl Bytes {
    fn line(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'\n');
    }

    /// The bytes of numbers and the end of their line.
    fn data(&mut self, bytes: impl Iterator<Item = u8>) {
        self.0.extend(bytes);
        self.0.push(b'\n');
    }

    fn array(&mut self, array: &MeshArray) {
        let entries = array.values.len() / array.components;
        self.line(&format!("{} {} {entries} double", encoded(&array.name), array.components));
        self.data(array.values.iter().flat_map(|value| value.to_be_bytes()));
    }
}

/// The name with `%20` and the like for what would end it.
fn encoded(name: &str) -> String {
    let mut bytes = Vec::new();
    for &byte in name.as_bytes() {
        if byte.is_ascii_whitespace() || byte == b'%' || byte == b'"' || byte.is_ascii_control() {
            write!(bytes, "%{byte:02X}").expect("a Vec takes everything");
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).expect("only ASCII bytes were replaced")
}
