//! Mass of a body on its vertices, lumped and consistent.
//!
//! Consistent: `M_ab = sum_e rho_e vol_e (1 + delta_ab) / ((D+1)(D+2))`, the integral of `rho phi_a phi_b`. Lumped: its row
//! sums, `m_a = sum_e rho_e vol_e / (D+1)`. Both are scalar (one row for each vertex); a vector field uses the same
//! mass for each component.

use std::sync::Arc;

use pliant_mesh::SimplexMesh;

use crate::{SymmetricMatrix, SymmetricPattern};

/// The mass of every vertex in kg, n entries: each cell gives an equal share to its D+1 corners. O(t).
///
/// With density 1 it is the volume of every vertex in m^D. The entries sum to the mass of the body.
///
/// # Panics
/// If `density` does not have one entry for each cell.
pub fn lumped_mass<const D: usize>(mesh: &SimplexMesh<D>, density: &[f64]) -> Vec<f64> {
    assert_eq!(density.len(), mesh.cell_count(), "density needs one entry for each cell");
    let mut mass = vec![0.0; mesh.vertex_count()];
    for ((cell, volume), density) in mesh.cells().zip(mesh.volumes()).zip(density) {
        let share = volume * density / (D + 1) as f64;
        for &vertex in cell {
            mass[vertex] += share;
        }
    }
    mass
}

/// The consistent mass matrix, n x n, in kg: exact for products of piecewise linear functions. Builds the pattern, O(t).
///
/// # Panics
/// If `density` does not have one entry for each cell.
pub fn consistent_mass<const D: usize>(mesh: &SimplexMesh<D>, density: &[f64]) -> SymmetricMatrix {
    assert_eq!(density.len(), mesh.cell_count(), "density needs one entry for each cell");
    SymmetricMatrix::from_cells(Arc::new(SymmetricPattern::new(mesh, 1)), |cell, out| {
        let share = mesh.volumes()[cell] * density[cell] / ((D + 1) * (D + 2)) as f64;
        out.fill(share);
        for corner in 0..=D {
            out[SymmetricPattern::cell_pair(corner, corner)] = 2.0 * share;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> SimplexMesh<2> {
        SimplexMesh::new(vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.5]], vec![0, 1, 2, 0, 2, 3])
            .unwrap()
    }

    #[test]
    fn lumped_mass_sums_to_the_mass_of_the_body() {
        let mesh = mesh();
        let total: f64 = lumped_mass(&mesh, &[3.0, 5.0]).iter().sum();
        assert!((total - (3.0 * mesh.volumes()[0] + 5.0 * mesh.volumes()[1])).abs() < 1e-14);
    }

    #[test]
    fn the_row_sums_of_the_consistent_mass_are_the_lumped_mass() {
        let density = [3.0, 5.0];
        let mut sums = vec![0.0; 4];
        consistent_mass(&mesh(), &density).multiply(&[1.0; 4], &mut sums);
        for (sum, lumped) in sums.iter().zip(lumped_mass(&mesh(), &density)) {
            assert!((sum - lumped).abs() < 1e-14);
        }
    }

    #[test]
    fn consistent_mass_integrates_the_square_of_a_linear_function_exactly() {
        // The integral of x^2 over the tetrahedron with unit legs is 2! / 5! = 1 / 60.
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = SimplexMesh::<3>::new(corners, vec![0, 1, 2, 3]).unwrap();
        let x = [0.0, 1.0, 0.0, 0.0];
        let mut product = [0.0; 4];
        consistent_mass(&mesh, &[1.0]).multiply(&x, &mut product);
        assert!((product[1] - 1.0 / 60.0).abs() < 1e-16);
    }
}
