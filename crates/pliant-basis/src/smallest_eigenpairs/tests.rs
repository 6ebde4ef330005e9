//! Claims about the eigensolver on bodies whose spectrum is known.

use std::f64::consts::PI;

use pliant_fem::{ShapeGradients, laplacian, lumped_mass};
use pliant_mesh::{InvertedCells, MeshOptions, MeshParts, SimplexMesh};

use proptest::prelude::*;

use super::*;

mod iterative;

/// `copies` unit squares or cubes beside each other, `side^D` boxes each, cut along one diagonal.
fn boxes<const D: usize>(side: usize, copies: usize) -> SimplexMesh<D> {
    let points = side + 1;
    let per_copy = points.pow(D as u32);
    let orders: &[&[usize]] = match D {
        2 => &[&[0, 1], &[1, 0]],
        _ => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
    };
    let (mut positions, mut cells) = (Vec::new(), Vec::new());
    for vertex in 0..copies * per_copy {
        let index: [usize; D] =
            std::array::from_fn(|axis| vertex % per_copy / points.pow(axis as u32) % points);
        let mut position = index.map(|i| i as f64 / side as f64);
        position[0] += 2.0 * (vertex / per_copy) as f64;
        positions.push(position);
        if index.contains(&side) {
            continue;
        }
        for order in orders {
            let mut corner = vertex;
            cells.push(corner);
            for &axis in *order {
                corner += points.pow(axis as u32);
                cells.push(corner);
            }
        }
    }
    let options = MeshOptions { inverted_cells: InvertedCells::Reorient, ..MeshOptions::default() };
    SimplexMesh::from_parts(MeshParts { positions, cells, ..MeshParts::default() }, &options).unwrap().mesh
}

/// Laplacian and lumped mass, the stiffness growing by `contrast` from left to right.
fn problem<const D: usize>(mesh: &SimplexMesh<D>, contrast: f64) -> (SymmetricMatrix, Vec<f64>) {
    let stiffness: Vec<f64> = (0..mesh.cell_count())
        .map(|cell| if mesh.centroid(cell)[0] < 0.4 { 1.0 } else { contrast })
        .collect();
    (
        laplacian(mesh, &ShapeGradients::new(mesh), &stiffness),
        lumped_mass(mesh, &vec![1.0; mesh.cell_count()]),
    )
}

fn sparse() -> EigenOptions {
    EigenOptions { dense_below: 0, ..EigenOptions::default() }
}

fn dense() -> EigenOptions {
    EigenOptions { dense_below: usize::MAX, ..EigenOptions::default() }
}

fn orthonormality_error(pairs: &Eigenpairs, mass: &[f64]) -> f64 {
    let x = &pairs.vectors;
    let weighted = Mat::from_fn(x.nrows(), x.ncols(), |i, j| mass[i] * x[(i, j)]);
    (transpose_times(x.as_ref(), weighted.as_ref()) - Mat::<f64>::identity(x.ncols(), x.ncols())).norm_max()
}

fn assert_values_agree(found: &[f64], expected: &[f64], tolerance: f64) {
    let scale = expected.iter().copied().find(|&value| value > 1e-6).unwrap();
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / expected.max(scale);
        assert!(error < tolerance, "value {index}: {found} instead of {expected}");
    }
}

#[test]
fn a_square_has_the_neumann_spectrum_with_its_repeated_values() {
    // The five-point Laplacian of the structured square: (2 - 2 cos(pi a h)) / h^2 + the same for b, a, b = 0..n.
    let side = 30;
    // With the masses of the trapezoidal rule it separates exactly.
    let mesh = boxes::<2>(side, 1);
    let (stiffness, _) = problem(&mesh, 1.0);
    let h = 1.0 / side as f64;
    let part = |x: f64| if x == 0.0 || x == 1.0 { 0.5 * h } else { h };
    let mass: Vec<f64> = mesh.positions().iter().map(|x| part(x[0]) * part(x[1])).collect();
    let line = |a: usize| (2.0 - 2.0 * (PI * a as f64 * h).cos()) / (h * h);
    let mut expected: Vec<f64> =
        (0..=side).flat_map(|a| (0..=side).map(move |b| (a, b))).map(|(a, b)| line(a) + line(b)).collect();
    expected.sort_by(f64::total_cmp);
    for options in [sparse(), dense()] {
        for count in [1, 2, 3, 24, 60] {
            let pairs = smallest_eigenpairs(&stiffness, &mass, count, &options).unwrap();
            assert_eq!(pairs.values.len(), count);
            assert_values_agree(&pairs.values, &expected, 1e-11);
            assert!(orthonormality_error(&pairs, &mass) < 1e-12);
            assert!(pairs.residuals.iter().all(|&residual| residual < 1e-8), "{:?}", pairs.residuals);
        }
    }
}

#[test]
fn a_hundred_modes_of_a_uniform_cube_do_not_depend_on_the_unit_to_a_bit() {
    // Equal values and near ones, which the projected problem must tell from each other whatever its norm is.
    let mesh = boxes::<3>(15, 1);
    let gradients = ShapeGradients::new(&mesh);
    let mass = lumped_mass(&mesh, &vec![1.0; mesh.cell_count()]);
    let in_unit = |unit: f64, block_size| {
        let stiffness = laplacian(&mesh, &gradients, &vec![unit; mesh.cell_count()]);
        let options = EigenOptions { block_size, ..sparse() };
        let pairs = smallest_eigenpairs(&stiffness, &mass, 100, &options).unwrap();
        assert!(pairs.residuals.iter().all(|&residual| residual < 1e-8), "{:?}", pairs.residuals);
        assert!(orthonormality_error(&pairs, &mass) < 1e-12);
        (pairs.values.iter().map(|value| value / unit).collect::<Vec<f64>>(), pairs.vectors, pairs.solves)
    };
    let one = in_unit(1.0, None);
    // A power of four, whose root is a power of two.
    assert!(one == in_unit(4_f64.powi(12), None) && one == in_unit(4_f64.powi(-12), None));
    assert_values_agree(&in_unit(1.0, Some(3)).0, &one.0, 1e-11);
}

#[test]
fn the_block_iteration_and_the_dense_decomposition_agree_on_a_cube() {
    let (stiffness, mass) = problem(&boxes::<3>(9, 1), 1.0);
    let expected = smallest_eigenpairs(&stiffness, &mass, 70, &dense()).unwrap();
    let found = smallest_eigenpairs(&stiffness, &mass, 70, &sparse()).unwrap();
    assert_values_agree(&found.values, &expected.values, 1e-11);
    assert!(orthonormality_error(&found, &mass) < 1e-12);
}

#[test]
fn stiffness_ratios_of_a_million_keep_eight_digits_of_every_value() {
    for contrast in [1e-6, 1e6] {
        let (stiffness, mass) = problem(&boxes::<2>(24, 1), contrast);
        let expected = smallest_eigenpairs(&stiffness, &mass, 40, &dense()).unwrap();
        let found = smallest_eigenpairs(&stiffness, &mass, 40, &sparse()).unwrap();
        assert!(found.values[0].abs() < 1e-7 * found.values[1], "{:?}", &found.values[..2]);
        assert_values_agree(&found.values, &expected.values, 1e-8);
        assert!(orthonormality_error(&found, &mass) < 1e-12);
    }
}

#[test]
fn every_copy_of_every_value_of_a_disconnected_body_is_found() {
    // Twelve equal squares: zero twelve times, more copies than a block is wide, the next value 24 times.
    let copies = 12;
    let (one, mass_of_one) = problem(&boxes::<2>(9, 1), 1.0);
    let single = smallest_eigenpairs(&one, &mass_of_one, 10, &dense()).unwrap().values;
    let expected: Vec<f64> = single.iter().flat_map(|&value| std::iter::repeat_n(value, copies)).collect();
    let mesh = boxes::<2>(9, copies);
    let matrix = laplacian(&mesh, &ShapeGradients::new(&mesh), &vec![1.0; mesh.cell_count()]);
    let mass = lumped_mass(&mesh, &vec![1.0; mesh.cell_count()]);
    for count in [5, 12, 13, 36, 50] {
        let pairs = smallest_eigenpairs(&matrix, &mass, count, &sparse()).unwrap();
        assert_values_agree(&pairs.values, &expected, 1e-10);
        assert!(orthonormality_error(&pairs, &mass) < 1e-12);
    }
}

#[test]
fn any_count_from_one_to_all_gives_a_prefix_of_the_same_spectrum() {
    let (stiffness, mass) = problem(&boxes::<2>(4, 1), 100.0);
    let all = smallest_eigenpairs(&stiffness, &mass, 25, &EigenOptions::default()).unwrap();
    for count in 1..=25 {
        for options in [sparse(), dense()] {
            let pairs = smallest_eigenpairs(&stiffness, &mass, count, &options).unwrap();
            assert_values_agree(&pairs.values, &all.values, 1e-11);
            assert!(orthonormality_error(&pairs, &mass) < 1e-12);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn random_stiffness_on_random_boxes_gives_the_same_pairs_both_ways(
        exponents in prop::collection::vec(-3.0..3.0, 64),
        side in 13_usize..17,
        copies in 1_usize..4,
        count in 1_usize..12,
        block_size in 1_usize..9,
    ) {
        let mesh = boxes::<2>(side, copies);
        let stiffness: Vec<f64> =
            (0..mesh.cell_count()).map(|cell| 10_f64.powf(exponents[cell / 8 % 64])).collect();
        let matrix = laplacian(&mesh, &ShapeGradients::new(&mesh), &stiffness);
        let mass = lumped_mass(&mesh, &vec![1.0; mesh.cell_count()]);
        let options = EigenOptions { block_size: Some(block_size), ..sparse() };
        let found = smallest_eigenpairs(&matrix, &mass, count.max(copies + 1), &options).unwrap();
        let expected = smallest_eigenpairs(&matrix, &mass, count.max(copies + 1), &dense()).unwrap();
        assert_values_agree(&found.values, &expected.values, 1e-8);
        prop_assert!(orthonormality_error(&found, &mass) < 1e-12);
    }
}

#[test]
fn the_first_shift_is_replaced_when_it_is_of_the_wrong_size() {
    // One huge cell row makes the cell-size estimate useless: the scouting steps put it right.
    let mesh = boxes::<2>(30, 1);
    let stretched =
        mesh.positions().iter().map(|x| [x[0] + if x[0] == 1.0 { 1e4 } else { 0.0 }, x[1]]).collect();
    let cells = mesh.cells().flatten().copied().collect();
    let (stiffness, mass) = problem(&SimplexMesh::<2>::new(stretched, cells).unwrap(), 1.0);
    let expected = smallest_eigenpairs(&stiffness, &mass, 10, &dense()).unwrap();
    let found = smallest_eigenpairs(&stiffness, &mass, 10, &sparse()).unwrap();
    assert_values_agree(&found.values, &expected.values, 1e-6);
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let (stiffness, mass) = problem(&boxes::<2>(50, 1), 1e3);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| smallest_eigenpairs(&stiffness, &mass, 12, &EigenOptions::default()).unwrap())
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn the_decisive_entry_of_every_vector_is_positive_and_ties_go_to_the_first() {
    let mut vectors = Mat::from_fn(3, 2, |i, j| [[-1.0, 1.0], [1.0 + 1e-12, 0.0], [0.5, -3.0]][i][j]);
    fix_signs(&mut vectors);
    assert_eq!((vectors[(0, 0)], vectors[(2, 1)]), (1.0, 3.0));
}

#[test]
fn bad_counts_masses_and_matrices_are_errors() {
    let (mut stiffness, mut mass) = problem(&boxes::<2>(3, 1), 1.0);
    let solve = |stiffness: &SymmetricMatrix, mass: &[f64], count| {
        smallest_eigenpairs(stiffness, mass, count, &EigenOptions::default()).unwrap_err()
    };
    assert!(matches!(solve(&stiffness, &mass, 0), BasisError::EigenpairCount { count: 0, rows: 16 }));
    assert!(matches!(solve(&stiffness, &mass, 17), BasisError::EigenpairCount { count: 17, rows: 16 }));
    assert!(matches!(solve(&stiffness, &mass[..15], 2), BasisError::ArrayLength { length: 15, .. }));
    stiffness.add_to_diagonal(&[-1e3; 16]);
    assert!(matches!(solve(&stiffness, &mass, 2), BasisError::Fem(_)));
    mass[3] = 0.0;
    assert!(matches!(solve(&stiffness, &mass, 2), BasisError::MassNotPositive { row: 3, .. }));
}
