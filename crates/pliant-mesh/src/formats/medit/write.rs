//! Writing MEDIT files: `.mesh` as text, version 2; `.meshb` little-endian, version 2, or 3 where positions in the file need 8
//! bytes.

use std::fmt::Write;
use std::path::Path;

use super::{Keyword, code};
use crate::formats::cell_type::Shape;
use crate::formats::group_numbers::{nameless_regions, set_numbers};
use crate::formats::write_mesh::{Written, drop_arrays};
use crate::{MeshArray, SimplexMesh};

/// A mesh with the references of its vertices and cells.
struct Referenced<'m, const D: usize> {
    mesh: &'m SimplexMesh<D>,
    /// Of each region.
    regions: Vec<i32>,
    /// Of the set of each vertex.
    sets: Vec<i32>,
}

impl<'m, const D: usize> Referenced<'m, D> {
    /// References are the numbers of regions and of vertex sets; arrays are reported.
    fn new(mesh: &'m SimplexMesh<D>, arrays: &[MeshArray], written: &mut Written) -> Self {
        let regions = nameless_regions(mesh, written);
        let sets = set_numbers(mesh, written);
        drop_arrays(written, arrays);
        Self { mesh, regions, sets }
    }
}

/// The file of a mesh as text.
pub(in crate::formats) fn mesh<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let Referenced { mesh, regions, sets } = Referenced::new(mesh, arrays, &mut written);
    let mut out = format!("MeshVersionFormatted 2\nDimension {D}\nVertices\n{}\n", mesh.vertex_count());
    for (position, set) in mesh.positions().iter().zip(&sets) {
        for coordinate in position {
            let _ = write!(out, "{coordinate:?} ");
        }
        let _ = writeln!(out, "{set}");
    }
    let _ = writeln!(out, "{}\n{}", if D == 2 { "Triangles" } else { "Tetrahedra" }, mesh.cell_count());
    for (cell, &region) in mesh.cells().zip(mesh.cell_regions()) {
        for vertex in cell {
            let _ = write!(out, "{} ", vertex + 1);
        }
        let _ = writeln!(out, "{}", regions[region]);
    }
    out.push_str("End\n");
    written.files[0].1 = out.into_bytes();
    written
}

/// The binary file of a mesh.
pub(in crate::formats) fn meshb<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let Referenced { mesh, regions, sets } = Referenced::new(mesh, arrays, &mut written);
    let row = 8 * D + 4;
    let bytes = mesh.vertex_count() * row + mesh.cell_count() * 4 * (D + 2) + 100;
    let version = if i32::try_from(bytes).is_ok() { 2 } else { 3 };
    let mut out = Sections { bytes: Vec::with_capacity(bytes), wide: version == 3 };
    out.integer(1);
    out.integer(version);
    out.section(Keyword::Dimension, 4);
    out.integer(D as i32);
    out.section(Keyword::Vertices, 4 + mesh.vertex_count() * row);
    out.integer(mesh.vertex_count() as i32);
    for (position, &set) in mesh.positions().iter().zip(&sets) {
        position.iter().for_each(|value| out.bytes.extend_from_slice(&value.to_le_bytes()));
        out.integer(set);
    }
    let shape = if D == 2 { Shape::Triangle } else { Shape::Tetrahedron };
    out.section(Keyword::Elements(shape.linear()), 4 + mesh.cell_count() * 4 * (D + 2));
    out.integer(mesh.cell_count() as i32);
    for (cell, &region) in mesh.cells().zip(mesh.cell_regions()) {
        cell.iter().for_each(|&vertex| out.integer(vertex as i32 + 1));
        out.integer(regions[region]);
    }
    out.integer(code(Keyword::End));
    out.position(0);
    written.files[0].1 = out.bytes;
    written
}

/// The bytes of a binary file.
struct Sections {
    bytes: Vec<u8>,
    /// Whether positions in the file have 8 bytes.
    wide: bool,
}

impl Sections {
    fn integer(&mut self, value: i32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn position(&mut self, at: usize) {
        if self.wide {
            self.bytes.extend_from_slice(&(at as u64).to_le_bytes());
        } else {
            self.bytes.extend_from_slice(&(at as u32).to_le_bytes());
        }
    }

    /// The code of a keyword and the byte where the next one begins, after `length` bytes.
    fn section(&mut self, keyword: Keyword, length: usize) {
        self.integer(code(keyword));
        let width = if self.wide { 8 } else { 4 };
        self.position(self.bytes.len() + width + length);
    }
}
