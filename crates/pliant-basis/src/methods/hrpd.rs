//! `hrpd`: farthest points in geodesic distance, radial weights.
//!
//! Source: Brandt, Eisemann, Hildebrandt, "Hyper-reduced projective dynamics", 2018.

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::{BasisError, HrpdWeights, Promise, hrpd_weights};

pub(crate) fn hrpd<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    options: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    let HrpdWeights { nodes, weights } = hrpd_weights(builder.mesh(), frame_count, &options.hrpd)?;
    let promises = vec![Promise::PartitionOfUnity, Promise::NonNegative];
    Ok(BuiltWeights { weights, nodes: Some(nodes), anchors: Vec::new(), eigenvalues: None, promises })
}
