//! Dense symmetric systems: equilibrated Cholesky, with a shift where round-off makes a semi-definite matrix indefinite.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::solve::{solve_in_place, solve_in_place_scratch};
use faer::{Mat, MatMut, Par};
use pliant_fem::HessianProjection;

/// Shifts of the unit diagonal of a projected Hessian, tried in turn. The step stays a descent direction, and the gradient is
/// exact, so a shift costs iterations at most.
const SHIFTS: [f64; 5] = [0.0, 1e-13, 1e-11, 1e-9, 1e-7];

/// A factorisation `L L^T` of a matrix scaled to a unit diagonal.
pub(crate) struct DenseCholesky {
    factor: Mat<f64>,
    scale: Vec<f64>,
}

impl DenseCholesky {
    /// Factors a symmetric matrix; a projected one may be shifted. `None` where it is not positive definite. O(r^3).
    pub(crate) fn new(matrix: &Mat<f64>, projection: HessianProjection) -> Option<Self> {
        let size = matrix.nrows();
        let diagonal: Vec<f64> = (0..size).map(|index| matrix[(index, index)]).collect();
        if !diagonal.iter().all(|&entry| entry.is_finite() && entry > 0.0) {
            return None;
        }
        let scale: Vec<f64> = diagonal.iter().map(|entry| 1.0 / entry.sqrt()).collect();
        let shifts = match projection {
            HessianProjection::Plain => &SHIFTS[..1],
            HessianProjection::PositiveSemidefinite => &SHIFTS[..],
        };
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default()));
        shifts.iter().find_map(|shift| {
            let mut factor = Mat::from_fn(size, size, |row, column| {
                let shift = if row == column { *shift } else { 0.0 };
                scale[row] * matrix[(row, column)] * scale[column] + shift
            });
            let stack = MemStack::new(&mut memory);
            cholesky_in_place(factor.as_mut(), Default::default(), Par::Seq, stack, Default::default())
                .ok()?;
            Some(Self { factor, scale: scale.clone() })
        })
    }

    /// Overwrites a right-hand side with the solution.
    pub(crate) fn solve_in_place(&self, right_hand_side: &mut [f64]) {
        let size = self.scale.len();
        right_hand_side.iter_mut().zip(&self.scale).for_each(|(entry, scale)| *entry *= scale);
        let mut memory = MemBuffer::new(solve_in_place_scratch::<f64>(size, 1, Par::Seq));
        let column = MatMut::from_column_major_slice_mut(right_hand_side, size, 1);
        solve_in_place(self.factor.as_ref(), column, Par::Seq, MemStack::new(&mut memory));
        right_hand_side.iter_mut().zip(&self.scale).for_each(|(entry, scale)| *entry *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(
        matrix: &Mat<f64>,
        right_hand_side: [f64; 3],
        projection: HessianProjection,
    ) -> Option<[f64; 3]> {
        let mut solution = right_hand_side;
        DenseCholesky::new(matrix, projection)?.solve_in_place(&mut solution);
        Some(solution)
    }

    #[test]
    fn badly_scaled_systems_are_solved_and_indefinite_ones_refused() {
        let scale = [1e-6, 1.0, 1e5];
        let spd = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]];
        let matrix = Mat::from_fn(3, 3, |row, column| scale[row] * spd[row][column] * scale[column]);
        let wanted = [-1.0, 2.0, -3.0];
        let solution = solve(&matrix, wanted, HessianProjection::Plain).unwrap();
        for (row, expected) in wanted.iter().enumerate() {
            let terms: [f64; 3] = std::array::from_fn(|column| matrix[(row, column)] * solution[column]);
            let size: f64 = terms.iter().map(|term| term.abs()).sum();
            assert!((terms.iter().sum::<f64>() - expected).abs() < 1e-14 * size, "{terms:?} {expected}");
        }
        let indefinite = Mat::from_fn(3, 3, |row, column| if row == column { 1.0 } else { 2.0 });
        for projection in [HessianProjection::Plain, HessianProjection::PositiveSemidefinite] {
            assert!(solve(&indefinite, wanted, projection).is_none());
        }
    }

    #[test]
    fn a_singular_projected_matrix_still_gives_a_descent_step() {
        let singular = Mat::from_fn(3, 3, |_, _| 1.0);
        let step = solve(&singular, [-1.0; 3], HessianProjection::PositiveSemidefinite).unwrap();
        assert!(step.iter().sum::<f64>() < -0.9);
    }
}
