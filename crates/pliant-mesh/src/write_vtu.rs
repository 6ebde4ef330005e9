//! Writing VTK `.vtu` files for ParaView and the like.

use std::path::Path;

use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells, DataArray, DataSet, ElementType, Piece,
    UnstructuredGridPiece, Version, VertexNumbers, Vtk,
};

use crate::{ArrayLocation, MeshArray, MeshError, SimplexMesh, replace_file};

/// Writes the rest positions, the cells, and as data: `region` (its index, on cells), `displacement` and the arrays.
///
/// `displacement` is stacked, n*D numbers in m. Points and all entries of two components get a zero third one, because
/// VTK is three-dimensional. The file appears whole or not at all. O(n + t).
///
/// # Errors
/// An array or displacement of the wrong length or with a value that is not finite, or a file that cannot be written.
pub fn write_vtu<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    displacement: Option<&[f64]>,
    arrays: &[MeshArray],
) -> Result<(), MeshError> {
    let path = path.as_ref();
    let displacement = displacement.map(|values| MeshArray {
        name: "displacement".to_owned(),
        on: ArrayLocation::Vertex,
        components: D,
        values: values.to_vec(),
    });
    let mut data = Attributes::new();
    let regions: Vec<u32> = mesh.cell_regions().iter().map(|&region| region as u32).collect();
    data.cell.push(Attribute::scalars("region", 1).with_data(regions));
    for array in displacement.iter().chain(arrays) {
        array.check(mesh)?;
        let (components, values) = padded(array.components, &array.values);
        let elem = ElementType::Scalars { num_comp: components as u32, lookup_table: None };
        let attribute =
            Attribute::DataArray(DataArray { name: array.name.clone(), elem, data: values.into() });
        match array.on {
            ArrayLocation::Cell => data.cell.push(attribute),
            ArrayLocation::Vertex => data.point.push(attribute),
        }
    }
    let kind = if D == 2 { CellType::Triangle } else { CellType::Tetra };
    let piece = UnstructuredGridPiece {
        points: padded(D, mesh.positions().as_flattened()).1.into(),
        cells: Cells {
            cell_verts: VertexNumbers::XML {
                connectivity: mesh.cells().flatten().map(|&vertex| vertex as u64).collect(),
                offsets: (1..=mesh.cell_count()).map(|cell| (cell * (D + 1)) as u64).collect(),
            },
            types: vec![kind; mesh.cell_count()],
        },
        data,
    };
    let vtk = Vtk {
        version: Version::new_xml(1, 0),
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::UnstructuredGrid { meta: None, pieces: vec![Piece::Inline(Box::new(piece))] },
        file_path: None,
    };
    let failed = |source| MeshError::WriteFile { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    vtk.write_xml(&mut bytes).map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    replace_file(path, &bytes).map_err(failed)
}

/// Entries of two components with a zero third one; others as they are.
fn padded(components: usize, values: &[f64]) -> (usize, Vec<f64>) {
    if components == 2 {
        (3, values.chunks_exact(2).flat_map(|entry| [entry[0], entry[1], 0.0]).collect())
    } else {
        (components, values.to_vec())
    }
}
