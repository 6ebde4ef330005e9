//! The figures of a report: each a function from plain numbers to a [`crate::Figure`].

mod convergence;
mod distances;
mod material;
mod newton;
mod nodes;
mod patch_test;
mod shapes;
mod swing;
mod times;
mod weights;

#[cfg(test)]
mod tests;

pub use convergence::{ConvergencePoint, FitPoint, convergence_figure, fit_figure};
pub use distances::{Distances, distance_figure};
pub use material::material_figure;
pub use newton::{NewtonHistory, newton_figure};
pub use nodes::{NodePlacement, node_figure, voronoi_figure};
pub use patch_test::{PatchTest, patch_test_figure};
pub use shapes::{SpaceShape, shape_figure, turning_view, volume_figure};
pub use swing::{swing_error_figure, swing_view};
pub use times::{SpaceTimes, time_figure};
pub use weights::{FrameWeight, Sparsity, sparsity_figure, weight_figure};
