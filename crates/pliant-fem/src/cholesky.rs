//! Sparse Cholesky factorisation `P A P^T = L L^T`, analysed once for a pattern and refilled for each matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, SymbolicCholeskyRaw};
use faer::{Conj, MatMut, Par, Side};

use crate::supernodal_solve::PanelSolver;
use crate::symbolic_analysis::{analyse, symbolic_view};
use crate::{FemError, Ordering, SymmetricMatrix, SymmetricPattern};

/// A factorisation to keep: ordering and symbolic analysis are done once, each matrix of the pattern reuses them and the memory.
///
/// One thread: in 3D a second one pays from about 50,000 rows, where iterations are faster already, and two that share a busy core
/// take twice as long as one alone. Independent factorisations belong side by side.
pub struct SparseCholesky {
    components: usize,
    nonzeros: usize,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    state: State,
    factor_memory: MemBuffer,
    panel_solver: PanelSolver,
    simplicial_memory: MemBuffer,
    simplicial_columns: usize,
}

/// Whether `factor` holds a factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Analysed,
    Factorized,
}

impl SparseCholesky {
    /// Orders and analyses a pattern. Costs up to a factorisation where that takes less than a second, a tenth where it takes ten.
    ///
    /// # Errors
    /// If the factor does not fit into memory.
    pub fn new(pattern: &SymmetricPattern, ordering: Ordering) -> Result<Self, FemError> {
        let dofs = pattern.dof_count();
        let failed = |reason: String| FemError::FactorisationFailed { dofs, reason };
        log::debug!("ordering {dofs} unknowns");
        let symbolic = analyse(pattern, ordering)?;
        let mut factor = Vec::new();
        factor.try_reserve_exact(symbolic.len_val()).map_err(|error| failed(error.to_string()))?;
        factor.resize(symbolic.len_val(), 0.0);
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let factor_memory = MemBuffer::try_new(scratch).map_err(|_| failed("out of memory".to_owned()))?;
        Ok(Self {
            components: pattern.components(),
            nonzeros: pattern.nonzeros(),
            symbolic,
            factor,
            state: State::Analysed,
            factor_memory,
            panel_solver: PanelSolver::default(),
            simplicial_memory: MemBuffer::new(faer::dyn_stack::StackReq::EMPTY),
            simplicial_columns: 0,
        })
    }

    /// Rows of the matrix.
    pub fn dof_count(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Numbers stored in the factor, its fill.
    pub fn factor_nonzeros(&self) -> usize {
        self.factor.len()
    }

    /// Replaces the factor by that of this matrix, in the memory that is there.
    ///
    /// A singular matrix may pass by round-off: check [`SymmetricMatrix::relative_residual`] or
    /// [`SparseCholesky::smallest_pivot`] where that can happen.
    ///
    /// # Errors
    /// If the matrix is not positive definite (or not finite), or has another pattern. There is no factor then.
    pub fn factorize(&mut self, matrix: &SymmetricMatrix) -> Result<(), FemError> {
        let pattern = matrix.pattern();
        if (self.dof_count(), self.components, self.nonzeros)
            != (pattern.dof_count(), pattern.components(), pattern.nonzeros())
        {
            return Err(FemError::PatternMismatch {
                expected_dofs: self.dof_count(),
                expected_nonzeros: self.nonzeros,
                dofs: pattern.dof_count(),
                nonzeros: pattern.nonzeros(),
            });
        }
        self.state = State::Analysed;
        if let Some(dof) = matrix.diagonal().iter().position(|entry| !entry.is_finite()) {
            return Err(self.bad_pivot(dof));
        }
        // Nothing is heard of it until it is done.
        log::debug!("factorising {} unknowns", self.dof_count());
        let result = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            SparseColMatRef::new(symbolic_view(pattern), matrix.values()),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        match result.map(|_| ()) {
            Ok(()) => {
                self.state = State::Factorized;
                Ok(())
            }
            Err(LltError::NonPositivePivot { index }) => Err(self.not_positive(index)),
        }
    }

    /// The error for a pivot; faer counts it from 1 in its simplicial and from 0 in its supernodal factorisation.
    fn not_positive(&self, index: usize) -> FemError {
        let place = match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(_) => index - 1,
            SymbolicCholeskyRaw::Supernodal(_) => index,
        };
        self.bad_pivot(self.original_row(place))
    }

    fn bad_pivot(&self, dof: usize) -> FemError {
        FemError::NotPositiveDefinite { dof, vertex: dof / self.components, component: dof % self.components }
    }

    fn original_row(&self, permuted: usize) -> usize {
        self.symbolic.perm().map_or(permuted, |permutation| permutation.arrays().0[permuted])
    }

    /// Overwrites a right-hand side with `A^-1` times it. One thread; the memory is kept from one solve to the next.
    ///
    /// # Panics
    /// If there is no factor or the length is not the number of rows.
    pub fn solve_in_place(&mut self, right_hand_side: &mut [f64]) {
        let rows = right_hand_side.len();
        self.solve_many_in_place(MatMut::from_column_major_slice_mut(right_hand_side, rows, 1));
    }

    /// Overwrites the columns of a matrix with `A^-1` times them: several columns at once cost a fraction of single
    /// solves (in a large factor 8 columns take 1.2 times as long as one, 32 take 2.8 times). One thread; keeps memory for at most 32 columns.
    ///
    /// # Panics
    /// If there is no factor or the row count is not the number of rows.
    pub fn solve_many_in_place(&mut self, right_hand_sides: MatMut<'_, f64>) {
        assert!(
            self.state == State::Factorized,
            "factorise a positive definite matrix before solving with it"
        );
        assert_eq!(
            right_hand_sides.nrows(),
            self.dof_count(),
            "a right-hand side needs one entry for each row"
        );
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(_) => {
                self.reserve_columns(right_hand_sides.ncols());
                LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
                    Conj::No,
                    right_hand_sides,
                    Par::Seq,
                    MemStack::new(&mut self.simplicial_memory),
                );
            }
            SymbolicCholeskyRaw::Supernodal(symbolic) => {
                let order = self.symbolic.perm().expect("an order was given").arrays().0;
                self.panel_solver.solve(symbolic, order, &self.factor, right_hand_sides);
            }
        }
    }

    fn reserve_columns(&mut self, columns: usize) {
        if columns > self.simplicial_columns {
            self.simplicial_memory =
                MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq));
            self.simplicial_columns = columns;
        }
    }

    /// The row whose pivot `L_ii^2` is smallest next to its diagonal entry, and that ratio, between 0 and 1. Below about 1e-13 the
    /// matrix is singular to working precision and the row moves freely. O(rows).
    ///
    /// # Panics
    /// If there is no factor or the matrix is not of its pattern.
    pub fn smallest_pivot(&self, matrix: &SymmetricMatrix) -> (usize, f64) {
        assert!(
            self.state == State::Factorized,
            "factorise a positive definite matrix before asking for pivots"
        );
        assert_eq!(matrix.dof_count(), self.dof_count(), "the matrix is not the factorised one");
        let diagonal = matrix.diagonal();
        let pivots = self.factor_diagonal();
        let ratios = pivots.iter().enumerate().map(|(place, pivot)| {
            let row = self.original_row(place);
            (row, pivot * pivot / diagonal[row])
        });
        ratios.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).expect("a mesh has vertices")
    }

    /// `L_ii` in the permuted order.
    fn factor_diagonal(&self) -> Vec<f64> {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(symbolic) => {
                symbolic.col_ptr()[..self.dof_count()].iter().map(|&start| self.factor[start]).collect()
            }
            SymbolicCholeskyRaw::Supernodal(symbolic) => {
                let mut diagonal = Vec::with_capacity(self.dof_count());
                for supernode in 0..symbolic.n_supernodes() {
                    let (begin, end) =
                        (symbolic.supernode_begin()[supernode], symbolic.supernode_end()[supernode]);
                    let (first, next) =
                        (symbolic.col_ptr_for_val()[supernode], symbolic.col_ptr_for_val()[supernode + 1]);
                    let rows = (next - first) / (end - begin);
                    diagonal.extend((0..end - begin).map(|column| self.factor[first + column * (rows + 1)]));
                }
                diagonal
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::{in_pools, random_cells, random_vector, shuffled_lattice};
    use faer::prelude::*;

    const ORDERINGS: [Ordering; 3] = [Ordering::Auto, Ordering::MinimumDegree, Ordering::NestedDissection];

    fn random_matrix<const D: usize>(side: usize, seed: u64) -> SymmetricMatrix {
        let mesh = shuffled_lattice::<D>(side, seed);
        let (cells, _) = random_cells(&mesh, D, seed);
        let mut matrix = SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, D).into(), cells);
        matrix.add_to_diagonal(&vec![1.0; matrix.dof_count()]);
        matrix
    }

    fn assert_solves_agree_with_dense(matrix: &SymmetricMatrix) {
        let dofs = matrix.dof_count();
        let dense = matrix.to_dense().llt(Side::Lower).unwrap();
        let right = Mat::from_fn(dofs, 3, |i, j| ((i * 7 + j * 3) % 11) as f64 - 5.0);
        let expected = dense.solve(&right);
        for ordering in ORDERINGS {
            let mut cholesky = SparseCholesky::new(matrix.pattern(), ordering).unwrap();
            cholesky.factorize(matrix).unwrap();
            let mut many = right.clone();
            cholesky.solve_many_in_place(many.as_mut());
            assert!((&many - &expected).norm_max() < 1e-10 * expected.norm_max(), "{ordering:?}");
            let b: Vec<f64> = right.col(1).iter().copied().collect();
            let mut x = b.clone();
            cholesky.solve_in_place(&mut x);
            assert!(matrix.relative_residual(&x, &b) < 1e-11, "{ordering:?}");
        }
    }

    #[test]
    fn solves_agree_with_a_dense_factorisation_in_2d_and_3d() {
        for seed in 0..3 {
            assert_solves_agree_with_dense(&random_matrix::<2>(1 + 4 * seed as usize, seed));
            assert_solves_agree_with_dense(&random_matrix::<3>(1 + 2 * seed as usize, seed));
        }
    }

    #[test]
    fn a_second_matrix_of_the_pattern_replaces_the_first() {
        let mut matrix = random_matrix::<2>(6, 4);
        let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto).unwrap();
        cholesky.factorize(&matrix).unwrap();
        matrix.values_mut().iter_mut().for_each(|value| *value *= 4.0);
        cholesky.factorize(&matrix).unwrap();
        let b = random_vector(matrix.dof_count(), 5);
        let mut x = b.clone();
        cholesky.solve_in_place(&mut x);
        assert!(matrix.relative_residual(&x, &b) < 1e-12);
    }

    fn assert_bad_pivot_is_named<const D: usize>(side: usize, bad: f64) {
        let mut matrix = random_matrix::<D>(side, 6);
        let all = vec![true; matrix.dof_count()];
        matrix.eliminate(&all, 2.0);
        for ordering in ORDERINGS {
            let mut cholesky = SparseCholesky::new(matrix.pattern(), ordering).unwrap();
            for dof in [0, 5, matrix.dof_count() - 1] {
                let mut broken = matrix.clone();
                let place = broken.pattern().column_offsets()[dof];
                broken.values_mut()[place] = bad;
                let expected = FemError::NotPositiveDefinite { dof, vertex: dof / D, component: dof % D };
                assert_eq!(cholesky.factorize(&broken), Err(expected), "{ordering:?}");
            }
        }
    }

    #[test]
    fn a_pivot_that_is_negative_zero_or_not_finite_is_an_error_that_names_its_row() {
        for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
            assert_bad_pivot_is_named::<2>(3, bad);
            assert_bad_pivot_is_named::<3>(9, bad);
        }
    }

    #[test]
    fn a_matrix_of_another_pattern_is_an_error() {
        let matrix = random_matrix::<2>(3, 7);
        let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto).unwrap();
        let error = cholesky.factorize(&random_matrix::<2>(4, 7)).unwrap_err();
        assert!(matches!(error, FemError::PatternMismatch { .. }), "{error}");
    }

    #[test]
    fn a_body_that_nothing_holds_has_a_vanishing_pivot_and_a_pinned_one_does_not() {
        // The Laplacian of a free body is singular: its last pivot is round-off, whichever way it is factorised.
        for side in [4, 40] {
            let mesh = shuffled_lattice::<2>(side, 8);
            let mut matrix =
                crate::laplacian(&mesh, &crate::ShapeGradients::new(&mesh), &vec![1.0; mesh.cell_count()]);
            let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto).unwrap();
            let pinned: Vec<bool> = (0..mesh.vertex_count()).map(|vertex| vertex == 3).collect();
            if cholesky.factorize(&matrix).is_ok() {
                assert!(cholesky.smallest_pivot(&matrix).1 < 1e-12);
            }
            matrix.eliminate(&pinned, 1.0);
            cholesky.factorize(&matrix).unwrap();
            let (_, ratio) = cholesky.smallest_pivot(&matrix);
            assert!(ratio > 1e-4 && ratio <= 1.0, "{ratio}");
        }
    }

    #[test]
    fn the_pivots_are_those_of_the_factorisation_whatever_its_kind() {
        // A block diagonal of 2 x 2 blocks [[1, c], [c, 1]]: its second pivot, 1 - c^2, is smallest where c is largest.
        for (side, vertex) in [(3, 7), (60, 1234)] {
            let mesh = shuffled_lattice::<2>(side, 9);
            let mut matrix = SymmetricMatrix::zeros(SymmetricPattern::new(&mesh, 2).into());
            matrix.add_to_diagonal(&vec![1.0; matrix.dof_count()]);
            let pattern = matrix.pattern().clone();
            matrix.values_mut()[pattern.entry(vertex, 0, 1, 0)] = 0.9;
            let mut cholesky = SparseCholesky::new(&pattern, Ordering::Auto).unwrap();
            cholesky.factorize(&matrix).unwrap();
            let supernodal = matches!(cholesky.symbolic.raw(), SymbolicCholeskyRaw::Supernodal(_));
            assert_eq!(supernodal, side > 10);
            let (row, ratio) = cholesky.smallest_pivot(&matrix);
            assert_eq!(row / 2, vertex);
            assert!((ratio - 0.19).abs() < 1e-14, "{ratio}");
        }
    }

    #[test]
    fn factor_and_solves_have_the_same_bits_for_any_number_of_threads() {
        let matrix = random_matrix::<3>(9, 9);
        let b = random_vector(matrix.dof_count(), 10);
        let solve = || {
            let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto).unwrap();
            cholesky.factorize(&matrix).unwrap();
            let mut x = b.clone();
            cholesky.solve_in_place(&mut x);
            (cholesky.factor, x)
        };
        let [one, two, five] = in_pools(solve);
        assert!(one == two && one == five);
    }
}
