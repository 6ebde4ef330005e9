//! Dense Newton steps: equilibrated Cholesky with a shift where round-off makes a semi-definite matrix indefinite.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::solve::{solve_in_place, solve_in_place_scratch};
use faer::{Mat, MatMut, Par};
use pliant_fem::HessianProjection;

/// Shifts of the unit diagonal of a projected Hessian, tried in turn. The step stays a descent direction, and the gradient is
/// exact, so a shift costs iterations at most.
const SHIFTS: [f64; 5] = [0.0, 1e-13, 1e-11, 1e-9, 1e-7];

/// `-H^-1 g`, or `None` where H is not positive definite. Scales H to a unit diagonal first. O(r^3).
pub(crate) fn solve_equilibrated(
    hessian: Mat<f64>,
    gradient: &[f64],
    projection: HessianProjection,
) -> Option<Vec<f64>> {
    let size = gradient.len();
    let diagonal: Vec<f64> = (0..size).map(|index| hessian[(index, index)]).collect();
    if !diagonal.iter().all(|&entry| entry.is_finite() && entry > 0.0) {
        return None;
    }
    let scale: Vec<f64> = diagonal.iter().map(|entry| 1.0 / entry.sqrt()).collect();
    let shifts = match projection {
        HessianProjection::Plain => &SHIFTS[..1],
        HessianProjection::PositiveSemidefinite => &SHIFTS[..],
    };
    shifts.iter().find_map(|shift| {
        let scaled = Mat::from_fn(size, size, |row, column| {
            let shift = if row == column { *shift } else { 0.0 };
            scale[row] * hessian[(row, column)] * scale[column] + shift
        });
        let mut step: Vec<f64> = gradient.iter().zip(&scale).map(|(g, scale)| -g * scale).collect();
        factor_and_solve(scaled, &mut step)?;
        step.iter_mut().zip(&scale).for_each(|(step, scale)| *step *= scale);
        Some(step)
    })
}

/// `A^-1 b` of a small symmetric matrix, shifted where it is singular to working precision; `None` where it is not positive.
pub(crate) fn solve_positive_definite(matrix: &Mat<f64>, right_hand_side: &[f64]) -> Option<Vec<f64>> {
    let negated: Vec<f64> = right_hand_side.iter().map(|entry| -entry).collect();
    solve_equilibrated(matrix.clone(), &negated, HessianProjection::PositiveSemidefinite)
}

fn factor_and_solve(mut matrix: Mat<f64>, right_hand_side: &mut [f64]) -> Option<()> {
    let size = right_hand_side.len();
    let scratch = cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default())
        .or(solve_in_place_scratch::<f64>(size, 1, Par::Seq));
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    cholesky_in_place(matrix.as_mut(), Default::default(), Par::Seq, stack, Default::default()).ok()?;
    let column = MatMut::from_column_major_slice_mut(right_hand_side, size, 1);
    solve_in_place(matrix.as_ref(), column, Par::Seq, MemStack::new(&mut memory));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badly_scaled_systems_are_solved_and_indefinite_ones_refused() {
        let scale = [1e-6, 1.0, 1e5];
        let spd = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]];
        let hessian = Mat::from_fn(3, 3, |row, column| scale[row] * spd[row][column] * scale[column]);
        let step = solve_equilibrated(hessian.clone(), &[1.0, -2.0, 3.0], HessianProjection::Plain).unwrap();
        for (row, expected) in [-1.0, 2.0, -3.0].iter().enumerate() {
            let terms: [f64; 3] = std::array::from_fn(|column| hessian[(row, column)] * step[column]);
            let size: f64 = terms.iter().map(|term| term.abs()).sum();
            assert!((terms.iter().sum::<f64>() - expected).abs() < 1e-14 * size, "{terms:?} {expected}");
        }
        let indefinite = Mat::from_fn(2, 2, |row, column| if row == column { 1.0 } else { 2.0 });
        for projection in [HessianProjection::Plain, HessianProjection::PositiveSemidefinite] {
            assert!(solve_equilibrated(indefinite.clone(), &[1.0, 1.0], projection).is_none());
        }
    }

    #[test]
    fn a_singular_projected_hessian_still_gives_a_descent_step() {
        let hessian = Mat::from_fn(2, 2, |_, _| 1.0);
        let step = solve_equilibrated(hessian, &[1.0, 1.0], HessianProjection::PositiveSemidefinite).unwrap();
        assert!(step[0] + step[1] < -0.9);
    }
}
