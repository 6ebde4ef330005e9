//! Reduced-order subspaces for elastic solids made of several materials.
//!
//! This crate only re-exports the workspace's crates under one name.

pub use pliant_basis as basis;
pub use pliant_fem as fem;
pub use pliant_graph as graph;
pub use pliant_mesh as mesh;
pub use pliant_report as report;
pub use pliant_statics as statics;

/// The programs in the README, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
