//! The body-centred cubic lattice: cube corners, cube centres, and the tetrahedra between them.
//!
//! A vertex is addressed by doubled coordinates, all even (a corner) or all odd (a centre). Its 14 neighbours are 6 along
//! the axes at the distance of the size (long edges) and 8 along the diagonals at `sqrt(3)/2` of it (short edges). A
//! tetrahedron has two long edges, one between corners and one between centres, and four short ones.

use crate::MeshError;
use crate::meshers::{check_cell_count, check_cell_size};

/// Doubled coordinates of a lattice vertex.
pub(crate) type Site = [i32; 3];

/// The seven edges that a vertex owns; the other seven are those of its neighbours. The first three are long.
pub(crate) const OWNED: [Site; 7] =
    [[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];

/// All 14 directions to a neighbour, owned ones first, each followed 7 places later by its opposite.
pub(crate) fn directions() -> impl Iterator<Item = (usize, Site)> {
    (0..14).map(|index| (index, direction(index)))
}

/// Direction `index` of the 14.
pub(crate) fn direction(index: usize) -> Site {
    if index < 7 { OWNED[index] } else { OWNED[index - 7].map(|step| -step) }
}

/// The vertex one direction further.
pub(crate) fn moved(site: Site, step: Site) -> Site {
    std::array::from_fn(|axis| site[axis] + step[axis])
}

/// A lattice over a box.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    origin: [f64; 3],
    size: f64,
    counts: [usize; 3],
}

/// Cubes around the box, so that all around a vertex inside there are complete tetrahedra.
const MARGIN: f64 = 2.0;

impl Lattice {
    /// The lattice of cubes of this side that covers a box and two cubes around it; the low corner is a lattice vertex.
    pub fn over(low: [f64; 3], high: [f64; 3], size: f64) -> Result<Self, MeshError> {
        check_cell_size(size)?;
        let counts: [f64; 3] =
            std::array::from_fn(|axis| ((high[axis] - low[axis]) / size).ceil() + 2.0 * MARGIN + 1.0);
        check_cell_count(12.0 * counts.iter().product::<f64>())?;
        Ok(Self {
            origin: low.map(|value| value - MARGIN * size),
            size,
            counts: counts.map(|count| count as usize),
        })
    }

    /// Side of a cube, in m.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Length of the edge in one of the 14 directions, in m.
    pub fn edge_length(&self, direction: usize) -> f64 {
        if direction % 7 < 3 { self.size } else { 0.75f64.sqrt() * self.size }
    }

    /// The corner with the lowest coordinates, in m.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Corners, and as many centres, along each axis.
    #[cfg(test)]
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Vertices of the lattice.
    pub fn vertex_count(&self) -> usize {
        2 * self.counts.iter().product::<usize>()
    }

    /// The number of a vertex; none outside.
    pub fn index(&self, site: Site) -> Option<usize> {
        let [nx, ny, nz] = self.counts;
        let inside = (0..3).all(|axis| site[axis] >= 0 && (site[axis] >> 1) < self.counts[axis] as i32);
        let [i, j, k] = site.map(|value| (value >> 1) as usize);
        inside.then(|| (site[0] & 1) as usize * nx * ny * nz + (i * ny + j) * nz + k)
    }

    /// The vertex of a number.
    pub fn site(&self, index: usize) -> Site {
        let [nx, ny, nz] = self.counts;
        let cubes = nx * ny * nz;
        let (odd, rest) = (index / cubes, index % cubes);
        [rest / (ny * nz), rest / nz % ny, rest % nz].map(|value| (2 * value + odd) as i32)
    }

    /// Where a vertex lies, in m.
    pub fn position(&self, site: Site) -> [f64; 3] {
        std::array::from_fn(|axis| self.origin[axis] + 0.5 * self.size * f64::from(site[axis]))
    }

    /// Every tetrahedron of the lattice once, positively oriented, in a fixed order.
    pub fn tetrahedra(&self) -> impl Iterator<Item = [Site; 4]> + '_ {
        let cubes = self.vertex_count() / 2;
        (cubes..2 * cubes).flat_map(move |index| {
            let center = self.site(index);
            (0..3)
                .flat_map(move |axis| around_long_edge(center, axis, 1))
                .filter(|corners| corners.iter().all(|&site| self.index(site).is_some()))
        })
    }
}

/// The four tetrahedra around the long edge from a vertex along an axis, up (1) or down (-1), positively oriented.
pub(crate) fn around_long_edge(site: Site, axis: usize, way: i32) -> [[Site; 4]; 4] {
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut middle = site;
    middle[axis] += way;
    let mut end = middle;
    end[axis] += way;
    let corner = |turn: usize| {
        let (a, b) = [(1, 1), (-1, 1), (-1, -1), (1, -1)][turn % 4];
        let mut corner = middle;
        corner[first] += a;
        corner[second] += b;
        corner
    };
    std::array::from_fn(|turn| {
        // Seen from the end of an edge that points up, the square turns counter-clockwise.
        if way > 0 {
            [site, end, corner(turn), corner(turn + 1)]
        } else {
            [site, end, corner(turn + 1), corner(turn)]
        }
    })
}

/// The 24 tetrahedra that meet at a vertex, the vertex first.
pub(crate) fn around_vertex(site: Site) -> impl Iterator<Item = [Site; 4]> {
    (0..6).flat_map(move |index| around_long_edge(site, index % 3, if index < 3 { 1 } else { -1 }))
}

/// Whether a vertex is one of the even ones among the neighbours along its axes.
pub(crate) fn is_even(site: Site) -> bool {
    site.iter().map(|value| value >> 1).sum::<i32>() & 1 == 0
}

/// Whether two neighbours are joined by a long edge: both are corners, or both centres.
pub(crate) fn is_long(a: Site, b: Site) -> bool {
    (a[0] ^ b[0]) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_parts::signed_volume;

    fn small() -> Lattice {
        Lattice::over([0.0; 3], [2.0, 1.0, 1.0], 1.0).unwrap()
    }

    #[test]
    fn every_tetrahedron_is_a_twelfth_of_a_cube_and_positive() {
        let lattice = small();
        for corners in lattice.tetrahedra() {
            let positions = corners.map(|site| lattice.position(site));
            assert!((signed_volume(&positions) - 1.0 / 12.0).abs() < 1e-15);
        }
        for corners in around_vertex([4, 4, 4]).chain(around_vertex([5, 5, 5])) {
            assert!(signed_volume(&corners.map(|site| lattice.position(site))) > 0.0);
        }
    }

    #[test]
    fn numbers_and_sites_are_inverses_and_nothing_is_outside() {
        let lattice = small();
        for index in 0..lattice.vertex_count() {
            assert_eq!(lattice.index(lattice.site(index)), Some(index));
        }
        assert_eq!(lattice.index([-1, 1, 1]), None);
        assert_eq!(lattice.index([0, 0, 2 * lattice.counts()[2] as i32]), None);
    }

    #[test]
    fn sizes_that_fill_no_memory_or_are_none_are_refused() {
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
            assert!(Lattice::over([0.0; 3], [1.0; 3], size).is_err(), "{size}");
        }
    }
}
