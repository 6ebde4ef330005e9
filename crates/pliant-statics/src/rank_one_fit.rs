//! The one frame that does most for some corrections: one weight `w`, and for each correction a map of its own, so that the `w (A_l X + t_l)` are nearest
//! to the `dx_l` in the norms of the `H_l`, by alternating least squares.
//!
//! For a fixed weight each affine map solves a dense system of D (D + 1) unknowns, `B_w^T H_l B_w a_l = B_w^T H_l dx_l`; for fixed maps
//! `Y_lv = A_l X_v + t_l` the weight solves a sparse one on the vertices, `(sum_l s_l P_l^T H_l P_l) w = sum_l s_l P_l^T H_l dx_l`, `P_l` the blocks
//! `Y_lv`. Each half-step lowers the sum of the squared distances.

use std::sync::Arc;

use faer::Mat;
use pliant_fem::{HessianProjection, Ordering, SparseCholesky, SymmetricMatrix, SymmetricPattern};
use pliant_mesh::SimplexMesh;

use crate::StaticsError;
use crate::dense_cholesky::DenseCholesky;

/// Relative shift of the vertex system, which is singular where the affine fields vanish.
const VERTEX_SHIFT: f64 = 1e-10;
/// The shift counts vertices with a small diagonal as if it were this fraction of the largest.
const LEAST_DIAGONAL: f64 = 1e-6;

/// What a frame is fitted to.
pub(crate) struct FitTarget<'a> {
    /// H, n D x n D.
    pub(crate) hessian: &'a SymmetricMatrix,
    /// dx in m, n D.
    pub(crate) correction: &'a [f64],
    /// H dx in N, n D.
    pub(crate) force: &'a [f64],
    /// s: how much the squared distance in the norm of H counts, in 1/J.
    pub(crate) scale: f64,
}

/// A weight and how much of the corrections its frame captures.
pub(crate) struct RankOneFit {
    /// n, of maximum magnitude 1, positive there.
    pub(crate) weight: Vec<f64>,
    /// The decrease of the sum of the scaled squared distances.
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

    /// The fit of stacked corrections, with the weight kept at 0 on the fixed vertices; `None` where nothing is left to fit.
    pub(crate) fn fit(
        &mut self,
        targets: &[FitTarget<'_>],
        fixed: &[bool],
        passes: usize,
    ) -> Result<Option<RankOneFit>, StaticsError> {
        let start =
            (0..fixed.len()).map(|vertex| if fixed[vertex] { 0.0 } else { size::<D>(targets, vertex) });
        let Some(mut weight) = scaled_to_one(start.collect()) else { return Ok(None) };
        let mut gain = 0.0;
        for _ in 0..passes {
            let mut maps = Vec::with_capacity(targets.len());
            gain = 0.0;
            for target in targets {
                let Some((map, captured)) = self.best_map(target, &weight) else { return Ok(None) };
                gain += target.scale * captured;
                maps.push(map);
            }
            let Some(next) = self.best_weight(targets, &maps, fixed)? else { return Ok(None) };
            weight = next;
        }
        Ok(Some(RankOneFit { weight, gain }))
    }

    /// The affine map (columns of `[A | t]`) of a target for a weight, and the energy that the frame captures.
    fn best_map(&self, target: &FitTarget<'_>, weight: &[f64]) -> Option<(Vec<f64>, f64)> {
        let columns = D * (D + 1);
        let mut basis = vec![0.0; target.force.len() * columns];
        for (vertex, position) in self.mesh.positions().iter().enumerate() {
            for i in 0..D {
                let row = &mut basis[(vertex * D + i) * columns..(vertex * D + i + 1) * columns];
                for h in 0..=D {
                    row[h * D + i] = weight[vertex] * position.get(h).copied().unwrap_or(1.0);
                }
            }
        }
        let mut product = vec![0.0; basis.len()];
        target.hessian.multiply_panel(&basis, columns, &mut product);
        let mut gram = Mat::<f64>::zeros(columns, columns);
        let mut right_hand_side = vec![0.0; columns];
        for (row, force) in target.force.iter().enumerate() {
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

    /// The affine field of a map at every vertex, n.
    fn field(&self, map: &[f64]) -> Vec<[f64; D]> {
        let at = |x: &[f64; D]| {
            std::array::from_fn(|i| map[D * D + i] + (0..D).map(|h| map[h * D + i] * x[h]).sum::<f64>())
        };
        self.mesh.positions().iter().map(at).collect()
    }

    /// The weight for the affine maps, scaled to maximum 1.
    fn best_weight(
        &mut self,
        targets: &[FitTarget<'_>],
        maps: &[Vec<f64>],
        fixed: &[bool],
    ) -> Result<Option<Vec<f64>>, StaticsError> {
        let pattern = self.vertex_matrix.pattern().clone();
        let mut weight = vec![0.0; fixed.len()];
        self.vertex_matrix.values_mut().fill(0.0);
        for (target, map) in targets.iter().zip(maps) {
            let field = self.field(map);
            let values = self.vertex_matrix.values_mut();
            for column in 0..pattern.vertex_count() {
                for (nth, &row) in pattern.vertex_rows(column).iter().enumerate() {
                    let block = target.hessian.block::<D>(column, nth);
                    let mut entry = 0.0;
                    for i in 0..D {
                        for l in 0..D {
                            entry += field[row][i] * block[i][l] * field[column][l];
                        }
                    }
                    values[pattern.entry(column, nth, 0, 0)] += target.scale * entry;
                }
            }
            for (vertex, weight) in weight.iter_mut().enumerate().filter(|(vertex, _)| !fixed[*vertex]) {
                let force = &target.force[vertex * D..(vertex + 1) * D];
                let along: f64 = field[vertex].iter().zip(force).map(|(y, f)| y * f).sum();
                *weight += target.scale * along;
            }
        }
        let diagonal = self.vertex_matrix.diagonal();
        let largest = diagonal.iter().fold(0.0_f64, |largest, entry| largest.max(*entry));
        let shift: Vec<f64> =
            diagonal.iter().map(|entry| VERTEX_SHIFT * (entry.max(0.0) + LEAST_DIAGONAL * largest)).collect();
        self.vertex_matrix.add_to_diagonal(&shift);
        self.vertex_matrix.eliminate(fixed, largest.max(f64::MIN_POSITIVE));
        self.cholesky.factorize(&self.vertex_matrix)?;
        self.cholesky.solve_in_place(&mut weight);
        Ok(scaled_to_one(weight))
    }
}

/// How far the corrections move a vertex, each in proportion to how much it counts.
fn size<const D: usize>(targets: &[FitTarget<'_>], vertex: usize) -> f64 {
    let squared = |target: &FitTarget<'_>| {
        target.correction[vertex * D..(vertex + 1) * D].iter().map(|entry| entry * entry).sum::<f64>()
    };
    targets.iter().map(|target| target.scale * squared(target)).sum::<f64>().sqrt()
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
