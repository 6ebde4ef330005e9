//! Signs for single vertices: where a body is held, turned, followed, and where its nodes are.

use crate::svg::{Anchor, tenths, text};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A square: a vertex that is pinned.
    Pin,
    /// A triangle: a vertex of a handle.
    Handle,
    /// A diamond: the vertex that reports follow.
    Probe,
    /// A circle with the number of the node in it.
    Node,
}

/// More signs of one kind than this are drawn small.
const MANY: usize = 24;

impl Mark {
    /// What the sign means.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Pin => "pinned",
            Self::Handle => "handle",
            Self::Probe => "probe",
            Self::Node => "node",
        }
    }

    /// The sign at a place in pixels; `number` is what stands in a node, `of` how many there are.
    pub(crate) fn draw(self, [x, y]: [f64; 2], number: usize, of: usize) -> String {
        let radius = if of > MANY { 2.0 } else { 3.5 };
        let [x, y] = [x, y].map(tenths);
        match self {
            Self::Pin => format!(
                r#"<rect class="pin" x="{}" y="{}" width="{}" height="{}"/>"#,
                tenths(x - radius),
                tenths(y - radius),
                2.0 * radius,
                2.0 * radius
            ),
            Self::Handle => {
                let (r, class) = if of > MANY { (2.6, "handle many") } else { (4.5, "handle") };
                format!(
                    r#"<path class="{class}" d="M{x} {}l{r} {}h{}z"/>"#,
                    tenths(y - r),
                    tenths(1.8 * r),
                    -2.0 * r
                )
            }
            Self::Probe => {
                let r = 6.0;
                format!(r#"<path class="probe" d="M{x} {}l{r} {r}l-{r} {r}l-{r}-{r}z"/>"#, tenths(y - r))
            }
            Self::Node if of > 2 * MANY => format!(r#"<circle class="node" cx="{x}" cy="{y}" r="2.5"/>"#),
            Self::Node => {
                let circle = format!(r#"<circle class="node" cx="{x}" cy="{y}" r="7.5"/>"#);
                circle + &text(x, y + 3.2, Anchor::Middle, "tiny", &number.to_string())
            }
        }
    }
}
