//! `pliant convert` keeps what a format can hold and says the rest.

use crate::command::Workshop;

#[test]
fn a_mesh_goes_through_every_format_and_stays_what_it_was() {
    let workshop = Workshop::new();
    let info = |name: &str| workshop.json(&["info", name, "--json"]);
    let expected = info("beam.msh");
    let mut from = "beam.msh".to_owned();
    for to in ["a.vtu", "b.npz", "c.vtk", "d.msh"] {
        let report = workshop.json(&["convert", &from, to, "--json"]);
        assert_eq!(report["not_read"], serde_json::json!([]));
        assert_eq!(report["not_written"], serde_json::json!([]));
        for key in ["vertices", "cells", "volume", "regions", "vertex_sets", "arrays", "dropped", "quality"] {
            assert_eq!(info(to)[key], expected[key], "{to} {key}");
        }
        from = to.to_owned();
    }
}

#[test]
fn a_scene_gives_its_materials_as_arrays_that_need_no_scene() {
    let workshop = Workshop::new();
    workshop.succeed(&["convert", "scene.toml", "materials.vtu"]);
    let info = workshop.json(&["info", "materials.vtu", "--json"]);
    let names: Vec<&str> =
        info["arrays"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["youngs_modulus", "poisson_ratio", "density"]);
    let nodes = |source: &str| workshop.json(&["nodes", source, "--frames", "3", "--json"])["nodes"].clone();
    assert_eq!(nodes("materials.vtu"), nodes("scene.toml"));
}

#[test]
fn what_is_lost_is_said() {
    let workshop = Workshop::new();
    let text = workshop.succeed(&["convert", "beam.msh", "beam.mesh"]);
    assert!(text.contains("not written: 1 name of the region \"left\", which is 1 there"), "{text}");
    workshop.fail(&["convert", "beam.msh", "beam.stl"], 2, &["beam.stl", ".msh", ".vtu"]);
    workshop.fail(&["convert", "nowhere.msh", "beam.vtu"], 1, &["nowhere.msh"]);
    assert!(!workshop.path().join("beam.vtu").exists());
}

#[test]
fn millimetres_are_suspected_and_scaled_to_metres() {
    let workshop = Workshop::new();
    workshop.succeed(&["convert", "scene.toml", "large.vtu", "--scale", "1000"]);
    let info = |name: &str| workshop.json(&["info", name, "--json"]);
    let hint = info("large.vtu")["units_hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("4000.0 m long") && hint.contains("--scale 0.001"), "{hint}");
    workshop.succeed(&["convert", "large.vtu", "small.vtu", "--scale", "0.001"]);
    let small = info("small.vtu");
    assert!(small["units_hint"].is_null());
    assert!((small["volume"].as_f64().unwrap() - 4.0).abs() < 1e-9);
    workshop.fail(&["convert", "large.vtu", "x.vtu", "--scale", "0"], 2, &["--scale", "positive"]);
}
