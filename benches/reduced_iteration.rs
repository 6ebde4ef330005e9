//! What a Newton step in a subspace costs next to assembling the full Hessian, on a box of about 100,000 tetrahedra, one thread.
//!
//! `cargo bench --bench reduced_iteration` prints processor time in ms, the best of several rounds. Dense weights are products of cosines, everywhere
//! non-zero; sparse ones are hats around points of a lattice, with overlaps like those of sparse meshless frames.

mod stopwatch;

use std::error::Error;
use std::sync::Arc;

use pliant::basis::{Subspace, Weights};
use pliant::fem::{HessianProjection, StableNeoHookean, SymmetricMatrix, SymmetricPattern};
use pliant::mesh::{BoxOptions, Material, MaterialMap, Resolution, SimplexMesh, VertexSelection, box_mesh};
use pliant::statics::{
    EquilibriumProblem, FullProblem, HessianStrategy, Hold, NewtonOptions, solve_equilibrium_from,
};
use stopwatch::best;

const RUBBER: Material = Material { youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000.0 };
const ROUNDS: usize = 7;

/// Frames of `counts` along each axis.
fn weights(mesh: &SimplexMesh<3>, counts: [usize; 3], weight: impl Fn(f64, usize, usize) -> f64) -> Weights {
    let frames = counts.iter().product();
    let mut values = Vec::with_capacity(mesh.vertex_count() * frames);
    for x in mesh.positions() {
        for frame in 0..frames {
            let index = [frame % counts[0], frame / counts[0] % counts[1], frame / (counts[0] * counts[1])];
            values.push((0..3).map(|axis| weight(x[axis], index[axis], counts[axis])).product());
        }
    }
    Weights::from_dense(frames, values).expect("the weights are finite").without_zeros()
}

fn measure() -> Result<(), Box<dyn Error>> {
    let mesh = box_mesh(&BoxOptions { resolution: Resolution::Counts([26; 3]), ..BoxOptions::default() })?;
    let material = MaterialMap::uniform(&mesh, RUBBER)?;
    let held = VertexSelection::Range { axis: 0, min: None, max: Some(0.0) }.select(&mesh)?;
    let problem = FullProblem::new(&mesh, &material, StableNeoHookean)
        .pin_with(&held, Hold::Soft(1e9))
        .gravity([0.0, 0.0, -9.8]);
    let bent: Vec<f64> = mesh
        .positions()
        .iter()
        .flat_map(|x| [-0.05 * x[0] * x[2], 0.1 * x[0] * x[2], -0.2 * x[0] * x[0] + 0.1 * x[1] * x[0]])
        .collect();
    let mut matrix = SymmetricMatrix::zeros(Arc::new(SymmetricPattern::new(&mesh, 3)));
    let ms = |seconds: [f64; 2]| 1e3 * seconds[0];
    let projections = [HessianProjection::Plain, HessianProjection::PositiveSemidefinite];
    let assembly = projections.map(|projection| {
        ms(best(ROUNDS, || problem.elasticity().assemble_hessian(&bent, projection, &mut matrix)).0)
    });
    println!("{} cells: assembly {:.1} plain, {:.1} projected", mesh.cell_count(), assembly[0], assembly[1]);
    println!(
        "| weights | coordinates | plain step | of assembly | projected step | of assembly | iteration |"
    );
    println!("|---|---|---|---|---|---|---|");
    let hat = |x: f64, frame: usize, count: usize| {
        if count == 1 { 1.0 } else { (1.0 - (x * (count - 1) as f64 - frame as f64).abs()).max(0.0) }
    };
    let cosine = |x: f64, frame: usize, _: usize| (std::f64::consts::PI * frame as f64 * x).cos();
    for counts in [[5, 1, 1], [3, 2, 2], [6, 2, 2]] {
        for (name, weights) in
            [("sparse", weights(&mesh, counts, hat)), ("dense", weights(&mesh, counts, cosine))]
        {
            let subspace = Subspace::linear_blend_skinning(&mesh, &material, weights)?;
            let reduced = problem.project(&subspace)?;
            let mut workspace = reduced.workspace()?;
            let gradient = reduced.restrict(problem.residual(&bent));
            let steps = projections.map(|projection| {
                let step = || reduced.newton_step(&mut workspace, &bent, &gradient, projection, 0.0).is_ok();
                ms(best(ROUNDS, step).0)
            });
            let options = NewtonOptions {
                max_iterations: 1,
                hessian: HessianStrategy::Always,
                ..NewtonOptions::default()
            };
            let iterate = || {
                solve_equilibrium_from(&reduced, &mut workspace, reduced.start(), &options)
                    .map(|end| end.iterations())
            };
            let iteration = ms(best(ROUNDS, iterate).0);
            println!(
                "| {name} | {} | {:.1} | {:.2} | {:.1} | {:.2} | {iteration:.1} |",
                subspace.dofs(),
                steps[0],
                steps[0] / assembly[0],
                steps[1],
                steps[1] / assembly[1],
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let result = pool.install(|| measure().map_err(|error| error.to_string()));
    Ok(result?)
}
