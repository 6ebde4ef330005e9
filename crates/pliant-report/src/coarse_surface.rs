//! A surface of fewer vertices, for what moves in the page: those of one cube of a grid become one of them.
//!
//! Source: Rossignac and Borrel, "Multi-resolution 3D approximations for rendering complex scenes", 1993.

use std::collections::{BTreeMap, BTreeSet};

use pliant_mesh::SimplexMesh;

use crate::DrawnSurface;

/// How much larger the cubes of the next grid are.
const GROWTH: f64 = 1.1;

impl DrawnSurface {
    /// The same surface where it has no more than so many vertices; else a coarser one of fewer. Each of its vertices is one of the mesh, so
    /// it deforms with it, and each of its triangles one that keeps its cell.
    ///
    /// Parts that are thinner than the grid fold onto themselves, which is no matter for a picture. O(n log n).
    pub(crate) fn coarsened<const D: usize>(self, mesh: &SimplexMesh<D>, most: usize) -> Self {
        if self.vertices.len() <= most {
            return self;
        }
        let positions = self.positions(mesh, None);
        let (low, high) = mesh.bounding_box();
        let longest = (0..D).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        let mut size = longest / most as f64;
        loop {
            let cube = |position: &[f64; 3]| -> [i64; 3] {
                std::array::from_fn(|axis| {
                    let from = if axis < D { low[axis] } else { 0.0 };
                    ((position[axis] - from) / size) as i64
                })
            };
            let mut members: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
            for (vertex, position) in positions.iter().enumerate() {
                members.entry(cube(position)).or_default().push(vertex);
            }
            if members.len() <= most.max(1) || size > longest {
                return self.with_representatives(&positions, members.into_values());
            }
            size *= GROWTH;
        }
    }

    /// The surface in which the vertex nearest to the middle of its members stands for them all.
    fn with_representatives(
        &self,
        positions: &[[f64; 3]],
        clusters: impl Iterator<Item = Vec<usize>>,
    ) -> Self {
        let mut stands_in = vec![0; positions.len()];
        for members in clusters {
            let mean: [f64; 3] = std::array::from_fn(|axis| {
                members.iter().map(|&vertex| positions[vertex][axis]).sum::<f64>() / members.len() as f64
            });
            let distance = |vertex: usize| -> f64 {
                positions[vertex].iter().zip(mean).map(|(x, mean)| (x - mean).powi(2)).sum()
            };
            let nearest = members.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            members.iter().for_each(|&vertex| stands_in[vertex] = nearest.unwrap_or(vertex));
        }
        let mut met = BTreeSet::new();
        let mut kept: Vec<([usize; 3], usize)> = Vec::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| stands_in[vertex]);
            let [a, b, c] = corners;
            let mut sorted = corners;
            sorted.sort_unstable();
            if a != b && b != c && c != a && met.insert(sorted) {
                kept.push((corners, index));
            }
        }
        let used: BTreeSet<usize> = kept.iter().flat_map(|(corners, _)| *corners).collect();
        let numbers: BTreeMap<usize, usize> =
            used.iter().enumerate().map(|(number, &vertex)| (vertex, number)).collect();
        Self::of_triangles(
            used.iter().map(|&vertex| self.vertices[vertex]).collect(),
            kept.iter().map(|(corners, _)| corners.map(|vertex| numbers[&vertex])).collect(),
            kept.iter().map(|&(_, index)| self.cells[index]).collect(),
            kept.iter().map(|&(_, index)| self.regions[index]).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, Resolution, box_mesh};

    use super::*;

    #[test]
    fn a_coarser_box_is_still_closed_and_as_large() {
        let options = BoxOptions { resolution: Resolution::Counts([12, 12, 12]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let fine = DrawnSurface::new(&mesh);
        assert_eq!(fine.clone().coarsened(&mesh, 10_000), fine);
        let coarse = fine.coarsened(&mesh, 200);
        assert!(coarse.vertices.len() <= 200 && coarse.vertices.len() > 80, "{}", coarse.vertices.len());
        assert!(coarse.sides.chunk_by(|a, b| a.0 == b.0).all(|sides| sides.len() % 2 == 0), "no hole");
        let positions = coarse.positions(&mesh, None);
        let volume: f64 = coarse
            .triangles
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|vertex| positions[vertex]);
                let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
                a.iter().zip(cross).map(|(a, b)| a * b).sum::<f64>() / 6.0
            })
            .sum();
        assert!((volume - 1.0).abs() < 0.25, "{volume}");
    }

    #[test]
    fn one_vertex_is_no_surface() {
        let options = BoxOptions { resolution: Resolution::Counts([2, 2, 2]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        assert_eq!(DrawnSurface::new(&mesh).coarsened(&mesh, 1).triangle_count(), 0);
    }
}
