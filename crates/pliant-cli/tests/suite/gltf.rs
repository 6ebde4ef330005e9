//! Deformed bodies as glTF.

use crate::command::Workshop;

/// The JSON part of a `.glb` file of the directory.
fn document(workshop: &Workshop, name: &str) -> serde_json::Value {
    let bytes = std::fs::read(workshop.path().join(name)).unwrap();
    assert_eq!(&bytes[..4], b"glTF", "{name}");
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn every_space_of_a_comparison_and_of_a_swing_has_its_file() {
    let workshop = Workshop::new();
    for command in ["compare", "swing"] {
        workshop.succeed(&[command, "scene.toml", "--out", command, "--gltf"]);
        for space in ["full", "sparse-meshless-3", "hrpd-3"] {
            let document = document(&workshop, &format!("{command}/{space}.glb"));
            let targets = document["meshes"][0]["primitives"][0]["targets"].as_array().map_or(0, Vec::len);
            assert_eq!(targets, if command == "swing" { 4 } else { 0 }, "{document}");
            assert_eq!(document["nodes"][0]["name"], space);
        }
    }
    workshop.fail(&["solve", "scene.toml", "--gltf"], 2, &["--out"]);
}

#[test]
fn a_solution_converts_to_its_deformed_shape() {
    let workshop = Workshop::new();
    workshop.succeed(&["solve", "scene.toml", "--out", "results", "--gltf"]);
    workshop.succeed(&["convert", "results/full.vtu", "again.glb"]);
    let bounds = |name: &str| document(&workshop, name)["accessors"][1].clone();
    let [solved, converted] = ["results/full.glb", "again.glb"].map(bounds);
    assert_eq!(solved["type"], "VEC3");
    assert_eq!((&solved["min"], &solved["max"]), (&converted["min"], &converted["max"]));
    // At rest the beam reaches down to -0.5; it sags.
    assert!(solved["min"][1].as_f64().unwrap() < -0.51, "{solved}");
    let report = workshop.json(&["convert", "results/full.vtu", "third.glb", "--json"]);
    assert!(report["not_written"].to_string().contains("von Mises stress"), "{report}");
}
