//! A material map from a closure: a bar that softens smoothly towards its tip, and where its nodes go.
//!
//! `cargo run --example custom_material`

use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace};
use pliant::mesh::{Material, MaterialMap, SimplexMesh};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = SimplexMesh::<2>::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/reference/tentacle2d.msh"))?;
    let (low, high) = mesh.bounding_box();

    // Young's modulus falls by a factor of 1000 from one end to the other; the regions of the file play no part.
    let material = MaterialMap::from_function(&mesh, |[x, _]| Material {
        youngs_modulus: 1e6 * 1e-3_f64.powf((x - low[0]) / (high[0] - low[0])),
        poisson_ratio: 0.4,
        density: 1.0,
    })?;

    let builder = BasisBuilder::new(&mesh, &material)?;
    let built = builder.build(Method::SparseMeshless, 9, &MethodOptions::default())?;
    let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights.clone())?;

    let mut along: Vec<f64> = built.nodes.iter().flatten().map(|&node| mesh.positions()[node][0]).collect();
    along.sort_by(f64::total_cmp);
    println!("nodes at x = {along:.2?}: they gather where the bar is soft");
    println!("{} reduced coordinates of rank {}", subspace.dofs(), subspace.rank());
    println!("{:?}", built.checks(&subspace));
    Ok(())
}
