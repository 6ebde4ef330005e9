//! What the body is made of, and where it is held.

use crate::body::{MODULUS, WIDTH};
use crate::{Body, CutPlane, Figure, LineStyle, MeshPanel, mesh_panels};

/// log10 E on the body with its interfaces, pins, handle and probe; a solid from two sides and cut open.
pub fn material_figure<const D: usize>(body: &Body<'_, D>) -> Figure {
    let (logarithms, scale) = (body.logarithms(), body.modulus_scale());
    let mut panels: Vec<MeshPanel<'_, D>> = body
        .views()
        .into_iter()
        .map(|(from, view)| {
            let title = if from.is_empty() { "Material".to_owned() } else { format!("Material, {from}") };
            let panel = body
                .panel(&title)
                .seen_from(view)
                .cells(&logarithms, None, scale.clone(), MODULUS)
                .outline(None, LineStyle::Solid);
            body.marked(panel)
        })
        .collect();
    if D == 3 {
        panels.push(cut_open(body, &logarithms));
    }
    let caption = match D {
        3 => {
            "Young's modulus on the surface from two sides, and on a plane through the middle, which shows what is inside. Dark is stiff. \
             Look at how thin the soft parts are: a subspace must bend there and nowhere else."
        }
        _ => {
            "Young's modulus of every cell; dark is stiff, lines are the boundary and the interfaces. Look at how thin the soft parts are: \
             a subspace must bend there and nowhere else."
        }
    };
    Figure {
        name: "material".to_owned(),
        title: "What the body is made of".to_owned(),
        caption: caption.to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}

/// The section at right angles to the axis that points at the viewer from the front, through the middle of the body.
fn cut_open<'m, const D: usize>(body: &Body<'m, D>, logarithms: &[f64]) -> MeshPanel<'m, D> {
    let axis = if body.upright == 2 { 1 } else { 2 };
    let (low, high) = body.mesh.bounding_box();
    // A little off the middle: planes of symmetry are often planes of the mesh.
    let at = low[axis] + 0.4999 * (high[axis] - low[axis]);
    let polygons = CutPlane { axis, at }.polygons(body.mesh, logarithms);
    let name = ["x", "y", "z"][axis];
    // Round-off about 0 would be printed with a sign.
    let shown = if at.abs() < 1e-3 * (high[axis] - low[axis]) { 0.0 } else { at };
    body.panel(&format!("Cut at {name} = {shown:.3} m"))
        .seen_from(body.front())
        .polygons(&polygons, body.modulus_scale(), MODULUS)
        .outline(None, LineStyle::Dashed)
}
