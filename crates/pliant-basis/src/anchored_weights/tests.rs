mod cardinal;
mod order_and_stiff_parts;

use super::*;
use crate::{AnchorOptions, Stiffness, Subspace, find_anchors, skinning_eigenmodes};
use pliant_mesh::{Material, RectangleOptions, Resolution, VertexSet, rectangle};

fn grid(width: usize, height: usize) -> SimplexMesh<2> {
    rectangle(&RectangleOptions {
        max: [width as f64, height as f64],
        resolution: Resolution::Counts([width, height]),
        ..RectangleOptions::default()
    })
    .unwrap()
}

fn material(mesh: &SimplexMesh<2>, stiff: impl Fn(usize, usize) -> bool) -> MaterialMap {
    MaterialMap::from_function(mesh, |[x, y]| Material {
        youngs_modulus: if stiff(x as usize, y as usize) { 1e6 } else { 1e3 },
        poisson_ratio: 0.3,
        density: 1.0,
    })
    .unwrap()
}

fn build(
    mesh: &SimplexMesh<2>,
    material: &MaterialMap,
    held: &[VertexSet],
    frame_count: usize,
) -> Result<AnchoredWeights, BasisError> {
    let anchors = find_anchors(mesh, material, held, &AnchorOptions::default())?;
    anchored_weights(mesh, material, &anchors, frame_count, &AnchoredOptions::default())
}

/// A bar with stiff ends and a stiff middle: two free components of the same shape.
fn jointed() -> (SimplexMesh<2>, MaterialMap) {
    let mesh = grid(15, 3);
    let material = material(&mesh, |x, _| !(3..6).contains(&x) && !(9..12).contains(&x));
    (mesh, material)
}

fn build_with(
    mesh: &SimplexMesh<2>,
    material: &MaterialMap,
    held: &[VertexSet],
    frame_count: usize,
    options: &AnchoredOptions,
) -> AnchoredWeights {
    let anchors = find_anchors(mesh, material, held, &AnchorOptions::default()).unwrap();
    anchored_weights(mesh, material, &anchors, frame_count, options).unwrap()
}

#[test]
fn harmonic_weights_between_two_straight_anchors_are_linear() {
    let (mesh, material) = jointed();
    let options = AnchoredOptions { between: BetweenAnchors::Harmonic, ..AnchoredOptions::default() };
    let built = build_with(&mesh, &material, &[], 3, &options);
    assert_eq!((built.anchor_count, built.base_frame_count), (3, 3));
    for (vertex, [x, _]) in mesh.positions().iter().enumerate() {
        let middle = if *x < 7.5 { (x - 3.0) / 3.0 } else { (12.0 - x) / 3.0 };
        assert!((built.weights.weight(vertex, 1) - middle.clamp(0.0, 1.0)).abs() < 1e-13);
        let far = built.weights.weight(vertex, if *x < 7.5 { 2 } else { 0 });
        assert_eq!(far, 0.0);
    }
}

#[test]
fn anchors_follow_their_frame_alone_to_the_last_bit_and_base_frames_sum_to_one() {
    let (mesh, material) = jointed();
    let held = [VertexSet { name: "point".to_owned(), vertices: vec![18] }];
    let anchors = find_anchors(&mesh, &material, &held, &AnchorOptions::default()).unwrap();
    assert_eq!(anchors.len(), 4);
    let built = build(&mesh, &material, &held, 11).unwrap();
    for (vertex, anchor) in anchors.of_vertices().iter().enumerate() {
        let (frames, values) = built.weights.row(vertex);
        match anchor {
            Some(anchor) => assert_eq!((frames, values), (&[*anchor][..], &[1.0][..])),
            None => {
                let base = frames.partition_point(|frame| *frame < 4);
                assert!((values[..base].iter().sum::<f64>() - 1.0).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn each_mode_lives_on_one_component_and_has_the_largest_entry_one() {
    let (mesh, material) = jointed();
    let built = build(&mesh, &material, &[], 9).unwrap();
    assert!(built.eigenvalues.is_sorted() && built.eigenvalues[0] > 0.0);
    for frame in 3..9 {
        let column = built.weights.column(frame);
        let reaches = |left: bool| {
            column.iter().zip(mesh.positions()).any(|(w, [x, _])| *w != 0.0 && (*x < 7.5) == left)
        };
        assert!(reaches(true) != reaches(false), "mode {frame}");
        assert!((column.iter().fold(0.0, |most: f64, w| most.max(w.abs())) - 1.0).abs() < 1e-15);
        // The two joints are alike: their modes come in pairs, the earlier component first.
        assert_eq!(reaches(true), frame % 2 == 1, "mode {frame}");
    }
}

#[test]
fn fewer_frames_are_a_prefix() {
    let (mesh, material) = jointed();
    let whole = build(&mesh, &material, &[], 12).unwrap();
    let less = whole.truncated(7).unwrap();
    let fresh = build(&mesh, &material, &[], 7).unwrap();
    assert_eq!(less.eigenvalues.len(), 4);
    for vertex in 0..mesh.vertex_count() {
        for frame in 0..7 {
            let difference = less.weights.weight(vertex, frame) - fresh.weights.weight(vertex, frame);
            assert!(difference.abs() < 1e-9);
        }
    }
    let message =
        "2 frames were asked for, but the body has 3 anchors; ask for 3 to 12 frames, or name fewer anchors";
    assert_eq!(whole.truncated(2).unwrap_err().to_string(), message);
}

#[test]
fn too_few_and_too_many_frames_are_told_how_many_there_can_be() {
    let (mesh, material) = jointed();
    let message = |frames| build(&mesh, &material, &[], frames).unwrap_err().to_string();
    for frames in [2, 65] {
        assert_eq!(
            message(frames),
            format!(
                "{frames} frames were asked for, but the body has 3 anchors; ask for 3 to 64 frames, or name fewer anchors"
            )
        );
    }
    assert_eq!(build(&mesh, &material, &[], 64).unwrap().weights.frame_count(), 64);
    let affine = AnchoredOptions { stiff_parts: StiffParts::Affine, ..AnchoredOptions::default() };
    assert_eq!(build_with(&mesh, &material, &[], 19, &affine).weights.frame_count(), 19);
    let anchors = find_anchors(&mesh, &material, &[], &AnchorOptions::default()).unwrap();
    let too_many = anchored_weights(&mesh, &material, &anchors, 20, &affine).unwrap_err().to_string();
    assert!(too_many.contains("ask for 3 to 19 frames"), "{too_many}");
}

#[test]
fn a_body_without_anchors_has_the_span_of_its_material_eigenmodes() {
    let mesh = grid(8, 3);
    let material = material(&mesh, |_, _| true);
    let built = build(&mesh, &material, &[], 7).unwrap();
    assert_eq!((built.anchor_count, built.base_frame_count), (0, 1));
    assert_eq!(built.weights.column(0), vec![1.0; mesh.vertex_count()]);
    let modes =
        skinning_eigenmodes(&mesh, 7, Stiffness::Material(&material), &EigenOptions::default()).unwrap();
    let span = Subspace::linear_blend_skinning(&mesh, &material, modes.weights).unwrap();
    for frame in 0..7 {
        let field: Vec<[f64; 2]> = built.weights.column(frame).into_iter().map(|w| [w, 0.0]).collect();
        for (found, expected) in span.lift(&span.project(&field)).iter().zip(&field) {
            assert!((found[0] - expected[0]).abs() < 1e-8, "frame {frame}");
        }
    }
}

#[test]
fn a_component_without_an_anchor_gets_a_frame_of_its_own() {
    let one = grid(4, 2);
    let shifted = one.positions().iter().map(|[x, y]| [x + 10.0, *y]);
    let positions = one.positions().iter().copied().chain(shifted).collect();
    let cells = one.cells().flatten().copied();
    let mesh =
        SimplexMesh::new(positions, cells.clone().chain(cells.map(|vertex| vertex + 15)).collect()).unwrap();
    let material = material(&mesh, |_, _| false);
    let held = [VertexSet { name: "base".to_owned(), vertices: vec![15, 16, 17] }];
    let built = build(&mesh, &material, &held, 6).unwrap();
    assert_eq!((built.anchor_count, built.base_frame_count), (1, 2));
    for vertex in 0..30 {
        let expected = if vertex < 15 { [0.0, 1.0] } else { [1.0, 0.0] };
        for (frame, expected) in expected.into_iter().enumerate() {
            assert!((built.weights.weight(vertex, frame) - expected).abs() < 1e-15);
        }
    }
    let message = build(&mesh, &material, &held, 1).unwrap_err().to_string();
    assert!(
        message.contains("the body has 1 anchors and 1 components without one; ask for 2 to 28"),
        "{message}"
    );
    let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights).unwrap();
    assert_eq!(subspace.affine_frame_count(), Some(2));
    assert_eq!(subspace.displacement(&subspace.rest_coordinates()), vec![[0.0; 2]; 30]);
}

#[test]
fn an_anchor_that_covers_the_body_leaves_one_frame() {
    let mesh = grid(3, 2);
    let material = material(&mesh, |_, _| true);
    let held = [VertexSet { name: "all".to_owned(), vertices: (0..12).collect() }];
    let built = build(&mesh, &material, &held, 1).unwrap();
    assert_eq!(built.weights.column(0), [1.0; 12]);
    assert!(build(&mesh, &material, &held, 2).unwrap_err().to_string().contains("ask for 1 to 1 frames"));
}

#[test]
fn a_free_vertex_between_anchors_is_a_component() {
    let mesh = grid(2, 2);
    let material = material(&mesh, |_, _| false);
    let held = [VertexSet { name: "rim".to_owned(), vertices: vec![0, 1, 2, 3, 5, 6, 7, 8] }];
    let built = build(&mesh, &material, &held, 2).unwrap();
    assert_eq!(built.weights.row(4).0, [0, 1]);
    assert!((built.weights.row(4).1[0] - 1.0).abs() < 1e-15);
}

#[test]
fn a_thousand_inclusions_have_sparse_weights_that_sum_to_one() {
    let mesh = grid(160, 100);
    let material = material(&mesh, |x, y| x % 4 == 1 && y % 4 == 1);
    let built = build(&mesh, &material, &[], 1003).unwrap();
    assert_eq!(built.base_frame_count, 1000);
    assert!(built.weights.truncated(1000).unwrap().partition_of_unity_error() < 1e-14);
    assert!(built.weights.density() < 0.1, "{}", built.weights.density());
}
