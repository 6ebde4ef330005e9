//! Stable neo-Hookean: `psi = mu/2 (|F|^2 - D) + mu (1 - J) + lambda/2 (1 - J)^2`, `J = det F`.
//!
//! Macklin and Mueller 2021, after Smith, de Goes, Kim 2018. Defined and smooth for inverted cells. With `H = F - I` and
//! `q = J - 1 - tr H` it is `mu (|H|^2 / 2 - q) + lambda/2 (tr H + q)^2`, evaluated so.

use pliant_mesh::Material;

use crate::eigensystem::{Eigensystem, Spectrum, planes};
use crate::energy::{Energy, Lame};
use crate::invariant_hessian::InvariantHessian;
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{
    Matrix, add_scaled, cofactor_excess, determinant_excess, from_fn, identity, inner_product, trace,
};

/// The stable neo-Hookean energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StableNeoHookean;

impl<const D: usize> Energy<D> for StableNeoHookean {
    fn name(&self) -> &'static str {
        "stable-neo-hookean"
    }

    /// The published form linearises to `lambda - mu`, so `lambda + mu` takes the place of `lambda` (Smith et al. 2018).
    fn consistent_lame(&self, material: &Material) -> Lame {
        Lame { mu: material.mu(), lambda: material.lambda() + material.mu() }
    }

    fn rest_lame(&self, lame: Lame) -> Lame {
        Lame { mu: lame.mu, lambda: lame.lambda - lame.mu }
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        let q = determinant_excess(h);
        lame.mu * (0.5 * inner_product(h, h) - q) + 0.5 * lame.lambda * (trace(h) + q).powi(2)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        let volume_change = trace(h) + determinant_excess(h);
        let cofactor_excess = cofactor_excess(h);
        from_fn(|row, column| {
            let excess = cofactor_excess[row][column];
            let cofactor = excess + if row == column { 1.0 } else { 0.0 };
            lame.mu * (h[row][column] - excess) + lame.lambda * volume_change * cofactor
        })
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let s = &svd.singular_values;
        let j: f64 = s.iter().product();
        let f = lame.lambda * (j - 1.0) - lame.mu;
        // The product of the singular values other than those of the plane: 1 in 2D.
        let across = |plane: usize| if D == 2 { 1.0 } else { s[plane] };
        let mut spectrum = Spectrum { twist: [0.0; 3], flip: [0.0; 3], scaling: [[0.0; D]; D] };
        for (plane, &(i, k)) in planes::<D>().iter().enumerate() {
            spectrum.twist[plane] = lame.mu + f * across(plane);
            spectrum.flip[plane] = lame.mu - f * across(plane);
            let coupling = across(plane) * (lame.lambda * (2.0 * j - 1.0) - lame.mu);
            spectrum.scaling[i][k] = coupling;
            spectrum.scaling[k][i] = coupling;
        }
        for axis in 0..D {
            let others: f64 = (0..D).filter(|&other| other != axis).map(|other| s[other]).product();
            spectrum.scaling[axis][axis] = lame.mu + lame.lambda * others * others;
        }
        Eigensystem::isotropic(&svd, &spectrum)
    }

    fn invariant_hessian(&self, h: &Matrix<D>, lame: Lame) -> Option<InvariantHessian> {
        let volume_change = trace(h) + determinant_excess(h);
        let curvature = lame.lambda * volume_change - lame.mu;
        Some(InvariantHessian { identity: lame.mu, cofactor: lame.lambda, curvature })
    }
}
