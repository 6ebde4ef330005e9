//! Why a command did not succeed, as one sentence, and the exit status that says whose fault it is.

use std::fmt::{self, Display};
use std::process::ExitCode;

/// A failed command. Its `Display` is one sentence for stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line or the scene is wrong: exit status 2.
    Input(String),
    /// The work failed, for example a file that cannot be read: exit status 1.
    Work(String),
}

impl Failure {
    /// The command line or the scene is wrong.
    pub fn input(message: impl Display) -> Self {
        Self::Input(message.to_string())
    }

    /// The work failed.
    pub fn work(message: impl Display) -> Self {
        Self::Work(message.to_string())
    }

    /// The process's exit status.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) => ExitCode::from(2),
            Self::Work(_) => ExitCode::from(1),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) | Self::Work(message) => formatter.write_str(message),
        }
    }
}
