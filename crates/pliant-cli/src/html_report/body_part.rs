//! The body itself: material, distances, and where nodes fall.

use pliant::graph::{ComplianceGraph, EdgeReduction, SamplingOptions, sample_nodes, voronoi_cell_labels};
use pliant::report::{
    Distances, Figure, Item, NodePlacement, Section, distance_figure, material_figure, node_figure,
    voronoi_figure,
};

use super::{HtmlReport, section};
use crate::scene::DEFAULT_FRAMES;
use crate::space_builder::SpaceBuilder;

impl<const D: usize> HtmlReport<'_, D> {
    /// The material alone.
    pub fn material_section(&self) -> Section {
        section("The body", "", vec![Item::Figure(material_figure(&self.body))])
    }

    /// Material, distances, and nodes spread by compliance (these, if there are some) beside as many spread by metres.
    pub fn body_section(&self, builder: &SpaceBuilder<'_, D>, nodes: Option<&[usize]>) -> Section {
        let frames = nodes.map_or(DEFAULT_FRAMES.min(self.body.mesh.vertex_count()), <[usize]>::len);
        let geodesic = ComplianceGraph::geodesic(self.body.mesh);
        let compliance = builder.basis().compliance_graph(EdgeReduction::default());
        let mut figures: Vec<Figure> = vec![material_figure(&self.body)];
        if let Some(probe) = self.body.probe {
            figures.push(distance_figure(&self.body, &distances(&geodesic, compliance, probe)));
        }
        let place = |title: &str, graph: &ComplianceGraph, nodes: Option<&[usize]>| {
            let nodes = match nodes {
                Some(nodes) => nodes.to_vec(),
                None => sample_nodes(graph, self.body.mesh, frames, &SamplingOptions::default())?,
            };
            let nearest = voronoi_cell_labels(graph, self.body.mesh, &nodes)?;
            Ok(NodePlacement { title: title.to_owned(), nodes, nearest })
        };
        let placed: Result<Vec<NodePlacement>, pliant::graph::GraphError> =
            [("by metres", &geodesic, None), ("by compliance", compliance, nodes)]
                .into_iter()
                .map(|(title, graph, nodes)| place(title, graph, nodes))
                .collect();
        let mut intro = String::new();
        match placed {
            Ok(placements) => {
                figures.push(node_figure(&self.body, &placements));
                figures.push(voronoi_figure(&self.body, &placements));
            }
            Err(error) => intro = format!("There is no picture of nodes: {error}."),
        }
        section("The body", &intro, figures.into_iter().map(Item::Figure).collect())
    }
}

/// Distances from a vertex, and the shortest way along edges to the vertex that is farthest from it.
fn distances(geodesic: &ComplianceGraph, compliance: &ComplianceGraph, start: usize) -> Distances {
    let metres = geodesic.distances_from(start);
    let reached = |vertex: &usize| metres[*vertex].is_finite();
    let farthest = (0..metres.len()).filter(reached).max_by(|a, b| metres[*a].total_cmp(&metres[*b]));
    let mut way = vec![farthest.unwrap_or(start)];
    while let Some(&at) = way.last()
        && at != start
    {
        let before = geodesic
            .edges(at)
            .min_by(|a, b| (metres[a.0] + a.1).total_cmp(&(metres[b.0] + b.1)))
            .map(|(vertex, _)| vertex);
        // Each step comes nearer to the start, so the way ends there.
        match before {
            Some(vertex) if metres[vertex] < metres[at] => way.push(vertex),
            _ => break,
        }
    }
    way.reverse();
    let lengths = way.iter().map(|&vertex| metres[vertex]).collect();
    Distances { compliance: compliance.distances_from(start), geodesic: metres, way, lengths }
}
