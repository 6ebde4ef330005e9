//! The Galerkin projection of a static problem onto a subspace: `g_z = B^T g`, `H_z = B^T H B`.
//!
//! Unknowns are coordinates of the independent columns, counted from the rest shape: `u = u_0 + B (z - z_0)`, `u_0 = lift(z_0) - X`.
//! Hard holds leave the coordinates that keep them: `z - z_0 = p + N y`, `p` reaching the targets, N spanning what moves no held vertex.

use pliant_basis::Subspace;
use pliant_fem::HessianProjection;

use crate::dense_cholesky::solve_equilibrated;
use crate::equilibrium_problem::EquilibriumProblem;
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
    /// z_0, r.
    rest_coordinates: Vec<f64>,
    /// The displacement at `y = 0`, n D.
    offset: Vec<f64>,
}

impl<'p, 'm, const D: usize> ReducedProblem<'p, 'm, D> {
    /// Prepares the projection. O(entries of S), and O(held c^2) where vertices are held hard.
    ///
    /// # Errors
    /// A subspace of another mesh, or one that cannot satisfy the hard holds.
    pub fn new(full: &'p FullProblem<'m, D>, subspace: &'p Subspace<D>) -> Result<Self, StaticsError> {
        full.check()?;
        let vertices = full.mesh().vertex_count();
        if subspace.vertex_count() != vertices {
            return Err(StaticsError::OtherMesh { subspace: subspace.vertex_count(), problem: vertices });
        }
        let columns = ReducedColumns::new(subspace.scalar_rows(), subspace.kept_columns());
        let rest_coordinates = subspace.rest_coordinates();
        let mut offset = subspace.displacement(&rest_coordinates).into_flattened();
        let held = HeldCoordinates::new(&columns, &offset, full.hard_displacements())?;
        let reach = columns.multiply::<D>(held.particular());
        offset.iter_mut().zip(reach).for_each(|(offset, reach)| *offset += reach);
        let projection = GalerkinProjection::new(&columns);
        Ok(Self { full, subspace, columns, projection, held, rest_coordinates, offset })
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
        let free = self.held.expand(unknowns);
        for (index, &column) in self.subspace.kept_columns().iter().enumerate() {
            for axis in 0..D {
                coordinates[column * D + axis] +=
                    free[index * D + axis] + self.held.particular()[index * D + axis];
            }
        }
        coordinates
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
        vec![0.0; self.held.unknowns()]
    }

    fn displacement(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut displacement = self.prolong(unknowns);
        displacement.iter_mut().zip(&self.offset).for_each(|(u, offset)| *u += offset);
        displacement
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
