//! Newton steps that know frames: a frame turns along a rotation instead of being stretched by its linear step.
//!
//! For a frame `(A, t)` with the step `(dA, dt)`, `dA A^-1 = W + S` (skew and symmetric): `A' = exp(W) (I + S) A`, and `t'` such that the centre
//! `c` of the frame (the mean of the rest positions under its squared weights and mass) moves as in the linear step. To first order
//! it is the linear step, so Newton stays Newton; stiff parts that turn no longer shorten the line search. Frames that are not the identity
//! at rest (modes: turning them turns nothing), whose `A` is near singular or whose step is too large move linearly.

use pliant_basis::Subspace;
use pliant_fem::small_matrix::{
    Matrix, add_scaled, apply, cofactor, determinant, from_fn, product, transposed,
};

/// A frame is the identity at rest when the entries of its `A` are within this of it.
const IDENTITY: f64 = 1e-6;
/// A frame turns only if its determinant is above this.
const LEAST_DETERMINANT: f64 = 1e-3;
/// ... and the norm of `dA A^-1` at most this.
const LARGEST_STEP: f64 = 3.0;

/// The frames of a subspace, ready to be turned.
#[derive(Clone, Debug)]
pub(crate) struct FrameRetraction<const D: usize> {
    /// For each frame its centre, or `None` where it moves linearly.
    centres: Vec<Option<[f64; D]>>,
}

impl<const D: usize> FrameRetraction<D> {
    /// Finds the centre of every frame that may turn. Frames that touch a hard-held vertex or have a dependent column move
    /// linearly: turning them would leave the coordinates that the solve may change. O(entries of W).
    pub(crate) fn new(subspace: &Subspace<D>, held: impl Iterator<Item = usize>) -> Self {
        let frames = subspace.frame_count();
        let mut sums = vec![[0.0; D]; frames];
        let mut masses = vec![0.0; frames];
        for (vertex, position) in subspace.rest_positions().iter().enumerate() {
            let (columns, values) = subspace.weights().row(vertex);
            for (&frame, &weight) in columns.iter().zip(values) {
                let share = weight * weight * subspace.mass()[vertex];
                masses[frame] += share;
                sums[frame].iter_mut().zip(position).for_each(|(sum, x)| *sum += share * x);
            }
        }
        let mut kept_columns = vec![0; frames];
        subspace.kept_columns().iter().for_each(|column| kept_columns[column / (D + 1)] += 1);
        let rest_coordinates = subspace.rest_coordinates();
        let mut turns: Vec<bool> = rest_coordinates
            .chunks_exact(D * (D + 1))
            .enumerate()
            .map(|(frame, z)| masses[frame] > 0.0 && kept_columns[frame] == D + 1 && is_identity::<D>(z))
            .collect();
        for vertex in held {
            let (columns, values) = subspace.weights().row(vertex);
            columns.iter().zip(values).filter(|(_, weight)| **weight != 0.0).for_each(|(&frame, _)| {
                turns[frame] = false;
            });
        }
        let centre = |frame: usize| turns[frame].then(|| sums[frame].map(|sum| sum / masses[frame]));
        Self { centres: (0..frames).map(centre).collect() }
    }

    /// Adds `retract(z, dz) - z - dz` to `correction`; all three hold the columns of `[A | t]` frame by frame, r entries.
    pub(crate) fn add_correction(&self, coordinates: &[f64], step: &[f64], correction: &mut [f64]) {
        let size = D * (D + 1);
        let frames = coordinates.chunks_exact(size).zip(step.chunks_exact(size));
        for ((centre, (z, dz)), out) in self.centres.iter().zip(frames).zip(correction.chunks_exact_mut(size))
        {
            let linear: Matrix<D> = from_fn(|row, column| z[column * D + row]);
            let change: Matrix<D> = from_fn(|row, column| dz[column * D + row]);
            let Some(centre) = centre else { continue };
            let Some(excess) = rotation_excess(&linear, &change) else { continue };
            let shift = apply(&excess, centre);
            for row in 0..D {
                for column in 0..D {
                    out[column * D + row] += excess[row][column];
                }
                out[D * D + row] -= shift[row];
            }
        }
    }
}

/// Whether the columns of `[A | t]` have `A = I`.
fn is_identity<const D: usize>(coordinates: &[f64]) -> bool {
    coordinates[..D * D]
        .iter()
        .enumerate()
        .all(|(entry, value)| (value - f64::from(entry % D == entry / D)).abs() <= IDENTITY)
}

/// `exp(W) (I + S) A - A - dA`, or `None` where the frame moves linearly.
fn rotation_excess<const D: usize>(linear: &Matrix<D>, change: &Matrix<D>) -> Option<Matrix<D>> {
    let determinant = determinant(linear);
    if determinant.abs() <= LEAST_DETERMINANT {
        return None;
    }
    let inverse_transposed = cofactor(linear).map(|row| row.map(|entry| entry / determinant));
    let relative = product(change, &transposed(&inverse_transposed));
    let size: f64 = relative.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt();
    if size > LARGEST_STEP {
        return None;
    }
    let skew: Matrix<D> = from_fn(|row, column| 0.5 * (relative[row][column] - relative[column][row]));
    let stretch: Matrix<D> = from_fn(|row, column| {
        let unit = if row == column { 1.0 } else { 0.0 };
        unit + 0.5 * (relative[row][column] + relative[column][row])
    });
    // exp(W) (I + S) - I - W - S = (exp(W) - I) (I + S) - W, applied to A.
    let turned = product(&exponential_excess(&skew), &stretch);
    Some(product(&add_scaled(&turned, -1.0, &skew), linear))
}

/// `exp(W) - I` of a skew matrix (Rodrigues): `sin(a)/a W + (1 - cos a)/a^2 W^2`, `a` the angle.
fn exponential_excess<const D: usize>(skew: &Matrix<D>) -> Matrix<D> {
    let angle = skew.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt()
        * std::f64::consts::FRAC_1_SQRT_2;
    let half = 0.5 * angle;
    let sinc = |x: f64| if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x };
    let second = 0.5 * sinc(half) * sinc(half);
    add_scaled(&skew.map(|row| row.map(|entry| sinc(angle) * entry)), second, &product(skew, skew))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_fem::small_matrix::identity;

    #[test]
    fn the_exponential_of_a_skew_matrix_is_a_rotation_by_its_angle() {
        let turned = add_scaled(&identity(), 1.0, &exponential_excess(&[[0.0, -0.7], [0.7, 0.0]]));
        assert!((turned[0][0] - 0.7_f64.cos()).abs() < 1e-15 && (turned[1][0] - 0.7_f64.sin()).abs() < 1e-15);
        for scale in [1e-6, 0.3, 2.5] {
            let skew =
                [[0.0, -scale, 0.5 * scale], [scale, 0.0, -2.0 * scale], [-0.5 * scale, 2.0 * scale, 0.0]];
            let rotation = add_scaled(&identity(), 1.0, &exponential_excess(&skew));
            let unit = product(&transposed(&rotation), &rotation);
            for (row, entries) in unit.iter().enumerate() {
                for (column, entry) in entries.iter().enumerate() {
                    assert!((entry - f64::from(row == column)).abs() < 1e-14);
                }
            }
            assert!((determinant(&rotation) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn the_correction_is_second_order_in_the_step() {
        let linear = [[0.9, -0.3], [0.4, 1.1]];
        let change = |scale: f64| [[0.1 * scale, 0.5 * scale], [-0.7 * scale, 0.2 * scale]];
        let size = |scale: f64| {
            let excess: Matrix<2> = rotation_excess(&linear, &change(scale)).unwrap();
            excess.iter().flatten().map(|entry| entry * entry).sum::<f64>().sqrt()
        };
        let ratio = size(1e-3) / size(1e-4);
        assert!((ratio - 100.0).abs() < 1.0, "{ratio}");
    }

    #[test]
    fn a_singular_frame_moves_linearly() {
        assert!(rotation_excess(&[[0.0; 3]; 3], &[[0.1; 3]; 3]).is_none());
    }
}
