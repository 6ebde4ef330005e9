//! The energies: one file each, registered in [`EnergyModel`].

mod arap;
mod corotated;
mod linear;
mod neo_hookean;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use pliant_mesh::Material;

pub use arap::Arap;
pub use corotated::Corotated;
pub use linear::LinearElastic;
pub use neo_hookean::NeoHookean;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use stable_neo_hookean::StableNeoHookean;

use crate::eigensystem::Eigensystem;
use crate::energy::{Energy, Lame};
use crate::error::FemError;
use crate::invariant_hessian::InvariantHessian;
use crate::small_matrix::Matrix;

/// An energy chosen by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergyModel {
    /// [`StableNeoHookean`] (the default).
    #[default]
    StableNeoHookean,
    /// [`NeoHookean`].
    NeoHookean,
    /// [`StVenantKirchhoff`].
    StVenantKirchhoff,
    /// [`Corotated`].
    Corotated,
    /// [`Arap`].
    Arap,
    /// [`LinearElastic`].
    Linear,
}

impl EnergyModel {
    /// Every model.
    pub const ALL: [Self; 6] = [
        Self::StableNeoHookean,
        Self::NeoHookean,
        Self::StVenantKirchhoff,
        Self::Corotated,
        Self::Arap,
        Self::Linear,
    ];

    /// The name that scenes and reports use.
    pub fn name(&self) -> &'static str {
        Energy::<2>::name(self)
    }

    fn energy<const D: usize>(&self) -> &'static dyn Energy<D> {
        match self {
            Self::StableNeoHookean => &StableNeoHookean,
            Self::NeoHookean => &NeoHookean,
            Self::StVenantKirchhoff => &StVenantKirchhoff,
            Self::Corotated => &Corotated,
            Self::Arap => &Arap,
            Self::Linear => &LinearElastic,
        }
    }
}

impl<const D: usize> Energy<D> for EnergyModel {
    fn name(&self) -> &'static str {
        self.energy::<D>().name()
    }

    fn consistent_lame(&self, material: &Material) -> Lame {
        self.energy::<D>().consistent_lame(material)
    }

    fn rest_lame(&self, lame: Lame) -> Lame {
        self.energy::<D>().rest_lame(lame)
    }

    fn is_objective(&self) -> bool {
        self.energy::<D>().is_objective()
    }

    fn density(&self, h: &Matrix<D>, lame: Lame) -> f64 {
        self.energy::<D>().density(h, lame)
    }

    fn stress(&self, h: &Matrix<D>, lame: Lame) -> Matrix<D> {
        self.energy::<D>().stress(h, lame)
    }

    fn hessian(&self, h: &Matrix<D>, lame: Lame) -> Eigensystem<D> {
        self.energy::<D>().hessian(h, lame)
    }

    fn invariant_hessian(&self, h: &Matrix<D>, lame: Lame) -> Option<InvariantHessian> {
        self.energy::<D>().invariant_hessian(h, lame)
    }
}

impl FromStr for EnergyModel {
    type Err = FemError;

    fn from_str(name: &str) -> Result<Self, FemError> {
        let find = |model: &Self| model.name() == name;
        Self::ALL.into_iter().find(find).ok_or_else(|| FemError::UnknownEnergy { name: name.to_owned() })
    }
}
