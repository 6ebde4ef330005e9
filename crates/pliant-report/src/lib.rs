//! Pictures of meshes, weights and deformed shapes, as SVG text: same input, same bytes.

mod colour_scale;
mod mesh_panel;
mod panel_grid;

pub use colour_scale::ColourScale;
pub use mesh_panel::{LineStyle, MeshPanel};
pub use panel_grid::panel_grid;
