//! A surface as it is seen: triangles that face the viewer, shaded and sorted by depth, and the lines on them.

use std::collections::BTreeMap;

use crate::DrawnSurface;
use crate::cell_areas::boundary_loops;

/// Where the light comes from: right, up, toward the viewer. Over the viewer's left shoulder.
const LIGHT: [f64; 3] = [-0.4, 0.65, 0.65];
/// Levels of brightness; few, so that neighbours share a colour.
const LEVELS: f64 = 24.0;

/// A triangle that faces the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeenTriangle {
    /// Its number in the surface.
    pub triangle: usize,
    /// From 0, dark, to 1.
    pub brightness: f64,
}

/// `seen` holds right, up and toward the viewer of every surface vertex, in m.
impl DrawnSurface {
    /// The triangles of a solid body that face the viewer, the farthest first.
    pub(crate) fn facing(&self, seen: &[[f64; 3]]) -> Vec<SeenTriangle> {
        let mut sorted: Vec<(f64, SeenTriangle)> = self
            .triangles
            .iter()
            .enumerate()
            .filter_map(|(triangle, corners)| {
                let corners = corners.map(|vertex| seen[vertex]);
                let normal = unit_normal(&corners);
                let depth = corners.iter().map(|corner| corner[2]).sum::<f64>();
                (normal[2] > 0.0).then(|| (depth, SeenTriangle { triangle, brightness: brightness(normal) }))
            })
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.triangle.cmp(&b.1.triangle)));
        sorted.into_iter().map(|(_, triangle)| triangle).collect()
    }

    /// The rim of a solid body as it is seen, where a triangle that faces the viewer meets one that does not, and the lines between regions
    /// on triangles that face the viewer.
    pub(crate) fn solid_lines(&self, seen: &[[f64; 3]]) -> Vec<[usize; 2]> {
        let faces: Vec<bool> = self
            .triangles
            .iter()
            .map(|corners| unit_normal(&corners.map(|vertex| seen[vertex]))[2] > 0.0)
            .collect();
        self.edges_where(|sides| {
            let facing = sides.iter().filter(|(_, triangle)| faces[*triangle]).count();
            facing > 0 && (facing < sides.len() || self.is_interface(sides))
        })
    }

    /// The boundary of a flat body, and the lines between its regions.
    pub(crate) fn flat_lines(&self) -> Vec<[usize; 2]> {
        self.edges_where(|sides| sides.len() == 1 || self.is_interface(sides))
    }

    /// Which of the surface vertices lie on a triangle that faces the viewer.
    pub(crate) fn visible(&self, seen: &[[f64; 3]]) -> Vec<bool> {
        let mut visible = vec![false; seen.len()];
        for facing in self.facing(seen) {
            self.triangles[facing.triangle].iter().for_each(|&vertex| visible[vertex] = true);
        }
        visible
    }

    /// The areas of a flat body whose triangles have one step, each with the loops around it; steps ascending.
    pub(crate) fn areas(&self, steps: &[usize]) -> Vec<(usize, Vec<Vec<usize>>)> {
        let mut of_step: BTreeMap<usize, Vec<&[usize]>> = BTreeMap::new();
        for (corners, &step) in self.triangles.iter().zip(steps) {
            of_step.entry(step).or_default().push(corners);
        }
        of_step.into_iter().map(|(step, cells)| (step, boundary_loops(cells.into_iter()))).collect()
    }

    fn edges_where(&self, is_line: impl Fn(&[([usize; 2], usize)]) -> bool) -> Vec<[usize; 2]> {
        self.sides
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|sides| is_line(sides))
            .map(|sides| sides[0].0)
            .collect()
    }

    fn is_interface(&self, sides: &[([usize; 2], usize)]) -> bool {
        sides.iter().any(|(_, triangle)| self.regions[*triangle] != self.regions[sides[0].1])
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

/// A colour at this brightness.
pub(crate) fn shaded(colour: [u8; 3], brightness: f64) -> [u8; 3] {
    colour.map(|part| (f64::from(part) * brightness).round() as u8)
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, box_mesh, rectangle};

    use super::*;
    use crate::Viewpoint;

    #[test]
    fn of_a_box_three_sides_are_seen_and_its_rim_has_six_edges() {
        let options = BoxOptions { resolution: Resolution::Counts([1, 1, 1]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let surface = DrawnSurface::new(&mesh);
        let view = Viewpoint::new(1, 30.0, 20.0);
        let seen: Vec<[f64; 3]> = surface.positions(&mesh, None).iter().map(|x| view.project(x)).collect();
        assert_eq!((surface.triangle_count(), surface.facing(&seen).len()), (12, 6));
        assert_eq!(surface.solid_lines(&seen).len(), 6);
        assert_eq!(surface.visible(&seen).iter().filter(|&&visible| visible).count(), 7);
    }

    #[test]
    fn the_lines_of_a_flat_body_are_its_boundary_and_its_interface() {
        let options = RectangleOptions { resolution: Resolution::Counts([4, 1]), ..Default::default() };
        let mesh = rectangle(&options).unwrap();
        let regions = (0..mesh.cell_count()).map(|cell| usize::from(cell >= 4)).collect();
        let mesh = mesh.with_regions(vec!["a".to_owned(), "b".to_owned()], regions).unwrap();
        assert_eq!(DrawnSurface::new(&mesh).flat_lines().len(), 10 + 1);
    }
}
