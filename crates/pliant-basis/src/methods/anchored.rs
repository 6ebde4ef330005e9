//! `anchored`: a frame for each anchor, harmonic between them, then fixed-interface modes.
//!
//! The base frames sum to one and each anchor follows its own frame alone.
//! Source: Craig and Bampton, "Coupling of substructures for dynamic analyses", 1968, there for displacements.

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::{BasisError, Promise};

pub(crate) fn anchored<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    options: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    let built = builder.anchored(frame_count, &options.anchored)?;
    Ok(BuiltWeights {
        weights: built.weights,
        nodes: (!built.nodes.is_empty()).then_some(built.nodes),
        anchors: builder.anchors()?.as_slice().to_vec(),
        eigenvalues: Some(built.eigenvalues),
        promises: vec![Promise::PartitionOfUnity, Promise::Interpolation],
    })
}
