//! Simplex meshes of elastic solids: regions, material maps, selections, meshers and file formats.

mod components;
mod error;
mod gmsh;
mod material_map;
mod mesh_file;
mod mesh_parts;
mod nearest_vertex;
mod replace_file;
mod simplex_mesh;
mod spelling;
mod vertex_selection;
mod write_vtu;

pub use components::{Components, vertex_components};
pub use error::{FilePlace, MeshError};
pub use gmsh::{MshVersion, write_msh};
pub use material_map::{Material, MaterialMap};
pub use mesh_file::{AnyMesh, ArrayLocation, Dropped, MeshArray, MeshFile, read_mesh};
pub use mesh_parts::{Checked, InvertedCells, MeshOptions, MeshParts, UnusedVertices};
pub use nearest_vertex::NearestVertex;
pub use replace_file::replace_file;
pub use simplex_mesh::{SimplexMesh, VertexSet};
pub use spelling::{did_you_mean, quoted_list};
pub use vertex_selection::VertexSelection;
pub use write_vtu::write_vtu;
