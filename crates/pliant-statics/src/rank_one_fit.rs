//! The one frame that does most for a correction: `w (A X + t)` nearest to `dx` in the norm of H, by alternating least squares.
//!
//! For a fixed weight the affine map solves a dense system of D (D + 1) unknowns, `B_w^T H B_w a = B_w^T H dx`; for a fixed map `Y_v = A X_v + t` the
//! weight solves a sparse one on the vertices, `P^T H P w = P^T H dx`, `P` the blocks `Y_v`. Each half-step lowers the distance.

use std::sync::Arc;

use faer::Mat;
use pliant_fem::{HessianProjection, Ordering, SparseCholesky, SymmetricMatrix, SymmetricPattern};
use pliant_mesh::SimplexMesh;

use crate::StaticsError;
use crate::dense_cholesky::DenseCholesky;

/// Relative shift of the vertex system, which is singular where the affine field vanishes.
const VERTEX_SHIFT: f64 = 1e-10;
/// The shift counts vertices with a small diagonal as if it were this fraction of the largest.
const LEAST_DIAGONAL: f64 = 1e-6;

/// A weight and how much of the correction its frame captures.
pub(crate) struct RankOneFit {
    /// n, of maximum magnitude 1, positive there.
    pub(crate) weight: Vec<f64>,
    /// The decrease of the squared distance in the norm of H, in J.
    pub(crate) gain: f64,
}

/// Fits frames on one mesh; keeps the factorisation of the vertex systems.
pub(crate) struct RankOneFitter<'m, const D: usize> {
    mesh: &'m SimplexMesh<D>,
    vertex_matrix: SymmetricMatrix,
    cholesky: SparseCholesky,
}

impl<'m, const D: usize> RankOneFitter<'m, D> {
    pub(crate) fn new(mesh: &'m SimplexMesh<D>) -> Result<Self, StaticsError> {
        let pattern = Arc::new(SymmetricPattern::new(mesh, 1));
        let cholesky = SparseCholesky::new(&pattern, Ordering::Auto)?;
        Ok(Self { mesh, vertex_matrix: SymmetricMatrix::zeros(pattern), cholesky })
    }

    /// The fit of a stacked correction, with the weight kept at 0 on the fixed vertices; `None` where nothing is left to fit.
    pub(crate) fn fit(
        &mut self,
        hessian: &SymmetricMatrix,
        correction: &[f64],
        fixed: &[bool],
        passes: usize,
    ) -> Result<Option<RankOneFit>, StaticsError> {
        let mut pushed = vec![0.0; correction.len()];
        hessian.multiply(correction, &mut pushed);
        let length = |vertex: usize| {
            correction[vertex * D..(vertex + 1) * D].iter().map(|entry| entry * entry).sum::<f64>().sqrt()
        };
        let start = (0..fixed.len()).map(|vertex| if fixed[vertex] { 0.0 } else { length(vertex) }).collect();
        let Some(mut weight) = scaled_to_one(start) else { return Ok(None) };
        let mut gain = 0.0;
        for _ in 0..passes {
            let Some((map, captured)) = self.best_map(hessian, &pushed, &weight) else { return Ok(None) };
            gain = captured;
            let Some(next) = self.best_weight(hessian, &pushed, &map, fixed)? else { return Ok(None) };
            weight = next;
        }
        Ok(Some(RankOneFit { weight, gain }))
    }

    /// The affine map (columns of `[A | t]`) for a weight, and the energy that the frame captures.
    fn best_map(&self, hessian: &SymmetricMatrix, pushed: &[f64], weight: &[f64]) -> Option<(Vec<f64>, f64)> {
        let columns = D * (D + 1);
        let mut basis = vec![0.0; pushed.len() * columns];
        for (vertex, position) in self.mesh.positions().iter().enumerate() {
            for i in 0..D {
                let row = &mut basis[(vertex * D + i) * columns..(vertex * D + i + 1) * columns];
                for h in 0..=D {
                    row[h * D + i] = weight[vertex] * position.get(h).copied().unwrap_or(1.0);
                }
            }
        }
        let mut product = vec![0.0; basis.len()];
        hessian.multiply_panel(&basis, columns, &mut product);
        let mut gram = Mat::<f64>::zeros(columns, columns);
        let mut right_hand_side = vec![0.0; columns];
        for (row, force) in pushed.iter().enumerate() {
            let (b, hb) =
                (&basis[row * columns..(row + 1) * columns], &product[row * columns..(row + 1) * columns]);
            for (i, entry) in b.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                right_hand_side[i] += entry * force;
                hb.iter().enumerate().for_each(|(j, hb)| gram[(i, j)] += entry * hb);
            }
        }
        let mut map = right_hand_side.clone();
        DenseCholesky::new(&gram, HessianProjection::PositiveSemidefinite)?.solve_in_place(&mut map);
        let captured = map.iter().zip(&right_hand_side).map(|(a, b)| a * b).sum();
        Some((map, captured))
    }

    /// The weight for an affine map, scaled to maximum 1.
    fn best_weight(
        &mut self,
        hessian: &SymmetricMatrix,
        pushed: &[f64],
        map: &[f64],
        fixed: &[bool],
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        let field: Vec<[f64; D]> = self
            .mesh
            .positions()
            .iter()
            .map(|x| {
                std::array::from_fn(|i| map[D * D + i] + (0..D).map(|h| map[h * D + i] * x[h]).sum::<f64>())
            })
            .collect();
        let pattern = self.vertex_matrix.pattern().clone();
        let values = self.vertex_matrix.values_mut();
        for column in 0..pattern.vertex_count() {
            for (nth, &row) in pattern.vertex_rows(column).iter().enumerate() {
                let block = hessian.block::<D>(column, nth);
                let mut entry = 0.0;
                for i in 0..D {
                    for l in 0..D {
                        entry += field[row][i] * block[i][l] * field[column][l];
                    }
                }
                values[pattern.entry(column, nth, 0, 0)] = entry;
            }
        }
        let diagonal = self.vertex_matrix.diagonal();
        let largest = diagonal.iter().fold(0.0_f64, |largest, entry| largest.max(*entry));
        let shift: Vec<f64> =
            diagonal.iter().map(|entry| VERTEX_SHIFT * (entry.max(0.0) + LEAST_DIAGONAL * largest)).collect();
        self.vertex_matrix.add_to_diagonal(&shift);
        self.vertex_matrix.eliminate(fixed, largest.max(f64::MIN_POSITIVE));
        let mut weight: Vec<f64> = (0..fixed.len())
            .map(|vertex| {
                let force = &pushed[vertex * D..(vertex + 1) * D];
                if fixed[vertex] { 0.0 } else { field[vertex].iter().zip(force).map(|(y, f)| y * f).sum() }
            })
            .collect();
        self.cholesky.factorize(&self.vertex_matrix)?;
        self.cholesky.solve_in_place(&mut weight);
        Ok(scaled_to_one(weight))
    }
}

/// Divides by the entry of largest magnitude; `None` where all are 0 or one is not finite.
fn scaled_to_one(mut weight: Vec<f64>) -> Option<Vec<f64>> {
    let largest = weight
        .iter()
        .fold(0.0_f64, |largest, entry| if entry.abs() > largest.abs() { *entry } else { largest });
    if largest == 0.0 || !weight.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    weight.iter_mut().for_each(|entry| *entry /= largest);
    Some(weight)
}
