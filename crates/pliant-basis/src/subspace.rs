//! A linear subspace of deformations, `x = x0 + B z`, spanned by frames that blend affine maps.
//!
//! Linear blend skinning: `B = S (x) I_D` with `S = W * [X 1]`. B is nD x r with r = k D (D + 1); column
//! `(j (D + 1) + h) D + i` holds `W[v, j] [X_v; 1]_h` in row `v D + i`, so the coordinates of frame `j` are the columns of its
//! affine map `[A | t]` in order. `x0 = 0`. The projection `z = (B^T M B)^-1 B^T M (x - x0)` goes through a QR of `M^1/2 S`, never
//! through the normal equations, whose condition number is the square.
//! Source: Faure, Gilles, Bousquet, Pai, "Sparse meshless models of complex deformable solids", 2011.

use crate::centred_triangle::CentredTriangle;
use crate::scalar_block::{ScalarBlock, ScalarRows};
use crate::tall_qr::{HouseholderQr, TallQr};
use crate::{BasisError, Weights};
use faer::Mat;
use pliant_fem::lumped_mass;
use pliant_mesh::{MaterialMap, SimplexMesh};
use std::sync::OnceLock;

/// Weights whose rows sum to one within this hold every affine map exactly, the same in each frame.
const PARTITION_OF_UNITY: f64 = 1e-9;

/// A subspace of the deformations of one mesh, with what projecting onto it needs.
///
/// Coordinates `z` have r entries, dependent columns included; a projection gives 0 to the dependent ones.
#[derive(Clone, Debug)]
pub struct Subspace<const D: usize> {
    rest_positions: Vec<[f64; D]>,
    mass: Vec<f64>,
    weights: Weights,
    block: ScalarBlock,
    kept_columns: Vec<usize>,
    affine_projection: Mat<f64>,
    affine_frames: Option<usize>,
    projector: OnceLock<TallQr>,
}

impl<const D: usize> Subspace<D> {
    /// The subspace of the frames whose weights are given; the density of the material gives the mass of the projection.
    ///
    /// Finds the rank by a pivoted QR: columns of `M^1/2 S` of which less than 1e-10 is left beside the others are not among
    /// the [`Subspace::kept_columns`]. The rank does not depend on where the origin is. O(n c^2) for c = k (D + 1), memory
    /// O(entries + c^2).
    ///
    /// # Errors
    /// Weights or a material that belong to another mesh, or weights that are all 0.
    pub fn linear_blend_skinning(
        mesh: &SimplexMesh<D>,
        material: &MaterialMap,
        weights: Weights,
    ) -> Result<Self, BasisError> {
        if weights.vertex_count() != mesh.vertex_count() {
            return Err(BasisError::OtherMesh {
                what: "rows of weights",
                given: weights.vertex_count(),
                expected: mesh.vertex_count(),
                of: "vertices",
            });
        }
        if material.density().len() != mesh.cell_count() {
            return Err(BasisError::OtherMesh {
                what: "entries of the material map",
                given: material.density().len(),
                expected: mesh.cell_count(),
                of: "cells",
            });
        }
        let mass = lumped_mass(mesh, material.density());
        let block = ScalarBlock::new(&weights, mesh.positions());
        let centred = CentredTriangle::new(&weights, &mass, mesh.positions());
        let kept_columns = centred.independent_columns();
        if kept_columns.is_empty() {
            return Err(BasisError::NoWeight);
        }
        let affine_projection =
            project_affine_functions::<D>(&centred.uncentred(), &kept_columns, block.column_count());
        let affine_frames = first_frames_that_sum_to_one(&weights);
        Ok(Self {
            rest_positions: mesh.positions().to_vec(),
            mass,
            weights,
            block,
            kept_columns,
            affine_projection,
            affine_frames,
            projector: OnceLock::new(),
        })
    }

    /// r = k D (D + 1), the number of reduced coordinates, dependent ones included.
    pub fn dofs(&self) -> usize {
        self.block.column_count() * D
    }

    /// The dimension of the span of B, at most r: D times the number of [`Subspace::kept_columns`].
    pub fn rank(&self) -> usize {
        self.kept_columns.len() * D
    }

    /// n.
    pub fn vertex_count(&self) -> usize {
        self.rest_positions.len()
    }

    /// k.
    pub fn frame_count(&self) -> usize {
        self.weights.frame_count()
    }

    /// W, n x k.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// X, n x D, in m.
    pub fn rest_positions(&self) -> &[[f64; D]] {
        &self.rest_positions
    }

    /// The lumped mass of every vertex in kg, n: the norm of the projection.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// S, n x c with c = k (D + 1), as sparse rows; `B = S (x) I_D`.
    pub fn scalar_rows(&self) -> ScalarRows<'_> {
        self.block.rows()
    }

    /// c = k (D + 1), the columns of S.
    pub fn scalar_column_count(&self) -> usize {
        self.block.column_count()
    }

    /// One column of S, n. O(n log k).
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn scalar_column(&self, column: usize) -> Vec<f64> {
        assert!(column < self.block.column_count(), "column {column} of {}", self.block.column_count());
        self.block.column(column)
    }

    /// The columns of S that are independent, ascending: column `s` of S stands for columns `s D..(s + 1) D` of B.
    pub fn kept_columns(&self) -> &[usize] {
        &self.kept_columns
    }

    /// Entries of B with an absolute value above 1e-9.
    pub fn basis_nonzeros(&self) -> usize {
        self.block.nonzeros() * D
    }

    /// [`Subspace::basis_nonzeros`] over nD r. About 1/D for dense weights.
    pub fn basis_density(&self) -> f64 {
        let entries = self.vertex_count() as f64 * D as f64 * self.dofs() as f64;
        self.basis_nonzeros() as f64 / entries
    }

    /// The positions `x0 + B z` in m, n x D. O(entries), parallel.
    ///
    /// # Panics
    /// If `coordinates` does not have r entries.
    pub fn lift(&self, coordinates: &[f64]) -> Vec<[f64; D]> {
        assert_eq!(coordinates.len(), self.dofs(), "one coordinate for each column of the basis");
        self.block.multiply(coordinates)
    }

    /// The displacement `x0 + B z - X` in m, n x D.
    ///
    /// # Panics
    /// If `coordinates` does not have r entries.
    pub fn displacement(&self, coordinates: &[f64]) -> Vec<[f64; D]> {
        let mut displacement = self.lift(coordinates);
        for (moved, rest) in displacement.iter_mut().zip(&self.rest_positions) {
            moved.iter_mut().zip(rest).for_each(|(moved, rest)| *moved -= rest);
        }
        displacement
    }

    /// The displacement of the subspace that is nearest to `displacement` in the mass norm; both n x D stacked, in m. Costs as
    /// [`Subspace::project`].
    ///
    /// # Panics
    /// If `displacement` does not have n D entries.
    pub fn nearest_displacement(&self, displacement: &[f64]) -> Vec<f64> {
        assert_eq!(displacement.len(), self.vertex_count() * D, "one displacement for each vertex");
        let moved = self.rest_positions.iter().zip(displacement.chunks_exact(D));
        let positions: Vec<[f64; D]> =
            moved.map(|(x, u)| std::array::from_fn(|axis| x[axis] + u[axis])).collect();
        self.displacement(&self.project(&positions)).into_flattened()
    }

    /// The coordinates whose lift is nearest to `positions` in the mass norm, r; 0 in the dependent columns.
    ///
    /// `project(lift(z)) = z` at full rank. The first call factors (O(n c^2) time, O(n c) memory kept); later ones are O(n c).
    ///
    /// # Panics
    /// If `positions` does not have n entries.
    pub fn project(&self, positions: &[[f64; D]]) -> Vec<f64> {
        assert_eq!(positions.len(), self.vertex_count(), "one position for each vertex");
        let weighted = Mat::from_fn(positions.len(), D, |vertex, component| {
            self.mass[vertex].sqrt() * positions[vertex][component]
        });
        let solution = self.projector().solve_least_squares(weighted.as_ref());
        let mut coordinates = vec![0.0; self.dofs()];
        for (row, &column) in self.kept_columns.iter().enumerate() {
            for component in 0..D {
                coordinates[column * D + component] = solution[(row, component)];
            }
        }
        coordinates
    }

    /// The smallest m for which the weights of the first m frames sum to one (within 1e-9) in every row: those carry affine maps, the
    /// frames after them only add to it. `None` where there is no such m, as for eigenmodes.
    pub fn affine_frame_count(&self) -> Option<usize> {
        self.affine_frames
    }

    /// The coordinates of the rest positions: the identity in each affine frame and 0 in the others
    /// ([`Subspace::affine_frame_count`]), or the projection of X where there are none.
    ///
    /// Where the rank is deficient the identity uses dependent columns too: add steps in the kept columns to it.
    pub fn rest_coordinates(&self) -> Vec<f64> {
        let identity = std::array::from_fn(|row| std::array::from_fn(|column| f64::from(row == column)));
        self.affine_coordinates(&identity, &[0.0; D])
    }

    /// The coordinates of the affine map `X -> A X + t` (rows of A, t in m): the map itself in each affine frame and 0 in the others,
    /// or its projection where there are no affine frames.
    pub fn affine_coordinates(&self, linear: &[[f64; D]; D], translation: &[f64; D]) -> Vec<f64> {
        let entry = |component: usize, h: usize| {
            if h < D { linear[component][h] } else { translation[component] }
        };
        let mut coordinates = Vec::with_capacity(self.dofs());
        for column in 0..self.block.column_count() {
            for component in 0..D {
                coordinates.push(match self.affine_frames {
                    Some(frames) if column < frames * (D + 1) => entry(component, column % (D + 1)),
                    Some(_) => 0.0,
                    None => (0..=D).map(|h| self.affine_projection[(column, h)] * entry(component, h)).sum(),
                });
            }
        }
        coordinates
    }

    /// The mass-norm projection of coordinate function `X_h` (h < D) or of 1 (h = D) onto the columns of S, c.
    pub(crate) fn affine_function_coordinates(&self, h: usize) -> Vec<f64> {
        (0..self.block.column_count()).map(|column| self.affine_projection[(column, h)]).collect()
    }

    /// `S z` for one scalar function, n.
    pub(crate) fn lift_function(&self, coordinates: &[f64]) -> Vec<f64> {
        self.block.multiply::<1>(coordinates).into_iter().map(|[value]| value).collect()
    }

    /// Factors outside the lock: inside it, a thread that waits for parallel work could be given a task that wants the same lock.
    fn projector(&self) -> &TallQr {
        if let Some(projector) = self.projector.get() {
            return projector;
        }
        let mut position = vec![None; self.block.column_count()];
        for (index, &column) in self.kept_columns.iter().enumerate() {
            position[column] = Some(index);
        }
        let projector = TallQr::new(self.vertex_count(), self.kept_columns.len(), |vertex, row| {
            let scale = self.mass[vertex].sqrt();
            let (columns, values) = self.block.rows().row(vertex);
            for (&column, value) in columns.iter().zip(values) {
                if let Some(index) = position[column] {
                    row[index] = scale * value;
                }
            }
        });
        self.projector.get_or_init(|| projector)
    }
}

/// The smallest m for which the first m weights of every row sum to one. O(entries + n k).
fn first_frames_that_sum_to_one(weights: &Weights) -> Option<usize> {
    let mut errors = vec![0.0_f64; weights.frame_count() + 1];
    for vertex in 0..weights.vertex_count() {
        let (frames, values) = weights.row(vertex);
        let mut entries = frames.iter().zip(values).peekable();
        let mut sum = 0.0;
        for (count, error) in errors.iter_mut().enumerate() {
            while let Some((_, value)) = entries.next_if(|(frame, _)| **frame < count) {
                sum += value;
            }
            *error = error.max((sum - 1.0).abs());
        }
    }
    errors.into_iter().position(|error| error <= PARTITION_OF_UNITY)
}

/// Least-squares coordinates of X_0 .. X_{D-1} and 1 in the kept columns, c x (D + 1), zero in the others.
fn project_affine_functions<const D: usize>(
    triangle: &Mat<f64>,
    kept_columns: &[usize],
    columns: usize,
) -> Mat<f64> {
    let rows = triangle.nrows();
    let kept = Mat::from_fn(rows, kept_columns.len(), |row, index| triangle[(row, kept_columns[index])]);
    let solution = HouseholderQr::new(kept).solve_least_squares(triangle.get(.., columns..).to_owned());
    let mut projection = Mat::zeros(columns, D + 1);
    for (row, &column) in kept_columns.iter().enumerate() {
        for h in 0..=D {
            projection[(column, h)] = solution[(row, h)];
        }
    }
    projection
}

#[cfg(test)]
mod tests;
