//! Connected components of a mesh: vertices joined by cells.

use crate::SimplexMesh;

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
    let mut parent: Vec<usize> = (0..mesh.vertex_count()).collect();
    for cell in mesh.cells() {
        let first = root(&mut parent, cell[0]);
        for &vertex in &cell[1..] {
            let other = root(&mut parent, vertex);
            let first = root(&mut parent, first);
            // The lower index becomes the root, so that numbering follows the lowest vertex.
            parent[first.max(other)] = first.min(other);
        }
    }
    let mut labels = vec![0; mesh.vertex_count()];
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

    #[test]
    fn two_triangles_that_share_nothing_are_two_components() {
        let positions = vec![[0.0, 0.0], [5.0, 0.0], [1.0, 0.0], [6.0, 0.0], [0.0, 1.0], [5.0, 1.0]];
        let mesh = SimplexMesh::new(positions, vec![0, 2, 4, 1, 3, 5]).unwrap();
        let components = vertex_components(&mesh);
        assert_eq!(components.count, 2);
        assert_eq!(components.labels, [0, 1, 0, 1, 0, 1]);
    }
}
