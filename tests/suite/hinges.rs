//! A body that is held by a point (2D) or along a line (3D) can turn about it: it swings down under gravity, in full FEM and in
//! subspaces, and stays where it is without a load.
//!
//! At rest nothing resists the rotation: the Hessian is singular, and without a shift Newton's method could not begin. Measured: the
//! turn by 45 (2D) and 27 degrees takes 6 to 8 iterations.

use pliant::basis::{Subspace, VoronoiOptions, voronoi_weights};
use pliant::fem::StableNeoHookean;
use pliant::graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant::mesh::{
    BoxOptions, Material, MaterialMap, RectangleOptions, Resolution, SimplexMesh, VertexSelection, box_mesh,
    rectangle,
};
use pliant::statics::{FullProblem, Hold, NewtonOptions, Termination, solve_equilibrium};

const RUBBER: Material = Material { youngs_modulus: 1e4, poisson_ratio: 0.3, density: 1.0 };

/// Vertices at the height 0.5 of the left end: a point in 2D, a line along z in 3D.
fn hinge<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<usize> {
    let at = |axis: usize, x: f64| {
        VertexSelection::Range { axis, min: Some(x), max: Some(x) }.select(mesh).unwrap()
    };
    let middle = at(1, 0.5);
    at(0, 0.0).into_iter().filter(|vertex| middle.contains(vertex)).collect()
}

/// The centre of mass of the deformed body.
fn centre_of_mass<const D: usize>(full: &FullProblem<'_, D>, displacement: &[f64]) -> [f64; D] {
    let total: f64 = full.mass().iter().sum();
    let mut centre = [0.0; D];
    for (vertex, position) in full.mesh().positions().iter().enumerate() {
        for axis in 0..D {
            centre[axis] += full.mass()[vertex] / total * (position[axis] + displacement[vertex * D + axis]);
        }
    }
    centre
}

fn a_body_on_a_hinge_hangs_straight_down<const D: usize>(mesh: &SimplexMesh<D>, hold: Hold) {
    let material = MaterialMap::uniform(mesh, RUBBER).unwrap();
    let gravity = std::array::from_fn(|axis| if axis == 1 { -1.0 } else { 0.0 });
    let held = FullProblem::new(mesh, &material, StableNeoHookean).pin_with(&hinge(mesh), hold);
    let still = solve_equilibrium(&held, &NewtonOptions::default()).unwrap().require_converged().unwrap();
    assert!(still.displacement.iter().all(|u| u.abs() < 1e-12), "{D}D {hold:?}: no load moves it");
    let full = held.gravity(gravity);
    let graph = ComplianceGraph::new(mesh, &material);
    let nodes = sample_nodes(&graph, mesh, 5, &SamplingOptions::default()).unwrap();
    let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap();
    let subspace = Subspace::linear_blend_skinning(mesh, &material, weights).unwrap();
    let reduced = full.project(&subspace).unwrap();
    for (name, found) in [
        ("full", solve_equilibrium(&full, &NewtonOptions::default()).unwrap()),
        ("reduced", solve_equilibrium(&reduced, &NewtonOptions::default()).unwrap()),
    ] {
        let centre = centre_of_mass(&full, &found.displacement);
        assert_eq!(found.termination, Termination::Converged, "{D}D {hold:?} {name}: {centre:?}");
        assert!(centre[0].abs() < 1e-3 && centre[1] < -0.5, "{D}D {hold:?} {name}: {centre:?}");
    }
}

#[test]
fn a_plate_held_at_a_point_hangs_straight_down() {
    let resolution = Resolution::Counts([12, 6]);
    let mesh = rectangle(&RectangleOptions { max: [2.0, 1.0], resolution, ..Default::default() }).unwrap();
    for hold in [Hold::Hard, Hold::Soft(1e6)] {
        a_body_on_a_hinge_hangs_straight_down(&mesh, hold);
    }
}

#[test]
fn a_block_on_a_hinge_hangs_straight_down() {
    let resolution = Resolution::Counts([6, 4, 2]);
    let mesh = box_mesh(&BoxOptions { max: [2.0, 1.0, 0.5], resolution, ..Default::default() }).unwrap();
    for hold in [Hold::Hard, Hold::Soft(1e6)] {
        a_body_on_a_hinge_hangs_straight_down(&mesh, hold);
    }
}
