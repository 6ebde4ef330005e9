//! The cells of a labelled lattice: snap, part junctions, cut.

use std::collections::HashMap;

use super::junctions::{labels_at, part_junctions};
use super::labelling::{Labelling, OUTSIDE};
use super::lattice::Site;
use super::snapping::{is_left_out, snap_violated_vertices};
use super::stencils::{FreeDiagonal, Point, Sides, free_diagonals, pieces};
use crate::quality::minimum_dihedral_angle;

/// Tetrahedra with labels; every vertex is used, no cell is inverted, interfaces conform.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stuffed {
    /// In m.
    pub positions: Vec<[f64; 3]>,
    /// Flat, four vertices a cell.
    pub cells: Vec<usize>,
    /// The label of every cell, never that of the outside.
    pub labels: Vec<u32>,
}

/// Fills every label but the outside. O(lattice vertices).
///
/// Smallest dihedral angle: 10.6 degrees with one label beside the outside, 8.2 with more.
pub(crate) fn stuff(mut labelling: Labelling) -> Stuffed {
    snap_violated_vertices(&mut labelling);
    part_junctions(&mut labelling);
    let mut builder = Builder { labelling: &labelling, numbers: HashMap::new(), stuffed: Stuffed::default() };
    for corners in labelling.lattice().tetrahedra() {
        builder.cut(&corners);
    }
    builder.stuffed
}

struct Builder<'a> {
    labelling: &'a Labelling,
    /// Numbers of the vertices made so far, by the sum of the ends of their edge (twice the site of a lattice vertex).
    numbers: HashMap<Site, usize>,
    stuffed: Stuffed,
}

impl Builder<'_> {
    fn cut(&mut self, corners: &[Site; 4]) {
        let labels = labels_at(self.labelling, corners);
        if labels.is_empty() {
            if !is_left_out(self.labelling, corners) {
                self.push(corners, &[0, 1, 2, 3].map(Point::Corner), self.most_common_label(corners));
            }
            return;
        }
        let sides: Vec<(u32, Sides)> = labels
            .iter()
            .filter(|&&label| label != OUTSIDE)
            .map(|&label| (label, self.sides(corners, label)))
            .collect();
        let Some((_, first)) = sides.first() else { return };
        // The way in which the worst piece of both sides is best.
        let best = free_diagonals(corners, first)
            .into_iter()
            .map(|free| (free, self.worst_angle(corners, &sides, free)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
            .map_or(FreeDiagonal::FirstToFirst, |(free, _)| free);
        for (label, sides) in &sides {
            for piece in pieces(corners, sides, best) {
                self.push(corners, &piece, *label);
            }
        }
    }

    fn sides(&self, corners: &[Site; 4], label: u32) -> Sides {
        let mut sides = Sides { inside: Vec::new(), snapped: Vec::new(), other: Vec::new() };
        for (index, &corner) in corners.iter().enumerate() {
            if self.labelling.is_snapped(corner) {
                sides.snapped.push(index);
            } else if self.labelling.label(corner) == label {
                sides.inside.push(index);
            } else {
                sides.other.push(index);
            }
        }
        sides
    }

    fn worst_angle(&self, corners: &[Site; 4], sides: &[(u32, Sides)], free: FreeDiagonal) -> f64 {
        sides
            .iter()
            .flat_map(|(_, sides)| pieces(corners, sides, free))
            .map(|piece| minimum_dihedral_angle(piece.map(|point| self.place(corners, point))))
            .fold(f64::INFINITY, f64::min)
    }

    fn most_common_label(&self, corners: &[Site; 4]) -> u32 {
        let labels = corners.map(|corner| self.labelling.label(corner));
        let count = |label: u32| labels.iter().filter(|&&other| other == label).count();
        labels.into_iter().min_by_key(|&label| (std::cmp::Reverse(count(label)), label)).unwrap_or(OUTSIDE)
    }

    fn place(&self, corners: &[Site; 4], point: Point) -> [f64; 3] {
        match point {
            Point::Corner(corner) => self.labelling.position(corners[corner]),
            Point::Cut(a, b) => {
                let (a, b) = (corners[a], corners[b]);
                let step = std::array::from_fn(|axis| b[axis] - a[axis]);
                self.labelling.cut_position(a, step)
            }
        }
    }

    fn push(&mut self, corners: &[Site; 4], piece: &[Point; 4], label: u32) {
        for &point in piece {
            let (a, b) = match point {
                Point::Corner(corner) => (corner, corner),
                Point::Cut(a, b) => (a, b),
            };
            let key = std::array::from_fn(|axis| corners[a][axis] + corners[b][axis]);
            let number = match self.numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = self.stuffed.positions.len();
                    self.stuffed.positions.push(self.place(corners, point));
                    self.numbers.insert(key, number);
                    number
                }
            };
            self.stuffed.cells.push(number);
        }
        self.stuffed.labels.push(label);
    }
}
