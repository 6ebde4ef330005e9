//! The iterative solver on the stiffness of 3D tentacles, bones a thousand times stiffer than joints: set-up, one preconditioning, and a solve to 1e-8.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pliant::fem::{
    Elasticity, HessianProjection, LameConvention, NearKernel, SmoothedAggregation, StableNeoHookean,
    SymmetricMatrix, SymmetricPattern,
};
use pliant::mesh::{Material, MaterialMap, Tentacle3dOptions, VertexSelection, tentacle_3d};

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, ..BONE };

fn iterative(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("iterative");
    group.sample_size(10);
    for cell_size in [0.12, 0.055] {
        let mesh = tentacle_3d(&Tentacle3dOptions { cell_size }).expect("the size is positive");
        let material = MaterialMap::from_regions(&mesh, &[("bone", BONE), ("joint", JOINT)])
            .expect("the tentacle has these two regions");
        let elasticity =
            Elasticity::new(&mesh, &material, Arc::new(StableNeoHookean), LameConvention::Consistent);
        let mut matrix = SymmetricMatrix::zeros(Arc::new(SymmetricPattern::new(&mesh, 3)));
        let rest = vec![0.0; matrix.dof_count()];
        elasticity.assemble_hessian(&rest, HessianProjection::Plain, &mut matrix);
        let pins = VertexSelection::Range { axis: 0, min: None, max: Some(-0.3) }
            .select(&mesh)
            .expect("the tentacle begins at -0.6");
        let mut held = vec![false; matrix.dof_count()];
        pins.iter().for_each(|pin| held[pin * 3..(pin + 1) * 3].fill(true));
        matrix.eliminate(&held, 1.0);
        let load: Vec<f64> =
            (0..held.len()).map(|dof| if dof % 3 == 1 && !held[dof] { -1.0 } else { 0.0 }).collect();

        let vertices = mesh.vertex_count();
        let kernel = NearKernel::RigidMotions(mesh.positions());
        group.bench_function(BenchmarkId::new("set-up", vertices), |bencher| {
            bencher.iter(|| SmoothedAggregation::new(black_box(&matrix), kernel).is_ok());
        });
        let solver = SmoothedAggregation::new(&matrix, kernel).expect("the body is held");
        group.bench_function(BenchmarkId::new("precondition", vertices), |bencher| {
            bencher.iter(|| solver.precondition(black_box(&load)));
        });
        group.bench_function(BenchmarkId::new("solve", vertices), |bencher| {
            bencher.iter(|| solver.solve(black_box(&load), |_| 1e-8, 100).expect("the body is held"));
        });
    }
    group.finish();
}

criterion_group!(benches, iterative);
criterion_main!(benches);
