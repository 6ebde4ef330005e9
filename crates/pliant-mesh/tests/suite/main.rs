//! Reading, writing and making meshes, from outside.
//!
//! One binary, so that what they share is compiled once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod every_format;
mod flat_surfaces;
mod gmsh_reading;
mod interop_files;
mod reference_meshes;
mod round_trip;
mod shipped_meshes;
mod surface_meshes;
mod tentacle;
mod text_formats;
