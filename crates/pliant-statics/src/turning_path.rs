//! Newton steps along which every cell turns instead of being stretched.
//!
//! A linear step `du` changes the deformation gradient of a cell by `dF`. With `dF F^-1 = W + S` (skew and symmetric) the cell should rather go to
//! `exp(W) (I + S) F`. The positions nearest to that in all cells, `min sum_e vol mu |F_e(x') - exp(W) (I + S) F|^2`, differ from the end of the linear
//! step by `v`, `L v = sum_e vol mu (exp(W) (I + S) F - F - dF) grad(phi)`, L the stiffness-weighted Laplacian with the springs of soft
//! holds. The right-hand side is second order in the step, so Newton stays Newton; but stiff parts that turn no longer make the line
//! search cut the step: full steps from the rest shape, and a tenth of the iterations. Compare the rotation-strain coordinates of
//! Huang, Tong, Zhou, Bao, Desbrun 2011, of which this is one increment.

use pliant_fem::small_matrix::{
    Matrix, add_scaled, cofactor, determinant, from_fn, identity, product, scaled, transposed,
};
use pliant_fem::{Elasticity, SymmetricMatrix, laplacian};
use rayon::prelude::*;

/// A cell turns only if the determinant of F is above this.
const LEAST_DETERMINANT: f64 = 1e-3;
/// ... and the norm of `dF F^-1` at most this.
const LARGEST_STEP: f64 = 3.0;
/// Cells that one task works on at least.
const CELLS_PER_TASK: usize = 256;

/// L, `springs` being the stiffness of the soft holds at each vertex in N/m.
pub(crate) fn turning_laplacian<const D: usize>(
    elasticity: &Elasticity<'_, D>,
    springs: &[f64],
) -> SymmetricMatrix {
    let stiffness: Vec<f64> = elasticity.lame().iter().map(|lame| lame.mu).collect();
    let mut matrix = laplacian(elasticity.mesh(), elasticity.gradients(), &stiffness);
    matrix.add_to_diagonal(springs);
    matrix
}

/// The right-hand side `sum_e vol mu (exp(W) (I + S) F - F - dF) grad(phi)` for the step `length * step`, stacked, in N.
/// O(t), parallel, the same bits for any number of threads.
pub(crate) fn turning_force<const D: usize>(
    elasticity: &Elasticity<'_, D>,
    displacement: &[f64],
    step: &[f64],
    length: f64,
) -> Vec<f64> {
    let mesh = elasticity.mesh();
    let excess: Vec<Matrix<D>> = (0..mesh.cell_count())
        .into_par_iter()
        .with_min_len(CELLS_PER_TASK)
        .map(|cell| {
            let f = add_scaled(&identity(), 1.0, &elasticity.displacement_gradient(cell, displacement));
            let change = scaled(length, &elasticity.displacement_gradient(cell, step));
            let stiffness = mesh.volumes()[cell] * elasticity.lame()[cell].mu;
            rotation_excess(&f, &change).map_or([[0.0; D]; D], |excess| scaled(stiffness, &excess))
        })
        .collect();
    let mut force = vec![0.0; displacement.len()];
    elasticity.add_vertex_forces(&excess, &mut force);
    force
}

/// `exp(W) (I + S) F - F - dF`, or `None` where the cell moves linearly.
///
/// Never inlined: LLVM 22 (rustc 1.95, opt-level 3) vectorises the inlined 3 x 3 products wrongly, and entry (1, 0) comes out off.
/// `tests/reference_figures.rs`, run in release too, counts the iterations that would rise.
#[inline(never)]
fn rotation_excess<const D: usize>(f: &Matrix<D>, change: &Matrix<D>) -> Option<Matrix<D>> {
    let determinant = determinant(f);
    if determinant <= LEAST_DETERMINANT {
        return None;
    }
    let inverse = scaled(1.0 / determinant, &transposed(&cofactor(f)));
    let relative = product(change, &inverse);
    let size: f64 = relative.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt();
    if size > LARGEST_STEP {
        return None;
    }
    let skew: Matrix<D> = from_fn(|row, column| 0.5 * (relative[row][column] - relative[column][row]));
    let stretch: Matrix<D> = from_fn(|row, column| {
        let unit = if row == column { 1.0 } else { 0.0 };
        unit + 0.5 * (relative[row][column] + relative[column][row])
    });
    // exp(W) (I + S) - I - W - S = (exp(W) - I) (I + S) - W, applied to F.
    let turned = product(&exponential_excess(&skew), &stretch);
    Some(product(&add_scaled(&turned, -1.0, &skew), f))
}

/// `exp(W) - I` of a skew matrix (Rodrigues): `sin(a)/a W + (1 - cos a)/a^2 W^2`, `a` the angle.
fn exponential_excess<const D: usize>(skew: &Matrix<D>) -> Matrix<D> {
    let size = skew.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt();
    let angle = size * std::f64::consts::FRAC_1_SQRT_2;
    let sinc = |x: f64| if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x };
    let second = 0.5 * sinc(0.5 * angle).powi(2);
    add_scaled(&scaled(sinc(angle), skew), second, &product(skew, skew))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_of_a_skew_matrix_is_a_rotation_by_its_angle() {
        let turned = add_scaled(&identity(), 1.0, &exponential_excess(&[[0.0, -0.7], [0.7, 0.0]]));
        assert!((turned[0][0] - 0.7_f64.cos()).abs() < 1e-15 && (turned[1][0] - 0.7_f64.sin()).abs() < 1e-15);
        for scale in [1e-6, 0.3, 2.5] {
            let skew =
                [[0.0, -scale, 0.5 * scale], [scale, 0.0, -2.0 * scale], [-0.5 * scale, 2.0 * scale, 0.0]];
            let rotation = add_scaled(&identity(), 1.0, &exponential_excess(&skew));
            let unit = product(&transposed(&rotation), &rotation);
            for (row, entries) in unit.iter().enumerate() {
                for (column, entry) in entries.iter().enumerate() {
                    assert!((entry - f64::from(row == column)).abs() < 1e-14);
                }
            }
            assert!((determinant(&rotation) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn the_excess_is_second_order_in_the_step_and_zero_where_a_cell_is_inverted() {
        let f = [[0.9, -0.3], [0.4, 1.1]];
        let change = |scale: f64| [[0.1 * scale, 0.5 * scale], [-0.7 * scale, 0.2 * scale]];
        let size = |scale: f64| {
            let excess: Matrix<2> = rotation_excess(&f, &change(scale)).unwrap();
            excess.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt()
        };
        let ratio = size(1e-3) / size(1e-4);
        assert!((ratio - 100.0).abs() < 1.0, "{ratio}");
        assert!(rotation_excess(&[[-1.0, 0.0], [0.0, 1.0]], &change(1.0)).is_none());
    }
}
