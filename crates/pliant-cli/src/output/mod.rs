//! What the command prints and writes.

mod anchor_record;
mod energy_record;
mod error_chart;
mod json;
mod known_name;
mod load_record;
mod progress;
mod report;
mod result_file;
mod stage_times;
mod stdout;
mod sweep_csv;
mod text_table;

pub use anchor_record::{AnchorRecord, anchor_records, anchor_table};
pub use energy_record::{EnergyRecord, NearestRecord};
pub use error_chart::error_chart;
pub use json::to_json;
pub use load_record::{FullLoadRecord, LoadRecord, TrainingRecord};
pub use progress::{Progress, add_progress, advance_progress, clear_progress};
pub use report::{
    BasisRecord, ChecksRecord, FailureRecord, FullRecord, FullSeconds, MeshRecord, Report, SubspaceRecord,
    SubspaceSeconds, SweepReport, SwingFullRecord, SwingRecord, SwingReport, require_none_failed,
};
pub use result_file::{create_directory, require_extension, write_atomically};
pub use stdout::print;
pub use sweep_csv::sweep_csv;
pub use text_table::{figure, missing_points, seconds, space_table, text_table};
