//! Consistent loads of a force density: `f_v = integral b(X) phi_v(X) dX`.
//!
//! Each cell has a symmetric rule of D + 1 points that is exact for quadratic integrands (Hammer and Stroud 1956): point `a` has
//! the barycentric coordinate `major` at corner `a` and `minor` at the others.

use pliant_mesh::SimplexMesh;

/// Barycentric coordinates of the rule: at the point's own corner, and at the others.
fn rule<const D: usize>() -> (f64, f64) {
    match D {
        2 => (2.0 / 3.0, 1.0 / 6.0),
        _ => (0.585_410_196_624_968_5, 0.138_196_601_125_010_5),
    }
}

/// Adds the load to a stacked vector of n D forces in N. O(t).
pub(crate) fn integrate_body_force<const D: usize>(
    mesh: &SimplexMesh<D>,
    density: impl Fn([f64; D]) -> [f64; D],
    force: &mut [f64],
) {
    let (major, minor) = rule::<D>();
    for (cell, corners) in mesh.cells().enumerate() {
        let share = mesh.volumes()[cell] / (D + 1) as f64;
        for point in 0..=D {
            let coordinate = |corner: usize| if corner == point { major } else { minor };
            let position = std::array::from_fn(|axis| {
                let of_corner =
                    |(corner, &vertex): (usize, &usize)| coordinate(corner) * mesh.positions()[vertex][axis];
                corners.iter().enumerate().map(of_corner).sum()
            });
            let value = density(position);
            for (corner, &vertex) in corners.iter().enumerate() {
                for axis in 0..D {
                    force[vertex * D + axis] += share * coordinate(corner) * value[axis];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_force_density_is_integrated_exactly() {
        let corners = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]];
        let mesh = SimplexMesh::<3>::new(corners, vec![0, 1, 2, 3]).unwrap();
        let mut force = vec![0.0; 12];
        integrate_body_force(&mesh, |x| [x[0], 1.0, 0.0], &mut force);
        // The integral of X phi over a simplex of volume 1: 2 (1 + delta) / 20 for the corner at X = 2.
        assert!((force[0] - 2.0 / 20.0).abs() < 1e-14);
        assert!((force[3] - 4.0 / 20.0).abs() < 1e-14);
        let total: f64 = force.iter().skip(1).step_by(3).sum();
        assert!((total - 1.0).abs() < 1e-14);
    }
}
