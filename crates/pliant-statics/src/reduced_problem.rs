//! The Galerkin projection of a static problem onto a subspace: `g_z = B^T g`, `H_z = B^T H B`.
//!
//! Unknowns are coordinates of the independent columns, counted from the rest shape: `u = u_0 + B (z - z_0)`, `u_0 = lift(z_0) - X`.
//! Hard holds leave the steps that keep them: the start reaches their targets, and steps are `N y`, N spanning what moves no held vertex.

use pliant_basis::Subspace;
use pliant_fem::HessianProjection;

use crate::dense_cholesky::solve_equilibrated;
use crate::equilibrium_problem::EquilibriumProblem;
use crate::frame_retraction::FrameRetraction;
use crate::full_problem::TangentStiffness;
use crate::galerkin_projection::GalerkinProjection;
use crate::held_coordinates::HeldCoordinates;
use crate::reduced_columns::ReducedColumns;
use crate::{FullProblem, StaticsError};

/// A static problem in the coordinates of a subspace.
#[derive(Clone, Debug)]
pub struct ReducedProblem<'p, 'm, const D: usize> {
    full: &'p FullProblem<'m, D>,
    subspace: &'p Subspace<D>,
    columns: ReducedColumns,
    projection: GalerkinProjection<D>,
    held: HeldCoordinates<D>,
    retraction: FrameRetraction<D>,
    /// z_0, r.
    rest_coordinates: Vec<f64>,
    /// `u_0`, n D.
    offset: Vec<f64>,
}

impl<'p, 'm, const D: usize> ReducedProblem<'p, 'm, D> {
    /// Prepares the projection. O(entries of S), and O(held c^2) where vertices are held hard.
    ///
    /// # Errors
    /// A subspace of another mesh, or one that cannot satisfy the hard holds.
    pub fn new(full: &'p FullProblem<'m, D>, subspace: &'p Subspace<D>) -> Result<Self, StaticsError> {
        full.check()?;
        full.check_subspace(subspace)?;
        let columns = ReducedColumns::new(subspace.scalar_rows(), subspace.kept_columns());
        let rest_coordinates = subspace.rest_coordinates();
        let offset = subspace.displacement(&rest_coordinates).into_flattened();
        let held = HeldCoordinates::new(&columns, &offset, full.hard_displacements())?;
        let projection = GalerkinProjection::new(&columns);
        let retraction = FrameRetraction::new(subspace, full.hard_displacements().map(|(vertex, _)| vertex));
        Ok(Self { full, subspace, columns, projection, held, retraction, rest_coordinates, offset })
    }

    /// The subspace.
    pub fn subspace(&self) -> &'p Subspace<D> {
        self.subspace
    }

    /// The reduced coordinates z (r, dependent columns included) of these unknowns.
    ///
    /// # Panics
    /// If the unknowns are not those of this problem.
    pub fn coordinates(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut coordinates = self.rest_coordinates.clone();
        self.add_to_columns(unknowns, &mut coordinates);
        coordinates
    }

    /// Adds entries of the independent columns to entries of all columns.
    fn add_to_columns(&self, independent: &[f64], all: &mut [f64]) {
        for (index, &column) in self.subspace.kept_columns().iter().enumerate() {
            for axis in 0..D {
                all[column * D + axis] += independent[index * D + axis];
            }
        }
    }
}

impl<'m, const D: usize> EquilibriumProblem<'m, D> for ReducedProblem<'_, 'm, D> {
    type Workspace = ReducedWorkspace;

    fn full(&self) -> &FullProblem<'m, D> {
        self.full
    }

    fn workspace(&self) -> Result<ReducedWorkspace, StaticsError> {
        Ok(ReducedWorkspace { stiffness: self.full.tangent_stiffness() })
    }

    fn start(&self) -> Vec<f64> {
        self.held.particular().to_vec()
    }

    fn satisfy_holds(&self, unknowns: Vec<f64>) -> Vec<f64> {
        self.held.satisfy(unknowns)
    }

    fn displacement(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut displacement = self.columns.multiply::<D>(unknowns);
        displacement.iter_mut().zip(&self.offset).for_each(|(u, offset)| *u += offset);
        displacement
    }

    fn advance(&self, unknowns: &[f64], step: &[f64], length: f64) -> Vec<f64> {
        let mut moved = self.advance_straight(unknowns, step, length);
        let size = self.rest_coordinates.len();
        let (mut change, mut correction) = (vec![0.0; size], vec![0.0; size]);
        let scaled: Vec<f64> = self.held.expand(step).iter().map(|entry| length * entry).collect();
        self.add_to_columns(&scaled, &mut change);
        self.retraction.add_correction(&self.coordinates(unknowns), &change, &mut correction);
        for (index, &column) in self.subspace.kept_columns().iter().enumerate() {
            for axis in 0..D {
                moved[index * D + axis] += correction[column * D + axis];
            }
        }
        moved
    }

    fn advance_straight(&self, unknowns: &[f64], step: &[f64], length: f64) -> Vec<f64> {
        unknowns.iter().zip(self.held.expand(step)).map(|(z, dz)| z + length * dz).collect()
    }

    fn restrict(&self, residual: Vec<f64>) -> Vec<f64> {
        self.held.restrict(self.columns.multiply_transposed::<D>(&residual))
    }

    fn prolong(&self, step: &[f64]) -> Vec<f64> {
        self.columns.multiply::<D>(&self.held.expand(step))
    }

    fn newton_step(
        &self,
        workspace: &mut ReducedWorkspace,
        displacement: &[f64],
        gradient: &[f64],
        projection: HessianProjection,
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        self.full.assemble(&mut workspace.stiffness, displacement, projection);
        let hessian = self.projection.project(&self.columns, &workspace.stiffness.matrix);
        let hessian = self.held.restrict_hessian(hessian);
        Ok(solve_equilibrated(hessian, gradient, projection))
    }
}

/// What a reduced solve keeps from one iteration to the next.
pub struct ReducedWorkspace {
    stiffness: TangentStiffness,
}
