//! Weights and subspaces: sparse meshless frames, skinning eigenmodes, HRPD.

mod anchored_weights;
mod anchors;
mod basis_builder;
mod basis_file;
mod cardinal;
mod centred_triangle;
mod eigen_solver;
mod error;
mod hrpd_weights;
mod independent_columns;
mod method;
mod methods;
mod partition_rows;
mod scalar_block;
mod skinning_eigenmodes;
mod smallest_eigenpairs;
mod subspace;
mod subspace_checks;
mod tall_qr;
mod voronoi_weights;
mod weights;

pub use anchored_weights::{
    AnchoredOptions, AnchoredWeights, BetweenAnchors, ModeOrder, StiffParts, anchored_weights,
};
pub use anchors::{Anchor, AnchorChoice, AnchorKind, AnchorOptions, Anchors, find_anchors};
pub use basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
pub use basis_file::{BasisFile, BasisMatrix, write_basis};
pub use cardinal::CardinalOptions;
pub use eigen_solver::EigenSolver;
pub use error::BasisError;
pub use hrpd_weights::{HrpdKernel, HrpdOptions, HrpdWeights, hrpd_weights};
pub use method::Method;
pub use scalar_block::ScalarRows;
pub use skinning_eigenmodes::{Eigenmodes, Stiffness, skinning_eigenmodes};
pub use smallest_eigenpairs::{EigenOptions, Eigenpairs, smallest_eigenpairs};
pub use subspace::Subspace;
pub use subspace_checks::{Promise, SubspaceChecks};
pub use voronoi_weights::{VoronoiOptions, voronoi_weights};
pub use weights::{NONZERO, Weights};
