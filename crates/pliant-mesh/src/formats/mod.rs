//! Mesh file formats: one file or directory each, registered in [`FORMATS`].
//!
//! A reader turns bytes into a [`FileMesh`](file_mesh::FileMesh); what is common to all formats (cutting cells into
//! simplices, groups as regions, repairs) is done to that by [`assemble`].

mod abaqus;
mod assemble;
mod cell_type;
mod cursor;
mod file_arrays;
mod file_mesh;
mod flat_surface;
mod gmsh;
mod group_numbers;
mod groups;
mod medit;
mod npz;
mod obj;
mod parallel_lines;
mod repeated_cells;
mod simplices;
mod split_cells;
mod tag_index;
mod tetgen;
mod vtk;
mod write_mesh;

use std::path::Path;

use crate::{MeshError, MeshFile};
use file_mesh::FileMesh;
pub use gmsh::{MshVersion, write_msh};
pub use vtk::{PvdEntry, write_compressed_vtu, write_pvd, write_vtu};
pub use write_mesh::{WRITABLE_EXTENSIONS, WriteOptions, write_mesh};

/// A format that can be read.
struct Format {
    /// As messages call it.
    name: &'static str,
    /// In lower case, without the dot.
    extensions: &'static [&'static str],
    /// Whether the first bytes show that a file is in this format.
    is_in: fn(&[u8]) -> bool,
    /// Reads the bytes; the path is for messages and for files beside it.
    read: fn(&Path, &[u8]) -> Result<FileMesh, MeshError>,
}

/// The formats in the order in which their content is tried.
const FORMATS: [&Format; 9] = [
    &gmsh::GMSH,
    &vtk::VTK_XML,
    &vtk::VTK_LEGACY,
    &medit::MEDIT,
    &npz::NPZ,
    &npz::NPY,
    &tetgen::TETGEN,
    &abaqus::ABAQUS,
    &flat_surface::FLAT_SURFACE,
];

/// Reads the bytes of a mesh file of any format, told by the content or else by the extension.
pub(crate) fn read_bytes(path: &Path, bytes: &[u8]) -> Result<MeshFile, MeshError> {
    // Editors of some systems put a byte order mark before text.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let has_extension = |format: &Format| {
        extension.as_deref().is_some_and(|extension| format.extensions.contains(&extension))
    };
    let by_content = FORMATS.into_iter().find(|format| (format.is_in)(bytes));
    let Some(format) = by_content.or_else(|| FORMATS.into_iter().find(|format| has_extension(format))) else {
        let known = FORMATS.map(|format| format.name).join(", ");
        return Err(MeshError::UnknownFormat { path: path.to_owned(), known });
    };
    assemble::assemble(path, (format.read)(path, bytes)?)
}
