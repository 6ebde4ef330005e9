//! Cardinal functions in place of modes.

use super::*;

fn cardinal(threshold: f64) -> AnchoredOptions {
    let cardinal = CardinalOptions { threshold, ..CardinalOptions::anchored() };
    AnchoredOptions { cardinal: Some(cardinal), ..AnchoredOptions::default() }
}

/// Two bars, the second of them without an anchor.
fn two_bars() -> (SimplexMesh<2>, MaterialMap) {
    let one = grid(8, 2);
    let count = one.vertex_count();
    let shifted = one.positions().iter().map(|[x, y]| [x + 20.0, *y]);
    let positions = one.positions().iter().copied().chain(shifted).collect();
    let cells = one.cells().flatten().copied();
    let cells = cells.clone().chain(cells.map(|vertex| vertex + count)).collect();
    let mesh = SimplexMesh::new(positions, cells).unwrap();
    let material = material(&mesh, |x, _| x < 2);
    (mesh, material)
}

#[test]
fn rows_sum_to_one_anchors_and_nodes_follow_their_own_frame_alone_floating_parts_too() {
    let (mesh, material) = two_bars();
    for frame_count in [2, 3, 6, 11] {
        let built = build_with(&mesh, &material, &[], frame_count, &cardinal(0.01));
        assert_eq!((built.anchor_count, built.base_frame_count, built.nodes.len()), (1, 2, frame_count));
        assert!(built.weights.partition_of_unity_error() < 1e-14);
        for vertex in 0..6 {
            assert_eq!(built.weights.row(vertex), (&[0][..], &[1.0][..]));
        }
        if frame_count > 2 {
            for (frame, &node) in built.nodes.iter().enumerate() {
                assert_eq!(built.weights.row(node), (&[frame][..], &[1.0][..]), "{frame_count} frames");
            }
        }
    }
}

#[test]
fn with_threshold_zero_the_span_is_that_of_the_modes() {
    let (mesh, material) = jointed();
    let options = AnchoredOptions {
        cardinal: Some(CardinalOptions {
            entries_per_vertex: 99.0,
            threshold: 0.0,
            ..CardinalOptions::anchored()
        }),
        ..AnchoredOptions::default()
    };
    let affine = AnchoredOptions { stiff_parts: StiffParts::Affine, ..AnchoredOptions::default() };
    let functions = build_with(&mesh, &material, &[], 9, &options);
    let modes = build_with(&mesh, &material, &[], 9, &affine);
    let span = Subspace::linear_blend_skinning(&mesh, &material, functions.weights).unwrap();
    for frame in 0..9 {
        let field: Vec<[f64; 2]> = modes.weights.column(frame).into_iter().map(|w| [w, 0.0]).collect();
        for (found, expected) in span.lift(&span.project(&field)).iter().zip(&field) {
            assert!((found[0] - expected[0]).abs() < 1e-9, "frame {frame}");
        }
    }
}

#[test]
fn cardinal_weights_have_no_prefix_and_refuse_options_out_of_range() {
    let (mesh, material) = jointed();
    let built = build_with(&mesh, &material, &[], 9, &cardinal(0.01));
    assert!(built.truncated(8).unwrap_err().to_string().contains("ask for 9 to 9 frames"));
    assert_eq!(built.truncated(9).unwrap(), built);
    let anchors = find_anchors(&mesh, &material, &[], &AnchorOptions::default()).unwrap();
    let message = anchored_weights(&mesh, &material, &anchors, 9, &cardinal(1.0)).unwrap_err().to_string();
    assert!(message.contains("threshold of cardinal weights is 1"), "{message}");
}

#[test]
fn a_thousand_inclusions_have_sparse_cardinal_weights() {
    let mesh = grid(160, 100);
    let material = material(&mesh, |x, y| x % 4 == 1 && y % 4 == 1);
    let built = build_with(&mesh, &material, &[], 1003, &cardinal(0.01));
    assert!(built.weights.partition_of_unity_error() < 1e-13);
    assert!(built.weights.density() < 0.01, "{}", built.weights.density());
}
