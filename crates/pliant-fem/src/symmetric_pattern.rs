//! The sparsity pattern of a symmetric matrix on a mesh, computed once; `assemble.rs` fills matrices.
//!
//! Row `v * components + i` belongs to component `i` of vertex `v`; two rows couple when a cell holds both vertices. Stored is the lower triangle with the
//! diagonal, by columns (CSC), rows ascending. Seen by vertices it is a list of blocks: column vertex `j` has the row vertices
//! [`SymmetricPattern::vertex_rows`], all `>= j` and `j` itself first, each a block of `components x components`, of which the first stores its lower half only.

mod assemble;
mod of_vertices;

use std::ops::Range;

use pliant_mesh::SimplexMesh;
use rayon::prelude::*;

/// Vertex columns that one task works on; a constant, so that the split never depends on the number of threads.
const COLUMNS_PER_TASK: usize = 512;

/// Marks a block of a cell that belongs to no pair of the pattern.
const LEFT_OUT: u32 = u32::MAX;

/// Where each cell's block contributions go in the lower triangle of a symmetric matrix with `components` rows for each vertex.
///
/// # Layout of the blocks of a cell
/// One block for each pair of local corners `a >= b` at place `a (a+1)/2 + b` ([`SymmetricPattern::cell_pair`]; 6 pairs in a triangle, 10 in a
/// tetrahedron). A block is `components x components`, row-major, and its entry `(i, l)` couples component `i` of corner `a` with component `l` of
/// corner `b`. Where the corners' global indices run the other way, the assembly transposes. Of a block on the diagonal (`a = b`) only
/// the lower half is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetricPattern {
    components: usize,
    cells: usize,
    corners: usize,
    /// n + 1 offsets into `vertex_rows`.
    vertex_offsets: Vec<usize>,
    vertex_rows: Vec<usize>,
    /// The column vertex of every place in `vertex_rows`.
    pair_columns: Vec<u32>,
    /// For each block of each cell twice its place in `vertex_rows`, plus one when it is to be transposed; [`LEFT_OUT`] without a place.
    cell_pairs: Vec<u32>,
    column_offsets: Vec<usize>,
    row_indices: Vec<usize>,
    /// n + 1 offsets into `blocks_left`.
    left_offsets: Vec<usize>,
    /// For each vertex the blocks of its row left of the diagonal: column vertex, and which of that column's blocks.
    blocks_left: Vec<(usize, usize)>,
}

impl SymmetricPattern {
    /// Finds the pattern and the contributions of every cell. O(t log t), once for each mesh.
    ///
    /// # Panics
    /// If `components` is not 1, 2 or 3, or the mesh has more than 2^31 / 10 cells.
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>, components: usize) -> Self {
        assert!((1..=3).contains(&components), "a vertex has 1, 2 or 3 components, not {components}");
        let vertices = mesh.vertex_count();
        let (offsets, entries) = sorted_contributions(mesh);
        let mut pattern = Self {
            components,
            cells: mesh.cell_count(),
            corners: D + 1,
            vertex_offsets: Vec::with_capacity(vertices + 1),
            vertex_rows: Vec::new(),
            pair_columns: Vec::new(),
            cell_pairs: vec![LEFT_OUT; entries.len()],
            column_offsets: Vec::new(),
            row_indices: Vec::new(),
            left_offsets: Vec::new(),
            blocks_left: Vec::new(),
        };
        pattern.vertex_offsets.push(0);
        for column in 0..vertices {
            let start = pattern.vertex_rows.len();
            for &entry in &entries[offsets[column]..offsets[column + 1]] {
                let row = (entry >> 32) as usize;
                if pattern.vertex_rows.len() == start || pattern.vertex_rows.last() != Some(&row) {
                    pattern.vertex_rows.push(row);
                    pattern.pair_columns.push(column as u32);
                }
                let (block, transposed) = (entry as u32 >> 1, entry as u32 & 1);
                pattern.cell_pairs[block as usize] = (pattern.vertex_rows.len() as u32 - 1) << 1 | transposed;
            }
            pattern.vertex_offsets.push(pattern.vertex_rows.len());
        }
        pattern.expand_to_rows();
        pattern.find_blocks_left();
        pattern
    }

    /// The CSC slices from the vertex pairs.
    fn expand_to_rows(&mut self) {
        let components = self.components;
        let nonzeros = components * components * self.vertex_rows.len()
            - self.vertex_count() * components * (components - 1) / 2;
        self.row_indices.reserve_exact(nonzeros);
        self.column_offsets.reserve_exact(self.dof_count() + 1);
        self.column_offsets.push(0);
        for column in 0..self.vertex_count() {
            for component in 0..components {
                let rows = &self.vertex_rows[self.vertex_offsets[column]..self.vertex_offsets[column + 1]];
                let all = rows.iter().flat_map(|&row| row * components..(row + 1) * components);
                self.row_indices.extend(all.skip(component));
                self.column_offsets.push(self.row_indices.len());
            }
        }
    }

    /// Transposes the strictly lower vertex pairs.
    fn find_blocks_left(&mut self) {
        let mut offsets = vec![0; self.vertex_count() + 1];
        for column in 0..self.vertex_count() {
            for &row in &self.vertex_rows(column)[1..] {
                offsets[row + 1] += 1;
            }
        }
        for vertex in 0..self.vertex_count() {
            offsets[vertex + 1] += offsets[vertex];
        }
        let mut next = offsets.clone();
        let mut blocks = vec![(0, 0); offsets[self.vertex_count()]];
        for column in 0..self.vertex_count() {
            for (nth, &row) in self.vertex_rows(column).iter().enumerate().skip(1) {
                blocks[next[row]] = (column, nth);
                next[row] += 1;
            }
        }
        self.left_offsets = offsets;
        self.blocks_left = blocks;
    }

    /// n.
    pub fn vertex_count(&self) -> usize {
        self.vertex_offsets.len() - 1
    }

    /// D of the mesh: 2 for triangles, 3 for tetrahedra.
    pub fn dimension(&self) -> usize {
        self.corners - 1
    }

    /// Lower triangle of the vertex graph by columns: offsets and row vertices.
    pub(crate) fn vertex_graph(&self) -> (&[usize], &[usize]) {
        (&self.vertex_offsets, &self.vertex_rows)
    }

    /// Rows for each vertex: 1 for a scalar operator, D for elasticity.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Rows of the matrix, n times the components.
    pub fn dof_count(&self) -> usize {
        self.vertex_count() * self.components
    }

    /// Stored entries: the lower triangle with the diagonal.
    pub fn nonzeros(&self) -> usize {
        self.row_indices.len()
    }

    /// For each matrix column the place of its first entry, the diagonal; one more at the end.
    pub fn column_offsets(&self) -> &[usize] {
        &self.column_offsets
    }

    /// The row of every entry, ascending in each column.
    pub fn row_indices(&self) -> &[usize] {
        &self.row_indices
    }

    /// The vertices that couple with a vertex and are not below it, ascending; the first is the vertex itself.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn vertex_rows(&self, column: usize) -> &[usize] {
        &self.vertex_rows[self.vertex_offsets[column]..self.vertex_offsets[column + 1]]
    }

    /// The blocks of a vertex's row left of the diagonal, as (column vertex, place in that column's
    /// [`SymmetricPattern::vertex_rows`]), columns ascending.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn blocks_left(&self, row: usize) -> &[(usize, usize)] {
        &self.blocks_left[self.left_offsets[row]..self.left_offsets[row + 1]]
    }

    /// The other vertices that couple with a vertex, ascending.
    pub(crate) fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let left = self.blocks_left(vertex).iter().map(|&(column, _)| column);
        left.chain(self.vertex_rows(vertex)[1..].iter().copied())
    }

    /// Place of entry `(i, l)` of a column vertex's n-th block in the values; `i >= l` where `nth = 0`.
    pub fn entry(&self, column: usize, nth: usize, i: usize, l: usize) -> usize {
        self.column_offsets[column * self.components + l] + nth * self.components + i - l
    }

    /// Place of the pair of local corners `a >= b` among the blocks of a cell.
    pub const fn cell_pair(a: usize, b: usize) -> usize {
        a * (a + 1) / 2 + b
    }
}

/// For each column vertex its contributions as `row << 32 | code`, sorted by row and then by cell.
fn sorted_contributions<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<usize>, Vec<u64>) {
    let pairs = (D + 1) * (D + 2) / 2;
    assert!(
        mesh.cell_count() * pairs <= (u32::MAX / 2) as usize,
        "the mesh has too many cells for one matrix"
    );
    let vertices = mesh.vertex_count();
    let mut offsets = vec![0; vertices + 1];
    let visit = |action: &mut dyn FnMut(usize, usize, usize, bool)| {
        for (cell, corners) in mesh.cells().enumerate() {
            for a in 0..=D {
                for b in 0..=a {
                    let (row, column) = (corners[a].max(corners[b]), corners[a].min(corners[b]));
                    let block = cell * pairs + SymmetricPattern::cell_pair(a, b);
                    action(column, row, block, corners[a] < corners[b]);
                }
            }
        }
    };
    visit(&mut |column, _, _, _| offsets[column + 1] += 1);
    for vertex in 0..vertices {
        offsets[vertex + 1] += offsets[vertex];
    }
    let mut next = offsets.clone();
    let mut entries = vec![0_u64; offsets[vertices]];
    visit(&mut |column, row, block, transposed| {
        entries[next[column]] = (row as u64) << 32 | (block as u64) << 1 | u64::from(transposed);
        next[column] += 1;
    });
    for_each_task(
        &mut entries,
        vertices,
        |vertex| offsets[vertex],
        |columns, part| {
            let first = offsets[columns.start];
            for column in columns {
                part[offsets[column] - first..offsets[column + 1] - first].sort_unstable();
            }
        },
    );
    (offsets, entries)
}

/// Splits `data` at the starts of fixed groups of columns and works on the parts in parallel.
pub(crate) fn for_each_task<T: Send>(
    data: &mut [T],
    columns: usize,
    start: impl Fn(usize) -> usize,
    work: impl Fn(Range<usize>, &mut [T]) + Sync,
) {
    if columns <= COLUMNS_PER_TASK {
        return work(0..columns, data);
    }
    let mut tasks = Vec::with_capacity(columns.div_ceil(COLUMNS_PER_TASK));
    let mut rest = data;
    for first in (0..columns).step_by(COLUMNS_PER_TASK) {
        let end = (first + COLUMNS_PER_TASK).min(columns);
        let (part, tail) = rest.split_at_mut(start(end) - start(first));
        tasks.push((first..end, part));
        rest = tail;
    }
    tasks.into_par_iter().for_each(|(range, part)| work(range, part));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::shuffled_lattice;

    #[test]
    fn columns_start_with_the_diagonal_and_rows_ascend() {
        let pattern = SymmetricPattern::new(&shuffled_lattice::<3>(3, 1), 3);
        for (column, range) in pattern.column_offsets().windows(2).enumerate() {
            let rows = &pattern.row_indices()[range[0]..range[1]];
            assert_eq!(rows[0], column);
            assert!(rows.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn the_blocks_left_of_the_diagonal_are_the_transposed_columns() {
        let pattern = SymmetricPattern::new(&shuffled_lattice::<2>(5, 2), 2);
        let mut found = 0;
        for row in 0..pattern.vertex_count() {
            for &(column, nth) in pattern.blocks_left(row) {
                assert!(column < row && pattern.vertex_rows(column)[nth] == row);
                found += 1;
            }
        }
        let pairs: usize = (0..pattern.vertex_count()).map(|column| pattern.vertex_rows(column).len()).sum();
        assert_eq!(found + pattern.vertex_count(), pairs);
    }
}
