//! The operator of the coarse level, `P^T A P`.

use rayon::prelude::*;

use super::block_matrix::{Block, BlockMatrix, RowPart};
use super::prolongation::add_product;

/// Coarse rows that one task works on. It multiplies the fine rows that they touch once; neighbouring tasks repeat what they share.
const COARSE_ROWS_PER_TASK: usize = 64;

/// `R A P`, `restriction` being the transpose of `prolongation`. Parallel, the same bits for any number of threads.
pub(crate) fn galerkin_product<const B: usize, const K: usize>(
    matrix: &BlockMatrix<B, B>,
    prolongation: &BlockMatrix<B, K>,
    restriction: &BlockMatrix<K, B>,
) -> BlockMatrix<K, K> {
    let coarse = restriction.row_count();
    let parts = (0..coarse.div_ceil(COARSE_ROWS_PER_TASK))
        .into_par_iter()
        .map_init(
            || Scratch { place: vec![ABSENT; coarse], ..Scratch::default() },
            |scratch, task| {
                let first = task * COARSE_ROWS_PER_TASK;
                let end = (first + COARSE_ROWS_PER_TASK).min(coarse);
                let touched = (first..end).flat_map(|row| restriction.row(row).0);
                scratch.fine_rows.clear();
                scratch.fine_rows.extend(touched);
                scratch.fine_rows.sort_unstable();
                scratch.fine_rows.dedup();
                let products = scratch.fine_products(matrix, prolongation);
                let mut part = RowPart::new();
                for row in first..end {
                    scratch.coarse_row(restriction, &products, row, &mut part);
                }
                part
            },
        )
        .collect();
    BlockMatrix::from_parts(coarse, parts)
}

const ABSENT: u32 = u32::MAX;

/// The memory of a task.
#[derive(Default)]
struct Scratch {
    /// For each coarse column its place in the row that is being summed.
    place: Vec<u32>,
    fine_rows: Vec<u32>,
}

impl Scratch {
    /// The rows of `A P` that the task needs.
    fn fine_products<const B: usize, const K: usize>(
        &mut self,
        matrix: &BlockMatrix<B, B>,
        prolongation: &BlockMatrix<B, K>,
    ) -> BlockMatrix<B, K> {
        let mut part = RowPart::new();
        for &row in &self.fine_rows {
            let mut sum = RowSum { place: &mut self.place, columns: Vec::new(), blocks: Vec::new() };
            let (columns, blocks) = matrix.row(row as usize);
            for (&column, block) in columns.iter().zip(blocks) {
                let (coarse_columns, factors) = prolongation.row(column as usize);
                for (&coarse, factor) in coarse_columns.iter().zip(factors) {
                    add_product(sum.entry(coarse), block, factor);
                }
            }
            sum.finish(&mut part, false);
        }
        BlockMatrix::from_parts(prolongation.column_count(), vec![part])
    }

    fn coarse_row<const B: usize, const K: usize>(
        &mut self,
        restriction: &BlockMatrix<K, B>,
        products: &BlockMatrix<B, K>,
        row: usize,
        part: &mut RowPart<K, K>,
    ) {
        let mut sum = RowSum { place: &mut self.place, columns: Vec::new(), blocks: Vec::new() };
        let (fine_rows, factors) = restriction.row(row);
        for (fine, factor) in fine_rows.iter().zip(factors) {
            let index =
                self.fine_rows.binary_search(fine).expect("the task gathered the rows that it touches");
            let (columns, blocks) = products.row(index);
            for (&column, block) in columns.iter().zip(blocks) {
                add_product(sum.entry(column), factor, block);
            }
        }
        sum.finish(part, true);
    }
}

/// A row that is being summed.
struct RowSum<'a, const R: usize, const C: usize> {
    place: &'a mut [u32],
    columns: Vec<u32>,
    blocks: Vec<Block<R, C>>,
}

impl<const R: usize, const C: usize> RowSum<'_, R, C> {
    fn entry(&mut self, column: u32) -> &mut Block<R, C> {
        let place = &mut self.place[column as usize];
        if *place == ABSENT {
            *place = self.columns.len() as u32;
            self.columns.push(column);
            self.blocks.push([[0.0; C]; R]);
        }
        &mut self.blocks[*place as usize]
    }

    /// Appends the row, its columns ascending where they must be, and forgets it.
    fn finish(self, part: &mut RowPart<R, C>, sorted: bool) {
        let mut columns = self.columns;
        if sorted {
            columns.sort_unstable();
            part.blocks
                .extend(columns.iter().map(|&column| self.blocks[self.place[column as usize] as usize]));
        } else {
            part.blocks.extend(self.blocks);
        }
        columns.iter().for_each(|&column| self.place[column as usize] = ABSENT);
        part.columns.extend(columns);
        part.end_row();
    }
}
