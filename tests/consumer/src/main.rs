//! Builds a basis of a small bar with the two libraries alone, as a program that depends on them would.

use pliant_basis::{BasisBuilder, Method, MethodOptions, Subspace};
use pliant_mesh::{Material, MaterialMap, SimplexMesh};
use std::error::Error;

const STEEL: Material = Material { youngs_modulus: 2e11, poisson_ratio: 0.3, density: 7850.0 };
const RUBBER: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.45, density: 1100.0 };

/// A bar of `length` unit squares, each cut into two triangles.
fn bar(length: usize) -> Result<SimplexMesh<2>, pliant_mesh::MeshError> {
    let positions = (0..=length).flat_map(|x| [[x as f64, 0.0], [x as f64, 1.0]]).collect();
    let cells = (0..length).flat_map(|x| {
        let [a, b, c, d] = [2 * x, 2 * x + 2, 2 * x + 3, 2 * x + 1];
        [a, b, c, a, c, d]
    });
    SimplexMesh::new(positions, cells.collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = bar(40)?;
    let material = MaterialMap::from_function(&mesh, |[x, _]| if x < 20.0 { STEEL } else { RUBBER })?;
    let method: Method = "sparse-meshless".parse()?;
    let built = BasisBuilder::new(&mesh, &material)?.build(method, 6, &MethodOptions::default())?;
    let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights.clone())?;
    let checks = built.checks(&subspace);
    if checks.patch_test > 1e-12 || subspace.rank() != subspace.dofs() {
        return Err(format!("the basis is wrong: {checks:?}").into());
    }
    println!(
        "{method}: {} frames, {} of {} weights are not zero, a basis of rank {}",
        subspace.frame_count(),
        subspace.weights().nonzeros(),
        subspace.vertex_count() * subspace.frame_count(),
        subspace.rank()
    );
    Ok(())
}
