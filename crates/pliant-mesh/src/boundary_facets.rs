//! The surface of a mesh: facets (edges in 2D, triangles in 3D) that belong to exactly one cell.

use crate::SimplexMesh;

/// The facets of exactly one cell, in the order of the cells, each with the body behind it.
///
/// A 2D edge has the body on its left, a 3D triangle is seen counter-clockwise from outside. O(n + t).
pub fn boundary_facets<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<[usize; D]> {
    // Facets are grouped by their lowest vertex; a group is as small as the vertex's star.
    let facets: Vec<[usize; D]> = mesh.cells().flat_map(facets_of::<D>).collect();
    let lowest = |facet: &[usize; D]| facet.iter().copied().min().expect("a facet has a vertex");
    let mut starts = vec![0; mesh.vertex_count() + 1];
    for facet in &facets {
        starts[lowest(facet) + 1] += 1;
    }
    for vertex in 0..mesh.vertex_count() {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut grouped = vec![0; facets.len()];
    for (index, facet) in facets.iter().enumerate() {
        let place = &mut next[lowest(facet)];
        grouped[*place] = index;
        *place += 1;
    }
    let mut boundary = vec![false; facets.len()];
    for group in starts.windows(2).map(|bounds| &grouped[bounds[0]..bounds[1]]) {
        let mut keys: Vec<([usize; D], usize)> = group
            .iter()
            .map(|&index| {
                let mut key = facets[index];
                key.sort_unstable();
                (key, index)
            })
            .collect();
        keys.sort_unstable();
        for same in keys.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1) {
            boundary[same[0].1] = true;
        }
    }
    facets.into_iter().zip(boundary).filter(|&(_, boundary)| boundary).map(|(facet, _)| facet).collect()
}

/// The D+1 facets of a positively oriented cell, each with the cell behind it.
fn facets_of<const D: usize>(cell: &[usize]) -> impl Iterator<Item = [usize; D]> {
    const TRIANGLE: &[&[usize]] = &[&[0, 1], &[1, 2], &[2, 0]];
    const TETRAHEDRON: &[&[usize]] = &[&[1, 2, 3], &[0, 3, 2], &[0, 1, 3], &[0, 2, 1]];
    let corners = if D == 2 { TRIANGLE } else { TETRAHEDRON };
    corners.iter().map(|facet| std::array::from_fn(|index| cell[facet[index]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxOptions, RectangleOptions, Resolution, box_mesh, rectangle};

    #[test]
    fn a_rectangles_edges_run_once_around_it_with_the_body_on_the_left() {
        let options = RectangleOptions { resolution: Resolution::Counts([3, 2]), ..Default::default() };
        let mesh = rectangle(&options).unwrap();
        let facets = boundary_facets(&mesh);
        assert_eq!(facets.len(), 10);
        // Green: the area from the boundary alone.
        let x = mesh.positions();
        let area: f64 = facets.iter().map(|&[a, b]| 0.5 * (x[a][0] * x[b][1] - x[a][1] * x[b][0])).sum();
        assert!((area - mesh.volume()).abs() < 1e-14);
    }

    #[test]
    fn the_divergence_theorem_gives_a_boxs_volume_from_its_facets() {
        let options = BoxOptions { resolution: Resolution::Counts([3, 2, 4]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let facets = boundary_facets(&mesh);
        assert_eq!(facets.len(), 2 * 2 * (3 * 2 + 2 * 4 + 4 * 3));
        let x = mesh.positions();
        let volume: f64 = facets
            .iter()
            .map(|&[a, b, c]| {
                let [a, b, c] = [x[a], x[b], x[c]];
                (a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0]))
                    / 6.0
            })
            .sum();
        assert!((volume - mesh.volume()).abs() < 1e-14);
    }
}
