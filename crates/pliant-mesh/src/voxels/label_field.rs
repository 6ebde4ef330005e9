//! The labels of a voxel volume between voxel centres: each label is 1 at its voxels and 0 elsewhere, linear along each
//! axis between centres; the greatest wins, of equal ones the lowest. A gain for each label moves its interfaces outwards.

use super::voxel_volume::VoxelVolume;
use crate::MeshError;

/// Labels beyond this are values, not labels.
const MOST_LABELS: usize = 10_000;

/// A volume of labels, numbered from 1 in ascending order; 0 is the background and what lies around the volume.
pub(super) struct LabelField<'a> {
    volume: &'a VoxelVolume,
    /// The label's number of every voxel.
    numbers: Vec<u32>,
    /// The labels, ascending, without the background.
    labels: Vec<u32>,
    /// Voxels of each label.
    counts: Vec<usize>,
    /// The factor of each label's number, 1 for the background.
    gains: Vec<f64>,
}

impl<'a> LabelField<'a> {
    pub fn new(volume: &'a VoxelVolume, background: u32) -> Result<Self, MeshError> {
        let mut labels: Vec<u32> = Vec::new();
        let mut last = background;
        for (index, &value) in volume.values().iter().enumerate() {
            let label = value as u32;
            if label as f32 != value {
                let problem = format!("voxel {index} has the value {value}; labels are whole numbers from 0");
                return Err(MeshError::InvalidVoxels { problem });
            }
            if label == last || label == background {
                continue;
            }
            last = label;
            if let Err(place) = labels.binary_search(&label) {
                labels.insert(place, label);
                if labels.len() > MOST_LABELS {
                    let problem =
                        format!("the volume has more than {MOST_LABELS} different labels; it holds values");
                    return Err(MeshError::InvalidVoxels { problem });
                }
            }
        }
        let mut counts = vec![0; labels.len()];
        let numbers = volume
            .values()
            .iter()
            .map(|&value| match labels.binary_search(&(value as u32)) {
                Ok(place) => {
                    counts[place] += 1;
                    place as u32 + 1
                }
                Err(_) => 0,
            })
            .collect();
        let gains = vec![1.0; labels.len() + 1];
        Ok(Self { volume, numbers, labels, counts, gains })
    }

    /// The labels, ascending, each with its number of voxels.
    pub fn labels(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.labels.iter().copied().zip(self.counts.iter().copied())
    }

    /// Lowest and highest voxel on each axis that is not background; none if all is.
    pub fn block(&self) -> Option<([usize; 3], [usize; 3])> {
        let [nx, ny, _] = self.volume.grid().counts;
        let mut block: Option<([usize; 3], [usize; 3])> = None;
        for (index, _) in self.numbers.iter().enumerate().filter(|&(_, &number)| number != 0) {
            let place = [index % nx, index / nx % ny, index / (nx * ny)];
            let (low, high) = block.get_or_insert((place, place));
            for axis in 0..3 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        block
    }

    /// For each label how much its volume grows with the logarithm of its gain, about, in m^3.
    ///
    /// An interface at right angles to an axis moves by a quarter of a voxel.
    pub fn sensitivities(&self) -> Vec<f64> {
        let [nx, ny, nz] = self.volume.grid().counts;
        let mut faces = vec![0usize; self.labels.len() + 1];
        for (index, &number) in self.numbers.iter().enumerate() {
            let place = [index % nx, index / nx % ny, index / (nx * ny)];
            for (axis, (count, stride)) in [(nx, 1), (ny, nx), (nz, nx * ny)].into_iter().enumerate() {
                if place[axis] == 0 {
                    faces[number as usize] += 1;
                }
                let next = if place[axis] + 1 < count { self.numbers[index + stride] } else { 0 };
                if next != number {
                    faces[number as usize] += 1;
                    faces[next as usize] += 1;
                }
            }
        }
        faces[1..].iter().map(|&count| 0.25 * count as f64 * self.volume.voxel_volume()).collect()
    }

    /// Multiplies the gain of each label.
    pub fn raise(&mut self, factors: &[f64]) {
        for (gain, factor) in self.gains[1..].iter_mut().zip(factors) {
            *gain *= factor;
        }
    }

    /// The number of the label at a point.
    pub fn number(&self, point: [f64; 3]) -> u32 {
        let corners = self.corners(point);
        let weight = |number: u32| {
            corners.iter().filter(|corner| corner.0 == number).map(|corner| corner.1).sum::<f64>()
        };
        let mut best = (0.0, u32::MAX);
        for &(number, _) in &corners {
            let weight = weight(number);
            if weight > best.0 || (weight == best.0 && number < best.1) {
                best = (weight, number);
            }
        }
        best.1
    }

    /// Where between two points of different labels the first gives way to the second, as a fraction.
    pub fn cut(&self, from: ([f64; 3], u32), to: ([f64; 3], u32)) -> f64 {
        /// Halvings of the edge: to a billionth.
        const STEPS: usize = 30;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..STEPS {
            let middle = 0.5 * (low + high);
            let point = std::array::from_fn(|axis| from.0[axis] + middle * (to.0[axis] - from.0[axis]));
            let difference: f64 = self
                .corners(point)
                .into_iter()
                .map(|(number, weight)| {
                    if number == from.1 {
                        weight
                    } else if number == to.1 {
                        -weight
                    } else {
                        0.0
                    }
                })
                .sum();
            if difference > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    fn corners(&self, point: [f64; 3]) -> [(u32, f64); 8] {
        let corners = self.volume.corners(self.volume.grid_coordinates(point));
        corners.map(|(index, weight)| {
            let number = index.map_or(0, |index| self.numbers[index]);
            (number, weight * self.gains[number as usize])
        })
    }
}
