//! Statics of the reference tentacles in 2D and 3D: one Newton step, and whole solves from rest, full and in 24 frames.
//!
//! A step assembles the Hessian of a bent body, then factorises it (full) or projects it onto the frames and solves densely
//! (reduced). Sparse weights are sparse meshless frames, dense ones material eigenmodes.

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use pliant::{
    basis::{BasisBuilder, Method, MethodOptions, Subspace},
    fem::{HessianProjection, StableNeoHookean},
    mesh::{Material, MaterialMap, SimplexMesh, VertexSelection},
    statics::{EquilibriumProblem, FullProblem, Hold, NewtonOptions, solve_equilibrium},
};

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, ..BONE };

/// Frames of every subspace.
const FRAMES: usize = 24;

/// One Newton step at a displacement.
fn step<'m, const D: usize>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    problem: &impl EquilibriumProblem<'m, D>,
    displacement: &[f64],
) {
    let gradient = problem.restrict(problem.full().residual(displacement));
    let mut workspace = problem.workspace().expect("the problem is well posed");
    for projection in [HessianProjection::Plain, HessianProjection::PositiveSemidefinite] {
        group.bench_function(format!("{name} step, {projection:?} Hessian"), |bencher| {
            bencher.iter(|| {
                problem.newton_step(&mut workspace, black_box(displacement), &gradient, projection, 0.0)
            });
        });
    }
}

/// Every stage on one tentacle, soft pins at its thick end.
fn tentacle<const D: usize>(criterion: &mut Criterion, name: &str, mesh: &SimplexMesh<D>) {
    let material = MaterialMap::from_regions(mesh, &[("bone", BONE), ("joint", JOINT)])
        .expect("the tentacle has these two regions");
    let pins = VertexSelection::Range { axis: 0, min: None, max: Some(-0.3) }
        .select(mesh)
        .expect("the tentacle begins at -0.6");
    let gravity = std::array::from_fn(|axis| if axis == 1 { -9.8 } else { 0.0 });
    let full =
        FullProblem::new(mesh, &material, StableNeoHookean).pin_with(&pins, Hold::Soft(1e9)).gravity(gravity);
    let options = NewtonOptions::default();
    let bent = solve_equilibrium(&full, &options).expect("the problem is well posed").displacement;

    let mut group = criterion.benchmark_group(format!("statics/{name}"));
    group.sample_size(10);
    group.bench_function("potential energy", |bencher| {
        bencher.iter(|| full.potential_energy(black_box(&bent)));
    });
    group.bench_function("residual", |bencher| bencher.iter(|| full.residual(black_box(&bent))));
    group.bench_function("full workspace", |bencher| bencher.iter(|| black_box(&full).workspace().is_ok()));
    step(&mut group, "full", &full, &bent);
    group.bench_function("full solve", |bencher| {
        bencher.iter(|| solve_equilibrium(black_box(&full), &options).is_ok());
    });

    let builder = BasisBuilder::new(mesh, &material).expect("the material is of this mesh");
    for (weights, method) in [("sparse", Method::SparseMeshless), ("dense", Method::MaterialEigenmodes)] {
        let built =
            builder.build(method, FRAMES, &MethodOptions::default()).expect("the tentacle is connected");
        let subspace =
            Subspace::linear_blend_skinning(mesh, &material, built.weights).expect("weights of this mesh");
        let reduced = full.project(&subspace).expect("soft pins ask for nothing");
        step(&mut group, weights, &reduced, &bent);
        group.bench_function(format!("{weights} solve"), |bencher| {
            bencher.iter(|| solve_equilibrium(black_box(&reduced), &options).is_ok());
        });
    }
    group.finish();
}

fn path(name: &str) -> String {
    format!("{}/data/reference/{name}.msh", env!("CARGO_MANIFEST_DIR"))
}

fn tentacle2d(criterion: &mut Criterion) {
    let mesh = SimplexMesh::<2>::read(path("tentacle2d")).expect("the mesh is in the repository");
    tentacle(criterion, "tentacle2d", &mesh);
}

fn tentacle3d(criterion: &mut Criterion) {
    let mesh = SimplexMesh::<3>::read(path("tentacle3d_s")).expect("the mesh is in the repository");
    tentacle(criterion, "tentacle3d_s", &mesh);
}

criterion_group!(benches, tentacle2d, tentacle3d);
criterion_main!(benches);
