//! Whether a space can take every affine shape.

use crate::body::WIDTH;
use crate::colour_scale::short;
use crate::{Body, ColourScale, Figure, LineStyle, mesh_panels};

/// One space's answer to an affine deformation.
#[derive(Clone, Debug)]
pub struct PatchTest {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// The worst relative projection error of all unit affine maps.
    pub error: f64,
    /// The nearest shape of the space to the deformation, n x D stacked, in m.
    pub displacement: Vec<f64>,
}

/// The nearest shape of each space to the affine `deformation` (n x D stacked, in m).
pub fn patch_test_figure<const D: usize>(
    body: &Body<'_, D>,
    deformation: &[f64],
    spaces: &[PatchTest],
) -> Figure {
    let size = body.mesh.diagonal();
    let panels: Vec<_> = spaces
        .iter()
        .map(|space| {
            let pairs = space.displacement.chunks_exact(D).zip(deformation.chunks_exact(D));
            let misses: Vec<f64> = pairs
                .map(|(u, exact)| {
                    u.iter().zip(exact).map(|(u, e)| (u - e).powi(2)).sum::<f64>().sqrt() / size
                })
                .collect();
            // Misses below a millionth of the body are no colour at all: round-off is not a picture.
            let most = misses.iter().fold(1e-6_f64, |most, miss| most.max(*miss));
            body.panel(&format!("{}: worst error {}", space.label, short(space.error)))
                .vertices(
                    &misses,
                    Some(&space.displacement),
                    ColourScale::Sequential { from: most, to: 0.0 },
                    "distance / diagonal (1)",
                )
                .outline(Some(deformation), LineStyle::Dashed)
        })
        .collect();
    Figure {
        name: "patch-test".to_owned(),
        title: "Patch test: a sheared and stretched body".to_owned(),
        caption: "The nearest shape of each space to an affine deformation (dashed). A space of affine frames must meet it to round-off, \
                  whatever its weights are, as long as a constant is among their sums. The error is the worst of all unit affine maps."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}
