//! NumPy archives: `vertices` (n x D) and `cells` (t x (D+1), vertex indices from 0), and arrays with a row for each.
//!
//! `region` is a number for each cell, an index into the strings `region_names` if there are some; `set:NAME` are the indices of
//! a vertex set. Where there are as many cells as vertices, `cell:NAME` and `vertex:NAME` say what an array is on.

mod npy_files;
mod read;
mod write;

use super::Format;
use crate::MeshError;
use crate::fault::one_line;
pub(super) use write::npz;

pub(super) const NPZ: Format = Format {
    name: "NumPy .npz",
    extensions: &["npz"],
    is_in: |bytes| bytes.starts_with(b"PK\x03\x04"),
    read: |path, bytes| {
        read::read_file(bytes).map_err(|problem| MeshError::MalformedArchive {
            path: path.to_owned(),
            problem: one_line(&problem),
        })
    },
};

pub(super) const NPY: Format = Format {
    name: "NumPy .npy (vertices.npy and cells.npy beside each other)",
    extensions: &["npy"],
    is_in: |bytes| bytes.starts_with(b"\x93NUMPY"),
    read: npy_files::read_files,
};

/// Names of the array of vertices; the first is written.
const VERTEX_NAMES: [&str; 5] = ["vertices", "V", "points", "verts", "X"];
/// Names of the array of cells; the first is written.
const CELL_NAMES: [&str; 7] = ["cells", "T", "elements", "tets", "F", "faces", "triangles"];
/// Name of the array of the regions' names.
const REGION_NAMES: &str = "region_names";
