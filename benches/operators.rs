//! Operators on a box and on the tentacles: pattern, assembly, products, factorisation, skinning eigenmodes.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pliant::basis::{EigenOptions, Stiffness, skinning_eigenmodes};
use pliant::fem::{Ordering, ShapeGradients, SparseCholesky, SymmetricMatrix, SymmetricPattern, laplacian};
use pliant::mesh::{
    Material, MaterialMap, SimplexMesh, Tentacle2dOptions, Tentacle3dOptions, tentacle_2d, tentacle_3d,
};

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 1.0 };

/// Columns of a panel, as many as 12 frames in 3D have rows of one vertex's block.
const PANEL: usize = 12;

/// The blocks of a cell of a diagonally dominant matrix with D rows for each vertex, in place of a stiffness.
fn fill<const D: usize>(_cell: usize, blocks: &mut [f64]) {
    blocks.fill(-0.05);
    for corner in 0..=D {
        let start = SymmetricPattern::cell_pair(corner, corner) * D * D;
        (0..D).for_each(|i| blocks[start + i * (D + 1)] = 1.0);
    }
}

fn stages<const D: usize>(criterion: &mut Criterion, name: &str, mesh: &SimplexMesh<D>) {
    let mut group = criterion.benchmark_group(format!("operators/{name}"));
    group.sample_size(10);
    group.bench_function("gradients", |bencher| bencher.iter(|| ShapeGradients::new(black_box(mesh))));
    group.bench_function("pattern", |bencher| bencher.iter(|| SymmetricPattern::new(black_box(mesh), D)));
    let gradients = ShapeGradients::new(mesh);
    let ones = vec![1.0; mesh.cell_count()];
    group.bench_function("laplacian", |bencher| {
        bencher.iter(|| laplacian(mesh, &gradients, black_box(&ones)))
    });

    let pattern = Arc::new(SymmetricPattern::new(mesh, D));
    let mut matrix = SymmetricMatrix::from_cells(pattern.clone(), fill::<D>);
    group.bench_function("assemble", |bencher| bencher.iter(|| matrix.assemble(black_box(fill::<D>))));
    let x = vec![1.0; matrix.dof_count() * PANEL];
    let mut y = x.clone();
    let rows = matrix.dof_count();
    group.bench_function("multiply", |bencher| bencher.iter(|| matrix.multiply(&x[..rows], &mut y[..rows])));
    group.bench_function("multiply_panel", |bencher| {
        bencher.iter(|| matrix.multiply_panel(&x, PANEL, &mut y))
    });
    for ordering in [Ordering::MinimumDegree, Ordering::NestedDissection] {
        let label = format!("{ordering:?}");
        group.bench_function(BenchmarkId::new("analyse", &label), |bencher| {
            bencher.iter(|| SparseCholesky::new(&pattern, ordering).expect("it fits into memory"));
        });
        let mut cholesky = SparseCholesky::new(&pattern, ordering).expect("it fits into memory");
        group.bench_function(BenchmarkId::new("factorize", &label), |bencher| {
            bencher.iter(|| cholesky.factorize(&matrix).expect("the matrix is diagonally dominant"));
        });
        group.bench_function(BenchmarkId::new("solve", &label), |bencher| {
            bencher.iter(|| cholesky.solve_in_place(&mut y[..rows]));
        });
    }
    group.finish();
}

fn eigenmodes<const D: usize>(criterion: &mut Criterion, name: &str, mesh: &SimplexMesh<D>) {
    let material = MaterialMap::from_regions(mesh, &[("bone", BONE), ("joint", JOINT)])
        .expect("the tentacle has these two regions");
    let mut group = criterion.benchmark_group(format!("eigenmodes/{name}"));
    group.sample_size(10);
    for (label, stiffness) in [("uniform", Stiffness::Uniform), ("material", Stiffness::Material(&material))]
    {
        group.bench_function(label, |bencher| {
            bencher.iter(|| {
                skinning_eigenmodes(mesh, 24, stiffness, &EigenOptions::default())
                    .expect("the modes converge")
            });
        });
    }
    group.finish();
}

fn operators(criterion: &mut Criterion) {
    let plane = tentacle_2d(&Tentacle2dOptions::default()).expect("the default size is valid");
    let solid = tentacle_3d(&Tentacle3dOptions::default()).expect("the default size is valid");
    stages(criterion, &format!("tentacle2d_{}", plane.vertex_count()), &plane);
    stages(criterion, &format!("tentacle3d_{}", solid.vertex_count()), &solid);
    eigenmodes(criterion, &format!("tentacle2d_{}", plane.vertex_count()), &plane);
    eigenmodes(criterion, &format!("tentacle3d_{}", solid.vertex_count()), &solid);
}

criterion_group!(benches, operators);
criterion_main!(benches);
