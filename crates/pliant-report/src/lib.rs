//! Pictures of meshes, weights and deformed shapes, as SVG text: same input, same bytes.

mod colour_scale;
mod gltf_file;
mod mesh_panel;
mod orbit_surface;
mod orbit_view;
mod panel_grid;

pub use colour_scale::ColourScale;
pub use gltf_file::{GltfBody, GltfPoses, glb};
pub use mesh_panel::{LineStyle, MeshPanel};
pub use orbit_surface::{DrawnSurface, SurfaceField};
pub use orbit_view::{OrbitShape, OrbitView, orbit_script, orbit_view};
pub use panel_grid::panel_grid;
