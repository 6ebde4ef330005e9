//! The loads of a scene as problems: its own, those that frames grow from, and those that subspaces are tested with.

use std::fmt::Display;

use pliant::mesh::SimplexMesh;
use pliant::statics::{FullProblem, SwingPath, centroid};

use crate::failure::Failure;
use crate::model::{fixed_length, select_vertices};
use crate::scene::{HandleSpec, LoadSpec, Located, PointLoadSpec, Scene};
use crate::setting::hold;

/// A load with its name.
#[derive(Clone, Debug)]
pub struct LoadCase<'m, const D: usize> {
    /// What reports call it.
    pub name: String,
    /// The body with its pins, this load, and the handle that it drives.
    pub problem: FullProblem<'m, D>,
}

impl<const D: usize> LoadCase<'_, D> {
    /// The failure of a solve under this load.
    pub fn failed(&self, error: impl Display) -> Failure {
        Failure::work(format_args!("the load \"{}\": {error}", self.name))
    }
}

/// Gravity as a vector of the mesh's dimension; none is zero.
///
/// # Errors
/// Another number of entries.
pub fn gravity_vector<const D: usize>(gravity: Option<&Located<Vec<f64>>>) -> Result<[f64; D], Failure> {
    gravity.map_or(Ok([0.0; D]), |gravity| vector(gravity, "gravity"))
}

fn vector<const D: usize>(values: &Located<Vec<f64>>, name: &str) -> Result<[f64; D], Failure> {
    fixed_length(&values.value).ok_or_else(|| {
        values.origin.wrong(format_args!(
            "{name} has {} numbers, but the mesh is {D}D; give it {D}",
            values.value.len()
        ))
    })
}

/// Adds point loads to a problem; `path` is what messages call their list.
///
/// # Errors
/// A selection or force of another dimension, or a selection that is empty.
pub fn with_point_loads<'m, const D: usize>(
    mut problem: FullProblem<'m, D>,
    loads: &[PointLoadSpec],
    path: &str,
) -> Result<FullProblem<'m, D>, Failure> {
    for (index, load) in loads.iter().enumerate() {
        let name = format!("{path}[{index}]");
        let force: [f64; D] = vector(&load.force, &format!("{name}.force"))?;
        let vertices = select_vertices(problem.mesh(), &load.select, &name)?;
        let part = force.map(|force| force / vertices.len() as f64);
        problem = vertices.into_iter().fold(problem, |problem, vertex| problem.point_load(vertex, part));
    }
    Ok(problem)
}

/// The path of a handle that turns about the centroid of the pins.
///
/// # Errors
/// A selection that fails.
pub fn turning_handle<const D: usize>(
    problem: &FullProblem<'_, D>,
    pinned: &[usize],
    handle: &HandleSpec,
) -> Result<SwingPath<D>, Failure> {
    let vertices = handle_vertices(problem.mesh(), handle)?;
    let pivot = centroid(problem, pinned);
    Ok(SwingPath { handle: vertices, hold: hold(handle.stiffness), pivot, angle_degrees: 0.0, steps: 1 })
}

/// The vertices of a handle.
///
/// # Errors
/// A selection that fails.
pub fn handle_vertices<const D: usize>(
    mesh: &SimplexMesh<D>,
    handle: &HandleSpec,
) -> Result<Vec<usize>, Failure> {
    select_vertices(mesh, &handle.select, &format!("the handle \"{}\"", handle.name.value))
}

/// The problems of a list of loads; `unloaded` has the pins alone.
///
/// # Errors
/// Vectors or selections of another dimension, empty selections, or a handle that contradicts the pins.
pub fn load_cases<'m, const D: usize>(
    scene: &Scene,
    loads: &[LoadSpec],
    unloaded: &FullProblem<'m, D>,
    pinned: &[usize],
) -> Result<Vec<LoadCase<'m, D>>, Failure> {
    let case = |load: &LoadSpec| {
        let gravity = gravity_vector(load.gravity.as_ref().or(scene.gravity.as_ref()))?;
        let mut problem =
            with_point_loads(unloaded.clone().gravity(gravity), &scene.point_loads, "point_loads")?;
        problem = with_point_loads(problem, &load.point_loads, &format!("{}.point_loads", load.name))?;
        if let Some((handle, angle)) = &load.turn {
            problem = turning_handle(&problem, pinned, scene.handle(handle)?)?.pose(&problem, *angle);
        }
        let name = load.name.clone();
        problem.check().map_err(|error| load.origin.wrong(format_args!("the load \"{name}\": {error}")))?;
        Ok(LoadCase { name, problem })
    };
    loads.iter().map(case).collect()
}
