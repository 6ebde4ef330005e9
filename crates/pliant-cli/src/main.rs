//! The `pliant` command.

mod cell_materials;
mod cli;
mod commands;
mod failure;
mod gltf_files;
mod grown_frames;
mod html_report;
mod independent_jobs;
mod interruption;
mod load_case;
mod model;
mod names;
mod output;
mod scene;
mod setting;
mod shape_series;
mod solution_files;
mod source;
mod space;
mod space_builder;
mod space_method;
mod space_options;
mod sweep_journal;
mod units_hint;
mod usage;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    // One factorisation at a time is sequential; the parallelism is over points of a sweep and inside our own loops.
    faer::set_global_parallelism(faer::Par::Seq);
    let cli = match usage::parse() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    interruption::end_when_interrupted()?;
    start_threads(cli.common.threads)?;
    match &cli.command {
        Command::Info(options) => commands::info::run(options, &cli.common),
        Command::Convert(options) => commands::convert::run(options, &cli.common),
        Command::Materials => commands::materials::run(&cli.common),
        Command::Mesh(shape) => commands::mesh::run(shape, &cli.common),
        Command::Nodes(options) => commands::nodes::run(options, &cli.common),
        Command::Basis(options) => commands::basis::run(options, &cli.common),
        Command::Solve(options) => commands::solve::run(options, &cli.common),
        Command::Compare(options) => commands::compare::run(options, &cli.common),
        Command::Sweep(options) => commands::sweep::run(options, &cli.common),
        Command::Swing(options) => commands::swing::run(options, &cli.common),
        Command::Report(options) => commands::report::run(options, &cli.common),
        Command::Fit(options) => commands::fit::run(options, &cli.common),
    }
}

/// Starts the thread pool with as many threads as were asked for, but no more than the machine runs at once.
fn start_threads(threads: Option<usize>) -> Result<(), Failure> {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    if threads == Some(0) {
        return Err(Failure::input("--threads 0 leaves nobody to work; give at least 1"));
    }
    let threads = threads.map_or(available, |threads| threads.min(available));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(|error| {
        Failure::work(format_args!("cannot start {threads} threads ({error}); try --threads 1"))
    })
}
