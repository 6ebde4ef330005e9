//! Node sampling: farthest-point sampling in compliance distance, then Lloyd passes.
//!
//! Source: Faure, Gilles, Bousquet, Pai 2011, "Sparse meshless models of complex deformable solids".

use pliant_mesh::SimplexMesh;

use crate::{
    ComplianceGraph, GraphError, LloydCentre, UncoveredComponents,
    compliance_centre::compliance_centre,
    farthest_points::{check_count, farthest_points, smallest_first_coordinate},
    lloyd::relax,
};

/// Where farthest-point sampling starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstNode {
    /// The vertex of smallest first coordinate (the default).
    #[default]
    SmallestFirstCoordinate,
    /// This vertex.
    Vertex(usize),
    /// The vertex whose greatest compliance distance to any other is smallest (in the heaviest component). Several searches.
    ComplianceCentre,
}

/// How [`sample_nodes`] chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamplingOptions {
    /// Where sampling starts when there are no seeds. Default: the vertex of smallest first coordinate.
    pub first: FirstNode,
    /// Nodes that come first in the result and never move. Default: none.
    pub seeds: Vec<usize>,
    /// The most Lloyd passes; fewer when nothing moves any more. Default: 8.
    pub lloyd_passes: usize,
    /// Where a Lloyd pass moves a node. Default: the member nearest the Euclidean mean.
    pub lloyd_centre: LloydCentre,
    /// What happens to a component that holds none of the nodes asked for. Default: an error.
    pub uncovered_components: UncoveredComponents,
}

impl Default for SamplingOptions {
    fn default() -> Self {
        Self {
            first: FirstNode::default(),
            seeds: Vec::new(),
            lloyd_passes: 8,
            lloyd_centre: LloydCentre::default(),
            uncovered_components: UncoveredComponents::default(),
        }
    }
}

/// Chooses `count` different vertices as nodes: the seeds in their order, then farthest points, then relaxed by Lloyd.
///
/// The metric is the graph's: compliance distance, or geodesic distance along edges. Every component holds a node, so
/// the result is longer than `count` where components get nodes of their own.
/// One pruned Dijkstra a node and one multi-source Dijkstra a Lloyd pass.
///
/// # Errors
/// No node; more nodes than vertices; more seeds than nodes; a seed or first vertex that is out of range or repeated; a
/// component that holds no node unless the options add one; a graph of another mesh.
pub fn sample_nodes<const D: usize>(
    graph: &ComplianceGraph,
    mesh: &SimplexMesh<D>,
    count: usize,
    options: &SamplingOptions,
) -> Result<Vec<usize>, GraphError> {
    let vertices = mesh.vertex_count();
    if graph.vertex_count() != vertices {
        return Err(GraphError::OtherMesh { graph_vertices: graph.vertex_count(), mesh_vertices: vertices });
    }
    check_count(count, vertices)?;
    let seeds = options.seeds.len();
    if seeds > count {
        return Err(GraphError::TooManySeeds { seeds, nodes: count });
    }
    let start = match seeds {
        0 => vec![first_node(graph, mesh, options.first)],
        _ => options.seeds.clone(),
    };
    graph.check_nodes(&start)?;
    let nodes = farthest_points(graph, start, count, options.uncovered_components)?;
    Ok(relax(graph, mesh, nodes, seeds, options.lloyd_passes, options.lloyd_centre))
}

fn first_node<const D: usize>(graph: &ComplianceGraph, mesh: &SimplexMesh<D>, first: FirstNode) -> usize {
    match first {
        FirstNode::SmallestFirstCoordinate => smallest_first_coordinate(mesh),
        FirstNode::Vertex(vertex) => vertex,
        FirstNode::ComplianceCentre => compliance_centre(graph, mesh),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{grid, two_squares};

    fn square() -> (SimplexMesh<2>, ComplianceGraph) {
        let mesh = grid(9, 9, 0.2, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        (mesh, graph)
    }

    #[test]
    fn seeds_come_first_and_stay() {
        let (mesh, graph) = square();
        let options = SamplingOptions { seeds: vec![40, 41], ..SamplingOptions::default() };
        let nodes = sample_nodes(&graph, &mesh, 6, &options).unwrap();
        assert_eq!((nodes.len(), &nodes[..2]), (6, &[40, 41][..]));
        assert_eq!(sample_nodes(&graph, &mesh, 2, &options).unwrap(), [40, 41]);
    }

    #[test]
    fn the_first_node_is_where_the_options_say() {
        let (mesh, graph) = square();
        let first = |first| {
            let options = SamplingOptions { first, lloyd_passes: 0, ..SamplingOptions::default() };
            sample_nodes(&graph, &mesh, 1, &options).unwrap()[0]
        };
        assert_eq!(first(FirstNode::SmallestFirstCoordinate), 0);
        assert_eq!(first(FirstNode::Vertex(17)), 17);
        assert_eq!(first(FirstNode::ComplianceCentre), 40);
    }

    #[test]
    fn requests_that_cannot_be_met_are_errors() {
        let (mesh, graph) = square();
        let sample = |count, seeds: &[usize]| {
            let options = SamplingOptions { seeds: seeds.to_vec(), ..SamplingOptions::default() };
            sample_nodes(&graph, &mesh, count, &options).unwrap_err()
        };
        assert_eq!(sample(0, &[]), GraphError::NoNodes);
        assert_eq!(sample(82, &[]), GraphError::TooManyNodes { nodes: 82, vertices: 81 });
        assert_eq!(sample(1, &[2, 3]), GraphError::TooManySeeds { seeds: 2, nodes: 1 });
        assert_eq!(sample(3, &[2, 81]), GraphError::NodeOutOfRange { index: 1, vertex: 81, vertices: 81 });
        assert_eq!(sample(3, &[2, 2]), GraphError::RepeatedNode { first: 0, second: 1, vertex: 2 });
        let options = SamplingOptions { first: FirstNode::Vertex(81), ..SamplingOptions::default() };
        let error = sample_nodes(&graph, &mesh, 3, &options).unwrap_err();
        assert_eq!(error, GraphError::NodeOutOfRange { index: 0, vertex: 81, vertices: 81 });
        let error = sample_nodes(&graph, &two_squares(3, 3), 3, &options).unwrap_err();
        assert_eq!(error, GraphError::OtherMesh { graph_vertices: 81, mesh_vertices: 18 });
    }

    #[test]
    fn a_disconnected_body_needs_a_node_on_each_component() {
        let mesh = two_squares(4, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        let error = sample_nodes(&graph, &mesh, 1, &SamplingOptions::default()).unwrap_err();
        assert_eq!(error, GraphError::ComponentWithoutNode { components: 1, vertices: 9, lowest_vertex: 16 });
        let nodes = sample_nodes(&graph, &mesh, 2, &SamplingOptions::default()).unwrap();
        assert!(nodes[0] < 16 && nodes[1] >= 16, "{nodes:?}");
    }

    #[test]
    fn on_request_every_component_gets_a_node_of_its_own() {
        let mesh = two_squares(4, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        let options = SamplingOptions {
            uncovered_components: UncoveredComponents::AddNodes,
            seeds: vec![3, 5],
            ..SamplingOptions::default()
        };
        let nodes = sample_nodes(&graph, &mesh, 2, &options).unwrap();
        assert_eq!((nodes.len(), &nodes[..2]), (3, &[3, 5][..]));
        assert!(nodes[2] >= 16);
        assert_eq!(sample_nodes(&graph, &mesh, 4, &options).unwrap().len(), 4);
    }

    #[test]
    fn the_number_of_threads_changes_no_node() {
        let (mesh, graph) = square();
        let options =
            SamplingOptions { lloyd_centre: LloydCentre::ComplianceMedoid, ..SamplingOptions::default() };
        let sample = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| sample_nodes(&graph, &mesh, 7, &options).unwrap())
        };
        assert_eq!(sample(1), sample(3));
    }
}
