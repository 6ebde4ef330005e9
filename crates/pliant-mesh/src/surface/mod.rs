//! Triangle surfaces: read from OBJ, OFF, STL and PLY, checked to be closed, filled with tetrahedra.

mod closed;
mod crossings;
mod mesh_surface;
mod obj;
mod off;
mod ply;
mod ply_header;
mod read_surface;
mod stl;
#[cfg(test)]
mod tests;
mod triangle_surface;

pub use mesh_surface::{SurfaceMeshOptions, mesh_surface};
pub(crate) use read_surface::parse_surface;
pub use read_surface::read_surface;
pub use triangle_surface::TriangleSurface;
