//! Writing `basis.npz`, array after array.

use crate::{BasisError, Subspace};
use npyz::zip::ZipWriter;
use npyz::zip::write::FileOptions;
use npyz::{AutoSerialize, DType, Serialize, TypeStr, WriteOptions, WriterBuilder};
use pliant_mesh::{SimplexMesh, replace_file};
use std::io::{self, BufWriter, Cursor, Write};
use std::path::Path;

type Archive = ZipWriter<Cursor<Vec<u8>>>;

/// Bytes that the compressor gets at a time: it clears its own buffer at each.
const BUFFER: usize = 1 << 16;

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
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    write_matrix(&mut archive, subspace)?;
    let weights = subspace.weights();
    let entries = weights.values().len();
    array(&mut archive, "weights_data", &[entries], weights.values().iter().copied())?;
    array(&mut archive, "weights_indices", &[entries], integers(weights.frames()))?;
    array(&mut archive, "weights_indptr", &[weights.row_offsets().len()], integers(weights.row_offsets()))?;
    let shape = [weights.vertex_count(), weights.frame_count()];
    array(&mut archive, "weights_shape", &[2], integers(&shape))?;
    let nodes = nodes.unwrap_or_default();
    array(&mut archive, "nodes", &[nodes.len()], integers(nodes))?;
    let coordinates = mesh.positions().as_flattened();
    array(&mut archive, "vertices", &[mesh.vertex_count(), D], coordinates.iter().copied())?;
    let corners = mesh.cells().flatten().map(|&vertex| vertex as i64);
    array(&mut archive, "cells", &[mesh.cell_count(), D + 1], corners)?;
    string(&mut archive, "method", 'U', method)?;
    Ok(archive.finish()?.into_inner())
}

/// B = S (x) I_D: row `v D + i` takes the entries of row `v` of S into the columns `s D + i`.
fn write_matrix<const D: usize>(archive: &mut Archive, subspace: &Subspace<D>) -> io::Result<()> {
    let rows = subspace.scalar_rows();
    let row = |vertex: usize| {
        let (columns, values) = rows.row(vertex);
        columns.iter().zip(values).filter(|(_, value)| **value != 0.0)
    };
    let vertices = subspace.vertex_count();
    let counts: Vec<usize> = (0..vertices).map(|vertex| row(vertex).count()).collect();
    let entries = D * counts.iter().sum::<usize>();
    let every_row = || (0..vertices).flat_map(|vertex| (0..D).map(move |component| (vertex, component)));

    string(archive, "format", 'S', "csr")?;
    array(archive, "shape", &[2], integers(&[vertices * D, subspace.dofs()]))?;
    let ends = counts.iter().flat_map(|&count| [count; D]).scan(0, |end, count| {
        *end += count as i64;
        Some(*end)
    });
    array(archive, "indptr", &[vertices * D + 1], std::iter::once(0).chain(ends))?;
    let columns = every_row()
        .flat_map(|(vertex, component)| row(vertex).map(move |(column, _)| (column * D + component) as i64));
    array(archive, "indices", &[entries], columns)?;
    let values = every_row().flat_map(|(vertex, _)| row(vertex).map(|(_, &value)| value));
    array(archive, "data", &[entries], values)
}

fn integers(values: &[usize]) -> impl Iterator<Item = i64> {
    values.iter().map(|&value| value as i64)
}

/// One array in C order; `shape` must multiply to the number of values.
fn array<T: AutoSerialize>(
    archive: &mut Archive,
    name: &str,
    shape: &[usize],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let shape: Vec<u64> = shape.iter().map(|&length| length as u64).collect();
    archive.start_file(format!("{name}.npy"), options())?;
    let mut buffer = BufWriter::with_capacity(BUFFER, archive);
    let mut writer = WriteOptions::<T>::new().default_dtype().shape(&shape).writer(&mut buffer).begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    buffer.flush()
}

/// A string as an array without dimensions: bytes for `S`, code points for `U`.
fn string(archive: &mut Archive, name: &str, kind: char, value: &str) -> io::Result<()> {
    let order = if kind == 'U' { '<' } else { '|' };
    let length = if kind == 'U' { value.chars().count() } else { value.len() };
    let description = format!("{order}{kind}{}", length.max(1));
    let invalid =
        |error: npyz::ParseTypeStrError| io::Error::new(io::ErrorKind::InvalidInput, error.to_string());
    let dtype = DType::new_scalar(description.parse::<TypeStr>().map_err(invalid)?);
    push_one::<str>(archive, name, dtype, value)
}

fn push_one<T: Serialize + ?Sized>(
    archive: &mut Archive,
    name: &str,
    dtype: DType,
    value: &T,
) -> io::Result<()> {
    archive.start_file(format!("{name}.npy"), options())?;
    let mut writer = WriteOptions::<T>::new().dtype(dtype).shape(&[]).writer(archive).begin_nd()?;
    writer.push(value)?;
    writer.finish()
}

/// Compressed fast (values hardly compress), with the 64-bit sizes that NumPy always writes too, and without the time, so that
/// the same basis gives the same bytes.
fn options() -> FileOptions {
    FileOptions::default()
        .compression_level(Some(1))
        .large_file(true)
        .last_modified_time(npyz::zip::DateTime::default())
}
