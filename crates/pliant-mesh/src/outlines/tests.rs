use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::Path;

use proptest::prelude::*;

use super::read_outline::parse_outline;
use super::{Outline, OutlineCurve, OutlineMeshOptions, OutlineOptions, RegionPoint, mesh_outline};
use crate::{MeshError, MeshQuality, SimplexMesh};

fn parse(name: &str, text: &str) -> Result<Outline, MeshError> {
    parse_outline(Path::new(name), text.as_bytes(), &OutlineOptions::default())
}

fn mesh(outline: &Outline, size: f64) -> SimplexMesh<2> {
    let options = OutlineMeshOptions { cell_size: Some(size), ..OutlineMeshOptions::default() };
    mesh_outline(outline, &options).unwrap()
}

fn areas(mesh: &SimplexMesh<2>) -> BTreeMap<&str, f64> {
    let mut areas = BTreeMap::new();
    for (&region, area) in mesh.cell_regions().iter().zip(mesh.volumes()) {
        *areas.entry(mesh.regions()[region].as_str()).or_insert(0.0) += area;
    }
    areas
}

fn assert_areas(mesh: &SimplexMesh<2>, wanted: &[(&str, f64)], tolerance: f64) {
    let areas = areas(mesh);
    assert_eq!(
        areas.keys().copied().collect::<Vec<_>>(),
        wanted.iter().map(|entry| entry.0).collect::<Vec<_>>()
    );
    for (name, area) in wanted {
        assert!((areas[name] / area - 1.0).abs() < tolerance, "{name}: {} for {area}", areas[name]);
    }
}

fn ring(name: &str, points: &[[f64; 2]]) -> OutlineCurve {
    OutlineCurve { name: name.to_owned(), points: points.to_vec(), closed: true }
}

fn square(name: &str, low: f64, high: f64) -> OutlineCurve {
    ring(name, &[[low, low], [high, low], [high, high], [low, high]])
}

/// Every edge of the mesh that lies on the line x = place, as total length.
fn length_on_line(mesh: &SimplexMesh<2>, place: f64) -> f64 {
    let on = |vertex: usize| (mesh.positions()[vertex][0] - place).abs() < 1e-12;
    let mut edges: Vec<[usize; 2]> = mesh
        .cells()
        .flat_map(|cell| [[cell[0], cell[1]], [cell[1], cell[2]], [cell[2], cell[0]]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .filter(|edge| edge.iter().all(|&vertex| on(vertex)))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges.iter().map(|&[a, b]| (mesh.positions()[a][1] - mesh.positions()[b][1]).abs()).sum()
}

#[test]
fn holes_inclusions_and_interfaces_are_kept() {
    let outline = Outline {
        curves: vec![
            square("flesh", 0.0, 4.0),
            square("flesh", 1.0, 3.0),
            square("bone", 1.25, 2.0),
            square("hole", 3.25, 3.75),
            OutlineCurve { name: "cut".to_owned(), points: vec![[0.5, 0.0], [0.5, 4.0]], closed: false },
        ],
        region_points: vec![RegionPoint { name: "skin".to_owned(), point: [0.1, 2.0] }],
        ..Outline::default()
    };
    let mesh = mesh(&outline, 0.25);
    let (bone, skin) = (0.5625, 2.0);
    assert_areas(&mesh, &[("bone", bone), ("flesh", 12.0 - 0.25 - skin), ("skin", skin)], 1e-12);
    assert!((length_on_line(&mesh, 0.5) - 4.0).abs() < 1e-12);
    assert!(MeshQuality::new(&mesh).minimum() > 27.9);
}

#[test]
fn curves_that_cross_or_touch_are_cut() {
    // Two rectangles over each other, and one that shares a side in two parts.
    let outline = Outline {
        curves: vec![
            ring("wide", &[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]]),
            ring("tall", &[[1.0, -1.0], [1.7, -1.0], [1.7, 2.0], [1.0, 2.0]]),
            ring("side", &[[3.0, 0.3], [3.5, 0.3], [3.5, 0.9], [3.0, 0.9]]),
        ],
        ..Outline::default()
    };
    assert_areas(&mesh(&outline, 0.2), &[("side", 0.3), ("tall", 2.1), ("wide", 2.3)], 1e-12);
}

const SVG: &str = r#"<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="i" width="200mm" height="100mm" viewBox="0 0 100 50">
  <defs><circle id="unused" r="99"/></defs>
  <g inkscape:label="rubber" transform="translate(50 25) scale(2)">
    <path id="path12" d="M -20 -10 h 40 v 20 h -40 z M -5 0 a 5 5 0 1 0 10 0 a 5 5 0 1 0 -10 0 z"/>
  </g>
  <rect id="plate" x="20" y="15" width="10" height="20"/>
  <circle cx="75" cy="25" r="3" style="display : none"/>
  <text x="1" y="2">nothing</text>
</svg>"#;

#[test]
fn an_svg_drawing_has_its_names_its_transforms_and_its_unit() {
    let outline = parse("a.svg", SVG).unwrap();
    assert_eq!(outline.dropped[0].what, "text elements");
    let mesh = mesh(&outline, 0.008);
    // One user unit is 2 mm; the group doubles it.
    let (plate, whole, hole) = (0.02 * 0.04, 0.16 * 0.08, PI * 0.02 * 0.02);
    assert_areas(&mesh, &[("plate", plate), ("rubber", whole - plate - hole)], 2e-3);
    // The plate is on the left, and its top is up.
    let (low, high) = mesh.bounding_box();
    assert!((low[0] - 0.02).abs() < 1e-12 && (high[1] - 0.09).abs() < 1e-12, "{low:?} {high:?}");
}

const DXF: &str = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n\
0\nLINE\n8\nbone\n10\n0\n20\n0\n11\n40\n21\n0\n\
0\nARC\n8\nbone\n10\n40\n20\n10\n40\n10\n50\n270\n51\n90\n\
0\nLINE\n8\nbone\n10\n0\n20\n20\n11\n40.000001\n21\n20\n\
0\nLINE\n8\nbone\n10\n0\n20\n0\n11\n0\n21\n20\n\
0\nCIRCLE\n8\nbone\n10\n10\n20\n10\n40\n4\n\
0\nLWPOLYLINE\n8\njoint\n90\n2\n70\n1\n10\n25\n20\n10\n42\n1\n10\n35\n20\n10\n42\n1\n\
0\nHATCH\n8\nbone\n0\nENDSEC\n0\nEOF\n";

#[test]
fn a_dxf_drawing_joins_lines_and_arcs_of_a_layer() {
    let outline = parse("a.dxf", DXF).unwrap();
    assert_eq!(outline.dropped[0].what, "entities HATCH");
    let mesh = mesh(&outline, 0.002);
    let joint = PI * 0.005f64.powi(2);
    let bone = 0.04 * 0.02 + 0.5 * PI * 1e-4 - PI * 16e-6 - joint;
    assert_areas(&mesh, &[("bone", bone), ("joint", joint)], 7e-3);
}

const LIST: &str = r#"{ "unit": "cm", "polygons": [ { "points": [[0, 0], [2, 0], [0, 1]] } ], "interfaces": [],
"regions": [ { "name": "wedge", "point": [0.1, 0.1] } ] }"#;

#[test]
fn lists_of_polygons_are_read_as_toml_and_json() {
    let toml = "unit = \"cm\"\n[[polygons]]\npoints = [[0, 0], [2, 0], [0.0, 1]]\n[[regions]]\nname = \"wedge\"\npoint = [0.1, 0.1]\n";
    let outline = parse("a.toml", toml).unwrap();
    assert_eq!(outline, parse("a.json", LIST).unwrap());
    assert_areas(&mesh(&outline, 0.002), &[("wedge", 1e-4)], 1e-12);
}

#[test]
fn faults_name_the_line() {
    for (name, text, says) in [
        ("a.svg", "<svg>\n<path d=\"M 0 x\"/>\n</svg>", "line 2: the path cannot be read"),
        ("a.svg", "<svg>\n<g>\n", "line 3: the file ends inside an element"),
        ("a.svg", "", "line 1: the file ends inside an element or has none"),
        ("a.svg", "<html/>", "line 1: the file should begin with the element svg"),
        (
            "a.svg",
            "<svg>\n<rect width=\"x\" height=\"1\"/></svg>",
            "line 2: width of rect should be a number",
        ),
        (
            "a.svg",
            "<svg>\n<path d=\"M1,1 C1e308,1e308 5,5 8,8 Z\"/></svg>",
            "line 2: the shape has a coordinate that",
        ),
        ("a.svg", "<svg>\n\n<g transform=\"turn(3)\"/></svg>", "line 3: the transform \"turn(3)\""),
        ("a.svg", "<svg><polygon points=\"1 2 3\"/></svg>", "the points of polygon should be pairs"),
        ("a.dxf", "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\nx\n20\n1\n", "line 8: the value of group 10"),
        ("a.dxf", "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n1\n", "line 6: the LINE has no group 20"),
        ("a.dxf", "0\nSECTION\nabc\n", "line 3: a group code should be here, but there is \"abc\""),
        ("a.dxf", "AutoCAD Binary DXF\n", "line 1: a group code should be here"),
        ("a.dxf", "0\nEOF\n", "line 1: the file has no section ENTITIES"),
        ("a.toml", "[[polygons]]\nname = 3\n", "line 2: "),
        (
            "a.toml",
            "[[polygons]]\npoints = [[0, 0], [1, nan], [1, 1]]\n",
            "polygon 0 (from 0) needs at least 3",
        ),
        ("a.json", "{ \"polygons\": [\n{ \"pionts\": [] } ] }", "line 2: unknown field `pionts`"),
        ("a.txt", "", "a.txt is not a drawing"),
    ] {
        let message = parse(name, text).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains(says) && !message.contains('\n'), "{message}");
    }
}

#[test]
fn drawings_that_bound_nothing_are_refused() {
    let refused = |outline: Outline, options: OutlineMeshOptions| {
        mesh_outline(&outline, &options).unwrap_err().to_string()
    };
    let options = OutlineMeshOptions::default();
    let of = |curves: Vec<OutlineCurve>| Outline { curves, ..Outline::default() };
    assert!(refused(of(vec![]), options).contains("no curve"));
    let open = OutlineCurve { closed: false, ..square("a", 0.0, 1.0) };
    assert!(refused(of(vec![open]), options).contains("1 are open, the first ends at 0, 1"));
    assert!(refused(of(vec![square("Holes", 0.0, 1.0)]), options).contains("nothing lies inside"));
    let mut outside = of(vec![square("a", 0.0, 1.0)]);
    outside.region_points = vec![RegionPoint { name: "b".to_owned(), point: [2.0, 0.0] }];
    assert!(
        refused(outside, options).contains("the point (2, 0) of the region \"b\" lies on a curve or outside")
    );
    for (size, angle) in [(0.0, 20.0), (f64::NAN, 20.0), (1e-9, 20.0), (0.1, 40.0), (0.1, f64::NAN)] {
        let options = OutlineMeshOptions { cell_size: Some(size), minimum_angle_degrees: angle };
        assert!(mesh_outline(&of(vec![square("a", 0.0, 1.0)]), &options).is_err(), "{size} {angle}");
    }
}

#[test]
fn a_sharp_corner_is_meshed_at_its_own_angle() {
    let needle = Outline {
        curves: vec![ring("needle", &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.05]])],
        ..Outline::default()
    };
    let mesh = mesh(&needle, 0.05);
    assert_areas(&mesh, &[("needle", 0.025)], 1e-12);
    assert!(MeshQuality::new(&mesh).minimum() > 0.9 * 0.05f64.atan().to_degrees());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_files_are_errors_or_outlines(
        format in 0usize..3,
        keep in 0.0..1.3f64,
        flips in prop::collection::vec((0.0..1.0f64, 0u8..8), 0..4),
    ) {
        let (name, text) = [("a.svg", SVG), ("a.dxf", DXF), ("a.json", LIST)][format];
        let mut bytes = text.as_bytes().to_vec();
        for (place, bit) in flips {
            let place = (place * bytes.len() as f64) as usize;
            bytes[place] ^= 1 << bit;
        }
        bytes.truncate((keep * text.len() as f64) as usize);
        match parse_outline(Path::new(name), &bytes, &OutlineOptions::default()) {
            Ok(outline) => prop_assert!(outline.curves.iter().flat_map(|curve| &curve.points).flatten().all(|value| value.is_finite())),
            Err(error) => prop_assert!(error.to_string().starts_with(name)),
        }
    }

    #[test]
    fn star_shaped_outlines_keep_their_area(radii in prop::collection::vec(0.3..1.0f64, 5..20)) {
        let count = radii.len();
        let points: Vec<[f64; 2]> = radii
            .iter()
            .enumerate()
            .map(|(index, radius)| {
                let angle = 2.0 * PI * index as f64 / count as f64;
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        let area: f64 = (0..count)
            .map(|index| 0.5 * radii[index] * radii[(index + 1) % count] * (2.0 * PI / count as f64).sin())
            .sum();
        let outline = Outline { curves: vec![ring("star", &points)], ..Outline::default() };
        let mesh = mesh(&outline, 0.2);
        prop_assert!((mesh.volume() / area - 1.0).abs() < 1e-12);
    }
}
