//! `pliant sweep`: every method at every frame count, in parallel over the points.

use std::sync::Arc;

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::html_report::{HtmlReport, ReportOptions};
use crate::independent_jobs::run_independent;
use crate::model::Model;
use crate::output::{
    FailureRecord, FullRecord, Progress, SubspaceRecord, SweepReport, create_directory, error_chart,
    missing_points, require_none_failed, space_table, sweep_csv, to_json, write_atomically,
};
use crate::scene::{Origin, Scene, SubspaceSpec};
use crate::setting::{Setting, require_converged};
use crate::shape_series::{ShapeSeries, full_file};
use crate::solution_files::solution_names;
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;
use crate::sweep_journal::{Finished, SweepJournal, fingerprint};

/// Options of `pliant sweep`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneOptions,
    /// Frame counts (default: the scene's [sweep], or 3,6,9,12,18,24)
    #[arg(long, value_name = "K,K,...", value_delimiter = ',')]
    pub frames: Vec<usize>,
    /// Methods (default: those of the scene's [[subspaces]], or all)
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Go on where an earlier run of the same sweep into the same --out was interrupted
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// Solves every point, prints the table or the report, and writes the files.
///
/// # Errors
/// A wrong scene, points that failed, or solves that did not converge under `--strict`; what succeeded is reported first.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    options.report.prepare()?;
    let points = points(options, &source.scene)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => on_mesh(mesh, &source, &points, options, common),
        AnyMesh::Three(mesh) => on_mesh(mesh, &source, &points, options, common),
    }
}

/// Methods in order, and for each the frame counts in order; a method that the scene has gets the scene's options.
pub fn points(options: &Options, scene: &Scene) -> Result<Vec<SubspaceSpec>, Failure> {
    let mut series: Vec<SubspaceSpec> = Vec::new();
    if options.methods.is_empty() {
        series.extend(scene.subspaces.iter().cloned());
    }
    for name in &options.methods {
        let method = SpaceMethod::parse(name)
            .map_err(|error| Failure::input(format_args!("--methods {name}: {error}")))?;
        let of_scene = scene.subspaces.iter().find(|spec| spec.method == method);
        series.push(of_scene.cloned().unwrap_or_else(|| SubspaceSpec::of_method(method)));
    }
    // The scene may have one method at several frame counts: that is one series here.
    let mut distinct: Vec<SubspaceSpec> = Vec::new();
    for spec in series {
        if !distinct.iter().any(|other| {
            other.method == spec.method && other.options == spec.options && other.growth == spec.growth
        }) {
            distinct.push(spec);
        }
    }
    let (frames, origin) = if options.frames.is_empty() {
        (&scene.sweep.frames, scene.sweep.origin.clone())
    } else {
        let given: Vec<String> = options.frames.iter().map(usize::to_string).collect();
        (&options.frames, Some(Origin::Option(Arc::from(format!("--frames {}", given.join(","))))))
    };
    if let Some(origin) = &origin
        && frames.contains(&0)
    {
        return Err(origin.wrong("a subspace needs at least 1 frame; leave the 0 out"));
    }
    let at =
        |spec: &SubspaceSpec, frames: usize| SubspaceSpec { frames, origin: origin.clone(), ..spec.clone() };
    Ok(distinct.iter().flat_map(|spec| frames.iter().map(|&frames| at(spec, frames))).collect())
}

/// The points from the most frames on, so that none of the long ones is left for the end, and methods side by side: what the points of
/// a method share is then computed once.
fn largest_first(points: &[SubspaceSpec]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(points[index].frames));
    order
}

fn on_mesh<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    points: &[SubspaceSpec],
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let mut builder = SpaceBuilder::new(&model, &source.scene, points, None)?;
    let setting = Setting::new(&model, &source.scene)?;
    sweep(&source.scene, points, (&model, &setting, &mut builder), options, common)
}

/// Solves these points; as [`run`].
///
/// # Errors
/// As [`run`].
pub fn sweep<const D: usize>(
    scene: &Scene,
    points: &[SubspaceSpec],
    (model, setting, builder): (&Model<D>, &Setting<'_, D>, &mut SpaceBuilder<'_, D>),
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let out = options.scene.out.as_deref();
    let mut journal = None;
    let mut finished = Finished::nothing(points.len());
    if let Some(directory) = out {
        create_directory(directory)?;
        let fingerprint = fingerprint(&options.scene.scene, &options.scene.set, model, points)?;
        let opened = SweepJournal::open(directory, &fingerprint, points.len(), options.resume)?;
        (journal, finished) = (Some(opened.0), opened.1);
    }
    let shapes =
        out.map(|directory| ShapeSeries::new(directory, "sweep", model, setting.problem.elasticity()));
    let shapes = shapes.transpose()?;
    let (full, solved) = {
        let progress = Progress::new(points.len() + 1, common);
        progress.skip(finished.count());
        solve_points(builder, setting, points, finished, (journal.as_ref(), shapes.as_ref()), &progress)?
    };
    if let Some(shapes) = &shapes {
        shapes.finish_sweep(points, &solved.iter().map(Result::is_ok).collect::<Vec<_>>())?;
    }
    let mut report = SweepReport { mesh: model.record(), full, points: Vec::new(), failures: Vec::new() };
    for point in solved {
        match point {
            Ok(record) => report.points.push(record),
            Err(failure) => report.failures.push(failure),
        }
    }
    let json = to_json(&report)?;
    if let Some(directory) = out {
        write_atomically(&directory.join("sweep.json"), json.as_bytes())?;
        write_atomically(&directory.join("sweep.csv"), &sweep_csv(&report.points)?)?;
    }
    if options.report.is_wanted() {
        let mut html = HtmlReport::new(model, scene)?;
        html.add_sweep(&report);
        options.report.deliver(html)?;
    }
    options.report.print(&if common.json { json } else { describe(&report) })?;
    // A size that a method does not have is no failure, unless it was all there was to do.
    let mut failed = report.failures.clone();
    failed.retain(|failure| !failure.no_such_size || report.points.is_empty());
    require_none_failed(&failed)?;
    if common.strict {
        require_converged(report.terminations())?;
    }
    Ok(())
}

/// The record of the full solution and those of the points, solved in parallel; what is finished is taken as it is. Shapes are written
/// before the journal says that a point is finished.
fn solve_points<const D: usize>(
    builder: &mut SpaceBuilder<'_, D>,
    setting: &Setting<'_, D>,
    points: &[SubspaceSpec],
    finished: Finished,
    (journal, shapes): (Option<&SweepJournal>, Option<&ShapeSeries<'_, D>>),
    progress: &Progress,
) -> Result<(FullRecord, Vec<Result<SubspaceRecord, FailureRecord>>), Failure> {
    let taken = |index: usize| -> Option<Result<SubspaceRecord, FailureRecord>> {
        let missing = |why: String| FailureRecord::new(&points[index], &Failure::NoSuchSize(why));
        finished.points[index].clone().map(|point| point.map_err(missing))
    };
    if let (Some(full), true) = (&finished.full, finished.is_whole()) {
        return Ok((full.clone(), (0..points.len()).filter_map(taken).collect()));
    }
    progress.say("full FEM");
    let full = setting.full()?;
    let exact = &full.equilibrium.displacement;
    shapes.map_or(Ok(()), |shapes| shapes.write(&full_file(), exact, None))?;
    if let (None, Some(journal)) = (&finished.full, journal) {
        journal.keep_full(&full.record)?;
    }
    progress.step();
    let is_open =
        |(spec, done): (&SubspaceSpec, &Option<_>)| spec.method == SpaceMethod::Adaptive && done.is_none();
    if points.iter().zip(&finished.points).any(is_open) {
        progress.say("adaptive frames");
        builder.grow_frames(setting, points);
    }
    let builder = &*builder;
    let files = solution_names(points);
    let solve = |index: usize| -> Result<Result<SubspaceRecord, FailureRecord>, Failure> {
        if let Some(point) = taken(index) {
            return Ok(point);
        }
        let spec = &points[index];
        progress.say(format!("{} at {} frames", spec.method, spec.frames));
        let solved = Space::build(builder, spec).and_then(|space| setting.solve_in(&space, Some(full)));
        progress.step();
        if let (Ok((solution, _)), Some(shapes)) = (&solved, shapes) {
            shapes.write(&files[index], &solution.displacement, Some(exact))?;
        }
        let point = solved.map(|(_, record)| record).map_err(|failure| FailureRecord::new(spec, &failure));
        match (&point, journal) {
            (Ok(record), Some(journal)) => journal.keep_point(index, Ok(record))?,
            (Err(failure), Some(journal)) if failure.no_such_size => {
                journal.keep_point(index, Err(&failure.error))?;
            }
            _ => {}
        }
        Ok(point)
    };
    let solved = run_independent(&largest_first(points), solve)?;
    let solved = solved.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    Ok((finished.full.unwrap_or_else(|| full.record.clone()), solved))
}

fn describe(report: &SweepReport) -> String {
    let table = space_table(Some(&report.full), &report.points);
    table + &missing_points(&report.failures) + &error_chart(&report.points)
}
