//! Meshers for simple bodies: rectangle, box and the tapered capsule called tentacle.

mod box_mesh;
mod brick_cells;
mod rectangle;
mod resolution;
mod tapered_capsule;
mod tentacle_2d;
mod tentacle_3d;

pub use box_mesh::{BoxOptions, box_mesh};
pub use rectangle::{RectangleOptions, rectangle};
pub use resolution::{Diagonals, Resolution};
pub(crate) use resolution::{check_cell_count, check_cell_size};
pub use tentacle_2d::{Tentacle2dOptions, tentacle_2d};
pub use tentacle_3d::{Tentacle3dOptions, tentacle_3d};
