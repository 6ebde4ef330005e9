//! The handle path: a swing starts at the solution with the handle at rest, comes back to it, and has the same bits for any number of
//! threads.
//!
//! 13 poses to 40 degrees and back, soft (1e9 N/m) and hard, full and in nine sparse meshless frames. Measured: pose 0 is within
//! 6e-14 m of the solution with the handle pinned at rest, the last pose within 6e-14 m of the first, poses 3 and 9 are 3 m away.

use pliant::basis::{Subspace, VoronoiOptions, voronoi_weights};
use pliant::fem::StableNeoHookean;
use pliant::graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant::mesh::{BoxOptions, Material, MaterialMap, Resolution, SimplexMesh, VertexSelection, box_mesh};
use pliant::statics::{
    Equilibrium, FullProblem, Hold, NewtonOptions, SwingPath, Termination, centroid, solve_equilibrium,
    swing_full, swing_reduced,
};

use crate::reference_body::{ReferenceBody, tentacle2d};

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, ..BONE };
const SOFT: Hold = Hold::Soft(1e9);

/// A body with two joints, its pins and its handle.
struct Body<const D: usize> {
    mesh: SimplexMesh<D>,
    material: MaterialMap,
    pins: Vec<usize>,
    handle: Vec<usize>,
}

impl<const D: usize> Body<D> {
    /// Pinned and driven at its ends along x.
    fn new(mesh: SimplexMesh<D>, material: MaterialMap, pins_end: f64, handle_start: f64) -> Self {
        let range = |min, max| VertexSelection::Range { axis: 0, min, max }.select(&mesh).unwrap();
        let (pins, handle) = (range(None, Some(pins_end)), range(Some(handle_start), None));
        Self { mesh, material, pins, handle }
    }

    fn problem(&self, hold: Hold) -> FullProblem<'_, D> {
        let gravity = std::array::from_fn(|axis| if axis == 1 { -9.8 } else { 0.0 });
        FullProblem::new(&self.mesh, &self.material, StableNeoHookean)
            .pin_with(&self.pins, hold)
            .gravity(gravity)
    }

    fn path(&self, hold: Hold) -> SwingPath<D> {
        let pivot = centroid(&self.problem(hold), &self.pins);
        SwingPath { handle: self.handle.clone(), hold, pivot, angle_degrees: 40.0, steps: 13 }
    }

    /// Nine sparse meshless frames.
    fn subspace(&self) -> Subspace<D> {
        let graph = ComplianceGraph::new(&self.mesh, &self.material);
        let nodes = sample_nodes(&graph, &self.mesh, 9, &SamplingOptions::default()).unwrap();
        let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap();
        Subspace::linear_blend_skinning(&self.mesh, &self.material, weights).unwrap()
    }
}

fn tentacle_2d() -> Body<2> {
    let ReferenceBody { mesh, material, pinned, handle } = tentacle2d();
    Body { mesh, material, pins: pinned, handle }
}

fn jointed_beam_3d() -> Body<3> {
    let resolution = Resolution::Counts([20, 4, 4]);
    let mesh = box_mesh(&BoxOptions { max: [5.0, 1.0, 1.0], resolution, ..Default::default() }).unwrap();
    let is_joint = |x: f64| (1.0..1.5).contains(&x) || (3.0..3.5).contains(&x);
    let material = MaterialMap::from_function(&mesh, |x| if is_joint(x[0]) { JOINT } else { BONE }).unwrap();
    Body::new(mesh, material, 0.25, 4.75)
}

fn options() -> NewtonOptions {
    NewtonOptions { step_tolerance: 1e-9, ..NewtonOptions::default() }
}

fn largest_difference<const D: usize>(a: &Equilibrium<D>, b: &Equilibrium<D>) -> f64 {
    a.displacement.iter().zip(&b.displacement).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// The poses all converge, the first is the solution at rest, the last is the first again, and between them the handle moves.
fn swings_out_and_back<const D: usize>(at_rest: &Equilibrium<D>, poses: &[Equilibrium<D>], name: &str) {
    assert_eq!(poses.len(), 13, "{name}");
    assert!(poses.iter().all(|pose| pose.termination == Termination::Converged), "{name}");
    for (pose, wanted, what) in [(0, at_rest, "the solution at rest"), (12, &poses[0], "the first pose")] {
        let difference = largest_difference(&poses[pose], wanted);
        assert!(difference < 1e-8, "{name}: pose {pose} is {difference} m away from {what}");
    }
    for extreme in [3, 9] {
        let moved = largest_difference(&poses[extreme], &poses[0]);
        assert!(moved > 2.0, "{name}: pose {extreme} moves only {moved} m");
    }
}

fn hard_handles_agree<const D: usize>(body: &Body<D>, exact: &[Equilibrium<D>], reduced: &[Equilibrium<D>]) {
    for (exact, reduced) in exact.iter().zip(reduced) {
        for &vertex in &body.handle {
            let (expected, found) = (exact.vertex_displacement(vertex), reduced.vertex_displacement(vertex));
            for (expected, found) in expected.into_iter().zip(found) {
                assert!((expected - found).abs() < 1e-11, "vertex {vertex}: {found} instead of {expected}");
            }
        }
    }
}

fn every_swing_comes_back<const D: usize>(body: &Body<D>) {
    let subspace = body.subspace();
    for hold in [SOFT, Hold::Hard] {
        let problem = body.problem(hold);
        let path = body.path(hold);
        let resting = problem.clone().pin_with(&body.handle, hold);
        let at_rest = solve_equilibrium(&resting, &options()).unwrap();
        let exact = swing_full(&problem, &path, &options()).unwrap();
        swings_out_and_back(&at_rest, &exact, &format!("full {D}D {hold:?}"));
        let at_rest = solve_equilibrium(&resting.project(&subspace).unwrap(), &options()).unwrap();
        let poses = swing_reduced(&problem, &subspace, &path, &options()).unwrap();
        swings_out_and_back(&at_rest, &poses, &format!("reduced {D}D {hold:?}"));
        if hold == Hold::Hard {
            hard_handles_agree(body, &exact, &poses);
        }
    }
}

#[test]
fn a_swing_of_the_tentacle_returns_to_its_start() {
    every_swing_comes_back(&tentacle_2d());
}

#[test]
fn a_swing_in_3d_returns_to_its_start() {
    every_swing_comes_back(&jointed_beam_3d());
}

#[test]
fn a_swing_has_the_same_bits_for_one_and_two_threads() {
    let body = tentacle_2d();
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (problem, path, subspace) = (body.problem(SOFT), body.path(SOFT), body.subspace());
            let full = swing_full(&problem, &path, &options()).unwrap();
            (full, swing_reduced(&problem, &subspace, &path, &options()).unwrap())
        })
    });
    assert!(one == two);
}
