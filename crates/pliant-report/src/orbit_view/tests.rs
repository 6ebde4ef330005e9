//! The data of a view holds the surface, and what goes wrong is a still picture.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, SimplexMesh, box_mesh, rectangle};

use super::*;

fn bricks(counts: [usize; 3]) -> SimplexMesh<3> {
    box_mesh(&BoxOptions { resolution: Resolution::Counts(counts), ..Default::default() }).unwrap()
}

fn view_of<'a>(shapes: &'a [OrbitShape<'a>], label: &'a str) -> OrbitView<'a> {
    let scale = ColourScale::Sequential { from: 0.0, to: 1.0 };
    let (front, still) = (Viewpoint::FRONT, "<svg id=\"still\"></svg>");
    OrbitView { title: "a body", shapes, scale, label, front, still }
}

/// The bytes of the first text under a key.
fn decoded(html: &str, key: &str) -> Vec<u8> {
    let start = html.find(&format!("\"{key}\":\"")).unwrap() + key.len() + 4;
    STANDARD.decode(html[start..].split('"').next().unwrap()).unwrap()
}

#[test]
fn positions_come_back_to_16_bits_and_triangles_exactly() {
    let mesh = bricks([3, 2, 2]);
    let displacement: Vec<f64> =
        (0..3 * mesh.vertex_count()).map(|index| 0.01 * (index as f64).sin()).collect();
    let values: Vec<f64> = (0..mesh.vertex_count()).map(|vertex| vertex as f64 / 40.0).collect();
    let field = SurfaceField::Vertices(&values);
    let shapes = [OrbitShape { name: "moved", displacement: Some(&displacement), field }];
    let html = orbit_view(&mesh, &view_of(&shapes, "height"));
    assert!(html.contains("id=\"still\"") && !html.contains("<select>"), "{html}");
    let surface = DrawnSurface::new(&mesh);
    let numbers = |bytes: Vec<u8>| -> Vec<u16> {
        bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
    };
    let triangles: Vec<usize> = numbers(decoded(&html, "triangles")).into_iter().map(usize::from).collect();
    assert_eq!(triangles, surface.triangles.concat());
    let positions = surface.positions(&mesh, Some(&displacement));
    let frame = Frame::around(positions.iter());
    let places = numbers(decoded(&html, "positions"));
    assert_eq!(places.len(), 3 * positions.len());
    for (place, position) in places.chunks_exact(3).zip(&positions) {
        for axis in 0..3 {
            let back = frame.low[axis] + f64::from(place[axis]) / 65_535.0 * frame.size[axis];
            assert!((back - position[axis]).abs() <= 0.51 * frame.size[axis] / 65_535.0);
        }
    }
    assert_eq!(decoded(&html, "values").len(), positions.len());
    assert_eq!(html, orbit_view(&mesh, &view_of(&shapes, "height")), "same input, same bytes");
}

#[test]
fn a_cell_field_has_a_value_for_each_triangle_and_names_are_escaped() {
    let mesh = rectangle(&RectangleOptions { resolution: Resolution::Counts([2, 2]), ..Default::default() })
        .unwrap();
    let values: Vec<f64> = (0..8).map(|cell| f64::from(cell) / 7.0).collect();
    let shape = |name| OrbitShape { name, displacement: None, field: SurfaceField::Cells(&values) };
    let html = orbit_view(&mesh, &view_of(&[shape("</script>"), shape("b")], "E < 1"));
    assert!(
        html.contains("<option>&lt;/script&gt;</option><option>b</option>") && html.contains("E &lt; 1"),
        "{html}"
    );
    assert!(html.contains("\"flat\":true") && html.contains("\"cells\":true"));
    assert_eq!(decoded(&html, "values"), [0, 36, 73, 109, 146, 182, 219, 255]);
}

#[test]
fn too_large_a_surface_is_drawn_with_fewer_triangles_and_says_so() {
    let mesh = bricks([24, 24, 24]);
    let values = vec![f64::NAN; mesh.vertex_count()];
    let shape = OrbitShape { name: "a", displacement: None, field: SurfaceField::Vertices(&values) };
    let small = orbit_view(&mesh, &view_of(&[shape], "a"));
    assert!(small.contains("<canvas") && !small.contains("of 6912 triangles"));
    let html = orbit_view(&mesh, &view_of(&[shape; 120], "a"));
    assert!(html.contains("id=\"still\"") && html.contains("of 6912 triangles"));
    assert!(html.len() < LIMIT / 3 * 4 + 20_000, "{} characters", html.len());
}

#[test]
fn the_script_is_small() {
    assert!(include_str!("../orbit_view.js").len() < 10_000);
}
