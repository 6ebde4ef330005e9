//! `pliant solve`: the solution in one space.

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};

use crate::cli::{CommonOptions, SceneOptions};
use crate::failure::Failure;
use crate::gltf_files::{displacement_scale, write_shape};
use crate::model::Model;
use crate::output::{Progress, Report, create_directory, print, space_table, to_json, write_atomically};
use crate::scene::SubspaceSpec;
use crate::setting::{Setting, require_converged};
use crate::solution_files::{solution_names, write_solution};
use crate::source::Source;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;
use crate::space_options::SpaceOptions;

/// Options of `pliant solve`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneOptions,
    /// full, sparse-meshless, uniform-eigenmodes, material-eigenmodes, hrpd, anchored, cardinal-eigenmodes or adaptive
    #[arg(long, value_name = "full|METHOD", default_value = "full")]
    pub space: String,
    /// The size of the subspace and the method's own options.
    #[command(flatten)]
    pub subspace: SpaceOptions,
    /// Write the deformed body as .glb into --out too
    #[arg(long, requires = "out")]
    pub gltf: bool,
}

/// Solves, prints the row or the report, and writes the files.
///
/// # Errors
/// A wrong scene, a space that does not exist, a solve that failed, or one that did not converge under `--strict`.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene.scene, &options.scene.set)?;
    let spec = if options.space == "full" {
        if options.subspace.frames.is_some() || !options.subspace.options.is_empty() {
            return Err(Failure::input(
                "--frames and --option go with a subspace, but the space is full; give --space METHOD",
            ));
        }
        None
    } else {
        Some(options.subspace.specification(&options.space, &source.scene)?)
    };
    match &source.file.mesh {
        AnyMesh::Two(mesh) => solve(mesh, &source, spec.as_ref(), options, common),
        AnyMesh::Three(mesh) => solve(mesh, &source, spec.as_ref(), options, common),
    }
}

fn solve<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    spec: Option<&SubspaceSpec>,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let setting = Setting::new(&model, &source.scene)?;
    let mut report = Report { mesh: model.record(), full: None, subspaces: Vec::new(), failures: Vec::new() };
    let progress = Progress::new(1, common);
    progress.say(&options.space);
    let (name, displacement) = match spec {
        None => {
            let full = setting.full()?;
            report.full = Some(full.record.clone());
            ("full.vtu".to_owned(), full.equilibrium.displacement.clone())
        }
        Some(spec) => {
            let specs = std::slice::from_ref(spec);
            let mut builder = SpaceBuilder::new(&model, &source.scene, specs, None)?;
            builder.grow_frames(&setting, specs);
            let space = Space::build(&builder, spec)?;
            let (solution, record) = setting.solve_in(&space, None)?;
            report.subspaces.push(record);
            (solution_names(specs).concat(), solution.displacement)
        }
    };
    drop(progress);
    let json = to_json(&report)?;
    if let Some(directory) = options.scene.out.as_deref() {
        create_directory(directory)?;
        if options.gltf {
            write_shape(directory, &name, &model, &displacement, &displacement_scale::<D>(&displacement))?;
        }
        write_solution(&directory.join(name), &model, setting.problem.elasticity(), &displacement, None)?;
        write_atomically(&directory.join("report.json"), json.as_bytes())?;
    }
    print(&if common.json { json } else { space_table(report.full.as_ref(), &report.subspaces) })?;
    if common.strict {
        require_converged(report.terminations())?;
    }
    Ok(())
}
