//! Reading `basis.npz`, and checking that its arrays agree with each other.

use super::{BasisFile, BasisMatrix};
use crate::{BasisError, Weights};
use pliant_mesh::{NumpyArray, read_npz};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn read_basis<const D: usize>(path: &Path) -> Result<BasisFile<D>, BasisError> {
    let mut source = Source::open(path)?;
    let method = source.strings("method")?.pop().ok_or_else(|| source.invalid("its method is empty"))?;
    let format = source.strings("format")?;
    if format != ["csr"] {
        return Err(source.invalid("its array \"format\" is not \"csr\""));
    }
    let (vertices, shape) = source.numbers("vertices")?;
    if shape.len() != 2 || shape[1] != D {
        let problem = format!(
            "its vertices have the shape {shape:?} where n x {D} is needed; read it in its dimension"
        );
        return Err(source.invalid(problem));
    }
    let vertices: Vec<[f64; D]> =
        vertices.chunks_exact(D).map(|row| std::array::from_fn(|axis| row[axis])).collect();
    if let Some(vertex) = vertices.iter().position(|position| position.iter().any(|value| !value.is_finite()))
    {
        return Err(source.invalid(format!("vertex {vertex} has a coordinate that is not finite")));
    }
    let cells = read_cells::<D>(&mut source, vertices.len())?;
    let weights = read_weights(&mut source, vertices.len())?;
    let nodes = source.indices("nodes", vertices.len())?;
    if !nodes.is_empty() && nodes.len() != weights.frame_count() {
        let problem = format!("it has {} nodes for {} frames", nodes.len(), weights.frame_count());
        return Err(source.invalid(problem));
    }
    let basis = read_matrix(&mut source)?;
    let expected = (vertices.len() * D, weights.frame_count() * D * (D + 1));
    if (basis.row_count(), basis.column_count()) != expected {
        let problem = format!(
            "its basis is {} x {} where {} x {} is needed",
            basis.row_count(),
            basis.column_count(),
            expected.0,
            expected.1
        );
        return Err(source.invalid(problem));
    }
    let nodes = (!nodes.is_empty()).then_some(nodes);
    Ok(BasisFile { method, nodes, weights, vertices, cells, basis })
}

fn read_cells<const D: usize>(source: &mut Source, vertices: usize) -> Result<Vec<usize>, BasisError> {
    let (cells, shape) = source.shaped_indices("cells", vertices)?;
    if shape.len() != 2 || shape[1] != D + 1 {
        let problem = format!("its cells have the shape {shape:?} where t x {} is needed", D + 1);
        return Err(source.invalid(problem));
    }
    Ok(cells)
}

fn read_weights(source: &mut Source, vertices: usize) -> Result<Weights, BasisError> {
    let shape = source.indices("weights_shape", usize::MAX)?;
    if shape.len() != 2 || shape[0] != vertices {
        let problem = format!("its weights have the shape {shape:?} where {vertices} rows are needed");
        return Err(source.invalid(problem));
    }
    let offsets = source.indices("weights_indptr", usize::MAX)?;
    if offsets.len() != vertices + 1 {
        return Err(source.invalid(format!(
            "its array \"weights_indptr\" has {} entries where {} are needed",
            offsets.len(),
            vertices + 1
        )));
    }
    let frames = source.indices("weights_indices", shape[1])?;
    let (values, _) = source.numbers("weights_data")?;
    Weights::from_sparse_rows(shape[1], offsets, frames, values)
        .map_err(|error| source.invalid(error.to_string()))
}

fn read_matrix(source: &mut Source) -> Result<BasisMatrix, BasisError> {
    let shape = source.indices("shape", usize::MAX)?;
    if shape.len() != 2 {
        return Err(source.invalid("its array \"shape\" does not have two entries"));
    }
    let row_offsets = source.indices("indptr", usize::MAX)?;
    let columns = source.indices("indices", shape[1])?;
    let (values, _) = source.numbers("data")?;
    let ordered = row_offsets.first() == Some(&0) && row_offsets.is_sorted();
    let complete = row_offsets.len() == shape[0].saturating_add(1)
        && row_offsets.last() == Some(&columns.len())
        && values.len() == columns.len();
    if !(ordered && complete) {
        return Err(source
            .invalid("the arrays \"indptr\", \"indices\" and \"data\" of its basis contradict each other"));
    }
    if let Some(entry) = values.iter().position(|value| !value.is_finite()) {
        return Err(source.invalid(format!("entry {entry} of its basis is {}", values[entry])));
    }
    Ok(BasisMatrix { row_offsets, columns, values, column_count: shape[1] })
}

/// The arrays of a file that knows its name for the messages.
struct Source<'a> {
    path: &'a Path,
    arrays: BTreeMap<String, NumpyArray>,
}

impl<'a> Source<'a> {
    fn open(path: &'a Path) -> Result<Self, BasisError> {
        let bytes =
            std::fs::read(path).map_err(|source| BasisError::Read { path: path.to_owned(), source })?;
        let arrays = read_npz(&bytes)
            .map_err(|problem| BasisError::NotABasisFile { path: path.to_owned(), problem })?;
        Ok(Self { path, arrays })
    }

    fn invalid(&self, problem: impl Into<String>) -> BasisError {
        BasisError::NotABasisFile { path: self.path.to_owned(), problem: problem.into() }
    }

    fn take(&mut self, name: &str) -> Result<NumpyArray, BasisError> {
        self.arrays.remove(name).ok_or_else(|| self.invalid(format!("it has no array \"{name}\"")))
    }

    /// The values in C order, and the shape.
    fn numbers(&mut self, name: &str) -> Result<(Vec<f64>, Vec<usize>), BasisError> {
        match self.take(name)? {
            NumpyArray::Numbers { shape, values } => Ok((values, shape)),
            NumpyArray::Strings(_) => {
                Err(self.invalid(format!("its array \"{name}\" has strings in place of numbers")))
            }
        }
    }

    fn strings(&mut self, name: &str) -> Result<Vec<String>, BasisError> {
        match self.take(name)? {
            NumpyArray::Strings(strings) => Ok(strings),
            NumpyArray::Numbers { .. } => {
                Err(self.invalid(format!("its array \"{name}\" has numbers in place of strings")))
            }
        }
    }

    /// Integers from 0 to `limit`, `limit` excluded, and the shape.
    fn shaped_indices(&mut self, name: &str, limit: usize) -> Result<(Vec<usize>, Vec<usize>), BasisError> {
        let (values, shape) = self.numbers(name)?;
        let index = |(entry, &value): (usize, &f64)| {
            if value >= 0.0 && value < limit as f64 && value.fract() == 0.0 {
                Ok(value as usize)
            } else {
                let problem =
                    format!("entry {entry} of its array \"{name}\" is {value}, which is out of range");
                Err(self.invalid(problem))
            }
        };
        Ok((values.iter().enumerate().map(index).collect::<Result<_, _>>()?, shape))
    }

    fn indices(&mut self, name: &str, limit: usize) -> Result<Vec<usize>, BasisError> {
        Ok(self.shaped_indices(name, limit)?.0)
    }
}
