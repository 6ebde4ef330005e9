//! Weights and subspaces: sparse meshless frames, skinning eigenmodes, HRPD.

mod error;
mod weights;

pub use error::BasisError;
pub use weights::{NONZERO, Weights};
