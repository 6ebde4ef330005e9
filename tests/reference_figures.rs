//! The reference figures of an independent implementation (data/reference), reproduced through the libraries.
//!
//! Held: the full probe displacement within 1e-5, errors, energy gaps and densities within 0.5 percent or 2e-5, the same nodes and
//! non-zero weights, eigenvalues within 1e-6, swing means within 1 percent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace};
use pliant::fem::{EnergyModel, LameConvention};
use pliant::mesh::{Material, MaterialMap, SimplexMesh};
use pliant::statics::{
    FullProblem, Hold, LinearSolver, NewtonOptions, SwingPath, Termination, centroid, compare,
    solve_equilibrium, swing_full, swing_reduced,
};
use serde_json::Value;

/// Iterations of any solve from rest: measured 2 to 5.
const MOST_ITERATIONS: usize = 6;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/reference");

/// One body of the reference with its figures.
struct Body<const D: usize> {
    name: &'static str,
    mesh: SimplexMesh<D>,
    material: MaterialMap,
    figures: Value,
}

impl<const D: usize> Body<D> {
    fn new(name: &'static str, mesh: SimplexMesh<D>) -> Self {
        let text = std::fs::read_to_string(format!("{FOLDER}/{name}.json")).unwrap();
        let figures: Value = serde_json::from_str(&text).unwrap();
        let moduli = figures["problem"]["youngs_modulus"].as_object().unwrap();
        let materials: Vec<(&str, Material)> = moduli
            .iter()
            .map(|(region, modulus)| {
                let youngs_modulus = modulus.as_f64().unwrap();
                (region.as_str(), Material { youngs_modulus, poisson_ratio: 0.4, density: 1.0 })
            })
            .collect();
        let material = MaterialMap::from_regions(&mesh, &materials).unwrap();
        Self { name, mesh, material, figures }
    }

    fn beyond(&self, key: &str, limit: impl Fn(f64, f64) -> bool) -> Vec<usize> {
        let select = &self.figures["problem"][key]["select"];
        let bound = select["max"].as_f64().or(select["min"].as_f64()).unwrap();
        (0..self.mesh.vertex_count()).filter(|&v| limit(self.mesh.positions()[v][0], bound)).collect()
    }

    fn pinned(&self) -> Vec<usize> {
        self.beyond("pins", |x, bound| x <= bound)
    }

    fn problem(&self) -> FullProblem<'_, D> {
        let gravity = std::array::from_fn(|axis| self.figures["problem"]["gravity"][axis].as_f64().unwrap());
        let (energy, lame) = (EnergyModel::StableNeoHookean, LameConvention::AsGiven);
        FullProblem::with_lame_convention(&self.mesh, &self.material, energy, lame)
            .pin_with(&self.pinned(), Hold::Soft(1e9))
            .gravity(gravity)
    }

    fn subspace(&self, builder: &BasisBuilder<'_, D>, method: &str, frames: usize) -> (Subspace<D>, Value) {
        let method: Method = method.parse().unwrap();
        let built = builder.build(method, frames, &MethodOptions::default()).unwrap();
        let extra = serde_json::json!({"nodes": built.nodes, "eigenvalues": built.eigenvalues});
        (Subspace::linear_blend_skinning(&self.mesh, &self.material, built.weights).unwrap(), extra)
    }
}

fn bodies() -> (Vec<Body<2>>, Body<3>) {
    let path = |name: &str| format!("{FOLDER}/{name}.msh");
    let flat = ["tentacle2d", "bone2d"];
    (
        flat.map(|name| Body::new(name, SimplexMesh::<2>::read(path(name)).unwrap())).into(),
        Body::new("tentacle3d_s", SimplexMesh::<3>::read(path("tentacle3d_s")).unwrap()),
    )
}

fn is_near(what: &str, found: f64, expected: f64, relative: f64, absolute: f64) {
    let error = (found - expected).abs();
    assert!(error <= absolute.max(relative * expected.abs()), "{what}: {found} instead of {expected}");
}

fn full_figures_hold<const D: usize>(body: &Body<D>) {
    for solver in [LinearSolver::Direct, LinearSolver::Iterative] {
        full_figures_hold_with(body, solver);
    }
}

fn full_figures_hold_with<const D: usize>(body: &Body<D>, solver: LinearSolver) {
    let exact = solve_equilibrium(&body.problem().linear_solver(solver), &NewtonOptions::default()).unwrap();
    assert_eq!(exact.termination, Termination::Converged);
    assert!(exact.iterations() <= MOST_ITERATIONS, "{}: {} iterations", body.name, exact.iterations());
    let expected = &body.figures["full"];
    let probe = expected["probe_vertex"].as_u64().unwrap() as usize;
    for (axis, found) in exact.vertex_displacement(probe).into_iter().enumerate() {
        let expected = expected["probe_displacement"][axis].as_f64().unwrap();
        is_near(body.name, found, expected, 0.0, 1e-5);
    }
    let expected = expected["potential_energy"].as_f64().unwrap();
    is_near(body.name, exact.potential_energy, expected, 1e-7, 0.0);
}

#[test]
fn full_solutions_are_those_of_the_reference() {
    let (flat, solid) = bodies();
    flat.iter().for_each(full_figures_hold);
    full_figures_hold(&solid);
}

fn reduced_figures_hold<const D: usize>(body: &Body<D>) {
    let problem = body.problem();
    let exact = solve_equilibrium(&problem, &NewtonOptions::default()).unwrap();
    let builder = BasisBuilder::new(&body.mesh, &body.material).unwrap();
    for expected in body.figures["points"].as_array().unwrap() {
        let method = expected["method"].as_str().unwrap();
        let frames = expected["frames"].as_u64().unwrap() as usize;
        let what = format!("{} {method} {frames}", body.name);
        let (subspace, extra) = body.subspace(&builder, method, frames);
        if expected.get("nodes").is_some() {
            assert_eq!(extra["nodes"], expected["nodes"], "{what}");
        }
        if let Some(eigenvalues) = expected.get("eigenvalues") {
            let found = extra["eigenvalues"].as_array().unwrap();
            let (found, wanted) =
                (|i: usize| found[i].as_f64().unwrap(), |i: usize| eigenvalues[i].as_f64().unwrap());
            assert!(found(0).abs() < 1e-6 * found(1), "{what}: {}", found(0));
            (1..frames).for_each(|i| is_near(&what, found(i), wanted(i), 1e-6, 0.0));
        }
        let number = |key: &str| expected[key].as_f64().unwrap();
        assert_eq!(subspace.dofs() as f64, number("dofs"), "{what}");
        assert_eq!(subspace.weights().nonzeros() as f64, number("weights_nonzeros"), "{what}");
        is_near(&what, subspace.weights().density(), number("weights_density"), 5e-3, 2e-5);
        is_near(&what, subspace.basis_density(), number("basis_density"), 5e-3, 2e-5);
        let reduced = problem.project(&subspace).unwrap();
        let quick = solve_equilibrium(&reduced, &NewtonOptions::default()).unwrap();
        assert_eq!(quick.termination, Termination::Converged, "{what}");
        assert!(quick.iterations() <= MOST_ITERATIONS, "{what}: {} iterations", quick.iterations());
        let found = compare(&problem, &exact, &quick);
        is_near(&what, found.mass_norm_error, number("mass_norm_error"), 5e-3, 2e-5);
        is_near(&what, found.displacement_error.unwrap(), number("displacement_error"), 5e-3, 2e-5);
        is_near(&what, found.energy_gap.unwrap(), number("energy_gap"), 5e-3, 2e-5);
    }
}

#[test]
fn every_subspace_of_tentacle2d_and_bone2d_has_the_errors_of_the_reference() {
    bodies().0.iter().for_each(reduced_figures_hold);
}

#[test]
fn every_subspace_of_tentacle3d_s_has_the_errors_of_the_reference() {
    reduced_figures_hold(&bodies().1);
}

fn swing_figures_hold<const D: usize>(body: &Body<D>) {
    let problem = body.problem();
    let expected = &body.figures["swing"];
    let path = SwingPath {
        handle: body.beyond("handle", |x, bound| x >= bound),
        hold: Hold::Soft(1e9),
        pivot: centroid(&problem, &body.pinned()),
        angle_degrees: 40.0,
        steps: 36,
    };
    let options = NewtonOptions::default();
    let exact = swing_full(&problem, &path, &options).unwrap();
    let builder = BasisBuilder::new(&body.mesh, &body.material).unwrap();
    for figures in expected["subspaces"].as_array().unwrap() {
        let method = figures["method"].as_str().unwrap();
        let (subspace, _) = body.subspace(&builder, method, 9);
        let quick = swing_reduced(&problem, &subspace, &path, &options).unwrap();
        let error = |(exact, quick)| compare(&problem, exact, quick).mass_norm_error;
        let mean = exact.iter().zip(&quick).map(error).sum::<f64>() / 36.0;
        is_near(&format!("{} {method}", body.name), mean, figures["mean_error"].as_f64().unwrap(), 1e-2, 0.0);
    }
}

#[test]
fn swings_have_the_mean_errors_of_the_reference() {
    let (flat, solid) = bodies();
    flat.iter().for_each(swing_figures_hold);
    swing_figures_hold(&solid);
}
