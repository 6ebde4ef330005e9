//! `A x = theta M x` on one level of smoothed aggregation, `A = K + sigma M`.

use faer::{Mat, MatRef};
use pliant_fem::SmoothedAggregation;

use super::panel::{Panel, WIDEST};

/// The matrix, its preconditioner and a lumped mass.
pub(crate) struct LevelProblem<'a> {
    hierarchy: &'a SmoothedAggregation,
    level: usize,
    mass: Vec<f64>,
}

impl<'a> LevelProblem<'a> {
    /// The problem itself.
    pub(crate) fn finest(hierarchy: &'a SmoothedAggregation, mass: &[f64]) -> Self {
        Self { hierarchy, level: 0, mass: mass.to_vec() }
    }

    /// The problem on the next level; `None` on the last.
    pub(crate) fn coarser(&self) -> Option<Self> {
        let level = self.level + 1;
        let mass = || self.hierarchy.coarse_mass(self.level, &self.mass);
        (level < self.hierarchy.level_count()).then(|| Self {
            hierarchy: self.hierarchy,
            level,
            mass: mass(),
        })
    }

    /// Whether this is the problem itself.
    pub(crate) fn is_finest(&self) -> bool {
        self.level == 0
    }

    /// Rows of the matrices.
    pub(crate) fn rows(&self) -> usize {
        self.mass.len()
    }

    /// The diagonal of M.
    pub(crate) fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// `A X`.
    pub(crate) fn multiply(&self, x: &Panel) -> Panel {
        let mut y = x.like();
        self.multiply_into(x, &mut y);
        y
    }

    /// `Y = A X`, into memory that is there.
    pub(crate) fn multiply_into(&self, x: &Panel, y: &mut Panel) {
        self.hierarchy.multiply_panel(self.level, x.entries(), x.width(), y.entries_mut());
    }

    /// `X` about `A^-1 B`: one V-cycle.
    pub(crate) fn precondition(&self, b: &Panel, x: &mut Panel) {
        self.hierarchy.precondition_panel(self.level, b.entries(), b.width(), x.entries_mut());
    }

    /// Columns on the next level, interpolated to this one; room for `columns`, of which those are the first.
    pub(crate) fn prolong(&self, coarse: MatRef<'_, f64>, columns: usize) -> Mat<f64> {
        let mut fine = Mat::zeros(self.rows(), columns);
        let all: Vec<usize> = (0..coarse.ncols().min(columns)).collect();
        for columns in all.chunks(WIDEST) {
            let panel = Panel::gather(coarse, columns);
            let entries = self.hierarchy.prolong_panel(self.level, panel.entries(), panel.width());
            let out = fine.subcols_mut(columns[0], columns.len());
            Panel::new(panel.width(), entries).scatter(out);
        }
        fine
    }

    /// `V^T A W`.
    pub(crate) fn projected(&self, left: &[MatRef<'_, f64>], right: MatRef<'_, f64>) -> Vec<Mat<f64>> {
        let mut products: Vec<Mat<f64>> =
            left.iter().map(|left| Mat::zeros(left.ncols(), right.ncols())).collect();
        let all: Vec<usize> = (0..right.ncols()).collect();
        for columns in all.chunks(WIDEST) {
            let image = self.multiply(&Panel::gather(right, columns));
            for (product, left) in products.iter_mut().zip(left) {
                let part = super::tall_products::transpose_times(*left, image.as_mat());
                product.subcols_mut(columns[0], columns.len()).copy_from(part.subcols(0, columns.len()));
            }
        }
        products
    }
}
