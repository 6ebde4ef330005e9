//! Where a body is seen from, and where its points come to lie in the picture.

/// An orthographic view: three unit vectors, orthogonal to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    right: [f64; 3],
    up: [f64; 3],
    toward: [f64; 3],
}

impl Viewpoint {
    /// The plane of the page as it is: x to the right, y up. The only view of a 2D body.
    pub const FRONT: Self = Self { right: [1.0, 0.0, 0.0], up: [0.0, 1.0, 0.0], toward: [0.0, 0.0, 1.0] };

    /// A view of a 3D body whose axis `up` (0, 1 or 2) stands upright, from `azimuth_degrees` to the right of its front and from
    /// `elevation_degrees` above. The front is where the first of the other two axes runs to the right.
    pub fn new(up: usize, azimuth_degrees: f64, elevation_degrees: f64) -> Self {
        let (sin_a, cos_a) = azimuth_degrees.to_radians().sin_cos();
        let (sin_e, cos_e) = elevation_degrees.to_radians().sin_cos();
        // In axes with y upright and z to the viewer, then back into the body's.
        let (first, front, sign) = match up {
            0 => (1, 2, 1.0),
            1 => (0, 2, 1.0),
            _ => (0, 1, -1.0),
        };
        let placed = |x: f64, y: f64, z: f64| {
            let mut vector = [0.0; 3];
            vector[first] = x;
            vector[up.min(2)] = y;
            vector[front] = sign * z;
            vector
        };
        Self {
            right: placed(cos_a, 0.0, -sin_a),
            up: placed(-sin_a * sin_e, cos_e, -cos_a * sin_e),
            toward: placed(sin_a * cos_e, sin_e, cos_a * cos_e),
        }
    }

    /// Right, up and toward the viewer, in m.
    pub fn project<const D: usize>(&self, position: &[f64; D]) -> [f64; 3] {
        let dot = |axis: &[f64; 3]| axis.iter().zip(position).map(|(a, x)| a * x).sum();
        [dot(&self.right), dot(&self.up), dot(&self.toward)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_a_view_are_orthonormal_and_the_upright_axis_points_up() {
        for up in 0..3 {
            let view = Viewpoint::new(up, 30.0, 20.0);
            let axes = [view.right, view.up, view.toward];
            for (i, a) in axes.iter().enumerate() {
                for (j, b) in axes.iter().enumerate() {
                    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
                }
            }
            let mut upright = [0.0; 3];
            upright[up] = 1.0;
            let [right, above, _] = view.project(&upright);
            assert!(right.abs() < 1e-12 && above > 0.9, "{up}");
        }
        assert_eq!(Viewpoint::new(1, 0.0, 0.0).project(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }
}
