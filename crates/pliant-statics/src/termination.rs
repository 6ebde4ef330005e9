//! Why a solve ended.

/// Why a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The last step was below the tolerance.
    Converged,
    /// The iterations ran out.
    MaxIterations,
    /// No step, however short, lowered the potential.
    Stalled,
}

impl Termination {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Converged, Self::MaxIterations, Self::Stalled];

    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::MaxIterations => "max-iterations",
            Self::Stalled => "stalled",
        }
    }
}
