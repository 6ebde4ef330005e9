//! What the command prints and writes.

mod anchor_record;
mod json;
mod progress;
mod report;
mod result_file;
mod stdout;
mod sweep_csv;
mod text_table;

pub use anchor_record::{AnchorRecord, anchor_records, anchor_table};
pub use json::to_json;
pub use progress::Progress;
pub use report::{
    BasisRecord, ChecksRecord, FailureRecord, FullLoadRecord, FullRecord, FullSeconds, LoadRecord,
    MeshRecord, Report, SubspaceRecord, SubspaceSeconds, SweepReport, SwingFullRecord, SwingRecord,
    SwingReport, TrainingRecord, require_none_failed,
};
pub use result_file::{create_directory, require_extension, write_atomically};
pub use stdout::print;
pub use sweep_csv::sweep_csv;
pub use text_table::{figure, seconds, space_table, text_table};
