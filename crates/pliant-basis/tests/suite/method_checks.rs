//! Every method keeps its promises to round-off, from 1 to 50 frames, in 2D and 3D, at full rank and below.

use crate::lattice::lattice;
use pliant_basis::{
    BasisBuilder, BasisError, Method, MethodOptions, Promise, Subspace, SubspaceChecks, VoronoiOptions,
};
use pliant_mesh::{Material, MaterialMap, SimplexMesh, Tentacle3dOptions, VertexSet, tentacle_3d};

const FRAMES: [usize; 12] = [1, 2, 3, 4, 6, 9, 13, 18, 24, 36, 43, 50];

/// A bar with a soft part in the middle.
fn bar<const D: usize>(cubes: [usize; D]) -> (SimplexMesh<D>, MaterialMap) {
    let mesh = lattice(cubes, &[0.1, 0.9, 0.4, 0.0, 0.7, 0.3, 0.8]);
    let material = MaterialMap::from_function(&mesh, |position| Material {
        youngs_modulus: if (position[0] - 6.0).abs() < 2.0 { 1e3 } else { 1e6 },
        poisson_ratio: 0.4,
        density: if position[0] < 6.0 { 1.0 } else { 3.0 },
    })
    .unwrap();
    (mesh, material)
}

/// Checks every method and frame count; the ranks that are below the number of coordinates, as (method, frames).
fn check_all<const D: usize>(cubes: [usize; D]) -> Vec<(Method, usize)> {
    let (mesh, material) = bar(cubes);
    let builder = BasisBuilder::new(&mesh, &material).unwrap().with_largest_frame_count(50);
    let mut deficient = Vec::new();
    for method in Method::ALL {
        for frames in FRAMES {
            let built = match builder.build(method, frames, &MethodOptions::default()) {
                Err(BasisError::AnchoredFrameCount { least, most, .. })
                    if frames < least || frames > most =>
                {
                    continue;
                }
                built => built.unwrap(),
            };
            assert_eq!(built.weights.frame_count(), frames);
            let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights.clone()).unwrap();
            let checks = built.checks(&subspace);
            let case = format!("{method}, {frames} frames in {D}D: {checks:?}");
            let round_off = if built.promises.contains(&Promise::PartitionOfUnity) { 1e-12 } else { 1e-9 };
            assert!(checks.partition_of_unity.is_none_or(|error| error < round_off), "{case}");
            assert!(checks.minimum_weight.is_none_or(|least| least >= 0.0), "{case}");
            assert!(checks.interpolation.is_none_or(|error| error < round_off), "{case}");
            assert!(checks.patch_test < round_off, "{case}");
            assert!(checks.rest < round_off, "{case}");
            if subspace.rank() < subspace.dofs() {
                deficient.push((method, frames));
            }
        }
    }
    deficient
}

#[test]
fn every_method_keeps_its_promises_in_2d() {
    check_all([12, 6]);
}

#[test]
fn every_method_keeps_its_promises_in_3d_rank_deficient_or_not() {
    let deficient = check_all([12, 3, 3]);
    assert!(deficient.iter().any(|(method, _)| *method == Method::SparseMeshless), "{deficient:?}");
    assert!(deficient.iter().all(|(_, frames)| *frames > 9), "{deficient:?}");
}

#[test]
fn the_rank_and_the_patch_test_do_not_depend_on_where_the_origin_is() {
    let (mesh, material) = bar([12, 3, 3]);
    let weights = BasisBuilder::new(&mesh, &material)
        .unwrap()
        .build(Method::SparseMeshless, 50, &MethodOptions::default())
        .unwrap()
        .weights;
    let subspaces = [0.0, 100.0, 1e5].map(|offset| {
        let positions = mesh.positions().iter().map(|[x, y, z]| [x + offset, y - offset, z + 2.0 * offset]);
        let moved = SimplexMesh::new(positions.collect(), mesh.cells().flatten().copied().collect()).unwrap();
        Subspace::linear_blend_skinning(&moved, &material, weights.clone()).unwrap()
    });
    assert!(subspaces[0].rank() < subspaces[0].dofs());
    for subspace in &subspaces {
        assert_eq!(subspace.rank(), subspaces[0].rank());
        assert!(SubspaceChecks::new(subspace, &[], &[]).patch_test < 1e-12);
    }
}

#[test]
fn methods_promise_what_they_have() {
    let (mesh, material) = bar([12, 3]);
    let builder = BasisBuilder::new(&mesh, &material).unwrap();
    let promises = |method, options: &MethodOptions| builder.build(method, 4, options).unwrap().promises;
    let defaults = MethodOptions::default();
    let blend = [Promise::PartitionOfUnity, Promise::NonNegative];
    assert_eq!(promises(Method::Hrpd, &defaults), blend);
    let wide = MethodOptions { voronoi: VoronoiOptions { support_scale: 1.5 }, ..defaults.clone() };
    assert_eq!(promises(Method::SparseMeshless, &wide), blend);
    assert!(promises(Method::SparseMeshless, &defaults).contains(&Promise::Interpolation));
    assert!(promises(Method::UniformEigenmodes, &defaults).is_empty());
    assert!(promises(Method::MaterialEigenmodes, &defaults).is_empty());
    assert_eq!(promises(Method::Anchored, &defaults), [Promise::PartitionOfUnity, Promise::Interpolation]);
}

#[test]
fn no_frame_and_more_frames_than_vertices_are_sentences_with_both_numbers() {
    let (mesh, material) = bar([3, 2]);
    let builder = BasisBuilder::new(&mesh, &material).unwrap();
    for method in Method::ALL {
        for frames in [0, 13] {
            let error = builder.build(method, frames, &MethodOptions::default()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{frames} frames were asked for on a mesh of 12 vertices; ask for 1 to 12 frames")
            );
        }
    }
}

#[test]
fn as_many_frames_as_vertices_span_every_deformation() {
    let (mesh, material) = bar([3, 2]);
    let builder = BasisBuilder::new(&mesh, &material).unwrap();
    for method in Method::ALL {
        let built = builder.build(method, 12, &MethodOptions::default()).unwrap();
        let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights).unwrap();
        assert_eq!(subspace.rank(), 24, "{method}");
        let target: Vec<[f64; 2]> = (0..12).map(|v| [(v as f64).sin(), (v as f64).cos()]).collect();
        let lifted = subspace.lift(&subspace.project(&target));
        let error = lifted.as_flattened().iter().zip(target.as_flattened()).map(|(a, b)| (a - b).abs());
        assert!(error.fold(0.0, f64::max) < 1e-10, "{method}");
    }
}

#[test]
fn a_kept_builder_gives_the_bits_of_separate_builds() {
    let (mesh, material) = bar([12, 3]);
    let builder = BasisBuilder::new(&mesh, &material).unwrap().with_largest_frame_count(20);
    let fresh = || BasisBuilder::new(&mesh, &material).unwrap().with_largest_frame_count(20);
    for method in Method::ALL {
        let most = if method == Method::Anchored { 11 } else { 20 };
        for frames in [most, 5, 9] {
            let options = MethodOptions::default();
            let kept = builder.build(method, frames, &options).unwrap();
            assert_eq!(kept, fresh().build(method, frames, &options).unwrap(), "{method}");
        }
    }
}

#[test]
fn anchored_frames_of_a_count_do_not_depend_on_the_largest_count_of_a_sweep() {
    let (mesh, material) = bar([30, 4]);
    let vertices = (0..mesh.vertex_count()).filter(|&vertex| mesh.positions()[vertex][0] == 0.0).collect();
    let pins = VertexSet { name: "pins".to_owned(), vertices };
    let options = MethodOptions::default();
    let build = |largest: usize, frames: usize| {
        let builder = BasisBuilder::new(&mesh, &material).unwrap().with_held_sets(vec![pins.clone()]);
        builder.with_largest_frame_count(largest).build(Method::Anchored, frames, &options).unwrap()
    };
    let nine = build(0, 9);
    assert!(build(9, 9) == nine && build(80, 9) == nine);
    assert_eq!(build(80, 40).weights.truncated(9).unwrap(), nine.weights);
}

#[test]
fn fifty_modes_of_a_body_too_large_for_the_dense_solver_hold_affine_maps() {
    let mesh = tentacle_3d(&Tentacle3dOptions { cell_size: 0.2 }).unwrap();
    let stiff = |x: f64| x < 0.9 || (1.5..2.5).contains(&x) || x > 3.1;
    let material = MaterialMap::from_function(&mesh, |[x, _, _]| Material {
        youngs_modulus: if stiff(x) { 1e6 } else { 1e3 },
        poisson_ratio: 0.4,
        density: 1.0,
    })
    .unwrap();
    let builder = BasisBuilder::new(&mesh, &material).unwrap();
    for method in [Method::UniformEigenmodes, Method::MaterialEigenmodes] {
        let built = builder.build(method, 50, &MethodOptions::default()).unwrap();
        let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights.clone()).unwrap();
        let checks = built.checks(&subspace);
        assert!(checks.patch_test < 1e-9 && checks.rest < 1e-9, "{method}: {checks:?}");
        assert_eq!(subspace.rank(), subspace.dofs(), "{method}");
    }
}
