//! The angle bounds of the stencils, over all signs of a tetrahedron's corners and the extreme places of its vertices.

use super::lattice::{Site, direction, moved};
use super::snapping::violation;
use super::stencils::{Point, Sides, free_diagonals, pieces};
use crate::mesh_parts::signed_volume;
use crate::quality::minimum_dihedral_angle;

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Inside,
    Snapped,
    Other,
}

/// A tetrahedron whose vertices have been moved and whose edges are cut.
struct Extreme {
    corners: [Site; 4],
    signs: [Sign; 4],
    positions: [[f64; 3]; 4],
    /// Fractions from the lower corner to the higher, where the edge is cut.
    cuts: [[f64; 4]; 4],
}

impl Extreme {
    fn sides(&self, inside: Sign, other: Sign) -> Sides {
        let of = |sign: Sign| (0..4).filter(|&corner| self.signs[corner] == sign).collect();
        Sides { inside: of(inside), snapped: of(Sign::Snapped), other: of(other) }
    }

    fn place(&self, point: Point) -> [f64; 3] {
        match point {
            Point::Corner(corner) => self.positions[corner],
            Point::Cut(a, b) => {
                let fraction = self.cuts[a][b];
                std::array::from_fn(|axis| {
                    self.positions[a][axis] + fraction * (self.positions[b][axis] - self.positions[a][axis])
                })
            }
        }
    }

    /// The worst angle of the pieces of one side or of both, with the better free diagonal.
    fn worst_angle(&self, both: bool) -> f64 {
        let sides = [self.sides(Sign::Inside, Sign::Other), self.sides(Sign::Other, Sign::Inside)];
        let kept = if both { &sides[..] } else { &sides[..1] };
        free_diagonals(&self.corners, &sides[0])
            .into_iter()
            .map(|free| {
                let angle = |piece: [Point; 4]| {
                    let places = piece.map(|point| self.place(point));
                    assert!(signed_volume(&places) > 0.0, "a piece is inverted");
                    minimum_dihedral_angle(places)
                };
                kept.iter()
                    .flat_map(|sides| pieces(&self.corners, sides, free))
                    .map(angle)
                    .fold(f64::INFINITY, f64::min)
            })
            .fold(0.0, f64::max)
    }
}

/// The number of the direction from one corner to another.
fn toward(from: Site, to: Site) -> usize {
    (0..14).find(|&index| moved(from, direction(index)) == to).unwrap()
}

/// Calls `see` with every combination of one choice for each of the counts.
fn combinations(counts: &[usize], see: &mut dyn FnMut(&[usize])) {
    let total: usize = counts.iter().product();
    let mut choice = vec![0; counts.len()];
    for mut number in 0..total {
        for (place, count) in choice.iter_mut().zip(counts) {
            *place = number % count;
            number /= count;
        }
        see(&choice);
    }
}

/// The worst angle over the extremes of these signs on this tetrahedron.
fn worst(corners: [Site; 4], signs: [Sign; 4], both: bool) -> f64 {
    let of = |sign: Sign| -> Vec<usize> { (0..4).filter(|&corner| signs[corner] == sign).collect() };
    let (inside, snapped, other) = (of(Sign::Inside), of(Sign::Snapped), of(Sign::Other));
    let edges: Vec<[usize; 2]> =
        inside.iter().flat_map(|&a| other.iter().map(move |&b| [a.min(b), a.max(b)])).collect();
    let counts: Vec<usize> = snapped.iter().map(|_| 15).chain(edges.iter().map(|_| 3)).collect();
    let mut worst = f64::INFINITY;
    combinations(&counts, &mut |choice| {
        let mut extreme = Extreme {
            corners,
            signs,
            positions: corners.map(|site| site.map(f64::from)),
            cuts: [[f64::NAN; 4]; 4],
        };
        // A vertex stays or goes as far as one may in one of the 14 directions; two do not go towards each other.
        let directions = &choice[..snapped.len()];
        for (first, &a) in snapped.iter().enumerate() {
            for (second, &b) in snapped[..first].iter().enumerate() {
                let (to_b, to_a) = (toward(corners[a], corners[b]), toward(corners[b], corners[a]));
                if directions[first] == to_b && directions[second] == to_a {
                    return;
                }
            }
        }
        for (&corner, &index) in snapped.iter().zip(directions).filter(|&(_, &index)| index < 14) {
            let step = direction(index);
            for axis in 0..3 {
                extreme.positions[corner][axis] += violation(index) * f64::from(step[axis]);
            }
        }
        for (&[a, b], &place) in edges.iter().zip(&choice[snapped.len()..]) {
            let least = violation(toward(corners[a], corners[b]));
            extreme.cuts[a][b] = [least, 0.5, 1.0 - least][place];
        }
        worst = worst.min(extreme.worst_angle(both));
    });
    worst
}

fn worst_of_all(both: bool) -> f64 {
    // Every parity of the long edges' ends.
    let base = [[1, 1, 1], [3, 1, 1], [2, 2, 0], [2, 2, 2]];
    let turned = [[3, 3, 3], [5, 3, 3], [4, 4, 2], [4, 4, 4]];
    let shifted = [[3, 1, 1], [5, 1, 1], [4, 2, 0], [4, 2, 2]];
    let other = [[1, 1, 3], [3, 1, 3], [2, 2, 2], [2, 2, 4]];
    let mut smallest = f64::INFINITY;
    for corners in [base, turned, shifted, other] {
        combinations(&[3; 4], &mut |choice| {
            let signs = [0, 1, 2, 3].map(|corner| [Sign::Inside, Sign::Snapped, Sign::Other][choice[corner]]);
            if signs.contains(&Sign::Inside) {
                smallest = smallest.min(worst(corners, signs, both));
            }
        });
    }
    smallest
}

#[test]
fn one_side_of_a_cut_tetrahedron_has_no_angle_below_its_bound() {
    let smallest = worst_of_all(false);
    assert!((10.6..10.8).contains(&smallest), "{smallest}");
}

#[test]
fn both_sides_of_a_cut_tetrahedron_have_no_angle_below_their_bound() {
    let smallest = worst_of_all(true);
    assert!((8.2..8.4).contains(&smallest), "{smallest}");
}
