//! Moves lattice vertices that are close to an interface onto it, so that no piece of a cut tetrahedron is thin.
//!
//! A cut closer to a vertex than [`LONG`] of a long edge or [`SHORT`] of a short one *violates* it; the vertex then moves to
//! its nearest such cut (Labelle and Shewchuk 2007, section 3). A tetrahedron with all four vertices moved has no bound on
//! its angles. Beside the outside such a cell is left out, as in the paper; between labels it cannot be, so a vertex moves
//! only if that leaves it well shaped, and otherwise its cuts move away from it.

use super::labelling::{Labelling, OUTSIDE};
use super::lattice::{Site, around_vertex, direction, directions, moved};
use crate::mesh_parts::signed_volume;
use crate::quality::minimum_dihedral_angle;

/// A cut this close to an end of a long edge violates it, as a fraction of the edge.
pub(super) const LONG: f64 = 0.285;
/// The same of a short edge.
pub(super) const SHORT: f64 = 0.395;

/// A cell of four moved vertices must have at least this smallest dihedral angle, in degrees.
const LEAST_ANGLE: f64 = 11.0;

/// The fraction within which a cut violates the vertex that an edge in this direction starts at.
pub(super) fn violation(direction: usize) -> f64 {
    if direction % 7 < 3 { LONG } else { SHORT }
}

/// Moves every violated vertex, in the order of their numbers.
pub(super) fn snap_violated_vertices(labelling: &mut Labelling) {
    for index in labelling.near_interface() {
        let site = labelling.lattice().site(index);
        let mut cuts: Vec<(f64, usize, f64)> = directions()
            .filter_map(|(index, _)| {
                let fraction = labelling.cut(site, index).filter(|&cut| cut < violation(index))?;
                Some((fraction * labelling.lattice().edge_length(index), index, fraction))
            })
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let target = cuts
            .iter()
            .map(|&(_, index, fraction)| along(labelling, site, index, fraction))
            .find(|&position| may_move(labelling, site, position));
        match target {
            Some(position) => labelling.snap(site, position),
            None => {
                for &(_, index, _) in &cuts {
                    labelling.set_cut(site, index, violation(index));
                }
            }
        }
    }
}

/// The point of an edge at a fraction from its start.
pub(super) fn along(labelling: &Labelling, site: Site, index: usize, fraction: f64) -> [f64; 3] {
    let from = labelling.lattice().position(site);
    let to = labelling.lattice().position(moved(site, direction(index)));
    std::array::from_fn(|axis| from[axis] + fraction * (to[axis] - from[axis]))
}

/// Whether a vertex may go there: each cell that would then have four moved vertices is left out or well shaped.
pub(super) fn may_move(labelling: &Labelling, site: Site, position: [f64; 3]) -> bool {
    around_vertex(site).all(|corners| {
        let others = &corners[1..];
        if !others.iter().all(|&other| labelling.is_snapped(other)) || is_left_out(labelling, &corners) {
            return true;
        }
        let mut positions = corners.map(|corner| labelling.position(corner));
        positions[0] = position;
        signed_volume(&positions) > 0.0 && minimum_dihedral_angle(positions) >= LEAST_ANGLE
    })
}

/// Whether a cell of four moved vertices is no part of the body: one of them came from outside.
pub(super) fn is_left_out(labelling: &Labelling, corners: &[Site; 4]) -> bool {
    corners.iter().any(|&corner| labelling.label(corner) == OUTSIDE)
}
