//! Full FEM against the reference figures of an independent implementation (data/reference).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant::fem::{EnergyModel, LameConvention};
use pliant::mesh::{Material, MaterialMap, SimplexMesh};
use pliant::statics::{FullProblem, Hold, NewtonOptions, Termination, solve_equilibrium};
use serde_json::Value;

fn reference(name: &str) -> Value {
    let path = format!("{}/data/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn mesh_path(name: &str) -> String {
    format!("{}/data/reference/{name}.msh", env!("CARGO_MANIFEST_DIR"))
}

fn full_figures_hold<const D: usize>(name: &str, mesh: &SimplexMesh<D>) {
    let reference = reference(name);
    let problem = &reference["problem"];
    let materials: Vec<(String, Material)> = problem["youngs_modulus"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(region, modulus)| {
            let youngs_modulus = modulus.as_f64().unwrap();
            (region.clone(), Material { youngs_modulus, poisson_ratio: 0.4, density: 1.0 })
        })
        .collect();
    let material = MaterialMap::from_regions(mesh, &materials).unwrap();
    let limit = problem["pins"]["select"]["max"].as_f64().unwrap();
    let pinned: Vec<usize> =
        (0..mesh.vertex_count()).filter(|&vertex| mesh.positions()[vertex][0] <= limit).collect();
    assert_eq!(pinned.len() as u64, reference["pinned"].as_u64().unwrap());
    let gravity = std::array::from_fn(|axis| problem["gravity"][axis].as_f64().unwrap());
    let full = FullProblem::with_lame_convention(
        mesh,
        &material,
        EnergyModel::StableNeoHookean,
        LameConvention::AsGiven,
    )
    .pin_with(&pinned, Hold::Soft(1e9))
    .gravity(gravity);
    let exact = solve_equilibrium(&full, &NewtonOptions::default()).unwrap();
    assert_eq!(exact.termination, Termination::Converged);
    let expected = &reference["full"];
    let probe = expected["probe_vertex"].as_u64().unwrap() as usize;
    for (axis, found) in exact.vertex_displacement(probe).into_iter().enumerate() {
        let expected = expected["probe_displacement"][axis].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-5, "{name}: {found} instead of {expected}");
    }
    let expected = expected["potential_energy"].as_f64().unwrap();
    assert!((exact.potential_energy - expected).abs() < 1e-7 * expected.abs());
}

#[test]
fn the_full_solution_of_tentacle2d_is_the_reference() {
    full_figures_hold("tentacle2d", &SimplexMesh::<2>::read(mesh_path("tentacle2d")).unwrap());
}

#[test]
fn the_full_solution_of_tentacle3d_s_is_the_reference() {
    full_figures_hold("tentacle3d_s", &SimplexMesh::<3>::read(mesh_path("tentacle3d_s")).unwrap());
}

#[test]
fn the_full_solution_of_bone2d_is_the_reference() {
    full_figures_hold("bone2d", &SimplexMesh::<2>::read(mesh_path("bone2d")).unwrap());
}
