//! A structured mesh of a box: bricks of six tetrahedra around their diagonal (Kuhn's subdivision).

use super::resolution::{Diagonals, Resolution, grid_point};
use crate::{MeshError, SimplexMesh};

/// The box and how it is meshed.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxOptions {
    /// Lowest corner in m; default (0, 0, 0).
    pub min: [f64; 3],
    /// Highest corner in m; default (1, 1, 1).
    pub max: [f64; 3],
    /// Default: a cell size of 0.1 m.
    pub resolution: Resolution<3>,
    /// Default: alternating.
    pub diagonals: Diagonals,
}

impl Default for BoxOptions {
    fn default() -> Self {
        Self {
            min: [0.0; 3],
            max: [1.0; 3],
            resolution: Resolution::CellSize(0.1),
            diagonals: Diagonals::default(),
        }
    }
}

/// The orders in which a path along the edges of a brick can go from one corner to the opposite one.
const AXIS_ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// A mesh of six tetrahedra for each grid brick; vertices in the order of x, then y, then z.
///
/// Cubic bricks give a minimum dihedral angle of 45 degrees. O(n).
///
/// # Errors
/// Corners in the wrong order, a cell size that is no positive length, no interval, or more than 1e8 cells.
pub fn box_mesh(options: &BoxOptions) -> Result<SimplexMesh<3>, MeshError> {
    let (min, max) = (options.min, options.max);
    let counts = options.resolution.counts(min, max, 6)?;
    let mut positions = Vec::with_capacity(counts.iter().map(|count| count + 1).product());
    let coordinate = |axis: usize, index: usize| grid_point(min[axis], max[axis], index, counts[axis]);
    for i in 0..=counts[0] {
        for j in 0..=counts[1] {
            positions.extend((0..=counts[2]).map(|k| [coordinate(0, i), coordinate(1, j), coordinate(2, k)]));
        }
    }
    let vertex = |index: [usize; 3]| (index[0] * (counts[1] + 1) + index[1]) * (counts[2] + 1) + index[2];
    let mut cells = Vec::with_capacity(24 * counts.iter().product::<usize>());
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in 0..counts[2] {
                let brick = [i, j, k];
                // Mirroring every other brick along each axis keeps the cuts of shared faces the same.
                let mirrored: [bool; 3] = std::array::from_fn(|axis| {
                    options.diagonals == Diagonals::Alternating && brick[axis] % 2 == 1
                });
                for (order, axes) in AXIS_ORDERS.iter().enumerate() {
                    let mut corner: [usize; 3] =
                        std::array::from_fn(|axis| brick[axis] + usize::from(mirrored[axis]));
                    let mut path = [vertex(corner); 4];
                    for (step, &axis) in axes.iter().enumerate() {
                        corner[axis] = brick[axis] + usize::from(!mirrored[axis]);
                        path[step + 1] = vertex(corner);
                    }
                    // Odd permutations and each mirror turn the cell inside out.
                    let turns = usize::from(order >= 3) + mirrored.iter().filter(|&&mirror| mirror).count();
                    if turns % 2 == 1 {
                        path.swap(2, 3);
                    }
                    cells.extend(path);
                }
            }
        }
    }
    SimplexMesh::new(positions, cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshQuality, boundary_facets};

    #[test]
    fn a_slender_box_is_filled_by_well_shaped_cells() {
        for diagonals in [Diagonals::Alternating, Diagonals::Parallel] {
            let options = BoxOptions {
                max: [1.0, 0.1, 0.1],
                resolution: Resolution::CellSize(0.05),
                diagonals,
                ..Default::default()
            };
            let mesh = box_mesh(&options).unwrap();
            assert_eq!((mesh.vertex_count(), mesh.cell_count()), (21 * 9, 20 * 4 * 6));
            assert_eq!(mesh.bounding_box(), ([0.0; 3], [1.0, 0.1, 0.1]));
            assert!((mesh.volume() - 0.01).abs() < 1e-15);
            assert!((MeshQuality::new(&mesh).minimum() - 45.0).abs() < 1e-10);
            // A mesh that does not conform has extra facets inside.
            assert_eq!(boundary_facets(&mesh).len(), 2 * (4 * 20 * 2 + 2 * 4));
        }
    }
}
