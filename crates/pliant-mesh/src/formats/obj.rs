//! Writing Wavefront `.obj` files: the triangles of a 2D mesh, or the boundary of a 3D one.

use std::fmt::Write;
use std::path::Path;

use super::write_mesh::{Written, drop_arrays};
use crate::simplex_mesh::in_space;
use crate::{MeshArray, SimplexMesh, boundary_facets};

/// The file of a mesh: triangles seen counter-clockwise from outside, and the vertices that they use, in the mesh's order.
pub(super) fn obj<const D: usize>(path: &Path, mesh: &SimplexMesh<D>, arrays: &[MeshArray]) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let facets = if D == 2 { Vec::new() } else { boundary_facets(mesh) };
    let triangles: Vec<&[usize]> =
        if D == 2 { mesh.cells().collect() } else { facets.iter().map(|facet| &facet[..]).collect() };
    let mut number = vec![0; mesh.vertex_count()];
    for &vertex in triangles.iter().copied().flatten() {
        number[vertex] = 1;
    }
    let mut out = String::new();
    let mut used = 0;
    for (vertex, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 1) {
        used += 1;
        *number = used;
        let [x, y, z] = in_space(&mesh.positions()[vertex]);
        let _ = writeln!(out, "v {x:?} {y:?} {z:?}");
    }
    for triangle in &triangles {
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|vertex| number[vertex]);
        let _ = writeln!(out, "f {a} {b} {c}");
    }
    written.files[0].1 = out.into_bytes();
    written.drop_some("vertices inside the body", mesh.vertex_count() - used);
    if D == 3 {
        written.drop_some("tetrahedra, of which the boundary remains", mesh.cell_count());
    }
    if mesh.regions().len() > 1 {
        written.drop_some("regions", mesh.regions().len());
    }
    written.drop_some("vertex sets", mesh.vertex_sets().len());
    drop_arrays(&mut written, arrays);
    written
}
