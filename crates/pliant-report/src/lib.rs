//! Reports of bases: figures of meshes, weights, shapes and errors as SVG and PNG, and the page that holds them. Same input, same bytes.

mod body;
mod cell_areas;
mod chart;
mod coarse_surface;
mod colour_scale;
mod cut_plane;
mod drawn_surface;
mod error;
mod facet_picture;
mod figure;
mod figures;
mod gltf_file;
mod mark;
mod mesh_panel;
mod orbit_view;
mod page;
mod palette;
mod panel_grid;
mod raster;
mod seen_surface;
mod svg;
mod swing_player;
mod viewpoint;

pub use body::Body;
pub use chart::{Axis, AxisScale, Chart, Series};
pub use colour_scale::ColourScale;
pub use cut_plane::CutPlane;
pub use drawn_surface::{DrawnSurface, SurfaceField};
pub use error::ReportError;
pub use figure::{Figure, Panel};
pub use figures::{
    ConvergencePoint, Distances, FitPoint, FrameWeight, NewtonHistory, NodePlacement, PatchTest, SpaceShape,
    SpaceTimes, Sparsity, convergence_figure, distance_figure, fit_figure, material_figure, newton_figure,
    node_figure, patch_test_figure, shape_figure, sparsity_figure, swing_error_figure, swing_view,
    time_figure, turning_view, volume_figure, voronoi_figure, weight_figure,
};
pub use gltf_file::{GltfBody, GltfPoses, glb};
pub use mark::Mark;
pub use mesh_panel::{LineStyle, MeshPanel};
pub use orbit_view::{OrbitShape, OrbitView, orbit_script, orbit_view};
pub use page::{Animation, Cell, Item, Page, Section, Table, View, prepare_directory, write_page};
pub use palette::{MethodStyle, Sign, method_style};
pub use panel_grid::mesh_panels;
pub use swing_player::SwingSpace;
pub use viewpoint::Viewpoint;
