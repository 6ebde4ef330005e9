//! Writing MEDIT `.mesh` files as text, version 2.

use std::fmt::Write;
use std::path::Path;

use crate::formats::group_numbers::{nameless_regions, set_numbers};
use crate::formats::write_mesh::{Written, drop_arrays};
use crate::{MeshArray, SimplexMesh};

/// The file of a mesh: references are the numbers of regions and of vertex sets.
pub(in crate::formats) fn mesh<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let regions = nameless_regions(mesh, &mut written);
    let sets = set_numbers(mesh, &mut written);
    drop_arrays(&mut written, arrays);
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
