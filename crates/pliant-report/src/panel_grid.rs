//! Panels side by side in one SVG file, all at the same scale of pixels per metre.

use std::fmt::Write;

use crate::MeshPanel;

/// Pixels around a panel's drawing.
const MARGIN: f64 = 12.0;
/// Pixels of a title.
const TITLE: f64 = 22.0;
/// Pixels of a colour bar with its numbers.
const BAR: f64 = 34.0;

/// The panels in rows of `columns`, each column `width` pixels wide, as the text of an SVG file.
///
/// # Panics
/// If there is no panel or no column.
pub fn panel_grid(panels: &[MeshPanel<'_>], columns: usize, width: f64) -> String {
    assert!(!panels.is_empty() && columns > 0, "a grid has panels and columns");
    let extents: Vec<[[f64; 2]; 2]> = panels.iter().map(MeshPanel::extent).collect();
    let size = |axis: usize| {
        let sizes = extents.iter().map(|[low, high]| high[axis] - low[axis]);
        sizes.fold(f64::MIN_POSITIVE, f64::max)
    };
    let scale = (width - 2.0 * MARGIN) / size(0);
    let bar = if panels.iter().any(|panel| panel.bar().is_some()) { BAR } else { 0.0 };
    let height = TITLE + scale * size(1) + bar + 2.0 * MARGIN;
    let rows = panels.len().div_ceil(columns);
    let columns = columns.min(panels.len());
    let (total_width, total_height) = (columns as f64 * width, rows as f64 * height);
    let mut svg = format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0} {1:.0}" width="{0:.0}" height="{1:.0}">"#,
            "<style>text{{font:14px sans-serif;fill:#222}}.small{{font-size:11px}}.line{{stroke:#222;stroke-width:1}}",
            ".mark{{fill:#d1495b}}</style>",
            r#"<rect width="100%" height="100%" fill="white"/>"#
        ),
        total_width, total_height
    );
    for (index, (panel, [low, high])) in panels.iter().zip(&extents).enumerate() {
        let left = (index % columns) as f64 * width;
        let top = (index / columns) as f64 * height;
        let _ = write!(
            svg,
            r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
            left + MARGIN,
            top + TITLE,
            escaped(panel.title())
        );
        let middle = 0.5 * (low[1] + high[1]);
        let centre = top + TITLE + MARGIN + 0.5 * scale * size(1);
        svg += &panel.draw(|[x, y]| [left + MARGIN + scale * (x - low[0]), centre - scale * (y - middle)]);
        if let Some((colours, label)) = panel.bar() {
            let bar_width = (0.5 * width).min(240.0);
            svg += &colours.bar(left + MARGIN, top + height - BAR, bar_width, &escaped(label));
        }
        svg.push('\n');
    }
    svg + "</svg>\n"
}

/// Text that may stand in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{RectangleOptions, Resolution, rectangle};

    use super::*;
    use crate::{ColourScale, LineStyle};

    fn grid() -> String {
        let mesh = rectangle(&RectangleOptions {
            resolution: Resolution::Counts([2, 2]),
            ..RectangleOptions::default()
        })
        .unwrap();
        let values: Vec<f64> = mesh.positions().iter().map(|x| x[0]).collect();
        let moved = vec![0.5; 2 * mesh.vertex_count()];
        let scale = ColourScale::of_values(&values);
        let field = MeshPanel::new(&mesh, "x < 1 & y").vertices(&values, None, scale, "x (m)");
        let shape = MeshPanel::new(&mesh, "moved")
            .outline(None, LineStyle::Dashed)
            .outline(Some(&moved), LineStyle::Solid)
            .marks(&[0, 4]);
        panel_grid(&[field, shape], 2, 200.0)
    }

    #[test]
    fn the_same_panels_give_the_same_bytes() {
        assert_eq!(grid(), grid());
    }

    #[test]
    fn titles_are_escaped_and_every_layer_is_there() {
        let svg = grid();
        assert!(svg.contains("x &lt; 1 &amp; y") && svg.contains("x (m)"));
        assert_eq!(svg.matches(r#"class="mark""#).count(), 2);
        assert_eq!((svg.matches("stroke-dasharray").count(), svg.matches(r#"class="line""#).count()), (1, 2));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    }
}
