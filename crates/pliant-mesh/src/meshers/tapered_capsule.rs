//! The shape of the tentacle: a capsule along x whose radius falls from one end to the other.
//!
//! Radius 0.6 m at x = 0 and 0.45 m at x = 4, linear between, a half disc (2D) or half ball (3D) of the same radius on
//! each end, so that it spans x from -0.6 to 4.45. Two soft joints lie between three stiff bones.

/// Where the straight side ends, in m; it begins at x = 0.
pub(super) const LENGTH: f64 = 4.0;
/// Radii at x = 0 and x = `LENGTH`, in m.
pub(super) const RADII: [f64; 2] = [0.6, 0.45];
/// The planes between regions, in m.
pub(super) const INTERFACES: [f64; 4] = [0.9, 1.5, 2.5, 3.1];
/// Names of the regions.
pub(super) const REGIONS: [&str; 2] = ["bone", "joint"];
/// Index in `REGIONS` for each of the five segments between the interfaces.
pub(super) const SEGMENT_REGIONS: [usize; 5] = [0, 1, 0, 1, 0];

/// Radius of the straight side at x, in m, also beyond its ends.
pub(super) fn side_radius(x: f64) -> f64 {
    RADII[0] + (RADII[1] - RADII[0]) * (x / LENGTH)
}

/// The segment, 0 to 4, in which x lies.
pub(super) fn segment(x: f64) -> usize {
    INTERFACES.iter().filter(|&&interface| x > interface).count()
}
