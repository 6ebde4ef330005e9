//! The levels of the hierarchy, for methods that work on all of them, and on many columns at once.

use super::block_matrix::BlockMatrix;
use super::{Hierarchy, SmoothedAggregation};

/// What a hierarchy does on each of its levels, whatever its block sizes. Panels are row-major, of one of the widths.
pub(super) trait Levels {
    fn count(&self) -> usize;
    fn rows(&self, level: usize) -> usize;
    fn multiply(&self, level: usize, x: &[f64], width: usize, y: &mut [f64]);
    fn precondition(&self, level: usize, b: &[f64], width: usize, x: &mut [f64]);
    fn prolong(&self, level: usize, coarse: &[f64], width: usize) -> Vec<f64>;
    fn coarse_mass(&self, level: usize, mass: &[f64]) -> Vec<f64>;
}

impl SmoothedAggregation {
    /// The columns that a panel may have. Wide ones cost much less by the column, because a matrix is read once for all of them.
    pub const PANEL_WIDTHS: [usize; 3] = [1, 8, 32];

    /// Levels, of which the finest is level 0, at least 1.
    pub fn level_count(&self) -> usize {
        self.levels.count()
    }

    /// Rows of the matrix of a level.
    ///
    /// # Panics
    /// If there is no such level; as all that follows.
    pub fn level_rows(&self, level: usize) -> usize {
        self.levels.rows(level)
    }

    /// `Y = A X` on a level for a panel of columns, row-major. Parallel, the same bits for any number of threads.
    ///
    /// # Panics
    /// If the width is none of [`SmoothedAggregation::PANEL_WIDTHS`], or a slice does not have that many entries for each row.
    pub fn multiply_panel(&self, level: usize, x: &[f64], width: usize, y: &mut [f64]) {
        self.levels.multiply(level, x, width, y);
    }

    /// `X = M^-1 B` by one V-cycle from a level downwards, as [`SmoothedAggregation::precondition`] from the finest, for a panel of columns,
    /// row-major.
    ///
    /// # Panics
    /// As [`SmoothedAggregation::multiply_panel`].
    pub fn precondition_panel(&self, level: usize, b: &[f64], width: usize, x: &mut [f64]) {
        self.levels.precondition(level, b, width, x);
    }

    /// A panel of columns on the level below `level`, interpolated to it.
    ///
    /// # Panics
    /// As [`SmoothedAggregation::multiply_panel`]; if `level` is the last one.
    pub fn prolong_panel(&self, level: usize, coarse: &[f64], width: usize) -> Vec<f64> {
        self.levels.prolong(level, coarse, width)
    }

    /// A diagonal mass for the level below `level`, given that of `level`: the sums of the rows of `|P|^T M |P|`. It is above the Galerkin mass
    /// `P^T M P`, and positive.
    ///
    /// # Panics
    /// If `level` is the last one, or the mass does not have one entry for each of its rows.
    pub fn coarse_mass(&self, level: usize, mass: &[f64]) -> Vec<f64> {
        self.levels.coarse_mass(level, mass)
    }
}

impl<const B: usize, const K: usize> Hierarchy<B, K> {
    fn multiply_columns<const W: usize>(&self, level: usize, x: &[f64], y: &mut [f64]) {
        match (level.checked_sub(1), &self.coarsest) {
            (None, _) => self.finest.matrix.multiply::<W>(x, y),
            (Some(index), Some(coarsest)) if index == self.coarser.len() => {
                coarsest.matrix.multiply::<W>(x, y);
            }
            (Some(index), _) => self.coarser[index].matrix.multiply::<W>(x, y),
        }
    }

    fn prolong_columns<const W: usize>(&self, level: usize, coarse: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.rows(level) * W];
        match level.checked_sub(1) {
            None => self.finest.prolongation().multiply::<W>(coarse, &mut x),
            Some(index) => self.coarser[index].prolongation().multiply::<W>(coarse, &mut x),
        }
        x
    }
}

impl<const B: usize, const K: usize> Levels for Hierarchy<B, K> {
    fn count(&self) -> usize {
        1 + self.coarser.len() + usize::from(self.coarsest.is_some())
    }

    fn rows(&self, level: usize) -> usize {
        match (level.checked_sub(1), &self.coarsest) {
            (None, _) => self.finest.matrix.row_count() * B,
            (Some(index), Some(coarsest)) if index == self.coarser.len() => coarsest.matrix.row_count() * K,
            (Some(index), _) => self.coarser[index].matrix.row_count() * K,
        }
    }

    fn multiply(&self, level: usize, x: &[f64], width: usize, y: &mut [f64]) {
        match width {
            1 => self.multiply_columns::<1>(level, x, y),
            8 => self.multiply_columns::<8>(level, x, y),
            32 => self.multiply_columns::<32>(level, x, y),
            _ => panic!("{}", wrong(width)),
        }
    }

    fn precondition(&self, level: usize, b: &[f64], width: usize, x: &mut [f64]) {
        match width {
            1 => self.precondition_columns::<1>(level, b, x),
            8 => self.precondition_columns::<8>(level, b, x),
            32 => self.precondition_columns::<32>(level, b, x),
            _ => panic!("{}", wrong(width)),
        }
    }

    fn prolong(&self, level: usize, coarse: &[f64], width: usize) -> Vec<f64> {
        match width {
            1 => self.prolong_columns::<1>(level, coarse),
            8 => self.prolong_columns::<8>(level, coarse),
            32 => self.prolong_columns::<32>(level, coarse),
            _ => panic!("{}", wrong(width)),
        }
    }

    fn coarse_mass(&self, level: usize, mass: &[f64]) -> Vec<f64> {
        match level.checked_sub(1) {
            None => absolute_mass(self.finest.prolongation(), mass),
            Some(index) => absolute_mass(self.coarser[index].prolongation(), mass),
        }
    }
}

fn wrong(width: usize) -> String {
    format!("a panel has {:?} columns, not {width}", SmoothedAggregation::PANEL_WIDTHS)
}

/// The sums of the rows of `|P|^T M |P|`.
fn absolute_mass<const B: usize, const K: usize>(prolongation: &BlockMatrix<B, K>, mass: &[f64]) -> Vec<f64> {
    let mass = mass.as_chunks::<B>().0;
    assert_eq!(mass.len(), prolongation.row_count(), "the mass has one entry for each row");
    let mut coarse = vec![0.0; prolongation.column_count() * K];
    for (row, mass) in mass.iter().enumerate() {
        let (columns, blocks) = prolongation.row(row);
        for (i, mass) in mass.iter().enumerate() {
            let whole: f64 = blocks.iter().flat_map(|block| block[i]).map(f64::abs).sum();
            for (&column, block) in columns.iter().zip(blocks) {
                for (k, entry) in block[i].iter().enumerate() {
                    coarse[column as usize * K + k] += mass * whole * entry.abs();
                }
            }
        }
    }
    coarse
}
