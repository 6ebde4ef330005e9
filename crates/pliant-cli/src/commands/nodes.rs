//! `pliant nodes`: the sampled nodes of a subspace and the Voronoi regions around them.

use std::path::PathBuf;

use clap::Args;
use pliant::basis::Method;
use pliant::graph::{ComplianceGraph, voronoi_cell_labels, voronoi_labels};
use pliant::mesh::{AnyMesh, ArrayLocation, MeshArray, SimplexMesh, write_vtu};
use serde::Serialize;

use crate::cli::{CommonOptions, SourceOptions};
use crate::failure::Failure;
use crate::html_report::{HtmlReport, ReportOptions};
use crate::model::Model;
use crate::output::{
    AnchorRecord, MeshRecord, anchor_records, anchor_table, create_directory, print, text_table, to_json,
    write_atomically,
};
use crate::scene::SubspaceSpec;
use crate::source::Source;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;
use crate::space_options::SpaceOptions;

/// Options of `pliant nodes`.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene or mesh.
    #[command(flatten)]
    pub source: SourceOptions,
    /// The method whose nodes are sampled: sparse-meshless or hrpd
    #[arg(long, value_name = "METHOD", default_value = "sparse-meshless")]
    pub method: String,
    /// How many, and how they are sampled.
    #[command(flatten)]
    pub space: SpaceOptions,
    /// Write nodes.json and nodes.vtu (with the Voronoi labels) into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The HTML report.
    #[command(flatten)]
    pub report: ReportOptions,
}

/// The report of `pliant nodes`.
#[derive(Clone, Debug, Serialize)]
struct NodesReport {
    mesh: MeshRecord,
    method: &'static str,
    nodes: Vec<NodeRecord>,
    /// What anchored and adaptive frames move as one.
    anchors: Vec<AnchorRecord>,
}

/// One node.
#[derive(Clone, Debug, Serialize)]
struct NodeRecord {
    vertex: usize,
    position: Vec<f64>,
    /// The region with the most cells around the vertex, the first in the mesh's order of those that tie.
    region: String,
    /// Vertices that are nearest to this node.
    vertices: usize,
    /// Cells that are nearest to this node.
    cells: usize,
}

/// Samples the nodes and prints or writes them.
///
/// # Errors
/// A method without nodes, more nodes than vertices, or a component that no node covers.
pub fn run(options: &Options, common: &CommonOptions) -> Result<(), Failure> {
    let source = Source::read(&options.source)?;
    options.report.prepare()?;
    let spec = options.space.specification(&options.method, &source.scene)?;
    match &source.file.mesh {
        AnyMesh::Two(mesh) => sample(mesh, &source, &spec, options, common),
        AnyMesh::Three(mesh) => sample(mesh, &source, &spec, options, common),
    }
}

fn sample<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    spec: &SubspaceSpec,
    options: &Options,
    common: &CommonOptions,
) -> Result<(), Failure> {
    let model = Model::new(mesh.clone(), source)?;
    let without_nodes = || {
        let method = spec.method;
        Failure::input(format_args!("--method {method} has no nodes; give sparse-meshless or hrpd"))
    };
    let SpaceMethod::Weights(method) = spec.method else { return Err(without_nodes()) };
    let spaces = SpaceBuilder::new(&model, &source.scene, std::slice::from_ref(spec), None)?;
    let builder = spaces.basis();
    let built = builder.build(method, spec.frames, &spec.options).map_err(Failure::work)?;
    let nodes = built.nodes.ok_or_else(without_nodes)?;
    // Sparse meshless nodes are spread in compliance distance, all others in geodesic distance.
    let graph = match method {
        Method::SparseMeshless => builder.compliance_graph(spec.options.edge_reduction).clone(),
        _ => ComplianceGraph::geodesic(&model.mesh),
    };
    let vertex_labels = voronoi_labels(&graph, &nodes).map_err(Failure::work)?;
    let cell_labels = voronoi_cell_labels(&graph, &model.mesh, &nodes).map_err(Failure::work)?;
    let anchors = anchor_records(&model.mesh, builder.anchors().map_err(Failure::work)?);
    let report = NodesReport {
        mesh: model.record(),
        method: spec.method.name(),
        nodes: records(&model, &nodes, &vertex_labels, &cell_labels),
        anchors,
    };
    if let Some(directory) = &options.out {
        create_directory(directory)?;
        write_atomically(&directory.join("nodes.json"), to_json(&report)?.as_bytes())?;
        let arrays = [
            array("node", ArrayLocation::Vertex, &vertex_labels),
            array("node_of_cell", ArrayLocation::Cell, &cell_labels),
            MeshArray {
                name: "distance".to_owned(),
                on: ArrayLocation::Vertex,
                components: 1,
                values: graph.nearest_source(&nodes).distances,
            },
        ];
        write_vtu(directory.join("nodes.vtu"), &model.mesh, None, &arrays).map_err(Failure::work)?;
    }
    if options.report.is_wanted() {
        let mut html = HtmlReport::new(&model, &source.scene)?;
        let by_compliance = (method == Method::SparseMeshless).then_some(&nodes[..]);
        html.add(html.body_section(&spaces, by_compliance));
        options.report.deliver(html)?;
    }
    print(&if common.json { to_json(&report)? } else { describe(&report) })
}

fn array(name: &str, on: ArrayLocation, labels: &[usize]) -> MeshArray {
    let values = labels.iter().map(|&label| label as f64).collect();
    MeshArray { name: name.to_owned(), on, components: 1, values }
}

fn records<const D: usize>(
    model: &Model<D>,
    nodes: &[usize],
    vertex_labels: &[usize],
    cell_labels: &[usize],
) -> Vec<NodeRecord> {
    let mut votes = vec![vec![0_usize; model.mesh.regions().len()]; nodes.len()];
    for (cell, &region) in model.mesh.cells().zip(model.mesh.cell_regions()) {
        for vertex in cell {
            if let Some(node) = nodes.iter().position(|node| node == vertex) {
                votes[node][region] += 1;
            }
        }
    }
    let region_of = |node: usize| {
        let most = votes[node].iter().max().copied().unwrap_or(0);
        let region = votes[node].iter().position(|&cells| cells == most).unwrap_or(0);
        model.mesh.regions()[region].clone()
    };
    let count = |labels: &[usize], node: usize| labels.iter().filter(|&&label| label == node).count();
    let record = |(node, &vertex): (usize, &usize)| NodeRecord {
        vertex,
        position: model.mesh.positions()[vertex].to_vec(),
        region: region_of(node),
        vertices: count(vertex_labels, node),
        cells: count(cell_labels, node),
    };
    nodes.iter().enumerate().map(record).collect()
}

fn describe(report: &NodesReport) -> String {
    let rows = report.nodes.iter().enumerate().map(|(index, node)| {
        let position: Vec<String> =
            node.position.iter().map(|coordinate| format!("{coordinate:.4}")).collect();
        vec![
            index.to_string(),
            node.vertex.to_string(),
            position.join(", "),
            node.region.clone(),
            node.vertices.to_string(),
            node.cells.to_string(),
        ]
    });
    text_table(&["node", "vertex", "position (m)", "region", "vertices", "cells"], rows)
        + &anchor_table(&report.anchors)
}
