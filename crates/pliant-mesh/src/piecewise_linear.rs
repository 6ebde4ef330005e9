//! A function of one number that is linear between given points, for example grey value to modulus.

use crate::simplex_mesh::in_space;
use crate::{MeshError, SimplexMesh, VoxelVolume};

/// A piecewise-linear function, constant beyond its first and last point.
#[derive(Clone, Debug, PartialEq)]
pub struct PiecewiseLinear {
    points: Vec<[f64; 2]>,
}

impl PiecewiseLinear {
    /// Through the points (x, y), x ascending.
    ///
    /// # Errors
    /// No point, a number that is not finite, or an x that is not above the one before.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, MeshError> {
        let refused = |problem: String| Err(MeshError::InvalidTable { problem });
        if points.is_empty() {
            return refused("the table has no point; give at least one".to_owned());
        }
        if let Some(index) = points.iter().position(|point| !point.iter().all(|value| value.is_finite())) {
            return refused(format!("point {index} (from 0) of the table is not finite"));
        }
        if let Some(index) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            return refused(format!(
                "point {} (from 0) of the table has the value {} after {}; give ascending values",
                index + 1,
                points[index + 1][0],
                points[index][0]
            ));
        }
        Ok(Self { points })
    }

    /// The value at x.
    pub fn at(&self, x: f64) -> f64 {
        let next = self.points.partition_point(|point| point[0] <= x);
        match (next.checked_sub(1).map(|last| self.points[last]), self.points.get(next)) {
            (Some([x0, y0]), Some([x1, y1])) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
            (Some([_, y]), None) => y,
            (None, _) => self.points[0][1],
        }
    }
}

impl VoxelVolume {
    /// The value at the centroid of every cell, linear between voxel centres; cells of the plane lie at z = 0. O(t).
    ///
    /// # Errors
    /// A cell whose centroid lies outside of the volume.
    pub fn at_cells<const D: usize>(&self, mesh: &SimplexMesh<D>) -> Result<Vec<f64>, MeshError> {
        (0..mesh.cell_count())
            .map(|cell| {
                let [x, y, z] = in_space(&mesh.centroid(cell));
                self.sample([x, y, z]).ok_or_else(|| MeshError::InvalidVoxels {
                    problem: format!(
                        "the centroid ({x}, {y}, {z}) of cell {cell} lies outside of the voxels; check the unit and the origin of both"
                    ),
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxOptions, VoxelGrid, box_mesh};

    #[test]
    fn it_is_linear_between_points_and_constant_beyond() {
        let table = PiecewiseLinear::new(vec![[0.0, 1.0], [10.0, 2.0], [20.0, 0.0]]).unwrap();
        for (x, y) in
            [(-5.0, 1.0), (0.0, 1.0), (5.0, 1.5), (10.0, 2.0), (15.0, 1.0), (20.0, 0.0), (99.0, 0.0)]
        {
            assert_eq!(table.at(x), y, "{x}");
        }
        assert_eq!(PiecewiseLinear::new(vec![[3.0, 7.0]]).unwrap().at(0.0), 7.0);
        for points in [vec![], vec![[0.0, f64::NAN]], vec![[1.0, 0.0], [1.0, 1.0]]] {
            assert!(PiecewiseLinear::new(points).is_err());
        }
    }

    #[test]
    fn cells_take_a_field_that_is_linear_in_space_exactly() {
        let mesh = box_mesh(&BoxOptions::default()).unwrap();
        let grid = VoxelGrid {
            counts: [3, 3, 3],
            origin: [-0.1, -0.1, -0.1],
            steps: [[0.6, 0.0, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 0.6]],
        };
        let values = (0..27).map(|index| (index % 3) as f32).collect();
        let volume = VoxelVolume::new(grid, values).unwrap();
        for (cell, value) in volume.at_cells(&mesh).unwrap().into_iter().enumerate() {
            assert!((value - (mesh.centroid(cell)[0] + 0.1) / 0.6).abs() < 1e-12);
        }
        let grid = VoxelGrid { origin: [0.5; 3], ..volume.grid().clone() };
        let moved = VoxelVolume::new(grid, volume.values().to_vec()).unwrap();
        assert!(moved.at_cells(&mesh).unwrap_err().to_string().contains("of cell 0 lies outside"));
    }
}
