//! The part of a cut tetrahedron that belongs to one label, as one to three tetrahedra (Labelle and Shewchuk 2007, figure 3).
//!
//! A face with two corners of the label and one of the other leaves a quadrilateral, whose diagonal both neighbours must
//! choose alike: if one of the cut edges is long, the diagonal ends at the cut of the long edge; if both are short, it
//! starts at the even end of the long edge between the two corners. With these two rules, and vertices snapped within
//! [`LONG`](super::snapping::LONG) and [`SHORT`](super::snapping::SHORT), every piece has dihedral angles between 10.6 and
//! 164.8 degrees. The rules are the same from both sides; where both sides are kept, they share the one free diagonal,
//! and the least angle is 8.2 degrees. These figures are the worst over all extreme places of vertices and cuts
//! (`stencil_bounds.rs`); random places in between have given none that is worse.

use super::lattice::{Site, is_even, is_long};

/// A vertex of a piece: a corner of the tetrahedron, or the cut of the edge between two of its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    Corner(usize),
    /// The lower corner first.
    Cut(usize, usize),
}

fn cut(a: usize, b: usize) -> Point {
    Point::Cut(a.min(b), a.max(b))
}

/// The diagonal of the quadrilateral that the interface leaves in a tetrahedron with two corners on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FreeDiagonal {
    /// It joins the cuts of the edges between the first corners of both sides and between the second ones.
    FirstToFirst,
    /// It joins the cuts of the edges between the first corner of a side and the second of the other.
    FirstToSecond,
}

/// What the corners of a tetrahedron are, seen from one label.
pub(super) struct Sides {
    /// Corners of the label.
    pub inside: Vec<usize>,
    /// Corners on the interface.
    pub snapped: Vec<usize>,
    /// Corners of the other label.
    pub other: Vec<usize>,
}

/// The pieces of the label, each positively oriented.
pub(super) fn pieces(corners: &[Site; 4], sides: &Sides, free: FreeDiagonal) -> Vec<[Point; 4]> {
    let mut pieces = match (&sides.inside[..], &sides.other[..]) {
        ([], _) => Vec::new(),
        (_, []) => vec![[0, 1, 2, 3].map(Point::Corner)],
        (&[p], others) => {
            let points = sides.snapped.iter().map(|&corner| Point::Corner(corner));
            let mut piece = [Point::Corner(p); 4];
            for (place, point) in piece[1..].iter_mut().zip(points.chain(others.iter().map(|&n| cut(p, n)))) {
                *place = point;
            }
            vec![piece]
        }
        (&[p, q], &[n]) => {
            let from = diagonal_start(corners, p, q, n);
            let to = if from == p { q } else { p };
            let apex = Point::Corner(sides.snapped[0]);
            vec![
                [apex, Point::Corner(p), Point::Corner(q), cut(to, n)],
                [apex, Point::Corner(from), cut(p, n), cut(q, n)],
            ]
        }
        (&[p, q], &[r, s]) => {
            let starts = [
                usize::from(diagonal_start(corners, p, q, r) != p),
                2 * usize::from(diagonal_start(corners, p, q, s) != p),
                // From the cut of p to that of q, at r and s or the other way.
                match free {
                    FreeDiagonal::FirstToFirst => 1,
                    FreeDiagonal::FirstToSecond => 2,
                },
            ];
            prism([Point::Corner(p), cut(p, r), cut(p, s)], [Point::Corner(q), cut(q, r), cut(q, s)], starts)
        }
        (&[p, q, r], &[n]) => {
            let starts = [(p, q, 0, 1), (p, r, 0, 2), (q, r, 1, 2)].map(|(a, b, first, second)| {
                if diagonal_start(corners, a, b, n) == a { first } else { second }
            });
            prism([p, q, r].map(Point::Corner), [p, q, r].map(|corner| cut(corner, n)), starts)
        }
        _ => unreachable!("a tetrahedron has four corners"),
    };
    for piece in &mut pieces {
        if orientation(corners, piece) < 0 {
            piece.swap(2, 3);
        }
    }
    pieces
}

/// The end of the edge p q from which the diagonal of the quadrilateral in face (p, q, n) starts.
fn diagonal_start(corners: &[Site; 4], p: usize, q: usize, n: usize) -> usize {
    if is_long(corners[p], corners[q]) {
        if is_even(corners[p]) { p } else { q }
    } else if is_long(corners[p], corners[n]) {
        q
    } else {
        p
    }
}

/// A prism as three tetrahedra; for its sides (0, 1), (0, 2) and (1, 2) the bottom vertex at which the diagonal starts.
///
/// Some bottom vertex starts two of them, or else the diagonals would turn around the prism and cut it into none.
fn prism(bottom: [Point; 3], top: [Point; 3], starts: [usize; 3]) -> Vec<[Point; 4]> {
    let count = |vertex: usize| starts.iter().filter(|&&start| start == vertex).count();
    let mut order = [0, 1, 2];
    order.sort_by_key(|&vertex| std::cmp::Reverse(count(vertex)));
    let [a, b, c] = order;
    vec![
        [bottom[a], bottom[b], bottom[c], top[c]],
        [bottom[a], bottom[b], top[b], top[c]],
        [bottom[a], top[a], top[b], top[c]],
    ]
}

/// Whether both ways of the free diagonal make tetrahedra with those of the faces.
pub(super) fn free_diagonals(corners: &[Site; 4], sides: &Sides) -> Vec<FreeDiagonal> {
    let ([p, q], [r, s]) = (&sides.inside[..], &sides.other[..]) else {
        return vec![FreeDiagonal::FirstToFirst];
    };
    let at_first = diagonal_start(corners, *p, *q, *r) == *p;
    let at_second = diagonal_start(corners, *p, *q, *s) == *p;
    match (at_first, at_second) {
        (true, false) => vec![FreeDiagonal::FirstToSecond],
        (false, true) => vec![FreeDiagonal::FirstToFirst],
        _ => vec![FreeDiagonal::FirstToFirst, FreeDiagonal::FirstToSecond],
    }
}

/// The sign of the volume of a piece when no vertex is moved and edges are cut in the middle.
fn orientation(corners: &[Site; 4], piece: &[Point; 4]) -> i32 {
    let place = |point: Point| -> Site {
        let (a, b) = match point {
            Point::Corner(corner) => (corner, corner),
            Point::Cut(a, b) => (a, b),
        };
        std::array::from_fn(|axis| corners[a][axis] + corners[b][axis])
    };
    let [o, a, b, c] = piece.map(place);
    let edge = |end: Site| -> Site { std::array::from_fn(|axis| end[axis] - o[axis]) };
    let [a, b, c] = [a, b, c].map(edge);
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    (a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1)).signum()
}
