//! The solution in each space over the full one, and how cells change their volume.

use crate::body::{MODULUS, WIDTH};
use crate::colour_scale::short;
use crate::{
    Body, ColourScale, Figure, LineStyle, MeshPanel, OrbitShape, OrbitView, Panel, SurfaceField, View,
    mesh_panels, orbit_view,
};

/// The solution in one space.
#[derive(Clone, Debug)]
pub struct SpaceShape {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// n x D stacked, in m.
    pub displacement: Vec<f64>,
    /// The distance from the full solution in the mass norm, relative; none for the full solution itself.
    pub error: Option<f64>,
    /// det F of each cell.
    pub volume_ratios: Vec<f64>,
}

impl SpaceShape {
    fn title(&self) -> String {
        match self.error {
            Some(error) => format!("{}: error {}", self.label, short(error)),
            None => self.label.clone(),
        }
    }
}

/// Each shape, the full one dashed over it.
pub fn shape_figure<const D: usize>(body: &Body<'_, D>, full: &[f64], shapes: &[SpaceShape]) -> Figure {
    let panel = |shape: &SpaceShape| {
        let panel = deformed(body, shape);
        if shape.error.is_some() { panel.outline(Some(full), LineStyle::Dashed) } else { panel }
    };
    let panels: Vec<_> = shapes.iter().map(panel).collect();
    Figure {
        name: "shapes".to_owned(),
        title: "The solution in each space".to_owned(),
        caption: "Under the scene's load, in true proportion. Dashed is full FEM: the further a shape stays from it, the more the space \
                  locks. The error is the distance between the two in the mass norm, relative to the size of the body."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}

fn deformed<'m, const D: usize>(body: &Body<'m, D>, shape: &SpaceShape) -> MeshPanel<'m, D> {
    let displacement = Some(&shape.displacement[..]);
    body.panel(&shape.title())
        .cells(&body.logarithms(), displacement, body.modulus_scale(), MODULUS)
        .outline(displacement, LineStyle::Solid)
}

/// The deformed surfaces in a view that the reader turns; the first of them, at least one, is the still picture in its place.
pub fn turning_view<const D: usize>(body: &Body<'_, D>, shapes: &[SpaceShape]) -> View {
    let logarithms = body.logarithms();
    let orbit: Vec<OrbitShape<'_>> = shapes
        .iter()
        .map(|shape| OrbitShape {
            name: &shape.label,
            displacement: Some(&shape.displacement),
            field: SurfaceField::Cells(&logarithms),
        })
        .collect();
    let still: String = mesh_panels(&[deformed(body, &shapes[0])], WIDTH).iter().map(Panel::inline).collect();
    let view = OrbitView {
        title: "The deformed surface, to be turned",
        shapes: &orbit,
        scale: body.modulus_scale(),
        label: MODULUS,
        front: body.front(),
        still: &still,
    };
    View {
        title: "The deformed surface".to_owned(),
        caption: "Turn it and choose a space: where a shape is too straight, its space is too stiff. On paper, and in a browser without \
                  WebGL, one shape stands still."
            .to_owned(),
        html: orbit_view(body.mesh, &view),
        animation: None,
    }
}

/// det F of each cell, on the rest shape.
pub fn volume_figure<const D: usize>(body: &Body<'_, D>, shapes: &[SpaceShape]) -> Figure {
    let reach = reach(shapes.iter().flat_map(|shape| &shape.volume_ratios));
    let panels: Vec<_> = shapes
        .iter()
        .map(|shape| {
            let scale = ColourScale::Diverging { middle: 1.0, reach };
            body.cell_panel(&shape.title(), &shape.volume_ratios, scale, "det F (1)")
        })
        .collect();
    Figure {
        name: "volume".to_owned(),
        title: "Change of volume, on the rest shape".to_owned(),
        caption: "det F of every cell: white keeps its volume, red grows, blue shrinks; below 0 a cell is turned inside out. Where a space cannot bend a joint \
                  it has nothing to show here, and where it bends it badly the colours are stronger than in full FEM."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}

/// The reach of a scale that 98 % of all values fit, so that a few cells do not bleach all others; a tenth at least.
fn reach<'a>(ratios: impl Iterator<Item = &'a f64>) -> f64 {
    let mut distances: Vec<f64> =
        ratios.map(|ratio| (ratio - 1.0).abs()).filter(|distance| distance.is_finite()).collect();
    distances.sort_by(f64::total_cmp);
    let most = distances.get(distances.len().saturating_sub(1) * 98 / 100).copied().unwrap_or(0.0);
    (10.0 * most).ceil().max(1.0) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reach_of_cells_half_as_large_again_is_a_half() {
        assert!((reach([1.5; 12].iter()) - 0.5).abs() < 1e-9);
    }
}
