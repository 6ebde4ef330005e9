//! Ctrl-C: what is finished is kept, nothing is half written, and `--resume` goes on.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{SCENE, Workshop};

/// A sweep that lasts long enough to be interrupted.
const SWEEP: [&str; 6] = ["sweep", "scene.toml", "--threads", "1", "--out", "results"];

/// The scene on a finer mesh, with adaptive frames and a size that anchored frames do not have.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.succeed(&["mesh", "rectangle", "--max", "4,1", "--counts", "64,16", "-o", "beam.msh"]);
    let regions = "[[regions]]\nname = \"left\"\nselect = { axis = \"x\", max = 2.0 }\n[[regions]]\nname = \"right\"\nselect = { axis = \"x\", min = 2.0 }\n";
    let more = "[[subspaces]]\nmethod = \"anchored\"\n[[subspaces]]\nmethod = \"adaptive\"\n";
    let scene = SCENE
        .replace("[2, 3]", "[1, 4, 6, 8, 10]")
        .replace("[[handles]]", &format!("{regions}\n[[handles]]"));
    let scene = scene.replace("probe =", "anchors = [\"pins[0]\", \"tip\"]\nprobe =");
    workshop.write("scene.toml", &(scene + more));
    workshop
}

/// Sends the signal of Ctrl-C once the journal has so many lines, and requires the status of an interrupted process.
fn interrupt(child: &mut Child, journal: &Path, lines: usize) {
    let begun = Instant::now();
    let written = || std::fs::read_to_string(journal).map_or(0, |text| text.lines().count());
    while written() < lines {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        assert!(begun.elapsed() < Duration::from_secs(120), "no point was ever finished");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// `sweep.json` without the lines that hold seconds.
fn without_seconds(workshop: &Workshop, directory: &str) -> String {
    let text = std::fs::read_to_string(workshop.path().join(directory).join("sweep.json")).unwrap();
    let is_time = |line: &&str| {
        ["\"setup\": ", "\"solve\": ", "\"basis\": "].iter().any(|key| line.trim().starts_with(key))
    };
    assert!(text.lines().filter(is_time).count() > 2);
    text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_sweep_that_is_interrupted_and_resumed_reports_what_an_uninterrupted_one_does() {
    let workshop = workshop();
    let results = workshop.path().join("results");
    let journal = results.join("sweep.jsonl");
    let mut child = workshop.command(&SWEEP).stderr(Stdio::null()).spawn().unwrap();
    interrupt(&mut child, &journal, 4);
    let kept = std::fs::read_to_string(&journal).unwrap();
    assert!(!results.join("sweep.json").exists());
    let names = std::fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with(".writing")));

    let resumed = [&SWEEP[..], &["--resume"]].concat();
    let table = workshop.succeed(&resumed);
    assert!(table.contains("missing: adaptive at 1 frames: "), "{table}");
    assert!(table.contains("missing: anchored at 1 frames: "), "{table}");
    let whole = std::fs::read_to_string(&journal).unwrap();
    let (header, rest) = kept.split_once('\n').unwrap();
    assert!(
        whole.starts_with(header) && rest.lines().all(|line| whole.contains(line)),
        "what was kept is kept"
    );
    assert_eq!(whole.lines().count(), 2 + 6 * 5, "a header, the full solution, and a line for each point");

    workshop.succeed(&["sweep", "scene.toml", "--out", "at-once"]);
    assert_eq!(without_seconds(&workshop, "results"), without_seconds(&workshop, "at-once"));
    // With everything finished nothing is solved again: the seconds are those of before.
    let before = workshop.read_json("results/sweep.json");
    workshop.succeed(&resumed);
    assert_eq!(workshop.read_json("results/sweep.json"), before);
}

#[test]
fn a_sweep_of_another_scene_mesh_or_choice_of_points_is_not_resumed() {
    let workshop = Workshop::new();
    let sweep = ["sweep", "scene.toml", "--frames", "2", "--methods", "hrpd", "--out", "results"];
    workshop.succeed(&sweep);
    let resume = [&sweep[..], &["--resume"]].concat();
    workshop.succeed(&resume);
    let refused =
        |arguments: &[&str]| workshop.fail(arguments, 2, &["--resume", "sweep.jsonl", "another sweep"]);
    refused(&[&resume[..], &["--set", "gravity=[0.0,-2.0]"]].concat());
    refused(&[&resume[..3], &["3"], &resume[4..]].concat());
    workshop.write("scene.toml", &SCENE.replace("1e3", "2e3"));
    refused(&resume);
    workshop.write("scene.toml", SCENE);
    workshop.succeed(&resume);
    workshop.write("beam.msh", &crate::command::beam([0.01, 0.0]));
    refused(&resume);
    workshop.fail(&["sweep", "scene.toml", "--resume"], 2, &["--out"]);
}
