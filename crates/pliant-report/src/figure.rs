//! A figure: panels with a name and a caption, as the page shows them and as one SVG file holds them.

use std::fmt::Write;

use crate::svg::escaped;

/// A drawing. Its width on the page is its width in pixels, or a little more.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What it shows, for those who do not see it.
    pub label: String,
    /// SVG elements, without the `<svg>` around them; colours by the classes of `figure.css`.
    pub body: String,
}

/// Panels that say one thing together.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its files, for example `material`.
    pub name: String,
    /// A few words.
    pub title: String,
    /// What to look for.
    pub caption: String,
    /// At least one; beside each other where there is room.
    pub panels: Vec<Panel>,
}

/// Colours and text sizes of every figure, in light and dark surroundings.
pub(crate) const STYLE: &str = include_str!("figure.css");

/// Columns of a figure in one file.
const COLUMNS: usize = 2;

impl Panel {
    /// The panel as an element of a page.
    pub(crate) fn inline(&self) -> String {
        format!(
            r#"<svg role="img" aria-label="{}" viewBox="0 0 {:.0} {:.0}">{}</svg>"#,
            escaped(&self.label),
            self.width,
            self.height,
            self.body
        )
    }
}

impl Figure {
    /// The figure as the text of an SVG file: its panels in rows of two. It follows the viewer's preference for light or dark.
    pub fn svg(&self) -> String {
        self.svg_in_columns(COLUMNS)
    }

    /// The same in rows of so many.
    pub(crate) fn svg_in_columns(&self, columns: usize) -> String {
        let columns = columns.min(self.panels.len()).max(1);
        let column_width = self.panels.iter().map(|panel| panel.width).fold(1.0, f64::max);
        let mut drawn = String::new();
        let mut top = 0.0;
        for row in self.panels.chunks(columns) {
            for (column, panel) in row.iter().enumerate() {
                let _ = writeln!(
                    drawn,
                    r#"<svg x="{:.0}" y="{top:.0}" width="{:.0}" height="{:.0}">{}</svg>"#,
                    column as f64 * column_width,
                    panel.width,
                    panel.height,
                    panel.body
                );
            }
            top += row.iter().map(|panel| panel.height).fold(0.0, f64::max).ceil();
        }
        let (width, height) = (columns as f64 * column_width, top.max(1.0));
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0} {1:.0}" width="{0:.0}" height="{1:.0}">"#,
                "<title>{2}</title><style>{3}</style>",
                r#"<rect class="paper" width="100%" height="100%"/>"#,
                "\n{4}</svg>\n"
            ),
            width,
            height,
            escaped(&self.title),
            STYLE,
            drawn
        )
    }
}
