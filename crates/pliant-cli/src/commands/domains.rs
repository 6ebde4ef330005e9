//! `pliant mesh surface`, `voxels` and `outline`: bodies whose shape is in a file.

use std::path::PathBuf;

use clap::Args;
use pliant::mesh::{
    LengthUnit, MeshError, OutlineMeshOptions, OutlineOptions, SurfaceMeshOptions, VoxelMeshOptions,
    VoxelOptions, VoxelRegion, mesh_outline, mesh_surface, mesh_voxels, read_outline, read_surface,
    read_voxels,
};
use serde::Serialize;

use super::info::{InfoReport, describe};
use super::mesh::{Target, numbers, save};
use crate::cli::CommonOptions;
use crate::failure::Failure;
use crate::output::{print, text_table, to_json};

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
        let named = |error| format!("{}: {error}", self.surface.display());
        surface.check_closed().map_err(|error| Failure::work(named(error)))?;
        let options = SurfaceMeshOptions { cell_size: self.size };
        let mesh = mesh_surface(&surface, &options).map_err(|error| Failure::input(named(error)))?;
        let enclosed_volume = surface.enclosed_volume().abs();
        let difference = 100.0 * (mesh.volume() / enclosed_volume - 1.0);
        let mesh = save(&mesh, &[], &self.target)?;
        print(&if common.json {
            to_json(&SurfaceReport { mesh, enclosed_volume })?
        } else {
            format!(
                "{}the surface encloses {enclosed_volume:.4e} m^3, the mesh differs by {difference:+.2} %\n",
                describe(&mesh)
            )
        })
    }
}

#[derive(Serialize)]
struct SurfaceReport {
    #[serde(flatten)]
    mesh: InfoReport,
    /// In m^3; parts that overlap count twice.
    enclosed_volume: f64,
}

/// The labels of a voxel volume.
#[derive(Args, Debug)]
pub struct VoxelDomain {
    /// The volume: .nrrd, .nhdr, .mhd, .mha, .nii, .nii.gz or a folder of .png layers
    #[arg(value_name = "VOLUME")]
    volume: PathBuf,
    /// Length of the longest edges in m (default: a 20th of the body's longest side)
    #[arg(long, visible_alias = "cell-size", value_name = "H", allow_hyphen_values = true)]
    size: Option<f64>,
    /// Name of the region of a label; repeat it for more
    #[arg(long = "name", value_name = "LABEL:NAME", value_parser = label_name)]
    names: Vec<(u32, String)>,
    /// The label that is no part of the body
    #[arg(long, value_name = "LABEL", default_value_t = 0)]
    background: u32,
    #[command(flatten)]
    voxels: VoxelArguments,
    #[command(flatten)]
    target: Target,
}

/// The regions of a drawing.
#[derive(Args, Debug)]
pub struct OutlineDomain {
    /// The drawing: .svg, .dxf, or a list of polygons as .toml or .json
    #[arg(value_name = "DRAWING")]
    drawing: PathBuf,
    /// Edge length in m, about (default: a 40th of the drawing's longest side)
    #[arg(long, visible_alias = "cell-size", value_name = "H", allow_hyphen_values = true)]
    size: Option<f64>,
    /// Smallest angle in degrees, from 0 to 32
    #[arg(long, value_name = "DEGREES", default_value_t = OutlineMeshOptions::default().minimum_angle_degrees)]
    angle: f64,
    /// How far straight pieces may be from a curve, as a part of the drawing's longest side
    #[arg(long, value_name = "PART", default_value_t = OutlineOptions::default().flatness)]
    flatness: f64,
    /// Unit of the file's lengths: m, cm, mm, um or in (default: the one it states, or else m)
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    unit: Option<LengthUnit>,
    #[command(flatten)]
    target: Target,
}

impl OutlineDomain {
    /// Meshes the drawing, writes the mesh and prints what it is.
    ///
    /// # Errors
    /// A file that cannot be read, a drawing without a closed curve, or a size that makes no mesh.
    pub fn run(&self, common: &CommonOptions) -> Result<(), Failure> {
        let options = OutlineOptions { unit: self.unit, flatness: self.flatness };
        let outline = read_outline(&self.drawing, &options).map_err(|error| match error {
            MeshError::InvalidMesher { .. } => Failure::input(error),
            _ => Failure::work(error),
        })?;
        let options = OutlineMeshOptions { cell_size: self.size, minimum_angle_degrees: self.angle };
        let mesh = mesh_outline(&outline, &options)
            .map_err(|error| Failure::input(format_args!("{}: {error}", self.drawing.display())))?;
        let report = save(&mesh, &outline.dropped, &self.target)?;
        print(&if common.json { to_json(&report)? } else { describe(&report) })
    }
}

/// What a volume's file leaves open.
#[derive(Args, Debug)]
pub struct VoxelArguments {
    /// Unit of the file's lengths: m, cm, mm, um or in (default: the one it states, or else m)
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    unit: Option<LengthUnit>,
    /// Size of a voxel in that unit, instead of the file's
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>)]
    spacing: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct VoxelReport {
    #[serde(flatten)]
    mesh: InfoReport,
    /// What each label was in the file.
    labels: Vec<LabelRecord>,
}

#[derive(Serialize)]
struct LabelRecord {
    label: u32,
    region: String,
    voxel_volume: f64,
    mesh_volume: f64,
}

impl VoxelDomain {
    /// Fills the labels, writes the mesh and prints what it is.
    ///
    /// # Errors
    /// A file that cannot be read or holds no labels, a name of no label, or a size that makes no mesh.
    pub fn run(&self, common: &CommonOptions) -> Result<(), Failure> {
        let options = VoxelOptions { unit: self.voxels.unit, spacing: self.voxels.spacing };
        let (volume, _) = read_voxels(&self.volume, &options).map_err(Failure::work)?;
        let options =
            VoxelMeshOptions { cell_size: self.size, background: self.background, names: self.names.clone() };
        let meshed = mesh_voxels(&volume, &options)
            .map_err(|error| Failure::input(format_args!("{}: {error}", self.volume.display())))?;
        let mesh = save(&meshed.mesh, &[], &self.target)?;
        print(&if common.json {
            let labels = meshed.regions.into_iter().map(LabelRecord::from).collect();
            to_json(&VoxelReport { mesh, labels })?
        } else {
            describe(&mesh) + &label_table(&meshed.regions)
        })
    }
}

impl From<VoxelRegion> for LabelRecord {
    fn from(region: VoxelRegion) -> Self {
        Self {
            label: region.label,
            region: region.name,
            voxel_volume: region.voxel_volume,
            mesh_volume: region.mesh_volume,
        }
    }
}

fn label_table(regions: &[VoxelRegion]) -> String {
    text_table(
        &["label", "region", "voxels (m^3)", "cells (m^3)", "difference"],
        regions.iter().map(|region| {
            vec![
                region.label.to_string(),
                region.name.clone(),
                format!("{:.4e}", region.voxel_volume),
                format!("{:.4e}", region.mesh_volume),
                format!("{:+.1} %", 100.0 * (region.mesh_volume / region.voxel_volume - 1.0)),
            ]
        }),
    )
}

fn unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_symbol(text).ok_or_else(|| "give m, cm, mm, um or in".to_owned())
}

/// Reads `LABEL:NAME`.
fn label_name(text: &str) -> Result<(u32, String), String> {
    let parts = text.split_once(':').and_then(|(label, name)| Some((label.parse().ok()?, name.to_owned())));
    parts
        .filter(|(_, name)| !name.is_empty())
        .ok_or_else(|| "write it as LABEL:NAME, for example 1:bone".to_owned())
}
