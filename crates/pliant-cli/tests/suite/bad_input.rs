//! Bad input is answered with an exit status and one sentence that names what is wrong.

use crate::command::{Workshop, beam, gmsh};

fn with(setting: &str) -> [&str; 4] {
    ["compare", "scene.toml", "--set", setting]
}

#[test]
fn a_missing_file_is_named() {
    let workshop = Workshop::new();
    workshop.fail(&["info", "nowhere.msh"], 1, &["nowhere.msh"]);
    workshop.fail(&["compare", "nowhere.toml"], 1, &["nowhere.toml"]);
    workshop.fail(&with("mesh=\"nowhere.msh\""), 1, &["nowhere.msh"]);
}

#[test]
fn a_truncated_file_is_named() {
    let workshop = Workshop::new();
    let text = beam([0.0; 2]);
    for part in [text.len() / 2, text.len() - 30, 20] {
        workshop.write("cut.msh", &text[..part]);
        workshop.fail(&["info", "cut.msh"], 1, &["cut.msh"]);
    }
}

#[test]
fn a_mesh_without_triangles_or_tetrahedra_is_refused() {
    let workshop = Workshop::new();
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n1\n1 1 2 1 1 1 2\n\
                $EndElements\n";
    workshop.write("line.msh", text);
    workshop.fail(&["info", "line.msh"], 1, &["line.msh", "triangles", "tetrahedra"]);
}

#[test]
fn a_triangle_mesh_that_is_not_flat_is_refused() {
    let workshop = Workshop::new();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]];
    workshop.write("bent.msh", &gmsh(&positions, &[(1, [0, 1, 2]), (1, [0, 2, 3])]));
    workshop.fail(&["info", "bent.msh"], 1, &["bent.msh"]);
}

#[test]
fn a_misspelt_region_names_the_nearest() {
    let workshop = Workshop::new();
    let material = "{ youngs_modulus = 1.0, poisson_ratio = 0.3, density = 1.0 }";
    workshop.fail(&with(&format!("materials.rigth={material}")), 2, &["\"rigth\"", "\"right\"", "--set"]);
    workshop.fail(&["info", "beam.msh", "--material", "lef:1,0.3,1"], 2, &["\"lef\"", "\"left\""]);
    workshop.fail(&with("pins.0.select={ region = \"rigt\" }"), 2, &["\"rigt\"", "\"right\"", "pins[0]"]);
}

#[test]
fn a_region_without_material_is_named() {
    let workshop = Workshop::new();
    let [start, end] =
        ["[materials.right]", "[[pins]]"].map(|part| crate::command::SCENE.find(part).unwrap());
    workshop.write(
        "partial.toml",
        &format!("{}{}", &crate::command::SCENE[..start], &crate::command::SCENE[end..]),
    );
    workshop.fail(&["compare", "partial.toml"], 2, &["partial.toml", "\"right\""]);
    workshop.fail(&["nodes", "beam.msh", "--material", "left:1,0.3,1"], 2, &["\"right\""]);
    workshop.fail(&["nodes", "beam.msh"], 2, &["\"left\"", "\"right\"", "--material"]);
}

#[test]
fn no_frames_are_refused() {
    let workshop = Workshop::new();
    workshop.fail(&with("subspaces.0.frames=0"), 2, &["subspaces[0].frames", "0"]);
    workshop.fail(&["sweep", "scene.toml", "--frames", "3,0"], 2, &["--frames 3,0", "at least 1"]);
    workshop.fail(&["basis", "scene.toml", "--method", "hrpd", "--frames", "0"], 2, &["--frames 0"]);
}

#[test]
fn more_frames_than_vertices_are_refused() {
    let workshop = Workshop::new();
    workshop.fail(&with("subspaces.1.frames=28"), 2, &["28 frames", "27 vertices", "--set"]);
    workshop.fail(&["sweep", "scene.toml", "--frames", "3,99"], 2, &["99 frames", "27 vertices"]);
    let arguments = ["nodes", "scene.toml", "--frames", "28"];
    workshop.fail(&arguments, 2, &["28 frames", "27 vertices", "--frames 28"]);
}

#[test]
fn an_empty_selection_is_refused() {
    let workshop = Workshop::new();
    workshop.fail(&with("pins.0.select={ axis = \"x\", max = -5.0 }"), 2, &["pins[0]", "-5"]);
    let handle = ["swing", "scene.toml", "--set", "handles.0.select={ axis = \"x\", min = 9.0 }"];
    workshop.fail(&handle, 2, &["\"tip\"", "9"]);
    workshop.fail(&with("pins.0.select={ set = \"edge\" }"), 2, &["\"edge\""]);
    workshop.fail(&with("pins.0.select={ vertices = [27] }"), 2, &["27"]);
}

#[test]
fn a_body_that_nothing_holds_is_refused() {
    let workshop = Workshop::new();
    for command in ["compare", "sweep", "swing", "solve"] {
        workshop.fail(&[command, "scene.toml", "--set", "pins=[]"], 2, &["scene.toml", "pinned", "gravity"]);
    }
}

#[test]
fn a_coordinate_that_is_not_a_number_is_refused() {
    let workshop = Workshop::new();
    workshop.write("beam.msh", &beam([f64::NAN, 0.0]));
    workshop.fail(&["info", "beam.msh"], 1, &["beam.msh"]);
    workshop.fail(&["compare", "scene.toml"], 1, &["beam.msh"]);
    workshop.fail(&with("gravity=[0.0, nan]"), 2, &["gravity[1]", "NaN"]);
    workshop.fail(&with("gravity=[0.0, -inf]"), 2, &["gravity[1]", "-inf"]);
}

#[test]
fn material_values_out_of_range_are_refused() {
    let workshop = Workshop::new();
    for value in ["0.0", "-1.0", "nan", "inf"] {
        let setting = format!("materials.left.youngs_modulus={value}");
        workshop.fail(&with(&setting), 2, &["materials.left.youngs_modulus"]);
    }
    for value in ["0.5", "0.7", "-1.0"] {
        let setting = format!("materials.left.poisson_ratio={value}");
        workshop.fail(&with(&setting), 2, &["materials.left.poisson_ratio", "below 0.5"]);
    }
    workshop.fail(&with("materials.left.density=0"), 2, &["materials.left.density", "above 0"]);
}

#[test]
fn a_disconnected_body_is_refused_with_the_part_that_nothing_holds() {
    let workshop = Workshop::new();
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [5.0, 0.0, 0.0],
        [6.0, 0.0, 0.0],
        [5.0, 1.0, 0.0],
    ];
    workshop.write("beam.msh", &gmsh(&positions, &[(1, [0, 1, 2]), (2, [3, 4, 5])]));
    assert_eq!(workshop.json(&["info", "beam.msh", "--json"])["components"], 2);
    workshop.fail(&["solve", "scene.toml"], 2, &["3 vertices", "vertex 3"]);
    workshop.fail(&["nodes", "scene.toml", "--frames", "1"], 1, &["vertex 3"]);
}

#[test]
fn an_unknown_key_names_the_nearest_one_and_its_line() {
    let workshop = Workshop::new();
    for (right, wrong) in [
        ("gravity =", "gravty ="),
        ("stiffness = 1e6", "stifness = 1e6"),
        ("[sweep]", "[sweeep]"),
        ("angle_degrees", "angle"),
    ] {
        let line = 1 + crate::command::SCENE[..crate::command::SCENE.find(right).unwrap()].lines().count();
        workshop.write("wrong.toml", &crate::command::SCENE.replacen(right, wrong, 1));
        let unknown = wrong.trim_matches(['[', ']']).split(' ').next().unwrap();
        let nearest = right.trim_matches(['[', ']']).split(' ').next().unwrap();
        let place = format!("wrong.toml, line {line}: ");
        workshop.fail(
            &["compare", "wrong.toml"],
            2,
            &[&place, &format!("unknown key \"{unknown}\""), &format!("\"{nearest}\"")],
        );
    }
}

#[test]
fn vectors_of_another_dimension_are_refused() {
    let workshop = Workshop::new();
    workshop.fail(&with("gravity=[0.0, -1.0, 0.0]"), 2, &["gravity has 3 numbers", "2D"]);
    workshop.fail(&with("probe={ nearest = [0.0, 0.0, 0.0] }"), 2, &["probe", "3 numbers", "2D"]);
    workshop.fail(&with("pins.0.select={ axis = \"z\", min = 0.0 }"), 2, &["pins[0]", "\"z\""]);
}

#[test]
fn names_that_do_not_exist_name_the_nearest() {
    let workshop = Workshop::new();
    workshop.fail(&with("energy=\"neo-hokean\""), 2, &["\"neo-hokean\"", "\"neo-hookean\""]);
    workshop.fail(&with("lame=\"consistant\""), 2, &["\"consistant\"", "\"consistent\""]);
    workshop.fail(&with("subspaces.3.method=\"hprd\""), 2, &["\"hprd\"", "\"hrpd\""]);
    workshop.fail(&["sweep", "scene.toml", "--methods", "hprd"], 2, &["\"hprd\"", "\"hrpd\""]);
    workshop.fail(&["solve", "scene.toml", "--space", "ful"], 2, &["\"ful\""]);
    workshop.fail(&["swing", "scene.toml", "--set", "swing.handle=\"tap\""], 2, &["\"tap\"", "\"tip\""]);
}

#[test]
fn the_command_line_itself_is_checked() {
    let workshop = Workshop::new();
    workshop.fail(&["comparre", "scene.toml"], 2, &["comparre", "compare"]);
    workshop.fail(&["compare"], 2, &["SCENE"]);
    workshop.fail(&["compare", "scene.toml", "--threads", "0"], 2, &["--threads 0"]);
    workshop.fail(&["compare", "scene.toml", "--set", "energy"], 2, &["--set energy"]);
    workshop.fail(&["compare", "scene.toml", "--set", "energy=linear"], 2, &["quotes"]);
    workshop.fail(&["info", "beam.msh", "--set", "mesh=\"a\""], 2, &["beam.msh", "--set"]);
    workshop.fail(&["mesh", "box", "-o", "box.stl"], 2, &["box.stl", ".msh"]);
    workshop.fail(&["mesh", "box", "-o", "box.msh", "--cell-size", "-1"], 2, &["-1"]);
    workshop.fail(&["basis", "scene.toml", "--method", "hrpd", "-o", "b.zip"], 2, &["b.zip", ".npz"]);
    workshop.fail(&["nodes", "scene.toml", "--method", "uniform-eigenmodes"], 2, &["no nodes"]);
}

#[test]
fn what_cannot_be_written_is_named() {
    let workshop = Workshop::new();
    workshop.write("taken", "a file");
    workshop.fail(&["compare", "scene.toml", "--out", "taken"], 1, &["taken"]);
    workshop.fail(&["mesh", "box", "-o", "nowhere/box.msh"], 1, &["nowhere"]);
}

#[test]
fn a_solve_that_does_not_converge_fails_only_under_strict() {
    let workshop = Workshop::new();
    let stopped = ["solve", "scene.toml", "--json", "--set", "newton.max_iterations=1"];
    assert_eq!(workshop.json(&stopped)["full"]["termination"], "max-iterations");
    let output = workshop.run(&[&stopped[..], &["--strict"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("did not converge") && message.contains("max-iterations"), "{message}");
    assert!(
        serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok(),
        "the report comes all the same"
    );
}

#[test]
fn a_probe_of_several_vertices_is_refused() {
    let workshop = Workshop::new();
    let says = ["probe selects 3 vertices", "nearest"];
    workshop.fail(&with("probe={ axis = \"x\", min = 4.0 }"), 2, &says);
}

#[test]
fn a_region_with_two_materials_is_refused() {
    let workshop = Workshop::new();
    let twice = ["info", "beam.msh", "--material", "left:1,0.3,1", "--material", "left:2,0.3,1"];
    workshop.fail(&twice, 2, &["--material left:2,0.3,1", "already has a material"]);
}

#[test]
fn too_many_frames_are_traced_to_where_they_were_written() {
    let workshop = Workshop::new();
    workshop.fail(
        &["sweep", "scene.toml", "--set", "sweep.frames=[2, 99]"],
        2,
        &["--set sweep.frames", "99 frames"],
    );
    workshop.fail(&["sweep", "scene.toml", "--frames", "2,99"], 2, &["--frames 2,99", "99 frames"]);
    let one_triangle = gmsh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[(1, [0, 1, 2])]);
    workshop.write("one.msh", &one_triangle);
    let says = ["9 frames is the default", "3 vertices"];
    workshop.fail(&["nodes", "one.msh", "--material", "*:1,0.3,1"], 2, &says);
}

#[test]
fn a_handle_that_turns_hard_pinned_vertices_is_refused_but_one_that_stays_is_not() {
    let workshop = Workshop::new();
    let all_hard = [
        "swing",
        "scene.toml",
        "--set",
        "pins=[{ select = { axis = \"x\", max = 0.0 } }]",
        "--set",
        "handles=[{ name = \"tip\", select = { axis = \"x\", max = 0.0 } }]",
    ];
    workshop.fail(&all_hard, 2, &["scene.toml", "held at two different places"]);
    let still = [&all_hard[..], &["--set", "swing.angle_degrees=0"]].concat();
    workshop.succeed(&still);
}

#[test]
fn parameters_as_given_that_make_rest_unstable_are_refused() {
    let workshop = Workshop::new();
    let negative =
        ["solve", "scene.toml", "--set", "lame=\"as-given\"", "--set", "materials.left.poisson_ratio=-0.3"];
    workshop.fail(&negative, 2, &["stable-neo-hookean", "Poisson ratio above 0", "consistent"]);
}
