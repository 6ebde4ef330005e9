//! Closed surfaces to tetrahedra: shape, volume, angles.

use std::f64::consts::{PI, TAU};

use pliant_mesh::{
    MeshError, MeshQuality, SimplexMesh, SurfaceMeshOptions, TriangleSurface, boundary_facets, mesh_surface,
    vertex_components,
};

/// The bound that one label has by construction, in degrees.
const LEAST_ANGLE: f64 = 10.6;

/// A sphere's grid of latitudes and longitudes, moved by a function of the direction.
fn spherical(rows: usize, columns: usize, place: impl Fn([f64; 3]) -> [f64; 3]) -> TriangleSurface {
    let mut positions = vec![place([0.0, 0.0, 1.0])];
    for row in 1..rows {
        let polar = PI * row as f64 / rows as f64;
        positions.extend((0..columns).map(|column| {
            let angle = TAU * column as f64 / columns as f64;
            place([polar.sin() * angle.cos(), polar.sin() * angle.sin(), polar.cos()])
        }));
    }
    positions.push(place([0.0, 0.0, -1.0]));
    let at = |row: usize, column: usize| 1 + (row - 1) * columns + column % columns;
    let last = positions.len() - 1;
    let mut triangles = Vec::new();
    for column in 0..columns {
        triangles.push([0, at(1, column), at(1, column + 1)]);
        triangles.push([last, at(rows - 1, column + 1), at(rows - 1, column)]);
        for row in 1..rows - 1 {
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    TriangleSurface::new(positions, triangles).unwrap()
}

fn scaled(direction: [f64; 3], radius: f64) -> [f64; 3] {
    direction.map(|value| radius * value)
}

fn torus(large: f64, small: f64) -> TriangleSurface {
    let (rows, columns) = (160, 80);
    let mut positions = Vec::new();
    for row in 0..rows {
        let (sin, cos) = (TAU * row as f64 / rows as f64).sin_cos();
        positions.extend((0..columns).map(|column| {
            let (up, out) = (TAU * column as f64 / columns as f64).sin_cos();
            let radius = large + small * out;
            [radius * cos, radius * sin, small * up]
        }));
    }
    let at = |row: usize, column: usize| row % rows * columns + column % columns;
    let triangles = (0..rows * columns)
        .flat_map(|index| {
            let (row, column) = (index / columns, index % columns);
            let [a, b] = [at(row, column), at(row + 1, column)];
            let [c, d] = [at(row + 1, column + 1), at(row, column + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TriangleSurface::new(positions, triangles).unwrap()
}

fn cube(low: [f64; 3], side: f64) -> TriangleSurface {
    let positions = (0..8)
        .map(|corner| std::array::from_fn(|axis| low[axis] + side * f64::from(corner >> axis & 1)))
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleSurface::new(positions, triangles).unwrap()
}

/// Both surfaces in one; `inner` turned inside out when it bounds a cavity.
fn with_cavity(outer: &TriangleSurface, inner: &TriangleSurface) -> TriangleSurface {
    let first = outer.positions().len();
    let positions = [outer.positions(), inner.positions()].concat();
    let turned = inner.triangles().iter().map(|&[a, b, c]| [first + a, first + c, first + b]);
    let triangles = outer.triangles().iter().copied().chain(turned).collect();
    TriangleSurface::new(positions, triangles).unwrap()
}

fn fill(surface: &TriangleSurface, size: f64) -> SimplexMesh<3> {
    let mesh = mesh_surface(surface, &SurfaceMeshOptions { cell_size: Some(size) }).unwrap();
    let minimum = MeshQuality::new(&mesh).minimum();
    assert!(minimum > LEAST_ANGLE, "{minimum}");
    mesh
}

#[test]
fn the_volumes_of_a_ball_and_a_torus_converge_at_second_order() {
    let ball = spherical(100, 200, |direction| scaled(direction, 1.0));
    for (surface, sizes) in [(ball, [0.3, 0.1]), (torus(1.0, 0.4), [0.2, 0.07])] {
        let exact = surface.enclosed_volume();
        let [coarse, fine] = sizes.map(|size| (fill(&surface, size).volume() / exact - 1.0).abs());
        let order = (coarse / fine).ln() / (sizes[0] / sizes[1]).ln();
        assert!(coarse < 0.05 && order > 1.7, "{coarse} {fine} {order}");
    }
}

#[test]
fn a_cube_whose_sides_are_multiples_of_the_size_is_met_on_its_faces() {
    let mesh = fill(&cube([0.0; 3], 1.0), 0.125);
    let (low, high) = mesh.bounding_box();
    assert_eq!((low, high), ([0.0; 3], [1.0; 3]));
    assert!((mesh.volume() - 1.0).abs() < 0.01, "{}", mesh.volume());
    // Off the lattice, edges are cut off by less than a cell.
    let mesh = fill(&cube([0.03, 0.01, 0.02], 1.0), 0.11);
    assert!(mesh.volume() < 1.0 && mesh.volume() > 1.0 - 12.0 * 0.11 * 0.11 / 2.0, "{}", mesh.volume());
}

#[test]
fn a_body_with_ears_of_50_000_triangles_is_filled_without_losing_a_part() {
    let ear = |direction: [f64; 3], side: f64| {
        let away = (direction[0] - 0.3 * side).powi(2) + direction[1].powi(2) + (direction[2] - 0.95).powi(2);
        1.1 * (-away / 0.02).exp()
    };
    let surface = spherical(158, 160, |direction| {
        let [x, y, z] = direction;
        let waves = 0.08 * (5.0 * x).sin() * (4.0 * y + 1.0).cos() + 0.05 * (7.0 * z).sin();
        scaled(direction, 1.0 + waves + ear(direction, 1.0) + ear(direction, -1.0))
    });
    assert!(surface.triangles().len() > 50_000);
    let mesh = fill(&surface, 0.07);
    assert_eq!(vertex_components(&mesh).count, 1);
    assert!((mesh.volume() / surface.enclosed_volume() - 1.0).abs() < 0.01);
}

#[test]
fn a_thin_shell_keeps_its_cavity_and_its_wall() {
    let (outer, inner) = (1.0, 0.9);
    let shell = with_cavity(
        &spherical(112, 112, |direction| scaled(direction, outer)),
        &spherical(112, 112, |direction| scaled(direction, inner)),
    );
    let mesh = fill(&shell, 0.07);
    assert_eq!(vertex_components(&mesh).count, 1);
    assert!((mesh.volume() / shell.enclosed_volume() - 1.0).abs() < 0.03);
    // Closed surfaces of genus 0: vertices - edges + facets = 2 for each of the two.
    let facets = boundary_facets(&mesh);
    let mut vertices: Vec<usize> = facets.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    assert_eq!(2 * vertices.len(), facets.len() + 2 * 4);
}

#[test]
fn overlapping_bodies_become_one() {
    let (first, second) = (cube([0.0; 3], 1.0), cube([0.5, 0.0, 0.0], 1.0));
    let offset = first.positions().len();
    let positions = [first.positions(), second.positions()].concat();
    let others = second.triangles().iter().map(|triangle| triangle.map(|vertex| vertex + offset));
    let both = TriangleSurface::new(positions, first.triangles().iter().copied().chain(others).collect());
    let mesh = fill(&both.unwrap(), 0.125);
    assert!((mesh.volume() - 1.5).abs() < 0.02, "{}", mesh.volume());
}

#[test]
fn a_surface_that_is_not_closed_is_refused_with_counts_and_a_place() {
    let whole = cube([0.0; 3], 1.0);
    let refused = |triangles: Vec<[usize; 3]>| {
        let surface = TriangleSurface::new(whole.positions().to_vec(), triangles).unwrap();
        mesh_surface(&surface, &SurfaceMeshOptions::default()).unwrap_err()
    };
    let error = refused(whole.triangles()[1..].to_vec());
    assert!(matches!(error, MeshError::NotClosed { open: 3, branching: 0, turned: 0, .. }), "{error}");
    assert!(error.to_string().contains("the first is from (0, 0, 0) to (0, 1, 0)"), "{error}");
    let mut turned = whole.triangles().to_vec();
    turned[0].swap(0, 1);
    assert!(matches!(refused(turned), MeshError::NotClosed { open: 0, branching: 0, turned: 3, .. }));
    let twice = [whole.triangles(), &whole.triangles()[..1]].concat();
    assert!(matches!(refused(twice), MeshError::NotClosed { open: 0, branching: 3, turned: 0, .. }));
}

#[test]
fn a_size_that_no_part_of_the_body_holds_is_refused() {
    let ball = spherical(8, 8, |direction| scaled(direction, 0.01));
    let far = with_cavity(&spherical(8, 8, |direction| scaled(direction, 1.0)), &ball);
    for size in [0.0, -1.0, f64::NAN, 1e-7] {
        assert!(mesh_surface(&far, &SurfaceMeshOptions { cell_size: Some(size) }).is_err(), "{size}");
    }
    let error = mesh_surface(&ball, &SurfaceMeshOptions { cell_size: Some(10.0) }).unwrap_err().to_string();
    assert!(error.contains("lies inside of the body"), "{error}");
}
