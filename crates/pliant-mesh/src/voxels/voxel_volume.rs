//! Values on a regular grid of voxels in space.
//!
//! Voxel (i, j, k) has its centre at `origin + i a + j b + k c`; its value is number `i + nx (j + ny k)`.

use crate::MeshError;

/// Where the voxels lie.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelGrid {
    /// Voxels along each axis of the grid.
    pub counts: [usize; 3],
    /// Centre of the first voxel, in m.
    pub origin: [f64; 3],
    /// Steps from a voxel to the next along each axis of the grid, in m.
    pub steps: [[f64; 3]; 3],
}

/// A grid of voxels with one finite value each.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelVolume {
    grid: VoxelGrid,
    inverse: [[f64; 3]; 3],
    values: Vec<f32>,
}

impl VoxelVolume {
    /// A volume from its values, the first axis fastest. Whole numbers are exact up to 16 million.
    ///
    /// # Errors
    /// [`MeshError::InvalidVoxels`]: no voxels, another number of values, a value that is not finite, or steps that span no
    /// volume.
    pub fn new(grid: VoxelGrid, values: Vec<f32>) -> Result<Self, MeshError> {
        let refused = |problem: String| Err(MeshError::InvalidVoxels { problem });
        let count = grid.counts.iter().try_fold(1usize, |product, &count| product.checked_mul(count));
        if count != Some(values.len()) || values.is_empty() {
            return refused(format!(
                "{} values do not fill {:?} voxels; give one for each",
                values.len(),
                grid.counts
            ));
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return refused(format!(
                "voxel {index} has the value {}; every value must be finite",
                values[index]
            ));
        }
        let numbers = grid.origin.iter().chain(grid.steps.iter().flatten());
        let Some(inverse) = inverse(grid.steps).filter(|_| numbers.clone().all(|value| value.is_finite()))
        else {
            return refused(format!(
                "the voxel steps {:?} span no volume; give three directions",
                grid.steps
            ));
        };
        Ok(Self { grid, inverse, values })
    }

    /// Where the voxels lie.
    pub fn grid(&self) -> &VoxelGrid {
        &self.grid
    }

    /// One value a voxel, the first axis fastest.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Volume of one voxel, in m^3.
    pub fn voxel_volume(&self) -> f64 {
        determinant(self.grid.steps).abs()
    }

    /// The value between voxel centres, linear along each axis; none farther than half a voxel outside of the grid.
    pub fn sample(&self, point: [f64; 3]) -> Option<f64> {
        let place = self.grid_coordinates(point);
        let inside = (0..3).all(|axis| (-0.5..=self.grid.counts[axis] as f64 - 0.5).contains(&place[axis]));
        let clamped = std::array::from_fn(|axis| place[axis].clamp(0.0, self.grid.counts[axis] as f64 - 1.0));
        let value = |(index, weight): (Option<usize>, f64)| {
            index.map_or(0.0, |index| weight * f64::from(self.values[index]))
        };
        inside.then(|| self.corners(clamped).into_iter().map(value).sum())
    }

    /// A point in units of voxels, 0 at the centre of the first.
    pub(crate) fn grid_coordinates(&self, point: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|row| {
            (0..3).map(|axis| self.inverse[row][axis] * (point[axis] - self.grid.origin[axis])).sum()
        })
    }

    /// The eight voxels around a point of the grid, none outside, with weights that add up to 1.
    pub(crate) fn corners(&self, place: [f64; 3]) -> [(Option<usize>, f64); 8] {
        let low = place.map(f64::floor);
        std::array::from_fn(|corner| {
            let (mut index, mut stride, mut weight) = (Some(0), 1, 1.0);
            for axis in 0..3 {
                let up = corner >> axis & 1;
                let fraction = place[axis] - low[axis];
                weight *= if up == 1 { fraction } else { 1.0 - fraction };
                let at = low[axis] + up as f64;
                let inside = at >= 0.0 && at < self.grid.counts[axis] as f64;
                index = index.filter(|_| inside).map(|index| index + stride * at as usize);
                stride *= self.grid.counts[axis];
            }
            (index, weight)
        })
    }

    /// The corner points of the block of voxels from `low` to `high`, half a voxel around them, in m.
    pub(crate) fn block_corners(&self, low: [usize; 3], high: [usize; 3]) -> [[f64; 3]; 8] {
        std::array::from_fn(|corner| {
            let place: [f64; 3] = std::array::from_fn(|axis| {
                if corner >> axis & 1 == 1 { high[axis] as f64 + 0.5 } else { low[axis] as f64 - 0.5 }
            });
            std::array::from_fn(|axis| {
                self.grid.origin[axis]
                    + (0..3).map(|step| place[step] * self.grid.steps[step][axis]).sum::<f64>()
            })
        })
    }
}

fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// The rows that give grid coordinates; none if the steps are (almost) in one plane.
fn inverse(steps: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let lengths = steps.map(|step| step.iter().map(|value| value * value).sum::<f64>().sqrt());
    let determinant = determinant(steps);
    let flatness = determinant.abs() / lengths.iter().product::<f64>();
    (determinant.is_normal() && flatness > 1e-6).then(|| {
        std::array::from_fn(|row| {
            let (a, b) = (steps[(row + 1) % 3], steps[(row + 2) % 3]);
            std::array::from_fn(|axis| {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                (a[u] * b[v] - a[v] * b[u]) / determinant
            })
        })
    })
}
