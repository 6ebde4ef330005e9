//! `pliant fit`: the smallest adaptive subspace that is accurate enough for the scene's load.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace, Weights, write_basis};
use pliant::mesh::{AnyMesh, SimplexMesh};
use pliant::statics::{
    AdaptiveFrames, AdaptiveOptions, FixedVertices, adaptive_frames, compare, solve_equilibrium,
};
use serde::Serialize;

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::model::Model;
use crate::output::{MeshRecord, create_directory, figure, print, text_table, to_json, write_atomically};
use crate::setting::Setting;
use crate::source::Source;
use crate::space::builder_for;

/// The name that a basis file carries as its method.
const METHOD: &str = "adaptive";

/// Options of `pliant fit`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneOptions,
    /// Largest mass-norm error that will do
    #[arg(long, value_name = "ERROR", default_value_t = 0.01)]
    pub error: f64,
    /// Give up at so many frames
    #[arg(long, value_name = "K", default_value_t = 24)]
    pub frames: usize,
    /// Solve the full problem too, and judge by the true error instead of the estimate
    #[arg(long)]
    pub verify: bool,
    /// Write the basis into this .npz file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// One size of the nested basis.
#[derive(Clone, Debug, Serialize)]
struct Point {
    frames: usize,
    dofs: usize,
    weights_density: f64,
    estimated_error: f64,
    /// Null without `--verify`.
    mass_norm_error: Option<f64>,
    newton_iterations: usize,
    termination: &'static str,
}

/// `fit.json`.
#[derive(Clone, Debug, Serialize)]
struct FitReport {
    mesh: MeshRecord,
    method: &'static str,
    target_error: f64,
    /// The smallest number of frames that meets the target; null where none does.
    frames: Option<usize>,
    seconds: f64,
    points: Vec<Point>,
}

/// Grows the basis, prints the curve or the report, and writes the basis.
///
/// # Errors
/// A wrong scene or option, a solve that failed, or a target that the largest basis misses.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    if !(options.error.is_finite() && options.error > 0.0) {
        return Err(Failure::input(format_args!(
            "--error is {}, which must be a positive number",
            options.error
        )));
    }
    if let Some(output) = &options.output {
        crate::output::require_extension(output, &["npz"])?;
    }
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => fit(mesh, &source, options, common),
        AnyMesh::Three(mesh) => fit(mesh, &source, options, common),
    }
}

fn fit<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let model = Model::new(mesh.clone(), &source.scene)?;
    let setting = Setting::new(&model, &source.scene)?;
    let builder = builder_for(&model, &source.scene, &[], None)?;
    let (start, fixed) = starting_frames(&builder, &setting.pinned)?;
    let growth = AdaptiveOptions {
        frames: options.frames,
        target_error: if options.verify { 0.0 } else { options.error },
        newton: setting.newton,
        ..AdaptiveOptions::default()
    };
    let loads = std::slice::from_ref(&setting.problem);
    let grown = adaptive_frames(loads, &model.material, &start, &fixed, &growth).map_err(Failure::work)?;
    let (points, enough) = curve(&model, &setting, &grown, options)?;
    if let (Some(path), Some((frames, subspace))) = (&options.output, &enough) {
        write_basis(path, &model.mesh, subspace, METHOD, None).map_err(|error| {
            Failure::work(format_args!("cannot write the basis of {frames} frames: {error}"))
        })?;
    }
    let report = FitReport {
        mesh: model.record(),
        method: METHOD,
        target_error: options.error,
        frames: enough.as_ref().map(|(frames, _)| *frames),
        seconds: begun.elapsed().as_secs_f64(),
        points,
    };
    if let Some(directory) = options.scene.out.as_deref() {
        create_directory(directory)?;
        write_atomically(&directory.join("fit.json"), to_json(&report)?.as_bytes())?;
    }
    print(&if common.json { to_json(&report)? } else { describe(&report) })?;
    if report.frames.is_none() {
        let largest = report.points.last().map_or(0, |point| point.frames);
        return Err(Failure::work(format_args!(
            "no basis of up to {largest} frames has an error below {}; raise --frames or --error",
            options.error
        )));
    }
    Ok(())
}

/// The anchors' own frames, or one constant frame where the body has no anchor.
fn starting_frames<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    pinned: &[usize],
) -> Result<(Weights, FixedVertices), Failure> {
    let anchors = builder.anchors().map_err(Failure::work)?;
    let built = builder
        .build(Method::Anchored, anchors.len().max(1), &MethodOptions::default())
        .map_err(Failure::work)?;
    let mut held = vec![false; builder.mesh().vertex_count()];
    pinned.iter().for_each(|&vertex| held[vertex] = true);
    let anchored = anchors.of_vertices().iter().map(Option::is_some).collect();
    Ok((built.weights, FixedVertices { anchored, held }))
}

/// Every size of the nested basis, and the smallest that meets the target with its subspace.
type Curve<const D: usize> = (Vec<Point>, Option<(usize, Subspace<D>)>);

fn curve<const D: usize>(
    model: &Model<D>,
    setting: &Setting<'_, D>,
    grown: &AdaptiveFrames,
    options: &Options,
) -> Result<Curve<D>, Failure> {
    let full = if options.verify { Some(setting.solve_full()?) } else { None };
    let mut points = Vec::new();
    let mut enough = None;
    for stage in &grown.stages {
        let weights = grown.weights.truncated(stage.frames).map_err(Failure::work)?;
        let subspace =
            Subspace::linear_blend_skinning(&model.mesh, &model.material, weights).map_err(Failure::work)?;
        let reduced = setting.problem.project(&subspace).map_err(Failure::work)?;
        let solution = solve_equilibrium(&reduced, &setting.newton).map_err(Failure::work)?;
        let estimated_error = stage.estimated_errors[0];
        let error =
            full.as_ref().map(|full| compare(&setting.problem, &full.equilibrium, &solution).mass_norm_error);
        points.push(Point {
            frames: stage.frames,
            dofs: subspace.dofs(),
            weights_density: subspace.weights().density(),
            estimated_error,
            mass_norm_error: error,
            newton_iterations: solution.iterations(),
            termination: solution.termination.name(),
        });
        if error.unwrap_or(estimated_error) <= options.error {
            enough = Some((stage.frames, subspace));
            break;
        }
    }
    Ok((points, enough))
}

fn describe(report: &FitReport) -> String {
    let header = ["frames", "DOFs", "density", "estimated", "error", "iterations", "termination"];
    let row = |point: &Point| {
        vec![
            point.frames.to_string(),
            point.dofs.to_string(),
            format!("{:.3}", point.weights_density),
            figure(Some(point.estimated_error)),
            figure(point.mass_norm_error),
            point.newton_iterations.to_string(),
            point.termination.to_owned(),
        ]
    };
    let verdict = match report.frames {
        Some(frames) => format!("{frames} frames have an error below {}\n", report.target_error),
        None => String::new(),
    };
    text_table(&header, report.points.iter().map(row)) + &verdict
}
