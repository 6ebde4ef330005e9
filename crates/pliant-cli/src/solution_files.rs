//! `.vtu` files of solutions: rest shape, displacement, region, E, and the error against the full solution.

use std::path::Path;

use pliant::mesh::{ArrayLocation, MeshArray, write_vtu};

use crate::failure::Failure;
use crate::model::Model;

/// Writes a solution; with the full displacement also `error`, the vector from the full position to this one, in m.
///
/// # Errors
/// If the file cannot be written.
pub fn write_solution<const D: usize>(
    path: &Path,
    model: &Model<D>,
    displacement: &[f64],
    full: Option<&[f64]>,
) -> Result<(), Failure> {
    let mut arrays = vec![MeshArray {
        name: "youngs_modulus".to_owned(),
        on: ArrayLocation::Cell,
        components: 1,
        values: model.material.youngs_modulus().to_vec(),
    }];
    if let Some(full) = full {
        arrays.push(MeshArray {
            name: "error".to_owned(),
            on: ArrayLocation::Vertex,
            components: D,
            values: displacement.iter().zip(full).map(|(u, exact)| u - exact).collect(),
        });
    }
    write_vtu(path, &model.mesh, Some(displacement), &arrays).map_err(Failure::work)
}

/// The file name of a subspace's solution, for example `hrpd-9.vtu`.
pub fn solution_name(method: &str, frames: usize) -> String {
    format!("{method}-{frames}.vtu")
}
