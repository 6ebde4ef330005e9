//! The smoother: a Chebyshev polynomial in `D^-1 A`, D the blocks of the diagonal (Adams, Brezina, Hu, Tuminaro 2003).
//!
//! It damps the part of the error that belongs to the upper part of the spectrum of `D^-1 A`. Unlike Gauss-Seidel it is symmetric and parallel.

use rayon::prelude::*;

use super::block_matrix::{Block, BlockMatrix, ROWS_PER_TASK, panel, panel_mut};

/// Products of a smoothing step with A, the first of which starts from zero and is free.
const DEGREE: usize = 2;
/// The interval that is damped reaches down to this fraction of the largest eigenvalue.
const LOWER_END: f64 = 0.1;
/// Steps of the Lanczos process that finds the largest eigenvalue, from below ...
const LANCZOS_STEPS: usize = 12;
/// ... and the factor that makes it an upper bound.
const SAFETY: f64 = 1.1;

/// The smoother of one level.
pub(crate) struct Chebyshev<const B: usize> {
    inverse_diagonal: Vec<Block<B, B>>,
    /// Of `D^-1 A`.
    largest_eigenvalue: f64,
}

impl<const B: usize> Chebyshev<B> {
    /// Inverts the blocks of the diagonal and finds the largest eigenvalue. Twelve products.
    ///
    /// # Errors
    /// The row of a block of the diagonal that is not positive definite.
    pub(crate) fn new(matrix: &BlockMatrix<B, B>) -> Result<Self, usize> {
        let inverse_diagonal: Vec<Option<Block<B, B>>> = (0..matrix.row_count())
            .into_par_iter()
            .with_min_len(ROWS_PER_TASK)
            .map(|row| inverse(&matrix.diagonal_block(row)))
            .collect();
        if let Some(row) = inverse_diagonal.iter().position(Option::is_none) {
            return Err(row);
        }
        let inverse_diagonal = inverse_diagonal.into_iter().flatten().collect();
        let mut smoother = Self { inverse_diagonal, largest_eigenvalue: 1.0 };
        smoother.largest_eigenvalue = SAFETY * smoother.lanczos(matrix);
        Ok(smoother)
    }

    /// The inverse blocks of the diagonal.
    pub(crate) fn inverse_diagonal(&self) -> &[Block<B, B>] {
        &self.inverse_diagonal
    }

    /// An upper bound of the spectrum of `D^-1 A`, sharp to about ten percent.
    pub(crate) fn largest_eigenvalue(&self) -> f64 {
        self.largest_eigenvalue
    }

    /// Improves W columns X for the right-hand sides B; `is_zero` says that X is 0. The other two slices are memory of the same size.
    pub(crate) fn smooth<const W: usize>(
        &self,
        matrix: &BlockMatrix<B, B>,
        b: &[f64],
        x: &mut [f64],
        is_zero: bool,
        [residual, step]: [&mut [f64]; 2],
    ) {
        let upper = self.largest_eigenvalue;
        let lower = LOWER_END * upper;
        let (centre, radius) = (0.5 * (upper + lower), 0.5 * (upper - lower));
        let sigma = centre / radius;
        let mut rho = 1.0 / sigma;
        if !is_zero {
            matrix.residual::<W>(b, x, residual);
        }
        step.fill(0.0);
        self.advance::<W>(if is_zero { b } else { residual }, 0.0, 1.0 / centre, step, x);
        for _ in 1..DEGREE {
            matrix.residual::<W>(b, x, residual);
            let next = 1.0 / (2.0 * sigma - rho);
            self.advance::<W>(residual, next * rho, 2.0 * next / radius, step, x);
            rho = next;
        }
    }

    /// `step = keep * step + scale * D^-1 residual`, `x += step`.
    fn advance<const W: usize>(
        &self,
        residual: &[f64],
        keep: f64,
        scale: f64,
        step: &mut [f64],
        x: &mut [f64],
    ) {
        let residual = panel::<B, W>(residual);
        let arch = pulp::Arch::new();
        let advance_row = |row: usize, step: &mut [[f64; W]; B], x: &mut [[f64; W]; B]| {
            let solved = apply(&self.inverse_diagonal[row], &residual[row]);
            for i in 0..B {
                for w in 0..W {
                    step[i][w] = keep * step[i][w] + scale * solved[i][w];
                    x[i][w] += step[i][w];
                }
            }
        };
        let parts = panel_mut::<B, W>(step).par_chunks_mut(ROWS_PER_TASK);
        parts.zip(panel_mut::<B, W>(x).par_chunks_mut(ROWS_PER_TASK)).enumerate().for_each(
            |(task, (steps, xs))| {
                arch.dispatch(|| {
                    for (index, (step, x)) in steps.iter_mut().zip(xs).enumerate() {
                        advance_row(task * ROWS_PER_TASK + index, step, x);
                    }
                });
            },
        );
    }

    /// The largest Ritz value of `D^-1 A`, from the coefficients of conjugate gradients preconditioned with D.
    fn lanczos(&self, matrix: &BlockMatrix<B, B>) -> f64 {
        let rows = matrix.row_count() * B;
        // Numbers without pattern: a start that is smooth would miss the upper end of the spectrum. In proportion to the roots of the diagonal,
        // so that stiff and soft parts count alike in the norm of D^-1.
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut residual: Vec<f64> = (0..rows)
            .map(|dof| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let size = matrix.diagonal_block(dof / B)[dof % B][dof % B].sqrt();
                size * ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
            })
            .collect();
        let (mut direction, mut product) = (vec![0.0; rows], vec![0.0; rows]);
        let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
        let (mut rho, mut beta, mut alpha_before) = (0.0, 0.0, 1.0);
        for step in 0..LANCZOS_STEPS {
            let mut solved = vec![0.0; rows];
            self.advance::<1>(&residual, 0.0, 1.0, &mut vec![0.0; rows], &mut solved);
            let next = dot(&residual, &solved);
            if next.is_nan() || next <= 0.0 {
                break;
            }
            if step > 0 {
                beta = next / rho;
                beside.push(f64::sqrt(beta) / alpha_before);
            }
            rho = next;
            direction.iter_mut().zip(&solved).for_each(|(p, z)| *p = z + beta * *p);
            matrix.multiply::<1>(&direction, &mut product);
            let curvature = dot(&direction, &product);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = rho / curvature;
            diagonal.push(1.0 / alpha + beta / alpha_before);
            alpha_before = alpha;
            residual.iter_mut().zip(&product).for_each(|(r, q)| *r -= alpha * q);
        }
        largest_of_tridiagonal(&diagonal, &beside)
    }
}

/// The sum of the products, in a fixed order.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LENGTH: usize = 4096;
    let parts: Vec<f64> = a
        .par_chunks(LENGTH)
        .zip(b.par_chunks(LENGTH))
        .map(|(a, b)| {
            let mut sums = [0.0; 8];
            let (a, a_rest) = a.as_chunks::<8>();
            let (b, b_rest) = b.as_chunks::<8>();
            for (a, b) in a.iter().zip(b) {
                for lane in 0..8 {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
        })
        .collect();
    parts.iter().sum()
}

/// The largest eigenvalue of a symmetric tridiagonal matrix; 1 where there is none.
fn largest_of_tridiagonal(diagonal: &[f64], beside: &[f64]) -> f64 {
    let size = diagonal.len();
    if size == 0 {
        return 1.0;
    }
    let matrix = faer::Mat::from_fn(size, size, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => beside[i.min(j)],
        _ => 0.0,
    });
    // The values are finite, so that the only failure, no convergence, does not occur.
    matrix.self_adjoint_eigenvalues(faer::Side::Lower).map_or(1.0, |values| values[size - 1])
}

/// The block times W vectors.
#[inline(always)]
fn apply<const B: usize, const W: usize>(block: &Block<B, B>, x: &[[f64; W]; B]) -> [[f64; W]; B] {
    let mut y = [[0.0; W]; B];
    for i in 0..B {
        for l in 0..B {
            for w in 0..W {
                y[i][w] += block[i][l] * x[l][w];
            }
        }
    }
    y
}

/// The inverse of a symmetric positive definite block; `None` for another.
fn inverse<const B: usize>(block: &Block<B, B>) -> Option<Block<B, B>> {
    let mut factor = [[0.0; B]; B];
    for j in 0..B {
        let pivot = block[j][j] - (0..j).map(|m| factor[j][m] * factor[j][m]).sum::<f64>();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return None;
        }
        factor[j][j] = pivot.sqrt();
        for i in j + 1..B {
            let rest = block[i][j] - (0..j).map(|m| factor[i][m] * factor[j][m]).sum::<f64>();
            factor[i][j] = rest / factor[j][j];
        }
    }
    let mut inverse = [[0.0; B]; B];
    for column in 0..B {
        let mut x = [0.0; B];
        for i in 0..B {
            let unit = if i == column { 1.0 } else { 0.0 };
            x[i] = (unit - (0..i).map(|m| factor[i][m] * x[m]).sum::<f64>()) / factor[i][i];
        }
        for i in (0..B).rev() {
            x[i] = (x[i] - (i + 1..B).map(|m| factor[m][i] * x[m]).sum::<f64>()) / factor[i][i];
        }
        for i in 0..B {
            inverse[i][column] = x[i];
        }
    }
    Some(inverse)
}
