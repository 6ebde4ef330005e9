//! Filling a matrix with the sum of the blocks of its cells, panel by panel of cells: blocks live no longer than their panel.
//!
//! Every entry is a sum in the order of the cells, whatever the panels and the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::LEFT_OUT;
use crate::SymmetricPattern;

/// Cells of a panel: their blocks should stay in the cache between being computed and being added.
const CELLS_PER_PANEL: usize = 2048;
/// Cells whose blocks one task computes.
const CELLS_PER_TASK: usize = 64;
/// Vertex columns are dealt to the threads in groups of this many: a panel of neighbouring cells gives work to all.
const COLUMNS_PER_GROUP: usize = 32;

impl SymmetricPattern {
    /// Cells whose blocks [`SymmetricPattern::assemble`] asks for.
    pub fn cell_count(&self) -> usize {
        self.cells
    }

    /// Numbers in the blocks of a cell: pairs of corners x components x components.
    pub fn cell_block_values(&self) -> usize {
        self.corners * (self.corners + 1) / 2 * self.components * self.components
    }

    /// Overwrites `values` with the sum of the blocks of all cells. `fill(cell, blocks)` overwrites the
    /// [`SymmetricPattern::cell_block_values`] numbers of one cell (layout above).
    ///
    /// O(t), parallel, the same bits for any number of threads. Each cell is asked for once.
    ///
    /// # Panics
    /// If `values` does not have [`SymmetricPattern::nonzeros`] entries.
    pub fn assemble(&self, fill: impl Fn(usize, &mut [f64]) + Sync, values: &mut [f64]) {
        assert_eq!(values.len(), self.nonzeros(), "values do not fit the pattern");
        values.fill(0.0);
        let threads = rayon::current_num_threads();
        match self.components {
            _ if threads > 1 && self.cells > CELLS_PER_TASK => self.add_panels(threads, fill, values),
            1 => self.add_cells::<1>(fill, values),
            2 => self.add_cells::<2>(fill, values),
            _ => self.add_cells::<3>(fill, values),
        }
    }

    /// One cell after the other.
    fn add_cells<const C: usize>(&self, fill: impl Fn(usize, &mut [f64]), values: &mut [f64]) {
        let mut blocks = vec![0.0; self.cell_block_values()];
        for (cell, codes) in self.cell_pairs.chunks_exact(blocks.len() / (C * C)).enumerate() {
            fill(cell, &mut blocks);
            for (&code, block) in codes.iter().zip(blocks.chunks_exact(C * C)) {
                if code != LEFT_OUT {
                    self.add_block::<C>(code, block, values, 0);
                }
            }
        }
    }

    /// Blocks of a panel of cells in parallel, then each thread adds them to the columns that are its own.
    fn add_panels(&self, threads: usize, fill: impl Fn(usize, &mut [f64]) + Sync, values: &mut [f64]) {
        let size = self.cell_block_values();
        let mut owners = self.deal_columns(threads, values);
        let mut panel = vec![0.0; size * CELLS_PER_PANEL.min(self.cells)];
        for first in (0..self.cells).step_by(CELLS_PER_PANEL) {
            let cells = first..(first + CELLS_PER_PANEL).min(self.cells);
            let panel = &mut panel[..size * cells.len()];
            panel.par_chunks_mut(size * CELLS_PER_TASK).enumerate().for_each(|(task, part)| {
                for (index, blocks) in part.chunks_exact_mut(size).enumerate() {
                    fill(first + task * CELLS_PER_TASK + index, blocks);
                }
            });
            let panel = &*panel;
            owners.par_iter_mut().enumerate().with_max_len(1).for_each(|(owner, groups)| {
                match self.components {
                    1 => self.add_to_own::<1>(cells.clone(), panel, (owner, threads), groups),
                    2 => self.add_to_own::<2>(cells.clone(), panel, (owner, threads), groups),
                    _ => self.add_to_own::<3>(cells.clone(), panel, (owner, threads), groups),
                }
            });
        }
    }

    /// The values of every group of columns, group `g` for owner `g % owners`.
    fn deal_columns<'v>(&self, owners: usize, values: &'v mut [f64]) -> Vec<Vec<&'v mut [f64]>> {
        let mut dealt: Vec<Vec<&mut [f64]>> = (0..owners).map(|_| Vec::new()).collect();
        let mut rest = values;
        for (group, first) in (0..self.vertex_count()).step_by(COLUMNS_PER_GROUP).enumerate() {
            let end = (first + COLUMNS_PER_GROUP).min(self.vertex_count());
            let (part, tail) = rest.split_at_mut(self.start_of(end) - self.start_of(first));
            dealt[group % owners].push(part);
            rest = tail;
        }
        dealt
    }

    fn add_to_own<const C: usize>(
        &self,
        cells: Range<usize>,
        panel: &[f64],
        (owner, owners): (usize, usize),
        groups: &mut [&mut [f64]],
    ) {
        let pairs = self.cell_block_values() / (C * C);
        let codes = &self.cell_pairs[cells.start * pairs..cells.end * pairs];
        for (&code, block) in codes.iter().zip(panel.chunks_exact(C * C)) {
            if code == LEFT_OUT {
                continue;
            }
            let group = self.pair_columns[(code >> 1) as usize] as usize / COLUMNS_PER_GROUP;
            if group % owners == owner {
                let first = self.start_of(group * COLUMNS_PER_GROUP);
                self.add_block::<C>(code, block, groups[group / owners], first);
            }
        }
    }

    /// Place of a vertex column's first value.
    fn start_of(&self, column: usize) -> usize {
        self.column_offsets[column * self.components]
    }

    /// Adds a block to its place in `values`, which begin with the value `first` of the matrix.
    #[inline]
    fn add_block<const C: usize>(&self, code: u32, block: &[f64], values: &mut [f64], first: usize) {
        let pair = (code >> 1) as usize;
        let column = self.pair_columns[pair] as usize;
        let nth = pair - self.vertex_offsets[column];
        let mirrored = code & 1 == 1;
        for l in 0..C {
            let start = self.column_offsets[column * C + l] + nth * C - first;
            if nth == 0 {
                for i in l..C {
                    values[start + i - l] += block[i * C + l];
                }
                continue;
            }
            let out = &mut values[start - l..start - l + C];
            for (i, out) in out.iter_mut().enumerate() {
                *out += if mirrored { block[l * C + i] } else { block[i * C + l] };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test_meshes::{in_pools, random_cells, shuffled_lattice};
    use crate::{SymmetricMatrix, SymmetricPattern};

    fn assembly_error<const D: usize>(components: usize) -> f64 {
        let mesh = shuffled_lattice::<D>(3, 3);
        let (cells, dense) = random_cells(&mesh, components, 4);
        let matrix = SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, components).into(), cells);
        (matrix.to_dense() - &dense).norm_max() / dense.norm_max()
    }

    #[test]
    fn assembly_adds_every_block_of_every_cell() {
        for error in
            [assembly_error::<2>(1), assembly_error::<2>(2), assembly_error::<3>(1), assembly_error::<3>(3)]
        {
            assert!(error < 1e-14, "{error}");
        }
    }

    #[test]
    fn assembly_gives_the_same_bits_for_any_number_of_threads() {
        // 6000 cells are three panels.
        let mesh = shuffled_lattice::<3>(10, 5);
        for components in [1, 2, 3] {
            let (cells, _) = random_cells(&shuffled_lattice::<3>(2, 5), components, 6);
            let [one, two, five] = in_pools(|| {
                let pattern = SymmetricPattern::new(&mesh, components);
                let mut values = vec![f64::NAN; pattern.nonzeros()];
                pattern.assemble(|cell, blocks| cells(cell % 48, blocks), &mut values);
                (pattern, values)
            });
            assert!(one == two && one == five);
        }
    }
}
