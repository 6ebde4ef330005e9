//! Voronoi regions of nodes: the node of every vertex and of every cell.
//!
//! A vertex belongs to its nearest node, a cell to the node with the smallest sum of distances to its vertices; ties go to
//! the earliest node.

use std::ops::ControlFlow;

use pliant_mesh::SimplexMesh;
use rayon::prelude::*;

use crate::{
    ComplianceGraph, DistanceSearch, GraphError, NearestSource,
    tie::{TIE, first_smallest},
};

/// For each vertex the position of its nearest node in the list, n. About one Dijkstra.
///
/// # Errors
/// No node, a node out of range or repeated, or a component that holds no node.
pub fn voronoi_labels(graph: &ComplianceGraph, nodes: &[usize]) -> Result<Vec<usize>, GraphError> {
    let nearest = nearest_covered(graph, nodes)?;
    Ok(nearest.labels.into_iter().flatten().collect())
}

/// For each cell the position of its node in the list, t. About three Dijkstras, whatever the number of nodes.
///
/// # Errors
/// As [`voronoi_labels`], and a graph of another mesh.
pub fn voronoi_cell_labels<const D: usize>(
    graph: &ComplianceGraph,
    mesh: &SimplexMesh<D>,
    nodes: &[usize],
) -> Result<Vec<usize>, GraphError> {
    if graph.vertex_count() != mesh.vertex_count() {
        return Err(GraphError::OtherMesh {
            graph_vertices: graph.vertex_count(),
            mesh_vertices: mesh.vertex_count(),
        });
    }
    let nearest = nearest_covered(graph, nodes)?;
    let candidates = candidates(graph, nodes, &limits(graph, mesh, &nearest));
    Ok(mesh.cells().map(|cell| best_node(cell, &candidates)).collect())
}

fn nearest_covered(graph: &ComplianceGraph, nodes: &[usize]) -> Result<NearestSource, GraphError> {
    graph.check_nodes(nodes)?;
    let nearest = graph.nearest_source(nodes);
    graph.check_covered(&nearest.distances)?;
    Ok(nearest)
}

/// For each vertex the largest distance at which a node can still win one of the cells around it.
///
/// A node that wins a cell has a sum of at most that of the node of any corner. So at corner v its distance is at most
/// `m(v)` plus what that sum exceeds the sum of the `m`, the smallest distances of the corners.
fn limits<const D: usize>(
    graph: &ComplianceGraph,
    mesh: &SimplexMesh<D>,
    nearest: &NearestSource,
) -> Vec<f64> {
    let mut limits = nearest.distances.clone();
    for cell in mesh.cells() {
        let least: f64 = cell.iter().map(|&vertex| nearest.distances[vertex]).sum();
        let of_corner = |corner: usize| -> f64 {
            let bound = |vertex: usize| match nearest.labels[vertex] == nearest.labels[corner] {
                true => nearest.distances[vertex],
                false => nearest.distances[corner] + graph.edge_weight(corner, vertex).unwrap_or(0.0),
            };
            cell.iter().map(|&vertex| bound(vertex)).sum()
        };
        let best = cell.iter().map(|&corner| of_corner(corner)).fold(f64::INFINITY, f64::min);
        // Labels are right within one tie width, sums tie within another, the third is for rounding.
        let excess = best * (1.0 + 3.0 * TIE) - least;
        for &vertex in cell {
            limits[vertex] = limits[vertex].max(nearest.distances[vertex] + excess);
        }
    }
    limits
}

/// For each vertex the nodes within its limit, in ascending order, with their distances.
fn candidates(graph: &ComplianceGraph, nodes: &[usize], limits: &[f64]) -> Vec<Vec<(u32, f64)>> {
    // A search stays below its bounds; the limits themselves are within.
    let bounds: Vec<f64> = graph.reach(limits).into_iter().map(f64::next_up).collect();
    let found: Vec<Vec<(usize, f64)>> = nodes
        .par_iter()
        .map_init(
            || DistanceSearch::within(graph, &bounds),
            |search, &node| {
                let mut within = Vec::new();
                search.run(node, 0.0, |vertex, distance| {
                    if distance <= limits[vertex] {
                        within.push((vertex, distance));
                    }
                    ControlFlow::Continue(())
                });
                within
            },
        )
        .collect();
    let mut candidates = vec![Vec::new(); graph.vertex_count()];
    for (label, within) in found.into_iter().enumerate() {
        for (vertex, distance) in within {
            candidates[vertex].push((label as u32, distance));
        }
    }
    candidates
}

/// The earliest node that ties with the smallest sum over the corners, among those that are candidates at all of them.
fn best_node(cell: &[usize], candidates: &[Vec<(u32, f64)>]) -> usize {
    let sum_of = |label: u32| -> Option<f64> {
        let distance = |vertex: &usize| {
            let known = &candidates[*vertex];
            known.binary_search_by_key(&label, |&(label, _)| label).ok().map(|at| known[at].1)
        };
        cell.iter().map(distance).sum()
    };
    let sums: Vec<(u32, f64)> =
        candidates[cell[0]].iter().filter_map(|&(label, _)| Some((label, sum_of(label)?))).collect();
    let best = first_smallest(sums.iter().map(|&(_, sum)| sum))
        .expect("the node with the smallest sum is within the limit at every corner");
    sums[best].0 as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{grid, random_body, two_squares};

    #[test]
    fn labels_of_a_strip_change_in_the_middle() {
        let mesh = grid(5, 2, 0.0, 0);
        let graph = ComplianceGraph::geodesic(&mesh);
        assert_eq!(voronoi_labels(&graph, &[0, 4]).unwrap(), [0, 0, 0, 1, 1, 0, 0, 0, 1, 1]);
        let cells = voronoi_cell_labels(&graph, &mesh, &[0, 4]).unwrap();
        assert_eq!((cells[0], cells[7]), (0, 1));
    }

    #[test]
    fn bad_nodes_and_uncovered_components_are_errors() {
        let mesh = two_squares(4, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        assert_eq!(voronoi_labels(&graph, &[]), Err(GraphError::NoNodes));
        assert!(matches!(voronoi_labels(&graph, &[99]), Err(GraphError::NodeOutOfRange { .. })));
        assert!(matches!(
            voronoi_cell_labels(&graph, &mesh, &[0]),
            Err(GraphError::ComponentWithoutNode { lowest_vertex: 16, .. })
        ));
        let other = grid(3, 3, 0.0, 0);
        assert!(matches!(voronoi_cell_labels(&graph, &other, &[0]), Err(GraphError::OtherMesh { .. })));
        assert!(voronoi_cell_labels(&graph, &mesh, &[0, 16]).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn cell_labels_are_those_of_full_runs(
            seed in 0u64..3000,
            nodes in proptest::collection::hash_set(0usize..130, 1..14),
        ) {
            let (mesh, graph) = random_body(13, 10, seed);
            let nodes: Vec<usize> = nodes.into_iter().collect();
            let each = graph.distances_from_each(&nodes);
            let expected: Vec<usize> = mesh.cells().map(|cell| {
                let sums = each.iter().map(|from| cell.iter().map(|&vertex| from[vertex]).sum::<f64>());
                let sums: Vec<f64> = sums.collect();
                first_smallest(sums.iter().copied()).unwrap()
            }).collect();
            prop_assert_eq!(voronoi_cell_labels(&graph, &mesh, &nodes).unwrap(), expected);
        }
    }
}
