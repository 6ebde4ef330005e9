//! Skinning eigenmodes against the eigenvalues of an independent implementation (data/reference).

use pliant::basis::{EigenOptions, Stiffness, skinning_eigenmodes};
use serde_json::Value;

use crate::reference_body::{ReferenceBody, bone2d, path, tentacle2d, tentacle3d_s};

fn eigenvalues_hold<const D: usize>(name: &str, body: &ReferenceBody<D>) {
    let reference: Value =
        serde_json::from_str(&std::fs::read_to_string(path(&format!("{name}.json"))).unwrap()).unwrap();
    let mut compared = 0;
    for point in reference["points"].as_array().unwrap() {
        let stiffness = match point["method"].as_str().unwrap() {
            "uniform-eigenmodes" => Stiffness::Uniform,
            "material-eigenmodes" => Stiffness::Material(&body.material),
            _ => continue,
        };
        let frames = point["frames"].as_u64().unwrap() as usize;
        let modes = skinning_eigenmodes(&body.mesh, frames, stiffness, &EigenOptions::default()).unwrap();
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
    eigenvalues_hold("tentacle2d", &tentacle2d());
}

#[test]
fn the_eigenvalues_of_tentacle3d_s_are_the_reference() {
    eigenvalues_hold("tentacle3d_s", &tentacle3d_s());
}

#[test]
fn the_eigenvalues_of_bone2d_are_the_reference() {
    eigenvalues_hold("bone2d", &bone2d());
}
