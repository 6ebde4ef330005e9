//! `.vtu` files of solutions: rest shape, displacement, region, E, det F, stress, and the error against the full solution.
//!
//! The stress is the von Mises measure of the Kirchhoff stress `tau = P F^T` (the Cauchy stress times det F), which is finite in
//! collapsed cells too; in 2D with `tau_zz = nu (tau_xx + tau_yy)`, as plane strain has it at small strain.

use std::path::Path;

use pliant::fem::Elasticity;
use pliant::fem::small_matrix::{
    Matrix, add_scaled, determinant_excess, identity, product, trace, transposed,
};
use pliant::mesh::{ArrayLocation, MeshArray, write_compressed_vtu};

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
    elasticity: &Elasticity<D>,
    displacement: &[f64],
    full: Option<&[f64]>,
) -> Result<(), Failure> {
    let on_cells = |name: &str, values: Vec<f64>| MeshArray {
        name: name.to_owned(),
        on: ArrayLocation::Cell,
        components: 1,
        values,
    };
    let (determinants, stresses) = strain_and_stress(model, elasticity, displacement);
    let mut arrays = vec![
        on_cells("youngs_modulus", model.material.youngs_modulus().to_vec()),
        on_cells("det F", determinants),
        on_cells("von Mises stress", stresses),
    ];
    // An energy that does not allow the deformation of some cell has no stress there.
    arrays.retain(|array| array.values.iter().all(|value| value.is_finite()));
    if let Some(full) = full {
        arrays.push(MeshArray {
            name: "error".to_owned(),
            on: ArrayLocation::Vertex,
            components: D,
            values: displacement.iter().zip(full).map(|(u, exact)| u - exact).collect(),
        });
    }
    write_compressed_vtu(path, &model.mesh, Some(displacement), &arrays).map_err(Failure::work)
}

/// det F of every cell.
pub fn volume_ratios<const D: usize>(elasticity: &Elasticity<'_, D>, displacement: &[f64]) -> Vec<f64> {
    let cells = 0..elasticity.mesh().cell_count();
    cells.map(|cell| volume_ratio(&elasticity.displacement_gradient(cell, displacement))).collect()
}

/// det F from the gradient of the displacement, to round-off where that is small.
fn volume_ratio<const D: usize>(gradient: &Matrix<D>) -> f64 {
    1.0 + trace(gradient) + determinant_excess(gradient)
}

/// det F and the von Mises stress in Pa of every cell.
fn strain_and_stress<const D: usize>(
    model: &Model<D>,
    elasticity: &Elasticity<D>,
    displacement: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let of_cell = |cell: usize| {
        let h = elasticity.displacement_gradient(cell, displacement);
        let deformation = add_scaled(&identity(), 1.0, &h);
        let stress = elasticity.energy_density().stress(&h, elasticity.lame()[cell]);
        let kirchhoff = product(&stress, &transposed(&deformation));
        let poisson_ratio = model.material.poisson_ratio()[cell];
        (volume_ratio(&h), von_mises(&kirchhoff, poisson_ratio))
    };
    (0..model.mesh.cell_count()).map(of_cell).unzip()
}

/// `sqrt(3/2 |dev tau|^2)`.
fn von_mises<const D: usize>(stress: &[[f64; D]; D], poisson_ratio: f64) -> f64 {
    let out_of_plane = if D == 2 { poisson_ratio * trace(stress) } else { 0.0 };
    let mean = (trace(stress) + out_of_plane) / 3.0;
    let mut squares = if D == 2 { (out_of_plane - mean).powi(2) } else { 0.0 };
    for row in 0..D {
        for column in 0..D {
            let mean = if row == column { mean } else { 0.0 };
            squares += (stress[row][column] - mean).powi(2);
        }
    }
    (1.5 * squares).sqrt()
}

/// The file name of each subspace's solution, for example `hrpd-9.vtu`; the same method and frame count again (with other
/// options) is `hrpd-9-2.vtu`.
pub fn solution_names(specs: &[SubspaceSpec]) -> Vec<String> {
    let names = specs.iter().zip(repetitions(specs));
    names.map(|(spec, again)| format!("{}-{}{again}.vtu", spec.method, spec.frames)).collect()
}

/// The series that each subspace belongs to, which is its method; with other options of the method it is `hrpd-2`.
pub fn series_names(specs: &[SubspaceSpec]) -> Vec<String> {
    specs.iter().zip(repetitions(specs)).map(|(spec, again)| format!("{}{again}", spec.method)).collect()
}

/// For each subspace nothing, or `-2` and so on where an earlier one has its method and frame count.
fn repetitions(specs: &[SubspaceSpec]) -> impl Iterator<Item = String> {
    let same = |a: &SubspaceSpec, b: &SubspaceSpec| a.method == b.method && a.frames == b.frames;
    specs.iter().enumerate().map(move |(index, spec)| {
        match specs[..index].iter().filter(|other| same(other, spec)).count() {
            0 => String::new(),
            earlier => format!("-{}", earlier + 1),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant::fem::{LameConvention, StableNeoHookean};
    use pliant::mesh::{
        BoxOptions, Material, MaterialMap, RectangleOptions, Resolution, SimplexMesh, box_mesh, rectangle,
    };

    use super::*;
    use crate::space_method::SpaceMethod;

    /// det F of every cell of a body that is stretched by a half along x.
    fn stretched<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<f64> {
        let soft = Material { youngs_modulus: 1.0, poisson_ratio: 0.3, density: 1.0 };
        let material = MaterialMap::uniform(mesh, soft).unwrap();
        let elasticity =
            Elasticity::new(mesh, &material, Arc::new(StableNeoHookean), LameConvention::Consistent);
        let along = |x: &[f64; D]| -> [f64; D] {
            std::array::from_fn(|axis| if axis == 0 { 0.5 * x[0] } else { 0.0 })
        };
        let displacement: Vec<f64> = mesh.positions().iter().flat_map(along).collect();
        volume_ratios(&elasticity, &displacement)
    }

    #[test]
    fn a_stretch_by_a_half_makes_every_cell_half_as_large_again() {
        let flat = RectangleOptions { resolution: Resolution::Counts([2, 2]), ..Default::default() };
        let solid = BoxOptions { resolution: Resolution::Counts([2, 1, 1]), ..Default::default() };
        let ratios = [stretched(&rectangle(&flat).unwrap()), stretched(&box_mesh(&solid).unwrap())];
        assert!(ratios.iter().flatten().all(|ratio| (ratio - 1.5).abs() < 1e-12));
    }

    #[test]
    fn no_two_subspaces_share_a_file() {
        let hrpd = SubspaceSpec::of_method(SpaceMethod::parse("hrpd").unwrap());
        let modes = SubspaceSpec::of_method(SpaceMethod::parse("uniform-eigenmodes").unwrap());
        assert_eq!(
            solution_names(&[hrpd.clone(), modes.clone(), hrpd.clone()]),
            ["hrpd-9.vtu", "uniform-eigenmodes-9.vtu", "hrpd-9-2.vtu"]
        );
        assert_eq!(series_names(&[hrpd.clone(), modes, hrpd]), ["hrpd", "uniform-eigenmodes", "hrpd-2"]);
    }
}
