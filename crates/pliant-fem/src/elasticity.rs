//! The elastic energy of a whole mesh: its value, gradient and Hessian as functions of the displacement.
//!
//! `Psi(u) = sum_e vol_e psi(H_e)`, `H_e = sum_a u_a grad(phi_a)^T`; the gradient of corner `a` is `vol P grad(phi_a)`, and the
//! Hessian couples corners `a` and `b` by `vol sum_i lambda_i (Q_i grad(phi_a)) (Q_i grad(phi_b))^T` over the eigenpairs of `d2 psi`.
//! Displacements are stacked: component `i` of vertex `v` is entry `v * D + i`, in m.

use std::sync::Arc;

use pliant_mesh::{MaterialMap, SimplexMesh};
use rayon::prelude::*;

use crate::energy::{Energy, Lame, LameConvention, lame};
use crate::small_matrix::{Matrix, apply, inner_product};
use crate::{ShapeGradients, SymmetricMatrix, SymmetricPattern};

/// Cells or vertices that one task works on; a constant, so that sums never depend on the number of threads.
const PER_TASK: usize = 256;

/// Whether negative curvature of the energy is kept in the Hessian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HessianProjection {
    /// The Hessian as it is: Newton converges quadratically where it is positive definite.
    #[default]
    Plain,
    /// Negative eigenvalues of every cell go to zero (Teran et al. 2005): positive semi-definite everywhere.
    PositiveSemidefinite,
}

/// A sum of energies in J, with what bounds its round-off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergySum {
    /// The sum; infinite where a cell has no energy.
    pub value: f64,
    /// The sum of the absolute values of the terms.
    pub magnitude: f64,
    /// The sum of the squares of the terms' own errors: the parts of a cell's energy cancel where it is turned, not strained.
    pub variance: f64,
}

impl EnergySum {
    /// Adds one term that is exact to its last bit.
    pub fn add(&mut self, term: f64) {
        self.value += term;
        self.magnitude += term.abs();
    }
}

impl std::ops::AddAssign for EnergySum {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        self.magnitude += other.magnitude;
        self.variance += other.variance;
    }
}

/// The elastic energy of a mesh with one material for each cell.
#[derive(Clone, Debug)]
pub struct Elasticity<'m, const D: usize> {
    mesh: &'m SimplexMesh<D>,
    energy: Arc<dyn Energy<D>>,
    lame: Vec<Lame>,
    gradients: Arc<ShapeGradients<D>>,
    /// n + 1 offsets into `corners`.
    corner_offsets: Vec<usize>,
    /// For each vertex the corners that are it, as `cell * (D + 1) + local`, ascending.
    corners: Vec<usize>,
}

impl<'m, const D: usize> Elasticity<'m, D> {
    /// Prepares the shape gradients, the Lame parameters and the cells around every vertex. O(n + t).
    ///
    /// # Panics
    /// If the material map belongs to a mesh with another number of cells.
    pub fn new(
        mesh: &'m SimplexMesh<D>,
        material: &MaterialMap,
        energy: Arc<dyn Energy<D>>,
        convention: LameConvention,
    ) -> Self {
        assert_eq!(material.cell_count(), mesh.cell_count(), "the material map belongs to another mesh");
        let lame = (0..mesh.cell_count())
            .map(|cell| lame(energy.as_ref(), &material.material(cell), convention))
            .collect();
        let (corner_offsets, corners) = corners_of_vertices(mesh);
        Self { mesh, energy, lame, gradients: Arc::new(ShapeGradients::new(mesh)), corner_offsets, corners }
    }

    /// The mesh.
    pub fn mesh(&self) -> &'m SimplexMesh<D> {
        self.mesh
    }

    /// The energy density in use.
    pub fn energy_density(&self) -> &dyn Energy<D> {
        self.energy.as_ref()
    }

    /// The gradients of the hat functions.
    pub fn gradients(&self) -> &ShapeGradients<D> {
        &self.gradients
    }

    /// The Lame parameters of every cell, as the energy uses them.
    pub fn lame(&self) -> &[Lame] {
        &self.lame
    }

    /// `H = F - I` of one cell, from the stacked displacement.
    pub fn displacement_gradient(&self, cell: usize, displacement: &[f64]) -> Matrix<D> {
        let mut h = [[0.0; D]; D];
        for (&vertex, gradient) in self.mesh.cell(cell).iter().zip(self.gradients.cell(cell)) {
            for row in 0..D {
                let u = displacement[vertex * D + row];
                for column in 0..D {
                    h[row][column] += u * gradient[column];
                }
            }
        }
        h
    }

    /// `Psi`. O(t), parallel, the same bits for any number of threads.
    pub fn energy(&self, displacement: &[f64]) -> EnergySum {
        let tasks = self.mesh.cell_count().div_ceil(PER_TASK);
        let sum_of_task = |task: usize| {
            let mut sum = EnergySum::default();
            for cell in task * PER_TASK..((task + 1) * PER_TASK).min(self.mesh.cell_count()) {
                let h = self.displacement_gradient(cell, displacement);
                let (volume, lame) = (self.mesh.volumes()[cell], self.lame[cell]);
                sum.add(volume * self.energy.density(&h, lame));
                sum.variance += (f64::EPSILON * volume * lame.mu * inner_product(&h, &h)).powi(2);
            }
            sum
        };
        let parts: Vec<EnergySum> = (0..tasks).into_par_iter().map(sum_of_task).collect();
        let mut total = EnergySum::default();
        for part in parts {
            total += part;
        }
        total
    }

    /// Adds `d Psi / du` to a stacked vector. O(t), parallel, the same bits for any number of threads.
    pub fn add_gradient(&self, displacement: &[f64], gradient: &mut [f64]) {
        let volumes = self.mesh.volumes();
        let stresses: Vec<Matrix<D>> = (0..self.mesh.cell_count())
            .into_par_iter()
            .with_min_len(PER_TASK)
            .map(|cell| {
                let h = self.displacement_gradient(cell, displacement);
                self.energy.stress(&h, self.lame[cell]).map(|row| row.map(|entry| volumes[cell] * entry))
            })
            .collect();
        self.add_vertex_forces(&stresses, gradient);
    }

    /// Adds `sum_e T_e grad(phi_v)` to the force on every vertex, `T_e` a stress times the volume of its cell. O(t), parallel,
    /// the same bits for any number of threads.
    ///
    /// # Panics
    /// If there is not one stress for each cell.
    pub fn add_vertex_forces(&self, stresses: &[Matrix<D>], forces: &mut [f64]) {
        assert_eq!(stresses.len(), self.mesh.cell_count(), "one stress for each cell");
        forces.par_chunks_mut(PER_TASK * D).enumerate().for_each(|(task, part)| {
            for (index, out) in part.chunks_exact_mut(D).enumerate() {
                let vertex = task * PER_TASK + index;
                let range = self.corner_offsets[vertex]..self.corner_offsets[vertex + 1];
                for &corner in &self.corners[range] {
                    let (cell, local) = (corner / (D + 1), corner % (D + 1));
                    let force = apply(&stresses[cell], &self.gradients.cell(cell)[local]);
                    out.iter_mut().zip(force).for_each(|(out, force)| *out += force);
                }
            }
        });
    }

    /// Overwrites a matrix on the pattern of this mesh, D rows for each vertex, with the Hessian of `Psi`. O(t), parallel, the same bits for any
    /// number of threads.
    ///
    /// # Panics
    /// If the matrix is of another mesh.
    pub fn assemble_hessian(
        &self,
        displacement: &[f64],
        projection: HessianProjection,
        hessian: &mut SymmetricMatrix,
    ) {
        assert_eq!(hessian.pattern().cell_count(), self.mesh.cell_count(), "the matrix is of another mesh");
        hessian.assemble(|cell, blocks| self.cell_hessian(cell, displacement, projection, blocks));
    }

    fn cell_hessian(
        &self,
        cell: usize,
        displacement: &[f64],
        projection: HessianProjection,
        blocks: &mut [f64],
    ) {
        let h = self.displacement_gradient(cell, displacement);
        let (volume, gradients) = (self.mesh.volumes()[cell], self.gradients.cell(cell));
        let invariant = match projection {
            HessianProjection::Plain => self.energy.invariant_hessian(&h, self.lame[cell]),
            HessianProjection::PositiveSemidefinite => None,
        };
        // The gradients of the corners sum to zero, so corner 0 follows from the others.
        if let Some(hessian) = invariant {
            hessian.fill_blocks(&h, volume, gradients, blocks);
        } else {
            let mut hessian = self.energy.hessian(&h, self.lame[cell]);
            if projection == HessianProjection::PositiveSemidefinite {
                hessian.clamp(0.0);
            }
            hessian.fill_blocks(volume, gradients, blocks);
        }
        complete_first_corner::<D>(blocks);
    }
}

/// Fills the blocks of corner 0 so that every row of blocks sums to zero: a translation costs nothing.
fn complete_first_corner<const D: usize>(blocks: &mut [f64]) {
    for i in 0..D {
        for l in 0..D {
            let mut corner = 0.0;
            for a in 1..=D {
                let mut sum = 0.0;
                for b in 1..=D {
                    let (high, low) = (a.max(b), a.min(b));
                    let start = SymmetricPattern::cell_pair(high, low) * D * D;
                    sum += if a >= b { blocks[start + i * D + l] } else { blocks[start + l * D + i] };
                }
                blocks[SymmetricPattern::cell_pair(a, 0) * D * D + i * D + l] = -sum;
                corner += sum;
            }
            blocks[i * D + l] = corner;
        }
    }
}

/// For each vertex the cell corners that are it: offsets, and `cell * (D + 1) + local` ascending.
fn corners_of_vertices<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<usize>, Vec<usize>) {
    let mut offsets = vec![0; mesh.vertex_count() + 1];
    for &vertex in mesh.cells().flatten() {
        offsets[vertex + 1] += 1;
    }
    for vertex in 0..mesh.vertex_count() {
        offsets[vertex + 1] += offsets[vertex];
    }
    let mut next = offsets.clone();
    let mut corners = vec![0; offsets[mesh.vertex_count()]];
    for (corner, &vertex) in mesh.cells().flatten().enumerate() {
        corners[next[vertex]] = corner;
        next[vertex] += 1;
    }
    (offsets, corners)
}

#[cfg(test)]
mod tests {
    use pliant_mesh::Material;

    use super::*;
    use crate::EnergyModel;
    use crate::test_meshes::{in_pools, shuffled_lattice};

    const SOFT: Material = Material { youngs_modulus: 2.0, poisson_ratio: 0.3, density: 1.0 };

    /// A smooth displacement of moderate size.
    fn bent<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<f64> {
        let component = |x: &[f64; D], i: usize| 0.1 * (3.0 * x[i] + 2.0 * x[(i + 1) % D]).sin();
        mesh.positions().iter().flat_map(|x| (0..D).map(move |i| component(x, i))).collect()
    }

    fn elasticity<const D: usize>(mesh: &SimplexMesh<D>, model: EnergyModel) -> Elasticity<'_, D> {
        let material = MaterialMap::uniform(mesh, SOFT).unwrap();
        Elasticity::new(mesh, &material, Arc::new(model), LameConvention::Consistent)
    }

    fn hessian<const D: usize>(
        elasticity: &Elasticity<'_, D>,
        u: &[f64],
        projection: HessianProjection,
    ) -> SymmetricMatrix {
        let pattern = Arc::new(SymmetricPattern::new(elasticity.mesh(), D));
        let mut matrix = SymmetricMatrix::zeros(pattern);
        matrix.values_mut().fill(f64::NAN);
        elasticity.assemble_hessian(u, projection, &mut matrix);
        matrix
    }

    fn derivatives_of_the_mesh_energy_hold<const D: usize>(model: EnergyModel) {
        let mesh = shuffled_lattice::<D>(3, 7);
        let elasticity = elasticity(&mesh, model);
        let u = bent(&mesh);
        let direction: Vec<f64> = u.iter().enumerate().map(|(dof, _)| (dof as f64 * 0.7).cos()).collect();
        let step = 1e-6;
        let moved = |scale: f64| -> Vec<f64> {
            u.iter().zip(&direction).map(|(u, direction)| u + scale * direction).collect()
        };
        let gradient = |u: &[f64]| {
            let mut gradient = vec![0.0; u.len()];
            elasticity.add_gradient(u, &mut gradient);
            gradient
        };
        let slope =
            (elasticity.energy(&moved(step)).value - elasticity.energy(&moved(-step)).value) / (2.0 * step);
        let expected: f64 = gradient(&u).iter().zip(&direction).map(|(g, d)| g * d).sum();
        assert!((slope - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{model:?}: {slope} {expected}");

        let (ahead, behind) = (gradient(&moved(step)), gradient(&moved(-step)));
        let mut expected = vec![0.0; u.len()];
        hessian(&elasticity, &u, HessianProjection::Plain).multiply(&direction, &mut expected);
        for dof in 0..u.len() {
            let slope = (ahead[dof] - behind[dof]) / (2.0 * step);
            assert!((slope - expected[dof]).abs() < 1e-6, "{model:?} {dof}: {slope} {}", expected[dof]);
        }
    }

    #[test]
    fn gradient_and_hessian_of_a_mesh_are_the_derivatives_of_its_energy() {
        for model in EnergyModel::ALL {
            derivatives_of_the_mesh_energy_hold::<2>(model);
            derivatives_of_the_mesh_energy_hold::<3>(model);
        }
    }

    #[test]
    fn at_rest_the_projected_hessian_is_the_plain_one() {
        let mesh = shuffled_lattice::<3>(2, 1);
        let elasticity = elasticity(&mesh, EnergyModel::StableNeoHookean);
        let rest = vec![0.0; mesh.vertex_count() * 3];
        let plain = hessian(&elasticity, &rest, HessianProjection::Plain);
        let projected = hessian(&elasticity, &rest, HessianProjection::PositiveSemidefinite);
        for (a, b) in plain.values().iter().zip(projected.values()) {
            assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn the_invariant_form_of_the_hessian_is_the_sum_over_its_eigenpairs() {
        fn check<const D: usize>(model: EnergyModel) {
            let mesh = shuffled_lattice::<D>(3, 11);
            let elasticity = elasticity(&mesh, model);
            let u = bent(&mesh);
            let size = (D + 1) * (D + 2) / 2 * D * D;
            let (mut short, mut long) = (vec![f64::NAN; size], vec![f64::NAN; size]);
            for cell in 0..mesh.cell_count() {
                let h = elasticity.displacement_gradient(cell, &u);
                elasticity.cell_hessian(cell, &u, HessianProjection::Plain, &mut short);
                let hessian = elasticity.energy.hessian(&h, elasticity.lame[cell]);
                hessian.fill_blocks(mesh.volumes()[cell], elasticity.gradients.cell(cell), &mut long);
                complete_first_corner::<D>(&mut long);
                let scale = long.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
                for (a, b) in short.iter().zip(&long) {
                    assert!((a - b).abs() < 1e-12 * scale, "{model:?} {a} {b}");
                }
            }
        }
        for model in [EnergyModel::StableNeoHookean, EnergyModel::NeoHookean] {
            check::<2>(model);
            check::<3>(model);
        }
    }

    #[test]
    fn energy_gradient_and_hessian_have_the_same_bits_for_any_number_of_threads() {
        let mesh = shuffled_lattice::<3>(8, 3);
        let elasticity = elasticity(&mesh, EnergyModel::StableNeoHookean);
        let u = bent(&mesh);
        let [one, two, five] = in_pools(|| {
            let mut gradient = vec![0.0; u.len()];
            elasticity.add_gradient(&u, &mut gradient);
            let hessian = hessian(&elasticity, &u, HessianProjection::PositiveSemidefinite);
            (elasticity.energy(&u), gradient, hessian.values().to_vec())
        });
        assert!(one == two && one == five);
    }
}
