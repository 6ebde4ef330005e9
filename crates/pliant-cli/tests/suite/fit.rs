//! `pliant fit` finds the smallest adaptive basis that is accurate enough, or says that there is none.

use crate::command::Workshop;

#[test]
fn fit_stops_at_the_first_size_below_the_target_and_writes_that_basis() {
    let workshop = Workshop::new();
    let arguments = [
        "fit",
        "scene.toml",
        "--error",
        "0.001",
        "--verify",
        "-o",
        "basis.npz",
        "--json",
        "--out",
        "results",
    ];
    let report = workshop.json(&arguments);
    let points = report["points"].as_array().unwrap();
    let (last, before) = points.split_last().unwrap();
    let error = |point: &serde_json::Value| point["mass_norm_error"].as_f64().unwrap();
    assert!(error(last) <= 0.001 && before.iter().all(|point| error(point) > 0.001), "{report}");
    assert_eq!(report["frames"], last["frames"]);
    assert!(
        workshop.path().join("basis.npz").exists()
            && workshop.read_json("results/fit.json")["frames"] == last["frames"]
    );
}

#[test]
fn a_target_out_of_reach_fails_with_a_sentence_and_writes_no_basis() {
    let workshop = Workshop::new();
    let arguments = ["fit", "scene.toml", "--error", "1e-12", "--frames", "3", "-o", "basis.npz"];
    let output = workshop.run(&arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("no basis of up to 3 frames") && message.contains("raise --frames or --error"));
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("estimated"),
        "the curve is printed all the same"
    );
    assert!(!workshop.path().join("basis.npz").exists());
    workshop.fail(&["fit", "scene.toml", "--error=-1"], 2, &["--error is -1"]);
}
