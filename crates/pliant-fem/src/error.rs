//! What can go wrong in this crate.

use pliant_mesh::{did_you_mean, quoted_list};
use thiserror::Error;

use crate::energies::EnergyModel;

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FemError {
    /// A name that is not an energy.
    #[error("there is no energy \"{name}\"{}; the energies are {}", did_you_mean(.name, &energy_names()), quoted_list(&energy_names()))]
    UnknownEnergy {
        /// The name given.
        name: String,
    },
    /// A pivot of the Cholesky factorisation is zero, negative or not a number.
    #[error(
        "the matrix is not positive definite at degree of freedom {dof} (component {component} of vertex {vertex}); pin the body, or project the Hessian"
    )]
    NotPositiveDefinite {
        /// Row of the matrix, `vertex * components + component`.
        dof: usize,
        /// `dof / components`.
        vertex: usize,
        /// `dof % components`.
        component: usize,
    },
    /// The iterative solver met a direction in which the matrix curves downwards, or not at all.
    #[error(
        "the matrix is not positive definite, as iteration {iteration} of the iterative solver found; pin the body, or project the Hessian"
    )]
    Indefinite {
        /// The iteration; 0 for the set-up.
        iteration: usize,
    },
    /// A factorisation was given a matrix of another sparsity pattern than the one that it analysed.
    #[error(
        "the factorisation was prepared for a pattern of {expected_dofs} rows and {expected_nonzeros} non-zeros, but the matrix has {dofs} and {nonzeros}; prepare one for this pattern"
    )]
    PatternMismatch {
        /// Rows of the analysed pattern.
        expected_dofs: usize,
        /// Stored entries of the analysed pattern.
        expected_nonzeros: usize,
        /// Rows of the matrix.
        dofs: usize,
        /// Stored entries of the matrix.
        nonzeros: usize,
    },
    /// The ordering or the factor does not fit into memory or into its index type.
    #[error("the factorisation of {dofs} degrees of freedom failed: {reason}; use a coarser mesh")]
    FactorisationFailed {
        /// Rows of the matrix.
        dofs: usize,
        /// Such as `out of memory`.
        reason: String,
    },
}

fn energy_names() -> Vec<&'static str> {
    EnergyModel::ALL.iter().map(|model| model.name()).collect()
}
