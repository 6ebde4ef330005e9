//! A brick cut into five tetrahedra.

/// Appends the five cells of a brick: one between four corners that share no edge, one at each other corner.
///
/// Corner `x + 2 y + 4 z` lies at (x, y, z) of a right-handed brick. `from_first` says whether the inner cell has corner 0;
/// the faces are cut between the corners of the inner cell.
pub(super) fn push_brick(cells: &mut Vec<usize>, corners: [usize; 8], from_first: bool) {
    let (inner, outer) = if from_first { ([0, 5, 3, 6], [1, 2, 4, 7]) } else { ([1, 2, 4, 7], [0, 3, 5, 6]) };
    cells.extend(inner.map(|corner| corners[corner]));
    for corner in outer {
        let [mut second, mut third] = [corner ^ 1, corner ^ 2];
        // Seen from these corners the three neighbours turn the other way.
        if from_first {
            (second, third) = (third, second);
        }
        cells.extend([corner, second, third, corner ^ 4].map(|corner| corners[corner]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SimplexMesh, boundary_facets};

    #[test]
    fn both_cuts_fill_the_brick_with_positively_oriented_cells() {
        let positions: Vec<[f64; 3]> =
            (0..8).map(|corner| [corner & 1, corner >> 1 & 1, corner >> 2].map(f64::from)).collect();
        for from_first in [true, false] {
            let mut cells = Vec::new();
            push_brick(&mut cells, std::array::from_fn(|corner| corner), from_first);
            let mesh = SimplexMesh::new(positions.clone(), cells).unwrap();
            assert_eq!(mesh.cell_count(), 5);
            assert!((mesh.volume() - 1.0).abs() < 1e-15);
            assert_eq!(boundary_facets(&mesh).len(), 12);
        }
    }
}
