//! D x D matrices of one cell: `matrix[row][column]`.

/// A D x D matrix, row by row.
pub type Matrix<const D: usize> = [[f64; D]; D];

/// The identity.
pub fn identity<const D: usize>() -> Matrix<D> {
    from_fn(|row, column| if row == column { 1.0 } else { 0.0 })
}

/// A matrix from its entries.
pub fn from_fn<const D: usize>(entry: impl Fn(usize, usize) -> f64) -> Matrix<D> {
    std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)))
}

/// `a + scale * b`.
pub fn add_scaled<const D: usize>(a: &Matrix<D>, scale: f64, b: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| a[row][column] + scale * b[row][column])
}

/// `scale * a`.
pub fn scaled<const D: usize>(scale: f64, a: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| scale * a[row][column])
}

/// `a b`.
pub fn product<const D: usize>(a: &Matrix<D>, b: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| (0..D).map(|inner| a[row][inner] * b[inner][column]).sum())
}

/// The transpose.
pub fn transposed<const D: usize>(a: &Matrix<D>) -> Matrix<D> {
    from_fn(|row, column| a[column][row])
}

/// Sum of the diagonal.
pub fn trace<const D: usize>(a: &Matrix<D>) -> f64 {
    (0..D).map(|axis| a[axis][axis]).sum()
}

/// `a : b`, the sum of the products of the entries.
pub fn inner_product<const D: usize>(a: &Matrix<D>, b: &Matrix<D>) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
}

/// The matrix times a vector.
pub fn apply<const D: usize>(a: &Matrix<D>, x: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|row| (0..D).map(|column| a[row][column] * x[column]).sum())
}

/// The determinant.
pub fn determinant<const D: usize>(a: &Matrix<D>) -> f64 {
    match D {
        2 => a[0][0] * a[1][1] - a[0][1] * a[1][0],
        _ => {
            let cofactor = cofactor(a);
            (0..D).map(|column| a[0][column] * cofactor[0][column]).sum()
        }
    }
}

/// The derivative of the determinant with respect to the matrix.
pub fn cofactor<const D: usize>(a: &Matrix<D>) -> Matrix<D> {
    match D {
        2 => from_fn(|row, column| {
            let sign = if row == column { 1.0 } else { -1.0 };
            sign * a[1 - row][1 - column]
        }),
        _ => from_fn(|row, column| {
            let (r1, r2) = ((row + 1) % 3, (row + 2) % 3);
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
            a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]
        }),
    }
}

/// `det(I + h) - 1 - tr h`, without cancellation when `h` is small.
pub fn determinant_excess<const D: usize>(h: &Matrix<D>) -> f64 {
    match D {
        2 => determinant(h),
        _ => {
            let second = cofactor(h);
            trace(&second) + determinant(h)
        }
    }
}

/// `cof(I + h) - I`, without cancellation when `h` is small.
pub fn cofactor_excess<const D: usize>(h: &Matrix<D>) -> Matrix<D> {
    let second = cofactor(h);
    match D {
        2 => second,
        _ => {
            let trace = trace(h);
            from_fn(|row, column| {
                let diagonal = if row == column { trace } else { 0.0 };
                diagonal - h[column][row] + second[row][column]
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const D: usize>(h: Matrix<D>) {
        let f = add_scaled(&identity(), 1.0, &h);
        let excess = determinant(&f) - 1.0 - trace(&h);
        assert!((determinant_excess(&h) - excess).abs() < 1e-14);
        let expected = add_scaled(&cofactor(&f), -1.0, &identity());
        for (a, b) in cofactor_excess(&h).iter().flatten().zip(expected.iter().flatten()) {
            assert!((a - b).abs() < 1e-14);
        }
        let inverse_transposed = scaled(1.0 / determinant(&f), &cofactor(&f));
        for (a, b) in product(&transposed(&inverse_transposed), &f)
            .iter()
            .flatten()
            .zip(identity::<D>().iter().flatten())
        {
            assert!((a - b).abs() < 1e-13);
        }
    }

    #[test]
    fn excesses_agree_with_the_plain_formulas() {
        check([[0.3, -0.2], [0.7, 0.1]]);
        check([[0.3, -0.2, 0.5], [0.7, 0.1, -0.4], [0.2, 0.6, -0.3]]);
    }
}
