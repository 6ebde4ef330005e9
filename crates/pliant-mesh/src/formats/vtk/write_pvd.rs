//! Writing `.pvd` collections: a list of `.vtu` files, each with its time, that ParaView opens as one series.
//!
//! Source: the ParaView guide, "PVD file format".

use std::fmt::Write;
use std::path::Path;

use quick_xml::escape::escape;

use crate::{MeshError, replace_file};

/// One file of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct PvdEntry {
    /// When it is shown; of the entries of one part no two share a time.
    pub time: f64,
    /// The block that it is, from 0; the blocks of one time are shown together.
    pub part: usize,
    /// What the block is called.
    pub name: String,
    /// The file, relative to the collection.
    pub file: String,
}

/// Writes a collection. The file appears whole or not at all; the files that it names need not exist.
///
/// # Errors
/// A file that cannot be written.
pub fn write_pvd(path: impl AsRef<Path>, entries: &[PvdEntry]) -> Result<(), MeshError> {
    let mut out = String::from(
        "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for PvdEntry { time, part, name, file } in entries {
        let (name, file) = (escape(name), escape(file));
        let _ = writeln!(
            out,
            "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>"
        );
    }
    out.push_str("</Collection>\n</VTKFile>\n");
    let path = path.as_ref();
    replace_file(path, out.as_bytes())
        .map_err(|source| MeshError::WriteFile { path: path.to_owned(), source })
}
