//! Prints the least time in seconds of a few readings of each mesh file given, and of its plain bytes: `FILE MESH BYTES`.

use std::hint::black_box;
use std::time::Instant;

use pliant::mesh::read_mesh;

/// Readings of each file; the least time counts.
const TIMES: usize = 5;

fn main() {
    // `cargo bench` adds `--bench`, and runs this with the others, without files.
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let mesh = least_seconds(|| read_mesh(&path).map(|_| ()).map_err(|error| error.to_string()));
        let bytes = least_seconds(|| std::fs::read(&path).map(|_| ()).map_err(|error| error.to_string()));
        println!("{path} {mesh:.4} {bytes:.4}");
    }
}

fn least_seconds(read: impl Fn() -> Result<(), String>) -> f64 {
    let times = (0..TIMES).map(|_| {
        let begun = Instant::now();
        if let Err(problem) = black_box(read()) {
            eprintln!("error: {problem}");
            std::process::exit(1);
        }
        begun.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}
