//! What the preconditioner promises, on small bodies.

use super::*;
use crate::test_meshes::{in_pools, random_vector, shuffled_lattice, stiffness};
use crate::{Ordering, SparseCholesky};
use pliant_mesh::SimplexMesh;

/// A block that is held on one side (hard, or by springs), with balls in it that are stiffer than the rest by a ratio.
fn body<const D: usize>(mesh: &SimplexMesh<D>, ratio: f64, spring: Option<f64>) -> SymmetricMatrix {
    // One large ball, and small ones of a few vertices.
    let is_stiff = |x: [f64; D]| {
        let from = |centre: [f64; 3], radius: f64| {
            (0..D).map(|axis| (x[axis] - centre[axis]).powi(2)).sum::<f64>() < radius * radius
        };
        from([0.6, 0.55, 0.5], 0.27) || from([0.15, 0.2, 0.2], 0.13) || from([0.85, 0.15, 0.8], 0.13)
    };
    let mut matrix = stiffness(mesh, |x| if is_stiff(x) { 1e3 * ratio } else { 1e3 });
    let held: Vec<bool> = mesh.positions().iter().flat_map(|x| [x[0] < 0.05; D]).collect();
    match spring {
        None => matrix.eliminate(&held, 1.0),
        Some(spring) => {
            let springs: Vec<f64> = held.iter().map(|held| if *held { spring } else { 0.0 }).collect();
            matrix.add_to_diagonal(&springs);
        }
    }
    matrix
}

fn preconditioner<const D: usize>(mesh: &SimplexMesh<D>, matrix: &SymmetricMatrix) -> SmoothedAggregation {
    SmoothedAggregation::new(matrix, NearKernel::RigidMotions(mesh.positions())).unwrap()
}

/// Forces that hold no vertex: 0 where the rows are eliminated.
fn forces<const D: usize>(mesh: &SimplexMesh<D>, seed: u64) -> Vec<f64> {
    let mut forces = random_vector(mesh.vertex_count() * D, seed);
    let held = mesh.positions().iter().map(|x| x[0] < 0.05);
    forces.chunks_exact_mut(D).zip(held).filter(|(_, held)| *held).for_each(|(force, _)| force.fill(0.0));
    forces
}

fn preconditioner_is_symmetric_and_positive<const D: usize>(side: usize) {
    let mesh = shuffled_lattice::<D>(side, 1);
    for ratio in [1.0, 1e6] {
        let solver = preconditioner(&mesh, &body(&mesh, ratio, Some(1e9)));
        let (v, w) = (random_vector(mesh.vertex_count() * D, 2), random_vector(mesh.vertex_count() * D, 3));
        let (mv, mw) = (solver.precondition(&v), solver.precondition(&w));
        let (vv, vw, wv, ww) = (dot(&v, &mv), dot(&v, &mw), dot(&w, &mv), dot(&w, &mw));
        assert!(vv > 0.0 && ww > 0.0);
        assert!((vw - wv).abs() < 1e-8 * (vv * ww).sqrt(), "ratio {ratio}: {vw} {wv}");
    }
}

#[test]
fn the_preconditioner_is_symmetric_and_positive() {
    preconditioner_is_symmetric_and_positive::<2>(16);
    preconditioner_is_symmetric_and_positive::<3>(9);
}

fn solves_are_those_of_the_factorisation<const D: usize>(side: usize) {
    let mesh = shuffled_lattice::<D>(side, 4);
    let b = forces(&mesh, 5);
    for ratio in [1.0, 1e6] {
        for spring in [None, Some(1e9)] {
            let matrix = body(&mesh, ratio, spring);
            let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto).unwrap();
            cholesky.factorize(&matrix).unwrap();
            let mut exact = b.clone();
            cholesky.solve_in_place(&mut exact);
            let found = preconditioner(&mesh, &matrix).solve(&b, |_| 1e-10, 200).unwrap();
            let apart: Vec<f64> = found.solution.iter().zip(&exact).map(|(x, y)| x - y).collect();
            let relative = (dot(&apart, &apart) / dot(&exact, &exact)).sqrt();
            assert!(found.relative_residual <= 1e-10 && relative < 1e-7, "{ratio} {spring:?}: {relative}");
        }
    }
}

#[test]
fn solves_agree_with_the_factorisation_for_any_ratio_of_moduli_and_any_hold() {
    solves_are_those_of_the_factorisation::<2>(20);
    solves_are_those_of_the_factorisation::<3>(8);
}

#[test]
fn iterations_hardly_depend_on_the_ratio_of_the_moduli_or_on_the_mesh() {
    let iterations = |side: usize, ratio: f64| {
        let mesh = shuffled_lattice::<3>(side, 6);
        let solver = preconditioner(&mesh, &body(&mesh, ratio, None));
        solver.solve(&forces(&mesh, 7), |_| 1e-8, 500).unwrap().iterations
    };
    let uniform = iterations(12, 1.0);
    for ratio in [1e3, 1e6] {
        let contrast = iterations(12, ratio);
        assert!(2 * contrast <= 3 * uniform, "ratio {ratio}: {contrast} iterations, uniform {uniform}");
    }
    // Eight times the vertices. Bodies as small as these are still far from where the count levels off.
    let (coarse, fine) = (iterations(6, 1e6), iterations(12, 1e6));
    assert!(2 * fine <= 3 * coarse, "{coarse} and {fine} iterations");
}

#[test]
fn a_laplacian_is_solved_with_constants_as_its_near_kernel() {
    let mesh = shuffled_lattice::<3>(10, 8);
    let moduli: Vec<f64> =
        (0..mesh.cell_count()).map(|cell| if mesh.centroid(cell)[1] < 0.5 { 1e6 } else { 1.0 }).collect();
    let mut matrix = crate::laplacian(&mesh, &crate::ShapeGradients::new(&mesh), &moduli);
    matrix.eliminate(&mesh.positions().iter().map(|x| x[0] < 0.05).collect::<Vec<_>>(), 1.0);
    let solver = SmoothedAggregation::new::<3>(&matrix, NearKernel::Constant).unwrap();
    let b = random_vector(mesh.vertex_count(), 9);
    let found = solver.solve(&b, |_| 1e-9, 60).unwrap();
    assert!(matrix.relative_residual(&found.solution, &b) < 1e-6, "{}", found.iterations);
}

#[test]
fn every_column_of_a_panel_is_treated_as_if_alone_on_every_level() {
    let mesh = shuffled_lattice::<3>(12, 15);
    let solver = preconditioner(&mesh, &body(&mesh, 1e3, Some(1e9)));
    assert!(solver.level_count() > 1);
    for level in 0..solver.level_count() {
        let rows = solver.level_rows(level);
        for width in SmoothedAggregation::PANEL_WIDTHS {
            let panel = random_vector(rows * width, 16);
            let (mut product, mut smoothed) = (vec![0.0; rows * width], vec![f64::NAN; rows * width]);
            solver.multiply_panel(level, &panel, width, &mut product);
            solver.precondition_panel(level, &panel, width, &mut smoothed);
            let column = |values: &[f64]| -> Vec<f64> {
                values.iter().skip(width - 1).step_by(width).copied().collect()
            };
            let alone = column(&panel);
            let (mut alone_product, mut alone_smoothed) = (vec![0.0; rows], vec![0.0; rows]);
            solver.multiply_panel(level, &alone, 1, &mut alone_product);
            solver.precondition_panel(level, &alone, 1, &mut alone_smoothed);
            assert_eq!(column(&product), alone_product);
            let apart: f64 =
                column(&smoothed).iter().zip(&alone_smoothed).map(|(a, b)| (a - b).powi(2)).sum();
            assert!(apart <= 1e-20 * dot(&alone_smoothed, &alone_smoothed), "level {level}, width {width}");
        }
    }
}

#[test]
fn the_mass_of_a_coarse_level_is_positive_and_bounds_the_mass_of_what_is_interpolated() {
    let mesh = shuffled_lattice::<3>(14, 17);
    let moduli = vec![1.0; mesh.cell_count()];
    let mut matrix = crate::laplacian(&mesh, &crate::ShapeGradients::new(&mesh), &moduli);
    let mass = crate::lumped_mass(&mesh, &moduli);
    matrix.add_to_diagonal(&mass);
    let solver = SmoothedAggregation::new::<3>(&matrix, NearKernel::Constant).unwrap();
    let coarse_mass = solver.coarse_mass(0, &mass);
    assert!(coarse_mass.len() == solver.level_rows(1) && coarse_mass.iter().all(|&mass| mass > 0.0));
    let coarse = random_vector(coarse_mass.len(), 18);
    let fine = solver.prolong_panel(0, &coarse, 1);
    let norm = |x: &[f64], mass: &[f64]| x.iter().zip(mass).map(|(x, mass)| mass * x * x).sum::<f64>();
    assert!(norm(&fine, &mass) <= norm(&coarse, &coarse_mass));
}

#[test]
fn an_indefinite_matrix_is_noticed() {
    let mesh = shuffled_lattice::<3>(6, 10);
    let matrix = body(&mesh, 1e3, None);
    let b = forces(&mesh, 11);
    // Smooth negative curvature, which every block of the diagonal hides.
    let mut bent = matrix.clone();
    let shift: Vec<f64> = matrix.diagonal().iter().map(|entry| -0.2 * entry).collect();
    bent.add_to_diagonal(&shift);
    let outcome = SmoothedAggregation::new(&bent, NearKernel::RigidMotions(mesh.positions()))
        .and_then(|solver| solver.solve(&b, |_| 1e-8, 500));
    assert!(
        matches!(outcome, Err(FemError::Indefinite { .. } | FemError::NotPositiveDefinite { .. })),
        "{outcome:?}"
    );
    // A block of the diagonal.
    let mut broken = matrix.clone();
    let place = broken.pattern().column_offsets()[30];
    for bad in [-1.0, 0.0, f64::NAN] {
        broken.values_mut()[place] = bad;
        let outcome = SmoothedAggregation::new(&broken, NearKernel::RigidMotions(mesh.positions()));
        assert!(matches!(outcome.err(), Some(FemError::NotPositiveDefinite { vertex: 10, .. })));
    }
}

#[test]
fn solutions_have_the_same_bits_for_any_number_of_threads() {
    let mesh = shuffled_lattice::<3>(11, 12);
    let matrix = body(&mesh, 1e4, Some(1e9));
    let b = random_vector(matrix.dof_count(), 13);
    let [one, two, five] = in_pools(|| preconditioner(&mesh, &matrix).solve(&b, |_| 1e-6, 100).unwrap());
    assert!(one == two && one == five);
}

#[test]
fn nothing_to_solve_and_nothing_but_held_vertices_are_no_special_cases() {
    let mesh = shuffled_lattice::<2>(4, 14);
    let matrix = body(&mesh, 1.0, None);
    let nothing = preconditioner(&mesh, &matrix).solve(&vec![0.0; matrix.dof_count()], |_| 1e-8, 10).unwrap();
    assert!(nothing.iterations == 0 && nothing.solution.iter().all(|x| *x == 0.0));
    let mut held = matrix.clone();
    held.eliminate(&vec![true; matrix.dof_count()], 2.0);
    let found = preconditioner(&mesh, &held).solve(&vec![1.0; matrix.dof_count()], |_| 1e-12, 10).unwrap();
    assert!(found.solution.iter().all(|x| (x - 0.5).abs() < 1e-12));
}
