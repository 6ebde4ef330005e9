//! Logarithmic neo-Hookean: `psi = mu/2 (|F|^2 - D) - mu ln J + lambda/2 (ln J)^2`; infinite for `J <= 0`.
//!
//! Bonet and Wood 1997, section 5.4. Evaluated from `H = F - I` without cancellation.

use crate::eigensystem::{Eigensystem, Spectrum, planes};
use crate::energy::{Energy, Lame};
use crate::invariant_hessian::InvariantHessian;
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{
    Matrix, add_scaled, cofactor_excess, determinant_excess, from_fn, identity, inner_product, trace,
};

/// The logarithmic neo-Hookean energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeoHookean;

impl<const D: usize> Energy<D> for NeoHookean {
    fn name(&self) -> &'static str {
        "neo-hookean"
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        let q = determinant_excess(h);
        let volume_change = trace(h) + q;
        if volume_change <= -1.0 {
            return f64::INFINITY;
        }
        // (|F|^2 - D)/2 - ln J = |H|^2/2 + (tr H - (J - 1)) - (ln J - (J - 1)).
        let shear = 0.5 * inner_product(h, h) - q - logarithm_excess(volume_change);
        lame.mu * shear + 0.5 * lame.lambda * volume_change.ln_1p().powi(2)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        let volume_change = trace(h) + determinant_excess(h);
        let j = 1.0 + volume_change;
        let cofactor_excess = cofactor_excess(h);
        from_fn(|row, column| {
            let unit = if row == column { 1.0 } else { 0.0 };
            let excess = cofactor_excess[row][column];
            // F - F^-T with F^-T = cof F / J.
            let difference = (volume_change * unit + j * h[row][column] - excess) / j;
            lame.mu * difference + lame.lambda * volume_change.ln_1p() * (unit + excess) / j
        })
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        let volume_change = trace(h) + determinant_excess(h);
        let svd = RotationSvd::new(&add_scaled(&identity(), 1.0, h));
        let s = &svd.singular_values;
        let pressure = lame.lambda * volume_change.ln_1p() - lame.mu;
        let mut spectrum = Spectrum {
            twist: [0.0; 3],
            flip: [0.0; 3],
            scaling: from_fn(|row, column| {
                let coupling = lame.lambda / (s[row] * s[column]);
                if row == column { lame.mu - pressure / (s[row] * s[row]) + coupling } else { coupling }
            }),
        };
        for (plane, &(i, k)) in planes::<D>().iter().enumerate() {
            spectrum.twist[plane] = lame.mu + pressure / (s[i] * s[k]);
            spectrum.flip[plane] = lame.mu - pressure / (s[i] * s[k]);
        }
        Eigensystem::isotropic(&svd, &spectrum)
    }

    fn invariant_hessian(&self, h: &Matrix<D>, lame: Lame) -> Option<InvariantHessian> {
        let volume_change = trace(h) + determinant_excess(h);
        let j = 1.0 + volume_change;
        let pressure = lame.lambda * volume_change.ln_1p() - lame.mu;
        let cofactor = (lame.lambda - pressure) / (j * j);
        Some(InvariantHessian { identity: lame.mu, cofactor, curvature: pressure / j })
    }
}

/// `ln(1 + x) - x`, accurate for small `x`, by the series in `r = x / (2 + x)`.
fn logarithm_excess(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return x.ln_1p() - x;
    }
    let r = x / (2.0 + x);
    let square = r * r;
    // 2 (r + r^3/3 + r^5/5 + ...) - x, with x = 2r / (1 - r); r^2 < 1/9, so 18 terms reach round-off.
    let series = (1..=18).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    2.0 * (r * square * series - square / (1.0 - r))
}

#[cfg(test)]
mod tests {
    use super::logarithm_excess;

    #[test]
    fn the_logarithm_excess_is_accurate_on_both_branches() {
        for x in [-0.49_f64, -0.2, 0.1, 0.5] {
            assert!((logarithm_excess(x) - (x.ln_1p() - x)).abs() < 4e-16 * x.abs());
        }
        for x in [1e-6_f64, -1e-6] {
            let taylor = -x * x / 2.0 + x.powi(3) / 3.0 - x.powi(4) / 4.0;
            assert!((logarithm_excess(x) - taylor).abs() < 1e-15 * taylor.abs());
        }
    }
}
