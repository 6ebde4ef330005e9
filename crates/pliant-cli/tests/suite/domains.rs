//! Bodies from files: surfaces, voxels and drawings become meshes that the other commands take.

use crate::command::Workshop;

fn shipped(name: &str) -> String {
    format!("{}/../../data/domains/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_closed_surface_is_filled_and_its_loss_of_volume_is_said() {
    let workshop = Workshop::new();
    let ring = shipped("ring.off");
    let report = workshop.json(&["mesh", "surface", &ring, "--size", "0.15", "-o", "ring.msh", "--json"]);
    assert!(report["quality"]["minimum_angle_degrees"].as_f64().unwrap() > 10.6);
    let (volume, enclosed) =
        (report["volume"].as_f64().unwrap(), report["enclosed_volume"].as_f64().unwrap());
    assert!((volume / enclosed - 1.0).abs() < 0.02, "{volume} {enclosed}");
    assert_eq!(workshop.json(&["info", "ring.msh", "--json"])["cells"], report["cells"]);
    // The boundary of what was filled is closed again.
    workshop.succeed(&["mesh", "surface", &ring, "--size", "0.2", "-o", "ring.obj"]);
    workshop.succeed(&["mesh", "surface", "ring.obj", "--size", "0.2", "-o", "again.vtu"]);
    let open: String = std::fs::read_to_string(&ring).unwrap().replacen(" 512 0\n", " 511 0\n", 1);
    workshop.write("open.off", &open);
    workshop.fail(
        &["mesh", "surface", "open.off", "-o", "a.msh"],
        1,
        &["open.off: the surface is not closed: 4 edges have one triangle", "repair the surface"],
    );
}

#[test]
fn a_labelled_volume_is_filled_named_and_solved_with_presets() {
    let workshop = Workshop::new();
    let names = ["--name", "1:bone", "--name", "2:cartilage", "--name", "3:flesh"];
    let finger = shipped("finger.nrrd");
    let arguments =
        [&["mesh", "voxels", &finger, "--size", "0.002", "-o", "finger.msh", "--json"], &names[..]].concat();
    let report = workshop.json(&arguments);
    for label in report["labels"].as_array().unwrap() {
        let ratio = label["mesh_volume"].as_f64().unwrap() / label["voxel_volume"].as_f64().unwrap();
        assert!((ratio - 1.0).abs() < 0.02, "{label}");
    }
    assert!(report["quality"]["minimum_angle_degrees"].as_f64().unwrap() > 8.2);
    workshop.write(
        "presets.csv",
        "region,preset\nbone,cortical-bone\ncartilage,articular-cartilage\nflesh,skeletal-muscle\n",
    );
    workshop.write(
        "finger.toml",
        "mesh = \"finger.msh\"\ngravity = [0.0, 0.0, -9.8]\nmaterials = \"presets.csv\"\n[[pins]]\nselect = { axis = \"x\", max = 0.004 }\n",
    );
    let solved = workshop.json(&["solve", "finger.toml", "--space", "full", "--strict", "--json"]);
    assert!(solved["full"]["probe_displacement"][2].as_f64().unwrap() < 0.0);
    workshop.fail(
        &["mesh", "voxels", &finger, "--name", "9:nail", "-o", "a.msh"],
        2,
        &["the labels are 1, 2, 3"],
    );
}

#[test]
fn drawings_are_meshed_with_their_regions() {
    let workshop = Workshop::new();
    let gripper = shipped("gripper.svg");
    let report =
        workshop.json(&["mesh", "outline", &gripper, "--size", "0.003", "-o", "gripper.msh", "--json"]);
    let plate = report["regions"]["plate"]["volume"].as_f64().unwrap();
    // 12 x 20 mm with corners rounded by 3 mm.
    let exact = 240e-6 - (4.0 - std::f64::consts::PI) * 9e-6;
    assert!((plate / exact - 1.0).abs() < 2e-3, "{plate} {exact}");
    assert!(report["quality"]["minimum_angle_degrees"].as_f64().unwrap() > 25.0);
    let report = workshop.json(&["mesh", "outline", &shipped("finger.toml"), "-o", "finger.vtu", "--json"]);
    let names: Vec<&String> = report["regions"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["bone", "flesh", "skin"]);
    workshop.fail(&["mesh", "outline", &gripper, "--angle", "50", "-o", "a.msh"], 2, &["from 0 to 32"]);
    workshop.fail(
        &["mesh", "outline", "scene.toml", "-o", "a.msh"],
        1,
        &["scene.toml, line 2: unknown field"],
    );
}
