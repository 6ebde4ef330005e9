//! The anchors of a body, as `info` and `nodes` list them.

use pliant::basis::{AnchorKind, Anchors};
use pliant::mesh::SimplexMesh;
use serde::Serialize;

use super::text_table::text_table;

/// A set of vertices that move as one.
#[derive(Clone, Debug, Serialize)]
pub struct AnchorRecord {
    /// The names of the sets that were merged, joined by ` + `.
    name: String,
    /// `stiff part`, or `held` where a pin or a handle is in it.
    kind: &'static str,
    vertices: usize,
    /// The mean of the rest positions, in m.
    centre: Vec<f64>,
}

/// One record for each anchor, in the order of their frames.
pub fn anchor_records<const D: usize>(mesh: &SimplexMesh<D>, anchors: &Anchors) -> Vec<AnchorRecord> {
    let records = anchors.as_slice().iter().map(|anchor| {
        let size = mesh.diagonal();
        let mean = |axis: usize| {
            let sum: f64 = anchor.vertices.iter().map(|&vertex| mesh.positions()[vertex][axis]).sum();
            let mean = sum / anchor.vertices.len() as f64;
            // Round-off about 0 would be printed with a sign.
            if mean.abs() < 1e-9 * size { 0.0 } else { mean }
        };
        AnchorRecord {
            name: anchor.name.clone(),
            kind: match anchor.kind {
                AnchorKind::StiffPart => "stiff part",
                AnchorKind::Held => "held",
            },
            vertices: anchor.vertices.len(),
            centre: (0..D).map(mean).collect(),
        }
    });
    records.collect()
}

/// The table of the anchors; nothing where there are none.
pub fn anchor_table(anchors: &[AnchorRecord]) -> String {
    if anchors.is_empty() {
        return String::new();
    }
    let rows = anchors.iter().map(|anchor| {
        let centre: Vec<String> = anchor.centre.iter().map(|coordinate| format!("{coordinate:.4}")).collect();
        vec![anchor.name.clone(), anchor.kind.to_owned(), anchor.vertices.to_string(), centre.join(", ")]
    });
    text_table(&["anchor", "kind", "vertices", "centre (m)"], rows)
}
