//! Statics of elastic bodies: full and Galerkin-projected problems, one Newton's method for both, comparisons.

mod adaptive_frames;
mod adaptive_start;
mod body_force;
mod centred_frames;
mod comparison;
mod dense_cholesky;
mod energy_split;
mod equilibrium_problem;
mod error;
mod error_estimate;
mod full_newton;
mod full_problem;
mod galerkin_projection;
mod held_coordinates;
mod holds;
mod linear_solver;
mod newton;
mod rank_one_fit;
mod reduced_columns;
mod reduced_problem;
mod swing;
mod tangent_solver;
mod termination;
mod training_state;
mod turning_path;
mod turning_solver;

pub use adaptive_frames::{AdaptiveFrames, AdaptiveGrowth, AdaptiveOptions, AdaptiveStage, adaptive_frames};
pub use adaptive_start::AdaptiveStart;
pub use comparison::{Comparison, compare};
pub use energy_split::EnergySplit;
pub use equilibrium_problem::EquilibriumProblem;
pub use error::StaticsError;
pub use error_estimate::{ErrorEstimator, estimate_error};
pub use full_newton::FullWorkspace;
pub use full_problem::FullProblem;
pub use holds::Hold;
pub use linear_solver::LinearSolver;
pub use newton::{
    Equilibrium, HessianStrategy, NewtonIteration, NewtonOptions, StepPath, solve_equilibrium,
    solve_equilibrium_from,
};
pub use reduced_problem::{ReducedProblem, ReducedWorkspace};
pub use swing::{SwingPath, centroid, swing_full, swing_reduced};
pub use termination::Termination;
