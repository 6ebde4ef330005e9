//! Points in the plane of which those closer than a tolerance are one.

use std::collections::HashMap;

/// Points with numbers; a point near an earlier one gets its number.
#[derive(Clone, Debug)]
pub(super) struct WeldedPoints {
    tolerance: f64,
    points: Vec<[f64; 2]>,
    by_square: HashMap<[i64; 2], Vec<usize>>,
}

impl WeldedPoints {
    pub fn new(tolerance: f64) -> Self {
        Self { tolerance, points: Vec::new(), by_square: HashMap::new() }
    }

    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The number of the first point within the tolerance, or a new one.
    pub fn add(&mut self, point: [f64; 2]) -> usize {
        let square = point.map(|value| (value / self.tolerance).floor() as i64);
        let near = (-1..=1).flat_map(|right| (-1..=1).map(move |up| [right, up]));
        let found = near
            .filter_map(|[right, up]| {
                self.by_square.get(&[square[0].saturating_add(right), square[1].saturating_add(up)])
            })
            .flatten()
            .copied()
            .filter(|&number| {
                let other = self.points[number];
                (other[0] - point[0]).hypot(other[1] - point[1]) <= self.tolerance
            })
            .min();
        found.unwrap_or_else(|| {
            self.points.push(point);
            self.by_square.entry(square).or_default().push(self.points.len() - 1);
            self.points.len() - 1
        })
    }
}
