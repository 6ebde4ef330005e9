//! Claims about the iterative solver: what the direct one finds, it finds.

use super::*;

fn iterative() -> EigenOptions {
    EigenOptions { solver: EigenSolver::Iterative, ..sparse() }
}

fn direct() -> EigenOptions {
    EigenOptions { solver: EigenSolver::Direct, ..sparse() }
}

/// Both solvers on one problem: the same values, small residuals, orthonormal vectors.
fn assert_solvers_agree(stiffness: &SymmetricMatrix, mass: &[f64], count: usize, tolerance: f64) {
    let expected = smallest_eigenpairs(stiffness, mass, count, &direct()).unwrap();
    let found = smallest_eigenpairs(stiffness, mass, count, &iterative()).unwrap();
    assert!(found.solves > 0 && found.solves != expected.solves, "the iterative solver was not used");
    let accuracy = Accuracy::new(stiffness, mass);
    for (index, (found_value, value)) in found.values.iter().zip(&expected.values).enumerate() {
        let allowed = tolerance * value.max(found.shift) + accuracy.noise;
        let error = (found_value - value).abs();
        assert!(error < allowed, "value {index}: {found_value} instead of {value}, allowed {allowed}");
    }
    for (index, residual) in found.residuals.iter().enumerate() {
        let limit = accuracy.limit(found.values[index], found.shift);
        assert!(*residual < limit, "pair {index}: residual {residual}, limit {limit}");
    }
    assert!(orthonormality_error(&found, mass) < 1e-12, "{}", orthonormality_error(&found, mass));
}

#[test]
fn both_solvers_agree_for_any_ratio_of_stiffnesses_in_2d_and_3d() {
    for contrast in [1.0, 1e3, 1e6, 1e-6] {
        let (stiffness, mass) = problem(&boxes::<2>(40, 1), contrast);
        assert_solvers_agree(&stiffness, &mass, 30, 1e-8);
        let (stiffness, mass) = problem(&boxes::<3>(11, 1), contrast);
        assert_solvers_agree(&stiffness, &mass, 30, 1e-8);
    }
}

#[test]
fn residuals_fall_below_1e_8_where_round_off_allows() {
    let (stiffness, mass) = problem(&boxes::<3>(11, 1), 1e3);
    let pairs = smallest_eigenpairs(&stiffness, &mass, 40, &iterative()).unwrap();
    assert!(pairs.residuals.iter().all(|&residual| residual < 1e-8), "{:?}", pairs.residuals);
}

#[test]
fn every_copy_of_a_cubes_repeated_values_is_found() {
    // Threefold and sixfold values, some of them cut by the count.
    let (stiffness, mass) = problem(&boxes::<3>(12, 1), 1.0);
    for count in [1, 2, 3, 4, 20, 71] {
        assert_solvers_agree(&stiffness, &mass, count, 1e-10);
    }
}

#[test]
fn every_component_of_a_disconnected_body_has_its_zero() {
    let copies = 12;
    let mesh = boxes::<2>(13, copies);
    let (stiffness, mass) = problem(&mesh, 1e3);
    for count in [5, 12, 13, 36] {
        assert_solvers_agree(&stiffness, &mass, count, 1e-8);
    }
    let pairs = smallest_eigenpairs(&stiffness, &mass, copies + 1, &iterative()).unwrap();
    let zeros = pairs.values.iter().filter(|value| value.abs() < 1e-7 * pairs.values[copies]).count();
    assert_eq!(zeros, copies);
}

#[test]
fn many_pairs_of_a_small_body_come_from_the_dense_decomposition() {
    let (stiffness, mass) = problem(&boxes::<2>(12, 1), 100.0);
    for count in [60, 150, 169] {
        let found = smallest_eigenpairs(&stiffness, &mass, count, &iterative()).unwrap();
        let expected = smallest_eigenpairs(&stiffness, &mass, count, &dense()).unwrap();
        assert_values_agree(&found.values, &expected.values, 1e-10);
    }
}

#[test]
fn the_bits_of_the_iterative_solver_do_not_depend_on_the_number_of_threads() {
    let (stiffness, mass) = problem(&boxes::<2>(70, 1), 1e3);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| smallest_eigenpairs(&stiffness, &mass, 12, &iterative()).unwrap())
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn a_stretched_body_gets_another_shift_by_iterations_too() {
    let mesh = boxes::<2>(30, 1);
    let stretched =
        mesh.positions().iter().map(|x| [x[0] + if x[0] == 1.0 { 1e4 } else { 0.0 }, x[1]]).collect();
    let cells = mesh.cells().flatten().copied().collect();
    let (stiffness, mass) = problem(&SimplexMesh::<2>::new(stretched, cells).unwrap(), 1.0);
    assert_solvers_agree(&stiffness, &mass, 10, 1e-6);
}

#[test]
fn what_the_iterative_solver_cannot_do_is_an_error() {
    let mesh = boxes::<2>(20, 1);
    let (mut stiffness, mass) = problem(&mesh, 1.0);
    let solve = |stiffness: &SymmetricMatrix, mass: &[f64], options: &EigenOptions| {
        smallest_eigenpairs(stiffness, mass, 4, options).unwrap_err()
    };
    let vectors = SymmetricMatrix::zeros(pliant_fem::SymmetricPattern::new(&mesh, 2).into());
    let error = solve(&vectors, &vec![1.0; vectors.dof_count()], &iterative());
    assert!(matches!(error, BasisError::SeveralRowsForAVertex { components: 2 }), "{error}");
    let hasty = EigenOptions { restarts: 0, ..iterative() };
    let error = solve(&stiffness, &mass, &hasty);
    assert!(matches!(error, BasisError::EigenpairsNotConverged { wanted: 4, .. }), "{error}");
    let shift: Vec<f64> = stiffness.diagonal().iter().map(|entry| -0.3 * entry).collect();
    stiffness.add_to_diagonal(&shift);
    let error = solve(&stiffness, &mass, &iterative());
    assert!(matches!(error, BasisError::Fem(_)), "{error}");
}
