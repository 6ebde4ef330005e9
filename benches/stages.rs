//! One stage of the work on one tetrahedral mesh, timed, with the peak memory of the process: what `benches/growth` and `benches/peers` run.
//!
//! `cargo bench --bench stages -- STAGE MESH [key=value ...]` prints one JSON object; without a stage, every stage on a small tentacle. Keys:
//! `nodes` (24), `modes` (24), `solver` and `block` (of the eigenmodes), `rounds` (1; the seconds of each are printed), `threads` (1), `out` (a prefix for files with the weights).
//! What a stage needs from earlier ones is made first, outside its time and peak. Materials are those of the tentacle; bone where there is no joint.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use pliant::basis::{
    EigenOptions, EigenSolver, Stiffness, Subspace, VoronoiOptions, Weights, skinning_eigenmodes,
    voronoi_weights,
};
use pliant::fem::{HessianProjection, StableNeoHookean};
use pliant::graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant::mesh::{
    Material, MaterialMap, SimplexMesh, Tentacle3dOptions, VertexSelection, WriteOptions, tentacle_3d,
    write_mesh,
};
use pliant::statics::{Equilibrium, EquilibriumProblem, FullProblem, Hold, NewtonOptions, solve_equilibrium};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, ..BONE };

const STAGES: [&str; 8] = ["read", "graph", "sample", "weights", "eigenmodes", "step", "reduced", "full"];

/// What the command line asks for.
struct Request {
    nodes: usize,
    modes: usize,
    solver: EigenSolver,
    block_size: Option<usize>,
    rounds: usize,
    threads: usize,
    out: Option<String>,
}

fn main() -> ExitCode {
    // Cargo adds --bench.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Failure> {
    let (plain, keyed): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| !argument.contains('='));
    let request = Request::new(&keyed)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build()?;
    match plain[..] {
        [] => {
            let directory = tempfile::tempdir()?;
            let path = directory.path().join("tentacle.npz");
            let mesh = tentacle_3d(&Tentacle3dOptions { cell_size: 0.17 })?;
            write_mesh(&path, &mesh, &[], &WriteOptions::default())?;
            STAGES.iter().try_for_each(|stage| pool.install(|| print_stage(stage, &path, &request)))
        }
        [stage, path] => pool.install(|| print_stage(stage, Path::new(path), &request)),
        _ => Err("give a stage and a mesh, or neither".into()),
    }
}

impl Request {
    fn new(keyed: &[&String]) -> Result<Self, Failure> {
        let mut request = Self {
            nodes: 24,
            modes: 24,
            solver: EigenSolver::Auto,
            block_size: None,
            rounds: 1,
            threads: 1,
            out: None,
        };
        for argument in keyed {
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            match key {
                "nodes" => request.nodes = value.parse()?,
                "modes" => request.modes = value.parse()?,
                "solver" => {
                    let solver = EigenSolver::ALL.into_iter().find(|solver| solver.name() == value);
                    request.solver = solver.ok_or("solver is one of auto, direct, iterative")?;
                }
                "block" => request.block_size = Some(value.parse()?),
                "rounds" => request.rounds = value.parse::<usize>()?.max(1),
                "threads" => request.threads = value.parse()?,
                "out" => request.out = Some(value.to_owned()),
                _ => {
                    let known = "nodes, modes, solver, block, rounds, threads, out";
                    return Err(format!("{key} is not one of {known}").into());
                }
            }
        }
        Ok(request)
    }
}

/// Seconds of every round and the highest resident memory of the process meanwhile, in MiB.
struct Measured {
    /// Of the clock.
    seconds: Vec<f64>,
    /// Of all threads together: with one thread, what a quiet machine would need. Linux only, as the peak.
    processor_seconds: Vec<f64>,
    peak: Option<f64>,
}

/// Runs the work as often as asked for and keeps what the last round made.
fn measure<T>(rounds: usize, mut work: impl FnMut() -> Result<T, Failure>) -> Result<(T, Measured), Failure> {
    // Writing 5 makes the kernel forget the highest memory so far. Elsewhere than on Linux there is no figure.
    let fresh = fs::write("/proc/self/clear_refs", "5").is_ok();
    let (mut seconds, mut processor_seconds) = (Vec::with_capacity(rounds), Vec::new());
    loop {
        let (begun, processor) = (Instant::now(), processor_time());
        let made = black_box(work()?);
        seconds.push(begun.elapsed().as_secs_f64());
        processor_seconds.extend(processor_time().zip(processor).map(|(after, before)| after - before));
        if seconds.len() == rounds {
            let peak = peak_memory().filter(|_| fresh);
            return Ok((made, Measured { seconds, processor_seconds, peak }));
        }
    }
}

/// Seconds that the threads of this process have run; `None` elsewhere than on Linux.
fn processor_time() -> Option<f64> {
    // The kernel brings the account of a thread up to date when it yields.
    std::thread::yield_now();
    let of_thread = |entry: std::io::Result<fs::DirEntry>| -> Option<f64> {
        let statistics = fs::read_to_string(entry.ok()?.path().join("schedstat")).ok()?;
        Some(statistics.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
    };
    fs::read_dir("/proc/self/task").ok()?.map(of_thread).sum()
}

fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn print_stage(stage: &str, path: &Path, request: &Request) -> Result<(), Failure> {
    let (mesh, reading) = measure(if stage == "read" { request.rounds } else { 1 }, || {
        SimplexMesh::<3>::read(path).map_err(|error| format!("{}: {error}", path.display()).into())
    })?;
    let body = Body { material: material(&mesh)?, mesh, request };
    let (measured, mut record) = match stage {
        "read" => (reading, json!({})),
        "graph" => body.graph()?,
        "sample" => body.sample()?,
        "weights" => body.weights()?,
        "eigenmodes" => body.eigenmodes()?,
        "step" => body.step()?,
        "reduced" => body.reduced()?,
        "full" => body.full()?,
        _ => return Err(format!("{stage} is not one of {}", STAGES.join(", ")).into()),
    };
    record["stage"] = json!(stage);
    record["vertices"] = json!(body.mesh.vertex_count());
    record["cells"] = json!(body.mesh.cell_count());
    record["threads"] = json!(request.threads);
    record["seconds"] = json!(measured.seconds);
    record["processor_seconds"] = json!(measured.processor_seconds);
    record["peak_mib"] = json!(measured.peak);
    println!("{record}");
    Ok(())
}

fn material(mesh: &SimplexMesh<3>) -> Result<MaterialMap, Failure> {
    match mesh.regions().iter().any(|region| region == "joint") {
        true => Ok(MaterialMap::from_regions(mesh, &[("bone", BONE), ("joint", JOINT)])?),
        false => Ok(MaterialMap::uniform(mesh, BONE)?),
    }
}

/// What every stage works on.
struct Body<'r> {
    mesh: SimplexMesh<3>,
    material: MaterialMap,
    request: &'r Request,
}

type Outcome = Result<(Measured, Value), Failure>;

impl Body<'_> {
    fn measure<T>(&self, work: impl FnMut() -> Result<T, Failure>) -> Result<(T, Measured), Failure> {
        measure(self.request.rounds, work)
    }

    fn compliance_graph(&self) -> ComplianceGraph {
        ComplianceGraph::new(&self.mesh, &self.material)
    }

    fn nodes(&self, graph: &ComplianceGraph) -> Result<Vec<usize>, Failure> {
        Ok(sample_nodes(graph, &self.mesh, self.request.nodes, &SamplingOptions::default())?)
    }

    fn graph(&self) -> Outcome {
        let (graph, measured) = self.measure(|| Ok(self.compliance_graph()))?;
        Ok((measured, json!({ "edges": graph.edge_count() })))
    }

    fn sample(&self) -> Outcome {
        let graph = self.compliance_graph();
        let without_lloyd = SamplingOptions { lloyd_passes: 0, ..SamplingOptions::default() };
        let (farthest, first) =
            self.measure(|| Ok(sample_nodes(&graph, &self.mesh, self.request.nodes, &without_lloyd)?))?;
        let (nodes, measured) = self.measure(|| self.nodes(&graph))?;
        let record = json!({
            "nodes": nodes, "farthest_points": farthest, "farthest_points_seconds": first.seconds,
            "farthest_points_processor_seconds": first.processor_seconds,
        });
        Ok((measured, record))
    }

    fn weights(&self) -> Outcome {
        let graph = self.compliance_graph();
        let nodes = self.nodes(&graph)?;
        let (weights, measured) =
            self.measure(|| Ok(voronoi_weights(&graph, &nodes, &VoronoiOptions::default())?))?;
        if let Some(prefix) = &self.request.out {
            write_weights(prefix, &weights)?;
        }
        Ok((measured, json!({ "nodes": nodes, "nonzeros": weights.nonzeros() })))
    }

    fn eigenmodes(&self) -> Outcome {
        let stiffness = Stiffness::Material(&self.material);
        let Request { solver, block_size, .. } = *self.request;
        let options = EigenOptions { solver, block_size, ..EigenOptions::default() };
        let (modes, measured) =
            self.measure(|| Ok(skinning_eigenmodes(&self.mesh, self.request.modes, stiffness, &options)?))?;
        let largest = modes.residuals.iter().copied().fold(0.0, f64::max);
        Ok((measured, json!({ "values": modes.values, "largest_residual": largest })))
    }

    /// One Newton step from rest: assembly, factorisation, solve. Structure and ordering are found once before.
    fn step(&self) -> Outcome {
        let full = self.problem()?;
        let rest = vec![0.0; 3 * self.mesh.vertex_count()];
        let gradient = full.restrict(full.residual(&rest));
        let begun = Instant::now();
        let mut workspace = full.workspace()?;
        let setup = begun.elapsed().as_secs_f64();
        let projection = HessianProjection::PositiveSemidefinite;
        let (step, measured) =
            self.measure(|| Ok(full.newton_step(&mut workspace, &rest, &gradient, projection, 0.0)?))?;
        Ok((measured, json!({ "setup_seconds": setup, "found": step.is_some() })))
    }

    fn pinned(&self) -> Result<Vec<usize>, Failure> {
        let (low, _) = self.mesh.bounding_box();
        let within = low[0] + 0.055 * self.mesh.diagonal();
        Ok(VertexSelection::Range { axis: 0, min: None, max: Some(within) }.select(&self.mesh)?)
    }

    fn problem(&self) -> Result<FullProblem<'_, 3>, Failure> {
        let problem = FullProblem::new(&self.mesh, &self.material, StableNeoHookean);
        Ok(problem.pin_with(&self.pinned()?, Hold::Soft(1e9)).gravity([0.0, -9.8, 0.0]))
    }

    /// Sparse meshless frames; projection and Newton from rest, without building the subspace.
    fn reduced(&self) -> Outcome {
        let graph = self.compliance_graph();
        let weights = voronoi_weights(&graph, &self.nodes(&graph)?, &VoronoiOptions::default())?;
        drop(graph);
        let subspace = Subspace::linear_blend_skinning(&self.mesh, &self.material, weights)?;
        let full = self.problem()?;
        let (equilibrium, measured) =
            self.measure(|| Ok(solve_equilibrium(&full.project(&subspace)?, &NewtonOptions::default())?))?;
        Ok((measured, solution(&equilibrium)))
    }

    fn full(&self) -> Outcome {
        let full = self.problem()?;
        let (equilibrium, measured) =
            self.measure(|| Ok(solve_equilibrium(&full, &NewtonOptions::default())?))?;
        Ok((measured, solution(&equilibrium)))
    }
}

fn solution(equilibrium: &Equilibrium<3>) -> Value {
    json!({
        "unknowns": equilibrium.unknowns.len(), "iterations": equilibrium.iterations(),
        "termination": equilibrium.termination.name(), "potential_energy": equilibrium.potential_energy,
    })
}

/// The compressed rows as three files of raw little-endian numbers: `PREFIX.offsets` and `PREFIX.frames` (u64), `PREFIX.values` (f64).
fn write_weights(prefix: &str, weights: &Weights) -> Result<(), Failure> {
    let integers = |numbers: &[usize]| -> Vec<u8> {
        numbers.iter().flat_map(|&number| (number as u64).to_le_bytes()).collect()
    };
    fs::write(format!("{prefix}.offsets"), integers(weights.row_offsets()))?;
    fs::write(format!("{prefix}.frames"), integers(weights.frames()))?;
    let values: Vec<u8> = weights.values().iter().flat_map(|value| value.to_le_bytes()).collect();
    Ok(fs::write(format!("{prefix}.values"), values)?)
}
