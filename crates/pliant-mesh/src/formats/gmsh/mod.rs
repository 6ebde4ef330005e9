//! Gmsh `.msh` files: version 1 as text, versions 2.2, 4.0 and 4.1 as text and binary (either byte order).
//!
//! Source: the Gmsh reference manual, "MSH file format" and "Legacy formats".

mod contents;
mod data_section;
mod element_numbers;
mod number_writer;
mod sections;
mod version_1;
mod version_2;
mod version_4;
mod write_msh;

use std::path::Path;

use super::Format;
use super::file_mesh::FileMesh;
use crate::MeshError;
pub(super) use write_msh::msh_bytes;
pub use write_msh::{MshVersion, write_msh};

pub(super) const GMSH: Format = Format {
    name: "Gmsh .msh (1, 2.2, 4.0, 4.1)",
    extensions: &["msh"],
    is_in: |bytes| bytes.trim_ascii_start().starts_with(b"$MeshFormat") || version_1::begins(bytes),
    read: read_gmsh,
};

/// Reads the bytes of a Gmsh file; the path is only for messages. O(bytes).
fn read_gmsh(path: &Path, bytes: &[u8]) -> Result<FileMesh, MeshError> {
    contents::read_contents(bytes).map_err(|(fault, encoding)| fault.in_bytes(path, bytes, encoding))
}
