//! A structured mesh of a rectangle.

use super::resolution::{Diagonals, Resolution, grid_point};
use crate::{MeshError, SimplexMesh};

/// The rectangle and how it is meshed.
#[derive(Clone, Debug, PartialEq)]
pub struct RectangleOptions {
    /// Lowest corner in m; default (0, 0).
    pub min: [f64; 2],
    /// Highest corner in m; default (1, 1).
    pub max: [f64; 2],
    /// Default: a cell size of 0.1 m.
    pub resolution: Resolution<2>,
    /// Default: alternating.
    pub diagonals: Diagonals,
}

impl Default for RectangleOptions {
    fn default() -> Self {
        Self {
            min: [0.0; 2],
            max: [1.0; 2],
            resolution: Resolution::CellSize(0.1),
            diagonals: Diagonals::default(),
        }
    }
}

/// A mesh of right triangles, two for each grid rectangle; vertices column by column from the lowest corner.
///
/// Square grid cells give a minimum angle of 45 degrees. O(n).
///
/// # Errors
/// Corners in the wrong order, a cell size that is no positive length, no interval, or more than 1e8 cells.
pub fn rectangle(options: &RectangleOptions) -> Result<SimplexMesh<2>, MeshError> {
    let (min, max) = (options.min, options.max);
    let counts = options.resolution.counts(min, max, 2)?;
    let mut positions = Vec::with_capacity((counts[0] + 1) * (counts[1] + 1));
    for i in 0..=counts[0] {
        let x = grid_point(min[0], max[0], i, counts[0]);
        positions.extend((0..=counts[1]).map(|j| [x, grid_point(min[1], max[1], j, counts[1])]));
    }
    let vertex = |i: usize, j: usize| i * (counts[1] + 1) + j;
    let mut cells = Vec::with_capacity(6 * counts[0] * counts[1]);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            if options.diagonals == Diagonals::Parallel || (i + j) % 2 == 0 {
                cells.extend([a, b, c, a, c, d]);
            } else {
                cells.extend([a, b, d, b, c, d]);
            }
        }
    }
    SimplexMesh::new(positions, cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshQuality;

    #[test]
    fn a_slender_rectangle_has_square_grid_cells_and_exact_corners() {
        let options = RectangleOptions {
            max: [1.0, 0.1],
            resolution: Resolution::CellSize(0.02),
            ..Default::default()
        };
        let mesh = rectangle(&options).unwrap();
        assert_eq!((mesh.vertex_count(), mesh.cell_count()), (51 * 6, 50 * 5 * 2));
        assert_eq!(mesh.bounding_box(), ([0.0, 0.0], [1.0, 0.1]));
        assert!((mesh.volume() - 0.1).abs() < 1e-15);
        assert!((MeshQuality::new(&mesh).minimum() - 45.0).abs() < 1e-10);
    }

    #[test]
    fn alternating_diagonals_make_the_mesh_symmetric() {
        let mesh = |diagonals| {
            let resolution = Resolution::Counts([2, 2]);
            rectangle(&RectangleOptions { resolution, diagonals, ..Default::default() }).unwrap()
        };
        let centre_cells = |mesh: &SimplexMesh<2>| mesh.cells().filter(|cell| cell.contains(&4)).count();
        assert_eq!(centre_cells(&mesh(Diagonals::Alternating)), 8);
        assert_eq!(centre_cells(&mesh(Diagonals::Parallel)), 6);
    }

    #[test]
    fn senseless_options_are_refused_with_a_sentence() {
        let refused = |options: RectangleOptions| rectangle(&options).unwrap_err().to_string();
        let sized = |size| RectangleOptions { resolution: Resolution::CellSize(size), ..Default::default() };
        assert_eq!(refused(sized(0.0)), "the cell size is 0; give a positive length in m");
        assert_eq!(refused(sized(f64::NAN)), "the cell size is NaN; give a positive length in m");
        assert_eq!(
            refused(sized(1e-9)),
            "the mesh would have about 2.0e18 cells, more than 1e8; give a larger cell size"
        );
        assert_eq!(
            refused(RectangleOptions { max: [1.0, 0.0], ..Default::default() }),
            "the body's side 1 goes from 0 to 0; give a min below its max"
        );
        assert_eq!(
            refused(RectangleOptions { resolution: Resolution::Counts([0, 3]), ..Default::default() }),
            "a side has 0 intervals; give at least 1"
        );
    }
}
