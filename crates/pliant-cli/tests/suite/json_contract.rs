//! The keys of the JSON results, which other programs rely on.

use crate::command::Workshop;
use serde_json::Value;

fn require_keys(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("an object: {value}"));
    for key in keys {
        assert!(object.contains_key(*key), "{key} in {:?}", object.keys().collect::<Vec<_>>());
    }
}

const METHODS: [&str; 4] = ["sparse-meshless", "uniform-eigenmodes", "material-eigenmodes", "hrpd"];

fn require_full(full: &Value) {
    require_keys(full, &["dofs", "newton_iterations", "termination", "probe_vertex", "probe_displacement"]);
    require_keys(full, &["linear_solver", "linear_iterations"]);
    require_keys(&full["seconds"], &["setup", "solve"]);
    assert_eq!(full["dofs"], 54);
    assert_eq!(full["probe_displacement"].as_array().unwrap().len(), 2);
    assert!(full["potential_energy"].as_f64().unwrap() < 0.0);
}

fn require_subspace(record: &Value) {
    require_keys(
        record,
        &["method", "frames", "dofs", "rank", "weights_nonzeros", "weights_density", "basis_density"],
    );
    require_keys(record, &["mass_norm_error", "displacement_error", "energy_gap", "probe_displacement"]);
    require_keys(record, &["probe_fraction", "newton_iterations", "termination", "seconds", "checks"]);
    require_keys(&record["seconds"], &["basis", "solve"]);
    require_keys(
        &record["checks"],
        &["partition_of_unity", "minimum_weight", "interpolation", "patch_test", "rest"],
    );
    assert_eq!(record["termination"], "converged");
    assert!(record["energy_gap"].as_f64().unwrap() >= -1e-9, "no subspace goes below the full potential");
    assert!(record["checks"]["patch_test"].as_f64().unwrap() < 1e-9);
}

fn require_mesh(mesh: &Value) {
    assert_eq!(mesh["dimension"], 2);
    assert_eq!(mesh["vertices"], 27);
    assert_eq!(mesh["cells"], 32);
    assert!((mesh["volume"].as_f64().unwrap() - 4.0).abs() < 1e-12);
    assert_eq!(mesh["regions"]["left"], 16);
}

#[test]
fn compare_reports_every_space_and_writes_the_same_report() {
    let workshop = Workshop::new();
    let report = workshop.json(&["compare", "scene.toml", "--json", "--out", "results"]);
    require_mesh(&report["mesh"]);
    require_full(&report["full"]);
    let subspaces = report["subspaces"].as_array().unwrap();
    assert_eq!(
        subspaces.iter().map(|record| record["method"].as_str().unwrap()).collect::<Vec<_>>(),
        METHODS
    );
    subspaces.iter().for_each(require_subspace);
    assert_eq!(workshop.read_json("results/report.json"), report);
    for name in ["full.vtu", "hrpd-3.vtu", "sparse-meshless-3.vtu"] {
        let text = std::fs::read(workshop.path().join("results").join(name)).unwrap();
        assert!(text.windows(12).any(|window| window == b"displacement"), "{name}");
    }
}

#[test]
fn solve_reports_one_space() {
    let workshop = Workshop::new();
    let report = workshop.json(&["solve", "scene.toml", "--space", "full", "--json"]);
    require_mesh(&report["mesh"]);
    require_full(&report["full"]);
    assert_eq!(report["subspaces"].as_array().unwrap().len(), 0);
    let report = workshop.json(&["solve", "scene.toml", "--space", "hrpd", "--frames", "4", "--json"]);
    assert_eq!(report["full"], Value::Null);
    assert_eq!(report["subspaces"][0]["frames"], 4);
    assert_eq!(report["subspaces"][0]["mass_norm_error"], Value::Null);
}

#[test]
fn sweep_reports_methods_in_order_and_frames_in_order() {
    let workshop = Workshop::new();
    let report = workshop.json(&["sweep", "scene.toml", "--json", "--out", "results"]);
    require_mesh(&report["mesh"]);
    require_full(&report["full"]);
    let points = report["points"].as_array().unwrap();
    points.iter().for_each(require_subspace);
    let order: Vec<(&str, u64)> = points
        .iter()
        .map(|point| (point["method"].as_str().unwrap(), point["frames"].as_u64().unwrap()))
        .collect();
    let expected: Vec<(&str, u64)> = METHODS.iter().flat_map(|&method| [(method, 2), (method, 3)]).collect();
    assert_eq!(order, expected);
    assert_eq!(workshop.read_json("results/sweep.json"), report);
    let csv = std::fs::read_to_string(workshop.path().join("results/sweep.csv")).unwrap();
    assert_eq!(csv.lines().count(), 9);
    assert!(csv.starts_with("method,frames,dofs,rank,"), "{csv}");
    require_series(&workshop, "sweep", 2 + 8);
    let chosen = ["sweep", "scene.toml", "--json", "--frames", "4", "--methods", "hrpd,sparse-meshless"];
    let points = workshop.json(&chosen)["points"].clone();
    assert_eq!((points[0]["method"].as_str(), points[1]["frames"].as_u64()), (Some("hrpd"), Some(4)));
}

#[test]
fn swing_reports_an_error_for_each_pose() {
    let workshop = Workshop::new();
    let report = workshop.json(&["swing", "scene.toml", "--json", "--out", "results"]);
    assert_eq!(report["frames"], 3);
    assert_eq!(report["angles_degrees"].as_array().unwrap().len(), 4);
    for record in report["subspaces"].as_array().unwrap() {
        require_keys(record, &["method", "errors", "mean_error", "max_error"]);
        assert_eq!(record["errors"].as_array().unwrap().len(), 4);
        assert!(record["mean_error"].as_f64().unwrap() <= record["max_error"].as_f64().unwrap());
    }
    assert_eq!(workshop.read_json("results/swing.json"), report);
    require_series(&workshop, "swing", 4 * 5);
}

/// Requires a collection of so many entries, each a time and a block of its own with a file that is there.
fn require_series(workshop: &Workshop, name: &str, entries: usize) {
    let directory = workshop.path().join("results");
    let text = std::fs::read_to_string(directory.join(format!("{name}.pvd"))).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("<DataSet ")).collect();
    assert_eq!(lines.len(), entries, "{text}");
    let value = |line: &str, key: &str| {
        let start = line.find(&format!(" {key}=\"")).unwrap() + key.len() + 3;
        line[start..].split('"').next().unwrap().to_owned()
    };
    let mut places = std::collections::BTreeSet::new();
    for line in lines {
        assert!(places.insert((value(line, "timestep"), value(line, "part"))), "{text}");
        let info = workshop.json(&["info", directory.join(value(line, "file")).to_str().unwrap(), "--json"]);
        let arrays = info["arrays"].as_array().unwrap();
        assert!(arrays.iter().any(|array| array["name"] == "displacement"), "{info}");
    }
}

#[test]
fn info_reports_a_bare_mesh_and_the_mesh_of_a_scene() {
    let workshop = Workshop::new();
    let report = workshop.json(&["info", "beam.msh", "--json"]);
    require_keys(&report, &["format", "dimension", "vertices", "cells", "volume", "regions", "arrays"]);
    require_keys(&report, &["components", "dropped"]);
    assert_eq!(report["format"], "Gmsh 2.2 ASCII");
    assert_eq!(report["components"], 1);
    assert_eq!(report["regions"]["right"]["cells"], 16);
    assert!((report["regions"]["right"]["volume"].as_f64().unwrap() - 2.0).abs() < 1e-12);
    let regions = "regions=[{ name = \"right\", select = { axis = \"x\", min = 3.0 } }, \
                   { name = \"left\", select = { axis = \"x\", max = 3.0 } }]";
    let report = workshop.json(&["info", "scene.toml", "--json", "--set", regions]);
    assert_eq!(report["regions"]["right"]["cells"], 8);
}

#[test]
fn a_basis_is_written_and_described() {
    let workshop = Workshop::new();
    let material = ["--material", "left:1e4,0.3,1", "--material", "*:1e3,0.3,1"];
    let arguments =
        [&["basis", "beam.msh", "--method", "sparse-meshless", "--frames", "4"][..], &material].concat();
    let report = workshop.json(&[&arguments[..], &["-o", "basis.npz", "--json"]].concat());
    assert_eq!((report["dofs"].as_u64(), report["rank"].as_u64()), (Some(24), Some(24)));
    assert_eq!(report["nodes"].as_array().unwrap().len(), 4);
    assert!(std::fs::read(workshop.path().join("basis.npz")).unwrap().starts_with(b"PK"));
}

#[test]
fn nodes_are_listed_with_their_regions_and_written_with_labels() {
    let workshop = Workshop::new();
    let report =
        workshop.json(&["nodes", "scene.toml", "--json", "--out", "results", "--option", "lloyd_passes=0"]);
    let nodes = report["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 3);
    assert_eq!(nodes[0]["vertex"], 0);
    assert_eq!(nodes[0]["region"], "left");
    let vertices: u64 = nodes.iter().map(|node| node["vertices"].as_u64().unwrap()).sum();
    let cells: u64 = nodes.iter().map(|node| node["cells"].as_u64().unwrap()).sum();
    assert_eq!((vertices, cells), (27, 32));
    assert_eq!(workshop.read_json("results/nodes.json"), report);
    assert!(workshop.path().join("results/nodes.vtu").exists());
}

#[test]
fn a_mesh_that_is_made_reads_back_as_it_was_described() {
    let workshop = Workshop::new();
    for (shape, name, options) in [
        ("rectangle", "a.msh", &["--max", "2,1", "--counts", "4,2"][..]),
        ("box", "b.msh", &["--min", "-1,0,0", "--cell-size", "0.5", "--msh-format", "binary-4.1"][..]),
        ("tentacle", "c.msh", &["--cell-size", "0.2"][..]),
        ("tentacle", "d.msh", &["--dimension", "3", "--cell-size", "0.3"][..]),
    ] {
        let made = workshop.json(&[&["mesh", shape, "-o", name, "--json"][..], options].concat());
        let read = workshop.json(&["info", name, "--json"]);
        for key in ["dimension", "vertices", "cells", "volume", "regions"] {
            assert_eq!(made[key], read[key], "{shape} {key}");
        }
    }
}

/// Takes every `seconds` out of a report.
fn without_seconds(report: &mut serde_json::Value) {
    match report {
        serde_json::Value::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(without_seconds);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(without_seconds),
        _ => {}
    }
}

#[test]
fn reports_but_for_seconds_do_not_depend_on_the_number_of_threads() {
    let workshop = Workshop::new();
    for command in ["sweep", "swing"] {
        let [one, two] = ["1", "2"].map(|threads| {
            let mut report = workshop.json(&[command, "scene.toml", "--json", "--threads", threads]);
            without_seconds(&mut report);
            report
        });
        assert_eq!(one, two, "{command}");
    }
}

#[test]
fn a_body_of_a_micrometre_is_solved_as_exactly_as_one_of_a_metre() {
    let workshop = Workshop::new();
    let probe = |length: f64| {
        let size = |x: f64| format!("{}", x * length);
        let corner = format!("{},{}", size(4.0), size(1.0));
        let mesh = ["mesh", "rectangle", "--max", &corner, "--counts", "16,4", "-o", "beam.msh"];
        workshop.succeed(&mesh);
        let scene = format!(
            "mesh = \"beam.msh\"\ngravity = [0.0, {}]\nprobe = {{ nearest = [{}, 0.0] }}\n\
             [materials.\"*\"]\nyoungs_modulus = 1e4\npoisson_ratio = 0.3\ndensity = 1.0\n\
             [[pins]]\nselect = {{ axis = \"x\", max = 0.0 }}\n",
            -60.0 / length,
            size(4.0)
        );
        workshop.write("small.toml", &scene);
        let report = workshop.json(&["solve", "small.toml", "--json"]);
        report["full"]["probe_displacement"][1].as_f64().unwrap() / length
    };
    let (metre, micrometre) = (probe(1.0), probe(1e-6));
    assert!(metre < -1.0 && (micrometre / metre - 1.0).abs() < 1e-9, "{micrometre} {metre}");
}
