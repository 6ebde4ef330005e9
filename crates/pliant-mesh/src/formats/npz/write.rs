//! Writing a mesh as arrays of an `.npz` file.

use std::io;
use std::path::Path;

use super::{CELL_NAMES, REGION_NAMES, VERTEX_NAMES};
use crate::formats::groups::{SET_PREFIX, is_cell_array};
use crate::formats::write_mesh::Written;
use crate::{ArrayLocation, MeshArray, MeshError, NpzWriter, SimplexMesh};

const COMPRESSION_LEVEL: i64 = 6;

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
    let mut out = NpzWriter::new(COMPRESSION_LEVEL);
    let (vertices, cells) = (mesh.vertex_count(), mesh.cell_count());
    out.reals(VERTEX_NAMES[0], &[vertices, D], mesh.positions().as_flattened().iter().copied())?;
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
        out.reals(&stored_name(array, arrays, vertices == cells), shape, array.values.iter().copied())?;
    }
    out.finish()
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
