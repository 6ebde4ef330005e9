//! NumPy's files: `.npy`, one array, and `.npz`, a zip archive of arrays by name.
//!
//! Source: the documentation of `numpy.lib.format`.

mod archive;
mod array;
mod writer;

pub use archive::read_npz;
pub use array::{NumpyArray, read_npy};
pub use writer::NpzWriter;
