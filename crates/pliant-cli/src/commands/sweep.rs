//! `pliant sweep`: every method at every frame count, in parallel over the points.

use std::sync::Arc;

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};
use rayon::prelude::*;

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::model::Model;
use crate::output::{
    FailureRecord, Progress, SubspaceRecord, SweepReport, create_directory, print, require_none_failed,
    space_table, sweep_csv, to_json, write_atomically,
};
use crate::scene::{Origin, Scene, SubspaceSpec};
use crate::setting::{Setting, require_converged};
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;

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
}

/// Solves every point, prints the table or the report, and writes the files.
///
/// # Errors
/// A wrong scene, points that failed, or solves that did not converge under `--strict`; what succeeded is reported first.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    let points = points(options, &source.scene)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => sweep(mesh, &source, &points, options, common),
        AnyMesh::Three(mesh) => sweep(mesh, &source, &points, options, common),
    }
}

/// Methods in order, and for each the frame counts in order; a method that the scene has gets the scene's options.
fn points(options: &Options, scene: &Scene) -> Result<Vec<SubspaceSpec>, Failure> {
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

fn sweep<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    points: &[SubspaceSpec],
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let builder = SpaceBuilder::new(&model, &source.scene, points, None)?;
    let setting = Setting::new(&model, &source.scene)?;
    let out = options.scene.out.as_deref();
    out.map_or(Ok(()), create_directory)?;
    let progress = Progress::new(points.len() + 1, common);
    progress.say("full");
    let full = setting.solve_full()?;
    progress.step();
    progress.say("subspaces");
    let builder = builder.with_grown_frames(&setting, points);
    let solved: Vec<Result<SubspaceRecord, FailureRecord>> = points
        .par_iter()
        .map(|spec| {
            let solved = Space::build(&builder, spec).and_then(|space| setting.solve_in(&space, Some(&full)));
            progress.step();
            solved.map(|(_, record)| record).map_err(|failure| FailureRecord::new(spec, &failure))
        })
        .collect();
    drop(progress);
    let mut report =
        SweepReport { mesh: model.record(), full: full.record, points: Vec::new(), failures: Vec::new() };
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
    print(&if common.json { json } else { space_table(Some(&report.full), &report.points) })?;
    require_none_failed(&report.failures)?;
    if common.strict {
        require_converged(report.terminations())?;
    }
    Ok(())
}
