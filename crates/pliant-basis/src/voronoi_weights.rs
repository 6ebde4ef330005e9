//! Voronoi weights: sparse, interpolating weights that fall linearly in compliance distance.
//!
//! `w_a(v) = max(0, 1 - d_a(v) / R_a(v))`, rows normalised to one, with `R_a(v) = s max(r_a, d1(v) + d2(v))`: `d_a` the
//! distance of node a, `r_a` its distance to the nearest other node, `d1 <= d2` the two smallest node distances of vertex v,
//! `s` the support scale. All distances in m/Pa, weights n x k without unit.
//! Source: Faure, Gilles, Bousquet, Pai 2011, "Sparse meshless models of complex deformable solids".

use pliant_graph::{ComplianceGraph, SearchBundle, TwoNearest};
use rayon::prelude::*;

use crate::{BasisError, Weights, partition_rows::partition_rows};

/// How wide the supports of [`voronoi_weights`] are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoronoiOptions {
    /// s, above 1/2. Default: 1. Up to 1 the weights interpolate, above they overlap more and do not.
    pub support_scale: f64,
}

impl Default for VoronoiOptions {
    fn default() -> Self {
        Self { support_scale: 1.0 }
    }
}

/// The Voronoi weights of the nodes: frame j belongs to `nodes[j]`.
///
/// Rows sum to one, no weight is negative, weights of at most 1e-9 are dropped. For `s <= 1` the row of a node is exactly its
/// unit vector. One node gives ones everywhere. Every vertex has a weight: its nearest node's distance is at most half of
/// `d1 + d2`, which is less than `R` for `s > 1/2`.
///
/// About four Dijkstras for all nodes together and one bounded search for each node, eight searches at a time ([`SearchBundle`]) and
/// the eights in parallel; memory O(n + non-zeros), never n k.
///
/// # Errors
/// A support scale that is not above 1/2, no node, a node out of range or repeated, or a component that holds no node.
pub fn voronoi_weights(
    graph: &ComplianceGraph,
    nodes: &[usize],
    options: &VoronoiOptions,
) -> Result<Weights, BasisError> {
    let scale = options.support_scale;
    if !(scale.is_finite() && scale > 0.5) {
        return Err(BasisError::SupportScale { method: "sparse-meshless", scale, least: 0.5 });
    }
    graph.check_nodes(nodes)?;
    let two = graph.two_nearest(nodes);
    graph.check_covered(&two.nearest)?;
    if nodes.len() == 1 {
        return Weights::from_dense(1, vec![1.0; graph.vertex_count()]);
    }
    let supports = Supports::new(graph, nodes, two, scale);
    // Searches run together when their nodes are about equally far from the first: those cross the same stiff parts.
    let places = graph.distances_from(nodes[0]);
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by(|&a, &b| places[nodes[a]].total_cmp(&places[nodes[b]]));
    drop(places);
    let bundles: Vec<Vec<Vec<(u32, f64)>>> = order
        .par_chunks(SearchBundle::WIDTH)
        .map_init(
            || SearchBundle::within(graph, &supports.reach),
            |searches, frames| supports.values(searches, nodes, frames),
        )
        .collect();
    let mut frames = vec![Vec::new(); nodes.len()];
    for (frame, values) in order.into_iter().zip(bundles.into_iter().flatten()) {
        frames[frame] = values;
    }
    partition_rows(graph.vertex_count(), frames)
}

/// The radii of all supports, and how far a search must go to fill them.
struct Supports {
    scale: f64,
    /// For each vertex `d1 + d2`.
    spread: Vec<f64>,
    /// For each vertex the distance beyond which no path leads to a vertex that has `d < s (d1 + d2)`.
    reach: Vec<f64>,
    /// For each frame `r`.
    spacing: Vec<f64>,
    /// For each vertex the frame whose node it is, where that frame must have it alone.
    sole_frame: Vec<Option<u32>>,
}

impl Supports {
    fn new(graph: &ComplianceGraph, nodes: &[usize], two: TwoNearest, scale: f64) -> Self {
        // At a node the nearest node is itself, so the second nearest is the nearest other.
        let spacing = nodes.iter().map(|&node| two.second[node]).collect();
        let spread: Vec<f64> =
            two.nearest.iter().zip(&two.second).map(|(first, second)| first + second).collect();
        let limits: Vec<f64> = spread.iter().map(|spread| scale * spread).collect();
        let mut sole_frame = vec![None; graph.vertex_count()];
        if scale <= 1.0 {
            nodes.iter().enumerate().for_each(|(frame, &node)| sole_frame[node] = Some(frame as u32));
        }
        Self { scale, spread, reach: graph.reach(&limits), spacing, sole_frame }
    }

    /// The values of some frames before normalisation, where they are positive.
    fn values(
        &self,
        searches: &mut SearchBundle<'_>,
        nodes: &[usize],
        frames: &[usize],
    ) -> Vec<Vec<(u32, f64)>> {
        let sources: Vec<usize> = frames.iter().map(|&frame| nodes[frame]).collect();
        let balls: Vec<f64> = frames.iter().map(|&frame| self.scale * self.spacing[frame]).collect();
        let mut values = vec![Vec::new(); frames.len()];
        searches.run(&sources, &balls, |vertex, search, distance| {
            let radius = balls[search].max(self.scale * self.spread[vertex]);
            // An infinite radius (the only node of a component) gives 1, like the node itself.
            if (distance < radius || distance == 0.0)
                && self.sole_frame[vertex].is_none_or(|sole| sole as usize == frames[search])
            {
                let value = if distance == 0.0 { 1.0 } else { 1.0 - distance / radius };
                values[search].push((vertex as u32, value));
            }
        });
        values.iter_mut().for_each(Vec::shrink_to_fit);
        values
    }
}
