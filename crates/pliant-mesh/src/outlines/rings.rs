//! The rings and open chains that the curves of an outline make once their ends are joined.

use std::collections::BTreeMap;

use super::outline::Outline;
use super::welded::WeldedPoints;
use crate::name_index::NameIndex;

/// A closed chain of points.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    /// Index of its name.
    pub name: usize,
    /// Numbers of points.
    pub points: Vec<usize>,
    /// Area without sign, in m^2.
    pub area: f64,
}

/// Points, rings and open chains of an outline.
pub(super) struct Rings {
    pub points: WeldedPoints,
    pub names: Vec<String>,
    pub rings: Vec<Ring>,
    /// Chains that close no ring.
    pub open: Vec<Vec<usize>>,
}

impl Rings {
    /// Joins points within the tolerance, and curves of one name end to end.
    pub fn new(outline: &Outline, tolerance: f64) -> Self {
        let mut welded = WeldedPoints::new(tolerance);
        let mut names = NameIndex::default();
        let mut pieces: Vec<(usize, Vec<usize>)> = Vec::new();
        for curve in &outline.curves {
            let name = names.place(&curve.name);
            let mut chain: Vec<usize> = curve.points.iter().map(|&point| welded.add(point)).collect();
            if curve.closed {
                chain.extend(chain.first().copied());
            }
            chain.dedup();
            if chain.len() > 1 {
                pieces.push((name, chain));
            }
        }
        let names = names.into_names();
        let mut rings = Self { points: welded, names, rings: Vec::new(), open: Vec::new() };
        for name in 0..rings.names.len() {
            let mine = pieces.iter().filter(|piece| piece.0 == name).map(|piece| piece.1.clone()).collect();
            rings.join(name, mine);
        }
        rings
    }

    fn join(&mut self, name: usize, pieces: Vec<Vec<usize>>) {
        let mut at_end: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let is_ring = |piece: &[usize]| piece.first() == piece.last();
        for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| !is_ring(piece)) {
            for end in [piece[0], piece[piece.len() - 1]] {
                at_end.entry(end).or_default().push(index);
            }
        }
        let mut used = vec![false; pieces.len()];
        for start in 0..pieces.len() {
            if std::mem::replace(&mut used[start], true) {
                continue;
            }
            let mut chain = pieces[start].clone();
            // Forwards, then backwards from the other end, as long as the chain is open and goes on.
            for _ in 0..2 {
                while !is_ring(&chain) {
                    let end = chain[chain.len() - 1];
                    let next =
                        at_end.get(&end).and_then(|ends| ends.iter().copied().find(|&piece| !used[piece]));
                    let Some(next) = next else { break };
                    used[next] = true;
                    let mut piece = pieces[next].clone();
                    if piece[0] != end {
                        piece.reverse();
                    }
                    chain.extend(&piece[1..]);
                }
                chain.reverse();
            }
            if is_ring(&chain) && chain.len() > 3 {
                chain.pop();
                let area = area(&chain, self.points.points()).abs();
                self.rings.push(Ring { name, points: chain, area });
            } else {
                self.open.push(chain);
            }
        }
    }

    /// Every straight piece of the outline, as numbers of points.
    pub fn segments(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let closed = self.rings.iter().flat_map(|ring| {
            let count = ring.points.len();
            (0..count).map(move |index| [ring.points[index], ring.points[(index + 1) % count]])
        });
        closed.chain(self.open.iter().flat_map(|chain| chain.windows(2).map(|pair| [pair[0], pair[1]])))
    }

    /// The region's name at a point that lies on no curve; none outside of the body.
    pub fn name_at(&self, point: [f64; 2]) -> Option<&str> {
        let around: Vec<&Ring> = self.rings.iter().filter(|ring| self.contains(ring, point)).collect();
        let innermost = around.iter().min_by(|a, b| a.area.total_cmp(&b.area))?;
        let depth = around.iter().filter(|ring| ring.name == innermost.name).count();
        let name = &self.names[innermost.name];
        (depth % 2 == 1 && !is_hole(name)).then_some(name.as_str())
    }

    fn contains(&self, ring: &Ring, point: [f64; 2]) -> bool {
        let count = ring.points.len();
        let places = self.points.points();
        let crossings = (0..count).filter(|&index| {
            let (a, b) = (places[ring.points[index]], places[ring.points[(index + 1) % count]]);
            (a[1] > point[1]) != (b[1] > point[1])
                && point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
        });
        crossings.count() % 2 == 1
    }
}

fn is_hole(name: &str) -> bool {
    name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("hole"))
}

/// Signed area of a ring, in m^2.
fn area(ring: &[usize], points: &[[f64; 2]]) -> f64 {
    let origin = points[ring[0]];
    let place = |index: usize| {
        let point = points[ring[index % ring.len()]];
        [point[0] - origin[0], point[1] - origin[1]]
    };
    (0..ring.len())
        .map(|index| {
            let (a, b) = (place(index), place(index + 1));
            0.5 * (a[0] * b[1] - b[0] * a[1])
        })
        .sum()
}
