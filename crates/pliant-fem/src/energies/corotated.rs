//! Corotated: `psi = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2`, `R` the nearest rotation.
//!
//! In singular values `mu sum (s_i - 1)^2 + lambda/2 (sum s_i - D)^2` (McAdams et al. 2011). The twist eigenvalue has the
//! denominator `s_i + s_j`, which vanishes where the nearest rotation is not unique; it is kept above [`NARROWEST`].

use crate::eigensystem::{Eigensystem, Spectrum, planes};
use crate::energy::{Energy, Lame};
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{Matrix, add_scaled, from_fn, identity};

/// The corotated energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corotated;

/// The smallest `s_i + s_j` used in a twist eigenvalue.
const NARROWEST: f64 = 1e-6;

impl<const D: usize> Energy<D> for Corotated {
    fn name(&self) -> &'static str {
        "corotated"
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let stretches = svd.singular_values.map(|s| s - 1.0);
        let squares: f64 = stretches.iter().map(|stretch| stretch * stretch).sum();
        lame.mu * squares + 0.5 * lame.lambda * stretches.iter().sum::<f64>().powi(2)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let stretches = svd.singular_values.map(|s| s - 1.0);
        let pressure = lame.lambda * stretches.iter().sum::<f64>();
        svd.recompose(&stretches.map(|stretch| 2.0 * lame.mu * stretch + pressure))
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let s = &svd.singular_values;
        let pressure = lame.lambda * s.iter().map(|s| s - 1.0).sum::<f64>();
        let mut spectrum = Spectrum {
            twist: [0.0; 3],
            flip: [0.0; 3],
            scaling: from_fn(
                |row, column| {
                    if row == column { 2.0 * lame.mu + lame.lambda } else { lame.lambda }
                },
            ),
        };
        for (plane, &(i, k)) in planes::<D>().iter().enumerate() {
            let sum = s[i] + s[k];
            spectrum.twist[plane] = 2.0 * (lame.mu * (sum - 2.0) + pressure) / sum.max(NARROWEST);
            spectrum.flip[plane] = 2.0 * lame.mu;
        }
        Eigensystem::isotropic(&svd, &spectrum)
    }
}
