//! The number of non-zero weights of the reference bodies, against an independent implementation.

use pliant_basis::{HrpdOptions, VoronoiOptions, Weights, hrpd_weights, voronoi_weights};
use pliant_graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant_mesh::{Material, MaterialMap, SimplexMesh};
use serde_json::Value;

fn check<const D: usize>(name: &str, read: impl Fn(&str) -> SimplexMesh<D>) {
    let path = format!("{}/../../data/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let mesh = read(&format!("{path}.msh"));
    let figures: Value =
        serde_json::from_str(&std::fs::read_to_string(format!("{path}.json")).unwrap()).unwrap();
    let moduli = figures["problem"]["youngs_modulus"].as_object().unwrap();
    let materials: Vec<(&str, Material)> = moduli
        .iter()
        .map(|(region, modulus)| {
            let youngs_modulus = modulus.as_f64().unwrap();
            (region.as_str(), Material { youngs_modulus, poisson_ratio: 0.4, density: 1.0 })
        })
        .collect();
    let graph = ComplianceGraph::new(&mesh, &MaterialMap::from_regions(&mesh, &materials).unwrap());
    let mut checked = 0;
    for point in figures["points"].as_array().unwrap() {
        let frames = point["frames"].as_u64().unwrap() as usize;
        let weights: Weights = match point["method"].as_str().unwrap() {
            "sparse-meshless" => {
                let nodes = sample_nodes(&graph, &mesh, frames, &SamplingOptions::default()).unwrap();
                voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap()
            }
            "hrpd" => hrpd_weights(&mesh, frames, &HrpdOptions::default()).unwrap().weights,
            _ => continue,
        };
        let expected = point["weights_nonzeros"].as_u64().unwrap() as usize;
        assert_eq!(weights.nonzeros(), expected, "{name}, {} with {frames} frames", point["method"]);
        let density = point["weights_density"].as_f64().unwrap();
        assert!((weights.density() - density).abs() < 1e-12);
        assert!(weights.partition_of_unity_error() < 1e-14 * 24.0);
        checked += 1;
    }
    assert_eq!(checked, 12, "two methods at six numbers of frames");
}

#[test]
fn non_zero_weights_of_the_2d_bodies_are_as_many_as_in_the_reference() {
    check("tentacle2d", |path| SimplexMesh::<2>::read(path).unwrap());
    check("bone2d", |path| SimplexMesh::<2>::read(path).unwrap());
}

#[test]
fn non_zero_weights_of_the_3d_body_are_as_many_as_in_the_reference() {
    check("tentacle3d_s", |path| SimplexMesh::<3>::read(path).unwrap());
}
