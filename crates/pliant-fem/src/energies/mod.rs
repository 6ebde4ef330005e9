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
use std::sync::Arc;

pub use arap::Arap;
pub use corotated::Corotated;
pub use linear::LinearElastic;
pub use neo_hookean::NeoHookean;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use stable_neo_hookean::StableNeoHookean;

use crate::energy::Energy;
use crate::error::FemError;

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
    pub fn name(self) -> &'static str {
        self.energy::<2>().name()
    }

    /// The energy itself.
    pub fn energy<const D: usize>(self) -> Arc<dyn Energy<D>> {
        match self {
            Self::StableNeoHookean => Arc::new(StableNeoHookean),
            Self::NeoHookean => Arc::new(NeoHookean),
            Self::StVenantKirchhoff => Arc::new(StVenantKirchhoff),
            Self::Corotated => Arc::new(Corotated),
            Self::Arap => Arc::new(Arap),
            Self::Linear => Arc::new(LinearElastic),
        }
    }
}

impl FromStr for EnergyModel {
    type Err = FemError;

    fn from_str(name: &str) -> Result<Self, FemError> {
        let find = |model: &Self| model.name() == name;
        Self::ALL.into_iter().find(find).ok_or_else(|| FemError::UnknownEnergy { name: name.to_owned() })
    }
}
