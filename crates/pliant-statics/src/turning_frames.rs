//! Full Newton steps that turn along the frames of a subspace: `x' = x + a dx + B (retract(z, a dz) - z - a dz)`.

use pliant_basis::Subspace;

use crate::frame_retraction::FrameRetraction;

/// Frames along which full Newton steps turn, and how.
#[derive(Debug)]
pub(crate) struct TurningFrames<const D: usize> {
    subspace: Subspace<D>,
    retraction: FrameRetraction<D>,
}

impl<const D: usize> TurningFrames<D> {
    pub(crate) fn new(subspace: Subspace<D>) -> Self {
        let retraction = FrameRetraction::new(&subspace, std::iter::empty());
        Self { subspace, retraction }
    }

    /// `B (retract(z, a dz) - z - a dz)`, stacked.
    pub(crate) fn correction(&self, displacement: &[f64], step: &[f64], length: f64) -> Vec<f64> {
        let rest = self.subspace.rest_positions();
        let (moved, _) = displacement.as_chunks::<D>();
        let positions: Vec<[f64; D]> =
            rest.iter().zip(moved).map(|(x, u)| std::array::from_fn(|axis| x[axis] + u[axis])).collect();
        let change: Vec<[f64; D]> =
            step.as_chunks::<D>().0.iter().map(|du| du.map(|entry| length * entry)).collect();
        let mut correction = vec![0.0; self.subspace.dofs()];
        self.retraction.add_correction(
            &self.subspace.project(&positions),
            &self.subspace.project(&change),
            &mut correction,
        );
        self.subspace.lift(&correction).into_flattened()
    }
}
