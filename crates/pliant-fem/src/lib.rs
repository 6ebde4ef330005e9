//! Finite elements on simplex meshes: operators, hyperelastic energies, assembly, factorisation.

mod eigensystem;
mod energies;
mod energy;
mod error;
mod rotation_svd;
pub mod small_matrix;

pub use eigensystem::{Eigensystem, Spectrum};
pub use energies::{
    Arap, Corotated, EnergyModel, LinearElastic, NeoHookean, StVenantKirchhoff, StableNeoHookean,
};
pub use energy::{Energy, Lame, LameConvention, lame};
pub use error::FemError;
pub use rotation_svd::RotationSvd;
