//! Adaptive frames grow from the scene's training loads, and every subspace is tested with the loads that it never saw.

use crate::command::{SCENE, Workshop};

const LOADS: &str = r#"
[[subspaces]]
method = "adaptive"
frames = 5

[[point_loads]]
select = { axis = "x", min = 4.0 }
force = [0.0, 0.5]

[[training]]
name = "up"
gravity = [0.0, 1.0]

[[training]]
name = "turned"
handle = "tip"
angle_degrees = 5.0

[[testing]]
name = "sideways"
gravity = [1.0, 0.0]

[[testing]]
name = "turned back"
handle = "tip"
angle_degrees = -4.0

[[testing.point_loads]]
select = { nearest = [2.0, 1.0] }
force = [0.0, -1.0]
"#;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("loads.toml", &format!("{SCENE}{LOADS}"));
    workshop
}

#[test]
fn every_subspace_is_tested_and_grown_frames_do_better_than_all_others_on_loads_that_they_never_saw() {
    let workshop = workshop();
    let report = workshop.json(&["compare", "loads.toml", "--json"]);
    let names = |loads: &serde_json::Value| -> Vec<String> {
        loads.as_array().unwrap().iter().map(|load| load["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&report["full"]["testing"]), ["sideways", "turned back"]);
    let worst = |record: &serde_json::Value| -> f64 {
        assert_eq!(names(&record["testing"]), ["sideways", "turned back"]);
        let errors = record["testing"].as_array().unwrap().iter();
        errors.map(|load| load["mass_norm_error"].as_f64().unwrap()).fold(0.0, f64::max)
    };
    let (adaptive, others) = report["subspaces"].as_array().unwrap().split_last().unwrap();
    assert_eq!(adaptive["method"], "adaptive");
    assert_eq!(names(&adaptive["training"]), ["up", "turned"]);
    assert!(others.iter().all(|other| worst(other) > 2.0 * worst(adaptive)), "{report}");
    assert!(others.iter().all(|other| other.get("training").is_none()));
}

#[test]
fn a_sweep_of_grown_frames_is_one_nested_basis() {
    let workshop = workshop();
    let arguments =
        ["sweep", "loads.toml", "--methods", "adaptive", "--frames", "3,5,4", "--out", "results", "--json"];
    let report = workshop.json(&arguments);
    let points = report["points"].as_array().unwrap();
    let frames: Vec<u64> = points.iter().map(|point| point["frames"].as_u64().unwrap()).collect();
    assert_eq!(frames, [3, 5, 4]);
    let energy = |point: usize| points[point]["potential_energy"].as_f64().unwrap();
    assert!(energy(1) <= energy(2) && energy(2) <= energy(0), "a larger space has less energy");
    let alone = workshop.json(&["solve", "loads.toml", "--space", "adaptive", "--frames", "4", "--json"]);
    let alone = alone["subspaces"][0]["potential_energy"].as_f64().unwrap();
    assert!((alone - energy(2)).abs() < 1e-9 * alone.abs(), "{alone} against {}", energy(2));
    let csv = std::fs::read_to_string(workshop.path().join("results/sweep.csv")).unwrap();
    assert!(csv.lines().next().unwrap().ends_with("testing_mean_error,testing_largest_error"), "{csv}");
}

#[test]
fn the_scene_s_own_load_trains_where_no_other_is_named() {
    let workshop = Workshop::new();
    let report = workshop.json(&[
        "basis",
        "scene.toml",
        "--method",
        "adaptive",
        "--frames",
        "4",
        "-o",
        "basis.npz",
        "--json",
    ]);
    assert_eq!(report["training"][0]["name"], "own");
    assert!(report["training"][0]["estimated_error"].as_f64().unwrap() < 0.01);
    assert!(workshop.path().join("basis.npz").exists());
}

#[test]
fn a_threshold_makes_grown_frames_sparser_and_keeps_them_accurate() {
    let workshop = Workshop::new();
    let grow = |threshold: &str| {
        let option = format!("threshold={threshold}");
        let common = ["solve", "scene.toml", "--space", "adaptive", "--frames", "4", "--json", "--option"];
        let report = workshop.json(&[&common[..], &[&option]].concat());
        let record = &report["subspaces"][0];
        (record["weights_nonzeros"].as_u64().unwrap(), record["estimated_error"].as_f64().unwrap())
    };
    let (dense, sparse) = (grow("0"), grow("0.3"));
    assert!(sparse.0 < dense.0 && sparse.1 < 0.01, "{dense:?} {sparse:?}");
    let message = ["solve", "scene.toml", "--space", "adaptive", "--option", "threshold=1"];
    workshop.fail(&message, 2, &["a number from 0 to below 1"]);
}

#[test]
fn what_is_wrong_with_loads_is_said_with_its_line() {
    let workshop = workshop();
    let with = |setting: &'static str| ["compare", "loads.toml", "--set", setting];
    workshop.fail(&with("testing.1.handle=\"tpi\""), 2, &["no handle \"tpi\"", "\"tip\""]);
    workshop.fail(&with("training.0.gravity=[1.0]"), 2, &["gravity has 1 numbers"]);
    workshop.fail(&with("training.0.gravty=[1.0]"), 2, &["gravty", "\"gravity\""]);
    workshop.fail(&with("testing.1.name=\"sideways\""), 2, &["\"sideways\" is there twice"]);
    workshop.fail(&with("point_loads.0.select={ axis = \"x\", min = 99.0 }"), 2, &["point_loads[0]"]);
    let bare = ["basis", "beam.msh", "--material", "*:1e3,0.3,1", "--method", "adaptive"];
    workshop.fail(&bare, 2, &["nothing is pinned"]);
    workshop.fail(&["nodes", "loads.toml", "--method", "adaptive"], 2, &["has no nodes"]);
    workshop.fail(&["solve", "loads.toml", "--space", "adaptive", "--frames", "1"], 1, &["ask for at least"]);
}
