//! What keeps vertices in place or moves them: soft holds are springs, hard holds remove degrees of freedom.
//!
//! A soft hold adds `K/2 |x_v - target_v|^2` for each of its vertices, a hard one prescribes `x_v = target_v`.

use pliant_mesh::SimplexMesh;

use crate::StaticsError;

/// How firmly a pin or handle holds its vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// By a spring at each vertex, of this stiffness in N/m.
    Soft(f64),
    /// Exactly.
    Hard,
}

/// Vertices held at target positions.
#[derive(Clone, Debug)]
pub(crate) struct HeldVertices<const D: usize> {
    pub(crate) what: &'static str,
    pub(crate) vertices: Vec<usize>,
    /// Displacements from rest, one for each vertex, in m.
    pub(crate) displacements: Vec<[f64; D]>,
    pub(crate) hold: Hold,
}

impl<const D: usize> HeldVertices<D> {
    pub(crate) fn check(&self, mesh: &SimplexMesh<D>) -> Result<(), StaticsError> {
        check_vertices(self.what, &self.vertices, mesh.vertex_count())?;
        if self.displacements.len() != self.vertices.len() {
            return Err(StaticsError::TargetCount {
                targets: self.displacements.len(),
                vertices: self.vertices.len(),
            });
        }
        if let Hold::Soft(value) = self.hold
            && !(value.is_finite() && value > 0.0)
        {
            let limit = "a positive number of N/m";
            return Err(StaticsError::OutOfRange { what: "the stiffness of a pin or handle", value, limit });
        }
        check_finite("a target coordinate", self.displacements.as_flattened())
    }
}

pub(crate) fn check_vertices(
    what: &'static str,
    named: &[usize],
    vertices: usize,
) -> Result<(), StaticsError> {
    match named.iter().find(|&&vertex| vertex >= vertices) {
        Some(&vertex) => Err(StaticsError::VertexOutOfRange { what, vertex, vertices }),
        None => Ok(()),
    }
}

pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), StaticsError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(StaticsError::OutOfRange { what, value, limit: "a finite number" }),
        None => Ok(()),
    }
}
