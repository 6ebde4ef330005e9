//! Runs the built command in a directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory with a small mesh and a scene on it.
pub struct Workshop {
    directory: TempDir,
}

/// A scene on `beam.msh`: a beam of two regions, pinned on the left under gravity.
pub const SCENE: &str = r#"mesh = "beam.msh"
gravity = [0.0, -1.0]
probe = { nearest = [4.0, 0.0] }

[materials.left]
youngs_modulus = 1e4
poisson_ratio = 0.3
density = 1.0

[materials.right]
youngs_modulus = 1e3
poisson_ratio = 0.3
density = 1.0

[[pins]]
select = { axis = "x", max = 0.0 }
stiffness = 1e6

[[handles]]
name = "tip"
select = { axis = "x", min = 4.0 }
stiffness = 1e6

[sweep]
frames = [2, 3]

[swing]
handle = "tip"
angle_degrees = 5.0
steps = 4

[[subspaces]]
method = "sparse-meshless"
frames = 3

[[subspaces]]
method = "uniform-eigenmodes"
frames = 3

[[subspaces]]
method = "material-eigenmodes"
frames = 3

[[subspaces]]
method = "hrpd"
frames = 3
"#;

impl Workshop {
    /// With `beam.msh` and `scene.toml`.
    pub fn new() -> Self {
        let workshop = Self { directory: tempfile::tempdir().unwrap() };
        workshop.write("beam.msh", &beam([0.0; 2]));
        workshop.write("scene.toml", SCENE);
        workshop
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs the command in the directory.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The command, ready to run in the directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    /// Runs the command, requires success, and returns what it printed.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the command and returns the JSON that it printed.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.succeed(arguments)).unwrap()
    }

    /// Reads a JSON file of the directory.
    pub fn read_json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(self.path().join(name)).unwrap()).unwrap()
    }

    /// Runs the command and requires this status and one sentence on stderr that holds every one of `says`.
    pub fn fail(&self, arguments: &[&str], status: i32, says: &[&str]) {
        let output = self.run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{message}");
        assert_eq!(message.trim_end().lines().count(), 1, "one sentence: {message}");
        assert_eq!(message.matches("rror: ").count(), 1, "no chain of errors: {message}");
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        for part in says {
            assert!(message.contains(part), "{part:?} in {message}");
        }
    }
}

/// A 4 x 1 beam in Gmsh 2.2: 9 x 3 vertices, the regions `left` and `right`, and `offset` added to the last vertex.
pub fn beam(offset: [f64; 2]) -> String {
    let positions: Vec<[f64; 3]> = (0..27)
        .map(|vertex| {
            let last = if vertex == 26 { offset } else { [0.0; 2] };
            [(vertex / 3) as f64 * 0.5 + last[0], (vertex % 3) as f64 * 0.5 - 0.5 + last[1], 0.0]
        })
        .collect();
    let mut cells = Vec::new();
    for column in 0..8 {
        for row in 0..2 {
            let corner = column * 3 + row;
            let region = if column < 4 { 1 } else { 2 };
            cells.push((region, [corner, corner + 3, corner + 4]));
            cells.push((region, [corner, corner + 4, corner + 1]));
        }
    }
    gmsh(&positions, &cells)
}

/// Triangles of the regions 1 (`left`) and 2 (`right`) as a Gmsh 2.2 file.
pub fn gmsh(positions: &[[f64; 3]], cells: &[(usize, [usize; 3])]) -> String {
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n$EndPhysicalNames\n"
        .to_owned();
    text += &format!("$Nodes\n{}\n", positions.len());
    for (index, [x, y, z]) in positions.iter().enumerate() {
        text += &format!("{} {x} {y} {z}\n", index + 1);
    }
    text += &format!("$EndNodes\n$Elements\n{}\n", cells.len());
    for (index, (region, [a, b, c])) in cells.iter().enumerate() {
        text += &format!("{} 2 2 {region} {region} {} {} {}\n", index + 1, a + 1, b + 1, c + 1);
    }
    text + "$EndElements\n"
}
