//! `pliant report`: one page of everything that a scene has to show.

use std::path::PathBuf;

use clap::Args;
use pliant::report::{Page, write_page};

use crate::cli::{CommonOptions, SceneOptions};
use crate::commands::{compare, sweep, swing};
use crate::failure::Failure;
use crate::html_report::{Part, ReportOptions};
use crate::output::print;
use crate::scene::Scene;

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

/// Compares and sweeps, swings where the scene has a handle, writes the page, and prints what those commands print.
///
/// # Errors
/// As theirs; the page holds what succeeded.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let scene = Scene::read(&options.scene, &options.set)?;
    let scene_options = SceneOptions { scene: options.scene.clone(), set: options.set.clone(), out: None };
    let mut parts = vec![(
        "compare",
        part(|report| {
            compare::run(&compare::Options { scene: scene_options.clone(), gltf: false, report }, common)
        }),
    )];
    parts.push((
        "sweep",
        part(|report| {
            let of_scene = sweep::Options {
                scene: scene_options.clone(),
                frames: Vec::new(),
                methods: Vec::new(),
                resume: false,
                report,
            };
            sweep::run(&of_scene, common)
        }),
    ));
    if !scene.handles.is_empty() {
        parts.push((
            "swing",
            part(|report| {
                swing::run(&swing::Options { scene: scene_options.clone(), gltf: false, report }, common)
            }),
        ));
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
