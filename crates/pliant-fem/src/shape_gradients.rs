//! Gradients of the hat functions: constant in each cell, one for each of its corners.
//!
//! With the edge matrix `E = [X_1 - X_0, ..., X_D - X_0]` of a cell, `grad phi_a` is row `a - 1` of `E^-1` for
//! `a >= 1`, and `grad phi_0 = -sum_a grad phi_a`. For a field `u`, `grad u = sum_a u_a (x) grad phi_a`.

use pliant_mesh::SimplexMesh;
use rayon::prelude::*;

/// The D+1 gradients of the hat functions of every cell, in 1/m.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeGradients<const D: usize> {
    gradients: Vec<[f64; D]>,
}

impl<const D: usize> ShapeGradients<D> {
    /// Computes the gradients of all cells. O(t), parallel over cells.
    pub fn new(mesh: &SimplexMesh<D>) -> Self {
        let mut gradients = vec![[0.0; D]; mesh.cell_count() * (D + 1)];
        gradients
            .par_chunks_exact_mut(D + 1)
            .with_min_len(1024)
            .enumerate()
            .for_each(|(cell, out)| cell_gradients(mesh.positions(), mesh.cell(cell), out));
        Self { gradients }
    }

    /// t.
    pub fn cell_count(&self) -> usize {
        self.gradients.len() / (D + 1)
    }

    /// The gradients of one cell's hat functions, one for each of its D+1 corners in the cell's own order, in 1/m.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn cell(&self, cell: usize) -> &[[f64; D]] {
        &self.gradients[cell * (D + 1)..(cell + 1) * (D + 1)]
    }
}

/// Rows of the inverse edge matrix by cofactors, and minus their sum first.
fn cell_gradients<const D: usize>(positions: &[[f64; D]], corners: &[usize], out: &mut [[f64; D]]) {
    let origin = positions[corners[0]];
    let edges: [[f64; D]; D] = std::array::from_fn(|edge| {
        std::array::from_fn(|axis| positions[corners[edge + 1]][axis] - origin[axis])
    });
    match D {
        2 => {
            let determinant = edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0];
            out[1][0] = edges[1][1] / determinant;
            out[1][1] = -edges[1][0] / determinant;
            out[2][0] = -edges[0][1] / determinant;
            out[2][1] = edges[0][0] / determinant;
        }
        _ => {
            // Row a of the inverse is the cross product of the two other edges over the determinant.
            let cross = |a: usize, b: usize, axis: usize| {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                edges[a][next] * edges[b][last] - edges[a][last] * edges[b][next]
            };
            let determinant: f64 = (0..3).map(|axis| edges[0][axis] * cross(1, 2, axis)).sum();
            for axis in 0..3 {
                out[1][axis] = cross(1, 2, axis) / determinant;
                out[2][axis] = cross(2, 0, axis) / determinant;
                out[3][axis] = cross(0, 1, axis) / determinant;
            }
        }
    }
    for axis in 0..D {
        out[0][axis] = -(1..=D).map(|corner| out[corner][axis]).sum::<f64>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sum_a f(X_a) grad phi_a` for `f = c . X`.
    fn gradient_of_linear<const D: usize>(mesh: &SimplexMesh<D>, slope: [f64; D]) -> Vec<[f64; D]> {
        let gradients = ShapeGradients::new(mesh);
        (0..mesh.cell_count())
            .map(|cell| {
                let mut sum = [0.0; D];
                for (&vertex, gradient) in mesh.cell(cell).iter().zip(gradients.cell(cell)) {
                    let value: f64 = (0..D).map(|axis| slope[axis] * mesh.positions()[vertex][axis]).sum();
                    (0..D).for_each(|axis| sum[axis] += value * gradient[axis]);
                }
                sum
            })
            .collect()
    }

    #[test]
    fn the_gradient_of_a_linear_function_is_its_slope_in_2d() {
        let mesh = SimplexMesh::<2>::new(vec![[1.0, 2.0], [4.0, 2.5], [2.0, 7.0]], vec![0, 1, 2]).unwrap();
        let found = gradient_of_linear(&mesh, [3.0, -2.0])[0];
        assert!((found[0] - 3.0).abs() < 1e-14 && (found[1] + 2.0).abs() < 1e-14, "{found:?}");
    }

    #[test]
    fn the_gradient_of_a_linear_function_is_its_slope_in_3d() {
        let corners = vec![[1.0, 2.0, 0.5], [4.0, 2.5, 0.0], [2.0, 7.0, 1.0], [1.0, 3.0, 4.0]];
        let mesh = SimplexMesh::<3>::new(corners, vec![0, 1, 2, 3]).unwrap();
        let found = gradient_of_linear(&mesh, [3.0, -2.0, 5.0])[0];
        for (value, slope) in found.iter().zip([3.0, -2.0, 5.0]) {
            assert!((value - slope).abs() < 1e-13, "{found:?}");
        }
    }

    #[test]
    fn the_gradients_of_a_cell_sum_to_zero() {
        let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.0, 0.0], [0.0, 0.3, 1.0]];
        let mesh = SimplexMesh::<3>::new(corners, vec![0, 1, 2, 3]).unwrap();
        let gradients = ShapeGradients::new(&mesh);
        for axis in 0..3 {
            assert!(gradients.cell(0).iter().map(|gradient| gradient[axis]).sum::<f64>().abs() < 1e-15);
        }
    }
}
