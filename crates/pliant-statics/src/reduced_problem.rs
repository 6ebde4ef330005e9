//! The Galerkin projection of a static problem onto a subspace: `g_z = B^T g`, `H_z = B^T H B`.
//!
//! Unknowns are coordinates of the independent columns, counted from the rest shape: `u = u_0 + B (z - z_0)`, `u_0 = lift(z_0) - X`.
//! Inside, the columns of each frame are measured from its centre (see `centred_frames`): the span is the same.
//! Hard holds leave the steps that keep them: the start reaches their targets, and steps are `N y`, N spanning what moves no held vertex.

use pliant_basis::Subspace;
use pliant_fem::{HessianProjection, SymmetricMatrix};

use crate::centred_frames::CentredFrames;
use crate::dense_cholesky::DenseCholesky;
use crate::equilibrium_problem::EquilibriumProblem;
use crate::full_problem::TangentStiffness;
use crate::galerkin_projection::GalerkinProjection;
use crate::held_coordinates::HeldCoordinates;
use crate::reduced_columns::ReducedColumns;
use crate::{FullProblem, StaticsError};

/// A subspace starts at rest when it misses the rest positions by less than this fraction of the largest coordinate.
const START_ROUND_OFF: f64 = 1e-13;

/// A static problem in the coordinates of a subspace.
#[derive(Clone, Debug)]
pub struct ReducedProblem<'p, 'm, const D: usize> {
    full: &'p FullProblem<'m, D>,
    subspace: &'p Subspace<D>,
    frames: CentredFrames<D>,
    columns: ReducedColumns,
    projection: GalerkinProjection<D>,
    held: HeldCoordinates<D>,
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
        let frames = CentredFrames::new(subspace);
        let columns = ReducedColumns::new(subspace, &frames);
        let rest_coordinates = subspace.rest_coordinates();
        let offset = start_offset(subspace, &rest_coordinates);
        let diagonal = full.mesh().diagonal();
        let held = HeldCoordinates::new(&columns, &offset, full.hard_displacements(), diagonal)?;
        let projection = GalerkinProjection::new(&columns);
        Ok(Self { full, subspace, frames, columns, projection, held, rest_coordinates, offset })
    }

    /// The subspace.
    pub fn subspace(&self) -> &'p Subspace<D> {
        self.subspace
    }

    /// What the steps of this problem cannot do of a stacked displacement in the norm of a Hessian; `None` where the projected Hessian is
    /// not positive definite.
    pub(crate) fn outside_span(&self, hessian: &SymmetricMatrix, displacement: &[f64]) -> Option<Vec<f64>> {
        let mut force = vec![0.0; displacement.len()];
        hessian.multiply(displacement, &mut force);
        let mut step = self.restrict(force);
        let projected = self.held.restrict_hessian(self.projection.project(&self.columns, hessian));
        DenseCholesky::new(&projected, HessianProjection::PositiveSemidefinite)?.solve_in_place(&mut step);
        Some(displacement.iter().zip(self.prolong(&step)).map(|(u, inside)| u - inside).collect())
    }

    /// The reduced coordinates z (r, dependent columns included) of these unknowns.
    ///
    /// # Panics
    /// If the unknowns are not those of this problem.
    pub fn coordinates(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut coordinates = self.rest_coordinates.clone();
        for (index, &column) in self.subspace.kept_columns().iter().enumerate() {
            let (frame, h) = (column / (D + 1), column % (D + 1));
            for axis in 0..D {
                self.frames.add_to(&mut coordinates, frame, h, axis, unknowns[index * D + axis]);
            }
        }
        coordinates
    }
}

/// `lift(z_0) - X`, and nothing where that is the round-off of the positions: far from the origin it would strain the body.
fn start_offset<const D: usize>(subspace: &Subspace<D>, rest_coordinates: &[f64]) -> Vec<f64> {
    let offset = subspace.displacement(rest_coordinates).into_flattened();
    let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    if largest(&offset) <= START_ROUND_OFF * largest(subspace.rest_positions().as_flattened()) {
        return vec![0.0; offset.len()];
    }
    offset
}

impl<'m, const D: usize> EquilibriumProblem<'m, D> for ReducedProblem<'_, 'm, D> {
    type Workspace = ReducedWorkspace;

    fn full(&self) -> &FullProblem<'m, D> {
        self.full
    }

    fn workspace(&self) -> Result<ReducedWorkspace, StaticsError> {
        let order = GalerkinProjection::<1>::new(&self.columns);
        let laplacian = order.project(&self.columns, &self.full.turning_laplacian());
        let laplacian = self.held.restrict_scalar(laplacian);
        let turning = DenseCholesky::new(&laplacian, HessianProjection::PositiveSemidefinite);
        Ok(ReducedWorkspace { stiffness: self.full.tangent_stiffness(), turning })
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
        // What is held hard is where it is held, not where round-off leaves it.
        self.full.impose_holds(&mut displacement);
        displacement
    }

    fn advance(&self, unknowns: &[f64], step: &[f64]) -> Vec<f64> {
        unknowns.iter().zip(self.held.expand(step)).map(|(z, dz)| z + dz).collect()
    }

    fn turn(&self, workspace: &mut ReducedWorkspace, force: Vec<f64>) -> Vec<f64> {
        let mut turn = self.restrict(force);
        let Some(turning) = &workspace.turning else { return vec![0.0; turn.len()] };
        for axis in 0..D {
            let mut component: Vec<f64> = turn.iter().skip(axis).step_by(D).copied().collect();
            turning.solve_in_place(&mut component);
            turn.iter_mut().skip(axis).step_by(D).zip(component).for_each(|(turn, value)| *turn = value);
        }
        turn
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
        shift: f64,
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        self.full.assemble(&mut workspace.stiffness, displacement, projection);
        let hessian = self.projection.project(&self.columns, &workspace.stiffness.matrix);
        let mut hessian = self.held.restrict_hessian(hessian);
        (0..hessian.nrows()).for_each(|index| hessian[(index, index)] *= 1.0 + shift);
        let Some(cholesky) = DenseCholesky::new(&hessian, projection) else { return Ok(None) };
        let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
        cholesky.solve_in_place(&mut step);
        Ok(Some(step))
    }
}

/// What a reduced solve keeps from one iteration to the next.
pub struct ReducedWorkspace {
    stiffness: TangentStiffness,
    /// The projected turning Laplacian; `None` where it has a coordinate without stiffness, and steps go straight.
    turning: Option<DenseCholesky>,
}
