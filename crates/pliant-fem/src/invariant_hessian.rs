//! The plain Hessian of an energy of `|F|^2` and `J = det F`: `alpha I + beta cof F (x) cof F + gamma d2J`, no decomposition needed.
//!
//! Between the corners with hat gradients `a` and `b` it gives the block `alpha (a . b) I + beta (C a) (C b)^T + gamma K`,
//! `C = cof F`, `K_ik = sum_jl d2J / dF_ij dF_kl a_j b_l`: in 3D `eps_ikm (F (a x b))_m`, in 2D `eps_ik (a_1 b_2 - a_2 b_1)`.

use crate::SymmetricPattern;
use crate::small_matrix::{Matrix, add_scaled, apply, cofactor_excess, identity};

/// The three coefficients, in Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvariantHessian {
    /// alpha, of `|dF|^2`.
    pub identity: f64,
    /// beta, of `(cof F : dF)^2`.
    pub cofactor: f64,
    /// gamma, of the second derivative of J.
    pub curvature: f64,
}

impl InvariantHessian {
    /// Overwrites the blocks of corners `1..=D` of a cell (layout of [`SymmetricPattern`]) with this Hessian times a volume;
    /// `gradients` are those of all D+1 hat functions.
    pub(crate) fn fill_blocks<const D: usize>(
        &self,
        h: &Matrix<D>,
        volume: f64,
        gradients: &[[f64; D]],
        blocks: &mut [f64],
    ) {
        let f = add_scaled(&identity(), 1.0, h);
        let cofactor = add_scaled(&identity(), 1.0, &cofactor_excess(h));
        let (alpha, beta, gamma) = (volume * self.identity, volume * self.cofactor, volume * self.curvature);
        let pushed: [[f64; D]; D] = std::array::from_fn(|corner| apply(&cofactor, &gradients[corner + 1]));
        for a in 1..=D {
            for b in 1..=a {
                let start = SymmetricPattern::cell_pair(a, b) * D * D;
                let block = &mut blocks[start..start + D * D];
                let (ga, gb) = (&gradients[a], &gradients[b]);
                let (ca, cb) = (&pushed[a - 1], &pushed[b - 1]);
                for i in 0..D {
                    for k in 0..D {
                        block[i * D + k] = beta * ca[i] * cb[k];
                    }
                }
                let diagonal = alpha * (0..D).map(|axis| ga[axis] * gb[axis]).sum::<f64>();
                (0..D).for_each(|i| block[i * D + i] += diagonal);
                if a != b {
                    add_curvature(&f, ga, gb, gamma, block);
                }
            }
        }
    }
}

/// Adds `gamma K`, which is antisymmetric and vanishes for `a = b`.
fn add_curvature<const D: usize>(f: &Matrix<D>, a: &[f64; D], b: &[f64; D], gamma: f64, block: &mut [f64]) {
    match D {
        2 => {
            let turn = gamma * (a[0] * b[1] - a[1] * b[0]);
            block[1] += turn;
            block[2] -= turn;
        }
        _ => {
            let cross = std::array::from_fn(|axis| {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                a[next] * b[last] - a[last] * b[next]
            });
            let axis = apply(f, &cross);
            for m in 0..3 {
                let (i, k) = ((m + 1) % 3, (m + 2) % 3);
                block[i * D + k] += gamma * axis[m];
                block[k * D + i] -= gamma * axis[m];
            }
        }
    }
}
