//! `basis.npz`: a basis with its weights and its mesh in one file that NumPy and SciPy open.
//!
//! `scipy.sparse.load_npz` reads the keys `format, shape, indptr, indices, data` as B (nD x r, CSR). Beside them stand
//! `weights_data, weights_indices, weights_indptr, weights_shape` (W, n x k, CSR), `nodes` (k vertices, empty for modes), `vertices`
//! (n x D, in m), `cells` (t x (D + 1)) and `method` (a string). Numbers are `float64` and `int64`.

mod read;
mod write;

pub use write::write_basis;

use crate::{BasisError, Weights};
use std::path::Path;

/// What a `basis.npz` holds; every part agrees with the others in size, and every index is in range.
#[derive(Clone, Debug, PartialEq)]
pub struct BasisFile<const D: usize> {
    method: String,
    nodes: Option<Vec<usize>>,
    weights: Weights,
    vertices: Vec<[f64; D]>,
    cells: Vec<usize>,
    basis: BasisMatrix,
}

impl<const D: usize> BasisFile<D> {
    /// Reads a file that [`write_basis`] wrote, or another program with the same keys and number types.
    ///
    /// # Errors
    /// A file that cannot be read, that lacks an array, whose dimension is not D, or whose arrays contradict each other.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, BasisError> {
        read::read_basis(path.as_ref())
    }

    /// The name of the method that built the weights.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The vertex of each frame, or `None` for methods without nodes.
    pub fn nodes(&self) -> Option<&[usize]> {
        self.nodes.as_deref()
    }

    /// W, n x k.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// X, n x D, in m.
    pub fn vertices(&self) -> &[[f64; D]] {
        &self.vertices
    }

    /// The cells, t times D + 1 vertices.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// B, nD x r.
    pub fn basis(&self) -> &BasisMatrix {
        &self.basis
    }
}

/// The matrix B of a file, nD x r, as sparse rows.
#[derive(Clone, Debug, PartialEq)]
pub struct BasisMatrix {
    row_offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    column_count: usize,
}

impl BasisMatrix {
    /// nD.
    pub fn row_count(&self) -> usize {
        self.row_offsets.len() - 1
    }

    /// r.
    pub fn column_count(&self) -> usize {
        self.column_count
    }

    /// The columns and values of row `v D + i`.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn row(&self, row: usize) -> (&[usize], &[f64]) {
        let range = self.row_offsets[row]..self.row_offsets[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// `B z`, nD entries.
    ///
    /// # Panics
    /// If `coordinates` does not have r entries.
    pub fn multiply(&self, coordinates: &[f64]) -> Vec<f64> {
        assert_eq!(coordinates.len(), self.column_count, "one coordinate for each column of the basis");
        (0..self.row_count())
            .map(|row| {
                let (columns, values) = self.row(row);
                columns.iter().zip(values).map(|(&column, value)| value * coordinates[column]).sum()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
