//! Materials of each cell come from arrays of the mesh file.

use crate::command::{Workshop, beam};

/// The beam with arrays that say what the scene's materials say; the cells are elements 1 on.
fn beam_with_arrays(youngs_modulus: impl Fn(usize) -> f64) -> String {
    let text = beam([0.0; 2]);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|&line| line == "$Elements").unwrap();
    let count: usize = lines[start + 1].parse().unwrap();
    let cells: Vec<(&str, usize)> = lines[start + 2..start + 2 + count]
        .iter()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .map(|words| (words[0], words[3].parse().unwrap()))
        .collect();
    let array = |name: &str, value: &dyn Fn(usize) -> f64| {
        let rows: String = cells.iter().map(|&(tag, group)| format!("{tag} {}\n", value(group))).collect();
        format!("$ElementData\n1\n\"{name}\"\n1\n0\n3\n0\n1\n{count}\n{rows}$EndElementData\n")
    };
    [text.clone(), array("E", &youngs_modulus), array("nu", &|_| 0.3), array("rho", &|_| 1.0)].concat()
}

/// Group 1 is `left`, group 2 is `right`, as in the scene.
fn as_in_scene(group: usize) -> f64 {
    if group == 1 { 1e4 } else { 1e3 }
}

fn probe(workshop: &Workshop, scene: &str) -> serde_json::Value {
    let report = workshop.json(&["solve", scene, "--space", "full", "--json"]);
    report["full"]["probe_displacement"].clone()
}

#[test]
fn arrays_in_place_of_numbers_give_the_same_solution() {
    let workshop = Workshop::new();
    workshop.write("arrays.msh", &beam_with_arrays(as_in_scene));
    let scene = crate::command::SCENE.replace("beam.msh", "arrays.msh");
    let start = scene.find("[materials.left]").unwrap();
    let end = scene.find("[[pins]]").unwrap();
    let star = "[materials.\"*\"]\nyoungs_modulus = { array = \"E\" }\npoisson_ratio = 0.3\ndensity = { array = \"rho\" }\n";
    workshop.write("numbers.toml", &scene);
    workshop.write("star.toml", &format!("{}{star}{}", &scene[..start], &scene[end..]));
    workshop.write("none.toml", &format!("{}{}", &scene[..start], &scene[end..]));
    let expected = probe(&workshop, "numbers.toml");
    assert_eq!(probe(&workshop, "star.toml"), expected);
    assert_eq!(probe(&workshop, "none.toml"), expected);
}

#[test]
fn a_missing_array_and_a_value_out_of_range_are_named() {
    let workshop = Workshop::new();
    workshop.write("arrays.msh", &beam_with_arrays(|group| if group == 1 { -1.0 } else { 1e3 }));
    let with = |setting: &'static str| {
        ["solve", "scene.toml", "--space", "full", "--set", "mesh=\"arrays.msh\"", "--set", setting]
    };
    let says = ["\"stiffness\"", "\"E\"", "\"nu\"", "\"rho\""];
    workshop.fail(&with("materials.left.youngs_modulus={ array = \"stiffness\" }"), 2, &says);
    let says = ["cell ", "Young's modulus -1"];
    workshop.fail(&with("materials.left.youngs_modulus={ array = \"E\" }"), 2, &says);
    let says = ["materials.left.density", "unknown key \"arry\""];
    workshop.fail(&with("materials.left.density={ arry = \"rho\" }"), 2, &says);
}
