//! `.vtu` files of solutions: rest shape, displacement, region, E, and the error against the full solution.

use std::path::Path;

use pliant::mesh::{ArrayLocation, MeshArray, write_vtu};

use crate::failure::Failure;
use crate::model::Model;
use crate::scene::SubspaceSpec;

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

/// The file name of each subspace's solution, for example `hrpd-9.vtu`; the same method and frame count again (with other
/// options) is `hrpd-9-2.vtu`.
pub fn solution_names(specs: &[SubspaceSpec]) -> Vec<String> {
    let same = |a: &SubspaceSpec, b: &SubspaceSpec| a.method == b.method && a.frames == b.frames;
    let name = |(index, spec): (usize, &SubspaceSpec)| {
        let earlier = specs[..index].iter().filter(|other| same(other, spec)).count();
        let again = if earlier == 0 { String::new() } else { format!("-{}", earlier + 1) };
        format!("{}-{}{again}.vtu", spec.method, spec.frames)
    };
    specs.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space_method::SpaceMethod;

    #[test]
    fn no_two_subspaces_share_a_file() {
        let hrpd = SubspaceSpec::of_method(SpaceMethod::parse("hrpd").unwrap());
        let modes = SubspaceSpec::of_method(SpaceMethod::parse("uniform-eigenmodes").unwrap());
        assert_eq!(
            solution_names(&[hrpd.clone(), modes, hrpd]),
            ["hrpd-9.vtu", "uniform-eigenmodes-9.vtu", "hrpd-9-2.vtu"]
        );
    }
}
