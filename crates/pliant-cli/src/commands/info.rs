//! `pliant info`: what a mesh file, or the mesh of a scene, holds.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::Args;
use pliant::mesh::{
    AnyMesh, Dropped, MeshArray, MeshQuality, SimplexMesh, boundary_component_count, vertex_components,
};
use serde::Serialize;

use crate::cell_materials::{file_density, file_youngs_modulus};
use crate::cli::{CommonOptions, SourceOptions};
use crate::failure::Failure;
use crate::model::{Model, assign_regions};
use crate::output::{AnchorRecord, anchor_records, anchor_table, print, text_table, to_json};
use crate::source::Source;
use crate::space_builder::SpaceBuilder;
use crate::units_hint::{longest_side, stiffest, units_hint};

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
    /// Pieces of the boundary: one for each body, one more for each hole or cavity.
    boundary_components: usize,
    /// Of angles (2D) or dihedral angles (3D), the smallest of each cell.
    quality: QualityRecord,
    dropped: Vec<DroppedRecord>,
    /// A guess that lengths are not in metres, as a sentence.
    units_hint: Option<String>,
    /// What anchored and adaptive frames move as one; left out where there are no materials.
    #[serde(skip_serializing_if = "Option::is_none")]
    anchors: Option<Vec<AnchorRecord>>,
}

#[derive(Clone, Debug, Serialize)]
struct QualityRecord {
    minimum_angle_degrees: f64,
    mean_angle_degrees: f64,
    worst_cell: usize,
    /// The worst cells, at most WORST_CELLS, worst first.
    worst_cells: Vec<CellRecord>,
}

/// How many of the worst cells a report lists.
const WORST_CELLS: usize = 3;

#[derive(Clone, Debug, Serialize)]
struct CellRecord {
    cell: usize,
    angle_degrees: f64,
    centroid: Vec<f64>,
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
    let material = &model.material;
    let stiffest = stiffest(material.youngs_modulus(), Some(material.density()));
    Ok(InfoReport {
        anchors: Some(anchor_records(&model.mesh, anchors)),
        units_hint: units_hint(longest_side(&model.mesh), stiffest),
        ..describe(&model.mesh)
    })
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
        let in_file = file_youngs_modulus(arrays).and_then(|values| stiffest(values, file_density(arrays)));
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
            boundary_components: boundary_component_count(mesh),
            units_hint: units_hint(longest_side(mesh), in_file),
            quality: QualityRecord {
                minimum_angle_degrees: quality.minimum(),
                mean_angle_degrees: quality.mean(),
                worst_cell: quality.worst_cells(1).first().copied().unwrap_or(0),
                worst_cells: worst_cells(mesh, &quality),
            },
            dropped: dropped.iter().map(DroppedRecord::new).collect(),
            anchors: None,
        }
    }
}

fn worst_cells<const D: usize>(mesh: &SimplexMesh<D>, quality: &MeshQuality) -> Vec<CellRecord> {
    let record = |cell: usize| CellRecord {
        cell,
        angle_degrees: quality.minimum_angles()[cell],
        centroid: mesh.centroid(cell).to_vec(),
    };
    quality.worst_cells(WORST_CELLS).into_iter().map(record).collect()
}

/// The report for the terminal.
pub fn describe(report: &InfoReport) -> String {
    let (kind, unit) = if report.dimension == 2 { ("triangles", "m^2") } else { ("tetrahedra", "m^3") };
    let mut text = format!(
        "{}, {}D: {} vertices, {} {kind}, {:.6} {unit}, {} connected component{}, boundary in {} piece{}\n",
        report.format,
        report.dimension,
        report.vertices,
        report.cells,
        report.volume,
        report.components,
        if report.components == 1 { "" } else { "s" },
        report.boundary_components,
        if report.boundary_components == 1 { "" } else { "s" }
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
        "{} per cell at least {:.1} degrees, {:.1} on average; worst cells {}",
        if report.dimension == 2 { "smallest angle" } else { "smallest dihedral angle" },
        quality.minimum_angle_degrees,
        quality.mean_angle_degrees,
        quality
            .worst_cells
            .iter()
            .map(|worst| format!(
                "{} ({:.1}) at {}",
                worst.cell,
                worst.angle_degrees,
                corner(&worst.centroid)
            ))
            .collect::<Vec<_>>()
            .join(", ")
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
    if let Some(hint) = &report.units_hint {
        let _ = writeln!(text, "units: {hint}");
    }
    text
}
