//! One whole Newton iteration of full FEM on a clamped box of `n^3` bricks, six tetrahedra each, one thread: what it takes, and what its parts take, in
//! processor time; with a factorisation, and with the solver that is chosen at this size. Assembly is timed on two threads too, both by the clock.
//!
//! `cargo bench --bench newton_iteration -- N [ROUNDS [MATRIX]]` prints one line of JSON with the best of the rounds, and writes the lower triangle of
//! the iteration's matrix to a file, in the format that `peers/cholmod/factorise.c` describes.

mod stopwatch;

use std::error::Error;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use pliant::fem::{
    HessianProjection, Ordering, SparseCholesky, StableNeoHookean, SymmetricMatrix, SymmetricPattern,
};
use pliant::mesh::{
    BoxOptions, Diagonals, Material, MaterialMap, Resolution, SimplexMesh, VertexSelection, box_mesh,
};
use pliant::statics::{
    EquilibriumProblem, FullProblem, HessianStrategy, LinearSolver, NewtonOptions, solve_equilibrium_from,
};
use stopwatch::best;

const RUBBER: Material = Material { youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000.0 };

/// Bent and twisted, by up to a third of the size of the box, with waves that leave no two cells alike; nothing moves where it is held.
fn deformed(mesh: &SimplexMesh<3>) -> Vec<f64> {
    let displacement = |x: &[f64; 3]| {
        let wave = 0.01 * (20.0 * x[1]).sin() * (17.0 * x[2]).cos() * x[0];
        let bend = 0.3 * x[0] * x[0];
        [-0.2 * x[0] * bend + wave, (x[2] - 0.5) * 0.4 * x[0] + wave, -bend - (x[1] - 0.5) * 0.4 * x[0]]
    };
    mesh.positions().iter().flat_map(displacement).collect()
}

/// Little-endian: rows, entries, column offsets, row indices (all 64 bits), values.
fn write_matrix(path: &str, matrix: &SymmetricMatrix) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let pattern = matrix.pattern();
    let head = [pattern.dof_count(), pattern.nonzeros()];
    for number in head.iter().chain(pattern.column_offsets()).chain(pattern.row_indices()) {
        file.write_all(&(*number as i64).to_le_bytes())?;
    }
    for value in matrix.values() {
        file.write_all(&value.to_le_bytes())?;
    }
    Ok(file.flush()?)
}

/// Processor time of one Newton iteration with projected cells, in s, and the length of its step.
fn iteration(problem: &FullProblem<'_, 3>, start: &[f64], rounds: usize) -> Result<[f64; 2], Box<dyn Error>> {
    let mut workspace = problem.workspace()?;
    let options =
        NewtonOptions { max_iterations: 1, hessian: HessianStrategy::Always, ..NewtonOptions::default() };
    let ([seconds, _], end) =
        best(rounds, || solve_equilibrium_from(problem, &mut workspace, start.to_vec(), &options));
    Ok([seconds, end?.history[0].step_length])
}

fn measure(bricks: usize, rounds: usize, path: Option<&String>) -> Result<(), Box<dyn Error>> {
    let mesh = box_mesh(&BoxOptions {
        resolution: Resolution::Counts([bricks; 3]),
        diagonals: Diagonals::Parallel,
        ..BoxOptions::default()
    })?;
    let material = MaterialMap::uniform(&mesh, RUBBER)?;
    let clamped = VertexSelection::Range { axis: 0, min: None, max: Some(0.0) }.select(&mesh)?;
    let problem = |solver| {
        FullProblem::new(&mesh, &material, StableNeoHookean)
            .pin(&clamped)
            .gravity([0.0, 0.0, -9.8])
            .linear_solver(solver)
    };
    let direct = problem(LinearSolver::Direct);
    let start = deformed(&mesh);
    let projection = HessianProjection::PositiveSemidefinite;

    let elasticity = direct.elasticity();
    let mut matrix = SymmetricMatrix::zeros(Arc::new(SymmetricPattern::new(&mesh, 3)));
    let two_threads = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let ([_, on_two], ()) =
        two_threads.install(|| best(rounds, || elasticity.assemble_hessian(&start, projection, &mut matrix)));
    let ([assembly, on_one], ()) =
        best(rounds, || elasticity.assemble_hessian(&start, projection, &mut matrix));
    let mut held = vec![false; matrix.dof_count()];
    clamped.iter().for_each(|vertex| held[vertex * 3..vertex * 3 + 3].fill(true));
    matrix.eliminate(&held, 1.0);
    if let Some(path) = path {
        write_matrix(path, &matrix)?;
    }
    let ([analysis, _], cholesky) = best(1, || SparseCholesky::new(matrix.pattern(), Ordering::Auto));
    let mut cholesky = cholesky?;
    let ([factorisation, _], factored) = best(rounds, || cholesky.factorize(&matrix));
    factored?;
    let mut side = vec![1.0; matrix.dof_count()];
    let ([solve, _], ()) = best(rounds, || {
        side.fill(1.0);
        cholesky.solve_in_place(&mut side);
    });
    let (factor_values, dofs) = (cholesky.factor_nonzeros(), matrix.dof_count());
    let residual = matrix.relative_residual(&side, &vec![1.0; dofs]);
    drop((matrix, cholesky));

    let [iteration_seconds, step_length] = iteration(&direct, &start, rounds)?;
    let [default_seconds, _] = iteration(&problem(LinearSolver::Auto), &start, rounds)?;
    println!(
        "{{\"dofs\": {dofs}, \"cells\": {}, \"factor_values\": {factor_values}, \"analyse\": {analysis:.4}, \"assemble\": {assembly:.4}, \
         \"assemble_second_thread\": {:.2}, \"factorise\": {factorisation:.4}, \"solve\": {solve:.4}, \"iteration\": {iteration_seconds:.4}, \
         \"default_iteration\": {default_seconds:.4}, \"step_length\": {step_length}, \"relative_residual\": {residual:.2e}}}",
        mesh.cell_count(),
        on_one / on_two,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |place: usize, default: usize| {
        arguments.get(place).map_or(Ok(default), |argument| argument.parse::<usize>())
    };
    let (bricks, rounds) = (number(0, 10)?, number(1, 3)?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let result =
        pool.install(|| measure(bricks, rounds, arguments.get(2)).map_err(|error| error.to_string()));
    Ok(result?)
}
