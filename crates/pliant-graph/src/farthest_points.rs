//! Farthest-point sampling: each new node is the vertex farthest from the nodes so far, the lowest of those that tie.
//!
//! In the metric of a graph one step is a pruned update that visits only the vertices that come nearer; unreached
//! components are infinitely far and come first.

use pliant_mesh::SimplexMesh;

use crate::{ComplianceGraph, GraphError, compliance_graph::distance, tie::TIE, tie::first_largest};

/// What happens to a connected component that holds none of the nodes asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UncoveredComponents {
    /// An error that names the component (the default).
    #[default]
    Reject,
    /// It gets a node of its own, beyond the number asked for.
    AddNodes,
}

/// The vertex of smallest first coordinate, the lowest of those within 1e-9 of the bounding box's diagonal. O(n).
pub fn smallest_first_coordinate<const D: usize>(mesh: &SimplexMesh<D>) -> usize {
    let bound = mesh.bounding_box().0[0] + TIE * mesh.diagonal();
    mesh.positions()
        .iter()
        .position(|position| position[0] <= bound)
        .expect("a mesh has a vertex at the low end of its bounding box")
}

/// Farthest-point sampling in plain Euclidean distance, for comparison: it ignores material, holes and gaps. O(k n).
///
/// Returns `count` different vertices in order of choice, beginning with `first`.
///
/// # Errors
/// No node, more nodes than vertices, or a first vertex out of range.
pub fn euclidean_farthest_points<const D: usize>(
    mesh: &SimplexMesh<D>,
    count: usize,
    first: usize,
) -> Result<Vec<usize>, GraphError> {
    let positions = mesh.positions();
    check_count(count, positions.len())?;
    if first >= positions.len() {
        return Err(GraphError::NodeOutOfRange { index: 0, vertex: first, vertices: positions.len() });
    }
    let mut nodes = vec![first];
    let mut distances = vec![f64::INFINITY; positions.len()];
    loop {
        let newest = positions[nodes[nodes.len() - 1]];
        for (nearest, position) in distances.iter_mut().zip(positions) {
            *nearest = nearest.min(distance(position, &newest));
        }
        if nodes.len() == count {
            return Ok(nodes);
        }
        nodes.push(farthest(&distances, &nodes));
    }
}

/// Extends the start nodes to `count` by farthest-point sampling; more where components ask for nodes of their own.
///
/// # Errors
/// A component that holds no node, unless it gets one.
pub(crate) fn farthest_points(
    graph: &ComplianceGraph,
    start: Vec<usize>,
    count: usize,
    uncovered: UncoveredComponents,
) -> Result<Vec<usize>, GraphError> {
    let mut nodes = start;
    let mut distances = vec![f64::INFINITY; graph.vertex_count()];
    for &node in &nodes {
        graph.lower_distances(node, &mut distances);
    }
    loop {
        let wanted = nodes.len() < count;
        if !wanted && uncovered == UncoveredComponents::Reject {
            break;
        }
        let next = farthest(&distances, &nodes);
        if !wanted && distances[next].is_finite() {
            break;
        }
        graph.lower_distances(next, &mut distances);
        nodes.push(next);
    }
    graph.check_covered(&distances)?;
    Ok(nodes)
}

/// The first vertex that ties with the farthest.
///
/// Where everything has distance 0 (lengths below the smallest number) it is the lowest vertex that is no node yet.
fn farthest(distances: &[f64], nodes: &[usize]) -> usize {
    let candidate = first_largest(distances.iter().copied()).expect("a mesh has vertices");
    if distances[candidate] > 0.0 {
        return candidate;
    }
    (0..distances.len()).find(|vertex| !nodes.contains(vertex)).unwrap_or(candidate)
}

/// Checks that the number of nodes is between 1 and the number of vertices.
pub(crate) fn check_count(nodes: usize, vertices: usize) -> Result<(), GraphError> {
    match nodes {
        0 => Err(GraphError::NoNodes),
        _ if nodes > vertices => Err(GraphError::TooManyNodes { nodes, vertices }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{grid, random_graph};

    /// Full runs from every node, and the tie rule as it is written.
    fn textbook(graph: &ComplianceGraph, first: usize, count: usize) -> Vec<usize> {
        let mut nodes = vec![first];
        let mut distances = graph.distances_from(first);
        while nodes.len() < count {
            let largest = distances.iter().copied().fold(0.0, f64::max);
            let next = distances.iter().position(|&d| d >= largest * (1.0 - 1e-9)).unwrap();
            nodes.push(next);
            for (least, distance) in distances.iter_mut().zip(graph.distances_from(next)) {
                *least = least.min(distance);
            }
        }
        nodes
    }

    #[test]
    fn the_first_vertex_is_the_lowest_of_those_within_the_tie_width() {
        let positions = vec![[1.0, 0.0], [1e-10, 1.0], [0.0, 0.0]];
        let mesh = SimplexMesh::new(positions, vec![0, 1, 2]).unwrap();
        assert_eq!(smallest_first_coordinate(&mesh), 1);
    }

    #[test]
    fn euclidean_sampling_of_a_square_takes_its_corners_first() {
        let mesh = grid(5, 5, 0.0, 0);
        assert_eq!(euclidean_farthest_points(&mesh, 5, 0).unwrap(), [0, 24, 4, 20, 12]);
        assert_eq!(euclidean_farthest_points(&mesh, 0, 0), Err(GraphError::NoNodes));
        let error = euclidean_farthest_points(&mesh, 26, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "26 nodes were asked for, but the mesh has only 25 vertices; ask for fewer nodes"
        );
        assert!(matches!(
            euclidean_farthest_points(&mesh, 2, 25),
            Err(GraphError::NodeOutOfRange { vertex: 25, .. })
        ));
    }

    #[test]
    fn as_many_nodes_as_vertices_are_all_the_vertices() {
        let mut nodes = euclidean_farthest_points(&grid(5, 4, 0.0, 0), 20, 7).unwrap();
        nodes.sort_unstable();
        assert_eq!(nodes, (0..20).collect::<Vec<_>>());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn pruned_sampling_chooses_the_nodes_of_full_runs(
            seed in 0u64..1000,
            first in 0usize..80,
            count in 1usize..80,
        ) {
            let graph = random_graph(10, 8, seed);
            let nodes = farthest_points(&graph, vec![first], count, UncoveredComponents::Reject).unwrap();
            prop_assert_eq!(nodes, textbook(&graph, first, count));
        }
    }
}
