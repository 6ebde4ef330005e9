//! The vertex nearest to a point, by a k-d tree over the rest positions.

use kiddo::{ImmutableKdTree, SquaredEuclidean};

use crate::{MeshError, SimplexMesh};

/// Distances within this relative difference of the smallest are equal; equal means the lowest vertex index.
const TIE: f64 = 1e-9;

/// Coordinates beyond this have squares that overflow.
const FARTHEST: f64 = 1e150;

/// Answers which vertex is nearest to a point; build it once for many points.
pub struct NearestVertex<'a, const D: usize> {
    positions: &'a [[f64; D]],
    tree: Tree,
}

/// One tree for each dimension: a tree of three coordinates is slow for flat bodies.
enum Tree {
    Two(ImmutableKdTree<f64, 2>),
    Three(ImmutableKdTree<f64, 3>),
}

impl<'a, const D: usize> NearestVertex<'a, D> {
    /// Builds the tree. O(n log n).
    ///
    /// # Panics
    /// If the mesh has more than 2^32 vertices.
    pub fn new(mesh: &'a SimplexMesh<D>) -> Self {
        let positions = mesh.positions();
        let tree = match D {
            2 => {
                let points: Vec<[f64; 2]> = positions.iter().map(|x| [x[0], x[1]]).collect();
                Tree::Two(ImmutableKdTree::new_from_slice(&points).expect("a mesh has finite vertices"))
            }
            _ => {
                let points: Vec<[f64; 3]> = positions.iter().map(|x| [x[0], x[1], x[2]]).collect();
                Tree::Three(ImmutableKdTree::new_from_slice(&points).expect("a mesh has finite vertices"))
            }
        };
        Self { positions, tree }
    }

    /// The vertex nearest to the point; of vertices whose distances agree to 1e-9, the lowest. O(log n).
    ///
    /// # Errors
    /// If a coordinate of the point is not finite or is beyond 1e150.
    pub fn nearest(&self, point: [f64; D]) -> Result<usize, MeshError> {
        if let Some(value) = point.iter().find(|value| value.is_nan() || value.abs() > FARTHEST) {
            let problem =
                format!("a point has the coordinate {value:e}; give a finite number of at most 1e150");
            return Err(MeshError::InvalidSelection { problem });
        }
        let first = self.any_nearest(&point);
        let squared = self.squared_distance(first, &point);
        // A little wider than the tie, against rounding inside the tree; never zero.
        let radius = squared * (1.0 + 3.0 * TIE) + f64::MIN_POSITIVE;
        let candidates: Vec<(f64, usize)> = std::iter::once(first)
            .chain(self.within(&point, radius))
            .map(|vertex| (self.squared_distance(vertex, &point).sqrt(), vertex))
            .collect();
        let smallest =
            candidates.iter().fold(f64::INFINITY, |smallest, &(distance, _)| smallest.min(distance));
        let tied = candidates.iter().filter(|&&(distance, _)| distance <= smallest * (1.0 + TIE));
        Ok(tied.map(|&(_, vertex)| vertex).min().unwrap_or(first))
    }

    fn squared_distance(&self, vertex: usize, point: &[f64; D]) -> f64 {
        self.positions[vertex].iter().zip(point).map(|(a, b)| (a - b).powi(2)).sum()
    }

    fn any_nearest(&self, point: &[f64; D]) -> usize {
        let item = match &self.tree {
            Tree::Two(tree) => {
                tree.query(&[point[0], point[1]]).nearest_one::<SquaredEuclidean<f64>>().execute().item
            }
            Tree::Three(tree) => {
                tree.query(&[point[0], point[1], point[2]])
                    .nearest_one::<SquaredEuclidean<f64>>()
                    .execute()
                    .item
            }
        };
        item as usize
    }

    /// Vertices within the squared radius, in no particular order.
    fn within(&self, point: &[f64; D], squared_radius: f64) -> Vec<usize> {
        match &self.tree {
            Tree::Two(tree) => tree
                .query(&[point[0], point[1]])
                .within::<SquaredEuclidean<f64>>(squared_radius)
                .execute()
                .into_iter()
                .map(|found| found.item as usize)
                .collect(),
            Tree::Three(tree) => tree
                .query(&[point[0], point[1], point[2]])
                .within::<SquaredEuclidean<f64>>(squared_radius)
                .execute()
                .into_iter()
                .map(|found| found.item as usize)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A lattice of triangles: many equal distances.
    fn lattice(count: usize) -> SimplexMesh<2> {
        let side = count + 1;
        let positions =
            (0..side * side).map(|index| [(index / side) as f64, (index % side) as f64]).collect();
        let mut cells = Vec::new();
        for a in (0..side * count).filter(|index| index % side < count) {
            cells.extend([a, a + side, a + side + 1, a, a + side + 1, a + 1]);
        }
        SimplexMesh::new(positions, cells).unwrap()
    }

    #[test]
    fn equally_near_vertices_give_the_lowest_index() {
        let mesh = lattice(30);
        let nearest = NearestVertex::new(&mesh);
        assert_eq!(nearest.nearest([2.5, 3.5]).unwrap(), 2 * 31 + 3);
        assert_eq!(nearest.nearest([2.5 + 1e-12, 3.5 + 1e-12]).unwrap(), 2 * 31 + 3);
        assert_eq!(nearest.nearest([2.5 + 1e-6, 3.5 + 1e-6]).unwrap(), 3 * 31 + 4);
        assert_eq!(nearest.nearest([7.0, 4.0]).unwrap(), 7 * 31 + 4);
        assert!(nearest.nearest([f64::NAN, 0.0]).is_err());
    }

    proptest! {
        #[test]
        fn the_tree_agrees_with_a_scan_of_all_vertices(x in -3.0..15.0, y in -3.0..15.0) {
            let mesh = lattice(12);
            let found = NearestVertex::new(&mesh).nearest([x, y]).unwrap();
            let distance = |p: &[f64; 2]| (p[0] - x).hypot(p[1] - y);
            let least = mesh.positions().iter().map(distance).fold(f64::INFINITY, f64::min);
            let scanned = mesh.positions().iter().position(|p| distance(p) <= least * (1.0 + 1e-9));
            prop_assert_eq!(Some(found), scanned);
        }
    }
}
