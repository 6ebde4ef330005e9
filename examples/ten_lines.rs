//! From a mesh file to the error of a subspace: sparse meshless frames on the tentacle against full FEM.
//!
//! `cargo run --example ten_lines`

use pliant::basis::{Subspace, VoronoiOptions, voronoi_weights};
use pliant::fem::StableNeoHookean;
use pliant::graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant::mesh::{Material, MaterialMap, SimplexMesh, VertexSelection};
use pliant::statics::{FullProblem, NewtonOptions, compare, solve_equilibrium};
use std::error::Error;

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 1.0 };

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = SimplexMesh::<2>::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/meshes/tentacle2d.msh"))?;
    let material = MaterialMap::from_regions(&mesh, &[("bone", BONE), ("joint", JOINT)])?;
    let graph = ComplianceGraph::new(&mesh, &material);
    let nodes = sample_nodes(&graph, &mesh, 9, &SamplingOptions::default())?;
    let weights = voronoi_weights(&graph, &nodes, &VoronoiOptions::default())?;
    let subspace = Subspace::linear_blend_skinning(&mesh, &material, weights)?;
    let base = VertexSelection::Range { axis: 0, min: None, max: Some(-0.3) }.select(&mesh)?;
    let full = FullProblem::new(&mesh, &material, StableNeoHookean).pin(&base).gravity([0.0, -9.8]);
    let exact = solve_equilibrium(&full, &NewtonOptions::default())?;
    let quick = solve_equilibrium(&full.project(&subspace)?, &NewtonOptions::default())?;
    println!("{}", compare(&full, &exact, &quick));
    Ok(())
}
