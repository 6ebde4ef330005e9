//! `uniform-eigenmodes` and `material-eigenmodes`: the smoothest modes of the body as weights.
//!
//! Their rows do not sum to one, so nothing is promised; the patch test still holds, because the constant is a mode.
//! Source: Benchekroun, Zhang, Chaudhuri, Grinspun, Zhou, Jacobson, "Fast complementary dynamics via skinning eigenmodes", 2023.

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::{BasisError, Stiffness};

pub(crate) fn uniform_eigenmodes<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    _: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    build(builder, frame_count, Stiffness::Uniform)
}

pub(crate) fn material_eigenmodes<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    _: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    build(builder, frame_count, Stiffness::Material(builder.material()))
}

fn build<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    stiffness: Stiffness<'_>,
) -> Result<BuiltWeights, BasisError> {
    let (weights, eigenvalues) = builder.eigenmodes(stiffness, frame_count)?;
    Ok(BuiltWeights {
        weights,
        nodes: None,
        anchors: Vec::new(),
        eigenvalues: Some(eigenvalues),
        promises: Vec::new(),
    })
}
