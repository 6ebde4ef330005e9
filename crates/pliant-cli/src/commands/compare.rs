//! `pliant compare`: the full solution and the solution in every subspace of the scene.

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::gltf_files::{displacement_scale, write_shape};
use crate::html_report::{HtmlReport, ReportOptions, SolvedSpace};
use crate::model::Model;
use crate::output::{
    FailureRecord, Progress, Report, create_directory, error_chart, require_none_failed, space_table,
    to_json, write_atomically,
};
use crate::scene::Scene;
use crate::setting::{Setting, require_converged};
use crate::solution_files::{solution_names, write_solution};
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;

/// Options of `pliant compare`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneOptions,
    /// Write the deformed bodies as .glb into --out too
    #[arg(long, requires = "out")]
    pub gltf: bool,
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// Solves, prints the table or the report, and writes the files.
///
/// # Errors
/// A wrong scene, a solve that failed, or one that did not converge under `--strict`; what succeeded is reported first.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    options.report.prepare()?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => on_mesh(mesh, &source, options, common),
        AnyMesh::Three(mesh) => on_mesh(mesh, &source, options, common),
    }
}

fn on_mesh<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let mut builder = SpaceBuilder::new(&model, &source.scene, &source.scene.subspaces, None)?;
    let setting = Setting::new(&model, &source.scene)?;
    compare(&source.scene, (&model, &setting, &mut builder), options, common)
}

/// Compares the subspaces of a scene; as [`run`].
///
/// # Errors
/// As [`run`].
pub fn compare<const D: usize>(
    scene: &Scene,
    (model, setting, builder): (&Model<D>, &Setting<'_, D>, &mut SpaceBuilder<'_, D>),
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let out = options.scene.out.as_deref();
    out.map_or(Ok(()), create_directory)?;
    let progress = Progress::new(scene.subspaces.len() + 1, common);
    progress.say("full FEM");
    let full = setting.full()?;
    let exact = &full.equilibrium.displacement;
    let scale = displacement_scale::<D>(exact);
    if let Some(directory) = out {
        write_solution(&directory.join("full.vtu"), model, setting.problem.elasticity(), exact, None)?;
        if options.gltf {
            write_shape(directory, "full.vtu", model, exact, &scale)?;
        }
    }
    progress.step();
    progress.say("subspaces");
    builder.grow_frames(setting, &scene.subspaces);
    let mut report = Report {
        mesh: model.record(),
        full: Some(full.record.clone()),
        subspaces: Vec::new(),
        failures: Vec::new(),
    };
    let mut kept = Vec::new();
    let files = solution_names(&scene.subspaces);
    for (spec, file) in scene.subspaces.iter().zip(files) {
        progress.say(format!("{} at {} frames", spec.method, spec.frames));
        let solved = Space::build(builder, spec).and_then(|space| {
            let (solution, record) = setting.solve_in(&space, Some(full))?;
            Ok((space, solution, record))
        });
        match solved {
            Ok((space, solution, record)) => {
                if let Some(directory) = out {
                    if options.gltf {
                        write_shape(directory, &file, model, &solution.displacement, &scale)?;
                    }
                    write_solution(
                        &directory.join(file),
                        model,
                        setting.problem.elasticity(),
                        &solution.displacement,
                        Some(exact),
                    )?;
                }
                if options.report.is_wanted() {
                    kept.push(SolvedSpace { space, equilibrium: solution, error: record.mass_norm_error });
                }
                report.subspaces.push(record);
            }
            Err(failure) => report.failures.push(FailureRecord::new(spec, &failure)),
        }
        progress.step();
    }
    if options.report.is_wanted() {
        progress.say("report");
        let mut html = HtmlReport::new(model, scene)?;
        html.add_comparison(builder, setting.problem.elasticity(), full, &kept, &report);
        options.report.deliver(html)?;
    }
    drop(progress);
    let json = to_json(&report)?;
    if let Some(directory) = out {
        write_atomically(&directory.join("report.json"), json.as_bytes())?;
    }
    let table = || space_table(report.full.as_ref(), &report.subspaces) + &error_chart(&report.subspaces);
    options.report.print(&if common.json { json } else { table() })?;
    require_none_failed(&report.failures)?;
    if common.strict {
        require_converged(report.terminations())?;
    }
    Ok(())
}
