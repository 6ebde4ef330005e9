//! Compliance graphs of elastic bodies: shortest paths, node sampling, Voronoi labels.

mod bounded_search;
mod compliance_centre;
mod compliance_graph;
mod coverage;
mod distance_search;
mod error;
mod farthest_points;
mod frontier;
mod lloyd;
mod medoid;
mod nearest_source;
mod reach;
mod sample_nodes;
mod search_bundle;
mod shortest_paths;
#[cfg(test)]
mod test_bodies;
mod tie;
mod two_nearest;
mod voronoi_labels;

pub use compliance_graph::{ComplianceGraph, EdgeReduction};
pub use distance_search::DistanceSearch;
pub use error::GraphError;
pub use farthest_points::{UncoveredComponents, euclidean_farthest_points, smallest_first_coordinate};
pub use lloyd::LloydCentre;
pub use nearest_source::NearestSource;
pub use sample_nodes::{FirstNode, SamplingOptions, sample_nodes};
pub use search_bundle::SearchBundle;
pub use two_nearest::TwoNearest;
pub use voronoi_labels::{voronoi_cell_labels, voronoi_labels};
