//! The order of the modes, modes inside stiff parts, and the swinging of anchors.

use super::*;

/// A bar with a stiff half on each side of a joint, held at its left end.
fn held_bar() -> (SimplexMesh<2>, MaterialMap, [VertexSet; 1]) {
    let mesh = grid(16, 3);
    let material = material(&mesh, |x, _| !(6..10).contains(&x));
    let base = (0..mesh.vertex_count()).filter(|&vertex| mesh.positions()[vertex][0] == 0.0).collect();
    (mesh, material, [VertexSet { name: "base".to_owned(), vertices: base }])
}

#[test]
fn a_body_that_is_held_firmly_has_its_modes_by_worth_and_any_other_by_eigenvalue() {
    let (mesh, material, base) = held_bar();
    let order = |held: &[VertexSet]| build(&mesh, &material, held, 8).unwrap().order;
    assert_eq!(order(&base), ModeOrder::Worth);
    assert_eq!(order(&[]), ModeOrder::Eigenvalue);
    let hinge = [VertexSet { name: "hinge".to_owned(), vertices: vec![base[0].vertices[1]] }];
    assert_eq!(order(&hinge), ModeOrder::Eigenvalue);
    let eigenvalue = AnchoredOptions { order: ModeOrder::Eigenvalue, ..AnchoredOptions::default() };
    let built = build_with(&mesh, &material, &base, 8, &eigenvalue);
    assert!(built.order == ModeOrder::Eigenvalue && built.eigenvalues.is_sorted());
}

#[test]
fn handles_do_not_hold_a_body_when_its_modes_are_ordered() {
    let (mesh, material, base) = held_bar();
    let tip = (0..mesh.vertex_count()).filter(|&vertex| mesh.positions()[vertex][0] == 16.0).collect();
    let held = [base[0].clone(), VertexSet { name: "tip".to_owned(), vertices: tip }];
    let weights = |sets: &[VertexSet], handles: &[&str]| {
        let handles = handles.iter().map(|&name| name.to_owned()).collect();
        let options = AnchorOptions { handles, ..AnchorOptions::default() };
        let anchors = find_anchors(&mesh, &material, sets, &options).unwrap();
        let affine = AnchoredOptions { stiff_parts: StiffParts::Affine, ..AnchoredOptions::default() };
        anchored_weights(&mesh, &material, &anchors, 8, &affine).unwrap()
    };
    let free = weights(&base, &[]);
    // The tip is part of a stiff part, so the modes of the joint are the same; their order depends on what is fixed.
    assert_eq!(weights(&held, &["tip"]).eigenvalues, free.eigenvalues);
    assert_ne!(weights(&held, &[]).eigenvalues, free.eigenvalues);
    assert_eq!(weights(&held, &["tip", "base"]).order, ModeOrder::Eigenvalue);
}

#[test]
fn more_coordinates_than_can_be_compared_have_the_order_of_eigenvalues() {
    let mesh = grid(40, 25);
    let material = material(&mesh, |_, _| false);
    let held = [VertexSet { name: "base".to_owned(), vertices: vec![0, 41] }];
    let built = build(&mesh, &material, &held, 520).unwrap();
    assert!(built.order == ModeOrder::Eigenvalue && built.eigenvalues.is_sorted());
    assert_eq!(built.weights.frame_count(), 520);
}

#[test]
fn modes_of_stiff_parts_vanish_on_what_is_held_and_in_other_stiff_parts() {
    let (mesh, material, held) = held_bar();
    let anchors = find_anchors(&mesh, &material, &held, &AnchorOptions::default()).unwrap();
    assert_eq!(anchors.held().iter().filter(|held| **held).count(), 4);
    let built = build(&mesh, &material, &held, 30).unwrap();
    let mut inside = [0; 2];
    for frame in 2..30 {
        let column = built.weights.column(frame);
        let acts_in =
            |anchor: usize| anchors.as_slice()[anchor].vertices.iter().any(|&vertex| column[vertex] != 0.0);
        let acts = [acts_in(0), acts_in(1)];
        assert!(acts != [true, true], "frame {frame}");
        (0..2).for_each(|anchor| inside[anchor] += usize::from(acts[anchor]));
        assert!(held[0].vertices.iter().all(|&vertex| column[vertex] == 0.0), "frame {frame}");
    }
    assert!(inside[0] > 0 && inside[1] > 0, "{inside:?}");
    let affine = AnchoredOptions { stiff_parts: StiffParts::Affine, ..AnchoredOptions::default() };
    let built = build_with(&mesh, &material, &held, 14, &affine);
    for anchor in anchors.as_slice() {
        assert!(anchor.vertices.iter().all(|&vertex| built.weights.row(vertex).1 == [1.0]));
    }
}

#[test]
fn a_stiff_body_with_a_small_soft_inclusion_still_bends() {
    let mesh = grid(24, 6);
    let material = material(&mesh, |x, y| !((11..13).contains(&x) && (2..4).contains(&y)));
    let left = VertexSet { name: "base".to_owned(), vertices: (0..7).collect() };
    for held in [vec![left], Vec::new()] {
        let anchors = find_anchors(&mesh, &material, &held, &AnchorOptions::default()).unwrap();
        assert_eq!((anchors.len(), anchors.free_vertices().len()), (1, 1));
        let built = build(&mesh, &material, &held, 6).unwrap();
        // One mode at most fits the only vertex inside the inclusion; the others bend the body around it.
        let bending =
            (1..6).filter(|&frame| built.weights.column(frame).iter().filter(|w| **w != 0.0).count() > 1);
        assert!(bending.count() >= 4);
    }
}

#[test]
fn anchors_that_swing_bend_the_weights_and_held_ones_do_not_swing() {
    let (mesh, material) = jointed();
    let harmonic = AnchoredOptions { between: BetweenAnchors::Harmonic, ..AnchoredOptions::default() };
    let held = [1, 33, 60].map(|vertex| VertexSet { name: vertex.to_string(), vertices: vec![vertex] });
    let [straight, bent] = [harmonic, AnchoredOptions::default()]
        .map(|options| build_with(&mesh, &material, &[], 3, &options).weights);
    assert!(bent.partition_of_unity_error() < 1e-15);
    // In the left joint the anchor at the far end has no harmonic weight, and a small one when it swings.
    let far = |weights: &Weights| weights.weight(20, 2);
    assert!(far(&straight) == 0.0 && far(&bent) < -1e-3, "{} {}", far(&straight), far(&bent));
    let still = build(&mesh, &material, &held, 3).unwrap().weights;
    for vertex in 0..mesh.vertex_count() {
        for frame in 0..3 {
            let difference = still.weight(vertex, frame) - straight.weight(vertex, frame);
            assert!(difference.abs() < 1e-12, "{vertex} {frame}: {difference}");
        }
    }
}
