//! Prolongations: the motions of each aggregate that cost next to nothing, orthonormal, smoothed by one step of block Jacobi.
//!
//! The tentative prolongation T has on each aggregate an orthonormal basis Q of the near kernel there, `N = Q R`; R is the near kernel of the
//! coarse level. The prolongation is `P = (I - omega D^-1 A) T`, `omega = 4 / (3 lambda_max(D^-1 A))` (Vanek, Mandel, Brezina 1996).

use rayon::prelude::*;

use super::aggregates::{Aggregates, NONE};
use super::block_matrix::{Block, BlockMatrix, ROWS_PER_TASK, RowPart};

/// A mode counts as dependent on others when what is left of it is below this fraction.
const DEPENDENT: f64 = 1e-9;

/// The blocks Q of every node (zero outside the aggregates), and R of every aggregate.
pub(crate) struct Tentative<const B: usize, const K: usize> {
    pub(crate) blocks: Vec<Block<B, K>>,
    pub(crate) coarse_kernel: Vec<Block<K, K>>,
}

impl<const B: usize, const K: usize> Tentative<B, K> {
    /// Orthonormalises the near kernel, `B x K` for each node, on every aggregate. Columns that depend on others there are zero.
    pub(crate) fn new(aggregates: &Aggregates, kernel: &[Block<B, K>]) -> Self {
        let (offsets, members) = aggregates.members();
        let (factors, coarse_kernel): (Vec<Vec<Block<B, K>>>, Vec<Block<K, K>>) = (0..aggregates.count)
            .into_par_iter()
            .with_min_len(64)
            .map(|aggregate| {
                let members = &members[offsets[aggregate]..offsets[aggregate + 1]];
                let mut local: Vec<Block<B, K>> = members.iter().map(|&node| kernel[node as usize]).collect();
                let upper = orthonormalise(&mut local);
                (local, upper)
            })
            .unzip();
        let mut blocks = vec![[[0.0; K]; B]; kernel.len()];
        for (&node, block) in members.iter().zip(factors.into_iter().flatten()) {
            blocks[node as usize] = block;
        }
        Self { blocks, coarse_kernel }
    }
}

/// Modified Gram-Schmidt, twice: the columns become orthonormal or zero; gives R.
fn orthonormalise<const B: usize, const K: usize>(columns: &mut [Block<B, K>]) -> Block<K, K> {
    let mut upper = [[0.0; K]; K];
    let dot = |columns: &[Block<B, K>], a: usize, b: usize| -> f64 {
        columns.iter().flatten().map(|row| row[a] * row[b]).sum()
    };
    for k in 0..K {
        let before = dot(columns, k, k).sqrt();
        for _ in 0..2 {
            for earlier in 0..k {
                let along = dot(columns, earlier, k);
                upper[earlier][k] += along;
                columns.iter_mut().flatten().for_each(|row| row[k] -= along * row[earlier]);
            }
        }
        let left = dot(columns, k, k).sqrt();
        let scale = if left > DEPENDENT * before { 1.0 / left } else { 0.0 };
        upper[k][k] = if scale > 0.0 { left } else { 0.0 };
        columns.iter_mut().flatten().for_each(|row| row[k] *= scale);
    }
    upper
}

/// `(I - omega D^-1 A) T`. Parallel, the same bits for any number of threads.
pub(crate) fn smoothed<const B: usize, const K: usize>(
    matrix: &BlockMatrix<B, B>,
    inverse_diagonal: &[Block<B, B>],
    omega: f64,
    aggregates: &Aggregates,
    tentative: &[Block<B, K>],
) -> BlockMatrix<B, K> {
    let rows = matrix.row_count();
    let parts = (0..rows.div_ceil(ROWS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let mut part = RowPart::new();
            let mut entries: Vec<(u32, Block<B, K>)> = Vec::new();
            for row in task * ROWS_PER_TASK..((task + 1) * ROWS_PER_TASK).min(rows) {
                entries.clear();
                let (columns, blocks) = matrix.row(row);
                for (&column, block) in columns.iter().zip(blocks) {
                    let label = aggregates.labels[column as usize];
                    if label != NONE {
                        add_product(entry_of(&mut entries, label), block, &tentative[column as usize]);
                    }
                }
                for (_, entry) in &mut entries {
                    let mut smoothed = [[0.0; K]; B];
                    add_product(&mut smoothed, &inverse_diagonal[row], entry);
                    *entry = smoothed.map(|row| row.map(|value| -omega * value));
                }
                let own = aggregates.labels[row];
                if own != NONE {
                    let entry = entry_of(&mut entries, own);
                    for i in 0..B {
                        for k in 0..K {
                            entry[i][k] += tentative[row][i][k];
                        }
                    }
                }
                entries.sort_unstable_by_key(|entry| entry.0);
                part.columns.extend(entries.iter().map(|entry| entry.0));
                part.blocks.extend(entries.iter().map(|entry| entry.1));
                part.end_row();
            }
            part
        })
        .collect();
    BlockMatrix::from_parts(aggregates.count, parts)
}

fn entry_of<const B: usize, const K: usize>(
    entries: &mut Vec<(u32, Block<B, K>)>,
    label: u32,
) -> &mut Block<B, K> {
    let place = entries.iter().position(|entry| entry.0 == label).unwrap_or_else(|| {
        entries.push((label, [[0.0; K]; B]));
        entries.len() - 1
    });
    &mut entries[place].1
}

/// `sum += a b`.
pub(crate) fn add_product<const R: usize, const M: usize, const C: usize>(
    sum: &mut Block<R, C>,
    a: &Block<R, M>,
    b: &Block<M, C>,
) {
    for i in 0..R {
        for m in 0..M {
            for l in 0..C {
                sum[i][l] += a[i][m] * b[m][l];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_basis_is_orthonormal_or_zero_and_gives_the_columns_back() {
        // Three nodes on a line: turning about the line moves none of them.
        let node = |x: f64| {
            [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, x], [0.0, 0.0, 1.0, 0.0, -x, 0.0]]
        };
        let kernel = [node(100.0), node(101.0), node(103.0)];
        let mut basis = kernel;
        let upper = orthonormalise(&mut basis);
        for a in 0..6 {
            for b in 0..6 {
                let dot: f64 = basis.iter().flatten().map(|row| row[a] * row[b]).sum();
                let expected = if a == b && a != 3 { 1.0 } else { 0.0 };
                assert!((dot - expected).abs() < 1e-12, "{a} {b}: {dot}");
            }
        }
        for (node, wanted) in basis.iter().zip(&kernel) {
            let mut product = [[0.0; 6]; 3];
            add_product(&mut product, node, &upper);
            for (found, wanted) in product.iter().flatten().zip(wanted.iter().flatten()) {
                assert!((found - wanted).abs() < 1e-10);
            }
        }
    }
}
