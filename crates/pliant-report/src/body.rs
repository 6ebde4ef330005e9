//! The body of a report: its mesh, how stiff it is, and where it is held and followed. Figures of one body look alike.

use std::sync::Arc;

use pliant_mesh::SimplexMesh;

use crate::{ColourScale, DrawnSurface, LineStyle, Mark, MeshPanel, Viewpoint};

/// A body with what its scene does to it.
#[derive(Clone, Debug)]
pub struct Body<'m, const D: usize> {
    /// With the scene's regions.
    pub mesh: &'m SimplexMesh<D>,
    /// Young's modulus of each cell in Pa.
    pub youngs_modulus: &'m [f64],
    /// Pinned vertices.
    pub pinned: Vec<usize>,
    /// Vertices of the handle; empty where there is none.
    pub handle: Vec<usize>,
    /// The vertex that reports follow.
    pub probe: Option<usize>,
    /// The axis that stands upright in pictures of a 3D body: 0, 1 or 2.
    pub upright: usize,
    /// What is seen of it, found once for all pictures.
    surface: Arc<DrawnSurface>,
}

/// The label of every colour bar of moduli.
pub(crate) const MODULUS: &str = "log10 E (Pa)";
/// Pixels of a picture, of which two or three have room beside each other.
pub(crate) const WIDTH: f64 = 380.0;

impl<'m, const D: usize> Body<'m, D> {
    /// A body that nothing holds, with the y axis upright. `youngs_modulus` is that of each cell in Pa.
    pub fn new(mesh: &'m SimplexMesh<D>, youngs_modulus: &'m [f64]) -> Self {
        let surface = Arc::new(DrawnSurface::new(mesh));
        Self {
            mesh,
            youngs_modulus,
            pinned: Vec::new(),
            handle: Vec::new(),
            probe: None,
            upright: 1,
            surface,
        }
    }

    /// log10 E of each cell.
    pub fn logarithms(&self) -> Vec<f64> {
        self.youngs_modulus.iter().map(|modulus| modulus.log10()).collect()
    }

    /// Bright for soft: dark lines stay visible on what deforms.
    pub fn modulus_scale(&self) -> ColourScale {
        match ColourScale::of_values(&self.logarithms()) {
            ColourScale::Sequential { from, to } => ColourScale::Sequential { from: to, to: from },
            other => other,
        }
    }

    /// From straight ahead.
    pub fn front(&self) -> Viewpoint {
        if D == 3 { Viewpoint::new(self.upright, 0.0, 0.0) } else { Viewpoint::FRONT }
    }

    /// From where figures with one picture of each space show the body.
    pub fn main_view(&self) -> Viewpoint {
        if D == 3 { Viewpoint::new(self.upright, -20.0, 18.0) } else { Viewpoint::FRONT }
    }

    /// From where figures of the body itself show it: two sides of a solid, the page of a flat one.
    pub fn views(&self) -> Vec<(&'static str, Viewpoint)> {
        if D == 3 {
            vec![
                ("from the front", self.main_view()),
                ("from behind and below", Viewpoint::new(self.upright, 140.0, -25.0)),
            ]
        } else {
            vec![("", Viewpoint::FRONT)]
        }
    }

    /// What is seen of the body.
    pub(crate) fn surface(&self) -> &DrawnSurface {
        &self.surface
    }

    /// An empty picture from the main view.
    pub(crate) fn panel(&self, title: &str) -> MeshPanel<'m, D> {
        MeshPanel::of_surface(self.mesh, Arc::clone(&self.surface), title).seen_from(self.main_view())
    }

    /// A field of cells on the rest shape, with outlines.
    pub(crate) fn cell_panel(
        &self,
        title: &str,
        values: &[f64],
        scale: ColourScale,
        label: &str,
    ) -> MeshPanel<'m, D> {
        self.panel(title).cells(values, None, scale, label).outline(None, LineStyle::Solid)
    }

    /// A field of vertices on the rest shape, with outlines.
    pub(crate) fn vertex_panel(
        &self,
        title: &str,
        values: &[f64],
        scale: ColourScale,
        label: &str,
    ) -> MeshPanel<'m, D> {
        self.panel(title).vertices(values, None, scale, label).outline(None, LineStyle::Solid)
    }

    /// Adds the signs of pins, handle and probe.
    pub(crate) fn marked(&self, panel: MeshPanel<'m, D>) -> MeshPanel<'m, D> {
        let probe: Vec<usize> = self.probe.into_iter().collect();
        panel.marks(&self.pinned, Mark::Pin).marks(&self.handle, Mark::Handle).marks(&probe, Mark::Probe)
    }
}
