//! Triangles in space, as a surface file holds them: equal vertices joined, nothing else assumed.

use std::collections::HashMap;

use crate::MeshError;
use crate::mesh_parts::check_finite;

/// A surface of triangles with shared vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleSurface {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[usize; 3]>,
}

impl TriangleSurface {
    /// Joins vertices at exactly the same place and drops triangles that then name one twice. O(n + t).
    ///
    /// # Errors
    /// No triangle, a coordinate that is not finite, or a vertex out of range.
    pub fn new(positions: Vec<[f64; 3]>, triangles: Vec<[usize; 3]>) -> Result<Self, MeshError> {
        check_finite(&positions)?;
        let mut first_at: HashMap<[u64; 3], usize> = HashMap::with_capacity(positions.len());
        let mut kept = Vec::new();
        let mut number = Vec::with_capacity(positions.len());
        for position in positions {
            // Minus zero is zero.
            let position = position.map(|value| value + 0.0);
            number.push(*first_at.entry(position.map(f64::to_bits)).or_insert_with(|| {
                kept.push(position);
                kept.len() - 1
            }));
        }
        let mut joined = Vec::with_capacity(triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex >= number.len()) {
                let what = format!("triangle {index}");
                return Err(MeshError::VertexOutOfRange { what, vertex, vertices: number.len() });
            }
            let [a, b, c] = triangle.map(|vertex| number[vertex]);
            if a != b && b != c && c != a {
                joined.push([a, b, c]);
            }
        }
        if joined.is_empty() {
            return Err(MeshError::NoCells { kind: "triangles" });
        }
        Ok(Self { positions: kept, triangles: joined })
    }

    /// Vertices, in m.
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// Triangles as vertex indices from 0, counter-clockwise from outside in a closed surface.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// Lowest and highest coordinate on each axis, in m.
    pub fn bounding_box(&self) -> ([f64; 3], [f64; 3]) {
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for position in &self.positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        (low, high)
    }

    /// The volume that a closed surface encloses, in m^3; negative when its triangles face inwards.
    pub fn enclosed_volume(&self) -> f64 {
        let origin = self.positions[0];
        let volume = |triangle: &[usize; 3]| {
            let [a, b, c] = triangle.map(|vertex| -> [f64; 3] {
                std::array::from_fn(|axis| self.positions[vertex][axis] - origin[axis])
            });
            (a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0
        };
        self.triangles.iter().map(volume).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_at_the_same_place_become_one() {
        let positions = vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 0.0, -0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let surface = TriangleSurface::new(positions, vec![[0, 1, 2], [3, 4, 5], [1, 3, 2]]).unwrap();
        assert_eq!(surface.positions().len(), 4);
        assert_eq!(surface.triangles(), [[0, 1, 2], [1, 3, 2]]);
    }

    #[test]
    fn what_is_no_surface_is_refused() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0]];
        assert!(TriangleSurface::new(positions.clone(), vec![[0, 1, 2]]).is_err());
        assert!(TriangleSurface::new(positions.clone(), vec![[0, 1, 1]]).is_err());
        assert!(TriangleSurface::new(vec![[f64::NAN; 3]], vec![]).is_err());
    }
}
