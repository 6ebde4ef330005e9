use super::*;
use pliant_mesh::{Diagonals, Material, RectangleOptions, Resolution, rectangle};

/// Unit squares, two triangles each; the vertex at (x, y) is `x (height + 1) + y`.
fn squares(width: usize, height: usize) -> SimplexMesh<2> {
    rectangle(&RectangleOptions {
        max: [width as f64, height as f64],
        resolution: Resolution::Counts([width, height]),
        diagonals: Diagonals::Parallel,
        ..RectangleOptions::default()
    })
    .unwrap()
}

/// The material whose modulus depends on the square, given by its lowest corner.
fn by_square(mesh: &SimplexMesh<2>, modulus: impl Fn(usize, usize) -> f64) -> MaterialMap {
    MaterialMap::from_function(mesh, |[x, y]| Material {
        youngs_modulus: modulus(x as usize, y as usize),
        poisson_ratio: 0.3,
        density: 1.0,
    })
    .unwrap()
}

fn find(mesh: &SimplexMesh<2>, material: &MaterialMap, held: &[VertexSet]) -> Anchors {
    find_anchors(mesh, material, held, &AnchorOptions::default()).unwrap()
}

fn set(name: &str, vertices: &[usize]) -> VertexSet {
    VertexSet { name: name.to_owned(), vertices: vertices.to_vec() }
}

fn summary(anchors: &Anchors) -> Vec<(&str, AnchorKind, usize)> {
    anchors.as_slice().iter().map(|anchor| (&anchor.name[..], anchor.kind, anchor.vertices.len())).collect()
}

#[test]
fn stiff_islands_come_by_lowest_vertex_and_a_pin_that_touches_one_merges_with_it() {
    let mesh = squares(9, 1);
    let mesh = mesh.with_regions(vec!["flesh".to_owned()], vec![0; 18]).unwrap();
    let material = by_square(&mesh, |x, _| if [1, 5, 6].contains(&x) { 1e5 } else { 1e3 });
    assert_eq!(
        summary(&find(&mesh, &material, &[set("tip", &[19, 18]), set("base", &[2, 0, 1])])),
        [
            ("base + flesh 1", AnchorKind::Held, 6),
            ("flesh 2", AnchorKind::StiffPart, 6),
            ("tip", AnchorKind::Held, 2)
        ]
    );
    let anchors = find(&mesh, &material, &[]);
    assert_eq!(anchors.as_slice()[0].vertices, [2, 3, 4, 5]);
    assert_eq!(anchors.of_vertices()[9..13], [None, Some(1), Some(1), Some(1)]);
    assert_eq!(anchors.free_vertices(), [0, 1, 6, 7, 8, 9, 16, 17, 18, 19]);
}

#[test]
fn stiff_cells_that_share_one_vertex_are_one_anchor() {
    let mesh = squares(4, 4);
    let touching = by_square(&mesh, |x, y| if (x, y) == (1, 1) || (x, y) == (2, 2) { 1e6 } else { 1e3 });
    assert_eq!(find(&mesh, &touching, &[]).len(), 1);
    let apart = by_square(&mesh, |x, y| if (x, y) == (0, 1) || (x, y) == (2, 2) { 1e6 } else { 1e3 });
    assert_eq!(find(&mesh, &apart, &[]).len(), 2);
}

#[test]
fn uniform_and_graded_bodies_have_no_stiff_part() {
    let mesh = squares(30, 2);
    assert!(find(&mesh, &by_square(&mesh, |_, _| 1e4), &[]).is_empty());
    assert!(find(&mesh, &by_square(&mesh, |x, _| 1e3 * 1.3_f64.powi(x as i32)), &[]).is_empty());
    let pinned = find(&mesh, &by_square(&mesh, |_, _| 1e4), &[set("base", &[0, 1, 2])]);
    assert_eq!(summary(&pinned), [("base", AnchorKind::Held, 3)]);
}

#[test]
fn scatter_within_a_material_does_not_cut_a_stiff_part() {
    let mesh = squares(12, 6);
    let scatter = |x: usize, y: usize| 1.0 + ((7 * x + 3 * y) % 5) as f64 / 5.0;
    let inside = |x: usize, y: usize| (3..9).contains(&x) && (1..5).contains(&y);
    let material = by_square(&mesh, |x, y| scatter(x, y) * if inside(x, y) { 1e6 } else { 1e3 });
    let anchors = find(&mesh, &material, &[]);
    assert_eq!(anchors.len(), 1);
    assert_eq!(anchors.as_slice()[0].vertices.len(), 7 * 5);
}

#[test]
fn a_bone_inside_cartilage_inside_flesh_is_part_of_one_anchor() {
    let mesh = squares(9, 9);
    let material = by_square(&mesh, |x, y| match x.abs_diff(4).max(y.abs_diff(4)) {
        0 | 1 => 1e6,
        2 => 1e5,
        _ => 1e3,
    });
    let anchors = find(&mesh, &material, &[]);
    assert_eq!(anchors.len(), 1);
    assert_eq!(anchors.as_slice()[0].vertices.len(), 36);
}

#[test]
fn the_ratio_decides_what_is_stiff() {
    let mesh = squares(5, 1);
    let material = by_square(&mesh, |x, _| if x == 2 { 2e4 } else { 1e3 });
    let count = |stiffness_ratio| {
        let options = AnchorOptions { stiffness_ratio, ..AnchorOptions::default() };
        find_anchors(&mesh, &material, &[], &options).map(|anchors| anchors.len())
    };
    assert_eq!((count(30.0).unwrap(), count(20.0).unwrap(), count(19.9).unwrap()), (0, 0, 1));
    assert_eq!(
        count(1.0).unwrap_err().to_string(),
        "the stiffness ratio of anchors is 1; give a finite number above 1"
    );
    assert!(count(f64::NAN).is_err());
}

#[test]
fn an_anchor_may_cover_the_whole_body_and_sets_that_share_a_vertex_merge() {
    let mesh = squares(2, 1);
    let material = by_square(&mesh, |_, _| 1e4);
    let all = find(&mesh, &material, &[set("left", &[0, 1, 2, 3]), set("right", &[3, 4, 5])]);
    assert_eq!(summary(&all), [("left + right", AnchorKind::Held, 6)]);
    assert!(all.free_vertices().is_empty());
}

#[test]
fn a_thousand_inclusions_are_a_thousand_anchors() {
    let mesh = squares(120, 75);
    let material = by_square(&mesh, |x, y| if x % 3 == 1 && y % 3 == 1 { 1e6 } else { 1e3 });
    let anchors = find(&mesh, &material, &[]);
    assert_eq!(anchors.len(), 1000);
    assert!(anchors.as_slice().iter().all(|anchor| anchor.vertices.len() == 4));
    assert!(anchors.as_slice().is_sorted_by_key(|anchor| anchor.vertices[0]));
}

#[test]
fn named_sets_replace_what_is_found() {
    let mesh = squares(6, 1);
    let regions = (0..12).map(|cell| usize::from(cell / 2 % 3 == 1)).collect();
    let mesh = mesh
        .with_regions(vec!["soft".to_owned(), "hard".to_owned()], regions)
        .unwrap()
        .with_vertex_set(set("corner", &[0]))
        .unwrap();
    let material = by_square(&mesh, |_, _| 1e4);
    let named = |names: &[&str]| {
        let choice = AnchorChoice::Named(names.iter().map(|&name| name.to_owned()).collect());
        let options = AnchorOptions { choice, ..AnchorOptions::default() };
        find_anchors(&mesh, &material, &[set("tip", &[12, 13])], &options)
    };
    assert_eq!(
        summary(&named(&["hard", "corner", "tip"]).unwrap()),
        [
            ("corner", AnchorKind::Held, 1),
            ("hard 1", AnchorKind::StiffPart, 4),
            ("hard 2", AnchorKind::StiffPart, 4),
            ("tip", AnchorKind::Held, 2)
        ]
    );
    assert!(named(&[]).unwrap().is_empty());
    assert_eq!(
        named(&["tipp"]).unwrap_err().to_string(),
        "there is no pin, handle, vertex set or region \"tipp\" to be an anchor (did you mean \"tip\"?); there are \
         \"tip\", \"corner\", \"soft\" and \"hard\""
    );
}

#[test]
fn held_sets_must_name_vertices_that_exist() {
    let mesh = squares(2, 1);
    let material = by_square(&mesh, |_, _| 1e4);
    let error = |held: VertexSet| {
        find_anchors(&mesh, &material, &[held], &AnchorOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(error(set("base", &[])), "the held set \"base\" has no vertices; give it at least one");
    assert_eq!(
        error(set("base", &[0, 6])),
        "the held set \"base\" names vertex 6, but the mesh has 6 vertices, numbered from 0"
    );
}
