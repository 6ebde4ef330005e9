//! Where the lines of a lattice cross a surface: inside and outside by winding number, and the cuts of lattice edges.
//!
//! All edges of the lattice lie on seven families of parallel lines. Seen along a family, each triangle covers some lines;
//! signs of exact areas decide which, and a line through an edge or a vertex is thought to be moved a little, by the same
//! amount for all triangles. So a line crosses a closed surface as often inwards as outwards, whatever it touches.

use robust::{Coord, orient2d};

use super::TriangleSurface;
use crate::stuffing::{Lattice, OWNED, Site, moved};

/// A line crosses the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossing {
    /// The line, by the two coordinates that all its vertices share.
    line: [i32; 2],
    /// Where on the line, in doubled coordinates.
    at: f64,
    /// What the winding number gains there.
    turn: i32,
}

/// Lines in the direction of one owned edge.
#[derive(Clone, Copy, Debug)]
struct Family {
    step: Site,
    /// The axis that places on a line are measured along.
    along: usize,
    /// The two other axes.
    across: [usize; 2],
}

impl Family {
    fn new(step: Site) -> Self {
        let along = step.iter().position(|&value| value.abs() == 2).unwrap_or(2);
        Self { step, along, across: [(along + 1) % 3, (along + 2) % 3] }
    }

    /// The line through a vertex.
    fn line(&self, site: Site) -> [i32; 2] {
        // The steps of a line along an axis are 0 across; those of a diagonal are 1 or -1 along.
        self.across
            .map(|axis| site[axis] - site[self.along] * self.step[axis] * self.step[self.along].signum())
    }

    /// The same of a point between vertices.
    fn project(&self, point: [f64; 3]) -> [f64; 2] {
        self.across.map(|axis| {
            point[axis] - point[self.along] * f64::from(self.step[axis] * self.step[self.along].signum())
        })
    }

    /// Whether the family has a line there: along an axis also between odd coordinates.
    fn parities(&self) -> &'static [i32] {
        if self.step[self.along].abs() == 2 { &[0, 1] } else { &[0] }
    }
}

/// All crossings of a lattice's lines with a surface.
pub(super) struct Crossings {
    families: [Family; 7],
    /// For each family, by line and then by place.
    sorted: Vec<Vec<Crossing>>,
}

impl Crossings {
    /// Finds them. O(t + crossings log crossings).
    pub fn new(surface: &TriangleSurface, lattice: &Lattice) -> Self {
        let scaled: Vec<[f64; 3]> = surface
            .positions()
            .iter()
            .map(|position| {
                std::array::from_fn(|axis| 2.0 * (position[axis] - lattice.origin()[axis]) / lattice.size())
            })
            .collect();
        let families = OWNED.map(Family::new);
        let sorted =
            families.iter().map(|family| family_crossings(family, &scaled, surface.triangles())).collect();
        Self { families, sorted }
    }

    /// For each lattice vertex 1 where the surface winds around it, else 0.
    pub fn labels(&self, lattice: &Lattice) -> Vec<u32> {
        let mut labels = vec![0; lattice.vertex_count()];
        let family = &self.families[0];
        for same in self.sorted[0].chunk_by(|a, b| a.line == b.line) {
            let mut site = [0; 3];
            for (axis, value) in family.across.into_iter().zip(same[0].line) {
                site[axis] = value;
            }
            site[family.along] = same[0].line[0] & 1;
            let (mut winding, mut next) = (0, 0);
            while let Some(index) = lattice.index(site) {
                while next < same.len() && same[next].at <= f64::from(site[family.along]) {
                    winding += same[next].turn;
                    next += 1;
                }
                labels[index] = u32::from(winding != 0);
                site = moved(site, family.step);
            }
        }
        labels
    }

    /// Where the owned edge of a vertex, whose ends differ, passes the surface, as a fraction from the vertex.
    ///
    /// Of several crossings the middle one. Where rounding has left none, the end that lies on the surface.
    pub fn cut(&self, site: Site, owned: usize) -> f64 {
        let family = &self.families[owned];
        let from = f64::from(site[family.along]);
        let step = f64::from(family.step[family.along]);
        let on_line = self.on_line(owned, site);
        let between: Vec<f64> = on_line
            .iter()
            .map(|crossing| (crossing.at - from) / step)
            .filter(|fraction| (0.0..=1.0).contains(fraction))
            .collect();
        match between[..] {
            [] => {
                let distances = [self.nearest(site), self.nearest(moved(site, family.step))];
                if distances[0] <= distances[1] { 0.0 } else { 1.0 }
            }
            _ => between[between.len() / 2],
        }
    }

    fn on_line(&self, owned: usize, site: Site) -> &[Crossing] {
        let line = self.families[owned].line(site);
        let sorted = &self.sorted[owned];
        let start = sorted.partition_point(|crossing| crossing.line < line);
        let count = sorted[start..].partition_point(|crossing| crossing.line == line);
        &sorted[start..start + count]
    }

    /// Distance, along any line through a vertex, to the nearest crossing.
    fn nearest(&self, site: Site) -> f64 {
        let mut nearest = f64::INFINITY;
        for (owned, family) in self.families.iter().enumerate() {
            for crossing in self.on_line(owned, site) {
                nearest = nearest.min((crossing.at - f64::from(site[family.along])).abs());
            }
        }
        nearest
    }
}

fn family_crossings(family: &Family, positions: &[[f64; 3]], triangles: &[[usize; 3]]) -> Vec<Crossing> {
    let seen: Vec<[f64; 2]> = positions.iter().map(|&position| family.project(position)).collect();
    let mut crossings = Vec::new();
    for triangle in triangles {
        let corners = triangle.map(|vertex| seen[vertex]);
        let at = triangle.map(|vertex| positions[vertex][family.along]);
        for &parity in family.parities() {
            let range = |axis: usize| {
                let values = corners.map(|corner| corner[axis]);
                let low = values.into_iter().fold(f64::INFINITY, f64::min);
                let high = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
                let first = ((low - f64::from(parity)) / 2.0).ceil() as i32;
                let last = ((high - f64::from(parity)) / 2.0).floor() as i32;
                (first..=last).map(move |value| 2 * value + parity)
            };
            for u in range(0) {
                for v in range(1) {
                    crossings.extend(cross([u, v], corners, at));
                }
            }
        }
    }
    crossings.sort_by(|a, b| a.line.cmp(&b.line).then(a.at.total_cmp(&b.at)).then(a.turn.cmp(&b.turn)));
    crossings
}

/// Where a line crosses a triangle, if it does.
fn cross(line: [i32; 2], corners: [[f64; 2]; 3], at: [f64; 3]) -> Option<Crossing> {
    let point = line.map(f64::from);
    let areas: [f64; 3] =
        std::array::from_fn(|corner| area(corners[(corner + 1) % 3], corners[(corner + 2) % 3], point));
    let signs: [i32; 3] = std::array::from_fn(|corner| {
        sign(areas[corner], corners[(corner + 1) % 3], corners[(corner + 2) % 3])
    });
    if signs[0] == 0 || signs != [signs[0]; 3] {
        return None;
    }
    let total: f64 = areas.iter().sum();
    let low = at.into_iter().fold(f64::INFINITY, f64::min);
    let high = at.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let place = (0..3).map(|corner| areas[corner] / total * at[corner]).sum::<f64>();
    // A triangle seen edge-on has no area, and any place on it will do.
    let place = if place.is_finite() { place.clamp(low, high) } else { 0.5 * (low + high) };
    Some(Crossing { line, at: place, turn: signs[0] })
}

/// Twice the signed area of the triangle a b p; its sign is exact.
fn area(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let [a, b, p] = [a, b, p].map(|[x, y]| Coord { x, y });
    orient2d(a, b, p)
}

/// The sign of the area of a b p when p is moved a little to the right, and much less up.
fn sign(area: f64, a: [f64; 2], b: [f64; 2]) -> i32 {
    let deciding = [area, a[1] - b[1], b[0] - a[0]].into_iter().find(|&value| value != 0.0);
    deciding.map_or(0, |value| if value > 0.0 { 1 } else { -1 })
}
