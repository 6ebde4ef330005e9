//! Whether a surface encloses a volume: every edge is passed as often one way as the other.

use super::TriangleSurface;
use crate::MeshError;

impl TriangleSurface {
    /// Checks that the surface is closed and its triangles face the same side. O(t log t).
    ///
    /// Bodies that touch along an edge are closed: two triangles pass it each way.
    ///
    /// # Errors
    /// [`MeshError::NotClosed`] with the number of edges of each kind and the first place.
    pub fn check_closed(&self) -> Result<(), MeshError> {
        let mut edges: Vec<([usize; 2], bool)> = self
            .triangles()
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| ([a.min(b), a.max(b)], a < b))
            .collect();
        edges.sort_unstable();
        let (mut open, mut branching, mut turned) = (0, 0, 0);
        let mut first: Option<[usize; 2]> = None;
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let forward = same.iter().filter(|(_, forward)| *forward).count();
            if 2 * forward == same.len() {
                continue;
            }
            first = first.or(Some(same[0].0));
            match same.len() {
                1 => open += 1,
                2 => turned += 1,
                _ => branching += 1,
            }
        }
        match first {
            None => Ok(()),
            Some(ends) => Err(MeshError::NotClosed {
                open,
                branching,
                turned,
                ends: ends.map(|vertex| self.positions()[vertex]),
            }),
        }
    }
}
