//! The operator `C = M^1/2 (K + sigma M)^-1 M^1/2`: its largest eigenvalues `theta = 1 / (lambda + sigma)` are the smallest of `(K, M)`.

use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Mat, MatMut};
use pliant_fem::{FemError, Ordering, SparseCholesky, SymmetricMatrix};

use super::shift::{first_shift, shifted};

/// K, the lumped M, and a kept factorisation of `K + sigma M`.
pub(crate) struct ShiftInvert<'a> {
    stiffness: &'a SymmetricMatrix,
    mass: &'a [f64],
    root_mass: Vec<f64>,
    shift: f64,
    cholesky: SparseCholesky,
    solved_columns: usize,
}

impl<'a> ShiftInvert<'a> {
    /// Factors with the first guess of the shift.
    pub(crate) fn new(stiffness: &'a SymmetricMatrix, mass: &'a [f64]) -> Result<Self, FemError> {
        let shift = first_shift(stiffness, mass);
        let mut operator = Self {
            stiffness,
            mass,
            root_mass: mass.iter().map(|mass| mass.sqrt()).collect(),
            shift,
            cholesky: SparseCholesky::new(stiffness.pattern(), Ordering::Auto)?,
            solved_columns: 0,
        };
        operator.set_shift(shift)?;
        Ok(operator)
    }

    /// Factors again with another shift.
    pub(crate) fn set_shift(&mut self, shift: f64) -> Result<(), FemError> {
        self.shift = shift;
        self.cholesky.factorize(&shifted(self.stiffness, self.mass, shift))
    }

    /// sigma, in the unit of the eigenvalues.
    pub(crate) fn shift(&self) -> f64 {
        self.shift
    }

    /// Rows of the matrices.
    pub(crate) fn dof_count(&self) -> usize {
        self.mass.len()
    }

    /// How many columns [`ShiftInvert::apply`] has solved for.
    pub(crate) fn solved_columns(&self) -> usize {
        self.solved_columns
    }

    /// Overwrites the columns of a block with C times them.
    pub(crate) fn apply(&mut self, mut block: MatMut<'_, f64>) {
        self.solved_columns += block.ncols();
        self.scale_rows(block.rb_mut(), |root| root);
        self.cholesky.solve_many_in_place(block.rb_mut());
        self.scale_rows(block, |root| root);
    }

    /// As [`ShiftInvert::apply`], with one step of iterative refinement: stiff parts then keep their residual at round-off.
    pub(crate) fn apply_refined(&mut self, mut block: MatMut<'_, f64>) {
        self.solved_columns += 2 * block.ncols();
        self.scale_rows(block.rb_mut(), |root| root);
        let mut residual = block.to_owned();
        self.cholesky.solve_many_in_place(block.rb_mut());
        let mut product = vec![0.0; self.dof_count()];
        for (solution, residual) in block.rb().col_iter().zip(residual.col_iter_mut()) {
            let solution: Vec<f64> = solution.iter().copied().collect();
            self.stiffness.multiply(&solution, &mut product);
            for (row, residual) in residual.iter_mut().enumerate() {
                *residual -= product[row] + self.shift * self.mass[row] * solution[row];
            }
        }
        self.cholesky.solve_many_in_place(residual.as_mut());
        block += residual;
        self.scale_rows(block, |root| root);
    }

    /// From eigenvectors y of C to eigenvectors `x = M^-1/2 y` of (K, M).
    pub(crate) fn unscale(&self, block: MatMut<'_, f64>) {
        self.scale_rows(block, |root| 1.0 / root);
    }

    /// The inverse of [`ShiftInvert::unscale`].
    pub(crate) fn scale(&self, block: MatMut<'_, f64>) {
        self.scale_rows(block, |root| root);
    }

    fn scale_rows(&self, block: MatMut<'_, f64>, factor: impl Fn(f64) -> f64) {
        for column in block.col_iter_mut() {
            for (value, &root) in column.iter_mut().zip(&self.root_mass) {
                *value *= factor(root);
            }
        }
    }

    /// C itself, dense: one solve for each row.
    pub(crate) fn dense(&mut self) -> Mat<f64> {
        let mut dense = Mat::identity(self.dof_count(), self.dof_count());
        self.apply(dense.as_mut());
        dense
    }

    /// `|K x - lambda M x|` in the norm of `M^-1`, over `lambda + sigma`, of every column.
    pub(crate) fn relative_residuals(&self, values: &[f64], vectors: &Mat<f64>) -> Vec<f64> {
        let mut product = vec![0.0; self.dof_count()];
        let residual = |(&value, x): (&f64, faer::ColRef<'_, f64>)| {
            let x: Vec<f64> = x.iter().copied().collect();
            self.stiffness.multiply(&x, &mut product);
            let rows = product.iter().zip(&x).zip(self.mass);
            let squared: f64 = rows.map(|((kx, x), mass)| (kx - value * mass * x).powi(2) / mass).sum();
            squared.sqrt() / (value.abs() + self.shift)
        };
        values.iter().zip(vectors.col_iter()).map(residual).collect()
    }
}
