//! `pliant mesh surface`: bodies whose shape is in a file.

use std::path::PathBuf;

use clap::Args;
use pliant::mesh::{SurfaceMeshOptions, mesh_surface, read_surface};

use super::mesh::{Target, write};
use crate::cli::CommonOptions;
use crate::failure::Failure;

/// The inside of a closed surface.
#[derive(Args, Debug)]
pub struct SurfaceDomain {
    /// The surface: .obj, .off, .stl or .ply, closed
    #[arg(value_name = "SURFACE")]
    surface: PathBuf,
    /// Length of the longest edges in m (default: a 20th of the body's longest side)
    #[arg(long, visible_alias = "cell-size", value_name = "H", allow_hyphen_values = true)]
    size: Option<f64>,
    #[command(flatten)]
    target: Target,
}

impl SurfaceDomain {
    /// Fills the surface, writes the mesh and prints what it is.
    ///
    /// # Errors
    /// A file that cannot be read, a surface that is not closed, or a size that makes no mesh.
    pub fn run(&self, common: &CommonOptions) -> Result<(), Failure> {
        let surface = read_surface(&self.surface).map_err(Failure::work)?;
        let named = |error| Failure::work(format_args!("{}: {error}", self.surface.display()));
        surface.check_closed().map_err(named)?;
        let options = SurfaceMeshOptions { cell_size: self.size };
        write(|| mesh_surface(&surface, &options), &self.target, common)
    }
}
