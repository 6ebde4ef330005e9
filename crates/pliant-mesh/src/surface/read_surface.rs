//! Reading a triangle surface of any known format.

use std::path::Path;

use super::TriangleSurface;
use super::obj::read_obj;
use super::off::read_off;
use super::ply::read_ply;
use super::stl::{is_binary_stl, read_stl};
use crate::MeshError;

/// Reads a surface from an OBJ, OFF, STL or PLY file; the format is told by the content, for OBJ by the extension.
///
/// Polygons become fans of triangles, vertices at exactly the same place become one, degenerate triangles go. Normals,
/// colours, textures and groups are skipped. O(bytes), memory a small multiple of the file.
///
/// # Errors
/// A file that cannot be read, of another format, malformed or truncated, or without a triangle.
pub fn read_surface(path: impl AsRef<Path>) -> Result<TriangleSurface, MeshError> {
    let path = path.as_ref();
    let bytes =
        std::fs::read(path).map_err(|source| MeshError::ReadFile { path: path.to_owned(), source })?;
    Ok(parse_surface(path, &bytes)?.0)
}

/// The surface in the bytes of a file, and the name of the format.
pub(crate) fn parse_surface(path: &Path, bytes: &[u8]) -> Result<(TriangleSurface, &'static str), MeshError> {
    let begins = |text: &str| bytes.trim_ascii_start().starts_with(text.as_bytes());
    let extension =
        path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    let (parsed, format) = if begins("ply") {
        (read_ply(bytes), "PLY")
    } else if ["OFF", "COFF", "NOFF", "CNOFF"].iter().any(|keyword| begins(keyword)) || extension == "off" {
        (read_off(&String::from_utf8_lossy(bytes)), "OFF")
    } else if extension == "obj" {
        (read_obj(&String::from_utf8_lossy(bytes)), "OBJ")
    } else if extension == "stl" || is_binary_stl(bytes) || begins("solid") {
        (read_stl(bytes), "STL")
    } else {
        return Err(MeshError::UnknownSurfaceFormat { path: path.to_owned() });
    };
    let (positions, triangles) = parsed.map_err(|fault| fault.in_file(path))?;
    let surface = TriangleSurface::new(positions, triangles)
        .map_err(|source| MeshError::InFile { path: path.to_owned(), source: Box::new(source) })?;
    Ok((surface, format))
}
