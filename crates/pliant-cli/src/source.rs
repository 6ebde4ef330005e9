//! What a command starts from: a scene with its mesh, or a bare mesh with materials from the command line.

use std::path::Path;

use pliant::mesh::{MeshFile, read_mesh};

use crate::cli::SourceOptions;
use crate::failure::Failure;
use crate::scene::{MaterialRule, Scene, material_from_option};

/// A scene and the contents of its mesh file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The scene; for a bare mesh one with the command line's materials and nothing else.
    pub scene: Scene,
    /// The mesh file.
    pub file: MeshFile,
}

impl Source {
    /// Reads a scene and its mesh.
    ///
    /// # Errors
    /// A file that cannot be read, or anything wrong in the scene or an override.
    pub fn from_scene(path: &Path, overrides: &[String]) -> Result<Self, Failure> {
        let scene = Scene::read(path, overrides)?;
        let file = read_mesh(&scene.mesh.value).map_err(Failure::work)?;
        Ok(Self { scene, file })
    }

    /// Reads a scene (`.toml`) or a bare mesh (anything else).
    ///
    /// # Errors
    /// As [`Source::from_scene`]; `--set` with a bare mesh, `--material` with a scene or with a value out of range.
    pub fn read(options: &SourceOptions) -> Result<Self, Failure> {
        let is_scene =
            options.source.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
        if is_scene {
            if let Some(text) = options.materials.first() {
                return Err(Failure::input(format_args!(
                    "--material {text} goes with a bare mesh, but {} is a scene; use --set materials.REGION.KEY=VALUE",
                    options.source.display()
                )));
            }
            return Self::from_scene(&options.source, &options.set);
        }
        if let Some(text) = options.set.first() {
            return Err(Failure::input(format_args!(
                "--set {text} goes with a scene, but {} is a mesh (a scene's name ends in .toml); use --material",
                options.source.display()
            )));
        }
        let materials = read_materials(&options.materials)?;
        let file = read_mesh(&options.source).map_err(Failure::work)?;
        Ok(Self { scene: Scene::of_bare_mesh(&options.source, materials), file })
    }
}

fn read_materials(options: &[String]) -> Result<Vec<MaterialRule>, Failure> {
    let mut materials: Vec<MaterialRule> = Vec::new();
    for text in options {
        let rule = material_from_option(text)?;
        let region = &rule.value.0;
        if materials.iter().any(|other| other.value.0 == *region) {
            return Err(rule
                .origin
                .wrong(format_args!("the region \"{region}\" already has a material; leave one")));
        }
        materials.push(rule);
    }
    Ok(materials)
}
