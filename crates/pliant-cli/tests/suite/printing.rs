//! What is printed where: a table or JSON on stdout, nothing on stderr when all is well, no panic when nobody reads.

use std::process::Stdio;

use crate::command::Workshop;

#[test]
fn without_json_a_table_has_one_row_a_space_and_stderr_is_empty_when_piped() {
    let workshop = Workshop::new();
    let output = workshop.run(&["compare", "scene.toml"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    for space in ["full", "sparse-meshless", "uniform-eigenmodes", "material-eigenmodes", "hrpd"] {
        let rows = text.lines().filter(|line| line.starts_with('|') && line.contains(space));
        assert_eq!(rows.count(), 1, "{space} in\n{text}");
    }
}

#[test]
fn below_the_table_stands_a_chart_in_the_characters_of_the_locale() {
    let workshop = Workshop::new();
    for (command, rows) in [("compare", 4), ("sweep", 8)] {
        for (locale, block) in [("C.UTF-8", '█'), ("C", '#')] {
            let output = workshop.command(&[command, "scene.toml"]).env("LC_ALL", locale).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let chart: Vec<&str> = text.lines().skip_while(|line| !line.is_empty()).skip(3).collect();
            assert_eq!(chart.len(), rows, "{text}");
            assert!(chart.iter().all(|row| row.chars().count() <= 80) && text.contains(block), "{text}");
            assert_eq!(text.is_ascii(), locale == "C", "{text}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let workshop = Workshop::new();
    for arguments in [&["compare", "scene.toml", "--json"][..], &["info", "beam.msh"], &["--help"]] {
        let mut child =
            workshop.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && message.is_empty(), "{arguments:?}: {message}");
    }
}

#[test]
fn help_and_version_succeed() {
    let workshop = Workshop::new();
    assert!(workshop.succeed(&["--version"]).starts_with("pliant "));
    for command in ["info", "mesh", "nodes", "basis", "solve", "compare", "sweep", "swing"] {
        assert!(workshop.succeed(&["--help"]).contains(command));
        assert!(workshop.succeed(&[command, "--help"]).contains("Usage"));
    }
}

#[test]
fn the_scenes_of_the_repository_are_valid() {
    let workshop = Workshop::new();
    let scenes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/scenes");
    let mut count = 0;
    let [own, loads] =
        [scenes.clone(), scenes.join("loads")].map(|folder| std::fs::read_dir(folder).unwrap());
    for entry in own.chain(loads) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        assert!(workshop.json(&["info", path.to_str().unwrap(), "--json"])["components"] == 1, "{path:?}");
        count += 1;
    }
    assert!(count >= 11, "{count} scenes");
}
