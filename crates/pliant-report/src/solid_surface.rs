//! The boundary of a 3D body as it is seen: facets that face the viewer, shaded and sorted by depth, and the lines on them.

use std::collections::BTreeMap;

use pliant_mesh::SimplexMesh;

use crate::orbit_surface::boundary_with_cells;

/// Where the light comes from: right, up, toward the viewer. Over the viewer's left shoulder.
const LIGHT: [f64; 3] = [-0.4, 0.65, 0.65];
/// Levels of brightness; few, so that neighbours share a colour.
const LEVELS: f64 = 24.0;

/// The boundary of a body of tetrahedra.
#[derive(Clone, Debug)]
pub(crate) struct SolidSurface {
    /// Vertices, counter-clockwise from outside.
    pub facets: Vec<[usize; 3]>,
    /// The cell behind each facet.
    pub cells: Vec<usize>,
    /// The region of that cell.
    regions: Vec<usize>,
}

/// A facet that faces the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeenFacet {
    /// Its number in the surface.
    pub facet: usize,
    /// From 0, dark, to 1.
    pub brightness: f64,
}

impl SolidSurface {
    /// The boundary of a mesh, with the cell behind each facet.
    ///
    /// # Panics
    /// If the mesh is not one of tetrahedra.
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>) -> Self {
        assert_eq!(D, 3, "a surface bounds a body of tetrahedra");
        let (facets, cells) = boundary_with_cells(mesh);
        let regions = cells.iter().map(|&cell| mesh.cell_regions()[cell]).collect();
        Self { facets, cells, regions }
    }

    /// The facets that face the viewer, the farthest first. `seen` holds right, up and toward the viewer of every vertex, in m.
    pub fn facing(&self, seen: &[[f64; 3]]) -> Vec<SeenFacet> {
        let mut sorted: Vec<(f64, SeenFacet)> = self
            .facets
            .iter()
            .enumerate()
            .filter_map(|(facet, corners)| {
                let corners = corners.map(|vertex| seen[vertex]);
                let normal = unit_normal(&corners);
                let depth = corners.iter().map(|corner| corner[2]).sum::<f64>();
                (normal[2] > 0.0).then(|| (depth, SeenFacet { facet, brightness: brightness(normal) }))
            })
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.facet.cmp(&b.1.facet)));
        sorted.into_iter().map(|(_, facet)| facet).collect()
    }

    /// The rim of what is seen, where a facet that faces the viewer meets one that does not, and the lines between regions on facets that
    /// face the viewer.
    pub fn lines(&self, seen: &[[f64; 3]]) -> Vec<[usize; 2]> {
        let mut sides: BTreeMap<[usize; 2], Vec<(bool, usize)>> = BTreeMap::new();
        for (corners, &region) in self.facets.iter().zip(&self.regions) {
            let faces = unit_normal(&corners.map(|vertex| seen[vertex]))[2] > 0.0;
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let edge = [corners[a].min(corners[b]), corners[a].max(corners[b])];
                sides.entry(edge).or_default().push((faces, region));
            }
        }
        let is_line = |sides: &[(bool, usize)]| {
            let facing = sides.iter().filter(|side| side.0).count();
            facing > 0 && (facing < sides.len() || sides.iter().any(|side| side.1 != sides[0].1))
        };
        sides.into_iter().filter(|(_, sides)| is_line(sides)).map(|(edge, _)| edge).collect()
    }

    /// Which of the vertices lie on a facet that faces the viewer.
    pub fn visible(&self, seen: &[[f64; 3]]) -> Vec<bool> {
        let mut visible = vec![false; seen.len()];
        for facet in self.facing(seen) {
            self.facets[facet.facet].iter().for_each(|&vertex| visible[vertex] = true);
        }
        visible
    }
}

/// The outward normal of a facet; zero where it has no area.
fn unit_normal([a, b, c]: &[[f64; 3]; 3]) -> [f64; 3] {
    let along: [f64; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
    let across: [f64; 3] = std::array::from_fn(|axis| c[axis] - a[axis]);
    let normal = [
        along[1] * across[2] - along[2] * across[1],
        along[2] * across[0] - along[0] * across[2],
        along[0] * across[1] - along[1] * across[0],
    ];
    let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 { normal.map(|part| part / length) } else { [0.0; 3] }
}

/// How bright a facet of this normal is, in few levels.
fn brightness(normal: [f64; 3]) -> f64 {
    let facing: f64 = normal.iter().zip(LIGHT).map(|(n, l)| n * l).sum();
    let brightness = 0.5 + 0.5 * facing.clamp(0.0, 1.0);
    (brightness * LEVELS).round() / LEVELS
}

/// A colour at this brightness, as `#rrggbb`.
pub(crate) fn shaded(colour: [u8; 3], brightness: f64) -> String {
    let [red, green, blue] = colour.map(|part| (f64::from(part) * brightness).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, Resolution, box_mesh};

    use super::*;
    use crate::Viewpoint;

    #[test]
    fn of_a_box_three_sides_are_seen_and_its_rim_has_six_edges() {
        let options = BoxOptions { resolution: Resolution::Counts([1, 1, 1]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let surface = SolidSurface::new(&mesh);
        let view = Viewpoint::new(1, 30.0, 20.0);
        let seen: Vec<[f64; 3]> = mesh.positions().iter().map(|x| view.project(x)).collect();
        assert_eq!((surface.facets.len(), surface.facing(&seen).len()), (12, 6));
        assert_eq!(surface.lines(&seen).len(), 6);
        assert_eq!(surface.visible(&seen).iter().filter(|&&visible| visible).count(), 7);
        let inside = surface.cells.iter().zip(&surface.facets);
        assert!(inside.into_iter().all(|(&cell, facet)| facet.iter().all(|v| mesh.cell(cell).contains(v))));
    }
}
