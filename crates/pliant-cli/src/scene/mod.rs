//! Scene files: TOML read with the place of every value, checked key by key.

mod anchored_options;
mod constraints;
mod loads;
mod material_table;
mod materials;
mod node;
mod origin;
mod overrides;
mod parameter;
mod scene_file;
mod selection;
mod steps;
mod subspaces;
mod table;

pub use constraints::{HandleSpec, PinSpec};
pub use loads::{LoadSpec, PointLoadSpec};
pub use materials::{MaterialRule, MaterialSpec, material_from_option};
pub use node::{Entry, Node, Value, parse_document, parse_value};
pub use origin::{Located, Origin};
pub use overrides::apply_override;
pub use parameter::{Parameter, VolumeParameter};
pub use scene_file::Scene;
pub use selection::{RegionRule, Selection};
pub use steps::{NewtonSpec, SweepSpec, SwingSpec};
pub use subspaces::{DEFAULT_FRAMES, SubspaceSpec};
pub use table::{Table, choose, entries_of, list};
