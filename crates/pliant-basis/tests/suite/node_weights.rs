//! Voronoi and HRPD weights: what they promise, against their formulas as written, and against the reference figures.

use pliant_basis::{
    BasisError, HrpdKernel, HrpdOptions, VoronoiOptions, Weights, hrpd_weights, voronoi_weights,
};
use pliant_graph::{ComplianceGraph, SamplingOptions, UncoveredComponents, sample_nodes};
use pliant_mesh::{Material, MaterialMap, SimplexMesh};
use proptest::prelude::*;

/// A unit square of `side` x `side` vertices from `x = left`, one material for each of three vertical stripes.
fn square_parts(side: usize, left: f64) -> (Vec<[f64; 2]>, Vec<usize>) {
    let step = 1.0 / (side - 1) as f64;
    let wobble = |index: usize| 0.2 * step * ((index * 37 % 11) as f64 / 11.0 - 0.5);
    let positions = (0..side * side)
        .map(|index| {
            let (column, row) = ((index % side) as f64, (index / side) as f64);
            [left + column * step + wobble(index), row * step + wobble(index + 5)]
        })
        .collect();
    let mut cells = Vec::new();
    for corner in (0..side * (side - 1)).filter(|corner| corner % side + 1 < side) {
        let (right, up) = (corner + 1, corner + side);
        cells.extend([corner, right, up + 1, corner, up + 1, up]);
    }
    (positions, cells)
}

fn striped_square(side: usize, contrast: f64) -> (SimplexMesh<2>, ComplianceGraph) {
    let (positions, cells) = square_parts(side, 0.0);
    let mesh = SimplexMesh::new(positions, cells).unwrap();
    let material = MaterialMap::from_function(&mesh, |centroid| {
        let soft = (0.3..0.6).contains(&centroid[0]);
        Material { youngs_modulus: if soft { 1.0 } else { contrast }, poisson_ratio: 0.3, density: 1.0 }
    });
    let graph = ComplianceGraph::new(&mesh, &material.unwrap());
    (mesh, graph)
}

fn two_squares() -> SimplexMesh<2> {
    let (mut positions, mut cells) = square_parts(5, 0.0);
    let (others, other_cells) = square_parts(4, 2.0);
    cells.extend(other_cells.iter().map(|vertex| vertex + positions.len()));
    positions.extend(others);
    SimplexMesh::new(positions, cells).unwrap()
}

/// Rows over all frames from full distances, normalised.
fn dense_rows(each: &[Vec<f64>], value: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let frames = each.len();
    let rows = (0..each[0].len()).map(|vertex| {
        let values: Vec<f64> = (0..frames).map(|frame| value(vertex, frame)).collect();
        let sum: f64 = values.iter().sum();
        values.into_iter().map(|value| value / sum).collect()
    });
    rows.collect()
}

/// The formula of DESIGN with one full run for each node.
fn textbook_voronoi(graph: &ComplianceGraph, nodes: &[usize], scale: f64) -> Vec<Vec<f64>> {
    let each = graph.distances_from_each(nodes);
    let spacing = |frame: usize| {
        let others = (0..nodes.len()).filter(|&other| other != frame);
        others.map(|other| each[frame][nodes[other]]).fold(f64::INFINITY, f64::min)
    };
    dense_rows(&each, |vertex, frame| {
        let mut all: Vec<f64> = each.iter().map(|from| from[vertex]).collect();
        all.sort_by(f64::total_cmp);
        let radius = scale * spacing(frame).max(all[0] + all[1]);
        (1.0 - each[frame][vertex] / radius).max(0.0)
    })
}

fn assert_close(weights: &Weights, expected: &[Vec<f64>]) {
    for (vertex, row) in expected.iter().enumerate() {
        for (frame, &value) in row.iter().enumerate() {
            let found = weights.weight(vertex, frame);
            // A weight of 1e-9 may be dropped, and the rest of its row grows by as much.
            assert!((found - value).abs() < 1e-8, "vertex {vertex} frame {frame}: {found} for {value}");
        }
    }
}

#[test]
fn one_node_gives_ones_everywhere() {
    let (mesh, graph) = striped_square(6, 100.0);
    let weights = voronoi_weights(&graph, &[7], &VoronoiOptions::default()).unwrap();
    assert_eq!(weights.column(0), vec![1.0; 36]);
    let hrpd = hrpd_weights(&mesh, 1, &HrpdOptions::default()).unwrap();
    assert_eq!(hrpd.weights.column(0), vec![1.0; 36]);
}

#[test]
fn as_many_nodes_as_vertices_give_unit_rows() {
    let (mesh, graph) = striped_square(5, 100.0);
    let nodes: Vec<usize> = (0..25).rev().collect();
    let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap();
    let hrpd = hrpd_weights(&mesh, 25, &HrpdOptions::default()).unwrap();
    for vertex in 0..25 {
        assert_eq!(weights.row(vertex), (&[24 - vertex][..], &[1.0][..]));
        assert_eq!(hrpd.weights.weight(hrpd.nodes[vertex], vertex), 1.0);
    }
    assert_eq!(hrpd.weights.nonzeros(), 25);
}

#[test]
fn a_scale_above_one_does_not_interpolate() {
    let (mesh, graph) = striped_square(9, 100.0);
    let nodes = sample_nodes(&graph, &mesh, 5, &SamplingOptions::default()).unwrap();
    let wide = voronoi_weights(&graph, &nodes, &VoronoiOptions { support_scale: 1.5 }).unwrap();
    assert!(nodes.iter().enumerate().any(|(frame, &node)| wide.weight(node, frame) < 0.9));
    assert_close(&wide, &textbook_voronoi(&graph, &nodes, 1.5));
}

#[test]
fn supports_that_may_miss_a_vertex_are_refused() {
    let (mesh, graph) = striped_square(5, 1.0);
    for support_scale in [0.5, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = voronoi_weights(&graph, &[0, 24], &VoronoiOptions { support_scale }).unwrap_err();
        let message = format!(
            "the support scale of sparse-meshless is {support_scale}; give a finite number above 0.5"
        );
        assert_eq!(error.to_string(), message);
        let options = HrpdOptions { support_scale: Some(support_scale), ..HrpdOptions::default() };
        let error = hrpd_weights(&mesh, 2, &options).unwrap_err();
        assert!(matches!(error, BasisError::SupportScale { method: "hrpd", .. }), "{error}");
    }
    let barely = voronoi_weights(&graph, &[0, 24], &VoronoiOptions { support_scale: 0.5 + 1e-9 }).unwrap();
    assert!(barely.partition_of_unity_error() < 1e-12);
    let options = HrpdOptions { support_scale: Some(1.0 + 1e-9), ..HrpdOptions::default() };
    assert!(hrpd_weights(&mesh, 2, &options).unwrap().weights.partition_of_unity_error() < 1e-12);
}

#[test]
fn bad_nodes_are_refused_in_the_words_of_the_graph() {
    let (mesh, graph) = striped_square(5, 1.0);
    let message =
        |nodes: &[usize]| voronoi_weights(&graph, nodes, &VoronoiOptions::default()).unwrap_err().to_string();
    assert_eq!(message(&[]), "0 nodes were asked for; ask for at least one");
    assert_eq!(message(&[3, 25]), "node 1 is vertex 25, but the mesh has 25 vertices (0 to 24)");
    assert_eq!(message(&[3, 3]), "nodes 0 and 1 are both vertex 3; every node must be a different vertex");
    let error = hrpd_weights(&mesh, 26, &HrpdOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "26 nodes were asked for, but the mesh has only 25 vertices; ask for fewer nodes"
    );
}

#[test]
fn a_component_needs_a_node_and_one_alone_has_it_whole() {
    let mesh = two_squares();
    let graph = ComplianceGraph::geodesic(&mesh);
    let error = voronoi_weights(&graph, &[0, 1], &VoronoiOptions::default()).unwrap_err();
    assert!(error.to_string().contains("has 16 vertices and starts at vertex 25"), "{error}");
    let weights = voronoi_weights(&graph, &[0, 24, 30], &VoronoiOptions::default()).unwrap();
    assert!((25..41).all(|vertex| weights.row(vertex) == (&[2][..], &[1.0][..])));
    assert!((0..25).all(|vertex| weights.weight(vertex, 2) == 0.0));
    assert!(weights.partition_of_unity_error() < 1e-12);

    assert!(hrpd_weights(&mesh, 1, &HrpdOptions::default()).is_err());
    let options =
        HrpdOptions { uncovered_components: UncoveredComponents::AddNodes, ..HrpdOptions::default() };
    let hrpd = hrpd_weights(&mesh, 1, &options).unwrap();
    assert_eq!((hrpd.nodes.len(), hrpd.weights.frame_count()), (2, 2));
    assert!(hrpd.weights.partition_of_unity_error() < 1e-12);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (mesh, graph) = striped_square(12, 1e4);
    let nodes = sample_nodes(&graph, &mesh, 9, &SamplingOptions::default()).unwrap();
    let build = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let voronoi = voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap();
            (voronoi, hrpd_weights(&mesh, 9, &HrpdOptions::default()).unwrap())
        })
    };
    assert_eq!(build(1), build(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn voronoi_weights_are_those_of_full_distances(
        nodes in proptest::collection::hash_set(0usize..100, 2..14),
        exponent in 0.0f64..9.0,
        scale in 0.55f64..3.0,
    ) {
        let (_, graph) = striped_square(10, 10f64.powf(exponent));
        let nodes: Vec<usize> = nodes.into_iter().collect();
        let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions { support_scale: scale }).unwrap();
        assert_close(&weights, &textbook_voronoi(&graph, &nodes, scale));
        prop_assert!(weights.partition_of_unity_error() < 1e-12);
        prop_assert!(weights.values().iter().all(|&weight| weight > 1e-9));
    }

    #[test]
    fn voronoi_weights_interpolate_exactly_up_to_scale_one(
        nodes in proptest::collection::hash_set(0usize..100, 1..14),
        exponent in 0.0f64..9.0,
        scale in prop_oneof![Just(1.0), 0.55f64..1.0],
    ) {
        let (_, graph) = striped_square(10, 10f64.powf(exponent));
        let nodes: Vec<usize> = nodes.into_iter().collect();
        let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions { support_scale: scale }).unwrap();
        for (frame, &node) in nodes.iter().enumerate() {
            prop_assert_eq!(weights.row(node), (&[frame][..], &[1.0][..]));
        }
    }

    #[test]
    fn hrpd_weights_are_those_of_full_distances(
        frames in 1usize..40,
        quartic in proptest::bool::ANY,
        scale in 1.05f64..4.0,
    ) {
        let (mesh, _) = striped_square(10, 1.0);
        let kernel = if quartic { HrpdKernel::Quartic } else { HrpdKernel::Wendland };
        let options = HrpdOptions { kernel, support_scale: Some(scale), ..HrpdOptions::default() };
        let hrpd = hrpd_weights(&mesh, frames, &options).unwrap();
        let each = ComplianceGraph::geodesic(&mesh).distances_from_each(&hrpd.nodes);
        let nearest = |vertex: usize| each.iter().map(|from| from[vertex]).fold(f64::INFINITY, f64::min);
        let radius = scale * (0..100).map(nearest).fold(0.0, f64::max);
        assert_close(&hrpd.weights, &dense_rows(&each, |vertex, frame| {
            let x = each[frame][vertex] / radius;
            let shape = if quartic { (1.0 - x * x).powi(2) } else { (1.0 - x).powi(4) * (4.0 * x + 1.0) };
            if x < 1.0 { shape } else { 0.0 }
        }));
        prop_assert!(hrpd.weights.partition_of_unity_error() < 1e-12);
    }
}
