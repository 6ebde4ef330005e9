//! The tentacle's meshes are conforming, well shaped and exact at the interfaces, at every size.

use std::f64::consts::PI;

use pliant_mesh::{
    MeshQuality, SimplexMesh, Tentacle2dOptions, Tentacle3dOptions, boundary_facets, tentacle_2d, tentacle_3d,
};

const INTERFACES: [f64; 4] = [0.9, 1.5, 2.5, 3.1];

fn two(cell_size: f64) -> SimplexMesh<2> {
    tentacle_2d(&Tentacle2dOptions { cell_size, ..Default::default() }).unwrap()
}

fn three(cell_size: f64) -> SimplexMesh<3> {
    tentacle_3d(&Tentacle3dOptions { cell_size }).unwrap()
}

/// Distance from the axis of the tentacle's outline at x.
fn outline(x: f64) -> f64 {
    if x < 0.0 {
        (0.36 - x * x).sqrt()
    } else if x > 4.0 {
        (0.2025 - (x - 4.0) * (x - 4.0)).max(0.0).sqrt()
    } else {
        0.6 - 0.0375 * x
    }
}

/// Interfaces are met exactly, regions alternate along x, the boundary lies on the outline and nowhere else.
fn check_shape<const D: usize>(mesh: &SimplexMesh<D>) {
    assert_eq!(mesh.regions(), ["bone", "joint"]);
    for (cell, &region) in mesh.cells().zip(mesh.cell_regions()) {
        let x = |vertex: &usize| mesh.positions()[*vertex][0];
        let low = cell.iter().map(x).fold(f64::INFINITY, f64::min);
        let high = cell.iter().map(x).fold(f64::NEG_INFINITY, f64::max);
        let segment = INTERFACES.iter().filter(|&&interface| low >= interface).count();
        assert!(
            segment == 4 || high <= INTERFACES[segment],
            "a cell from {low} to {high} straddles an interface"
        );
        assert_eq!(region, segment % 2);
    }
    for facet in boundary_facets(mesh) {
        for vertex in facet {
            let position = mesh.positions()[vertex];
            let distance = position[1..].iter().map(|y| y * y).sum::<f64>().sqrt();
            // Near a tip x fixes the distance only to the root of round-off.
            let exact = outline(position[0]);
            assert!(
                (distance * distance - exact * exact).abs() < 1e-12,
                "{position:?} is not on the outline"
            );
        }
    }
}

#[test]
fn no_angle_in_2d_is_below_the_one_asked_for() {
    for cell_size in [0.3, 0.15, 1.0 / 15.0, 0.05, 0.03, 0.015] {
        let mesh = two(cell_size);
        assert!(MeshQuality::new(&mesh).minimum() >= 28.0, "at {cell_size}");
        let largest = mesh.volumes().iter().copied().fold(0.0, f64::max);
        assert!(largest < 0.9 * cell_size * cell_size * 1.01, "at {cell_size}");
        check_shape(&mesh);
    }
}

#[test]
fn the_default_2d_mesh_has_the_character_of_the_reference() {
    let mesh = tentacle_2d(&Tentacle2dOptions::default()).unwrap();
    assert!((1000..1150).contains(&mesh.vertex_count()), "{}", mesh.vertex_count());
    let exact = 0.5 * PI * (0.36 + 0.2025) + 4.0 * (0.6 + 0.45);
    assert!((mesh.volume() / exact - 1.0).abs() < 1e-3);
    assert!(mesh.positions().contains(&[-0.6, 0.0]));
    assert!(mesh.positions().contains(&[4.45, 0.0]));
}

#[test]
fn a_larger_angle_or_smaller_area_is_honoured() {
    let options =
        Tentacle2dOptions { minimum_angle_degrees: 32.0, maximum_area: Some(1e-3), ..Default::default() };
    let mesh = tentacle_2d(&options).unwrap();
    assert!(MeshQuality::new(&mesh).minimum() >= 32.0);
    assert!(mesh.volumes().iter().all(|&area| area < 1.01e-3));
    for minimum_angle_degrees in [-1.0, 40.0, f64::NAN] {
        let options = Tentacle2dOptions { minimum_angle_degrees, ..Default::default() };
        let error = tentacle_2d(&options).unwrap_err().to_string();
        assert!(error.contains("give one from 0 to 32"), "{error}");
    }
}

#[test]
fn no_dihedral_angle_in_3d_is_below_25_degrees() {
    for cell_size in [0.2, 0.16, 0.13, 0.1, 0.085, 0.07, 0.05, 0.035] {
        let minimum = MeshQuality::new(&three(cell_size)).minimum();
        assert!(minimum >= 25.0, "{minimum} at {cell_size}");
    }
    for cell_size in [5.0, 0.5, 0.3] {
        assert!(MeshQuality::new(&three(cell_size)).minimum() >= 18.0, "at {cell_size}");
    }
}

#[test]
fn the_3d_mesh_has_the_bodys_shape_and_its_volume_converges() {
    let exact =
        2.0 / 3.0 * PI * (0.6f64.powi(3) + 0.45f64.powi(3)) + PI * 4.0 / 3.0 * (0.36 + 0.6 * 0.45 + 0.2025);
    let mut errors = Vec::new();
    for cell_size in [0.175, 0.0875, 0.04375] {
        let mesh = three(cell_size);
        check_shape(&mesh);
        assert!(mesh.positions().contains(&[-0.6, 0.0, 0.0]));
        assert!(mesh.positions().contains(&[4.45, 0.0, 0.0]));
        errors.push(1.0 - mesh.volume() / exact);
    }
    assert!(errors[0] > 3.0 * errors[1] && errors[1] > 3.0 * errors[2] && errors[2] > 0.0, "{errors:?}");
}

#[test]
fn the_same_options_give_the_same_bits() {
    assert_eq!(two(0.05), two(0.05));
    assert_eq!(three(0.1), three(0.1));
}
