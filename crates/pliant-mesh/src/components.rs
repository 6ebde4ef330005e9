//! Connected components of a mesh: vertices joined by cells.

use crate::{SimplexMesh, boundary_facets};

/// Which connected component each vertex belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Number of components; components are numbered by their lowest vertex.
    pub count: usize,
    /// For each vertex its component.
    pub labels: Vec<usize>,
}

/// The connected components of the mesh, by union-find over its cells. O(n + t).
pub fn vertex_components<const D: usize>(mesh: &SimplexMesh<D>) -> Components {
    joined(mesh.vertex_count(), mesh.cells())
}

/// The number of connected pieces of the boundary: one for each body and one more for each hole (2D) or cavity (3D).
///
/// Facets that share a vertex are in one piece. O(n + t).
pub fn boundary_component_count<const D: usize>(mesh: &SimplexMesh<D>) -> usize {
    let facets = boundary_facets(mesh);
    let components = joined(mesh.vertex_count(), facets.iter().map(|facet| &facet[..]));
    let mut is_on_boundary = vec![false; components.count];
    for facet in &facets {
        is_on_boundary[components.labels[facet[0]]] = true;
    }
    is_on_boundary.into_iter().filter(|&is_on_boundary| is_on_boundary).count()
}

/// Components of vertices that each of the groups joins.
fn joined<'a>(vertices: usize, groups: impl Iterator<Item = &'a [usize]>) -> Components {
    let mut parent: Vec<usize> = (0..vertices).collect();
    for group in groups {
        let first = root(&mut parent, group[0]);
        for &vertex in &group[1..] {
            let other = root(&mut parent, vertex);
            let first = root(&mut parent, first);
            // The lower index becomes the root, so that numbering follows the lowest vertex.
            parent[first.max(other)] = first.min(other);
        }
    }
    let mut labels = vec![0; vertices];
    let mut count = 0;
    for vertex in 0..labels.len() {
        let ancestor = root(&mut parent, vertex);
        if ancestor == vertex {
            labels[vertex] = count;
            count += 1;
        } else {
            labels[vertex] = labels[ancestor];
        }
    }
    Components { count, labels }
}

fn root(parent: &mut [usize], mut vertex: usize) -> usize {
    while parent[vertex] != vertex {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RectangleOptions, Resolution, rectangle};

    #[test]
    fn a_hole_is_one_more_piece_of_the_boundary() {
        let options = RectangleOptions { resolution: Resolution::Counts([3, 3]), ..Default::default() };
        let whole = rectangle(&options).unwrap();
        assert_eq!(boundary_component_count(&whole), 1);
        let outside = |&cell: &usize| whole.centroid(cell).iter().any(|x| (x - 0.5).abs() > 0.17);
        let cells: Vec<usize> =
            (0..whole.cell_count()).filter(outside).flat_map(|cell| whole.cell(cell).to_vec()).collect();
        let ring = SimplexMesh::new(whole.positions().to_vec(), cells).unwrap();
        assert_eq!((boundary_component_count(&ring), vertex_components(&ring).count), (2, 1));
    }

    #[test]
    fn two_triangles_that_share_nothing_are_two_components() {
        let positions = vec![[0.0, 0.0], [5.0, 0.0], [1.0, 0.0], [6.0, 0.0], [0.0, 1.0], [5.0, 1.0]];
        let mesh = SimplexMesh::new(positions, vec![0, 2, 4, 1, 3, 5]).unwrap();
        let components = vertex_components(&mesh);
        assert_eq!(components.count, 2);
        assert_eq!(components.labels, [0, 1, 0, 1, 0, 1]);
    }
}
