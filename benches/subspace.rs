//! Subspaces of the 3D tentacle (8,026 vertices): finding the rank, and projecting positions onto the frames.

use criterion::{Criterion, criterion_group, criterion_main};
use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace, Weights};
use pliant::mesh::{Material, MaterialMap, SimplexMesh, Tentacle3dOptions, tentacle_3d};
use std::hint::black_box;

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 1.0 };

/// Frames of every subspace.
const FRAMES: usize = 24;

/// Dense weights that vary smoothly: cosines along the body stand in for modes.
fn smooth_weights(mesh: &SimplexMesh<3>) -> Weights {
    let cosines = mesh.positions().iter().flat_map(|[x, y, z]| {
        (0..FRAMES).map(move |mode| (0.7 * mode as f64 * x + 0.3 * (mode % 5) as f64 * (y - z)).cos())
    });
    Weights::from_dense(FRAMES, cosines.collect()).expect("cosines are finite")
}

fn subspaces(criterion: &mut Criterion) {
    let mesh = tentacle_3d(&Tentacle3dOptions::default()).expect("the default size is valid");
    let material = MaterialMap::from_regions(&mesh, &[("bone", BONE), ("joint", JOINT)])
        .expect("the tentacle has these two regions");
    let builder = BasisBuilder::new(&mesh, &material).expect("the material is of this mesh");
    let built = builder
        .build(Method::SparseMeshless, FRAMES, &MethodOptions::default())
        .expect("the tentacle is connected");
    for (name, weights) in [("sparse", built.weights), ("dense", smooth_weights(&mesh))] {
        let build = |weights: Weights| {
            Subspace::linear_blend_skinning(&mesh, &material, weights).expect("weights of this mesh")
        };
        let mut group = criterion.benchmark_group(format!("subspace/{name}"));
        group.sample_size(10);
        group.bench_function("build", |bencher| bencher.iter(|| build(black_box(weights.clone()))));
        let subspace = build(weights.clone());
        let coordinates = subspace.rest_coordinates();
        group.bench_function("lift", |bencher| bencher.iter(|| subspace.lift(black_box(&coordinates))));
        // The first projection factors; the group measures those that follow.
        let positions = subspace.lift(&coordinates);
        subspace.project(&positions);
        group.bench_function("project", |bencher| bencher.iter(|| subspace.project(black_box(&positions))));
        group.finish();
    }
}

criterion_group!(benches, subspaces);
criterion_main!(benches);
