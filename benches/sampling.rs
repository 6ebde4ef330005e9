//! Sampling and weights on a structured box of about 20,000 vertices with soft layers: every stage from mesh to weights.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pliant::{
    basis::{HrpdOptions, VoronoiOptions, hrpd_weights, voronoi_weights},
    graph::{ComplianceGraph, SamplingOptions, sample_nodes, voronoi_cell_labels},
    mesh::{Material, MaterialMap, SimplexMesh},
};

/// Vertices along each edge of the box.
const SIDE: usize = 27;

/// Nodes sampled.
const NODES: usize = 24;

/// A unit cube of `SIDE`^3 vertices, each small cube cut into six tetrahedra around its diagonal.
fn cube() -> SimplexMesh<3> {
    let index = |corner: [usize; 3]| (corner[2] * SIDE + corner[1]) * SIDE + corner[0];
    let step = 1.0 / (SIDE - 1) as f64;
    let (mut positions, mut cells) = (Vec::new(), Vec::new());
    for z in 0..SIDE {
        for y in 0..SIDE {
            for x in 0..SIDE {
                positions.push([x, y, z].map(|coordinate| coordinate as f64 * step));
                if x + 1 < SIDE && y + 1 < SIDE && z + 1 < SIDE {
                    for (axes, even) in [
                        ([0, 1, 2], true),
                        ([1, 2, 0], true),
                        ([2, 0, 1], true),
                        ([1, 0, 2], false),
                        ([0, 2, 1], false),
                        ([2, 1, 0], false),
                    ] {
                        let mut corner = [x, y, z];
                        let mut cell = vec![index(corner)];
                        for axis in axes {
                            corner[axis] += 1;
                            cell.push(index(corner));
                        }
                        if !even {
                            cell.swap(2, 3);
                        }
                        cells.extend(cell);
                    }
                }
            }
        }
    }
    SimplexMesh::new(positions, cells).expect("the cells of a cube are positively oriented")
}

/// Soft layers across the first axis, a thousand times softer than the rest.
fn layers(mesh: &SimplexMesh<3>) -> MaterialMap {
    MaterialMap::from_function(mesh, |centroid| {
        let soft = (0.2..0.4).contains(&centroid[0]) || (0.6..0.8).contains(&centroid[0]);
        Material { youngs_modulus: if soft { 1e3 } else { 1e6 }, poisson_ratio: 0.4, density: 1.0 }
    })
    .expect("both materials are in range")
}

fn sampling(criterion: &mut Criterion) {
    let mesh = cube();
    let material = layers(&mesh);
    let graph = ComplianceGraph::new(&mesh, &material);
    let options = SamplingOptions::default();
    let nodes = sample_nodes(&graph, &mesh, NODES, &options).expect("the body is connected");
    let voronoi = VoronoiOptions::default();

    let mut group = criterion.benchmark_group("sampling");
    group.sample_size(10);
    group.bench_function("graph construction", |bencher| {
        bencher.iter(|| ComplianceGraph::new(black_box(&mesh), &material));
    });
    group.bench_function("distances from one vertex", |bencher| {
        bencher.iter(|| graph.distances_from(black_box(0)));
    });
    group.bench_function("nearest of 24 nodes", |bencher| {
        bencher.iter(|| graph.nearest_source(black_box(&nodes)));
    });
    group.bench_function("24 farthest points", |bencher| {
        let without_lloyd = SamplingOptions { lloyd_passes: 0, ..options.clone() };
        bencher.iter(|| sample_nodes(&graph, &mesh, black_box(NODES), &without_lloyd));
    });
    group.bench_function("24 nodes with Lloyd", |bencher| {
        bencher.iter(|| sample_nodes(&graph, &mesh, black_box(NODES), &options));
    });
    group.bench_function("Voronoi labels of cells", |bencher| {
        bencher.iter(|| voronoi_cell_labels(&graph, &mesh, black_box(&nodes)));
    });
    group.bench_function("Voronoi weights of 24 nodes", |bencher| {
        bencher.iter(|| voronoi_weights(&graph, black_box(&nodes), &voronoi));
    });
    group.bench_function("HRPD weights of 24 nodes", |bencher| {
        bencher.iter(|| hrpd_weights(&mesh, black_box(NODES), &HrpdOptions::default()));
    });
    group.finish();
}

criterion_group!(benches, sampling);
criterion_main!(benches);
