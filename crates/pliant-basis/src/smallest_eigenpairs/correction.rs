//! What is missing in approximate eigenvectors: the correction equation, by a few steps of conjugate gradients.
//!
//! `P^T (A - theta_i M) P t_i = r_i`, `r_i = A x_i - theta_i M x_i`, P the M-orthogonal projection beside all vectors X, along which nothing may go. The
//! sign of t does not matter, only what it spans. Source: Sleijpen and van der Vorst 1996; with X a block, Sameh and Tong 2000.

use faer::MatRef;

use super::level_problem::LevelProblem;
use super::panel::Panel;
use super::tall_products::{add_product, weighted_transpose_times};

/// Steps of conjugate gradients, each one V-cycle. More would solve equations that are about to change.
pub(crate) const STEPS: usize = 3;

/// Corrections of a panel of residuals, beside M-orthonormal vectors X, by shifts theta below the spectrum beside X.
pub(crate) fn corrections(
    problem: &LevelProblem<'_>,
    vectors: MatRef<'_, f64>,
    mut residuals: Panel,
    shifts: &[f64],
) -> Panel {
    let width = residuals.width();
    let [mut corrections, mut direction, mut next, mut product] = std::array::from_fn(|_| residuals.like());
    let mut before = vec![0.0; width];
    let mut stopped = vec![false; width];
    for step in 0..STEPS {
        problem.precondition(&residuals, &mut next);
        let along = weighted_transpose_times(vectors, problem.mass(), next.as_mat());
        add_product(next.as_mat_mut(), -1.0, vectors, along.as_ref());
        let rho = residuals.dots(&next, |_| 1.0);
        let turn: Vec<f64> = rho
            .iter()
            .zip(&before)
            .map(|(rho, before)| if *before > 0.0 { rho / before } else { 0.0 })
            .collect();
        direction.for_each_row(&next, |_, direction, next| {
            for ((direction, next), turn) in direction.iter_mut().zip(next).zip(&turn) {
                *direction = next + turn * *direction;
            }
        });
        problem.multiply_into(&direction, &mut product);
        subtract_mass(problem, &direction, shifts, &mut product);
        let curvature = direction.dots(&product, |_| 1.0);
        let length: Vec<f64> = (0..width)
            .map(|column| {
                stopped[column] |= rho[column] <= 0.0 || rho[column].is_nan();
                match curvature[column] > 0.0 {
                    _ if stopped[column] => 0.0,
                    true => rho[column] / curvature[column],
                    // Theta is still above a part of the spectrum beside X: the first direction itself is a good one.
                    false => {
                        stopped[column] = true;
                        if step == 0 { 1.0 } else { 0.0 }
                    }
                }
            })
            .collect();
        let add = |sign: f64| {
            let length = &length;
            move |_: usize, sum: &mut [f64], term: &[f64]| {
                for ((sum, term), length) in sum.iter_mut().zip(term).zip(length) {
                    *sum += sign * length * term;
                }
            }
        };
        corrections.for_each_row(&direction, add(1.0));
        residuals.for_each_row(&product, add(-1.0));
        before = rho;
    }
    corrections
}

/// `(A - theta M) X`, one theta a column.
pub(crate) fn shifted_product(problem: &LevelProblem<'_>, x: &Panel, shifts: &[f64]) -> Panel {
    let mut product = problem.multiply(x);
    subtract_mass(problem, x, shifts, &mut product);
    product
}

/// `Y -= theta M X`.
fn subtract_mass(problem: &LevelProblem<'_>, x: &Panel, shifts: &[f64], y: &mut Panel) {
    let mass = problem.mass();
    y.for_each_row(x, |row, y, x| {
        for ((y, x), shift) in y.iter_mut().zip(x).zip(shifts) {
            *y -= shift * mass[row] * x;
        }
    });
}
