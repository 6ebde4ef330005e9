//! `pliant convert`: a mesh file, or the mesh of a scene with its materials, in another format.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use pliant::mesh::{
    AnyMesh, ArrayLocation, Dropped, MeshArray, MeshOptions, MeshParts, SimplexMesh, WRITABLE_EXTENSIONS,
    WriteOptions, write_mesh,
};
use serde::Serialize;

use super::info::DroppedRecord;
use super::mesh::MshFormat;
use crate::cli::{CommonOptions, SourceOptions};
use crate::failure::Failure;
use crate::gltf_files::mesh_as_glb;
use crate::model::{Model, assign_regions};
use crate::output::{print, require_extension, to_json, write_atomically};
use crate::source::Source;

/// The extension of a picture of the body, which is no mesh format: the shape that an array `displacement` gives it, in colours.
const GLTF: &str = "glb";

/// Options of `pliant convert`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene or mesh.
    #[command(flatten)]
    source: SourceOptions,
    /// The file to write: .msh, .vtu, .vtk, .mesh, .meshb, .npz, .node, .ele, .obj (the boundary) or .glb (the boundary in colours)
    #[arg(value_name = "OUTPUT")]
    output: PathBuf,
    /// Version and encoding of a .msh file
    #[arg(long, value_enum, default_value_t = MshFormat::Ascii41)]
    msh_format: MshFormat,
    /// Multiply every position by this, for example 0.001 from millimetres to metres
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    scale: f64,
}

/// Reads a positive number.
fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| "give a positive number".to_owned())
}

/// The report of `pliant convert --json`.
#[derive(Debug, Serialize)]
struct ConvertReport {
    from: String,
    to: String,
    dimension: usize,
    vertices: usize,
    cells: usize,
    regions: usize,
    vertex_sets: usize,
    arrays: usize,
    /// In the source, but not in the mesh; or repaired.
    not_read: Vec<DroppedRecord>,
    /// In the mesh, but not in the output.
    not_written: Vec<DroppedRecord>,
}

/// Writes the mesh, with its regions, vertex sets and arrays, and with the materials of a scene as arrays.
///
/// # Errors
/// A file that cannot be read or written, an unknown extension, or a scene whose regions or materials do not fit the mesh.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let extensions: Vec<&str> = WRITABLE_EXTENSIONS.into_iter().chain([GLTF]).collect();
    require_extension(&options.output, &extensions)?;
    let source = Source::read(&options.source)?;
    let report = match &source.file.mesh {
        AnyMesh::Two(mesh) => convert(mesh.clone(), &source, options)?,
        AnyMesh::Three(mesh) => convert(mesh.clone(), &source, options)?,
    };
    print(&if common.json { to_json(&report)? } else { describe(&report) })
}

fn convert<const D: usize>(
    mesh: SimplexMesh<D>,
    source: &Source,
    options: &Options,
) -> Result<ConvertReport, Failure> {
    let mut arrays = source.file.arrays.clone();
    let mesh = if source.scene.materials.is_empty() {
        assign_regions(mesh, &source.scene.regions)?
    } else {
        let model = Model::new(mesh, source)?;
        for (name, values) in [
            ("youngs_modulus", model.material.youngs_modulus()),
            ("poisson_ratio", model.material.poisson_ratio()),
            ("density", model.material.density()),
        ] {
            arrays.retain(|array| array.name != name || array.on != ArrayLocation::Cell);
            let on = ArrayLocation::Cell;
            arrays.push(MeshArray { name: name.to_owned(), on, components: 1, values: values.to_vec() });
        }
        model.mesh
    };
    let mesh = if options.scale == 1.0 { mesh } else { scaled(&mesh, options.scale)? };
    let write_options = WriteOptions { msh_version: options.msh_format.into() };
    let is_gltf = options.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(GLTF));
    let not_written = if is_gltf {
        let name = options.output.file_stem().unwrap_or_default().to_string_lossy();
        let (bytes, not_written) = mesh_as_glb(&name, &mesh, &arrays)?;
        write_atomically(&options.output, &bytes)?;
        not_written
    } else {
        write_mesh(&options.output, &mesh, &arrays, &write_options).map_err(Failure::work)?
    };
    let records = |dropped: &[Dropped]| dropped.iter().map(DroppedRecord::new).collect();
    Ok(ConvertReport {
        from: source.file.format.clone(),
        to: options.output.display().to_string(),
        dimension: D,
        vertices: mesh.vertex_count(),
        cells: mesh.cell_count(),
        regions: mesh.regions().len(),
        vertex_sets: mesh.vertex_sets().len(),
        arrays: arrays.len(),
        not_read: records(&source.file.dropped),
        not_written: records(&not_written),
    })
}

/// The mesh with every position multiplied.
fn scaled<const D: usize>(mesh: &SimplexMesh<D>, factor: f64) -> Result<SimplexMesh<D>, Failure> {
    let parts = MeshParts {
        positions: mesh.positions().iter().map(|position| position.map(|x| factor * x)).collect(),
        cells: mesh.cells().flatten().copied().collect(),
        regions: mesh.regions().to_vec(),
        cell_regions: mesh.cell_regions().to_vec(),
        vertex_sets: mesh.vertex_sets().to_vec(),
    };
    Ok(SimplexMesh::from_parts(parts, &MeshOptions::default()).map_err(Failure::work)?.mesh)
}

fn describe(report: &ConvertReport) -> String {
    let mut text = format!(
        "{} to {}: {} vertices, {} {}, {} regions, {} vertex sets, {} arrays\n",
        report.from,
        report.to,
        report.vertices,
        report.cells,
        if report.dimension == 2 { "triangles" } else { "tetrahedra" },
        report.regions,
        report.vertex_sets,
        report.arrays
    );
    for dropped in &report.not_read {
        let _ = writeln!(text, "not read or repaired: {dropped}");
    }
    for dropped in &report.not_written {
        let _ = writeln!(text, "not written: {dropped}");
    }
    text
}
