//! Finite elements on simplex meshes: operators, hyperelastic energies, assembly, factorisation.

mod cholesky;
mod conjugate_gradients;
mod eigensystem;
mod elasticity;
mod elimination_tree;
mod energies;
mod energy;
mod error;
mod invariant_hessian;
mod laplacian;
mod mass;
mod nested_dissection;
mod ordering;
mod rotation_svd;
mod shape_gradients;
pub mod small_matrix;
mod smoothed_aggregation;
mod supernodal_solve;
mod symbolic_analysis;
mod symmetric_matrix;
mod symmetric_pattern;
#[cfg(test)]
mod test_meshes;

pub use cholesky::SparseCholesky;
pub use conjugate_gradients::LinearSolution;
pub use eigensystem::{Eigensystem, Spectrum};
pub use elasticity::{Elasticity, EnergySum, HessianProjection};
pub use energies::{
    Arap, Corotated, EnergyModel, LinearElastic, NeoHookean, StVenantKirchhoff, StableNeoHookean,
};
pub use energy::{Energy, Lame, LameConvention, lame};
pub use error::FemError;
pub use invariant_hessian::InvariantHessian;
pub use laplacian::laplacian;
pub use mass::{consistent_mass, lumped_mass};
pub use ordering::Ordering;
pub use rotation_svd::RotationSvd;
pub use shape_gradients::ShapeGradients;
pub use smoothed_aggregation::{NearKernel, SmoothedAggregation};
pub use symmetric_matrix::SymmetricMatrix;
pub use symmetric_pattern::SymmetricPattern;
