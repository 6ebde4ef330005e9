//! The weights of chosen frames, and which weights are zero.

use std::fmt::Write;

use crate::body::WIDTH;
use crate::svg::{Anchor, tenths, text};
use crate::{Body, ColourScale, Figure, Panel, mesh_panels, method_style};

/// The weight of one frame.
#[derive(Clone, Debug)]
pub struct FrameWeight {
    /// For example `hrpd, frame 3 of 9`.
    pub title: String,
    /// At each vertex.
    pub values: Vec<f64>,
}

/// Some weights on the body.
pub fn weight_figure<const D: usize>(body: &Body<'_, D>, weights: &[FrameWeight]) -> Figure {
    let panels: Vec<_> = weights
        .iter()
        .map(|weight| {
            let reach = weight.values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            let scale = ColourScale::Diverging { middle: 0.0, reach: if reach > 0.0 { reach } else { 1.0 } };
            body.vertex_panel(&weight.title, &weight.values, scale, "weight (1)")
        })
        .collect();
    Figure {
        name: "weights".to_owned(),
        title: "Weights of some frames".to_owned(),
        caption: "How much each frame moves each vertex: red with it, blue against it, white not at all. A good weight is constant on a stiff part \
                  and changes in soft ones. A mode's weight is everywhere; a node's ends where the next nodes are."
            .to_owned(),
        panels: mesh_panels(&panels, WIDTH),
    }
}

/// Which weights of a space are not zero.
#[derive(Clone, Debug)]
pub struct Sparsity {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// The method, for its colour.
    pub method: String,
    /// Frames.
    pub frames: usize,
    /// For each vertex, in the order in which they are to be drawn, the frames with a weight.
    pub rows: Vec<Vec<usize>>,
    /// Non-zero weights over all.
    pub weights_density: f64,
    /// Non-zeros of B over all.
    pub basis_density: f64,
}

/// Rows of vertices that are drawn as one.
const BINS: usize = 120;

/// The pattern of each space's basis: rows are vertices along the body, columns frames.
pub fn sparsity_figure(spaces: &[Sparsity]) -> Figure {
    Figure {
        name: "sparsity".to_owned(),
        title: "Non-zero blocks of the basis B".to_owned(),
        caption: "Rows are vertices from one end of the body to the other, columns are frames; each is a block of B. The darker, the more of the \
                  vertices in a row have a weight. Empty blocks cost nothing in a projection; a full column reaches the whole body."
            .to_owned(),
        panels: spaces.iter().map(pattern).collect(),
    }
}

fn pattern(space: &Sparsity) -> Panel {
    let (width, left, top, drawn) = (WIDTH / 1.5, 34.0, 62.0, 220.0);
    let room = width - left - 12.0;
    let bins = BINS.min(space.rows.len().max(1));
    let mut filled = vec![vec![0_usize; bins]; space.frames];
    let mut sizes = vec![0_usize; bins];
    for (row, frames) in space.rows.iter().enumerate() {
        let bin = row * bins / space.rows.len();
        sizes[bin] += 1;
        frames.iter().filter(|&&frame| frame < space.frames).for_each(|&frame| filled[frame][bin] += 1);
    }
    let colour = method_style(&space.method).colour;
    let (cell_width, cell_height) = (room / space.frames.max(1) as f64, drawn / bins as f64);
    let mut body = text(10.0, 20.0, Anchor::Start, "title", &space.label);
    let shares = format!(
        "{:.0} % of weights, {:.0} % of B",
        100.0 * space.weights_density,
        100.0 * space.basis_density
    );
    body += &text(10.0, 37.0, Anchor::Start, "small", &shares);
    body += &text(
        left + 0.5 * room,
        top - 5.0,
        Anchor::Middle,
        "small",
        &if space.frames > 1 { format!("frames 0 to {}", space.frames - 1) } else { "frame 0".to_owned() },
    );
    let y = top + 0.5 * drawn;
    let _ = write!(
        body,
        r#"<text class="small" text-anchor="middle" transform="translate({} {}) rotate(-90)">vertices along the body</text>"#,
        left - 12.0,
        tenths(y)
    );
    let _ = write!(
        body,
        r#"<rect class="wash" x="{left}" y="{top}" width="{}" height="{drawn}"/>"#,
        tenths(room)
    );
    for (frame, column) in filled.iter().enumerate() {
        let mut bin = 0;
        while bin < bins {
            let share = quarters(column[bin], sizes[bin]);
            let end = (bin..bins).find(|&at| quarters(column[at], sizes[at]) != share).unwrap_or(bins);
            if share > 0 {
                let _ = write!(
                    body,
                    r#"<rect fill="{colour}" fill-opacity="{}" x="{}" y="{}" width="{}" height="{}"/>"#,
                    0.25 * share as f64,
                    tenths(left + frame as f64 * cell_width),
                    tenths(top + bin as f64 * cell_height),
                    tenths((cell_width - 0.5).max(0.3)),
                    tenths((end - bin) as f64 * cell_height)
                );
            }
            bin = end;
        }
    }
    Panel { width, height: top + drawn + 12.0, label: format!("{}: {shares}", space.label), body }
}

/// How many quarters of a row are filled, at least one where anything is.
fn quarters(filled: usize, size: usize) -> usize {
    (4 * filled).div_ceil(size.max(1))
}
