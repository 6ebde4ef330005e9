//! How well shaped the cells are: the smallest angle of each triangle, the smallest dihedral angle of each tetrahedron.
//!
//! Dihedral angle at the edge opposite faces i and j: pi minus the angle between the outward normals of the two faces.

use crate::SimplexMesh;
use crate::simplex_mesh::in_space;

/// The smallest angle of every cell, and what a report says about them.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshQuality {
    minimum_angles: Vec<f64>,
}

impl MeshQuality {
    /// Measures every cell. O(t).
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>) -> Self {
        let minimum_angles = mesh
            .cells()
            .map(|cell| {
                let corner = |index: usize| in_space(&mesh.positions()[cell[index]]);
                if D == 2 {
                    minimum_angle([corner(0), corner(1), corner(2)])
                } else {
                    minimum_dihedral_angle([corner(0), corner(1), corner(2), corner(3)])
                }
            })
            .collect();
        Self { minimum_angles }
    }

    /// For each cell its smallest angle (2D; at most 60) or dihedral angle (3D; at most 70.6), in degrees.
    pub fn minimum_angles(&self) -> &[f64] {
        &self.minimum_angles
    }

    /// The smallest angle of the mesh in degrees.
    pub fn minimum(&self) -> f64 {
        self.minimum_angles.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The mean of the cells' smallest angles in degrees.
    pub fn mean(&self) -> f64 {
        self.minimum_angles.iter().sum::<f64>() / self.minimum_angles.len() as f64
    }

    /// The `count` worst cells, worst first; of equally bad cells the lowest first. O(t log t).
    pub fn worst_cells(&self, count: usize) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..self.minimum_angles.len()).collect();
        cells.sort_by(|&a, &b| self.minimum_angles[a].total_cmp(&self.minimum_angles[b]));
        cells.truncate(count);
        cells
    }
}

fn minimum_angle(corners: [[f64; 3]; 3]) -> f64 {
    let angle = |at: usize| {
        let a = difference(corners[(at + 1) % 3], corners[at]);
        let b = difference(corners[(at + 2) % 3], corners[at]);
        norm(cross(a, b)).atan2(dot(a, b))
    };
    angle(0).min(angle(1)).min(angle(2)).to_degrees()
}

/// The smallest dihedral angle of a tetrahedron, in degrees; wrong for an inverted one.
pub(crate) fn minimum_dihedral_angle(corners: [[f64; 3]; 4]) -> f64 {
    let normals = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]].map(|[a, b, c]: [usize; 3]| {
        cross(difference(corners[b], corners[a]), difference(corners[c], corners[a]))
    });
    let mut smallest = f64::INFINITY;
    for first in 0..4 {
        for second in 0..first {
            let (a, b) = (normals[first], normals[second]);
            smallest = smallest.min(norm(cross(a, b)).atan2(-dot(a, b)));
        }
    }
    smallest.to_degrees()
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_simplices_have_the_greatest_minimum_angle() {
        let height = 0.75f64.sqrt();
        let triangle = SimplexMesh::new(vec![[0.0, 0.0], [1.0, 0.0], [0.5, height]], vec![0, 1, 2]).unwrap();
        assert!((MeshQuality::new(&triangle).minimum() - 60.0).abs() < 1e-12);
        let corners = vec![[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]];
        let tetrahedron = SimplexMesh::new(corners, vec![0, 1, 2, 3]).unwrap();
        let regular = (1.0f64 / 3.0).acos().to_degrees();
        assert!((MeshQuality::new(&tetrahedron).minimum() - regular).abs() < 1e-12);
    }

    #[test]
    fn the_worst_cell_comes_first() {
        let positions = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.1]];
        let mesh = SimplexMesh::new(positions, vec![0, 1, 2, 0, 1, 3]).unwrap();
        let quality = MeshQuality::new(&mesh);
        assert_eq!(quality.worst_cells(1), [1]);
        assert!((quality.minimum() - 0.1f64.atan().to_degrees()).abs() < 1e-12);
        assert!((quality.mean() - 0.5 * (45.0 + quality.minimum())).abs() < 1e-12);
    }
}
