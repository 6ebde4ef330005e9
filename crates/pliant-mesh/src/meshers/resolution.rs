//! How fine a structured mesh is and how its bricks are cut.

use crate::MeshError;

/// More cells than this need tens of gigabytes: a wrong size rather than a wish.
pub(super) const MOST_CELLS: f64 = 1e8;

/// How fine a structured mesh is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution<const D: usize> {
    /// Edge length in m that no edge along an axis exceeds.
    CellSize(f64),
    /// Intervals along each axis, at least 1.
    Counts([usize; D]),
}

/// How the rectangles or bricks of a structured mesh are cut into cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Diagonals {
    /// Mirrored from one to the next, so that no direction is preferred (the default).
    #[default]
    Alternating,
    /// All the same way.
    Parallel,
}

impl<const D: usize> Resolution<D> {
    /// The intervals along each axis of a body from `min` to `max`, each cut into `cells_per_brick`.
    pub(super) fn counts(
        &self,
        min: [f64; D],
        max: [f64; D],
        cells_per_brick: usize,
    ) -> Result<[usize; D], MeshError> {
        for axis in 0..D {
            let length = max[axis] - min[axis];
            if !(length > 0.0 && length.is_finite()) {
                let problem = format!(
                    "the body's side {axis} goes from {} to {}; give a min below its max",
                    min[axis], max[axis]
                );
                return Err(MeshError::InvalidMesher { problem });
            }
        }
        let counts = match *self {
            Self::Counts(counts) => counts.map(|count| count as f64),
            Self::CellSize(size) => {
                check_cell_size(size)?;
                // A length that is a multiple of the size up to rounding gets no extra interval.
                std::array::from_fn(|axis| ((max[axis] - min[axis]) / size * (1.0 - 1e-12)).ceil())
            }
        };
        if counts.contains(&0.0) {
            let problem = "a side has 0 intervals; give at least 1".to_owned();
            return Err(MeshError::InvalidMesher { problem });
        }
        check_cell_count(counts.iter().product::<f64>() * cells_per_brick as f64)?;
        Ok(counts.map(|count| count as usize))
    }
}

/// Refuses a size that is no length.
pub(crate) fn check_cell_size(size: f64) -> Result<(), MeshError> {
    if size > 0.0 && size.is_finite() {
        return Ok(());
    }
    let problem = format!("the cell size is {size}; give a positive length in m");
    Err(MeshError::InvalidMesher { problem })
}

/// Refuses a mesh that would not fit in memory.
pub(crate) fn check_cell_count(cells: f64) -> Result<(), MeshError> {
    if cells <= MOST_CELLS {
        return Ok(());
    }
    let problem = format!(
        "the mesh would have about {cells:.1e} cells, more than {MOST_CELLS:.0e}; give a larger cell size"
    );
    Err(MeshError::InvalidMesher { problem })
}

/// Point `index` of `count` intervals from `min` to `max`; the ends are met exactly.
pub(super) fn grid_point(min: f64, max: f64, index: usize, count: usize) -> f64 {
    if index == count { max } else { min + (max - min) * (index as f64 / count as f64) }
}
