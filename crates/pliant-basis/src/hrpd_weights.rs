//! HRPD weights: radial kernels in geodesic distance around farthest-point samples, blind to the material.
//!
//! `w_a(v) = phi(d_a(v) / r) / sum_b phi(d_b(v) / r)` with `r = s max_v min_a d_a(v)`: `d_a` the geodesic distance along edges of
//! node a in m, `s` the support scale. Weights n x k without unit; they sum to one but do not interpolate.
//! Source: Brandt, Eisemann, Hildebrandt 2018, "Hyper-reduced projective dynamics".

use std::ops::ControlFlow;

use pliant_graph::{ComplianceGraph, DistanceSearch, SamplingOptions, UncoveredComponents, sample_nodes};
use pliant_mesh::SimplexMesh;
use rayon::prelude::*;

use crate::{BasisError, Weights, partition_rows::partition_rows};

/// The shape of one weight over `x = d / r` in `0..1`, zero from 1 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HrpdKernel {
    /// Wendland's C2 function `(1 - x)^4 (4 x + 1)` (the default), support scale 2.
    #[default]
    Wendland,
    /// The quartic `(1 - x^2)^2` of the source, support scale 2.5.
    Quartic,
}

impl HrpdKernel {
    /// The support scale that goes with the kernel: 2 for Wendland, 2.5 for the quartic.
    pub fn support_scale(self) -> f64 {
        match self {
            Self::Wendland => 2.0,
            Self::Quartic => 2.5,
        }
    }

    /// The kernel at `x >= 0`: 1 at 0, falling to 0 at 1.
    pub fn value(self, x: f64) -> f64 {
        let rest = (1.0 - x).max(0.0);
        match self {
            Self::Wendland => rest.powi(4) * (4.0 * x + 1.0),
            // (1 - x^2)^2 = ((1 - x) (1 + x))^2
            Self::Quartic => (rest * (1.0 + x)).powi(2),
        }
    }
}

/// Kernel and supports of [`hrpd_weights`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HrpdOptions {
    /// Default: Wendland.
    pub kernel: HrpdKernel,
    /// s, above 1. Default: `None`, the scale that goes with the kernel.
    pub support_scale: Option<f64>,
    /// What happens to a connected component that holds none of the nodes. Default: an error.
    pub uncovered_components: UncoveredComponents,
}

/// The nodes that HRPD sampled, and the weights of their frames.
#[derive(Clone, Debug, PartialEq)]
pub struct HrpdWeights {
    /// The sampled vertices in order of choice; frame j belongs to `nodes[j]`.
    pub nodes: Vec<usize>,
    /// n x k.
    pub weights: Weights,
}

/// Samples `frame_count` nodes by farthest points in geodesic distance (no Lloyd passes) and builds their weights.
///
/// Rows sum to one, no weight is negative, weights of at most 1e-9 are dropped. Every vertex has a weight: its nearest node is
/// within `r / s`, which is less than `r` for `s > 1`. One bounded search for each node, in parallel.
///
/// # Errors
/// A support scale that is not above 1, no frame, more frames than vertices, or a component that holds no node unless the
/// options add one.
pub fn hrpd_weights<const D: usize>(
    mesh: &SimplexMesh<D>,
    frame_count: usize,
    options: &HrpdOptions,
) -> Result<HrpdWeights, BasisError> {
    let scale = options.support_scale.unwrap_or(options.kernel.support_scale());
    if !(scale.is_finite() && scale > 1.0) {
        return Err(BasisError::SupportScale { method: "hrpd", scale, least: 1.0 });
    }
    let graph = ComplianceGraph::geodesic(mesh);
    let sampling = SamplingOptions {
        lloyd_passes: 0,
        uncovered_components: options.uncovered_components,
        ..SamplingOptions::default()
    };
    let nodes = sample_nodes(&graph, mesh, frame_count, &sampling)?;
    let farthest = graph.nearest_source(&nodes).distances.into_iter().fold(0.0, f64::max);
    let radius = scale * farthest;
    let bounds = vec![radius; mesh.vertex_count()];
    let frames = nodes
        .par_iter()
        .map_init(
            || DistanceSearch::within(&graph, &bounds),
            |search, &node| kernel_values(search, node, radius, options.kernel),
        )
        .collect();
    let weights = partition_rows(mesh.vertex_count(), frames)?;
    Ok(HrpdWeights { nodes, weights })
}

/// The kernel around one node, where it is positive; where every vertex is a node (radius 0) at the node alone.
fn kernel_values(
    search: &mut DistanceSearch<'_>,
    node: usize,
    radius: f64,
    kernel: HrpdKernel,
) -> Vec<(u32, f64)> {
    let mut values = Vec::new();
    search.run(node, 0.0, |vertex, distance| {
        let value = if distance == 0.0 { 1.0 } else { kernel.value(distance / radius) };
        values.push((vertex as u32, value));
        ControlFlow::Continue(())
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_fall_from_one_to_zero_and_stay_there() {
        for kernel in [HrpdKernel::Wendland, HrpdKernel::Quartic] {
            assert_eq!((kernel.value(0.0), kernel.value(1.0), kernel.value(3.0)), (1.0, 0.0, 0.0));
            let falling = |i: u32| kernel.value(f64::from(i + 1) / 50.0) < kernel.value(f64::from(i) / 50.0);
            assert!((0..50).all(falling));
        }
        assert_eq!(HrpdKernel::Wendland.value(0.5), 3.0 / 16.0);
        assert_eq!(HrpdKernel::Quartic.value(0.5), 9.0 / 16.0);
    }
}
