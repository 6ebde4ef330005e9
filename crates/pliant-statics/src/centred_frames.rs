//! The frames of a subspace with an origin and a unit of length of their own: columns `w (X - c) / s` and `w`, without unit.
//!
//! With `c = sum_v w^2 X / sum_v w^2` and `s^2 = sum_v w^2 |X - c|^2 / sum_v w^2` the columns of a frame are orthogonal and of like
//! size. They span what `w X` and `w` span, but factorisations in them lose no digits where the body is far from the origin, very
//! small or very large.

use pliant_basis::Subspace;

/// `c` and `s` of every frame.
#[derive(Clone, Debug)]
pub(crate) struct CentredFrames<const D: usize> {
    /// In m; 0 for a frame without weight.
    centres: Vec<[f64; D]>,
    /// In m; 1 for a frame that weighs one point alone.
    sizes: Vec<f64>,
}

impl<const D: usize> CentredFrames<D> {
    /// O(entries of the weights).
    pub(crate) fn new(subspace: &Subspace<D>) -> Self {
        let (weights, positions) = (subspace.weights(), subspace.rest_positions());
        let frames = weights.frame_count();
        let mut totals = vec![0.0; frames];
        let mut centres = vec![[0.0; D]; frames];
        let mut sizes = vec![0.0; frames];
        let entries = || {
            positions.iter().enumerate().flat_map(|(vertex, position)| {
                let (frames, values) = weights.row(vertex);
                frames.iter().zip(values).map(move |(&frame, weight)| (frame, weight * weight, position))
            })
        };
        for (frame, share, position) in entries() {
            totals[frame] += share;
            centres[frame].iter_mut().zip(position).for_each(|(sum, x)| *sum += share * x);
        }
        for (centre, &total) in centres.iter_mut().zip(&totals).filter(|(_, total)| **total > 0.0) {
            centre.iter_mut().for_each(|sum| *sum /= total);
        }
        for (frame, share, position) in entries() {
            let offsets = position.iter().zip(&centres[frame]).map(|(x, c)| x - c);
            sizes[frame] += share * offsets.map(|offset| offset * offset).sum::<f64>();
        }
        for (size, total) in sizes.iter_mut().zip(totals) {
            *size = if *size > 0.0 { (*size / total).sqrt() } else { 1.0 };
        }
        Self { centres, sizes }
    }

    /// The entry of column `h` of a frame: `weight (X_h - c_h) / s`, or the weight itself for `h = D`.
    pub(crate) fn entry(&self, frame: usize, h: usize, weight: f64, position: &[f64; D]) -> f64 {
        if h < D { weight * (position[h] - self.centres[frame][h]) / self.sizes[frame] } else { weight }
    }

    /// Adds what a coordinate of column `h` of a frame stands for to the coordinates of the subspace (r), those of `w X` and `w`.
    pub(crate) fn add_to(&self, coordinates: &mut [f64], frame: usize, h: usize, axis: usize, value: f64) {
        let at = |h: usize| (frame * (D + 1) + h) * D + axis;
        if h < D {
            coordinates[at(h)] += value / self.sizes[frame];
            coordinates[at(D)] -= value * self.centres[frame][h] / self.sizes[frame];
        } else {
            coordinates[at(D)] += value;
        }
    }
}
