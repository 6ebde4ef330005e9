//! Materials by name, with units, from a table and from a voxel volume.

use crate::command::Workshop;

/// The scene with another text in place of its materials.
fn scene(materials: &str) -> String {
    let scene = crate::command::SCENE;
    let (start, end) = (scene.find("[materials.left]").unwrap(), scene.find("[[pins]]").unwrap());
    format!("{}{materials}\n{}", &scene[..start], &scene[end..])
}

fn probe(workshop: &Workshop, scene: &str) -> serde_json::Value {
    let report = workshop.json(&["solve", scene, "--space", "full", "--json"]);
    report["full"]["probe_displacement"].clone()
}

#[test]
fn units_tables_and_volumes_give_the_same_solution_as_numbers() {
    let workshop = Workshop::new();
    let expected = probe(&workshop, "scene.toml");
    let rest = "poisson_ratio = 0.3\ndensity = 1.0\n";
    workshop.write(
        "units.toml",
        &scene(&format!(
            "[materials.left]\nyoungs_modulus = \"10 kPa\"\n{rest}[materials.right]\npreset = \"fat\"\nyoungs_modulus = \"0.001 MPa\"\n{rest}"
        )),
    );
    workshop.write(
        "table.csv",
        "region,youngs_modulus,poisson_ratio,density\nleft,10 kPa,0.3,1\nright,1e3,0.3,0.001 g/cm^3\n",
    );
    let (first, rest_of_scene) =
        scene("").split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    workshop.write("tables.toml", &format!("{first}\nmaterials = \"table.csv\"\n{rest_of_scene}"));
    // Two voxels of letters: A is 65, B is 66; the beam is 4 long and its regions meet in the middle.
    workshop.write(
        "ct.nrrd",
        "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 1 1\nspacings: 1000 4000 1000\nspace origin: (500, 0, 0)\nencoding: raw\n\nAABB",
    );
    let volume = "{ volume = \"ct.nrrd\", unit = \"mm\", table = [[65.49, \"10 kPa\"], [65.51, 1000]] }";
    workshop.write("volume.toml", &scene(&format!("[materials.\"*\"]\nyoungs_modulus = {volume}\n{rest}")));
    for name in ["units.toml", "tables.toml", "volume.toml"] {
        assert_eq!(probe(&workshop, name), expected, "{name}");
    }
}

#[test]
fn presets_are_listed_with_their_sources_and_taken_on_the_command_line() {
    let workshop = Workshop::new();
    let presets = workshop.json(&["materials", "--json"]);
    let bone = presets.as_array().unwrap().iter().find(|preset| preset["name"] == "cortical-bone").unwrap();
    assert_eq!(bone["youngs_modulus"], 17e9);
    assert!(workshop.succeed(&["materials"]).contains("Reilly and Burstein 1975"));
    workshop.succeed(&[
        "nodes",
        "beam.msh",
        "--frames",
        "2",
        "--material",
        "left:cortical-bone",
        "--material",
        "right:12 kPa,0.45,1 g/cm^3",
    ]);
    let says = ["--material left:cortical-bon", "there is no preset", "\"cortical-bone\""];
    workshop.fail(&["nodes", "beam.msh", "--frames", "2", "--material", "left:cortical-bon"], 2, &says);
}

#[test]
fn what_is_wrong_with_a_volume_names_the_line_of_the_scene() {
    let workshop = Workshop::new();
    let with = |setting: &'static str| ["solve", "scene.toml", "--space", "full", "--set", setting];
    workshop.fail(
        &with("materials.left.youngs_modulus={ volume = \"no.nrrd\", table = [[0, 1]] }"),
        2,
        &["materials.left.youngs_modulus", "cannot read no.nrrd"],
    );
    workshop.fail(
        &with("materials.left.youngs_modulus={ volume = \"no.nrrd\", table = [[1, 1], [0, 2]] }"),
        2,
        &["point 1 (from 0) of the table has the value 0 after 1"],
    );
    workshop.fail(&with("materials.left.youngs_modulus=\"10 kilo\""), 2, &["with a unit of Pa, kPa"]);
    workshop.fail(
        &with("materials.left.density={ volume = \"a\", tabel = [] }"),
        2,
        &["unknown key \"tabel\""],
    );
    workshop.write("ct.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 1\nencoding: raw\n\nA");
    workshop.write("volume.toml", &scene("[materials.\"*\"]\npreset = \"fat\"\nyoungs_modulus = { volume = \"ct.nrrd\", table = [[0, 1]] }"));
    workshop.fail(
        &["solve", "volume.toml", "--space", "full"],
        2,
        &["volume.toml, line", "lies outside of the voxels"],
    );
}
