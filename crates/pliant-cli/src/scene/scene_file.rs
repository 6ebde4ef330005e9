//! A whole scene file: a mesh, its materials, loads, pins and handles, and the subspaces to try on it.
//!
//! Paths are relative to the scene file. Everything that needs no mesh is checked here; what needs the mesh (the length of
//! vectors, the names of regions, selections that are empty) is checked by [`crate::model`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant::fem::{EnergyModel, LameConvention};

use super::materials::read_materials;
use super::{
    HandleSpec, LoadSpec, Located, MaterialRule, NewtonSpec, Node, Origin, PinSpec, PointLoadSpec,
    RegionRule, Selection, SubspaceSpec, SweepSpec, SwingSpec, Table, apply_override, list, parse_document,
};
use crate::failure::Failure;
use crate::names::nearest_name;

/// The keys of a scene.
const KEYS: [&str; 17] = [
    "mesh",
    "gravity",
    "energy",
    "lame",
    "probe",
    "regions",
    "materials",
    "pins",
    "handles",
    "anchors",
    "point_loads",
    "training",
    "testing",
    "newton",
    "sweep",
    "swing",
    "subspaces",
];

/// A scene, checked as far as it can be without its mesh.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What messages call it: the path of the scene, or of a bare mesh.
    pub name: String,
    /// The mesh file, resolved against the scene's directory.
    pub mesh: Located<PathBuf>,
    /// g in m/s^2; none is no gravity.
    pub gravity: Option<Located<Vec<f64>>>,
    /// Default: stable neo-Hookean.
    pub energy: EnergyModel,
    /// Default: consistent.
    pub lame: LameConvention,
    /// The vertex that reports follow; none is the one that moves most.
    pub probe: Option<Located<Selection>>,
    /// Regions by selection, later ones win.
    pub regions: Vec<RegionRule>,
    /// Materials by region.
    pub materials: Vec<MaterialRule>,
    /// Where the body is held.
    pub pins: Vec<PinSpec>,
    /// Where the body is moved.
    pub handles: Vec<HandleSpec>,
    /// Names of the pins (`pins[0]`), handles, vertex sets and regions that are anchors; none is every stiff part and every pin.
    pub anchors: Option<Vec<String>>,
    /// Forces on vertices.
    pub point_loads: Vec<PointLoadSpec>,
    /// The loads from which adaptive frames grow; empty for the scene's own.
    pub training: Vec<LoadSpec>,
    /// The loads with which subspaces are tested besides the scene's own.
    pub testing: Vec<LoadSpec>,
    /// How to solve.
    pub newton: NewtonSpec,
    /// The frame counts of a sweep.
    pub sweep: SweepSpec,
    /// The path of a swing.
    pub swing: SwingSpec,
    /// The subspaces to compare; by default every method at [`super::DEFAULT_FRAMES`] frames.
    pub subspaces: Vec<SubspaceSpec>,
}

impl Scene {
    /// Reads a scene file and applies the `--set` overrides in order.
    ///
    /// # Errors
    /// A file that cannot be read (the work failed); anything wrong in it or in an override (the input is wrong), with its
    /// line or its `--set`.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::work(format_args!("cannot read the scene {} ({error}); check its path", path.display()))
        })?;
        Self::parse(&text, path, overrides)
    }

    /// The scene of a mesh that has no scene file: these materials, and no loads, pins or handles.
    pub fn of_bare_mesh(mesh: &Path, materials: Vec<MaterialRule>) -> Self {
        let name = mesh.display().to_string();
        let origin = Origin::Option(Arc::from(name.as_str()));
        Self {
            name,
            mesh: Located { value: mesh.to_owned(), origin },
            gravity: None,
            energy: EnergyModel::default(),
            lame: LameConvention::default(),
            probe: None,
            regions: Vec::new(),
            materials,
            pins: Vec::new(),
            handles: Vec::new(),
            anchors: None,
            point_loads: Vec::new(),
            training: Vec::new(),
            testing: Vec::new(),
            newton: NewtonSpec::default(),
            sweep: SweepSpec::default(),
            swing: SwingSpec::default(),
            subspaces: SubspaceSpec::defaults(),
        }
    }

    /// Reads a scene from its text; `path` is what messages call it and where its paths start.
    ///
    /// # Errors
    /// Anything wrong in it or in an override.
    pub fn parse(text: &str, path: &Path, overrides: &[String]) -> Result<Self, Failure> {
        let mut document = parse_document(text, path)?;
        for setting in overrides {
            apply_override(&mut document, setting)?;
        }
        Self::from_document(&document, path)
    }

    fn from_document(document: &Node, path: &Path) -> Result<Self, Failure> {
        let table = Table::new(document, "", &KEYS)?;
        let mesh = table.required("mesh", Node::string)?;
        let energies = EnergyModel::ALL.map(|model| (model.name(), model));
        let lames = [("consistent", LameConvention::Consistent), ("as-given", LameConvention::AsGiven)];
        let subspaces = list(&table, "subspaces", SubspaceSpec::read)?;
        let directory = path.parent().unwrap_or(Path::new(""));
        let scene = Self {
            name: path.display().to_string(),
            mesh: Located { value: directory.join(mesh.value), origin: mesh.origin },
            gravity: table.optional("gravity", Node::numbers)?,
            energy: table
                .choice("energy", &energies)?
                .map_or_else(EnergyModel::default, |choice| choice.value),
            lame: table.choice("lame", &lames)?.map_or_else(LameConvention::default, |choice| choice.value),
            probe: table.optional("probe", Selection::read)?,
            regions: list(&table, "regions", RegionRule::read)?,
            materials: table.optional("materials", read_materials)?.unwrap_or_default(),
            pins: list(&table, "pins", PinSpec::read)?,
            handles: list(&table, "handles", HandleSpec::read)?,
            anchors: table.optional("anchors", Node::strings)?,
            point_loads: list(&table, "point_loads", PointLoadSpec::read)?,
            training: list(&table, "training", LoadSpec::read)?,
            testing: list(&table, "testing", LoadSpec::read)?,
            newton: table.optional("newton", NewtonSpec::read)?.unwrap_or_default(),
            sweep: table.optional("sweep", SweepSpec::read)?.unwrap_or_default(),
            swing: table.optional("swing", SwingSpec::read)?.unwrap_or_default(),
            subspaces: if subspaces.is_empty() { SubspaceSpec::defaults() } else { subspaces },
        };
        scene.check_handle_names()?;
        scene.check_load_names()?;
        Ok(scene)
    }

    /// The handle of this name.
    ///
    /// # Errors
    /// If there is none; the message names the nearest.
    pub fn handle(&self, name: &Located<String>) -> Result<&HandleSpec, Failure> {
        self.handles.iter().find(|handle| handle.name.value == name.value).ok_or_else(|| {
            let names = self.handles.iter().map(|handle| handle.name.value.as_str());
            let hint = nearest_name(&name.value, names).map_or_else(
                || "add [[handles]]".to_owned(),
                |nearest| format!("the nearest is \"{nearest}\""),
            );
            name.origin.wrong(format_args!("the scene has no handle \"{}\"; {hint}", name.value))
        })
    }

    fn check_load_names(&self) -> Result<(), Failure> {
        for load in self.training.iter().chain(&self.testing) {
            if let Some((handle, _)) = &load.turn {
                self.handle(handle)?;
            }
        }
        for (index, load) in self.testing.iter().enumerate() {
            if self.testing[..index].iter().any(|earlier| earlier.name == load.name) {
                return Err(load.origin.wrong(format_args!(
                    "the testing load \"{}\" is there twice; give each its own name",
                    load.name
                )));
            }
        }
        Ok(())
    }

    fn check_handle_names(&self) -> Result<(), Failure> {
        for (index, handle) in self.handles.iter().enumerate() {
            if self.handles[..index].iter().any(|earlier| earlier.name.value == handle.name.value) {
                return Err(handle.name.origin.wrong(format_args!(
                    "the handle \"{}\" is there twice; give each its own name",
                    handle.name.value
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
mesh = "a.msh"
gravity = [0.0, -9.8]
lame = "as-given"
[materials.bone]
youngs_modulus = 1e6
poisson_ratio = 0.4
density = 1
[[pins]]
select = { axis = "x", max = -0.3 }
"#;

    fn read(overrides: &[&str]) -> Result<Scene, Failure> {
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        Scene::parse(SCENE, Path::new("scenes/a.toml"), &overrides)
    }

    #[test]
    fn paths_start_at_the_directory_of_the_scene() {
        assert_eq!(read(&[]).unwrap().mesh.value, Path::new("scenes/a.msh"));
    }

    #[test]
    fn a_scene_without_subspaces_has_the_four_methods_at_nine_frames() {
        let scene = read(&[]).unwrap();
        assert_eq!(scene.subspaces.len(), 4);
        assert!(scene.subspaces.iter().all(|subspace| subspace.frames == 9));
        assert_eq!(scene.sweep.frames, [3, 6, 9, 12, 18, 24]);
        assert_eq!((scene.swing.steps, scene.swing.angle_degrees), (36, 40.0));
    }

    #[test]
    fn an_override_is_checked_like_the_file_and_points_at_itself() {
        assert_eq!(read(&["lame=\"consistent\""]).unwrap().lame, LameConvention::Consistent);
        for (setting, says) in [
            ("gravity=[0, nan]", "gravity[1] must be a finite number, not NaN"),
            ("lame=\"asgiven\"", "the nearest choice is \"as-given\""),
            ("energy=\"stable-neohookean\"", "the nearest choice is \"stable-neo-hookean\""),
            ("newton.max_iteration=3", "the nearest known key is \"max_iterations\""),
            ("newton.step_tolerance=0", "newton.step_tolerance must be a number above 0, not 0"),
            ("materials.bone.youngs_modulus=-1", "must be a number above 0, not -1"),
            ("sweep.frames=[3, 0]", "sweep.frames[1] must be a whole number from 1, not 0"),
            ("subspaces=[{ method = \"sparse-meshles\", frames = 3 }]", "\"sparse-meshless\""),
            ("handles=[{ name = \"a\", select = { set = \"s\" }, stifness = 1 }]", "\"stiffness\""),
        ] {
            let message = read(&[setting]).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("--set {setting}: ")) && message.contains(says),
                "{message}"
            );
        }
    }

    #[test]
    fn two_handles_of_one_name_are_refused() {
        let handle = "{ name = \"a\", select = { set = \"s\" } }";
        let message = read(&[&format!("handles=[{handle}, {handle}]")]).unwrap_err().to_string();
        assert!(message.contains("the handle \"a\" is there twice"), "{message}");
    }
}
