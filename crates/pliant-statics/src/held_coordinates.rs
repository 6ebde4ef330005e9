//! Reduced coordinates that keep hard-held vertices where they belong: `z - z_0 = p + N y`.
//!
//! `C = S[held]` must satisfy `C (z - z_0) = target - u_0`. A column-pivoted QR `C P = Q [R_1 R_2]` gives the particular solution `p` and the
//! null space `N = P [-R_1^-1 R_2; I]`.

use faer::Mat;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::householder::{
    apply_block_householder_sequence_transpose_on_the_left_in_place_scratch as apply_scratch,
    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj as apply_transpose,
};
use faer::linalg::matmul::matmul;
use faer::linalg::qr::col_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Accum, Conj, Par};

use crate::StaticsError;
use crate::reduced_columns::ReducedColumns;

/// A direction of the coordinates counts as keeping the held vertices when it moves them less than this fraction of the most.
const NULL_TOLERANCE: f64 = 1e-10;
/// Targets may be missed by this fraction of the largest prescribed displacement, or of a thousandth of the body where that is larger.
const REACH_TOLERANCE: f64 = 1e-9;

/// The coordinates that hard holds leave free.
#[derive(Clone, Debug)]
pub(crate) struct HeldCoordinates<const D: usize> {
    /// p, for each column D entries.
    particular: Vec<f64>,
    /// N, columns x free; `None` where nothing is held hard.
    null_space: Option<Mat<f64>>,
    /// The columns where the rows of N are the identity, in the order of its columns.
    free_columns: Vec<usize>,
}

impl<const D: usize> HeldCoordinates<D> {
    /// `offset` is u_0, `held` gives the prescribed displacements, `diagonal` is that of the body's bounding box in m.
    pub(crate) fn new(
        columns: &ReducedColumns,
        offset: &[f64],
        held: impl Iterator<Item = (usize, [f64; D])>,
        diagonal: f64,
    ) -> Result<Self, StaticsError> {
        let mut held: Vec<(usize, [f64; D])> = held.collect();
        held.sort_by_key(|(vertex, _)| *vertex);
        held.dedup_by_key(|(vertex, _)| *vertex);
        let count = columns.column_count();
        if held.is_empty() {
            return Ok(Self { particular: vec![0.0; count * D], null_space: None, free_columns: Vec::new() });
        }
        let constraint = Mat::from_fn(held.len(), count, |row, column| {
            let (entries, values) = columns.row(held[row].0);
            entries.binary_search(&column).map_or(0.0, |entry| values[entry])
        });
        let wanted =
            Mat::from_fn(held.len(), D, |row, axis| held[row].1[axis] - offset[held[row].0 * D + axis]);
        let (particular, null_space, free_columns) = solve_constraint(&constraint, &wanted);
        if null_space.ncols() == 0 {
            return Err(StaticsError::CannotHold { dofs: count * D, held: held.len() });
        }
        let distance = (&constraint * &particular - &wanted).norm_max();
        let targets = held.iter().flat_map(|(_, target)| target);
        let largest = targets.fold(1e-3 * diagonal, |most: f64, u| most.max(u.abs()));
        if distance > REACH_TOLERANCE * largest {
            return Err(StaticsError::CannotReach { distance });
        }
        let particular = (0..count * D).map(|dof| particular[(dof / D, dof % D)]).collect();
        Ok(Self { particular, null_space: Some(null_space), free_columns })
    }

    /// Entries of y.
    fn unknowns(&self) -> usize {
        self.null_space.as_ref().map_or(self.particular.len(), |null_space| null_space.ncols() * D)
    }

    /// p, stacked by columns.
    pub(crate) fn particular(&self) -> &[f64] {
        &self.particular
    }

    /// `p + N y`, y the coordinates of the free columns (where p is zero): these stay, the others follow.
    pub(crate) fn satisfy(&self, coordinates: Vec<f64>) -> Vec<f64> {
        if self.null_space.is_none() {
            return coordinates;
        }
        let free: Vec<f64> = self
            .free_columns
            .iter()
            .flat_map(|column| &coordinates[column * D..(column + 1) * D])
            .copied()
            .collect();
        let moved = self.expand(&free);
        self.particular.iter().zip(moved).map(|(particular, moved)| particular + moved).collect()
    }

    /// `N y`.
    pub(crate) fn expand(&self, unknowns: &[f64]) -> Vec<f64> {
        let Some(null_space) = &self.null_space else { return unknowns.to_vec() };
        let entry = |dof: usize| -> f64 {
            let (column, axis) = (dof / D, dof % D);
            (0..null_space.ncols()).map(|free| null_space[(column, free)] * unknowns[free * D + axis]).sum()
        };
        (0..self.particular.len()).map(entry).collect()
    }

    /// `N^T g`.
    pub(crate) fn restrict(&self, gradient: Vec<f64>) -> Vec<f64> {
        let Some(null_space) = &self.null_space else { return gradient };
        let entry = |dof: usize| -> f64 {
            let (free, axis) = (dof / D, dof % D);
            (0..null_space.nrows())
                .map(|column| null_space[(column, free)] * gradient[column * D + axis])
                .sum()
        };
        (0..self.unknowns()).map(entry).collect()
    }

    /// `N^T H N` for H of D rows for each column.
    pub(crate) fn restrict_hessian(&self, hessian: Mat<f64>) -> Mat<f64> {
        let Some(null_space) = &self.null_space else { return hessian };
        let spread = Mat::from_fn(self.particular.len(), self.unknowns(), |row, column| {
            if row % D == column % D { null_space[(row / D, column / D)] } else { 0.0 }
        });
        congruent(&spread, &hessian)
    }

    /// `N^T L N` for L of one row for each column.
    pub(crate) fn restrict_scalar(&self, laplacian: Mat<f64>) -> Mat<f64> {
        match &self.null_space {
            Some(null_space) => congruent(null_space, &laplacian),
            None => laplacian,
        }
    }
}

/// `N^T A N`.
fn congruent(spread: &Mat<f64>, matrix: &Mat<f64>) -> Mat<f64> {
    let mut pushed = Mat::zeros(matrix.nrows(), spread.ncols());
    matmul(pushed.as_mut(), Accum::Replace, matrix.as_ref(), spread.as_ref(), 1.0, Par::Seq);
    let mut restricted = Mat::zeros(spread.ncols(), spread.ncols());
    matmul(restricted.as_mut(), Accum::Replace, spread.transpose(), pushed.as_ref(), 1.0, Par::Seq);
    restricted
}

/// A least-squares solution of `C p = wanted`, a basis N of the null space of C, and the columns (entries of p, which are zero there)
/// where N is the identity.
fn solve_constraint(constraint: &Mat<f64>, wanted: &Mat<f64>) -> (Mat<f64>, Mat<f64>, Vec<usize>) {
    let (rows, columns) = (constraint.nrows(), constraint.ncols());
    let size = rows.min(columns);
    let block = recommended_block_size::<f64>(rows, columns);
    let mut packed = constraint.clone();
    let mut coefficients = Mat::zeros(block, size);
    let (mut order, mut inverse) = (vec![0_usize; columns], vec![0_usize; columns]);
    let scratch = qr_in_place_scratch::<usize, f64>(rows, columns, block, Par::Seq, Default::default())
        .or(apply_scratch::<f64>(rows, block, wanted.ncols()));
    let mut memory = MemBuffer::new(scratch);
    qr_in_place(
        packed.as_mut(),
        coefficients.as_mut(),
        &mut order,
        &mut inverse,
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    let largest = packed[(0, 0)].abs();
    let rank = (0..size).take_while(|&row| packed[(row, row)].abs() > NULL_TOLERANCE * largest).count();
    let mut rotated = wanted.clone();
    apply_transpose(
        packed.as_ref().get(.., ..size),
        coefficients.as_ref(),
        Conj::No,
        rotated.as_mut(),
        Par::Seq,
        MemStack::new(&mut memory),
    );
    let triangle = packed.get(..rank, ..rank);
    let mut leading = rotated.get(..rank, ..).to_owned();
    solve_upper_triangular_in_place(triangle, leading.as_mut(), Par::Seq);
    let mut trailing = packed.get(..rank, rank..).to_owned();
    solve_upper_triangular_in_place(triangle, trailing.as_mut(), Par::Seq);
    let mut particular = Mat::zeros(columns, wanted.ncols());
    let mut null_space = Mat::zeros(columns, columns - rank);
    for (place, &column) in order.iter().enumerate() {
        if place < rank {
            (0..wanted.ncols()).for_each(|axis| particular[(column, axis)] = leading[(place, axis)]);
            (0..columns - rank).for_each(|free| null_space[(column, free)] = -trailing[(place, free)]);
        } else {
            null_space[(column, place - rank)] = 1.0;
        }
    }
    (particular, null_space, order.split_off(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_null_space_moves_nothing_and_the_particular_solution_reaches_the_target() {
        let base = Mat::from_fn(2, 5, |row, column| ((row + 1) as f64 * (column as f64 + 0.5)).sin());
        let constraint = Mat::from_fn(4, 5, |row, column| base[(row % 2, column)] * (1 + row) as f64);
        let target = Mat::from_fn(5, 2, |row, axis| (row * 2 + axis) as f64);
        let wanted = &constraint * &target;
        let (particular, null_space, free_columns) = solve_constraint(&constraint, &wanted);
        assert_eq!(null_space.ncols(), 3);
        assert!((&constraint * &null_space).norm_max() < 1e-13);
        for (free, &column) in free_columns.iter().enumerate() {
            assert_eq!((null_space[(column, free)], particular[(column, 0)]), (1.0, 0.0));
        }
        assert!((&constraint * &particular - &wanted).norm_max() < 1e-12);
    }
}
