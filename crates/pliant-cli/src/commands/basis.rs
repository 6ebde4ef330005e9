//! `pliant basis`: builds a subspace and writes it as `.npz`.

use std::path::PathBuf;

use clap::Args;
use pliant::basis::write_basis;
use pliant::mesh::{AnyMesh, SimplexMesh};
use serde::Serialize;

use crate::cli::{CommonOptions, SourceOptions};
use crate::failure::Failure;
use crate::html_report::{HtmlReport, ReportOptions, nodes_by_compliance};
use crate::model::Model;
use crate::output::{
    BasisRecord, MeshRecord, Progress, SubspaceSeconds, figure, print, require_extension, seconds,
    text_table, to_json,
};
use crate::scene::SubspaceSpec;
use crate::setting::Setting;
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;
use crate::space_options::SpaceOptions;

/// Options of `pliant basis`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene or mesh.
    #[command(flatten)]
    pub source: SourceOptions,
    /// sparse-meshless, uniform-eigenmodes, material-eigenmodes, hrpd, anchored, cardinal-eigenmodes or adaptive
    #[arg(long, value_name = "METHOD")]
    pub method: String,
    /// The size of the subspace and the method's own options.
    #[command(flatten)]
    pub space: SpaceOptions,
    /// Write the basis into this .npz file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// The report of `pliant basis --json`.
#[derive(Clone, Debug, Serialize)]
struct BasisReport {
    mesh: MeshRecord,
    #[serde(flatten)]
    basis: BasisRecord,
    seconds: SubspaceSeconds,
}

/// Builds the subspace, writes it if asked to, and prints what it is.
///
/// # Errors
/// A method or option that does not exist, more frames than vertices, or a file that cannot be written.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    if let Some(path) = &options.output {
        require_extension(path, &["npz"])?;
    }
    let source = Source::read(&options.source)?;
    options.report.prepare()?;
    let spec = options.space.specification(&options.method, &source.scene)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => build(mesh, &source, &spec, options, common),
        AnyMesh::Three(mesh) => build(mesh, &source, &spec, options, common),
    }
}

fn build<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    spec: &SubspaceSpec,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let specs = std::slice::from_ref(spec);
    let progress = Progress::new(1, common);
    progress.say(spec.method.name());
    let mut builder = SpaceBuilder::new(&model, &source.scene, specs, None)?;
    if spec.method == SpaceMethod::Adaptive {
        builder.grow_frames(&Setting::new(&model, &source.scene)?, specs);
    }
    let space = Space::build(&builder, spec)?;
    drop(progress);
    if let Some(path) = &options.output {
        write_basis(path, &model.mesh, &space.subspace, space.method.name(), space.nodes.as_deref())
            .map_err(Failure::work)?;
    }
    let report = BasisReport {
        mesh: model.record(),
        basis: space.record(),
        seconds: SubspaceSeconds { basis: space.seconds, solve: None },
    };
    if options.report.is_wanted() {
        let mut html = HtmlReport::new(&model, &source.scene)?;
        html.add(html.body_section(&builder, nodes_by_compliance(&space)));
        html.add(html.weight_section(&[&space]));
        options.report.deliver(html)?;
    }
    print(&if common.json { to_json(&report)? } else { describe(&report) })
}

fn describe(report: &BasisReport) -> String {
    let basis = &report.basis;
    let rows = report.mesh.vertices * report.mesh.dimension;
    let entries = [
        ("method", basis.method.to_owned()),
        ("frames", basis.frames.to_string()),
        ("basis", format!("{rows} x {}", basis.dofs)),
        ("rank", basis.rank.to_string()),
        ("weights, non-zero", basis.weights_nonzeros.to_string()),
        ("weights, density", format!("{:.4}", basis.weights_density)),
        ("basis, density", format!("{:.4}", basis.basis_density)),
        ("partition of unity, error", figure(basis.checks.partition_of_unity)),
        ("smallest weight", figure(basis.checks.minimum_weight)),
        ("interpolation, error", figure(basis.checks.interpolation)),
        ("patch test, error", figure(basis.checks.patch_test)),
        ("rest, error", figure(basis.checks.rest)),
        ("seconds", seconds(report.seconds.basis)),
    ];
    text_table(&["", "value"], entries.map(|(name, value)| vec![name.to_owned(), value]))
}
