//! What the command prints and writes.

mod atomic_file;
mod json;
mod progress;
mod report;
mod stdout;
mod text_table;

pub use atomic_file::{create_directory, write_atomically};
pub use json::to_json;
pub use progress::Progress;
pub use report::{
    BasisRecord, ChecksRecord, FailureRecord, FullRecord, FullSeconds, MeshRecord, Report, SubspaceRecord,
    SubspaceSeconds, SweepReport, SwingFullRecord, SwingRecord, SwingReport,
};
pub use stdout::print;
pub use text_table::{figure, seconds, space_table, text_table};
