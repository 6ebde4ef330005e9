//! Writing a mesh as arrays of an `.npz` file.

use std::io::{self, Cursor, Write};
use std::path::Path;

use npyz::zip::ZipWriter;
use npyz::zip::write::FileOptions;

use super::{CELL_NAMES, REGION_NAMES, VERTEX_NAMES};
use crate::formats::groups::{SET_PREFIX, is_cell_array};
use crate::formats::write_mesh::Written;
use crate::{ArrayLocation, MeshArray, MeshError, SimplexMesh};

/// The file of a mesh.
pub(in crate::formats) fn npz<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Result<Written, MeshError> {
    match archive(mesh, arrays) {
        Ok(bytes) => Ok(Written::whole(path, bytes)),
        Err(source) => Err(MeshError::WriteFile { path: path.to_owned(), source }),
    }
}

fn archive<const D: usize>(mesh: &SimplexMesh<D>, arrays: &[MeshArray]) -> io::Result<Vec<u8>> {
    let mut out = Archive(ZipWriter::new(Cursor::new(Vec::new())));
    let (vertices, cells) = (mesh.vertex_count(), mesh.cell_count());
    out.reals(VERTEX_NAMES[0], &[vertices, D], mesh.positions().as_flattened())?;
    out.integers(CELL_NAMES[0], &[cells, D + 1], mesh.cells().flatten().copied())?;
    out.integers("region", &[cells], mesh.cell_regions().iter().copied())?;
    out.strings(REGION_NAMES, mesh.regions())?;
    for set in mesh.vertex_sets() {
        let name = format!("{SET_PREFIX}{}", set.name);
        out.integers(&name, &[set.vertices.len()], set.vertices.iter().copied())?;
    }
    for array in arrays {
        let entries = array.values.len() / array.components;
        let shape = [entries, array.components];
        let shape = if array.components == 1 { &shape[..1] } else { &shape[..] };
        out.reals(&stored_name(array, arrays, vertices == cells), shape, &array.values)?;
    }
    Ok(out.0.finish()?.into_inner())
}

/// The name, with `cell:` or `vertex:` where it could be taken for something else.
fn stored_name(array: &MeshArray, arrays: &[MeshArray], is_square: bool) -> String {
    let name = &array.name;
    let is_taken = [VERTEX_NAMES[0], CELL_NAMES[0], "region", REGION_NAMES].contains(&name.as_str())
        || name.contains(':')
        || arrays.iter().filter(|other| other.name == *name).count() > 1;
    let is_unclear = is_square && !(array.on == ArrayLocation::Cell && is_cell_array(name));
    if is_taken || is_unclear { format!("{}:{name}", array.on.name()) } else { name.clone() }
}

struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    fn reals(&mut self, name: &str, shape: &[usize], values: &[f64]) -> io::Result<()> {
        self.array(name, "<f8", shape, values.iter().flat_map(|value| value.to_le_bytes()))
    }

    fn integers(
        &mut self,
        name: &str,
        shape: &[usize],
        values: impl Iterator<Item = usize>,
    ) -> io::Result<()> {
        self.array(name, "<i8", shape, values.flat_map(|value| (value as i64).to_le_bytes()))
    }

    fn strings(&mut self, name: &str, values: &[String]) -> io::Result<()> {
        let width = values.iter().map(|value| value.chars().count()).max().unwrap_or(0).max(1);
        let letters =
            values.iter().flat_map(|value| value.chars().chain(std::iter::repeat('\0')).take(width));
        let bytes = letters.flat_map(|letter| u32::from(letter).to_le_bytes());
        self.array(name, &format!("<U{width}"), &[values.len()], bytes)
    }

    /// One array in C order, with a header of a multiple of 64 bytes.
    fn array(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        bytes: impl Iterator<Item = u8>,
    ) -> io::Result<()> {
        let lengths: String = shape.iter().map(|length| format!("{length},")).collect();
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({lengths}), }}");
        let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
        // The date of a zip entry is fixed, so that equal meshes are equal files.
        let options =
            FileOptions::default().last_modified_time(npyz::zip::DateTime::default()).large_file(true);
        self.0.start_file(format!("{name}.npy"), options)?;
        let mut data = b"\x93NUMPY\x01\x00".to_vec();
        data.extend_from_slice(&(padded as u16).to_le_bytes());
        data.extend_from_slice(header.as_bytes());
        data.resize(10 + padded - 1, b' ');
        data.push(b'\n');
        data.extend(bytes);
        self.0.write_all(&data)
    }
}
