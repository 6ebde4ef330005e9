//! `pliant mesh`: makes a mesh of a body and writes it.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use pliant::mesh::{
    BoxOptions, Diagonals, Dropped, MeshError, MshVersion, RectangleOptions, Resolution, SimplexMesh,
    Tentacle2dOptions, Tentacle3dOptions, WRITABLE_EXTENSIONS, WriteOptions, box_mesh, rectangle,
    tentacle_2d, tentacle_3d, write_mesh,
};

use super::domains::{OutlineDomain, SurfaceDomain, VoxelDomain};
use super::info::{InfoReport, describe};
use crate::cli::CommonOptions;
use crate::failure::Failure;
use crate::output::{print, require_extension, to_json};

/// The bodies: simple ones, and those of a file.
#[derive(Debug, Subcommand)]
pub enum Shape {
    /// A rectangle of triangles
    Rectangle(RectangleShape),
    /// A box of tetrahedra
    Box(BoxShape),
    /// The tapered tentacle with its regions bone and joint
    Tentacle(TentacleShape),
    /// The inside of a closed surface (OBJ, OFF, STL, PLY), as tetrahedra
    Surface(SurfaceDomain),
    /// The labels of a voxel volume (NRRD, MetaImage, NIfTI, PNG stack), as tetrahedra
    Voxels(VoxelDomain),
    /// The regions of a drawing (SVG, DXF, a list of polygons), as triangles
    Outline(OutlineDomain),
}

/// Where the mesh goes.
#[derive(Args, Debug)]
pub struct Target {
    /// The file to write: .msh, .vtu, .vtk, .npz, .mesh, .node, .ele or .obj
    #[arg(short, long, value_name = "MESH")]
    output: PathBuf,
    /// Version and encoding of a .msh file
    #[arg(long, value_enum, default_value_t = MshFormat::Ascii22)]
    msh_format: MshFormat,
}

/// Version and encoding of a `.msh` file.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MshFormat {
    /// Version 2.2 as text, which every program reads
    #[value(name = "ascii-2.2")]
    Ascii22,
    /// Version 2.2, little-endian
    #[value(name = "binary-2.2")]
    Binary22,
    /// Version 4.1 as text
    #[value(name = "ascii-4.1")]
    Ascii41,
    /// Version 4.1, little-endian
    #[value(name = "binary-4.1")]
    Binary41,
}

impl From<MshFormat> for MshVersion {
    fn from(format: MshFormat) -> Self {
        match format {
            MshFormat::Ascii22 => Self::Ascii22,
            MshFormat::Binary22 => Self::Binary22,
            MshFormat::Ascii41 => Self::Ascii41,
            MshFormat::Binary41 => Self::Binary41,
        }
    }
}

/// How the grid is cut.
#[derive(Args, Debug)]
pub struct Grid {
    /// Longest edge along an axis in m (default 0.1)
    #[arg(long, value_name = "H", conflicts_with = "counts", allow_hyphen_values = true)]
    cell_size: Option<f64>,
    /// Diagonals that alternate, or all the same way
    #[arg(long, value_enum, default_value_t = DiagonalsName::Alternating)]
    diagonals: DiagonalsName,
}

/// How rectangles and bricks are cut.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DiagonalsName {
    /// Mirrored from one to the next, so that no direction is preferred
    Alternating,
    /// All the same way
    Parallel,
}

impl Grid {
    fn resolution<const D: usize>(
        &self,
        counts: Option<[usize; D]>,
        default: Resolution<D>,
    ) -> Resolution<D> {
        match (counts, self.cell_size) {
            (Some(counts), _) => Resolution::Counts(counts),
            (None, Some(size)) => Resolution::CellSize(size),
            (None, None) => default,
        }
    }

    fn diagonals(&self) -> Diagonals {
        match self.diagonals {
            DiagonalsName::Alternating => Diagonals::Alternating,
            DiagonalsName::Parallel => Diagonals::Parallel,
        }
    }
}

/// A rectangle.
#[derive(Args, Debug)]
pub struct RectangleShape {
    #[command(flatten)]
    target: Target,
    /// Lowest corner in m
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true, default_value = "0,0")]
    min: [f64; 2],
    /// Highest corner in m
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true, default_value = "1,1")]
    max: [f64; 2],
    /// Intervals along each axis, instead of a cell size
    #[arg(long, value_name = "N,N", value_parser = counts::<2>)]
    counts: Option<[usize; 2]>,
    #[command(flatten)]
    grid: Grid,
}

/// A box.
#[derive(Args, Debug)]
pub struct BoxShape {
    #[command(flatten)]
    target: Target,
    /// Lowest corner in m
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, default_value = "0,0,0")]
    min: [f64; 3],
    /// Highest corner in m
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, default_value = "1,1,1")]
    max: [f64; 3],
    /// Intervals along each axis, instead of a cell size
    #[arg(long, value_name = "N,N,N", value_parser = counts::<3>)]
    counts: Option<[usize; 3]>,
    #[command(flatten)]
    grid: Grid,
}

/// The tentacle.
#[derive(Args, Debug)]
pub struct TentacleShape {
    #[command(flatten)]
    target: Target,
    /// 2 (triangles) or 3 (tetrahedra)
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    dimension: u8,
    /// Edge length in m, about (default 0.072 in 2D, 0.085 in 3D)
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    cell_size: Option<f64>,
}

/// Makes the mesh, writes it, and prints what it is.
///
/// # Errors
/// Sizes that make no mesh, an unknown extension, or a file that cannot be written.
pub fn run(shape: &Shape, common: &CommonOptions) -> Result<(), Failure> {
    match shape {
        Shape::Rectangle(shape) => {
            let default = RectangleOptions::default();
            let options = RectangleOptions {
                min: shape.min,
                max: shape.max,
                resolution: shape.grid.resolution(shape.counts, default.resolution),
                diagonals: shape.grid.diagonals(),
            };
            write(|| rectangle(&options), &shape.target, common)
        }
        Shape::Box(shape) => {
            let default = BoxOptions::default();
            let options = BoxOptions {
                min: shape.min,
                max: shape.max,
                resolution: shape.grid.resolution(shape.counts, default.resolution),
                diagonals: shape.grid.diagonals(),
            };
            write(|| box_mesh(&options), &shape.target, common)
        }
        Shape::Tentacle(shape) if shape.dimension == 2 => {
            let mut options = Tentacle2dOptions::default();
            options.cell_size = shape.cell_size.unwrap_or(options.cell_size);
            write(|| tentacle_2d(&options), &shape.target, common)
        }
        Shape::Tentacle(shape) => {
            let mut options = Tentacle3dOptions::default();
            options.cell_size = shape.cell_size.unwrap_or(options.cell_size);
            write(|| tentacle_3d(&options), &shape.target, common)
        }
        Shape::Surface(domain) => domain.run(common),
        Shape::Voxels(domain) => domain.run(common),
        Shape::Outline(domain) => domain.run(common),
    }
}

fn write<const D: usize>(
    make: impl FnOnce() -> Result<SimplexMesh<D>, MeshError>,
    target: &Target,
    common: &CommonOptions,
) -> Result<(), Failure> {
    require_extension(&target.output, &WRITABLE_EXTENSIONS)?;
    let mesh = make().map_err(Failure::input)?;
    let report = save(&mesh, &[], target)?;
    print(&if common.json { to_json(&report)? } else { describe(&report) })
}

/// Writes the mesh and describes it and what was left out.
pub(super) fn save<const D: usize>(
    mesh: &SimplexMesh<D>,
    dropped: &[Dropped],
    target: &Target,
) -> Result<InfoReport, Failure> {
    let path = &target.output;
    require_extension(path, &WRITABLE_EXTENSIONS)?;
    let options = WriteOptions { msh_version: target.msh_format.into() };
    let not_written = write_mesh(path, mesh, &[], &options).map_err(Failure::work)?;
    Ok(InfoReport::new(mesh, &path.display().to_string(), &[], &[dropped, &not_written[..]].concat()))
}

/// Reads D numbers with commas between them.
pub(super) fn numbers<const D: usize>(text: &str) -> Result<[f64; D], String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    numbers
        .and_then(|numbers| <[f64; D]>::try_from(numbers).ok())
        .ok_or_else(|| format!("give {D} numbers with commas between them"))
}

/// Reads D whole numbers from 1 with commas between them.
fn counts<const D: usize>(text: &str) -> Result<[usize; D], String> {
    let counts: Option<Vec<usize>> =
        text.split(',').map(|count| count.trim().parse().ok().filter(|&count| count > 0)).collect();
    counts
        .and_then(|counts| <[usize; D]>::try_from(counts).ok())
        .ok_or_else(|| format!("give {D} whole numbers from 1 with commas between them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_as_many_finite_numbers_as_axes() {
        assert_eq!(numbers::<2>("-1, 2.5"), Ok([-1.0, 2.5]));
        for text in ["1", "1,2,3", "1,x", "1,nan", ""] {
            assert!(numbers::<2>(text).is_err(), "{text}");
        }
        assert_eq!(counts::<3>("1,2,3"), Ok([1, 2, 3]));
        assert!(counts::<3>("1,0,3").is_err());
    }
}
