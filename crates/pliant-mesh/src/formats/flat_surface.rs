//! OBJ, OFF, STL and PLY as meshes of the plane: surfaces whose triangles all lie at one z.

use std::path::Path;

use super::Format;
use super::cell_type::{CellType, Shape};
use super::file_mesh::FileMesh;
use crate::MeshError;
use crate::surface::parse_surface;

pub(super) const FLAT_SURFACE: Format = Format {
    name: "flat .obj, .off, .stl and .ply surfaces",
    extensions: &["obj", "off", "stl", "ply"],
    is_in: |bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") || bytes.starts_with(b"OFF"),
    read: read_flat,
};

fn read_flat(path: &Path, bytes: &[u8]) -> Result<FileMesh, MeshError> {
    let (surface, format) = parse_surface(path, bytes)?;
    let mut file = FileMesh {
        format: format!("{format} surface"),
        positions: surface.positions().to_vec(),
        nodes: surface.triangles().iter().flatten().copied().collect(),
        ..FileMesh::default()
    };
    let triangle = CellType { shape: Shape::Triangle, nodes: 3 };
    surface.triangles().iter().for_each(|_| file.push_element(triangle, &[]));
    Ok(file)
}
