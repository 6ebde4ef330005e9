//! The Hessian of an energy density with respect to F, as eigenvalues and D x D eigenmatrices.
//!
//! For an isotropic energy of the singular values `s` of `F = U S V^T` (Smith, de Goes, Kim 2019): in each coordinate plane
//! `(i, j)` a twist `U (antisymmetric unit) V^T / sqrt 2` with the eigenvalue `(psi_i + psi_j) / (s_i + s_j)` and a flip
//! `U (symmetric unit) V^T / sqrt 2` with `(psi_i - psi_j) / (s_i - s_j)`; and D scalings `U diag(v) V^T`, `v` the
//! eigenvectors of the matrix of second derivatives by `s`. Each energy gives these quotients divided out.

use crate::SymmetricPattern;
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{Matrix, apply, identity};

/// The second derivatives of an isotropic energy density, in Pa, in the frame of the singular values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum<const D: usize> {
    /// For each coordinate plane the twist eigenvalue: plane `k` lies across axis `k` in 3D, 2D has plane 0 only.
    pub twist: [f64; 3],
    /// For each coordinate plane the flip eigenvalue.
    pub flip: [f64; 3],
    /// Second derivatives by the singular values.
    pub scaling: Matrix<D>,
}

/// The coordinate planes `(i, j)` of D dimensions, plane `k` across axis `k` in 3D.
pub fn planes<const D: usize>() -> &'static [(usize, usize)] {
    match D {
        2 => &[(0, 1)],
        _ => &[(1, 2), (2, 0), (0, 1)],
    }
}

/// D^2 orthonormal eigenpairs: `d2 psi = sum_i values[i] (matrices[i] : dF)^2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigensystem<const D: usize> {
    values: [f64; 9],
    matrices: [Matrix<D>; 9],
}

impl<const D: usize> Eigensystem<D> {
    /// Turns the spectrum in the frame of the singular values into eigenpairs.
    pub fn isotropic(svd: &RotationSvd<D>, spectrum: &Spectrum<D>) -> Self {
        let mut system = Self { values: [0.0; 9], matrices: [[[0.0; D]; D]; 9] };
        let (scalings, directions) = symmetric_eigenpairs(&spectrum.scaling);
        for axis in 0..D {
            system.values[axis] = scalings[axis];
            system.matrices[axis] = svd.recompose(&std::array::from_fn(|entry| directions[entry][axis]));
        }
        for (plane, &(i, j)) in planes::<D>().iter().enumerate() {
            let (twist, flip) = (D + 2 * plane, D + 2 * plane + 1);
            system.values[twist] = spectrum.twist[plane];
            system.values[flip] = spectrum.flip[plane];
            for row in 0..D {
                for column in 0..D {
                    let ij = svd.u[row][i] * svd.v[column][j];
                    let ji = svd.u[row][j] * svd.v[column][i];
                    system.matrices[twist][row][column] = (ij - ji) * std::f64::consts::FRAC_1_SQRT_2;
                    system.matrices[flip][row][column] = (ij + ji) * std::f64::consts::FRAC_1_SQRT_2;
                }
            }
        }
        system
    }

    /// The D^2 eigenvalues in Pa.
    pub fn values(&self) -> &[f64] {
        &self.values[..D * D]
    }

    /// The D^2 eigenmatrices, orthonormal in the inner product `a : b`.
    pub fn matrices(&self) -> &[Matrix<D>] {
        &self.matrices[..D * D]
    }

    /// Replaces every eigenvalue below the floor by the floor: the nearest matrix without negative curvature.
    pub fn clamp(&mut self, floor: f64) {
        for value in &mut self.values[..D * D] {
            *value = value.max(floor);
        }
    }

    /// Overwrites the blocks of corners `1..=D` of a cell (layout of [`SymmetricPattern`]) with this Hessian times a volume:
    /// `volume sum_i lambda_i (Q_i a) (Q_i b)^T` for the corners with hat gradients `a` and `b`.
    pub(crate) fn fill_blocks(&self, volume: f64, gradients: &[[f64; D]], blocks: &mut [f64]) {
        blocks.fill(0.0);
        for (&value, matrix) in self.values().iter().zip(self.matrices()) {
            if value == 0.0 {
                continue;
            }
            let pushed: [[f64; D]; D] = std::array::from_fn(|corner| apply(matrix, &gradients[corner + 1]));
            for a in 1..=D {
                let scaled = pushed[a - 1].map(|entry| volume * value * entry);
                for b in 1..=a {
                    let start = SymmetricPattern::cell_pair(a, b) * D * D;
                    for i in 0..D {
                        for l in 0..D {
                            blocks[start + i * D + l] += scaled[i] * pushed[b - 1][l];
                        }
                    }
                }
            }
        }
    }
}

/// Eigenvalues of a symmetric D x D matrix and its eigenvectors in columns, by cyclic Jacobi rotations.
fn symmetric_eigenpairs<const D: usize>(matrix: &Matrix<D>) -> ([f64; D], Matrix<D>) {
    let mut a = *matrix;
    let mut vectors: Matrix<D> = identity();
    for _ in 0..16 {
        let mut rotated = false;
        for p in 0..D {
            for q in p + 1..D {
                if a[p][q].abs() <= 1e-17 * (a[p][p].abs() + a[q][q].abs()) {
                    continue;
                }
                rotated = true;
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (1.0 + theta * theta).sqrt());
                let cos = 1.0 / (1.0 + t * t).sqrt();
                let sin = cos * t;
                for row in 0..D {
                    let (x, y) = (a[row][p], a[row][q]);
                    (a[row][p], a[row][q]) = (cos * x - sin * y, sin * x + cos * y);
                }
                for column in 0..D {
                    let (x, y) = (a[p][column], a[q][column]);
                    (a[p][column], a[q][column]) = (cos * x - sin * y, sin * x + cos * y);
                }
                for row in &mut vectors {
                    (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
                }
            }
        }
        if !rotated {
            break;
        }
    }
    (std::array::from_fn(|axis| a[axis][axis]), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_matrix::{from_fn, inner_product, transposed};

    #[test]
    fn jacobi_rotations_diagonalise_a_symmetric_matrix() {
        let a: Matrix<3> = [[2.0, -1.0, 0.5], [-1.0, 1.0, 3.0], [0.5, 3.0, -4.0]];
        let (values, vectors) = symmetric_eigenpairs(&a);
        let back: Matrix<3> = from_fn(|row, column| {
            (0..3).map(|axis| vectors[row][axis] * values[axis] * vectors[column][axis]).sum()
        });
        for (x, y) in back.iter().flatten().zip(a.iter().flatten()) {
            assert!((x - y).abs() < 1e-14);
        }
    }

    #[test]
    fn eigenmatrices_are_orthonormal() {
        let f: Matrix<3> = [[1.0, 0.2, 0.3], [-0.4, 0.9, 0.1], [0.2, 0.6, -0.7]];
        let spectrum = Spectrum {
            twist: [1.0, 2.0, 3.0],
            flip: [4.0, 5.0, 6.0],
            scaling: [[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]],
        };
        let system = Eigensystem::isotropic(&RotationSvd::new(&transposed(&f)), &spectrum);
        for (i, a) in system.matrices().iter().enumerate() {
            for (j, b) in system.matrices().iter().enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((inner_product(a, b) - expected).abs() < 1e-13);
            }
        }
    }
}
