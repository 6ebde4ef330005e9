//! Where a value of a scene was written, so that every complaint can point there.

use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Arc;

use crate::failure::Failure;

/// A line of the scene file, or one `--set` of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of a file, from 1.
    Line {
        /// The scene file, as it was named on the command line.
        file: Arc<Path>,
        /// From 1.
        line: usize,
    },
    /// The text after `--set` (or another option) on the command line.
    Option(Arc<str>),
}

impl Origin {
    /// The failure that says what is wrong here.
    pub fn wrong(&self, message: impl Display) -> Failure {
        Failure::Input(format!("{self}: {message}"))
    }
}

impl Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line } => write!(formatter, "{}, line {line}", file.display()),
            Self::Option(text) => formatter.write_str(text),
        }
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub origin: Origin,
}
