//! Simplex meshes of elastic solids: regions, material maps, selections, meshers and file formats.

mod boundary_facets;
mod components;
mod error;
mod fault;
mod formats;
mod growth_budget;
mod length_unit;
mod material_map;
mod material_presets;
mod mesh_file;
mod mesh_parts;
mod meshers;
mod name_index;
mod nearest_vertex;
mod numpy;
mod outlines;
mod piecewise_linear;
mod polygon_fan;
mod quality;
mod quantity;
mod replace_file;
mod scalar_type;
mod simplex_mesh;
mod spelling;
mod stuffing;
mod surface;
mod text_lines;
mod vertex_selection;
mod voxels;

pub use boundary_facets::boundary_facets;
pub use components::{Components, boundary_component_count, vertex_components};
pub use error::{FilePlace, MeshError};
pub use formats::{
    MshVersion, PvdEntry, WRITABLE_EXTENSIONS, WriteOptions, write_compressed_vtu, write_mesh, write_msh,
    write_pvd, write_vtu,
};
pub use length_unit::LengthUnit;
pub use material_map::{Material, MaterialMap};
pub use material_presets::{MaterialPreset, material_preset, material_presets};
pub use mesh_file::{AnyMesh, ArrayLocation, Dropped, MeshArray, MeshFile, read_mesh};
pub use mesh_parts::{Checked, InvertedCells, MeshOptions, MeshParts, UnusedVertices};
pub use meshers::{
    BoxOptions, Diagonals, RectangleOptions, Resolution, Tentacle2dOptions, Tentacle3dOptions, box_mesh,
    rectangle, tentacle_2d, tentacle_3d,
};
pub use nearest_vertex::NearestVertex;
pub use numpy::{NpzWriter, NumpyArray, read_npy, read_npz};
pub use outlines::{
    Outline, OutlineCurve, OutlineMeshOptions, OutlineOptions, RegionPoint, mesh_outline, read_outline,
};
pub use piecewise_linear::PiecewiseLinear;
pub use quality::MeshQuality;
pub use quantity::Quantity;
pub use replace_file::{abandon_unfinished_files, replace_file};
pub use simplex_mesh::{SimplexMesh, VertexSet};
pub use spelling::{did_you_mean, quoted_list};
pub use surface::{SurfaceMeshOptions, TriangleSurface, mesh_surface, read_surface};
pub use vertex_selection::VertexSelection;
pub use voxels::{
    VoxelGrid, VoxelMesh, VoxelMeshOptions, VoxelOptions, VoxelRegion, VoxelVolume, mesh_voxels, read_voxels,
};
