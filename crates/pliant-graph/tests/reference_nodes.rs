//! Distances and nodes of the reference bodies, against the figures of an independent implementation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use pliant_graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant_mesh::{Material, MaterialMap, SimplexMesh};
use serde_json::Value;

/// A reference mesh with its figures, compliance graph and geodesic graph.
struct Body<const D: usize> {
    mesh: SimplexMesh<D>,
    figures: Value,
    compliance: ComplianceGraph,
    geodesic: ComplianceGraph,
}

fn body<const D: usize>(name: &str, read: impl Fn(&str) -> SimplexMesh<D>) -> Body<D> {
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
    let material = MaterialMap::from_regions(&mesh, &materials).unwrap();
    let compliance = ComplianceGraph::new(&mesh, &material);
    let geodesic = ComplianceGraph::geodesic(&mesh);
    Body { mesh, figures, compliance, geodesic }
}

fn check_distances<const D: usize>(body: &Body<D>) {
    let probe = body.figures["full"]["probe_vertex"].as_u64().unwrap() as usize;
    for (graph, key) in [
        (&body.compliance, "compliance_distance_from_probe"),
        (&body.geodesic, "geodesic_distance_from_probe"),
    ] {
        let distances = graph.distances_from(probe);
        let sum: f64 = distances.iter().sum();
        let max = distances.iter().copied().fold(0.0, f64::max);
        for (value, figure) in [(sum, "sum"), (max, "max")] {
            let expected = body.figures[key][figure].as_f64().unwrap();
            assert!((value - expected).abs() <= 1e-12 * expected, "{key} {figure}: {value} for {expected}");
        }
    }
}

fn check_nodes<const D: usize>(body: &Body<D>) {
    let mut checked = 0;
    for point in body.figures["points"].as_array().unwrap() {
        let (graph, lloyd_passes) = match point["method"].as_str().unwrap() {
            "sparse-meshless" => (&body.compliance, 8),
            "hrpd" => (&body.geodesic, 0),
            _ => continue,
        };
        let expected: Vec<usize> =
            point["nodes"].as_array().unwrap().iter().map(|node| node.as_u64().unwrap() as usize).collect();
        let options = SamplingOptions { lloyd_passes, ..SamplingOptions::default() };
        let nodes = sample_nodes(graph, &body.mesh, expected.len(), &options).unwrap();
        assert_eq!(nodes, expected, "{} with {} frames", point["method"], expected.len());
        checked += 1;
    }
    assert_eq!(checked, 12, "two methods at six numbers of frames");
}

fn read_2d(path: &str) -> SimplexMesh<2> {
    SimplexMesh::<2>::read(path).unwrap()
}

fn read_3d(path: &str) -> SimplexMesh<3> {
    SimplexMesh::<3>::read(path).unwrap()
}

#[test]
fn compliance_and_geodesic_distances_are_those_of_the_reference() {
    check_distances(&body("tentacle2d", read_2d));
    check_distances(&body("bone2d", read_2d));
    check_distances(&body("tentacle3d_s", read_3d));
}

#[test]
fn sampled_nodes_are_those_of_the_reference() {
    check_nodes(&body("tentacle2d", read_2d));
    check_nodes(&body("bone2d", read_2d));
    check_nodes(&body("tentacle3d_s", read_3d));
}
