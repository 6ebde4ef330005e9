//! A guess that a mesh is in millimetres: a body too large for what it is made of.
//!
//! The strain under its own weight is about `rho g L / E`; above 1 no body stands.

use pliant::mesh::SimplexMesh;

/// Gravity in m/s^2.
const GRAVITY: f64 = 9.8;
/// Density of what has none, in kg/m^3: water.
const DENSITY: f64 = 1_000.0;
/// A body of unknown material that is longer than this, in m, is rare.
const LONG: f64 = 50.0;

/// What to say about a body with this longest side in m, and the stiffest E in Pa and its density, where they are known.
pub fn units_hint(longest: f64, material: Option<(f64, Option<f64>)>) -> Option<String> {
    let remedy = "if its lengths are millimetres, multiply them by 0.001 (pliant convert --scale 0.001)";
    match material {
        Some((modulus, density)) => {
            let strain = density.unwrap_or(DENSITY) * GRAVITY * longest / modulus;
            (strain > 1.0 && longest > 1.0).then(|| {
                format!("a body {longest:.1} m long of E = {modulus:e} Pa cannot stand under its own weight: {remedy}")
            })
        }
        None => (longest > LONG).then(|| format!("the body is {longest:.1} m long: {remedy}")),
    }
}

/// The longest side of the bounding box in m.
pub fn longest_side<const D: usize>(mesh: &SimplexMesh<D>) -> f64 {
    let (low, high) = mesh.bounding_box();
    (0..D).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max)
}

/// The greatest E with the density of its cell; nothing where no E is positive.
pub fn stiffest(youngs_modulus: &[f64], density: Option<&[f64]>) -> Option<(f64, Option<f64>)> {
    let cell = (0..youngs_modulus.len()).max_by(|&a, &b| youngs_modulus[a].total_cmp(&youngs_modulus[b]))?;
    let modulus = youngs_modulus[cell];
    (modulus > 0.0).then(|| (modulus, density.map(|density| density[cell])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bodies_too_large_for_their_stiffness_are_questioned() {
        assert!(units_hint(150.0, Some((1e5, None))).unwrap().contains("0.001"));
        assert!(units_hint(150.0, None).is_some());
        assert_eq!(units_hint(0.15, Some((1e5, Some(1e3)))), None);
        assert_eq!(units_hint(5.0, Some((1e6, Some(1.0)))), None);
        assert_eq!(units_hint(150.0, Some((2e11, Some(7_800.0)))), None);
        assert_eq!(units_hint(5.0, None), None);
    }
}
