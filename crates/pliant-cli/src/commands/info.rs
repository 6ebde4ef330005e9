//! `pliant info`: what a mesh file, or the mesh of a scene, holds.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::Args;
use pliant::mesh::{AnyMesh, Dropped, MeshArray, MeshQuality, SimplexMesh, vertex_components};
use serde::Serialize;

use crate::cli::{CommonOptions, SourceOptions};
use crate::failure::Failure;
use crate::model::{Model, assign_regions};
use crate::output::{AnchorRecord, anchor_records, anchor_table, print, text_table, to_json};
use crate::source::Source;
use crate::space_builder::SpaceBuilder;

/// Options of `pliant info`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene or mesh.
    #[command(flatten)]
    pub source: SourceOptions,
}

/// The report of `pliant info --json` and `pliant mesh --json`.
#[derive(Clone, Debug, Serialize)]
pub struct InfoReport {
    format: String,
    dimension: usize,
    vertices: usize,
    cells: usize,
    volume: f64,
    bounding_box: [Vec<f64>; 2],
    regions: BTreeMap<String, RegionRecord>,
    vertex_sets: BTreeMap<String, usize>,
    arrays: Vec<ArrayRecord>,
    components: usize,
    /// Of angles (2D) or dihedral angles (3D), the smallest of each cell.
    quality: QualityRecord,
    dropped: Vec<DroppedRecord>,
    /// What anchored and adaptive frames move as one; left out where there are no materials.
    #[serde(skip_serializing_if = "Option::is_none")]
    anchors: Option<Vec<AnchorRecord>>,
}

#[derive(Clone, Debug, Serialize)]
struct QualityRecord {
    minimum_angle_degrees: f64,
    mean_angle_degrees: f64,
    worst_cell: usize,
}

#[derive(Clone, Debug, Default, Serialize)]
struct RegionRecord {
    cells: usize,
    volume: f64,
}

#[derive(Clone, Debug, Serialize)]
struct ArrayRecord {
    name: String,
    on: &'static str,
    components: usize,
}

/// Something that a file holds and a mesh does not, or the other way round.
#[derive(Clone, Debug, Serialize)]
pub struct DroppedRecord {
    what: String,
    count: usize,
}

impl DroppedRecord {
    /// As reports have it.
    pub fn new(dropped: &Dropped) -> Self {
        Self { what: dropped.what.clone(), count: dropped.count }
    }
}

impl std::fmt::Display for DroppedRecord {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{} {}", self.count, self.what)
    }
}

/// Prints what the mesh holds.
///
/// # Errors
/// A file that cannot be read, or a scene whose regions or materials do not fit the mesh.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::read(&options.source)?;
    let report = match &source.file.mesh {
        AnyMesh::Two(mesh) => report(mesh.clone(), &source)?,
        AnyMesh::Three(mesh) => report(mesh.clone(), &source)?,
    };
    print(&if common.json { to_json(&report)? } else { describe(&report) })
}

fn report<const D: usize>(mesh: SimplexMesh<D>, source: &Source) -> Result<InfoReport, Failure> {
    let describe = |mesh: &SimplexMesh<D>| {
        InfoReport::new(mesh, &source.file.format, &source.file.arrays, &source.file.dropped)
    };
    // A bare mesh needs no materials to be described.
    if source.scene.materials.is_empty() {
        return Ok(describe(&assign_regions(mesh, &source.scene.regions)?));
    }
    let model = Model::new(mesh, source)?;
    let builder = SpaceBuilder::new(&model, &source.scene, &[], None)?;
    let anchors = builder.basis().anchors().map_err(Failure::input)?;
    Ok(InfoReport { anchors: Some(anchor_records(&model.mesh, anchors)), ..describe(&model.mesh) })
}

impl InfoReport {
    /// Describes a mesh and what else its file holds.
    pub fn new<const D: usize>(
        mesh: &SimplexMesh<D>,
        format: &str,
        arrays: &[MeshArray],
        dropped: &[Dropped],
    ) -> Self {
        let mut regions: BTreeMap<String, RegionRecord> = BTreeMap::new();
        for (&region, &volume) in mesh.cell_regions().iter().zip(mesh.volumes()) {
            let record = regions.entry(mesh.regions()[region].clone()).or_default();
            record.cells += 1;
            record.volume += volume;
        }
        let (low, high) = mesh.bounding_box();
        let quality = MeshQuality::new(mesh);
        let sets = mesh.vertex_sets().iter();
        Self {
            format: format.to_owned(),
            dimension: D,
            vertices: mesh.vertex_count(),
            cells: mesh.cell_count(),
            volume: mesh.volume(),
            bounding_box: [low.to_vec(), high.to_vec()],
            regions,
            vertex_sets: sets.map(|set| (set.name.clone(), set.vertices.len())).collect(),
            arrays: arrays
                .iter()
                .map(|array| ArrayRecord {
                    name: array.name.clone(),
                    on: array.on.name(),
                    components: array.components,
                })
                .collect(),
            components: vertex_components(mesh).count,
            quality: QualityRecord {
                minimum_angle_degrees: quality.minimum(),
                mean_angle_degrees: quality.mean(),
                worst_cell: quality.worst_cells(1).first().copied().unwrap_or(0),
            },
            dropped: dropped.iter().map(DroppedRecord::new).collect(),
            anchors: None,
        }
    }
}

/// The report for the terminal.
pub fn describe(report: &InfoReport) -> String {
    let (kind, unit) = if report.dimension == 2 { ("triangles", "m^2") } else { ("tetrahedra", "m^3") };
    let mut text = format!(
        "{}, {}D: {} vertices, {} {kind}, {:.6} {unit}, {} connected component{}\n",
        report.format,
        report.dimension,
        report.vertices,
        report.cells,
        report.volume,
        report.components,
        if report.components == 1 { "" } else { "s" }
    );
    let corner = |corner: &[f64]| {
        let coordinates: Vec<String> = corner.iter().map(|coordinate| format!("{coordinate:.6}")).collect();
        format!("({})", coordinates.join(", "))
    };
    let [low, high] = &report.bounding_box;
    let _ = writeln!(text, "from {} to {} m", corner(low), corner(high));
    let quality = &report.quality;
    let _ = writeln!(
        text,
        "{} per cell at least {:.1} degrees (cell {}), {:.1} on average",
        if report.dimension == 2 { "smallest angle" } else { "smallest dihedral angle" },
        quality.minimum_angle_degrees,
        quality.worst_cell,
        quality.mean_angle_degrees
    );
    let volume_header = format!("volume ({unit})");
    text += &text_table(
        &["region", "cells", &volume_header],
        report.regions.iter().map(|(name, region)| {
            vec![name.clone(), region.cells.to_string(), format!("{:.6}", region.volume)]
        }),
    );
    if !report.vertex_sets.is_empty() {
        let sets = report.vertex_sets.iter().map(|(name, count)| vec![name.clone(), count.to_string()]);
        text += &text_table(&["vertex set", "vertices"], sets);
    }
    if !report.arrays.is_empty() {
        let arrays = report
            .arrays
            .iter()
            .map(|array| vec![array.name.clone(), array.on.to_owned(), array.components.to_string()]);
        text += &text_table(&["array", "on", "components"], arrays);
    }
    text += &anchor_table(report.anchors.as_deref().unwrap_or_default());
    for dropped in &report.dropped {
        let _ = writeln!(text, "not kept, or repaired: {dropped}");
    }
    text
}
