//! Sparse matrices of R x C blocks, row by row: operators, prolongations and restrictions of a multilevel method.

use rayon::prelude::*;

use crate::SymmetricMatrix;

/// An R x C block, row by row.
pub(crate) type Block<const R: usize, const C: usize> = [[f64; C]; R];

/// Block rows that one task works on; a constant, so that no result depends on the number of threads.
pub(crate) const ROWS_PER_TASK: usize = 512;

/// The B components of every node, W columns beside each other.
pub(crate) fn panel<const B: usize, const W: usize>(x: &[f64]) -> &[[[f64; W]; B]] {
    x.as_chunks::<W>().0.as_chunks::<B>().0
}

/// The same, to change.
pub(crate) fn panel_mut<const B: usize, const W: usize>(x: &mut [f64]) -> &mut [[[f64; W]; B]] {
    x.as_chunks_mut::<W>().0.as_chunks_mut::<B>().0
}

/// A sparse matrix of R x C blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockMatrix<const R: usize, const C: usize> {
    column_count: usize,
    /// One offset more than there are block rows.
    offsets: Vec<usize>,
    /// Ascending in each row.
    columns: Vec<u32>,
    blocks: Vec<Block<R, C>>,
}

/// What one task gives: where its rows end, and their entries.
pub(crate) struct RowPart<const R: usize, const C: usize> {
    ends: Vec<usize>,
    pub(crate) columns: Vec<u32>,
    pub(crate) blocks: Vec<Block<R, C>>,
}

impl<const R: usize, const C: usize> RowPart<R, C> {
    pub(crate) fn new() -> Self {
        Self { ends: Vec::new(), columns: Vec::new(), blocks: Vec::new() }
    }

    /// Ends a row whose entries were appended.
    pub(crate) fn end_row(&mut self) {
        self.ends.push(self.columns.len());
    }
}

impl<const R: usize, const C: usize> BlockMatrix<R, C> {
    /// A matrix from its rows, part by part.
    pub(crate) fn from_parts(column_count: usize, parts: Vec<RowPart<R, C>>) -> Self {
        let rows = parts.iter().map(|part| part.ends.len()).sum::<usize>();
        let entries = parts.iter().map(|part| part.columns.len()).sum();
        let mut offsets = Vec::with_capacity(rows + 1);
        let (mut columns, mut blocks) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        offsets.push(0);
        for part in parts {
            let start = columns.len();
            offsets.extend(part.ends.iter().map(|end| start + end));
            columns.extend(part.columns);
            blocks.extend(part.blocks);
        }
        Self { column_count, offsets, columns, blocks }
    }

    /// Block rows.
    pub(crate) fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Block columns.
    pub(crate) fn column_count(&self) -> usize {
        self.column_count
    }

    /// The columns and blocks of a row.
    pub(crate) fn row(&self, row: usize) -> (&[u32], &[Block<R, C>]) {
        let range = self.offsets[row]..self.offsets[row + 1];
        (&self.columns[range.clone()], &self.blocks[range])
    }

    /// `Y = A X` for W columns, entry by entry beside each other. Parallel, the same bits for any number of threads.
    pub(crate) fn multiply<const W: usize>(&self, x: &[f64], y: &mut [f64]) {
        self.for_each_row::<W>(y, |_, product, out| *out = product, x);
    }

    /// `R = B - A X`.
    pub(crate) fn residual<const W: usize>(&self, b: &[f64], x: &[f64], r: &mut [f64]) {
        let b = panel::<R, W>(b);
        let store = |row: usize, mut product: [[f64; W]; R], out: &mut [[f64; W]; R]| {
            for (product, b) in product.as_flattened_mut().iter_mut().zip(b[row].as_flattened()) {
                *product = b - *product;
            }
            *out = product;
        };
        self.for_each_row::<W>(r, store, x);
    }

    /// `Y += A X`.
    pub(crate) fn multiply_add<const W: usize>(&self, x: &[f64], y: &mut [f64]) {
        let store = |_, product: [[f64; W]; R], out: &mut [[f64; W]; R]| {
            out.as_flattened_mut().iter_mut().zip(product.as_flattened()).for_each(|(y, p)| *y += p);
        };
        self.for_each_row::<W>(y, store, x);
    }

    fn for_each_row<const W: usize>(
        &self,
        y: &mut [f64],
        store: impl Fn(usize, [[f64; W]; R], &mut [[f64; W]; R]) + Sync,
        x: &[f64],
    ) {
        let x = panel::<C, W>(x);
        let y = panel_mut::<R, W>(y);
        assert!(x.len() == self.column_count && y.len() == self.row_count(), "vectors fit the matrix");
        let arch = pulp::Arch::new();
        y.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(task, part)| {
            arch.dispatch(|| self.multiply_rows(task * ROWS_PER_TASK, part, &store, x));
        });
    }

    /// The rows from `first` on. Inlined into what is compiled for the vector units that are there.
    #[inline(always)]
    fn multiply_rows<const W: usize>(
        &self,
        first: usize,
        part: &mut [[[f64; W]; R]],
        store: &impl Fn(usize, [[f64; W]; R], &mut [[f64; W]; R]),
        x: &[[[f64; W]; C]],
    ) {
        for (index, out) in part.iter_mut().enumerate() {
            let row = first + index;
            let (columns, blocks) = self.row(row);
            let mut sum = [[0.0; W]; R];
            for (&column, block) in columns.iter().zip(blocks) {
                let from = &x[column as usize];
                for i in 0..R {
                    for l in 0..C {
                        let entry = block[i][l];
                        for w in 0..W {
                            sum[i][w] += entry * from[l][w];
                        }
                    }
                }
            }
            store(row, sum, out);
        }
    }

    /// The transpose. O(blocks).
    pub(crate) fn transposed(&self) -> BlockMatrix<C, R> {
        let mut offsets = vec![0; self.column_count + 1];
        for &column in &self.columns {
            offsets[column as usize + 1] += 1;
        }
        for column in 0..self.column_count {
            offsets[column + 1] += offsets[column];
        }
        let mut next = offsets.clone();
        let mut columns = vec![0; self.columns.len()];
        let mut blocks = vec![[[0.0; R]; C]; self.columns.len()];
        for row in 0..self.row_count() {
            let (row_columns, row_blocks) = self.row(row);
            for (&column, block) in row_columns.iter().zip(row_blocks) {
                let place = &mut next[column as usize];
                columns[*place] = row as u32;
                blocks[*place] = std::array::from_fn(|l| std::array::from_fn(|i| block[i][l]));
                *place += 1;
            }
        }
        BlockMatrix { column_count: self.row_count(), offsets, columns, blocks }
    }
}

impl<const B: usize> BlockMatrix<B, B> {
    /// Both triangles of a symmetric matrix.
    ///
    /// # Panics
    /// If B is not its component count.
    pub(crate) fn from_symmetric(matrix: &SymmetricMatrix) -> Self {
        let pattern = matrix.pattern();
        let rows = pattern.vertex_count();
        let parts = (0..rows.div_ceil(ROWS_PER_TASK))
            .into_par_iter()
            .map(|task| {
                let mut part = RowPart::new();
                for row in task * ROWS_PER_TASK..((task + 1) * ROWS_PER_TASK).min(rows) {
                    for &(column, nth) in pattern.blocks_left(row) {
                        part.columns.push(column as u32);
                        part.blocks.push(matrix.block::<B>(column, nth));
                    }
                    for (nth, &column) in pattern.vertex_rows(row).iter().enumerate() {
                        let block = matrix.block::<B>(row, nth);
                        part.columns.push(column as u32);
                        part.blocks.push(std::array::from_fn(|i| std::array::from_fn(|l| block[l][i])));
                    }
                    part.end_row();
                }
                part
            })
            .collect();
        Self::from_parts(rows, parts)
    }

    /// The diagonal block of a row; zero where none is stored.
    pub(crate) fn diagonal_block(&self, row: usize) -> Block<B, B> {
        let (columns, blocks) = self.row(row);
        columns.binary_search(&(row as u32)).map_or([[0.0; B]; B], |place| blocks[place])
    }

    /// Puts 1 on the diagonal where it is exactly 0: rows of modes that no vertex has.
    pub(crate) fn fill_empty_diagonal(&mut self) {
        for row in 0..self.row_count() {
            let range = self.offsets[row]..self.offsets[row + 1];
            if let Ok(place) = self.columns[range.clone()].binary_search(&(row as u32)) {
                let block = &mut self.blocks[range.start + place];
                for i in 0..B {
                    if block[i][i] == 0.0 {
                        block[i][i] = 1.0;
                    }
                }
            }
        }
    }

    /// The whole matrix, dense: for the coarsest level and for tests.
    pub(crate) fn to_dense(&self) -> faer::Mat<f64> {
        let mut dense = faer::Mat::zeros(self.row_count() * B, self.column_count * B);
        for row in 0..self.row_count() {
            let (columns, blocks) = self.row(row);
            for (&column, block) in columns.iter().zip(blocks) {
                for i in 0..B {
                    for l in 0..B {
                        dense[(row * B + i, column as usize * B + l)] = block[i][l];
                    }
                }
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SymmetricPattern;
    use crate::test_meshes::{random_cells, random_vector, shuffled_lattice};

    #[test]
    fn products_and_transposes_are_those_of_the_symmetric_matrix() {
        let mesh = shuffled_lattice::<3>(3, 1);
        let (cells, _) = random_cells(&mesh, 3, 2);
        let symmetric = SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, 3).into(), cells);
        let matrix = BlockMatrix::<3, 3>::from_symmetric(&symmetric);
        let (x, b) = (random_vector(symmetric.dof_count(), 3), random_vector(symmetric.dof_count(), 4));
        let [mut expected, mut product, mut residual] = [(); 3].map(|()| vec![f64::NAN; x.len()]);
        symmetric.multiply(&x, &mut expected);
        matrix.multiply::<1>(&x, &mut product);
        matrix.residual::<1>(&b, &x, &mut residual);
        for row in 0..x.len() {
            assert!((product[row] - expected[row]).abs() < 1e-12);
            assert!((residual[row] - (b[row] - expected[row])).abs() < 1e-12);
        }
        assert_eq!(matrix.transposed(), matrix);
        assert_eq!(matrix.to_dense(), symmetric.to_dense());
    }
}
