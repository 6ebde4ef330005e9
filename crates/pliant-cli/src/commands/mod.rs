//! The subcommands, one file each.

pub mod basis;
pub mod compare;
pub mod convert;
mod domains;
pub mod fit;
pub mod info;
pub mod materials;
pub mod mesh;
pub mod nodes;
pub mod report;
pub mod solve;
pub mod sweep;
pub mod swing;
