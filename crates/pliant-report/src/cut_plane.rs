//! A cut through a 3D body, which shows what is inside.

use pliant_mesh::SimplexMesh;

/// A plane at right angles to an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutPlane {
    /// 0, 1 or 2.
    pub axis: usize,
    /// Where it crosses the axis, in m.
    pub at: f64,
}

impl CutPlane {
    /// The polygon in which the plane cuts each cell that it cuts, with the cell's value. Empty in 2D.
    ///
    /// # Panics
    /// If there is not one value for each cell.
    pub fn polygons<const D: usize>(
        self,
        mesh: &SimplexMesh<D>,
        values: &[f64],
    ) -> Vec<(Vec<[f64; D]>, f64)> {
        assert_eq!(values.len(), mesh.cell_count(), "one value for each cell");
        if D != 3 {
            return Vec::new();
        }
        let x = mesh.positions();
        let crossing = |below: usize, above: usize| -> [f64; D] {
            let (a, b) = (x[below], x[above]);
            let place = (self.at - a[self.axis]) / (b[self.axis] - a[self.axis]);
            std::array::from_fn(|axis| a[axis] + place * (b[axis] - a[axis]))
        };
        let cut = |(cell, &value): (&[usize], &f64)| {
            let (above, below): (Vec<usize>, Vec<usize>) =
                cell.iter().partition(|&&vertex| x[vertex][self.axis] >= self.at);
            let polygon = match (&below[..], &above[..]) {
                ([a, b], [c, d]) => {
                    vec![crossing(*a, *c), crossing(*a, *d), crossing(*b, *d), crossing(*b, *c)]
                }
                ([a], [b, c, d]) => vec![crossing(*a, *b), crossing(*a, *c), crossing(*a, *d)],
                ([a, b, c], [d]) => vec![crossing(*a, *d), crossing(*b, *d), crossing(*c, *d)],
                _ => return None,
            };
            Some((polygon, value))
        };
        mesh.cells().zip(values).filter_map(cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, Resolution, box_mesh};

    use super::*;

    #[test]
    fn the_polygons_cover_the_section_of_a_box_also_where_the_plane_runs_along_facets() {
        let options = BoxOptions { resolution: Resolution::Counts([3, 2, 2]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let (low, high) = mesh.bounding_box();
        let section = (high[0] - low[0]) * (high[1] - low[1]);
        let values = vec![1.0; mesh.cell_count()];
        for place in [0.31, 0.5] {
            let plane = CutPlane { axis: 2, at: low[2] + place * (high[2] - low[2]) };
            let area = |polygon: &[[f64; 3]]| {
                let next = polygon.iter().cycle().skip(1);
                let twice: f64 = polygon.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
                0.5 * twice.abs()
            };
            let total: f64 = plane.polygons(&mesh, &values).iter().map(|(polygon, _)| area(polygon)).sum();
            assert!((total - section).abs() < 1e-12 * section, "{place}: {total} of {section}");
        }
    }
}
