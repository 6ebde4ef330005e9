//! Why a command did not succeed, as one sentence, and the exit status that says whose fault it is.

use std::fmt::{self, Display};
use std::process::ExitCode;

use pliant::basis::BasisError;
use pliant::graph::GraphError;
use pliant::statics::StaticsError;

/// A failed command. Its `Display` is one sentence for stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line or the scene is wrong: exit status 2.
    Input(String),
    /// The work failed, for example a file that cannot be read: exit status 1.
    Work(String),
    /// The method has no basis of so many frames on this body, or none that pins can hold: exit status 1 where that one was asked for, a row less in a sweep.
    NoSuchSize(String),
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

    /// What the library says of a basis: of a size that does not exist, or of work that failed.
    pub fn of_basis(error: BasisError) -> Self {
        let message = error.to_string();
        match error {
            BasisError::AnchoredFrameCount { .. }
            | BasisError::FewerFramesThanComponents { .. }
            | BasisError::Graph(GraphError::ComponentWithoutNode { .. }) => Self::NoSuchSize(message),
            _ => Self::Work(message),
        }
    }

    /// What the library says of a reduced solve: that it takes more frames, or that the work failed.
    pub fn of_reduced_solve(error: StaticsError) -> Self {
        let message = error.to_string();
        match error {
            StaticsError::CannotHold { .. } | StaticsError::CannotReach { .. } => Self::NoSuchSize(message),
            _ => Self::Work(message),
        }
    }

    /// The process's exit status.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) => ExitCode::from(2),
            Self::Work(_) | Self::NoSuchSize(_) => ExitCode::from(1),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) | Self::Work(message) | Self::NoSuchSize(message) => {
                formatter.write_str(message)
            }
        }
    }
}
