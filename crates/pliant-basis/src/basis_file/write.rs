//! Writing `basis.npz`, array after array.

use crate::{BasisError, Subspace};
use pliant_mesh::{NpzWriter, SimplexMesh, replace_file};
use std::io;
use std::path::Path;

/// The fastest: values hardly compress.
const COMPRESSION_LEVEL: i64 = 1;

/// Writes the subspace with its weights, the nodes of its frames (`None` for modes) and the mesh, replacing the file if it exists.
///
/// Entries of B that are exactly 0 are left out. Memory: the compressed file.
///
/// # Errors
/// If the file cannot be written; what was at `path` is then unchanged.
pub fn write_basis<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    subspace: &Subspace<D>,
    method: &str,
    nodes: Option<&[usize]>,
) -> Result<(), BasisError> {
    let path = path.as_ref();
    archive_bytes(mesh, subspace, method, nodes)
        .and_then(|bytes| replace_file(path, &bytes))
        .map_err(|source| BasisError::Write { path: path.to_owned(), source })
}

fn archive_bytes<const D: usize>(
    mesh: &SimplexMesh<D>,
    subspace: &Subspace<D>,
    method: &str,
    nodes: Option<&[usize]>,
) -> io::Result<Vec<u8>> {
    let mut archive = NpzWriter::new(COMPRESSION_LEVEL);
    write_matrix(&mut archive, subspace)?;
    let weights = subspace.weights();
    let entries = weights.values().len();
    archive.reals("weights_data", &[entries], weights.values().iter().copied())?;
    archive.integers("weights_indices", &[entries], weights.frames().iter().copied())?;
    archive.integers(
        "weights_indptr",
        &[weights.row_offsets().len()],
        weights.row_offsets().iter().copied(),
    )?;
    let shape = [weights.vertex_count(), weights.frame_count()];
    archive.integers("weights_shape", &[2], shape.into_iter())?;
    let nodes = nodes.unwrap_or_default();
    archive.integers("nodes", &[nodes.len()], nodes.iter().copied())?;
    let coordinates = mesh.positions().as_flattened();
    archive.reals("vertices", &[mesh.vertex_count(), D], coordinates.iter().copied())?;
    archive.integers("cells", &[mesh.cell_count(), D + 1], mesh.cells().flatten().copied())?;
    archive.string("method", method)?;
    archive.finish()
}

/// B = S (x) I_D: row `v D + i` takes the entries of row `v` of S into the columns `s D + i`.
fn write_matrix<const D: usize>(archive: &mut NpzWriter, subspace: &Subspace<D>) -> io::Result<()> {
    let rows = subspace.scalar_rows();
    let row = |vertex: usize| {
        let (columns, values) = rows.row(vertex);
        columns.iter().zip(values).filter(|(_, value)| **value != 0.0)
    };
    let vertices = subspace.vertex_count();
    let counts: Vec<usize> = (0..vertices).map(|vertex| row(vertex).count()).collect();
    let entries = D * counts.iter().sum::<usize>();
    let every_row = || (0..vertices).flat_map(|vertex| (0..D).map(move |component| (vertex, component)));

    archive.bytes("format", "csr")?;
    archive.integers("shape", &[2], [vertices * D, subspace.dofs()].into_iter())?;
    let ends = counts.iter().flat_map(|&count| [count; D]).scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    archive.integers("indptr", &[vertices * D + 1], std::iter::once(0).chain(ends))?;
    let columns = every_row()
        .flat_map(|(vertex, component)| row(vertex).map(move |(column, _)| column * D + component));
    archive.integers("indices", &[entries], columns)?;
    let values = every_row().flat_map(|(vertex, _)| row(vertex).map(|(_, &value)| value));
    archive.reals("data", &[entries], values)
}
