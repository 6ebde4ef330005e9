//! `.glb` files read back with another implementation, which also checks them against the specification.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, SimplexMesh, box_mesh, rectangle};
use pliant_report::{ColourScale, GltfBody, GltfPoses, SurfaceField, glb};

const SCALE: ColourScale = ColourScale::Sequential { from: 0.0, to: 1.0 };

fn bricks() -> SimplexMesh<3> {
    box_mesh(&BoxOptions { resolution: Resolution::Counts([3, 2, 2]), ..Default::default() }).unwrap()
}

fn read(bytes: &[u8]) -> (Gltf, Vec<u8>) {
    let mut file = Gltf::from_slice(bytes).unwrap();
    let blob = file.blob.take().unwrap();
    (file, blob)
}

#[test]
fn a_deformed_boundary_comes_back_with_its_volume_and_colours() {
    let mesh = bricks();
    let displacement: Vec<f64> =
        (0..3 * mesh.vertex_count()).map(|index| 0.05 * (index as f64).sin()).collect();
    let values: Vec<f64> = mesh.positions().iter().map(|x| x[0]).collect();
    let body = GltfBody {
        name: "bricks",
        displacement: Some(&displacement),
        field: SurfaceField::Vertices(&values),
        scale: &SCALE,
        poses: None,
    };
    let (file, blob) = read(&glb(&mesh, &body));
    let primitive = file.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let positions: Vec<[f64; 3]> = reader.read_positions().unwrap().map(|x| x.map(f64::from)).collect();
    let indices: Vec<usize> = reader.read_indices().unwrap().into_u32().map(|index| index as usize).collect();
    let volume: f64 = indices
        .chunks_exact(3)
        .map(|corners| {
            let [a, b, c] = [0, 1, 2].map(|corner| positions[corners[corner]]);
            (a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0
        })
        .sum();
    let moved = mesh.positions().iter().zip(displacement.chunks_exact(3));
    let moved: Vec<[f64; 3]> = moved.map(|(x, u)| std::array::from_fn(|axis| x[axis] + u[axis])).collect();
    let exact: f64 = mesh
        .cells()
        .map(|cell| {
            let [a, b, c] = [1, 2, 3].map(|corner| -> [f64; 3] {
                std::array::from_fn(|axis| moved[cell[corner]][axis] - moved[cell[0]][axis])
            });
            (a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0
        })
        .sum();
    assert!((volume - exact).abs() < 1e-6 * exact, "{volume} {exact}");
    let colours: Vec<[u16; 4]> = reader.read_colors(0).unwrap().into_rgba_u16().collect();
    assert_eq!(colours.len(), positions.len());
    // Cividis ends in a yellow that is 0.99, 0.91, 0.27 on the screen, so 0.98, 0.80, 0.06 in light.
    let farthest = positions.iter().position(|x| (x[0] - 1.0).abs() < 0.06).unwrap();
    let light = colours[farthest].map(|part| f64::from(part) / 65_535.0);
    assert!(light[0] > 0.85 && light[1] > 0.7 && light[2] < 0.2 && light[3] == 1.0, "{light:?}");
}

#[test]
fn a_cell_field_is_flat_in_every_triangle() {
    let mesh = rectangle(&RectangleOptions { resolution: Resolution::Counts([2, 1]), ..Default::default() })
        .unwrap();
    let field = SurfaceField::Cells(&[0.0, 1.0, 0.0, f64::NAN]);
    let body = GltfBody { name: "plate", displacement: None, field, scale: &SCALE, poses: None };
    let (file, blob) = read(&glb(&mesh, &body));
    let primitive = file.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let colours: Vec<[u16; 4]> = reader.read_colors(0).unwrap().into_rgba_u16().collect();
    let indices = reader.read_indices().unwrap().into_u32();
    let of_corners: Vec<[u16; 4]> = indices.map(|corner| colours[corner as usize]).collect();
    let triangles: Vec<&[[u16; 4]]> = of_corners.chunks_exact(3).collect();
    assert!(triangles.iter().all(|corners| corners.iter().all(|colour| *colour == corners[0])));
    assert!(triangles[0] != triangles[1] && triangles[0] == triangles[2] && triangles[0] == triangles[3]);
    assert!(colours.len() < of_corners.len(), "triangles of one colour share their corners");
}

#[test]
fn a_swing_has_a_target_for_each_pose_that_plays_at_its_time() {
    let mesh = bricks();
    let values = vec![0.5; mesh.cell_count()];
    let poses: Vec<Vec<f64>> =
        (0..4).map(|pose| vec![0.1 * f64::from(pose); 3 * mesh.vertex_count()]).collect();
    let displacements: Vec<&[f64]> = poses.iter().map(Vec::as_slice).collect();
    let names: Vec<String> = (0..4).map(|pose| format!("{pose} degrees")).collect();
    let swing = GltfPoses { displacements: &displacements, names: &names, seconds_per_pose: 0.25 };
    let field = SurfaceField::Cells(&values);
    let body = GltfBody { name: "swing", displacement: None, field, scale: &SCALE, poses: Some(swing) };
    let (file, blob) = read(&glb(&mesh, &body));
    let primitive = file.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let targets: Vec<_> = reader.read_morph_targets().collect();
    assert_eq!(targets.len(), 4);
    for (pose, (positions, _, _)) in targets.into_iter().enumerate() {
        let by = 0.1 * pose as f32;
        assert!(positions.unwrap().flatten().all(|x| (x - by).abs() < 1e-6), "pose {pose}");
    }
    let animation = file.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let reader = channel.reader(|_| Some(&blob));
    assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75]);
    let Some(ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs() else { panic!("weights") };
    let weights: Vec<f32> = weights.into_f32().collect();
    let expected = |entry: usize| if entry / 4 == entry % 4 { 1.0 } else { 0.0 };
    assert_eq!(weights, (0..16).map(expected).collect::<Vec<_>>());
}
