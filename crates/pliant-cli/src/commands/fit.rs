//! `pliant fit`: the smallest adaptive subspace that is accurate enough for the scene's training loads.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use pliant::basis::{Subspace, write_basis};
use pliant::mesh::{AnyMesh, SimplexMesh};
use pliant::report::FitPoint;
use pliant::statics::{AdaptiveOptions, Equilibrium, compare};
use rayon::prelude::*;
use serde::Serialize;

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::grown_frames::GrownFrames;
use crate::html_report::{HtmlReport, ReportOptions, fit_section};
use crate::load_case::LoadCase;
use crate::model::Model;
use crate::output::{
    MeshRecord, Progress, create_directory, figure, print, text_table, to_json, write_atomically,
};
use crate::setting::Setting;
use crate::source::Source;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;

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
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// One size of the nested basis.
#[derive(Clone, Debug, Serialize)]
struct Point {
    frames: usize,
    dofs: usize,
    weights_density: f64,
    /// The largest of the training loads, against the full states that the growth keeps.
    estimated_error: f64,
    /// The largest of the training loads; null without `--verify`.
    mass_norm_error: Option<f64>,
    /// The largest of the testing loads; null without them or without `--verify`.
    testing_error: Option<f64>,
    /// Of the training loads, together.
    newton_iterations: usize,
    /// `converged` if every solve did.
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
    options.report.prepare()?;
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
    let model = Model::new(mesh.clone(), source)?;
    let setting = Setting::new(&model, &source.scene)?;
    let spec = source.scene.subspaces.iter().find(|spec| spec.method == SpaceMethod::Adaptive);
    let growth = AdaptiveOptions {
        frames: options.frames,
        target_error: options.error,
        ..spec.map_or_else(AdaptiveOptions::default, |spec| spec.growth.clone())
    };
    let progress = Progress::new(1, common);
    progress.say("full FEM");
    let full = |cases: &[LoadCase<'_, D>]| match options.verify {
        true => setting.solve_cases(cases).map(Some),
        false => Ok(None),
    };
    let (trained, tested) = (full(&setting.training)?, full(&setting.testing)?);
    progress.say("adaptive frames");
    let builder = SpaceBuilder::new(&model, &source.scene, &[], None)?;
    let grown = builder.grow(&setting, &growth, trained.as_deref())?;
    let (points, enough) = curve(&model, &setting, &grown, tested.as_deref(), options.error)?;
    drop(progress);
    if let (Some(path), Some((frames, subspace))) = (&options.output, &enough) {
        write_basis(path, &model.mesh, subspace, SpaceMethod::Adaptive.name(), None).map_err(|error| {
            Failure::work(format_args!("cannot write the basis of {frames} frames: {error}"))
        })?;
    }
    let report = FitReport {
        mesh: model.record(),
        method: SpaceMethod::Adaptive.name(),
        target_error: options.error,
        frames: enough.as_ref().map(|(frames, _)| *frames),
        seconds: begun.elapsed().as_secs_f64(),
        points,
    };
    if let Some(directory) = options.scene.out.as_deref() {
        create_directory(directory)?;
        write_atomically(&directory.join("fit.json"), to_json(&report)?.as_bytes())?;
    }
    if options.report.is_wanted() {
        let mut html = HtmlReport::new(&model, &source.scene)?;
        html.add(html.material_section());
        html.add(fit_section(&report.points.iter().map(fit_point).collect::<Vec<_>>(), report.target_error));
        if let Some((_, subspace)) = &enough {
            html.add(html.grown_section(subspace));
        }
        options.report.deliver(html)?;
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

/// Every size of the nested basis, and the smallest that meets the target with its subspace.
type Curve<const D: usize> = (Vec<Point>, Option<(usize, Subspace<D>)>);

fn curve<const D: usize>(
    model: &Model<D>,
    setting: &Setting<'_, D>,
    grown: &GrownFrames,
    tested: Option<&[Equilibrium<D>]>,
    target: f64,
) -> Result<Curve<D>, Failure> {
    let mut points = Vec::new();
    let mut enough = None;
    for size in grown.sizes() {
        let frames = size.stage.frames;
        let weights = grown.of_size(frames)?.0.weights;
        let subspace =
            Subspace::linear_blend_skinning(&model.mesh, &model.material, weights).map_err(Failure::work)?;
        let estimated_error = size.stage.largest_error();
        points.push(Point {
            frames,
            dofs: subspace.dofs(),
            weights_density: subspace.weights().density(),
            estimated_error,
            mass_norm_error: size.true_error,
            testing_error: largest_testing_error(setting, &subspace, tested.unwrap_or_default())?,
            newton_iterations: size.newton_iterations,
            termination: size.termination.name(),
        });
        if size.true_error.unwrap_or(estimated_error) <= target {
            enough = Some((frames, subspace));
            break;
        }
    }
    Ok((points, enough))
}

/// The largest mass-norm error of the testing loads, against their full solutions; none without them.
fn largest_testing_error<const D: usize>(
    setting: &Setting<'_, D>,
    subspace: &Subspace<D>,
    full: &[Equilibrium<D>],
) -> Result<Option<f64>, Failure> {
    let error = |(case, exact): (&LoadCase<'_, D>, &Equilibrium<D>)| -> Result<f64, Failure> {
        let quick = setting.solve_case_in(case, subspace)?;
        Ok(compare(&case.problem, exact, &quick).mass_norm_error)
    };
    let errors = setting.testing.par_iter().zip(full).map(error).collect::<Result<Vec<_>, _>>()?;
    Ok(errors.into_iter().reduce(f64::max))
}

fn fit_point(point: &Point) -> FitPoint {
    FitPoint {
        frames: point.frames,
        estimated: point.estimated_error,
        error: point.mass_norm_error,
        testing: point.testing_error,
    }
}

fn describe(report: &FitReport) -> String {
    let header =
        ["frames", "DOFs", "density", "estimated", "error", "largest unseen", "iterations", "termination"];
    let row = |point: &Point| {
        vec![
            point.frames.to_string(),
            point.dofs.to_string(),
            format!("{:.3}", point.weights_density),
            figure(Some(point.estimated_error)),
            figure(point.mass_norm_error),
            figure(point.testing_error),
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
