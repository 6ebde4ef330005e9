//! Where nodes fall, and what is nearest to each.

use crate::body::{MODULUS, WIDTH};
use crate::{Body, ColourScale, Figure, LineStyle, Mark, mesh_panels};

/// Nodes that were spread in one metric.
#[derive(Clone, Debug)]
pub struct NodePlacement {
    /// For example `by compliance`.
    pub title: String,
    /// Vertices.
    pub nodes: Vec<usize>,
    /// The number of the nearest node, for each cell.
    pub nearest: Vec<usize>,
}

/// The nodes of each placement on the material.
pub fn node_figure<const D: usize>(body: &Body<'_, D>, placements: &[NodePlacement]) -> Figure {
    let (logarithms, scale) = (body.logarithms(), body.modulus_scale());
    let panels: Vec<_> = placements
        .iter()
        .map(|placement| {
            let count = placement.nodes.len();
            let nodes = if count == 1 { "node" } else { "nodes" };
            let title = format!("{count} {nodes}, spread {}", placement.title);
            body.cell_panel(&title, &logarithms, scale.clone(), MODULUS).marks(&placement.nodes, Mark::Node)
        })
        .collect();
    Figure {
        name: "nodes".to_owned(),
        title: "Where the nodes fall".to_owned(),
        caption: "The number is the order in which nodes were found. Spread by metres they are even, whatever the body is made of; \
                  spread by compliance they gather in and around what is soft, so that frames can turn against each other there."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}

/// The cells that are nearest to each node.
pub fn voronoi_figure<const D: usize>(body: &Body<'_, D>, placements: &[NodePlacement]) -> Figure {
    let panels: Vec<_> = placements
        .iter()
        .map(|placement| {
            let labels: Vec<f64> = placement.nearest.iter().map(|&node| node as f64).collect();
            body.panel(&format!("Nearest node, {}", placement.title))
                .cells(&labels, None, ColourScale::Categories, "")
                .outline(None, LineStyle::Solid)
                .marks(&placement.nodes, Mark::Node)
        })
        .collect();
    Figure {
        name: "voronoi".to_owned(),
        title: "Voronoi regions".to_owned(),
        caption: "The cells of one colour are nearest to one node. Spread by compliance, a stiff segment belongs to one node and the \
                  borders lie in the soft parts."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}
