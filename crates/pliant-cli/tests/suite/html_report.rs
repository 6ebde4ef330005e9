//! The HTML reports of the commands.

use crate::command::Workshop;

/// Requires these figures in the page and as files, and no others.
fn expect_figures(workshop: &Workshop, directory: &str, names: &[&str]) -> String {
    let html = std::fs::read_to_string(workshop.path().join(directory).join("index.html")).unwrap();
    for name in names {
        assert!(html.contains(&format!("<figure id=\"{name}\">")), "{name} in {directory}");
        for extension in ["svg", "png"] {
            let file = workshop.path().join(directory).join(format!("figures/{name}.{extension}"));
            assert!(file.metadata().unwrap().len() > 500, "{}", file.display());
        }
    }
    assert_eq!(html.matches("<figure id=").count(), names.len(), "{directory}");
    html
}

const BODY: [&str; 4] = ["material", "distances", "nodes", "voronoi"];
const SPACES: [&str; 3] = ["weights", "sparsity", "patch-test"];

#[test]
fn one_report_holds_everything_that_a_scene_has_to_show() {
    let workshop = Workshop::new();
    let printed = workshop.json(&["report", "scene.toml", "--out", "page", "--json"]);
    assert_eq!(printed["compare"]["subspaces"].as_array().unwrap().len(), 4);
    assert_eq!(printed["sweep"]["points"].as_array().unwrap().len(), 8);
    assert_eq!(printed["swing"]["angles_degrees"].as_array().unwrap().len(), 4);
    let solved = ["shapes", "volume", "newton", "convergence", "swing-error", "times"];
    let html = expect_figures(&workshop, "page", &[&BODY[..], &SPACES[..], &solved[..]].concat());
    assert!(html.contains("class=\"player\"") && workshop.path().join("page/figures/swing.png").is_file());
    assert!(html.len() < 5_000_000);
}

#[test]
fn each_command_writes_its_part() {
    let workshop = Workshop::new();
    assert!(workshop.succeed(&["sweep", "scene.toml", "--report", "sweep"]).contains("hrpd"));
    expect_figures(&workshop, "sweep", &["material", "convergence"]);
    workshop.succeed(&["nodes", "scene.toml", "--frames", "3", "--report", "nodes"]);
    expect_figures(&workshop, "nodes", &BODY);
    workshop.succeed(&["basis", "scene.toml", "--method", "hrpd", "--frames", "3", "--report", "basis"]);
    expect_figures(&workshop, "basis", &[&BODY[..], &SPACES[..]].concat());
    workshop.succeed(&["fit", "scene.toml", "--error", "0.2", "--report", "fit"]);
    expect_figures(&workshop, "fit", &["material", "fit", "weights", "sparsity"]);
    workshop.succeed(&["swing", "scene.toml", "--report", "swing"]);
    expect_figures(&workshop, "swing", &["material", "swing-error"]);
}

#[test]
fn figures_are_the_same_bytes_for_the_same_scene_on_any_number_of_threads() {
    let workshop = Workshop::new();
    for (threads, directory) in [("1", "a"), ("2", "b")] {
        workshop.succeed(&["compare", "scene.toml", "--threads", threads, "--report", directory]);
    }
    let read = |directory: &str, name: &str| {
        std::fs::read(workshop.path().join(directory).join("figures").join(name)).unwrap()
    };
    for name in BODY.iter().chain(&SPACES).chain(&["shapes", "volume", "newton"]) {
        for extension in ["svg", "png"] {
            let name = format!("{name}.{extension}");
            assert!(read("a", &name) == read("b", &name), "{name} differs");
        }
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_one_sentence() {
    let workshop = Workshop::new();
    let arguments = ["nodes", "scene.toml", "--frames", "3", "--report", "beam.msh"];
    workshop.fail(&arguments, 1, &["cannot write beam.msh", "check the directory"]);
}
