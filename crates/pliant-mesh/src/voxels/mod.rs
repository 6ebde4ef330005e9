//! Voxel volumes: read from NRRD, MetaImage, NIfTI and stacks of PNG images, sampled, and filled with tetrahedra.

mod keyed_header;
mod label_field;
mod mesh_voxels;
mod meta_image;
mod nifti;
mod nrrd;
mod png_stack;
mod raw_values;
mod read_voxels;
#[cfg(test)]
mod tests;
mod voxel_volume;

pub use mesh_voxels::{VoxelMesh, VoxelMeshOptions, VoxelRegion, mesh_voxels};
pub use read_voxels::{VoxelOptions, read_voxels};
pub use voxel_volume::{VoxelGrid, VoxelVolume};
