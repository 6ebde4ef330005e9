//! The `pliant` command, run as a user runs it.
//!
//! One binary, so that what they share is compiled once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod command;
mod convert;
mod domains;
mod fit;
mod gltf;
mod html_report;
#[cfg(unix)]
mod interruption;
mod json_contract;
mod loads;
mod material_sources;
mod materials_from_file;
mod printing;
