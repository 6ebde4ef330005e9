//! How far the vertices are from the probe, in metres and in compliance.

use crate::body::WIDTH;
use crate::{Axis, Body, Chart, ColourScale, Figure, Mark, Series, mesh_panels};

/// Distances from one vertex, and a way through the body along which to compare them.
#[derive(Clone, Debug)]
pub struct Distances {
    /// Along edges, in m; infinite where nothing leads.
    pub geodesic: Vec<f64>,
    /// Along edges weighted by compliance, in m/Pa.
    pub compliance: Vec<f64>,
    /// Vertices from the start to the far end; at least one.
    pub way: Vec<usize>,
    /// Metres from the start of the way to each of its vertices.
    pub lengths: Vec<f64>,
}

/// Both distances on the body, and along the way.
pub fn distance_figure<const D: usize>(body: &Body<'_, D>, distances: &Distances) -> Figure {
    let finite = |values: &[f64]| -> Vec<f64> {
        let largest = largest(values);
        values.iter().map(|&value| if value.is_finite() { value } else { largest }).collect()
    };
    let [geodesic, compliance] = [&distances.geodesic, &distances.compliance].map(|values| finite(values));
    let field = |title: &str, values: &[f64], label: &str| {
        let panel = body.vertex_panel(title, values, ColourScale::of_values(values), label);
        panel.trail(&distances.way).marks(&[distances.way[0]], Mark::Probe)
    };
    let mut panels = mesh_panels(
        &[field("Distance along edges", &geodesic, "m"), field("Compliance distance", &compliance, "m/Pa")],
        WIDTH,
    );
    let along = |label: &str, method: Option<&str>, values: &[f64]| {
        let whole = distances.way.iter().map(|&vertex| values[vertex]).fold(0.0, f64::max);
        let share = |vertex: usize| if whole > 0.0 { values[vertex] / whole } else { 0.0 };
        let points = distances.lengths.iter().zip(&distances.way).map(|(&s, &vertex)| [s, share(vertex)]);
        Series {
            label: label.to_owned(),
            method: method.map(str::to_owned),
            points: points.collect(),
            has_signs: false,
        }
    };
    let chart = Chart {
        title: "Along the red line".to_owned(),
        x: Axis::linear("way from the probe (m)"),
        y: Axis::linear("share of the whole distance (1)"),
        series: vec![
            along("distance along edges", Some("metres"), &geodesic),
            along("compliance distance", None, &compliance),
        ],
        levels: Vec::new(),
    };
    panels.push(chart.panel(WIDTH, 290.0));
    Figure {
        name: "distances".to_owned(),
        title: "Distance from the probe, in metres and in compliance".to_owned(),
        caption: "Compliance distance grows by length over stiffness. Along the red line the distance in metres is a ramp, \
                  the compliance distance a staircase: flat in what is stiff, steep in what is soft; it falls where a way round through stiff parts is shorter. Nodes that are spread by it fall where the body bends."
            .to_owned(),
        panels,
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
}
