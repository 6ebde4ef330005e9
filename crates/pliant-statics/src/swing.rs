//! The handle path: warm-started solves while a handle turns in the x-y plane about the centroid of the pins.
//!
//! Angle `i` of `steps` is `angle sin(2 pi i / (steps - 1))`.

use crate::equilibrium_problem::EquilibriumProblem;
use crate::newton::solve_equilibrium_from;
use crate::{Equilibrium, FullProblem, Hold, NewtonOptions, ReducedProblem, StaticsError};
use pliant_basis::Subspace;

/// A handle and how it turns.
#[derive(Clone, Debug, PartialEq)]
pub struct SwingPath<const D: usize> {
    /// The vertices of the handle.
    pub handle: Vec<usize>,
    /// How the handle is held.
    pub hold: Hold,
    /// The point about which it turns, in m: usually the centroid of the pins.
    pub pivot: [f64; D],
    /// The largest angle in degrees (the method's presentation: 40).
    pub angle_degrees: f64,
    /// Poses, both ends included (36).
    pub steps: usize,
}

impl<const D: usize> SwingPath<D> {
    /// The angle of every pose in degrees.
    pub fn angles_degrees(&self) -> Vec<f64> {
        let turn = std::f64::consts::TAU / self.steps.saturating_sub(1).max(1) as f64;
        (0..self.steps).map(|step| self.angle_degrees * (turn * step as f64).sin()).collect()
    }

    /// The problem of one pose: the handle's rest positions turned by an angle.
    pub fn pose<'m>(&self, problem: &FullProblem<'m, D>, angle_degrees: f64) -> FullProblem<'m, D> {
        let rest = problem.mesh().positions();
        let targets: Vec<[f64; D]> = self
            .handle
            .iter()
            .filter_map(|&vertex| rest.get(vertex))
            .map(|position| turned(position, &self.pivot, angle_degrees.to_radians()))
            .collect();
        problem.clone().handle(&self.handle, &targets, self.hold)
    }
}

/// A point turned about a pivot in the x-y plane.
fn turned<const D: usize>(position: &[f64; D], pivot: &[f64; D], angle: f64) -> [f64; D] {
    // cos - 1, so that no angle means no displacement, to the last bit.
    let (sin, less) = (angle.sin(), -2.0 * (0.5 * angle).sin().powi(2));
    let (x, y) = (position[0] - pivot[0], position[1] - pivot[1]);
    let mut moved = *position;
    moved[0] += less * x - sin * y;
    moved[1] += sin * x + less * y;
    moved
}

/// The mean rest position of some vertices, in m; the pivot of a swing about its pins.
///
/// # Panics
/// If there is no vertex or an index is out of range.
pub fn centroid<const D: usize>(problem: &FullProblem<'_, D>, vertices: &[usize]) -> [f64; D] {
    assert!(!vertices.is_empty(), "the centroid of no vertex does not exist");
    let positions = problem.mesh().positions();
    let mean = |axis: usize| vertices.iter().map(|&vertex| positions[vertex][axis]).sum::<f64>();
    std::array::from_fn(|axis| mean(axis) / vertices.len() as f64)
}

/// Solves the full problem along the path, each pose from the one before.
///
/// # Errors
/// As [`crate::solve_equilibrium`].
pub fn swing_full<const D: usize>(
    problem: &FullProblem<'_, D>,
    path: &SwingPath<D>,
    options: &NewtonOptions,
) -> Result<Vec<Equilibrium<D>>, StaticsError> {
    let mut workspace = None;
    let mut start = problem.start();
    let mut poses = Vec::with_capacity(path.steps);
    for angle in path.angles_degrees() {
        let pose = path.pose(problem, angle);
        solve_pose(&pose, &mut workspace, &mut start, &mut poses, options)?;
    }
    Ok(poses)
}

/// Solves the projected problem along the path, each pose from the one before.
///
/// # Errors
/// As [`crate::solve_equilibrium`].
pub fn swing_reduced<const D: usize>(
    problem: &FullProblem<'_, D>,
    subspace: &Subspace<D>,
    path: &SwingPath<D>,
    options: &NewtonOptions,
) -> Result<Vec<Equilibrium<D>>, StaticsError> {
    let mut workspace = None;
    let mut start = Vec::new();
    let mut poses = Vec::with_capacity(path.steps);
    for angle in path.angles_degrees() {
        let pose = path.pose(problem, angle);
        let reduced = ReducedProblem::new(&pose, subspace)?;
        if poses.is_empty() {
            start = reduced.start();
        }
        solve_pose(&reduced, &mut workspace, &mut start, &mut poses, options)?;
    }
    Ok(poses)
}

fn solve_pose<'m, P: EquilibriumProblem<'m, D>, const D: usize>(
    pose: &P,
    workspace: &mut Option<P::Workspace>,
    start: &mut Vec<f64>,
    poses: &mut Vec<Equilibrium<D>>,
    options: &NewtonOptions,
) -> Result<(), StaticsError> {
    let workspace = match workspace {
        Some(workspace) => workspace,
        None => workspace.insert(pose.workspace()?),
    };
    let solution = solve_equilibrium_from(pose, workspace, start.clone(), options)?;
    start.clone_from(&solution.unknowns);
    poses.push(solution);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_angle_moves_nothing_to_the_last_bit_and_a_quarter_turn_goes_where_it_should() {
        let (position, pivot) = ([1e6 + 0.1, 0.3, 0.7], [0.1, 0.2, 0.0]);
        assert_eq!(turned(&position, &pivot, 0.0), position);
        let moved = turned(&[2.0, 1.0, 5.0], &[1.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2);
        assert!(moved.iter().zip([1.0, 2.0, 5.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{moved:?}");
    }
}
