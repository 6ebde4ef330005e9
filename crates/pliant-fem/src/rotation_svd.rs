//! Singular values with rotations: `F = U diag(s) V^T`, `det U = det V = 1`, the smallest `s` carries the sign of `det F`.
//!
//! 2D in closed form; 3D by one-sided Jacobi rotations on the columns of `F`, which keeps small singular values
//! relatively accurate (Demmel and Veselic 1992).

use crate::small_matrix::{Matrix, determinant, from_fn, identity};

/// The factors of one matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationSvd<const D: usize> {
    /// A rotation.
    pub u: Matrix<D>,
    /// Descending in magnitude; only the last may be negative.
    pub singular_values: [f64; D],
    /// A rotation.
    pub v: Matrix<D>,
}

impl<const D: usize> RotationSvd<D> {
    /// Factors a finite matrix; a zero matrix gives identities.
    pub fn new(f: &Matrix<D>) -> Self {
        match D {
            2 => closed_form(f),
            _ => one_sided_jacobi(f),
        }
    }

    /// `U diag(d) V^T`.
    pub fn recompose(&self, diagonal: &[f64; D]) -> Matrix<D> {
        from_fn(|row, column| {
            (0..D).map(|axis| self.u[row][axis] * diagonal[axis] * self.v[column][axis]).sum()
        })
    }

    /// The rotation `U V^T` of the polar decomposition.
    pub fn rotation(&self) -> Matrix<D> {
        self.recompose(&[1.0; D])
    }
}

/// A 2 x 2 matrix is a multiple of a rotation plus a multiple of a reflection; their angles give both factors.
fn closed_form<const D: usize>(f: &Matrix<D>) -> RotationSvd<D> {
    let (rotating, reflecting) = (
        (0.5 * (f[0][0] + f[1][1]), 0.5 * (f[1][0] - f[0][1])),
        (0.5 * (f[0][0] - f[1][1]), 0.5 * (f[1][0] + f[0][1])),
    );
    let (sum, difference) = (rotating.0.hypot(rotating.1), reflecting.0.hypot(reflecting.1));
    let (alpha, beta) = (rotating.1.atan2(rotating.0), reflecting.1.atan2(reflecting.0));
    let mut singular_values = [0.0; D];
    singular_values[0] = sum + difference;
    singular_values[1] = sum - difference;
    let turn = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        from_fn(|row, column| match (row, column) {
            (0, 1) => -sin,
            (1, 0) => sin,
            _ => cos,
        })
    };
    RotationSvd { u: turn(0.5 * (alpha + beta)), singular_values, v: turn(0.5 * (beta - alpha)) }
}

fn one_sided_jacobi<const D: usize>(f: &Matrix<D>) -> RotationSvd<D> {
    let mut columns: Matrix<D> = from_fn(|column, row| f[row][column]);
    let mut v_columns: Matrix<D> = identity();
    let dot = |a: &[f64; D], b: &[f64; D]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Convergence is quadratic: six sweeps are more than any 3 x 3 matrix was seen to need.
    for _ in 0..12 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (app, aqq, apq) =
                (dot(&columns[p], &columns[p]), dot(&columns[q], &columns[q]), dot(&columns[p], &columns[q]));
            if apq.abs() <= 1e-16 * (app * aqq).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (aqq - app) / (2.0 * apq);
            let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cos = 1.0 / (1.0 + t * t).sqrt();
            rotate_pair(&mut columns, p, q, cos, cos * t);
            rotate_pair(&mut v_columns, p, q, cos, cos * t);
        }
        if !rotated {
            break;
        }
    }
    let mut lengths: [f64; D] = std::array::from_fn(|axis| dot(&columns[axis], &columns[axis]).sqrt());
    for (a, b) in [(0, 1), (1, 2), (0, 1)] {
        if lengths[a] < lengths[b] {
            lengths.swap(a, b);
            columns.swap(a, b);
            v_columns.swap(a, b);
        }
    }
    if determinant(&v_columns) < 0.0 {
        v_columns[D - 1] = v_columns[D - 1].map(|entry| -entry);
        columns[D - 1] = columns[D - 1].map(|entry| -entry);
    }
    let u_columns = orthonormal_frame(&columns);
    lengths[D - 1] = dot(&columns[D - 1], &u_columns[D - 1]);
    RotationSvd {
        u: from_fn(|row, column| u_columns[column][row]),
        singular_values: lengths,
        v: from_fn(|row, column| v_columns[column][row]),
    }
}

fn rotate_pair<const D: usize>(columns: &mut Matrix<D>, p: usize, q: usize, cos: f64, sin: f64) {
    for row in 0..D {
        let (a, b) = (columns[p][row], columns[q][row]);
        columns[p][row] = cos * a - sin * b;
        columns[q][row] = sin * a + cos * b;
    }
}

/// A right-handed orthonormal frame along the first two of three orthogonal columns of descending length.
fn orthonormal_frame<const D: usize>(columns: &Matrix<D>) -> Matrix<D> {
    let normalised = |vector: [f64; D]| {
        let length = vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        (length > 0.0).then(|| vector.map(|entry| entry / length))
    };
    let mut frame: Matrix<D> = identity();
    let Some(first) = normalised(columns[0]) else { return frame };
    // Where the second column vanishes any direction across the first will do: the axis it is least along.
    let along = |axis: usize| first[axis].abs();
    let least = (0..D).fold(0, |least, axis| if along(axis) < along(least) { axis } else { least });
    let across = |vector: [f64; D]| {
        let overlap: f64 = vector.iter().zip(&first).map(|(a, b)| a * b).sum();
        std::array::from_fn(|axis| vector[axis] - overlap * first[axis])
    };
    let scale: f64 = columns[0].iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    let second_length = columns[1].iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    let second = (second_length > 1e-300 && second_length > 1e-15 * scale)
        .then(|| normalised(across(columns[1])))
        .flatten()
        .or_else(|| normalised(across(identity::<D>()[least])))
        .expect("an axis that is not along the first column has a part across it");
    frame[0] = first;
    frame[1] = second;
    for axis in 0..D {
        let (a, b) = ((axis + 1) % D, (axis + 2) % D);
        frame[D - 1][axis] = first[a] * second[b] - first[b] * second[a];
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_matrix::{product, transposed};
    use proptest::prelude::*;

    fn check<const D: usize>(f: Matrix<D>) {
        let svd = RotationSvd::new(&f);
        let scale = f.iter().flatten().fold(0.0_f64, |scale, entry| scale.max(entry.abs())).max(1e-300);
        for (a, b) in svd.recompose(&svd.singular_values).iter().flatten().zip(f.iter().flatten()) {
            assert!((a - b).abs() <= 4e-15 * scale, "{f:?} -> {svd:?}");
        }
        for rotation in [svd.u, svd.v] {
            assert!((determinant(&rotation) - 1.0).abs() < 1e-14, "{f:?} -> {svd:?}");
            let unit = product(&transposed(&rotation), &rotation);
            for (a, b) in unit.iter().flatten().zip(identity::<D>().iter().flatten()) {
                assert!((a - b).abs() < 1e-14, "{f:?} -> {svd:?}");
            }
        }
        for pair in svd.singular_values.windows(2) {
            assert!(pair[0] >= pair[1].abs() - 1e-15 * scale, "{svd:?}");
        }
    }

    #[test]
    fn degenerate_matrices_factor_into_rotations() {
        check([[0.0; 2]; 2]);
        check([[1.0, 2.0], [2.0, 4.0]]);
        check([[0.0; 3]; 3]);
        check([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [-1.0, -2.0, -3.0]]);
        check([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
        check([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]);
        check([[0.0, 0.0, 1e-9], [0.0, 1.0, 0.0], [1e9, 0.0, 0.0]]);
    }

    proptest! {
        #[test]
        fn every_2x2_matrix_is_recovered_from_its_factors(f in prop::array::uniform2(prop::array::uniform2(-3.0..3.0_f64))) {
            check(f);
        }

        #[test]
        fn every_3x3_matrix_is_recovered_from_its_factors(
            f in prop::array::uniform3(prop::array::uniform3(-3.0..3.0_f64)),
            exponents in prop::array::uniform3(-8..1_i32),
        ) {
            check(f);
            check::<3>(from_fn(|row, column| f[row][column] * 10.0_f64.powi(exponents[column])));
        }
    }
}
