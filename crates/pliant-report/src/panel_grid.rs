//! Pictures of meshes as panels of one figure, all of the same part of space at the same scale of pixels per metre.

use crate::svg::{Anchor, text, wrapped};
use crate::{Mark, MeshPanel, Panel};

/// Pixels around a panel's drawing.
const MARGIN: f64 = 10.0;
/// Pixels of a line of a title.
const TITLE: f64 = 17.0;
/// Pixels of a colour bar with its numbers.
const BAR: f64 = 32.0;
/// Pixels of the line that explains signs.
const SIGNS: f64 = 20.0;
/// Drawings are not higher than this, in pixels, however narrow they become.
const TALLEST: f64 = 420.0;
/// Pixels of a character of a title, on average.
const CHARACTER: f64 = 7.6;

/// Draws the pictures, each `width` pixels wide.
pub fn mesh_panels<const D: usize>(panels: &[MeshPanel<'_, D>], width: f64) -> Vec<Panel> {
    let extents: Vec<[[f64; 2]; 2]> = panels.iter().map(MeshPanel::extent).collect();
    mesh_panels_within(panels, &extents, width)
}

/// Draws the pictures, with room for everything in these extents (lowest and highest corner, in m).
pub(crate) fn mesh_panels_within<const D: usize>(
    panels: &[MeshPanel<'_, D>],
    extents: &[[[f64; 2]; 2]],
    width: f64,
) -> Vec<Panel> {
    let bound = |side: usize, axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
        extents.iter().map(|extent| extent[side][axis]).fold(start, pick)
    };
    let low = [0, 1].map(|axis| bound(0, axis, f64::min, f64::INFINITY));
    let high = [0, 1].map(|axis| bound(1, axis, f64::max, f64::NEG_INFINITY));
    let size = [0, 1].map(|axis| (high[axis] - low[axis]).max(f64::MIN_POSITIVE));
    let room = width - 2.0 * MARGIN;
    let scale = (room / size[0]).min(TALLEST / size[1]);
    let lines = panels.iter().map(|panel| title_lines(panel, room).len()).max().unwrap_or(0);
    let top = MARGIN + TITLE * lines as f64;
    let drawn = scale * size[1];
    panels
        .iter()
        .map(|panel| {
            let mut body = String::new();
            for (line, words) in title_lines(panel, room).iter().enumerate() {
                body += &text(MARGIN, MARGIN + TITLE * (line as f64 + 0.7), Anchor::Start, "title", words);
            }
            let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
            let centre = [0.5 * width, top + MARGIN + 0.5 * drawn];
            let place =
                |[x, y]: [f64; 2]| [centre[0] + scale * (x - middle[0]), centre[1] - scale * (y - middle[1])];
            body += &panel.draw(place);
            let mut bottom = top + drawn + 2.0 * MARGIN;
            if let Some((colours, label)) = panel.bar() {
                body += &colours.bar(MARGIN, bottom, 0.45 * room, label);
                bottom += BAR;
            }
            if !panel.signs().is_empty() {
                body += &explained(panel.signs(), bottom + 6.0);
                bottom += SIGNS;
            }
            Panel { width, height: bottom, label: panel.title().to_owned(), body }
        })
        .collect()
}

fn title_lines<const D: usize>(panel: &MeshPanel<'_, D>, room: f64) -> Vec<String> {
    wrapped(panel.title(), (room / CHARACTER) as usize)
}

/// A line with each sign and what it means.
fn explained(signs: &[Mark], y: f64) -> String {
    let mut svg = String::new();
    let mut x = MARGIN + 6.0;
    let first = |&(index, sign): &(usize, &Mark)| !signs[..index].contains(sign);
    for (_, sign) in signs.iter().enumerate().filter(first) {
        svg += &sign.draw([x, y], 0, 1);
        svg += &text(x + 12.0, y + 4.0, Anchor::Start, "small", sign.meaning());
        x += 12.0 + 8.0 * sign.meaning().len() as f64 + 12.0;
    }
    svg
}
