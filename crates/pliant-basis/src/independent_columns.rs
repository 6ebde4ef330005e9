//! Which columns of a matrix are independent: column-pivoted QR of its equilibrated triangle.
//!
//! Columns are scaled to unit length, so that the choice does not depend on the unit of length or on how much mass a frame
//! carries. A column is dependent when less than [`RANK_TOLERANCE`] of its length is left beside the columns kept before it.

use crate::tall_qr::HouseholderQr;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::qr::col_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::{Mat, MatRef, Par};

/// The fraction of its length below which what is left of a column is round-off. On sparse meshless frames in 3D (36 to 50,
/// wherever the origin is) at least 2e-5 is left of the columns kept and at most 1e-13 of the others.
pub(crate) const RANK_TOLERANCE: f64 = 1e-10;

/// The independent columns of `R` in ascending order; a column of zeros never is one. O(c^3).
///
/// As many as possible are taken from those that `preferred` names before any other.
pub(crate) fn independent_columns(
    triangle: MatRef<'_, f64>,
    preferred: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let (first, second): (Vec<usize>, Vec<usize>) =
        (0..triangle.ncols()).partition(|&column| preferred(column));
    let unit_columns = |columns: &[usize]| {
        let norms: Vec<f64> = columns.iter().map(|&column| triangle.col(column).norm_l2()).collect();
        Mat::from_fn(triangle.nrows(), columns.len(), |row, index| {
            if norms[index] > 0.0 { triangle[(row, columns[index])] / norms[index] } else { 0.0 }
        })
    };
    let mut kept: Vec<usize> =
        leading_pivots(unit_columns(&first)).into_iter().map(|index| first[index]).collect();
    let beside = HouseholderQr::new(unit_columns(&kept)).complement(unit_columns(&second));
    kept.extend(leading_pivots(beside).into_iter().map(|index| second[index]));
    kept.sort_unstable();
    kept
}

/// The columns that a pivoted QR takes before what is left of every other falls below the tolerance.
fn leading_pivots(mut matrix: Mat<f64>) -> Vec<usize> {
    let (rows, columns) = (matrix.nrows(), matrix.ncols());
    let size = rows.min(columns);
    if size == 0 {
        return Vec::new();
    }
    let block = recommended_block_size::<f64>(rows, columns);
    let mut coefficients = Mat::zeros(block, size);
    let (mut order, mut inverse) = (vec![0_usize; columns], vec![0_usize; columns]);
    let scratch = qr_in_place_scratch::<usize, f64>(rows, columns, block, Par::Seq, Default::default());
    qr_in_place(
        matrix.as_mut(),
        coefficients.as_mut(),
        &mut order,
        &mut inverse,
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    let rank = (0..size).take_while(|&row| matrix[(row, row)].abs() > RANK_TOLERANCE).count();
    order.truncate(rank);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_column_and_a_column_of_zeros_are_dropped_at_any_scale() {
        let column = |index: usize, row: usize| (((index + 1) * (row + 2)) as f64).cos();
        for scale in [1e-12, 1.0, 1e12] {
            let matrix = Mat::from_fn(8, 6, |row, index| match index {
                2 => 0.0,
                4 => scale * (column(0, row) - 2.0 * column(3, row)),
                1 => scale * column(1, row),
                _ => column(index, row),
            });
            let kept = independent_columns(matrix.as_ref(), |_| false);
            assert_eq!(kept.len(), 4);
            assert!(kept.contains(&1) && !kept.contains(&2), "{kept:?}");
            assert!(kept.is_sorted());
        }
    }

    #[test]
    fn preferred_columns_are_kept_where_others_could_stand_for_them() {
        let column = |index: usize, row: usize| (((index + 1) * (row + 2)) as f64).cos();
        let matrix = Mat::from_fn(6, 4, |row, index| match index {
            3 => 1e-3 * (column(0, row) + column(1, row)),
            _ => column(index, row),
        });
        for preferred in 0..4 {
            let kept = independent_columns(matrix.as_ref(), |column| column == preferred);
            assert_eq!(kept.len(), 3);
            assert!(kept.contains(&preferred), "{preferred}: {kept:?}");
        }
        assert_eq!(independent_columns(matrix.as_ref(), |column| column > 1 || column == 0), [0, 2, 3]);
    }

    #[test]
    fn more_columns_than_rows_keep_at_most_the_rows() {
        let matrix = Mat::from_fn(3, 7, |row, column| (((row + 1) * (column + 1)) as f64).sin());
        assert_eq!(independent_columns(matrix.as_ref(), |_| true).len(), 3);
        assert_eq!(independent_columns(matrix.as_ref(), |column| column < 3).len(), 3);
        assert!(independent_columns(Mat::<f64>::zeros(4, 3).as_ref(), |_| true).is_empty());
    }
}
