//! `pliant swing`: a handle turned back and forth, in the full space and in every subspace of the scene.

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};
use pliant::statics::{Equilibrium, SwingPath, compare, swing_full, swing_reduced};
use rayon::prelude::*;

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::gltf_files::write_poses;
use crate::html_report::{HtmlReport, ReportOptions};
use crate::independent_jobs::run_independent;
use crate::load_case::turning_handle;
use crate::model::Model;
use crate::names::listed;
use crate::output::{
    FailureRecord, Progress, SwingFullRecord, SwingRecord, SwingReport, create_directory, figure,
    require_none_failed, text_table, to_json, write_atomically,
};
use crate::scene::{HandleSpec, Scene, SubspaceSpec};
use crate::setting::{Setting, require_converged};
use crate::shape_series::{ShapeSeries, full_file, pose_file};
use crate::solution_files::solution_names;
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;

/// Options of `pliant swing`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneOptions,
    /// Write the moving body in every space as .glb into --out too
    #[arg(long, requires = "out")]
    pub gltf: bool,
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// Solves every pose, prints the table or the report, and writes the file.
///
/// # Errors
/// A wrong scene, subspaces that failed, or solves that did not converge under `--strict`; what succeeded is reported first.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    options.report.prepare()?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => on_mesh(mesh, &source, options, common),
        AnyMesh::Three(mesh) => on_mesh(mesh, &source, options, common),
    }
}

/// The handle that `[swing]` names, or the scene's only one.
fn find_handle(scene: &Scene) -> Result<&HandleSpec, Failure> {
    let names: Vec<&str> = scene.handles.iter().map(|handle| handle.name.value.as_str()).collect();
    match (&scene.swing.handle, &scene.handles[..]) {
        (Some(name), _) => scene.handle(name),
        (None, [only]) => Ok(only),
        (None, []) => Err(Failure::input(format_args!(
            "{}: a swing needs a handle to turn; add [[handles]]",
            scene.name
        ))),
        (None, _) => Err(Failure::input(format_args!(
            "{}: the scene has the handles {}; say which one turns with handle = \"...\" in [swing]",
            scene.name,
            listed(&names)
        ))),
    }
}

fn on_mesh<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let setting = Setting::new(&model, &source.scene)?;
    swing(&source.scene, &model, &setting, options, common)
}

/// Turns the handle of a scene; as [`run`].
///
/// # Errors
/// As [`run`].
pub fn swing<const D: usize>(
    scene: &Scene,
    model: &Model<D>,
    setting: &Setting<'_, D>,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let handle = find_handle(scene)?;
    let mut builder = SpaceBuilder::new(model, scene, &scene.subspaces, Some(handle))?;
    let path = SwingPath {
        angle_degrees: scene.swing.angle_degrees,
        steps: scene.swing.steps,
        ..turning_handle(&setting.problem, &setting.pinned, handle)?
    };
    // Pins and handle contradict each other away from rest, if at all.
    for angle in [scene.swing.angle_degrees, 0.5 * scene.swing.angle_degrees] {
        let pose = path.pose(&setting.problem, angle);
        pose.check().map_err(|error| Failure::input(format_args!("{}: {error}", scene.name)))?;
    }
    options.scene.out.as_deref().map_or(Ok(()), create_directory)?;
    let progress = Progress::new(scene.subspaces.len() + 1, common);
    progress.say("adaptive frames");
    builder.grow_frames(setting, &scene.subspaces);
    progress.say("swing");
    let solve = |index: usize| -> Result<Vec<Equilibrium<D>>, Failure> {
        let poses = match index.checked_sub(1) {
            None => swing_full(&setting.problem, &path, &setting.newton),
            Some(index) => {
                let space = Space::build(&builder, &scene.subspaces[index])?;
                swing_reduced(&setting.problem, &space.subspace, &path, &setting.newton)
            }
        };
        progress.step();
        poses.map_err(Failure::work)
    };
    let begin: Vec<usize> = (0..=scene.subspaces.len()).collect();
    let mut solved = run_independent(&begin, solve)?.into_iter();
    let full = solved.next().expect("the full swing is the first job")?;
    let solved: Vec<Result<Vec<Equilibrium<D>>, Failure>> = solved.collect();
    drop(progress);
    if let Some(directory) = options.scene.out.as_deref() {
        let shapes = ShapeSeries::new(directory, "swing", model, setting.problem.elasticity())?;
        write_shapes(&shapes, &full, &scene.subspaces, &solved)?;
    }
    let mut report = SwingReport {
        frames: common_frames(&scene.subspaces),
        angles_degrees: path.angles_degrees(),
        full: SwingFullRecord { newton_iterations: iterations(&full), terminations: terminations(&full) },
        subspaces: Vec::new(),
        failures: Vec::new(),
    };
    let gltf = options.scene.out.as_deref().filter(|_| options.gltf);
    let write_gltf = |file: &str, poses: &[Equilibrium<D>]| {
        gltf.map_or(Ok(()), |directory| write_poses(directory, file, model, poses, &path.angles_degrees()))
    };
    write_gltf("full.vtu", &full)?;
    let mut kept = Vec::new();
    let files = solution_names(&scene.subspaces);
    for ((spec, poses), file) in scene.subspaces.iter().zip(solved).zip(files) {
        match poses {
            Ok(poses) => {
                write_gltf(&file, &poses)?;
                let pairs = full.iter().zip(&poses);
                let errors =
                    pairs.map(|(exact, pose)| compare(&setting.problem, exact, pose).mass_norm_error);
                report.subspaces.push(record(spec, errors.collect(), &poses));
                kept.push(poses);
            }
            Err(failure) => report.failures.push(FailureRecord::new(spec, &failure)),
        }
    }
    let json = to_json(&report)?;
    if let Some(directory) = options.scene.out.as_deref() {
        write_atomically(&directory.join("swing.json"), json.as_bytes())?;
    }
    if options.report.is_wanted() {
        let mut html = HtmlReport::new(model, scene)?;
        html.add_swing(&report, &full, &kept);
        options.report.deliver(html)?;
    }
    options.report.print(&if common.json { json } else { describe(&report) })?;
    require_none_failed(&report.failures)?;
    if common.strict {
        require_converged(report.terminations())?;
    }
    Ok(())
}

/// Writes every pose of every space that was solved, and their collection.
fn write_shapes<const D: usize>(
    shapes: &ShapeSeries<'_, D>,
    full: &[Equilibrium<D>],
    subspaces: &[SubspaceSpec],
    solved: &[Result<Vec<Equilibrium<D>>, Failure>],
) -> Result<(), Failure> {
    let write = |file: &str, poses: &[Equilibrium<D>], is_full: bool| {
        (0..poses.len()).into_par_iter().try_for_each(|pose| {
            let exact = (!is_full).then_some(&full[pose].displacement[..]);
            shapes.write(&pose_file(file, pose, poses.len()), &poses[pose].displacement, exact)
        })
    };
    write(&full_file(), full, true)?;
    for (file, poses) in solution_names(subspaces).iter().zip(solved) {
        poses.as_ref().map_or(Ok(()), |poses| write(file, poses, false))?;
    }
    shapes.finish_swing(subspaces, &solved.iter().map(Result::is_ok).collect::<Vec<_>>(), full.len())
}

fn common_frames(subspaces: &[SubspaceSpec]) -> Option<usize> {
    let frames = subspaces.first()?.frames;
    subspaces.iter().all(|spec| spec.frames == frames).then_some(frames)
}

fn iterations<const D: usize>(poses: &[Equilibrium<D>]) -> Vec<usize> {
    poses.iter().map(Equilibrium::iterations).collect()
}

fn terminations<const D: usize>(poses: &[Equilibrium<D>]) -> Vec<&'static str> {
    poses.iter().map(|pose| pose.termination.name()).collect()
}

fn record<const D: usize>(spec: &SubspaceSpec, errors: Vec<f64>, poses: &[Equilibrium<D>]) -> SwingRecord {
    SwingRecord {
        method: spec.method.name(),
        frames: spec.frames,
        mean_error: errors.iter().sum::<f64>() / errors.len() as f64,
        max_error: errors.iter().copied().fold(0.0, f64::max),
        errors,
        newton_iterations: iterations(poses),
        terminations: terminations(poses),
    }
}

fn describe(report: &SwingReport) -> String {
    let ended = |terminations: &[&str]| {
        let converged = terminations.iter().filter(|&&termination| termination == "converged").count();
        format!("{converged} of {}", terminations.len())
    };
    let full = vec![
        "full".to_owned(),
        "-".to_owned(),
        "-".to_owned(),
        "-".to_owned(),
        report.full.newton_iterations.iter().sum::<usize>().to_string(),
        ended(&report.full.terminations),
    ];
    let rows = report.subspaces.iter().map(|record| {
        vec![
            record.method.to_owned(),
            record.frames.to_string(),
            figure(Some(record.mean_error)),
            figure(Some(record.max_error)),
            record.newton_iterations.iter().sum::<usize>().to_string(),
            ended(&record.terminations),
        ]
    });
    let header = ["space", "frames", "mean error", "largest error", "iterations", "converged"];
    text_table(&header, std::iter::once(full).chain(rows))
}
