//! What can go wrong when a report is written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A report that could not be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The directory or a file in it.
    #[error("cannot write {} ({source}); check the directory and its permissions", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A figure that cannot be drawn as pixels.
    #[error("cannot draw the figure \"{name}\" as PNG ({message})")]
    Raster {
        /// The figure.
        name: String,
        /// Why.
        message: String,
    },
}
