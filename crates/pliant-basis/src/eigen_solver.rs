//! Direct or iterative: how eigenpairs are found, and which is chosen where.

use pliant_fem::SymmetricMatrix;

/// Vertices up to which `Auto` is direct, in 2D and in 3D. For 100 pairs in 3D iterating took 2.5 times as long at 212,000 vertices, with
/// 0.56 of the memory. Where it pays is extrapolated, more from memory than from time.
const MOST_DIRECT_VERTICES: [usize; 2] = [usize::MAX, 500_000];

/// How [`smallest_eigenpairs`](crate::smallest_eigenpairs) finds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EigenSolver {
    /// Whichever is expected to take less time (the default).
    #[default]
    Auto,
    /// Block Lanczos on a factorisation: fastest in 2D and for small bodies; in 3D the factorisation's time grows with the square of the rows.
    Direct,
    /// Trace minimisation preconditioned by smoothed aggregation: time and memory in proportion to the rows. Only where a vertex has one row.
    Iterative,
}

impl EigenSolver {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Direct, Self::Iterative];

    /// Whether to iterate on this matrix.
    pub(crate) fn iterates(self, matrix: &SymmetricMatrix) -> bool {
        let pattern = matrix.pattern();
        match self {
            Self::Auto => {
                pattern.components() == 1
                    && pattern.vertex_count() > MOST_DIRECT_VERTICES[pattern.dimension() - 2]
            }
            Self::Direct => false,
            Self::Iterative => true,
        }
    }

    /// The name: `auto`, `direct` or `iterative`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Direct => "direct",
            Self::Iterative => "iterative",
        }
    }
}
