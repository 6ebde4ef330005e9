//! Properties of every linear blend skinning subspace, for random meshes and random weights in 2D and 3D.

use crate::lattice::lattice;
use pliant_basis::{Promise, Subspace, SubspaceChecks, Weights};
use pliant_mesh::{Material, MaterialMap};
use proptest::prelude::*;

const SIDE: usize = 4;

/// Rows of positive weights that sum to one; a raw value below 0.4 is no entry, and the first frame always is one.
fn weights(vertices: usize, frames: usize, raw: &[f64]) -> Weights {
    let rows: Vec<Vec<(usize, f64)>> = (0..vertices)
        .map(|vertex| {
            let value = |frame: usize| raw[(vertex * frames + frame) % raw.len()];
            let entries: Vec<(usize, f64)> = (0..frames)
                .map(|frame| (frame, if frame == 0 { 0.5 + value(frame) } else { value(frame) }))
                .filter(|(_, value)| *value >= 0.4)
                .collect();
            let sum: f64 = entries.iter().map(|(_, value)| value).sum();
            entries.into_iter().map(|(frame, value)| (frame, value / sum)).collect()
        })
        .collect();
    Weights::from_rows(frames, &rows).unwrap()
}

fn subspace<const D: usize>(frames: usize, random: &[f64]) -> Subspace<D> {
    let mesh = lattice::<D>([SIDE; D], random);
    let material = |position: [f64; D]| Material {
        youngs_modulus: 1e4,
        poisson_ratio: 0.3,
        density: 1.0 + position[0] * position[0],
    };
    let material = MaterialMap::from_function(&mesh, material).unwrap();
    let weights = weights(mesh.vertex_count(), frames, random);
    Subspace::linear_blend_skinning(&mesh, &material, weights).unwrap()
}

fn coordinates(dofs: usize, seed: f64) -> Vec<f64> {
    (0..dofs).map(|index| (index as f64 * seed + seed).sin()).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn lifting_is_linear<const D: usize>(subspace: &Subspace<D>, seed: f64) {
    let (a, b) = (coordinates(subspace.dofs(), seed), coordinates(subspace.dofs(), seed + 0.37));
    let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 2.0 * a - 0.5 * b).collect();
    let (lifted_a, lifted_b) = (subspace.lift(&a), subspace.lift(&b));
    let expected: Vec<f64> =
        lifted_a.as_flattened().iter().zip(lifted_b.as_flattened()).map(|(a, b)| 2.0 * a - 0.5 * b).collect();
    assert!(largest_difference(subspace.lift(&sum).as_flattened(), &expected) < 1e-12);
}

fn a_lift_projects_onto_itself<const D: usize>(subspace: &Subspace<D>, seed: f64) {
    let coordinates = coordinates(subspace.dofs(), seed);
    let lifted = subspace.lift(&coordinates);
    let projected = subspace.project(&lifted);
    assert!(largest_difference(subspace.lift(&projected).as_flattened(), lifted.as_flattened()) < 1e-11);
    if subspace.rank() == subspace.dofs() {
        assert!(largest_difference(&projected, &coordinates) < 1e-9);
    }
}

fn promises_are_kept<const D: usize>(subspace: &Subspace<D>) {
    let checks = SubspaceChecks::new(subspace, &[Promise::PartitionOfUnity, Promise::NonNegative], &[]);
    assert!(checks.partition_of_unity.unwrap() < 1e-14, "{checks:?}");
    assert!(checks.minimum_weight.unwrap() >= 0.0, "{checks:?}");
    assert!(checks.patch_test < 1e-12, "{checks:?}");
    assert!(checks.rest < 1e-14, "{checks:?}");
}

fn affine_maps_are_exact<const D: usize>(subspace: &Subspace<D>, seed: f64) {
    let linear: [[f64; D]; D] =
        std::array::from_fn(|i| std::array::from_fn(|j| (seed * (1 + i * D + j) as f64).cos()));
    let translation: [f64; D] = std::array::from_fn(|i| seed - i as f64);
    let lifted = subspace.lift(&subspace.affine_coordinates(&linear, &translation));
    for (position, lifted) in subspace.rest_positions().iter().zip(lifted) {
        for i in 0..D {
            let expected = translation[i] + (0..D).map(|j| linear[i][j] * position[j]).sum::<f64>();
            assert!((lifted[i] - expected).abs() < 1e-12);
        }
    }
}

fn all<const D: usize>(frames: usize, random: &[f64], seed: f64) {
    let subspace = subspace::<D>(frames, random);
    lifting_is_linear(&subspace, seed);
    a_lift_projects_onto_itself(&subspace, seed);
    promises_are_kept(&subspace);
    affine_maps_are_exact(&subspace, seed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn subspaces_in_2d_lift_linearly_project_back_and_hold_affine_maps(
        frames in 1_usize..10, random in prop::collection::vec(0.0..1.0_f64, 211), seed in 0.1..2.0_f64,
    ) {
        all::<2>(frames, &random, seed);
    }

    #[test]
    fn subspaces_in_3d_lift_linearly_project_back_and_hold_affine_maps(
        frames in 1_usize..40, random in prop::collection::vec(0.0..1.0_f64, 997), seed in 0.1..2.0_f64,
    ) {
        all::<3>(frames, &random, seed);
    }
}
