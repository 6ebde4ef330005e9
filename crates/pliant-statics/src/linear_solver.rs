//! Direct or iterative: how the sparse systems of full FEM are solved, and which is chosen where.

use pliant_mesh::SimplexMesh;

/// Vertices up to which `Auto` is direct, in 2D and in 3D, where both take equally long (measured on compact and on slender bodies).
const MOST_DIRECT_VERTICES: [usize; 2] = [500_000, 10_000];

/// How the linear systems of full FEM are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearSolver {
    /// Whichever is expected to take less time (the default).
    #[default]
    Auto,
    /// Sparse Cholesky factorisation: exact, and fastest for small or slender bodies; in 3D its time grows with the square of the rows.
    Direct,
    /// Conjugate gradients preconditioned by smoothed aggregation: time and memory in proportion to the rows.
    Iterative,
}

impl LinearSolver {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Direct, Self::Iterative];

    /// `Direct` or `Iterative`.
    pub(crate) fn resolved<const D: usize>(self, mesh: &SimplexMesh<D>) -> Self {
        match self {
            Self::Auto if mesh.vertex_count() > MOST_DIRECT_VERTICES[D - 2] => Self::Iterative,
            Self::Auto => Self::Direct,
            chosen => chosen,
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
