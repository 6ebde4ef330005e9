//! Principal submatrices: the rows and columns of some vertices alone, for problems whose other unknowns are prescribed.

use std::sync::Arc;

use super::LEFT_OUT;
use crate::{SymmetricMatrix, SymmetricPattern};

impl SymmetricPattern {
    /// The pattern of some vertices alone, renumbered in their order. Assembling it from the same cells gives the principal
    /// submatrix of what the whole pattern assembles. O(non-zeros).
    ///
    /// # Panics
    /// If the vertices are not ascending or one is out of range.
    pub fn of_vertices(&self, vertices: &[usize]) -> Self {
        let index = new_indices(vertices, self.vertex_count());
        let mut pattern = Self {
            components: self.components,
            cells: self.cells,
            corners: self.corners,
            vertex_offsets: Vec::with_capacity(vertices.len() + 1),
            vertex_rows: Vec::new(),
            pair_columns: Vec::new(),
            cell_pairs: Vec::new(),
            column_offsets: Vec::new(),
            row_indices: Vec::new(),
            left_offsets: Vec::new(),
            blocks_left: Vec::new(),
        };
        pattern.vertex_offsets.push(0);
        let mut places = vec![None; self.vertex_rows.len()];
        for (new_column, &column) in vertices.iter().enumerate() {
            for pair in self.vertex_offsets[column]..self.vertex_offsets[column + 1] {
                let Some(row) = index[self.vertex_rows[pair]] else { continue };
                places[pair] = Some(pattern.vertex_rows.len() as u32);
                pattern.vertex_rows.push(row);
                pattern.pair_columns.push(new_column as u32);
            }
            pattern.vertex_offsets.push(pattern.vertex_rows.len());
        }
        let renumbered = |&code: &u32| {
            let place = if code == LEFT_OUT { None } else { places[(code >> 1) as usize] };
            place.map_or(LEFT_OUT, |place| place << 1 | code & 1)
        };
        pattern.cell_pairs = self.cell_pairs.iter().map(renumbered).collect();
        pattern.expand_to_rows();
        pattern.find_blocks_left();
        pattern
    }
}

impl SymmetricMatrix {
    /// The principal submatrix of some vertices, on [`SymmetricPattern::of_vertices`]. O(non-zeros).
    ///
    /// # Panics
    /// If the vertices are not ascending or one is out of range.
    pub fn of_vertices(&self, vertices: &[usize]) -> Self {
        let whole = self.pattern();
        let components = whole.components();
        let kept = new_indices(vertices, whole.vertex_count());
        let mut part = Self::zeros(Arc::new(whole.of_vertices(vertices)));
        let mut values = part.values_mut().iter_mut();
        for column in vertices.iter().flat_map(|vertex| vertex * components..(vertex + 1) * components) {
            for place in whole.column_offsets()[column]..whole.column_offsets()[column + 1] {
                if kept[whole.row_indices()[place] / components].is_some() {
                    let value = values.next().expect("both patterns list the kept entries in the same order");
                    *value = self.values()[place];
                }
            }
        }
        part
    }
}

fn new_indices(vertices: &[usize], vertex_count: usize) -> Vec<Option<usize>> {
    assert!(vertices.is_sorted_by(|a, b| a < b), "the vertices must ascend");
    let mut index = vec![None; vertex_count];
    for (new, &vertex) in vertices.iter().enumerate() {
        index[vertex] = Some(new);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::{random_cells, shuffled_lattice};

    fn submatrix_holds<const D: usize>(components: usize) {
        let mesh = shuffled_lattice::<D>(3, 11);
        let (cells, dense) = random_cells(&mesh, components, 12);
        let matrix = SymmetricMatrix::from_cells(SymmetricPattern::new(&mesh, components).into(), &cells);
        let vertices: Vec<usize> = (0..mesh.vertex_count()).filter(|vertex| vertex % 3 != 1).collect();
        let part = matrix.of_vertices(&vertices);
        let row = |index: usize| vertices[index / components] * components + index % components;
        let found = part.to_dense();
        assert_eq!(found.nrows(), vertices.len() * components);
        for i in 0..found.nrows() {
            for j in 0..found.ncols() {
                assert!((found[(i, j)] - dense[(row(i), row(j))]).abs() < 1e-14);
            }
        }
        assert_eq!(SymmetricMatrix::from_cells(Arc::clone(part.pattern()), &cells), part);
    }

    #[test]
    fn a_submatrix_has_the_entries_of_its_vertices_and_assembles_from_the_same_cells() {
        submatrix_holds::<2>(1);
        submatrix_holds::<2>(2);
        submatrix_holds::<3>(3);
    }

    #[test]
    fn no_vertices_give_an_empty_matrix() {
        let mesh = shuffled_lattice::<2>(2, 1);
        let whole = SymmetricMatrix::zeros(SymmetricPattern::new(&mesh, 2).into());
        assert_eq!(whole.of_vertices(&[]).dof_count(), 0);
    }
}
