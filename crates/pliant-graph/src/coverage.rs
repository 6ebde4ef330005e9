//! Checks of nodes: valid, different, and at least one on each connected component.

use crate::{ComplianceGraph, GraphError};

impl ComplianceGraph {
    /// Checks that there is a node, that each is a vertex, and that all are different. O(k log k).
    ///
    /// # Errors
    /// The first of these that fails, with the offending position and vertex.
    pub fn check_nodes(&self, nodes: &[usize]) -> Result<(), GraphError> {
        let vertices = self.vertex_count();
        if nodes.is_empty() {
            return Err(GraphError::NoNodes);
        }
        if let Some(index) = nodes.iter().position(|&vertex| vertex >= vertices) {
            return Err(GraphError::NodeOutOfRange { index, vertex: nodes[index], vertices });
        }
        let mut sorted: Vec<(usize, usize)> =
            nodes.iter().enumerate().map(|(index, &vertex)| (vertex, index)).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                Err(GraphError::RepeatedNode { first: pair[0].1, second: pair[1].1, vertex: pair[0].0 })
            }
            None => Ok(()),
        }
    }

    /// Checks that distances from the nearest node are finite, which means that every component holds a node. O(n).
    ///
    /// # Errors
    /// Names the first component that holds none.
    ///
    /// # Panics
    /// If there is not one distance for each vertex.
    pub fn check_covered(&self, distances: &[f64]) -> Result<(), GraphError> {
        assert_eq!(distances.len(), self.vertex_count(), "one distance for each vertex");
        let mut seen = vec![false; self.vertex_count()];
        let mut components = 0;
        let mut first = None;
        for start in 0..self.vertex_count() {
            if distances[start].is_finite() || seen[start] {
                continue;
            }
            components += 1;
            let size = self.flood(start, &mut seen);
            first.get_or_insert((start, size));
        }
        match first {
            Some((lowest_vertex, vertices)) => {
                Err(GraphError::ComponentWithoutNode { components, vertices, lowest_vertex })
            }
            None => Ok(()),
        }
    }

    /// Marks the component of a vertex and returns its size.
    fn flood(&self, start: usize, seen: &mut [bool]) -> usize {
        let mut stack = vec![start];
        seen[start] = true;
        let mut size = 0;
        while let Some(vertex) = stack.pop() {
            size += 1;
            for (neighbour, weight) in self.edges(vertex) {
                if weight.is_finite() && !seen[neighbour] {
                    seen[neighbour] = true;
                    stack.push(neighbour);
                }
            }
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::two_squares;

    #[test]
    fn bad_nodes_are_refused_with_position_and_vertex() {
        let graph = ComplianceGraph::geodesic(&two_squares(4, 4));
        assert_eq!(graph.check_nodes(&[3, 0]), Ok(()));
        assert_eq!(graph.check_nodes(&[]), Err(GraphError::NoNodes));
        let out_of_range = graph.check_nodes(&[3, 25]).unwrap_err();
        assert_eq!(out_of_range.to_string(), "node 1 is vertex 25, but the mesh has 25 vertices (0 to 24)");
        let repeated = graph.check_nodes(&[3, 7, 3]).unwrap_err();
        assert_eq!(
            repeated.to_string(),
            "nodes 0 and 2 are both vertex 3; every node must be a different vertex"
        );
    }

    #[test]
    fn a_component_without_node_is_named_by_its_size_and_lowest_vertex() {
        let graph = ComplianceGraph::geodesic(&two_squares(4, 4));
        let error = graph.check_covered(&graph.distances_from(2)).unwrap_err();
        assert_eq!(error, GraphError::ComponentWithoutNode { components: 1, vertices: 9, lowest_vertex: 16 });
        let nothing = vec![f64::INFINITY; graph.vertex_count()];
        let error = graph.check_covered(&nothing).unwrap_err();
        assert_eq!(error, GraphError::ComponentWithoutNode { components: 2, vertices: 16, lowest_vertex: 0 });
        let mut distances = graph.distances_from(2);
        graph.lower_distances(20, &mut distances);
        assert_eq!(graph.check_covered(&distances), Ok(()));
    }
}
