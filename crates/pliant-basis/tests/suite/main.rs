//! Weights and subspaces from outside: what every method promises, and the figures of the reference.
//!
//! One binary, so that what they share is compiled once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lattice;
mod method_checks;
mod node_weights;
mod reference_weights;
mod subspace_properties;
