//! VTK files of unstructured grids: `.vtu` (XML) and legacy `.vtk`.
//!
//! Source: the VTK file formats manual.

mod base64;
mod cell_numbers;
mod contents;
mod grid;
mod read_legacy;
mod write_legacy;
mod write_pvd;
mod write_vtu;
mod xml;
mod xml_tags;

use super::Format;
use super::cursor::Cursor;
use crate::scalar_type::Encoding;
pub(super) use write_legacy::legacy;
pub use write_pvd::{PvdEntry, write_pvd};
pub(super) use write_vtu::vtu;
pub use write_vtu::{write_compressed_vtu, write_vtu};

pub(super) const VTK_LEGACY: Format = Format {
    name: "VTK legacy .vtk",
    extensions: &["vtk"],
    is_in: |bytes| bytes.get(..22).is_some_and(|start| start.eq_ignore_ascii_case(b"# vtk DataFile Version")),
    read: |path, bytes| {
        let mut cursor = Cursor::new(bytes);
        read_legacy::read_file(&mut cursor).map_err(|fault| fault.in_bytes(path, bytes, cursor.encoding))
    },
};

pub(super) const VTK_XML: Format = Format {
    name: "VTK .vtu",
    extensions: &["vtu"],
    is_in: |bytes| {
        let start = &bytes[..bytes.len().min(1_000)];
        start.windows(8).any(|window| window == b"<VTKFile")
    },
    // The tags are text whatever the arrays are, so that a line is where to look.
    read: |path, bytes| xml::read_file(bytes).map_err(|fault| fault.in_bytes(path, bytes, Encoding::Ascii)),
};
