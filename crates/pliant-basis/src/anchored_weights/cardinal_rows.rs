//! Base frames and modes in a basis of cardinal functions: each 1 at a node of its own or on its anchor, 0 at the other nodes and anchors.
//!
//! On each free component the modes become functions `c_j` that interpolate at nodes and vanish on the anchors (`cardinal`), and
//! each base weight b becomes `b - sum_j b(x_j) c_j`. The rows still sum to one. On a component that floats the constant takes part instead, and
//! its base frame is the first function.

use std::collections::BTreeMap;

use faer::Mat;

use super::free_component::SolvableComponent;
use super::mode::Mode;
use crate::cardinal::{CardinalFunctions, Row};

/// Rows before they are made sparse, and where the functions interpolate.
pub(super) struct CardinalRows {
    /// A row for each vertex of the body.
    pub(super) rows: Vec<Row>,
    /// The node of each frame from that of the first floating component on.
    pub(super) nodes: Vec<usize>,
}

/// Replaces modes by functions. `base` are the rows of all base frames; of each component so many functions as `counts` says, in the span of its modes,
/// which are at least as many. The functions follow the base frames, component by component.
pub(super) fn cardinal_rows(
    base: &[Row],
    anchor_count: usize,
    components: &[SolvableComponent],
    modes: &[Vec<Mode>],
    counts: &[usize],
    mass: &[f64],
    decay: f64,
) -> CardinalRows {
    let floating = components.iter().filter(|part| part.component.floats()).count();
    let mut rows = base.to_vec();
    let (mut floating_nodes, mut nodes) = (Vec::new(), Vec::new());
    for ((part, modes), &count) in components.iter().zip(modes).zip(counts) {
        let (floats, vertices) = (part.component.floats(), &part.component.vertices);
        let constants = usize::from(floats);
        if count + constants == 0 {
            continue;
        }
        let functions = functions_of(vertices, modes, constants, count, mass, decay);
        let mut frames: Vec<usize> = Vec::with_capacity(count + constants);
        for &place in &functions.nodes {
            if floats && frames.is_empty() {
                frames.push(anchor_count + floating_nodes.len());
                floating_nodes.push(vertices[place]);
            } else {
                frames.push(anchor_count + floating + nodes.len());
                nodes.push(vertices[place]);
            }
        }
        let at_nodes: Vec<&Row> = functions.nodes.iter().map(|&place| &base[vertices[place]]).collect();
        for (place, &vertex) in vertices.iter().enumerate() {
            let mut row: BTreeMap<usize, f64> =
                if floats { BTreeMap::new() } else { base[vertex].iter().copied().collect() };
            for ((&value, at_node), &frame) in functions.row(place).iter().zip(&at_nodes).zip(&frames) {
                if !floats {
                    for &(anchor, weight) in *at_node {
                        *row.entry(anchor).or_insert(0.0) -= weight * value;
                    }
                }
                row.insert(frame, value);
            }
            rows[vertex] = row.into_iter().collect();
        }
        for (&place, &frame) in functions.nodes.iter().zip(&frames) {
            rows[vertices[place]] = vec![(frame, 1.0)];
        }
    }
    floating_nodes.extend(nodes);
    CardinalRows { rows, nodes: floating_nodes }
}

/// The functions of one component, from M-orthonormal modes, the constant before them where it floats.
fn functions_of(
    vertices: &[usize],
    modes: &[Mode],
    constants: usize,
    count: usize,
    mass: &[f64],
    decay: f64,
) -> CardinalFunctions {
    let total: f64 = vertices.iter().map(|&vertex| mass[vertex]).sum();
    let mut columns = Mat::from_fn(vertices.len(), constants + modes.len(), |_, column| {
        if column < constants { 1.0 / total.sqrt() } else { 0.0 }
    });
    let mut eigenvalues = vec![0.0; constants];
    for (index, mode) in modes.iter().enumerate() {
        let square: f64 = mode.entries.iter().map(|&(vertex, value)| mass[vertex] * value * value).sum();
        for &(vertex, value) in &mode.entries {
            let place = vertices.binary_search(&vertex).expect("a mode of a component is zero outside");
            columns[(place, constants + index)] = value / square.sqrt();
        }
        eigenvalues.push(mode.eigenvalue);
    }
    CardinalFunctions::new(columns.as_ref(), &eigenvalues, constants, count + constants, decay)
}
