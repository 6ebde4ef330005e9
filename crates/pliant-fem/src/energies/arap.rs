//! As rigid as possible: `psi = mu |F - R|^2`, `R` the nearest rotation; the corotated energy with `lambda = 0`.
//!
//! Sorkine and Alexa 2007; Chao et al. 2010. Equal to linear elasticity at small strain only where `nu = 0`.

use pliant_mesh::Material;

use super::Corotated;
use crate::eigensystem::Eigensystem;
use crate::energy::{Energy, Lame};
use crate::small_matrix::Matrix;

/// The as-rigid-as-possible energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arap;

impl Arap {
    fn without_lambda(lame: Lame) -> Lame {
        Lame { lambda: 0.0, ..lame }
    }
}

impl<const D: usize> Energy<D> for Arap {
    fn name(&self) -> &'static str {
        "arap"
    }

    fn consistent_lame(&self, material: &Material) -> Lame {
        Lame { mu: material.mu(), lambda: 0.0 }
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        Corotated.density(h, Self::without_lambda(lame))
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        Corotated.stress(h, Self::without_lambda(lame))
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        Corotated.hessian(h, Self::without_lambda(lame))
    }
}
