//! What adaptive frames grow from: the harmonic frames of a body's anchors, and the vertices where grown weights are zero.

use pliant_basis::{
    AnchoredOptions, BasisBuilder, BasisError, BetweenAnchors, Method, MethodOptions, Weights,
};

use crate::StaticsError;

/// The start of a growth.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveStart {
    /// One frame for each anchor, one for each part of the body that touches none, harmonic between.
    pub weights: Weights,
    /// Of stiff parts and of everything held, n: grown frames act there only where that is worth much more than elsewhere.
    pub anchored: Vec<bool>,
    /// Of pins and handles alone, n: grown frames never act there.
    pub held: Vec<bool>,
}

impl AdaptiveStart {
    /// The start for the anchors that the builder finds, pins and handles among them as its held sets say. One sparse factorisation.
    ///
    /// # Errors
    /// What finding anchors and building their frames reports.
    pub fn new<const D: usize>(builder: &BasisBuilder<'_, D>) -> Result<Self, StaticsError> {
        let anchors = builder.anchors()?;
        // Frames that are bent by inertia are the better basis by themselves, and the worse start.
        let anchored = AnchoredOptions { between: BetweenAnchors::Harmonic, ..AnchoredOptions::default() };
        let options = MethodOptions { anchored, ..MethodOptions::default() };
        let frames = anchors.len().max(1);
        let built = match builder.build(Method::Anchored, frames, &options) {
            Err(BasisError::AnchoredFrameCount { least, .. }) if least > frames => {
                builder.build(Method::Anchored, least, &options)
            }
            built => built,
        };
        Ok(Self {
            weights: built?.weights,
            anchored: anchors.of_vertices().iter().map(Option::is_some).collect(),
            held: held(builder),
        })
    }
}

/// Whether each vertex is in a held set, an anchor or not.
fn held<const D: usize>(builder: &BasisBuilder<'_, D>) -> Vec<bool> {
    let mut held = vec![false; builder.mesh().vertex_count()];
    for &vertex in builder.held_sets().iter().flat_map(|set| &set.vertices) {
        held[vertex] = true;
    }
    held
}
