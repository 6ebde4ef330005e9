//! What the crates do together: physics against closed forms, subspaces against full FEM, promises of every basis.
//!
//! One binary, so that what they share is compiled once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adaptive_frames;
mod anchored_frames;
mod boxes;
mod cardinal_weights;
mod energies_on_meshes;
mod error_estimates;
mod hard_pins;
mod hinges;
mod identity_basis;
mod iterative_solver;
mod manufactured_solution;
mod nested_subspaces;
mod origin_and_units;
mod reference_body;
mod reference_eigenmodes;
mod swing;
mod timoshenko_cantilever;
mod unseen_loads;
