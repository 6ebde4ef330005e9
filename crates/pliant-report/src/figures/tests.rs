//! Every figure of a tiny body, flat and solid.

use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, SimplexMesh, box_mesh, rectangle};

use super::*;
use crate::raster::rasterise;
use crate::{Animation, Body, Figure, Item, Page, Section, SwingSpace, View, write_page};

fn flat() -> SimplexMesh<2> {
    let options = RectangleOptions { resolution: Resolution::Counts([4, 2]), ..Default::default() };
    let mesh = rectangle(&options).unwrap();
    let regions = (0..mesh.cell_count()).map(|cell| usize::from(mesh.centroid(cell)[0] > 0.5)).collect();
    mesh.with_regions(vec!["left".to_owned(), "right".to_owned()], regions).unwrap()
}

fn solid() -> SimplexMesh<3> {
    let options = BoxOptions { resolution: Resolution::Counts([3, 1, 1]), ..Default::default() };
    box_mesh(&options).unwrap()
}

/// Each figure, and the view of a swing.
fn all<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<Figure>, View) {
    let n = mesh.vertex_count();
    let moduli: Vec<f64> =
        mesh.cell_regions().iter().map(|&region| if region == 0 { 1e6 } else { 1e3 }).collect();
    let mut body = Body::new(mesh, &moduli);
    body.pinned = vec![0, 1];
    body.handle = vec![n - 1];
    body.probe = Some(n - 2);
    let along: Vec<f64> = mesh.positions().iter().map(|x| x[0]).collect();
    let bent: Vec<f64> = mesh
        .positions()
        .iter()
        .flat_map(|x| (0..D).map(|axis| if axis == 1 { -0.2 * x[0] * x[0] } else { 0.0 }))
        .collect();
    let nearest: Vec<usize> = (0..mesh.cell_count()).map(|cell| cell % 2).collect();
    let placements = [NodePlacement { title: "by metres".to_owned(), nodes: vec![0, n - 1], nearest }];
    let method = "hrpd".to_owned();
    let label = "hrpd, 2 frames".to_owned();
    let volume_ratios: Vec<f64> = (0..mesh.cell_count()).map(|cell| 0.9 + 0.1 * (cell % 3) as f64).collect();
    let full = SpaceShape {
        label: "full FEM".to_owned(),
        displacement: vec![0.0; n * D],
        error: None,
        volume_ratios: vec![1.0; mesh.cell_count()],
    };
    let shape =
        SpaceShape { label: label.clone(), displacement: bent.clone(), error: Some(0.1), volume_ratios };
    let way = vec![0, n - 1];
    let distances =
        Distances { geodesic: along.clone(), compliance: along.clone(), lengths: vec![0.0, 1.0], way };
    let weights = [FrameWeight { title: "hrpd, frame 0 of 2".to_owned(), values: along }];
    let sparsity = Sparsity {
        label: label.clone(),
        method: method.clone(),
        frames: 2,
        rows: (0..n).map(|vertex| vec![vertex % 2]).collect(),
        weights_density: 0.5,
        basis_density: 0.25,
    };
    let patch = PatchTest { label: label.clone(), error: 1e-15, displacement: bent.clone() };
    let history = NewtonHistory {
        label: label.clone(),
        method: Some(method.clone()),
        potentials: vec![0.0, -1.0, -1.1],
        gradients: vec![1.0, 1e-3],
    };
    let point = |dofs: usize| ConvergencePoint {
        method: method.clone(),
        dofs,
        error: 1.0 / dofs as f64,
        probe: 1.0 - 1.0 / dofs as f64,
    };
    let fit = FitPoint { frames: 3, estimated: 0.1, error: Some(0.2), testing: None };
    let fitted = FitPoint { frames: 4, estimated: 0.01, error: Some(0.02), testing: None };
    let times = SpaceTimes {
        label: label.clone(),
        stages: vec![("basis".to_owned(), 0.5), ("solve".to_owned(), 0.25)],
    };
    let figures = vec![
        material_figure(&body),
        distance_figure(&body, &distances),
        node_figure(&body, &placements),
        voronoi_figure(&body, &placements),
        weight_figure(&body, &weights),
        sparsity_figure(&[sparsity]),
        patch_test_figure(&body, &bent, &[patch]),
        shape_figure(&body, &bent, &[full.clone(), shape.clone()]),
        volume_figure(&body, &[full, shape]),
        newton_figure(&[history]),
        convergence_figure(&[point(6), point(12)], 1.0),
        fit_figure(&[fit, fitted], 0.05),
        swing_error_figure(&[0.0, 5.0], &[(label.clone(), method, vec![0.01, 0.02])]),
        time_figure(&[times]),
    ];
    let rest = vec![0.0; n * D];
    let spaces = [
        SwingSpace { label: "full FEM".to_owned(), poses: vec![&rest, &bent], errors: Vec::new() },
        SwingSpace { label, poses: vec![&rest, &bent], errors: vec![0.0, 0.1] },
    ];
    (figures, swing_view(&body, &[0.0, 5.0], &spaces))
}

fn check<const D: usize>(mesh: &SimplexMesh<D>) {
    let (figures, view) = all(mesh);
    let (again, view_again) = all(mesh);
    assert!(figures == again && view.html == view_again.html, "the same bytes again");
    for figure in &figures {
        let svg = figure.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}: {svg}", figure.name);
        let drawn = rasterise(&figure.name, &svg, 0.5).unwrap();
        let ink = drawn.rgb.chunks_exact(3).filter(|pixel| **pixel != [255; 3]).count();
        assert!(ink > 500, "{} has {ink} pixels of ink", figure.name);
        assert!(figure.caption.len() > 60, "{} says what to look for", figure.name);
    }
}

#[test]
fn every_figure_of_a_flat_body_is_drawn_the_same_twice() {
    check(&flat());
}

#[test]
fn every_figure_of_a_solid_body_is_drawn_the_same_twice() {
    check(&solid());
}

#[test]
fn a_large_solid_is_drawn_as_pixels_inside_a_small_figure() {
    let options = BoxOptions { resolution: Resolution::Counts([60, 12, 12]), ..Default::default() };
    let mesh = box_mesh(&options).unwrap();
    let moduli: Vec<f64> = (0..mesh.cell_count()).map(|cell| 1e3 + cell as f64).collect();
    let mut body = Body::new(&mesh, &moduli);
    body.pinned = (0..mesh.vertex_count()).collect();
    let svg = material_figure(&body).svg();
    assert!(svg.contains("<image ") && svg.len() < 300_000, "{} bytes", svg.len());
    let drawn = rasterise("material", &svg, 1.0).unwrap();
    let dark = drawn.rgb.chunks_exact(3).filter(|pixel| pixel.iter().all(|&part| part < 128)).count();
    assert!(dark > 5000, "the pixels are in the PNG too: {dark}");
}

#[test]
fn a_page_holds_every_figure_and_needs_nothing_from_outside() {
    let (figures, view) = all(&flat());
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = figures.iter().map(|figure| figure.name.clone()).collect();
    let items = figures.into_iter().map(Item::Figure).chain([Item::View(view)]).collect();
    let section = Section { heading: "a < b".to_owned(), intro: String::new(), items };
    let page = Page { title: "A & B".to_owned(), sections: vec![section], ..Page::default() };
    write_page(&page, directory.path()).unwrap();
    let html = std::fs::read_to_string(directory.path().join("index.html")).unwrap();
    for name in &names {
        assert!(html.contains(&format!("<figure id=\"{name}\">")), "{name}");
        for extension in ["svg", "png"] {
            assert!(directory.path().join(format!("figures/{name}.{extension}")).is_file(), "{name}");
        }
    }
    assert!(html.contains("A &amp; B") && html.contains("a &lt; b"));
    assert!(!html.contains("src=\"http") && !html.contains("url(http") && !html.contains("@import"));
    let swing = std::fs::read(directory.path().join("figures/swing.png")).unwrap();
    assert!(swing.windows(4).any(|chunk| chunk == b"acTL"), "the file of the swing moves");
}

#[test]
fn pictures_of_different_sizes_are_no_animation() {
    let picture = |width: u32| {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="9"><rect width="4" height="4"/></svg>"#
        )
    };
    let animation =
        Animation { name: "a".to_owned(), pictures: vec![picture(9), picture(12)], delay_milliseconds: 9 };
    let view = View {
        title: String::new(),
        caption: String::new(),
        html: String::new(),
        animation: Some(animation),
    };
    let section = Section { items: vec![Item::View(view)], ..Section::default() };
    let page = Page { sections: vec![section], ..Page::default() };
    let directory = tempfile::tempdir().unwrap();
    assert!(write_page(&page, directory.path()).unwrap_err().to_string().contains("\"a\""));
    assert!(!directory.path().join("index.html").exists());
}
