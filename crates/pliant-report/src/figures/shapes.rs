//! The solution in each space over the full one, and how cells change their volume.

use pliant_mesh::SimplexMesh;

use crate::body::{MODULUS, WIDTH};
use crate::colour_scale::short;
use crate::{Body, ColourScale, Figure, LineStyle, mesh_panels};

/// The solution in one space.
#[derive(Clone, Debug)]
pub struct SpaceShape {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// n x D stacked, in m.
    pub displacement: Vec<f64>,
    /// The distance from the full solution in the mass norm, relative; none for the full solution itself.
    pub error: Option<f64>,
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
    let (logarithms, scale) = (body.logarithms(), body.modulus_scale());
    let panel = |shape: &SpaceShape| {
        let panel = body
            .panel(&shape.title())
            .cells(&logarithms, Some(&shape.displacement), scale.clone(), MODULUS)
            .outline(Some(&shape.displacement), LineStyle::Solid);
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

/// det F of each cell, on the rest shape.
pub fn volume_figure<const D: usize>(body: &Body<'_, D>, shapes: &[SpaceShape]) -> Figure {
    let ratios: Vec<Vec<f64>> =
        shapes.iter().map(|shape| volume_ratios(body.mesh, &shape.displacement)).collect();
    let reach = reach(&ratios);
    let panels: Vec<_> = shapes
        .iter()
        .zip(&ratios)
        .map(|(shape, ratios)| {
            let scale = ColourScale::Diverging { middle: 1.0, reach };
            body.cell_panel(&shape.title(), ratios, scale, "det F (1)")
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
fn reach(ratios: &[Vec<f64>]) -> f64 {
    let mut distances: Vec<f64> = ratios
        .iter()
        .flatten()
        .map(|ratio| (ratio - 1.0).abs())
        .filter(|distance| distance.is_finite())
        .collect();
    distances.sort_by(f64::total_cmp);
    let most = distances.get(distances.len().saturating_sub(1) * 98 / 100).copied().unwrap_or(0.0);
    (10.0 * most).ceil().max(1.0) / 10.0
}

/// The volume of each deformed cell over its own at rest: det F.
fn volume_ratios<const D: usize>(mesh: &SimplexMesh<D>, displacement: &[f64]) -> Vec<f64> {
    let rest = mesh.positions();
    let ratio = |cell: &[usize]| {
        let edges = |is_moved: bool| -> [[f64; D]; D] {
            let place = |vertex: usize, axis: usize| {
                rest[vertex][axis] + if is_moved { displacement[vertex * D + axis] } else { 0.0 }
            };
            std::array::from_fn(|edge| {
                std::array::from_fn(|axis| place(cell[edge + 1], axis) - place(cell[0], axis))
            })
        };
        determinant(&edges(true)) / determinant(&edges(false))
    };
    mesh.cells().map(ratio).collect()
}

fn determinant<const D: usize>(m: &[[f64; D]; D]) -> f64 {
    if D == 2 {
        return m[0][0] * m[1][1] - m[0][1] * m[1][0];
    }
    let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, box_mesh, rectangle};

    use super::*;

    fn stretched<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<f64> {
        mesh.positions()
            .iter()
            .flat_map(|x| {
                let mut u = [0.0; D];
                u[0] = 0.5 * x[0];
                u
            })
            .collect()
    }

    #[test]
    fn a_stretch_by_a_half_makes_every_cell_half_as_large_again() {
        let flat = RectangleOptions { resolution: Resolution::Counts([2, 2]), ..Default::default() };
        let solid = BoxOptions { resolution: Resolution::Counts([2, 1, 1]), ..Default::default() };
        let (flat, solid) = (rectangle(&flat).unwrap(), box_mesh(&solid).unwrap());
        let ratios = [volume_ratios(&flat, &stretched(&flat)), volume_ratios(&solid, &stretched(&solid))];
        assert!(ratios.iter().flatten().all(|ratio| (ratio - 1.5).abs() < 1e-12));
        assert!((reach(&ratios) - 0.5).abs() < 1e-9);
    }
}
