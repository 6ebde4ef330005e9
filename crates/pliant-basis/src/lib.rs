//! Weights and subspaces: sparse meshless frames, skinning eigenmodes, HRPD.

mod basis_file;
mod error;
mod independent_columns;
mod scalar_block;
mod subspace;
mod subspace_checks;
mod tall_qr;
mod weights;

pub use basis_file::{BasisFile, BasisMatrix, write_basis};
pub use error::BasisError;
pub use scalar_block::ScalarRows;
pub use subspace::Subspace;
pub use subspace_checks::{Promise, SubspaceChecks};
pub use weights::{NONZERO, Weights};
