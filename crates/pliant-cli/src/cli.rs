//! The command line: every subcommand and option.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{basis, compare, convert, fit, info, mesh, nodes, report, solve, sweep, swing};

/// Small, accurate subspaces for elastic solids made of several materials, compared with full finite elements.
#[derive(Debug, Parser)]
#[command(name = "pliant", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every subcommand.
    #[command(flatten)]
    pub common: CommonOptions,
}

/// Options of every subcommand.
#[derive(Args, Clone, Debug)]
pub struct CommonOptions {
    /// Print the report as JSON, and nothing else, on the standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Use at most N threads (default: all cores)
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<usize>,
    /// Fail (status 1) if a solve ends without having converged
    #[arg(long, global = true)]
    pub strict: bool,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what a mesh file or a scene's mesh holds
    Info(info::Options),
    /// Write a mesh in another format, and say what that cannot hold
    Convert(convert::Options),
    /// List the materials that scenes and --material know by name
    Materials,
    /// Make a mesh: of a simple body, a surface, voxels or a drawing
    #[command(subcommand)]
    Mesh(mesh::Shape),
    /// Sample the nodes of a sparse meshless subspace
    Nodes(nodes::Options),
    /// Build a subspace and write it as .npz
    Basis(basis::Options),
    /// Solve a scene in one space
    Solve(solve::Options),
    /// Solve a scene in the full space and in its subspaces, and compare
    Compare(compare::Options),
    /// Compare subspaces over several frame counts
    Sweep(sweep::Options),
    /// Turn a handle back and forth in the full space and in the subspaces
    Swing(swing::Options),
    /// Write an HTML page of everything that a scene has to show: comparison, sweep and swing
    Report(report::Options),
    /// Grow the smallest adaptive subspace that is accurate enough for the scene's load
    Fit(fit::Options),
}

/// A scene with its overrides, and where results go.
#[derive(Args, Clone, Debug)]
pub struct SceneOptions {
    /// The scene, a .toml file
    pub scene: PathBuf,
    /// Replace a value of the scene (TOML syntax), for example newton.max_iterations=50 or subspaces.0.frames=12
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Write the results into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A scene, or a bare mesh with materials.
#[derive(Args, Clone, Debug)]
pub struct SourceOptions {
    /// A scene (.toml) or a mesh
    #[arg(value_name = "SCENE|MESH")]
    pub source: PathBuf,
    /// Replace a value of the scene (TOML syntax)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Material of a region of a bare mesh, by values or as REGION:PRESET; * is every other region
    #[arg(long = "material", value_name = "REGION:E,NU,RHO")]
    pub materials: Vec<String>,
}
