//! Gmsh `.msh` files, versions 2.2 and 4.1, ASCII and binary (either byte order).
//!
//! Source: the Gmsh reference manual, "MSH file format" and "Legacy formats".

mod assemble;
mod contents;
mod cursor;
mod data_section;
mod element_type;
mod number_writer;
mod repeated_cells;
mod tag_index;
mod version_2;
mod version_4;
mod write_msh;

use std::path::Path;

use crate::{FilePlace, MeshError, MeshFile};
use cursor::Encoding;
pub use write_msh::{MshVersion, write_msh};

/// Reads the bytes of a Gmsh file; the path is only for messages. O(bytes).
///
/// # Errors
/// Anything that is not a valid file with triangles or tetrahedra, with the line (ASCII) or byte (binary).
pub(crate) fn read_gmsh(path: &Path, bytes: &[u8]) -> Result<MeshFile, MeshError> {
    match contents::read_contents(bytes) {
        Ok((contents, _)) => assemble::assemble(path, contents),
        Err((fault, encoding)) => {
            let at = fault.at.min(bytes.len());
            let place = if encoding == Encoding::Ascii {
                // Numbers are looked for from the end of the previous one: the fault is past the white space.
                let blank = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let end = if at + blank == bytes.len() { at } else { at + blank };
                FilePlace::Line(1 + bytes[..end].iter().filter(|&&byte| byte == b'\n').count())
            } else {
                FilePlace::Byte(at)
            };
            Err(MeshError::MalformedFile { path: path.to_owned(), place, problem: fault.problem })
        }
    }
}
