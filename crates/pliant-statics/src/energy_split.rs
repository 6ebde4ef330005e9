//! Where the energy of a shape is: in which regions, in the springs of soft pins and handles, and what the loads gave.
//!
//! The parts add up to the potential `P` that statics minimises. A subspace *locks* when the shape nearest to the full solution stores so much in
//! stiff regions or springs that the subspace's own equilibrium hardly moves: the split of the nearest shape shows it.

use crate::FullProblem;

/// The parts of the potential at one shape, in J.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergySplit {
    /// Elastic energy of each region, in the mesh's order.
    pub regions: Vec<f64>,
    /// Of all springs.
    pub springs: f64,
    /// `-f^T u`: negative where the loads did work.
    pub loads: f64,
}

impl EnergySplit {
    /// Splits the potential at a stacked displacement. O(t + n).
    ///
    /// # Panics
    /// If the displacement does not have n D entries.
    pub fn new<const D: usize>(problem: &FullProblem<'_, D>, displacement: &[f64]) -> Self {
        let (mesh, elasticity) = (problem.mesh(), problem.elasticity());
        assert_eq!(displacement.len(), problem.force().len(), "one displacement for each degree of freedom");
        let mut regions = vec![0.0; mesh.regions().len()];
        for (cell, &region) in mesh.cell_regions().iter().enumerate() {
            let h = elasticity.displacement_gradient(cell, displacement);
            let density = elasticity.energy_density().density(&h, elasticity.lame()[cell]);
            regions[region] += mesh.volumes()[cell] * density;
        }
        let loads = problem.force().iter().zip(displacement).map(|(force, u)| -force * u).sum();
        let spring = |(vertex, stiffness, target): (usize, f64, [f64; D])| {
            let stretch = |axis: usize| (displacement[vertex * D + axis] - target[axis]).powi(2);
            0.5 * stiffness * (0..D).map(stretch).sum::<f64>()
        };
        Self { regions, springs: problem.springs().map(spring).sum(), loads }
    }

    /// The potential.
    pub fn total(&self) -> f64 {
        self.regions.iter().sum::<f64>() + self.springs + self.loads
    }
}

#[cfg(test)]
mod tests {
    use pliant_fem::StableNeoHookean;
    use pliant_mesh::{Material, MaterialMap, RectangleOptions, Resolution, rectangle};

    use super::*;
    use crate::Hold;

    #[test]
    fn the_parts_add_up_to_the_potential() {
        let mesh = rectangle(&RectangleOptions {
            resolution: Resolution::Counts([3, 2]),
            ..RectangleOptions::default()
        })
        .unwrap();
        let cells = mesh.cell_count();
        let regions = (0..cells).map(|cell| cell % 2).collect();
        let mesh = mesh.with_regions(vec!["a".to_owned(), "b".to_owned()], regions).unwrap();
        let material = Material { youngs_modulus: 1e3, poisson_ratio: 0.3, density: 2.0 };
        let material = MaterialMap::uniform(&mesh, material).unwrap();
        let problem = FullProblem::new(&mesh, &material, StableNeoHookean)
            .gravity([0.5, -9.8])
            .pin_with(&[0, 3], Hold::Soft(1e4));
        let shape: Vec<f64> = (0..mesh.vertex_count() * 2).map(|dof| 0.05 * (dof as f64).sin()).collect();
        let split = EnergySplit::new(&problem, &shape);
        let potential = problem.potential_energy(&shape).value;
        assert!((split.total() - potential).abs() < 1e-12 * potential.abs(), "{split:?} {potential}");
        assert!(split.regions.iter().all(|part| *part > 0.0) && split.springs > 0.0);
    }
}
