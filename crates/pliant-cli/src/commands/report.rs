//! `pliant report`: one page of everything that a scene has to show.

use std::path::PathBuf;

use clap::Args;
use pliant::mesh::{AnyMesh, SimplexMesh};
use pliant::report::{Page, prepare_directory, write_page};

use crate::cli::{CommonOptions, SceneOptions};
use crate::commands::{compare, sweep, swing};
use crate::failure::Failure;
use crate::html_report::{Part, ReportOptions};
use crate::model::Model;
use crate::output::{Progress, print};
use crate::setting::Setting;
use crate::source::Source;
use crate::space_builder::SpaceBuilder;

/// Options of `pliant report`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene, a .toml file
    pub scene: PathBuf,
    /// Replace a value of the scene (TOML syntax), for example newton.max_iterations=50 or subspaces.0.frames=12
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Write the page into this directory (index.html; figures/ holds each figure as SVG and PNG)
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Compares and sweeps, swings where the scene has a handle, writes the page, and prints what those commands print. What they share is
/// solved and built once.
///
/// # Errors
/// As theirs; the page holds what succeeded.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::from_scene(&options.scene, &options.set)?;
    prepare_directory(&options.out).map_err(Failure::work)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => report(mesh, &source, options, common),
        AnyMesh::Three(mesh) => report(mesh, &source, options, common),
    }
}

fn report<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let scene = &source.scene;
    let of_scene = SceneOptions { scene: options.scene.clone(), set: options.set.clone(), out: None };
    let sweep_options = |report| sweep::Options {
        scene: of_scene.clone(),
        frames: Vec::new(),
        methods: Vec::new(),
        resume: false,
        report,
    };
    let points = sweep::points(&sweep_options(ReportOptions::default()), scene)?;
    let model = Model::new(mesh.clone(), source)?;
    let setting = Setting::new(&model, scene)?;
    let all = [&scene.subspaces[..], &points].concat();
    let mut builder = SpaceBuilder::new(&model, scene, &all, None)?;
    {
        let progress = Progress::new(1, common);
        progress.say("adaptive frames");
        builder.grow_frames(&setting, &all);
    }
    let compared = part(|report| {
        let options = compare::Options { scene: of_scene.clone(), gltf: false, report };
        compare::compare(scene, (&model, &setting, &mut builder), &options, common)
    });
    let swept = part(|report| {
        let shared = (&model, &setting, &mut builder);
        sweep::sweep(scene, &points, shared, &sweep_options(report), common)
    });
    let mut parts = vec![("compare", compared), ("sweep", swept)];
    if !scene.handles.is_empty() {
        let swung = part(|report| {
            let options = swing::Options { scene: of_scene.clone(), gltf: false, report };
            swing::swing(scene, &model, &setting, &options, common)
        });
        parts.push(("swing", swung));
    }
    let page = parts.iter().filter_map(|(_, (part, _))| part.page.clone()).reduce(joined);
    if let Some(page) = page {
        write_page(&page, &options.out).map_err(Failure::work)?;
    }
    print(&printed(&parts, common.json))?;
    parts.into_iter().try_for_each(|(_, (_, ended))| ended)
}

type Ended = (Part, Result<(), Failure>);

/// Runs a command and collects what it adds.
fn part(run: impl FnOnce(ReportOptions) -> Result<(), Failure>) -> Ended {
    let options = ReportOptions::of_part();
    let ended = run(options.clone());
    (options.collected(), ended)
}

/// Both pages as one; a section that the first has is left out of the second, and times come last.
fn joined(mut page: Page, next: Page) -> Page {
    for section in next.sections {
        if page.sections.iter().all(|other| other.heading != section.heading) {
            page.sections.push(section);
        }
    }
    page.sections.sort_by_key(|section| section.heading == "Time");
    page
}

/// One text after the other, or one JSON object with a key for each command.
fn printed(parts: &[(&str, Ended)], json: bool) -> String {
    let texts = parts.iter().map(|(name, (part, _))| (name, part.printed.trim_end()));
    let texts: Vec<_> = texts.filter(|(_, text)| !text.is_empty()).collect();
    if json {
        let entries: Vec<String> = texts.iter().map(|(name, text)| format!("\"{name}\": {text}")).collect();
        return format!("{{\n{}\n}}\n", entries.join(",\n"));
    }
    texts.iter().map(|(_, text)| format!("{text}\n")).collect::<Vec<_>>().join("\n")
}
