//! Outlines in the plane: read from SVG, DXF and lists of polygons, and meshed with triangles.

mod arcs;
mod dxf;
mod dxf_groups;
mod faces;
mod mesh_outline;
mod outline;
mod polygon_list;
mod read_outline;
mod rings;
mod svg;
mod svg_shapes;
#[cfg(test)]
mod tests;
mod welded;

pub use mesh_outline::{OutlineMeshOptions, mesh_outline};
pub use outline::{Outline, OutlineCurve, RegionPoint};
pub use read_outline::{OutlineOptions, read_outline};
