//! Triangular solves with a supernodal factor L for some right-hand sides at once, whose numbers stand beside each other, row by row.
//!
//! A solve reads the factor twice and does little with each of its numbers. A supernode therefore gathers the rows that it touches, which are whole cache
//! lines here, works on them with dense products, and scatters them again.

use faer::linalg::matmul::matmul;
use faer::prelude::ReborrowMut;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::{Accum, MatMut, MatRef, Par};

/// Columns of a supernode whose triangle is solved number by number; what is below them is one product.
const COLUMNS: usize = 16;
/// Right-hand sides of a panel at most: from there on a solve takes as long a column however many there are.
const WIDEST: usize = 32;

/// Columns of L that have the same rows.
struct Supernode<'a> {
    first: usize,
    /// Rows below the triangle, ascending.
    below: &'a [usize],
    /// The triangle and the rows below it.
    columns: MatRef<'a, f64>,
}

impl<'a> Supernode<'a> {
    fn new(symbolic: &'a SymbolicSupernodalCholesky<usize>, factor: &'a [f64], index: usize) -> Self {
        let values = &factor[symbolic.col_ptr_for_val()[index]..symbolic.col_ptr_for_val()[index + 1]];
        let supernode = symbolic.supernode(index);
        let width = symbolic.supernode_end()[index] - supernode.start();
        let below = supernode.pattern();
        let columns = MatRef::from_column_major_slice(values, width + below.len(), width);
        Self { first: supernode.start(), below, columns }
    }

    /// Its rows of a panel, copied to the front of a buffer.
    fn gather<'b, const WIDTH: usize>(
        &self,
        panel: &[[f64; WIDTH]],
        buffer: &'b mut [[f64; WIDTH]],
    ) -> &'b mut [[f64; WIDTH]] {
        let rows = &mut buffer[..self.columns.nrows()];
        let (own, below) = rows.split_at_mut(self.columns.ncols());
        own.copy_from_slice(&panel[self.first..][..own.len()]);
        for (row, &place) in below.iter_mut().zip(self.below) {
            *row = panel[place];
        }
        rows
    }

    /// `L x = b` for its columns, and what they take from the rows below.
    fn forwards<const WIDTH: usize>(&self, panel: &mut [[f64; WIDTH]], buffer: &mut [[f64; WIDTH]]) {
        let rows = self.gather(panel, buffer);
        let (count, own) = self.columns.shape();
        let arch = pulp::Arch::new();
        for first in (0..own).step_by(COLUMNS) {
            let end = own.min(first + COLUMNS);
            let (done, rest) = rows[first..].split_at_mut(end - first);
            let columns = self.columns.subcols(first, end - first);
            arch.dispatch(|| solve_triangle(columns.subrows(first, end - first), done));
            matmul(
                MatMut::from_row_major_slice_mut(rest.as_flattened_mut(), count - end, WIDTH),
                Accum::Add,
                columns.subrows(end, count - end),
                MatRef::from_row_major_slice(done.as_flattened(), end - first, WIDTH),
                -1.0,
                Par::Seq,
            );
        }
        let (top, rest) = rows.split_at(own);
        panel[self.first..][..own].copy_from_slice(top);
        for (row, &place) in rest.iter().zip(self.below) {
            panel[place] = *row;
        }
    }

    /// `L^T x = b` for its columns, given x in the rows below.
    fn backwards<const WIDTH: usize>(&self, panel: &mut [[f64; WIDTH]], buffer: &mut [[f64; WIDTH]]) {
        let rows = self.gather(panel, buffer);
        let (count, own) = self.columns.shape();
        let arch = pulp::Arch::new();
        for first in (0..own).step_by(COLUMNS).rev() {
            let end = own.min(first + COLUMNS);
            let (open, known) = rows[first..].split_at_mut(end - first);
            let columns = self.columns.subcols(first, end - first);
            matmul(
                MatMut::from_row_major_slice_mut(open.as_flattened_mut(), end - first, WIDTH),
                Accum::Add,
                columns.subrows(end, count - end).transpose(),
                MatRef::from_row_major_slice(known.as_flattened(), count - end, WIDTH),
                -1.0,
                Par::Seq,
            );
            arch.dispatch(|| solve_transposed_triangle(columns.subrows(first, end - first), open));
        }
        panel[self.first..][..own].copy_from_slice(&rows[..own]);
    }
}

/// `L x = b`. Inlined into what is compiled for the vector units that are there.
#[inline(always)]
fn solve_triangle<const WIDTH: usize>(triangle: MatRef<'_, f64>, rows: &mut [[f64; WIDTH]]) {
    for place in 0..triangle.ncols() {
        let (done, rest) = rows.split_at_mut(place + 1);
        let row = &mut done[place];
        let inverse = 1.0 / triangle[(place, place)];
        row.iter_mut().for_each(|value| *value *= inverse);
        for (below, other) in rest.iter_mut().enumerate() {
            subtract(other, triangle[(place + 1 + below, place)], row);
        }
    }
}

/// `L^T x = b`.
#[inline(always)]
fn solve_transposed_triangle<const WIDTH: usize>(triangle: MatRef<'_, f64>, rows: &mut [[f64; WIDTH]]) {
    for place in (0..triangle.ncols()).rev() {
        let (before, done) = rows.split_at_mut(place + 1);
        let row = &mut before[place];
        for (below, other) in done.iter().enumerate() {
            subtract(row, triangle[(place + 1 + below, place)], other);
        }
        let inverse = 1.0 / triangle[(place, place)];
        row.iter_mut().for_each(|value| *value *= inverse);
    }
}

#[inline(always)]
fn subtract<const WIDTH: usize>(from: &mut [f64; WIDTH], factor: f64, row: &[f64; WIDTH]) {
    from.iter_mut().zip(row).for_each(|(value, other)| *value -= factor * other);
}

/// The memory of solves, kept from one to the next.
#[derive(Default)]
pub(crate) struct PanelSolver {
    panel: Vec<f64>,
    rows: Vec<f64>,
}

impl PanelSolver {
    /// Overwrites the columns of a matrix with `A^-1` times them; `P A P^T = L L^T`, and P takes row `order[i]` to place i. One thread.
    pub(crate) fn solve(
        &mut self,
        symbolic: &SymbolicSupernodalCholesky<usize>,
        order: &[usize],
        factor: &[f64],
        mut right_hand_sides: MatMut<'_, f64>,
    ) {
        let columns = right_hand_sides.ncols();
        for first in (0..columns).step_by(WIDEST) {
            let part = right_hand_sides.rb_mut().subcols_mut(first, WIDEST.min(columns - first));
            // A few widths that the compiler knows; a narrower panel is filled up with zeros.
            match part.ncols() {
                0 | 1 => self.solve_panel::<1>(symbolic, order, factor, part),
                2..=4 => self.solve_panel::<4>(symbolic, order, factor, part),
                5..=8 => self.solve_panel::<8>(symbolic, order, factor, part),
                9..=16 => self.solve_panel::<16>(symbolic, order, factor, part),
                _ => self.solve_panel::<WIDEST>(symbolic, order, factor, part),
            }
        }
    }

    fn solve_panel<const WIDTH: usize>(
        &mut self,
        symbolic: &SymbolicSupernodalCholesky<usize>,
        order: &[usize],
        factor: &[f64],
        mut part: MatMut<'_, f64>,
    ) {
        let count = symbolic.n_supernodes();
        let supernode = |index| Supernode::new(symbolic, factor, index);
        let most = (0..count).map(|index| supernode(index).columns.nrows()).max().unwrap_or(0);
        self.panel.resize(order.len() * WIDTH, 0.0);
        self.rows.resize(most * WIDTH, 0.0);
        let panel = self.panel.as_chunks_mut::<WIDTH>().0;
        let rows = self.rows.as_chunks_mut::<WIDTH>().0;
        for (row, &from) in panel.iter_mut().zip(order) {
            *row =
                std::array::from_fn(|column| if column < part.ncols() { part[(from, column)] } else { 0.0 });
        }
        for index in 0..count {
            supernode(index).forwards(panel, rows);
        }
        for index in (0..count).rev() {
            supernode(index).backwards(panel, rows);
        }
        for (row, &to) in panel.iter().zip(order) {
            for (column, &value) in row[..part.ncols()].iter().enumerate() {
                part[(to, column)] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use crate::test_meshes::{random_cells, random_vector, shuffled_lattice};
    use crate::{Ordering, SparseCholesky, SymmetricMatrix, SymmetricPattern};

    #[test]
    fn panels_of_any_width_solve_every_column() {
        let mesh = shuffled_lattice::<3>(9, 1);
        let (cells, _) = random_cells(&mesh, 3, 1);
        let mut matrix = SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, 3).into(), cells);
        matrix.add_to_diagonal(&vec![1.0; matrix.dof_count()]);
        let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::NestedDissection).unwrap();
        cholesky.factorize(&matrix).unwrap();
        for width in [0, 1, 3, 8, 32, 33, 70] {
            let right: Vec<Vec<f64>> =
                (0..width).map(|column| random_vector(matrix.dof_count(), column as u64)).collect();
            let mut solutions = Mat::from_fn(matrix.dof_count(), width, |row, column| right[column][row]);
            cholesky.solve_many_in_place(solutions.as_mut());
            for (column, right) in right.iter().enumerate() {
                let solution: Vec<f64> = solutions.col(column).iter().copied().collect();
                assert!(matrix.relative_residual(&solution, right) < 1e-11, "{column} of {width}");
            }
        }
    }
}
