//! Weights and subspaces: sparse meshless frames, skinning eigenmodes, HRPD.

mod error;
mod independent_columns;
mod scalar_block;
mod subspace;
mod subspace_checks;
mod tall_qr;
mod weights;

pub use error::BasisError;
pub use scalar_block::ScalarRows;
pub use subspace::Subspace;
pub use subspace_checks::{Promise, SubspaceChecks};
pub use weights::{NONZERO, Weights};
