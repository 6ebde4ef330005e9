//! Makes sure that no tetrahedron holds three labels, so that each can be cut as between two.
//!
//! Where three labels meet, a vertex of the tetrahedron becomes part of the interface: it moves towards its nearest cut,
//! but no farther than a violated vertex may, which keeps the angles. The interface then passes through the vertex.

use super::labelling::{Labelling, OUTSIDE};
use super::lattice::{Site, directions};
use super::snapping::{along, may_move, violation};

/// Snaps vertices until every tetrahedron has at most two labels at vertices that are not snapped.
///
/// Where no vertex of a tetrahedron may move, the one with the greatest label takes the smallest: this ends, as labels
/// only fall.
pub(super) fn part_junctions(labelling: &mut Labelling) {
    let lattice = labelling.lattice().clone();
    let mut again = true;
    while again {
        again = false;
        for corners in lattice.tetrahedra() {
            while labels_at(labelling, &corners).len() > 2 {
                if !snap_one(labelling, &corners) {
                    fall_back(labelling, &corners);
                    again = true;
                }
            }
        }
    }
}

/// The different labels of the corners that are not snapped, ascending.
pub(super) fn labels_at(labelling: &Labelling, corners: &[Site; 4]) -> Vec<u32> {
    let free = corners.iter().filter(|&&corner| !labelling.is_snapped(corner));
    let mut labels: Vec<u32> = free.map(|&corner| labelling.label(corner)).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// Snaps the vertex whose interface is nearest to where it may go; false if none may move.
fn snap_one(labelling: &mut Labelling, corners: &[Site; 4]) -> bool {
    let mut moves = Vec::new();
    for &corner in corners.iter().filter(|&&corner| !labelling.is_snapped(corner)) {
        for (index, _) in directions() {
            let Some(cut) = labelling.cut(corner, index) else { continue };
            let fraction = cut.min(violation(index));
            let length = labelling.lattice().edge_length(index);
            let position = along(labelling, corner, index, fraction);
            moves.push(((cut - fraction) * length, fraction * length, corner, position));
            moves.push((cut * length, 0.0, corner, labelling.lattice().position(corner)));
        }
    }
    moves.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    match moves.into_iter().find(|&(_, _, corner, position)| may_move(labelling, corner, position)) {
        Some((_, _, corner, position)) => {
            labelling.snap(corner, position);
            true
        }
        None => false,
    }
}

fn fall_back(labelling: &mut Labelling, corners: &[Site; 4]) {
    let labels = labels_at(labelling, corners);
    let greatest = labels.last().copied().unwrap_or(OUTSIDE);
    let free =
        corners.iter().find(|&&corner| !labelling.is_snapped(corner) && labelling.label(corner) == greatest);
    if let Some(&corner) = free {
        labelling.relabel(corner, labels[0]);
    }
}
