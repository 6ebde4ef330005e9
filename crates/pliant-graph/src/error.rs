//! What can be wrong with a request for nodes, labels or distances.

use thiserror::Error;

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// No node was asked for or given.
    #[error("0 nodes were asked for; ask for at least one")]
    NoNodes,
    /// More nodes than vertices.
    #[error("{nodes} nodes were asked for, but the mesh has only {vertices} vertices; ask for fewer nodes")]
    TooManyNodes {
        /// Nodes asked for.
        nodes: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// More seed nodes than nodes.
    #[error(
        "{seeds} seed nodes were given, but only {nodes} nodes were asked for; ask for more nodes or give fewer seeds"
    )]
    TooManySeeds {
        /// Seed nodes given.
        seeds: usize,
        /// Nodes asked for.
        nodes: usize,
    },
    /// A node is not a vertex of the mesh.
    #[error("node {index} is vertex {vertex}, but the mesh has {vertices} vertices (0 to {last})", last = .vertices.saturating_sub(1))]
    NodeOutOfRange {
        /// Position of the node in the list, from 0.
        index: usize,
        /// The offending vertex.
        vertex: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// Two nodes are the same vertex.
    #[error("nodes {first} and {second} are both vertex {vertex}; every node must be a different vertex")]
    RepeatedNode {
        /// Position of the earlier node in the list, from 0.
        first: usize,
        /// Position of the later node.
        second: usize,
        /// The repeated vertex.
        vertex: usize,
    },
    /// A connected component of the body holds no node.
    #[error(
        "the body is disconnected: {components} of its components hold no node, the first one has {vertices} vertices and starts at vertex {lowest_vertex}; put a node on each component, or ask for a node of its own for each"
    )]
    ComponentWithoutNode {
        /// How many components hold no node.
        components: usize,
        /// Vertices of the first of them.
        vertices: usize,
        /// The lowest vertex of the first of them.
        lowest_vertex: usize,
    },
    /// The graph was built from another mesh.
    #[error(
        "the graph has {graph_vertices} vertices, but the mesh has {mesh_vertices}; build the graph from this mesh"
    )]
    OtherMesh {
        /// Vertices of the graph.
        graph_vertices: usize,
        /// Vertices of the mesh.
        mesh_vertices: usize,
    },
}
