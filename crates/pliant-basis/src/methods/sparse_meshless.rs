//! `sparse-meshless`: farthest points and Lloyd in compliance distance, then Voronoi weights.
//!
//! Source: Faure, Gilles, Bousquet, Pai, "Sparse meshless models of complex deformable solids", 2011.

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::{BasisError, Promise, voronoi_weights};
use pliant_graph::sample_nodes;

pub(crate) fn sparse_meshless<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    options: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    let graph = builder.compliance_graph(options.edge_reduction);
    let nodes = sample_nodes(graph, builder.mesh(), frame_count, &options.sampling)?;
    let weights = voronoi_weights(graph, &nodes, &options.voronoi)?;
    let mut promises = vec![Promise::PartitionOfUnity, Promise::NonNegative];
    if options.voronoi.support_scale <= 1.0 {
        promises.push(Promise::Interpolation);
    }
    Ok(BuiltWeights { weights, nodes: Some(nodes), anchors: Vec::new(), eigenvalues: None, promises })
}
