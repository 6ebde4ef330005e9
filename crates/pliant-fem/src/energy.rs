//! What an elastic energy density offers, and the Lame parameters it is given.

use std::fmt::Debug;

use pliant_mesh::Material;

use crate::eigensystem::Eigensystem;
use crate::invariant_hessian::InvariantHessian;
use crate::small_matrix::Matrix;

/// The Lame parameters of one cell as the energy uses them, in Pa.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lame {
    /// Shear modulus.
    pub mu: f64,
    /// First parameter; for stable neo-Hookean energies it depends on the [`LameConvention`].
    pub lambda: f64,
}

/// How Young's modulus and Poisson ratio become the parameters of an energy whose published form does not linearise to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LameConvention {
    /// Parameters for which every energy has the given E and nu at small strain (the default).
    #[default]
    Consistent,
    /// `lambda` and `mu` as computed from E and nu, put into the published form as they are.
    AsGiven,
}

/// An energy density `psi` of the displacement gradient `H = F - I`, in J/m^D.
///
/// Taking `H` rather than `F` keeps small strains of stiff materials free of cancellation.
pub trait Energy<const D: usize>: Debug + Send + Sync {
    /// The name that scenes and reports use.
    fn name(&self) -> &'static str;

    /// The parameters that give this energy the material's E and nu at small strain.
    fn consistent_lame(&self, material: &Material) -> Lame {
        Lame { mu: material.mu(), lambda: material.lambda() }
    }

    /// The small-strain parameters that the energy has with these parameters (the default: the same).
    fn rest_lame(&self, lame: Lame) -> Lame {
        lame
    }

    /// Whether turning a body costs nothing (the default). If not, turning is no way to follow a step.
    fn is_objective(&self) -> bool {
        true
    }

    /// `psi`; infinite where the energy does not allow the deformation.
    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64;

    /// The first Piola stress `d psi / dF` in Pa.
    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D>;

    /// The Hessian `d2 psi / dF2` in Pa, in closed form, not projected.
    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D>;

    /// The same Hessian for energies of `|F|^2` and `det F` alone, an order of magnitude cheaper; `None` (the default) for others.
    fn invariant_hessian(&self, _h: &Matrix<D>, _lame: Lame) -> Option<InvariantHessian> {
        None
    }
}

/// The parameters of a material under a convention.
pub fn lame<const D: usize>(energy: &dyn Energy<D>, material: &Material, convention: LameConvention) -> Lame {
    match convention {
        LameConvention::Consistent => energy.consistent_lame(material),
        LameConvention::AsGiven => Lame { mu: material.mu(), lambda: material.lambda() },
    }
}
