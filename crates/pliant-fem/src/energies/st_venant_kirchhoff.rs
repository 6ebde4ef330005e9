//! St. Venant-Kirchhoff: `psi = mu |E|^2 + lambda/2 (tr E)^2`, `E = (F^T F - I) / 2 = (H + H^T + H^T H) / 2`.
//!
//! Ciarlet 1988, section 4.4. Objective, but loses stiffness under strong compression.

use crate::eigensystem::{Eigensystem, Spectrum, planes};
use crate::energy::{Energy, Lame};
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{Matrix, add_scaled, from_fn, identity, inner_product, product, trace};

/// The St. Venant-Kirchhoff energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StVenantKirchhoff;

/// The Green strain.
fn green_strain<const D: usize>(h: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| {
        let quadratic: f64 = h.iter().map(|line| line[row] * line[column]).sum();
        0.5 * (h[row][column] + h[column][row] + quadratic)
    })
}

impl<const D: usize> Energy<D> for StVenantKirchhoff {
    fn name(&self) -> &'static str {
        "st-venant-kirchhoff"
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        let strain = green_strain(h);
        lame.mu * inner_product(&strain, &strain) + 0.5 * lame.lambda * trace(&strain).powi(2)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        let strain = green_strain(h);
        let pressure = lame.lambda * trace(&strain);
        let second_piola = from_fn(|row, column| {
            2.0 * lame.mu * strain[row][column] + if row == column { pressure } else { 0.0 }
        });
        product(&add_scaled(&identity(), 1.0, h), &second_piola)
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let s = &svd.singular_values;
        let pressure = lame.lambda * trace(&green_strain(h));
        let mut spectrum = Spectrum {
            twist: [0.0; 3],
            flip: [0.0; 3],
            scaling: from_fn(|row, column| {
                let coupling = lame.lambda * s[row] * s[column];
                if row == column {
                    lame.mu * (3.0 * s[row] * s[row] - 1.0) + pressure + coupling
                } else {
                    coupling
                }
            }),
        };
        for (plane, &(i, k)) in planes::<D>().iter().enumerate() {
            let squares = s[i] * s[i] + s[k] * s[k] - 1.0;
            spectrum.twist[plane] = lame.mu * (squares - s[i] * s[k]) + pressure;
            spectrum.flip[plane] = lame.mu * (squares + s[i] * s[k]) + pressure;
        }
        Eigensystem::isotropic(&svd, &spectrum)
    }
}
