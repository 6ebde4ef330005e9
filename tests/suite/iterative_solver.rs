//! The iterative solver gives the equilibria of the direct one: full solutions, swings, bodies in several parts, adaptive frames and error estimates.

use pliant::fem::StableNeoHookean;
use pliant::mesh::{
    BoxOptions, Material, MaterialMap, MeshParts, Resolution, SimplexMesh, VertexSelection, box_mesh,
};
use pliant::statics::{
    EquilibriumProblem, FullProblem, Hold, LinearSolver, NewtonOptions, SwingPath, Termination, centroid,
    solve_equilibrium, swing_full,
};

const FLESH: Material = Material { youngs_modulus: 2e3, poisson_ratio: 0.4, density: 1.0 };

/// A beam with a bone in it, `ratio` times stiffer, which is held at x = 0 and bends under its weight.
fn beam(mesh: &SimplexMesh<3>, ratio: f64) -> MaterialMap {
    let is_bone = |x: [f64; 3]| x[0] > 1.0 && (x[1] - 0.25).abs() < 0.15 && (x[2] - 0.25).abs() < 0.15;
    let modulus = |x| FLESH.youngs_modulus * if is_bone(x) { ratio } else { 1.0 };
    MaterialMap::from_function(mesh, |x| Material { youngs_modulus: modulus(x), ..FLESH }).unwrap()
}

fn beam_mesh() -> SimplexMesh<3> {
    let max = [3.0, 0.5, 0.5];
    box_mesh(&BoxOptions { max, resolution: Resolution::Counts([24, 5, 5]), ..BoxOptions::default() })
        .unwrap()
}

fn select(mesh: &SimplexMesh<3>, min: Option<f64>, max: Option<f64>) -> Vec<usize> {
    VertexSelection::Range { axis: 0, min, max }.select(mesh).unwrap()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn equilibria_are_those_of_the_direct_solver_for_any_ratio_of_moduli_and_any_hold() {
    let mesh = beam_mesh();
    let pins = select(&mesh, None, Some(0.01));
    for (ratio, hold) in [(1.0, Hold::Hard), (1e6, Hold::Hard), (1e3, Hold::Soft(1e9))] {
        let material = beam(&mesh, ratio);
        let problem = FullProblem::new(&mesh, &material, StableNeoHookean)
            .pin_with(&pins, hold)
            .gravity([0.0, -9.8, 0.0]);
        let solve = |solver| {
            solve_equilibrium(&problem.clone().linear_solver(solver), &NewtonOptions::default()).unwrap()
        };
        let (direct, iterative) = (solve(LinearSolver::Direct), solve(LinearSolver::Iterative));
        assert_eq!(iterative.termination, Termination::Converged);
        assert!(direct.linear_iterations() == 0 && iterative.linear_iterations() > 0);
        assert!(
            iterative.iterations() <= direct.iterations() + 2,
            "{} Newton iterations",
            iterative.iterations()
        );
        let apart = distance(&direct.displacement, &iterative.displacement);
        assert!(apart < 1e-7, "ratio {ratio}: {apart} m apart");
    }
}

#[test]
fn a_swing_has_the_poses_of_the_direct_solver() {
    let mesh = beam_mesh();
    let (pins, handle) = (select(&mesh, None, Some(0.01)), select(&mesh, Some(2.99), None));
    let material = beam(&mesh, 1e3);
    let problem = FullProblem::new(&mesh, &material, StableNeoHookean).pin(&pins).gravity([0.0, -9.8, 0.0]);
    let pivot = centroid(&problem, &pins);
    let path = SwingPath { handle, hold: Hold::Soft(1e9), pivot, angle_degrees: 25.0, steps: 4 };
    let poses = |solver| {
        swing_full(&problem.clone().linear_solver(solver), &path, &NewtonOptions::default()).unwrap()
    };
    for (direct, iterative) in poses(LinearSolver::Direct).iter().zip(poses(LinearSolver::Iterative)) {
        assert_eq!(iterative.termination, Termination::Converged);
        assert!(distance(&direct.displacement, &iterative.displacement) < 1e-7);
    }
}

#[test]
fn a_body_in_several_parts_is_solved() {
    let mesh = beam_mesh();
    let shifted = mesh.positions().iter().map(|x| [x[0], x[1] + 2.0, x[2]]);
    let positions: Vec<[f64; 3]> = mesh.positions().iter().copied().chain(shifted).collect();
    let vertices = mesh.vertex_count();
    let cells: Vec<usize> = mesh.cells().flatten().copied().collect();
    let second: Vec<usize> = cells.iter().map(|vertex| vertex + vertices).collect();
    let cells = cells.into_iter().chain(second).collect();
    let parts = MeshParts { positions, cells, ..MeshParts::default() };
    let mesh = SimplexMesh::from_parts(parts, &Default::default()).unwrap().mesh;
    let material = MaterialMap::uniform(&mesh, FLESH).unwrap();
    let problem = FullProblem::new(&mesh, &material, StableNeoHookean)
        .pin(&select(&mesh, None, Some(0.01)))
        .gravity([0.0, -3.0, 0.0])
        .linear_solver(LinearSolver::Iterative);
    let solution = solve_equilibrium(&problem, &NewtonOptions::default()).unwrap();
    assert_eq!(solution.termination, Termination::Converged);
    let tip = |shift: usize| solution.vertex_displacement(vertices * shift + vertices - 1);
    assert!(tip(0)[1] < -0.1 && distance(&tip(0), &tip(1)) < 1e-6, "{:?} {:?}", tip(0), tip(1));
}

#[test]
fn solutions_have_the_same_bits_for_one_and_two_threads() {
    let mesh = beam_mesh();
    let material = beam(&mesh, 1e4);
    let problem = FullProblem::new(&mesh, &material, StableNeoHookean)
        .pin(&select(&mesh, None, Some(0.01)))
        .gravity([0.0, -9.8, 0.0])
        .linear_solver(LinearSolver::Iterative);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve_equilibrium(&problem, &NewtonOptions::default()).unwrap())
    });
    assert!(one == two);
}

#[test]
fn the_solver_is_chosen_by_size() {
    let mesh = beam_mesh();
    let material = beam(&mesh, 1.0);
    let problem = FullProblem::new(&mesh, &material, StableNeoHookean).pin(&[0, 1, 2, 3]);
    assert_eq!(problem.workspace().unwrap().linear_solver(), LinearSolver::Direct);
    let iterative = problem.linear_solver(LinearSolver::Iterative);
    assert_eq!(iterative.workspace().unwrap().linear_solver(), LinearSolver::Iterative);
}
