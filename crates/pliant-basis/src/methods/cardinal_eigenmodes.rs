//! `cardinal-eigenmodes`: the material eigenmodes in a basis of sparse weights, each 1 at a node of its own.
//!
//! The rows sum to one and interpolate at the nodes. Nodes and weights: see `cardinal`.

use faer::MatRef;
use pliant_mesh::vertex_components;

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::cardinal::{CardinalFunctions, Row};
use crate::{BasisError, Promise, Weights};

pub(crate) fn cardinal_eigenmodes<const D: usize>(
    builder: &BasisBuilder<'_, D>,
    frame_count: usize,
    options: &MethodOptions,
) -> Result<BuiltWeights, BasisError> {
    let options = &options.cardinal;
    options.check()?;
    let vertices = builder.mesh().vertex_count();
    let components = vertex_components(builder.mesh()).count;
    if frame_count < components {
        return Err(BasisError::FewerFramesThanComponents { frames: frame_count, components });
    }
    let (modes, mut values) = builder.material_modes(frame_count)?;
    let (mut nodes, mut rows) = interpolate(&modes, &values, components, frame_count, options.decay);
    let widened = options.widened(frame_count, vertices);
    if !options.is_local(&rows) && widened > frame_count {
        let (modes, all) = builder.widened_modes(widened)?;
        (nodes, rows) = interpolate(&modes, &all, components, frame_count, options.decay);
        values = all[..frame_count].to_vec();
    }
    Ok(BuiltWeights {
        weights: Weights::from_rows(frame_count, &options.shrink(&rows, frame_count))?,
        nodes: Some(nodes),
        anchors: Vec::new(),
        eigenvalues: Some(values),
        promises: vec![Promise::PartitionOfUnity, Promise::Interpolation],
    })
}

/// The nodes and the rows of `count` weights in the span of the modes.
fn interpolate(
    modes: &Weights,
    values: &[f64],
    components: usize,
    count: usize,
    decay: f64,
) -> (Vec<usize>, Vec<Row>) {
    let modes = MatRef::from_row_major_slice(modes.values(), modes.vertex_count(), modes.frame_count());
    let functions = CardinalFunctions::new(modes, values, components, count, decay);
    let row = |vertex: usize| -> Row { functions.row(vertex).iter().copied().enumerate().collect() };
    let rows = (0..modes.nrows()).map(row).collect();
    (functions.nodes, rows)
}
