//! Skinning eigenmodes against the eigenvalues of an independent implementation (data/reference).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant::basis::{EigenOptions, Stiffness, skinning_eigenmodes};
use pliant::mesh::{Material, MaterialMap, SimplexMesh};
use serde_json::Value;

fn path(name: &str, extension: &str) -> String {
    format!("{}/data/reference/{name}.{extension}", env!("CARGO_MANIFEST_DIR"))
}

fn material<const D: usize>(mesh: &SimplexMesh<D>, reference: &Value) -> MaterialMap {
    let problem = &reference["problem"];
    let poisson_ratio = problem["poisson_ratio"].as_f64().unwrap();
    let density = problem["density"].as_f64().unwrap();
    let moduli = problem["youngs_modulus"].as_object().unwrap();
    let of_region = |(region, modulus): (&String, &Value)| {
        let youngs_modulus = modulus.as_f64().unwrap();
        (region.clone(), Material { youngs_modulus, poisson_ratio, density })
    };
    MaterialMap::from_regions(mesh, &moduli.iter().map(of_region).collect::<Vec<_>>()).unwrap()
}

fn eigenvalues_hold<const D: usize>(name: &str, mesh: &SimplexMesh<D>) {
    let reference: Value =
        serde_json::from_str(&std::fs::read_to_string(path(name, "json")).unwrap()).unwrap();
    let material = material(mesh, &reference);
    let mut compared = 0;
    for point in reference["points"].as_array().unwrap() {
        let stiffness = match point["method"].as_str().unwrap() {
            "uniform-eigenmodes" => Stiffness::Uniform,
            "material-eigenmodes" => Stiffness::Material(&material),
            _ => continue,
        };
        let frames = point["frames"].as_u64().unwrap() as usize;
        let modes = skinning_eigenmodes(mesh, frames, stiffness, &EigenOptions::default()).unwrap();
        let expected = point["eigenvalues"].as_array().unwrap();
        assert_eq!(expected.len(), frames);
        assert!(modes.values[0].abs() < 1e-6 * modes.values[1], "{name}: {:?}", &modes.values[..2]);
        for (found, expected) in modes.values.iter().zip(expected).skip(1) {
            let expected = expected.as_f64().unwrap();
            assert!((found - expected).abs() < 1e-6 * expected, "{name}: {found} instead of {expected}");
        }
        // The constant is the first mode, so its span carries translations to round-off.
        let first = modes.weights.column(0);
        assert!(first.iter().all(|weight| (weight / first[0] - 1.0).abs() < 1e-9), "{name}");
        compared += 1;
    }
    assert!(compared >= 12, "{name}: only {compared} points have eigenvalues");
}

#[test]
fn the_eigenvalues_of_tentacle2d_are_the_reference() {
    eigenvalues_hold("tentacle2d", &SimplexMesh::<2>::read(path("tentacle2d", "msh")).unwrap());
}

#[test]
fn the_eigenvalues_of_tentacle3d_s_are_the_reference() {
    eigenvalues_hold("tentacle3d_s", &SimplexMesh::<3>::read(path("tentacle3d_s", "msh")).unwrap());
}

#[test]
fn the_eigenvalues_of_bone2d_are_the_reference() {
    eigenvalues_hold("bone2d", &SimplexMesh::<2>::read(path("bone2d", "msh")).unwrap());
}
