//! Simplex meshes of elastic solids: regions, material maps, selections, meshers and file formats.

mod components;
mod error;
mod material_map;
mod simplex_mesh;
mod spelling;

pub use components::{Components, vertex_components};
pub use error::MeshError;
pub use material_map::{Material, MaterialMap};
pub use simplex_mesh::{
    Checked, InvertedCells, MeshOptions, MeshParts, SimplexMesh, UnusedVertices, VertexSet,
};
pub use spelling::{did_you_mean, quoted_list};
