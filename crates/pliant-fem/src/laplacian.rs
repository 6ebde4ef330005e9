//! The stiffness-weighted Laplacian `L = sum_e vol_e s_e grad(phi) grad(phi)^T`, n x n.

use std::sync::Arc;

use pliant_mesh::SimplexMesh;

use crate::{ShapeGradients, SymmetricMatrix, SymmetricPattern};

/// The Laplacian with one weight for each cell (1 for the plain one, mu in Pa for the material one). O(t), parallel.
///
/// Symmetric and positive semi-definite; its kernel is the functions that are constant on each component of the body.
/// The unit is that of the stiffness times m^(D-2).
///
/// # Panics
/// If `gradients` or `stiffness` does not have one entry for each cell.
pub fn laplacian<const D: usize>(
    mesh: &SimplexMesh<D>,
    gradients: &ShapeGradients<D>,
    stiffness: &[f64],
) -> SymmetricMatrix {
    assert_eq!(gradients.cell_count(), mesh.cell_count(), "the gradients are those of another mesh");
    assert_eq!(stiffness.len(), mesh.cell_count(), "stiffness needs one entry for each cell");
    SymmetricMatrix::from_cells(Arc::new(SymmetricPattern::new(mesh, 1)), |cell, out| {
        let scale = mesh.volumes()[cell] * stiffness[cell];
        let gradients = gradients.cell(cell);
        for a in 0..=D {
            for b in 0..=a {
                let dot: f64 = (0..D).map(|axis| gradients[a][axis] * gradients[b][axis]).sum();
                out[SymmetricPattern::cell_pair(a, b)] = scale * dot;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laplacian_of_a_constant_is_zero_and_the_energy_of_a_slope_is_its_dirichlet_integral() {
        let mesh = SimplexMesh::<2>::new(
            vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.5], [0.7, 0.6]],
            vec![0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
        )
        .unwrap();
        let matrix = laplacian(&mesh, &ShapeGradients::new(&mesh), &[2.0; 4]);
        let mut product = vec![0.0; 5];
        matrix.multiply(&[1.0; 5], &mut product);
        assert!(product.iter().all(|value| value.abs() < 1e-14), "{product:?}");
        let slope: Vec<f64> = mesh.positions().iter().map(|x| 3.0 * x[0] - x[1]).collect();
        matrix.multiply(&slope, &mut product);
        let energy: f64 = slope.iter().zip(&product).map(|(a, b)| a * b).sum();
        assert!((energy - 2.0 * 10.0 * mesh.volume()).abs() < 1e-12, "{energy}");
    }
}
