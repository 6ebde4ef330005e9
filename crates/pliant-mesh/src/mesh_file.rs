//! Reading a mesh file of any known format and dimension.

use std::path::Path;

use crate::formats::read_bytes;
use crate::{MeshError, SimplexMesh};

/// What a mesh file holds.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// The format that was found, for example `Gmsh 2.2 ASCII`.
    pub format: String,
    /// The mesh, in the dimension of the file's cells.
    pub mesh: AnyMesh,
    /// Named arrays that are complete, in the order of the file.
    pub arrays: Vec<MeshArray>,
    /// What the file holds but the mesh does not, and what was repaired.
    pub dropped: Vec<Dropped>,
}

/// A mesh whose dimension is known only after reading.
#[derive(Clone, Debug)]
pub enum AnyMesh {
    /// Triangles.
    Two(SimplexMesh<2>),
    /// Tetrahedra.
    Three(SimplexMesh<3>),
}

/// A named array on the cells or vertices of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshArray {
    /// The name in the file.
    pub name: String,
    /// Whether there is one entry for each cell or for each vertex.
    pub on: ArrayLocation,
    /// Numbers in one entry, at least 1.
    pub components: usize,
    /// Entry after entry, `components` numbers each, all finite.
    pub values: Vec<f64>,
}

/// What the entries of an array belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLocation {
    /// One entry for each cell.
    Cell,
    /// One entry for each vertex.
    Vertex,
}

impl ArrayLocation {
    /// `cell` or `vertex`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Vertex => "vertex",
        }
    }
}

impl MeshArray {
    /// Checks that the array has one entry of finite numbers for each cell or vertex.
    pub(crate) fn check<const D: usize>(&self, mesh: &SimplexMesh<D>) -> Result<(), MeshError> {
        let entries = match self.on {
            ArrayLocation::Cell => mesh.cell_count(),
            ArrayLocation::Vertex => mesh.vertex_count(),
        };
        if self.components == 0 || self.values.len() != entries * self.components {
            return Err(MeshError::ArrayLength {
                name: self.name.clone(),
                length: self.values.len(),
                entries,
                components: self.components,
                on: self.on.name(),
            });
        }
        match self.values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(MeshError::ArrayNotFinite {
                name: self.name.clone(),
                on: self.on.name(),
                entry: index / self.components,
                value: self.values[index],
            }),
            None => Ok(()),
        }
    }
}

/// Something that a file holds and the mesh does not (`lines`, `unused vertices`), or a repair (`reoriented cells`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The plural of what was dropped or repaired.
    pub what: String,
    /// How many.
    pub count: usize,
}

/// Reads a mesh file; the format is told by the content, then by the extension.
///
/// Formats: Gmsh `.msh` 1, 2.2, 4.0 and 4.1, VTK `.vtu` and legacy `.vtk`, MEDIT `.mesh` and `.meshb`, TetGen `.node` and `.ele`, Abaqus
/// `.inp`, NumPy `.npz` and `.npy`, flat surfaces, each in text and binary where it has both. The elements of the highest dimension become cells: quadrangles,
/// hexahedra, prisms and pyramids are cut so that neighbours agree, elements of higher order are reduced to their corners.
/// Groups become regions (cells) and vertex sets (everything of lower dimension). A cell in several groups belongs to the
/// region of the first; the others become vertex sets. Without groups, an array of whole numbers on cells that is called
/// `region`, `material`, `gmsh:physical`, `medit:ref`, `CellEntityIds` or the like gives the regions. Inverted cells are
/// turned, repeated cells and unused vertices dropped; all are reported. O(bytes), memory a small multiple of the file.
///
/// # Errors
/// A file that cannot be read, of an unknown format, malformed or truncated, without cells of two or three dimensions, with
/// a cell so distorted that its parts overlap, or with triangles that do not lie in one plane z = constant.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<MeshFile, MeshError> {
    let path = path.as_ref();
    let bytes =
        std::fs::read(path).map_err(|source| MeshError::ReadFile { path: path.to_owned(), source })?;
    read_bytes(path, &bytes)
}

impl SimplexMesh<2> {
    /// Reads a mesh of triangles with [`read_mesh`].
    ///
    /// # Errors
    /// As [`read_mesh`], and if the file holds tetrahedra.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MeshError> {
        match read_mesh(path.as_ref())?.mesh {
            AnyMesh::Two(mesh) => Ok(mesh),
            AnyMesh::Three(_) => Err(wrong_dimension(path.as_ref(), 3, 2)),
        }
    }
}

impl SimplexMesh<3> {
    /// Reads a mesh of tetrahedra with [`read_mesh`].
    ///
    /// # Errors
    /// As [`read_mesh`], and if the file holds only triangles.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MeshError> {
        match read_mesh(path.as_ref())?.mesh {
            AnyMesh::Three(mesh) => Ok(mesh),
            AnyMesh::Two(_) => Err(wrong_dimension(path.as_ref(), 2, 3)),
        }
    }
}

fn wrong_dimension(path: &Path, found: usize, wanted: usize) -> MeshError {
    MeshError::WrongDimension { path: path.to_owned(), found, wanted }
}
