//! What can go wrong in this crate.

use pliant_mesh::{did_you_mean, quoted_list};
use thiserror::Error;

use crate::energies::EnergyModel;

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FemError {
    /// A name that is not an energy.
    #[error("there is no energy \"{name}\"{}; the energies are {}", did_you_mean(.name, &energy_names()), quoted_list(&energy_names()))]
    UnknownEnergy {
        /// The name given.
        name: String,
    },
}

fn energy_names() -> Vec<&'static str> {
    EnergyModel::ALL.iter().map(|model| model.name()).collect()
}
