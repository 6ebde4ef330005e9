//! Circular and elliptic arcs as chains of straight pieces.

use std::f64::consts::{PI, TAU};

/// A piece of an arc with this radius spans at most this angle, so that it is off by at most the tolerance.
fn largest_step(radius: f64, tolerance: f64) -> f64 {
    if radius <= tolerance { PI / 2.0 } else { (2.0 * (1.0 - tolerance / radius).acos()).min(PI / 4.0) }
}

/// Pieces for a sweep; never so many that a wrong radius fills the memory.
fn pieces(radius: f64, sweep: f64, tolerance: f64) -> usize {
    const MOST: f64 = 100_000.0;
    (sweep.abs() / largest_step(radius, tolerance)).ceil().clamp(1.0, MOST) as usize
}

/// Points of an ellipse `center + cos(t) a + sin(t) b` from one angle over a sweep, both ends with them.
pub(super) fn ellipse_arc(
    center: [f64; 2],
    axes: [[f64; 2]; 2],
    start: f64,
    sweep: f64,
    tolerance: f64,
) -> Vec<[f64; 2]> {
    let radius = axes.map(|[x, y]| x.hypot(y)).into_iter().fold(0.0, f64::max);
    let count = pieces(radius, sweep, tolerance);
    (0..=count)
        .map(|index| {
            let (sin, cos) = (start + sweep * index as f64 / count as f64).sin_cos();
            std::array::from_fn(|axis| center[axis] + cos * axes[0][axis] + sin * axes[1][axis])
        })
        .collect()
}

/// Points of a whole circle, each once.
pub(super) fn circle(center: [f64; 2], radius: f64, tolerance: f64) -> Vec<[f64; 2]> {
    let mut points = ellipse_arc(center, [[radius, 0.0], [0.0, radius]], 0.0, TAU, tolerance);
    points.pop();
    points
}

/// Points between two ends of an arc whose bulge is the tangent of a quarter of its angle, without the ends.
pub(super) fn bulge_arc(from: [f64; 2], to: [f64; 2], bulge: f64, tolerance: f64) -> Vec<[f64; 2]> {
    let sweep = 4.0 * bulge.atan();
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let half = 0.5 * dx.hypot(dy);
    if half == 0.0 || sweep.abs() < 1e-9 {
        return Vec::new();
    }
    // The centre stands to the left of the chord, by a signed height.
    let height = half / (0.5 * sweep).tan();
    let center = [
        0.5 * (from[0] + to[0]) - height * dy / (2.0 * half),
        0.5 * (from[1] + to[1]) + height * dx / (2.0 * half),
    ];
    let radius = (from[0] - center[0]).hypot(from[1] - center[1]);
    let start = (from[1] - center[1]).atan2(from[0] - center[0]);
    let mut points = ellipse_arc(center, [[radius, 0.0], [0.0, radius]], start, sweep, tolerance);
    points.pop();
    points.remove(0);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bulge_of_one_is_half_a_circle_to_the_right_of_the_chord() {
        let points = bulge_arc([-1.0, 0.0], [1.0, 0.0], 1.0, 1e-3);
        assert!(points.len() > 20);
        for [x, y] in points {
            assert!((x.hypot(y) - 1.0).abs() < 1e-12 && y < 0.0, "{x} {y}");
        }
    }

    #[test]
    fn pieces_are_off_by_at_most_the_tolerance_and_finite_in_number() {
        let points = circle([3.0, 4.0], 2.0, 0.01);
        let middle: [f64; 2] = std::array::from_fn(|axis| 0.5 * (points[0][axis] + points[1][axis]));
        let sagitta = 2.0 - (middle[0] - 3.0).hypot(middle[1] - 4.0);
        assert!(sagitta > 0.0 && sagitta <= 0.01 + 1e-12, "{sagitta}");
        assert!(circle([0.0; 2], 1e30, 1e-9).len() <= 100_000);
        assert!(circle([0.0; 2], 1e-3, 1.0).len() >= 4);
    }
}
