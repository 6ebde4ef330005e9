//! Linear elasticity: `psi = mu |e|^2 + lambda/2 (tr e)^2`, `e = (H + H^T) / 2`.
//!
//! Not objective: a rotation costs energy. The yardstick for the others at small strain.

use crate::eigensystem::{Eigensystem, Spectrum};
use crate::energy::{Energy, Lame};
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{Matrix, from_fn, identity, inner_product, trace};

/// The energy of linear elasticity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinearElastic;

fn small_strain<const D: usize>(h: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| 0.5 * (h[row][column] + h[column][row]))
}

impl<const D: usize> Energy<D> for LinearElastic {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn is_objective(&self) -> bool {
        false
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        let strain = small_strain(h);
        lame.mu * inner_product(&strain, &strain) + 0.5 * lame.lambda * trace(&strain).powi(2)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        let strain = small_strain(h);
        let pressure = lame.lambda * trace(&strain);
        from_fn(|row, column| {
            2.0 * lame.mu * strain[row][column] + if row == column { pressure } else { 0.0 }
        })
    }

    fn hessian(&self, _h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        let rest = RotationSvd { u: identity(), singular_values: [1.0; D], v: identity() };
        let spectrum = Spectrum {
            twist: [0.0; 3],
            flip: [2.0 * lame.mu; 3],
            scaling: from_fn(
                |row, column| {
                    if row == column { 2.0 * lame.mu + lame.lambda } else { lame.lambda }
                },
            ),
        };
        Eigensystem::isotropic(&rest, &spectrum)
    }
}
