//! Writing VTK `.vtu` files for ParaView and the like: base64 with 8-byte sizes, little-endian, compressed by zlib or not.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::base64::encode;
use super::cell_numbers::simplex_number;
use super::contents::Contents;
use crate::formats::write_mesh::{Written, check_arrays};
use crate::simplex_mesh::in_space;
use crate::{ArrayLocation, MeshArray, MeshError, SimplexMesh};

/// Writes the rest positions, the cells, and as data: `region` (its number, on cells), `displacement`, vertex sets and the
/// arrays.
///
/// `displacement` is stacked, n*D numbers in m. Points and all entries of two components get a zero third one, because
/// VTK is three-dimensional. The file appears whole or not at all, whatever its extension is. O(n + t).
///
/// # Errors
/// An array or displacement of the wrong length or with a value that is not finite, or a file that cannot be written.
pub fn write_vtu<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    displacement: Option<&[f64]>,
    arrays: &[MeshArray],
) -> Result<(), MeshError> {
    store(path.as_ref(), mesh, displacement, arrays, false)
}

/// [`write_vtu`] with compressed arrays: about a quarter of the bytes, for files that come in great numbers.
///
/// # Errors
/// As [`write_vtu`].
pub fn write_compressed_vtu<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    displacement: Option<&[f64]>,
    arrays: &[MeshArray],
) -> Result<(), MeshError> {
    store(path.as_ref(), mesh, displacement, arrays, true)
}

/// Writes the displacement as the first of the arrays.
fn store<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    displacement: Option<&[f64]>,
    arrays: &[MeshArray],
    is_compressed: bool,
) -> Result<(), MeshError> {
    let displacement = displacement.map(|values| MeshArray {
        name: "displacement".to_owned(),
        on: ArrayLocation::Vertex,
        components: D,
        values: values.to_vec(),
    });
    let arrays: Vec<MeshArray> = displacement.into_iter().chain(arrays.iter().cloned()).collect();
    check_arrays(mesh, &arrays)?;
    file(path, mesh, &arrays, is_compressed).store().map(|_| ())
}

/// The file of a mesh.
pub(in crate::formats) fn vtu<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    file(path, mesh, arrays, false)
}

fn file<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
    is_compressed: bool,
) -> Written {
    let mut written = Written::whole(path, Vec::new());
    let contents = Contents::new(mesh, arrays, &mut written);
    let mut out = Tags { text: String::new(), is_compressed };
    let compressor = if is_compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    out.line(&format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>"
    ));
    out.line("<UnstructuredGrid>");
    if !contents.fields.is_empty() {
        out.line("<FieldData>");
        for (name, values) in &contents.fields {
            out.array("Int32", name, 1, &integers(values), Some(2));
        }
        out.line("</FieldData>");
    }
    out.line(&format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">",
        mesh.vertex_count(),
        mesh.cell_count()
    ));
    out.line("<PointData>");
    for (name, is_in) in &contents.sets {
        out.array("UInt8", name, 1, is_in, None);
    }
    for array in contents.arrays_on(ArrayLocation::Vertex) {
        out.array("Float64", &array.name, array.components, &reals(&array.values), None);
    }
    out.line("</PointData>");
    out.line("<CellData>");
    out.array("Int32", "region", 1, &integers(&contents.regions), None);
    for array in contents.arrays_on(ArrayLocation::Cell) {
        out.array("Float64", &array.name, array.components, &reals(&array.values), None);
    }
    out.line("</CellData>");
    out.line("<Points>");
    let points: Vec<[f64; 3]> = mesh.positions().iter().map(in_space).collect();
    out.array("Float64", "Points", 3, &reals(points.as_flattened()), None);
    out.line("</Points>");
    out.line("<Cells>");
    let long = |values: &mut dyn Iterator<Item = usize>| -> Vec<u8> {
        values.flat_map(|value| (value as i64).to_le_bytes()).collect()
    };
    out.array("Int64", "connectivity", 1, &long(&mut mesh.cells().flatten().copied()), None);
    out.array("Int64", "offsets", 1, &long(&mut (1..=mesh.cell_count()).map(|cell| cell * (D + 1))), None);
    out.array("UInt8", "types", 1, &vec![simplex_number::<D>(); mesh.cell_count()], None);
    out.line("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>");
    written.files[0].1 = out.text.into_bytes();
    written
}

/// The text of the file.
struct Tags {
    text: String,
    is_compressed: bool,
}

impl Tags {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn array(&mut self, kind: &str, name: &str, components: usize, bytes: &[u8], tuples: Option<usize>) {
        let tuples = tuples.map_or(String::new(), |count| format!(" NumberOfTuples=\"{count}\""));
        let name = quick_xml::escape::escape(name);
        let _ = writeln!(
            self.text,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"{tuples} format=\"binary\">"
        );
        if self.is_compressed {
            let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(deflated).collect();
            // Number of blocks, their size, that of the last one if it is smaller, and the compressed sizes.
            let mut sizes = vec![blocks.len(), BLOCK, bytes.len() % BLOCK];
            sizes.extend(blocks.iter().map(Vec::len));
            let sizes: Vec<u8> = sizes.iter().flat_map(|&size| (size as u64).to_le_bytes()).collect();
            encode(&sizes, &mut self.text);
            encode(&blocks.concat(), &mut self.text);
        } else {
            let size = (bytes.len() as u64).to_le_bytes();
            encode(&[&size[..], bytes].concat(), &mut self.text);
        }
        self.text.push_str("\n</DataArray>\n");
    }
}

/// Bytes that are compressed together.
const BLOCK: usize = 1 << 18;

fn deflated(block: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let written = encoder.write_all(block).and_then(|()| encoder.finish());
    written.expect("a Vec takes everything")
}

fn integers(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn reals(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
