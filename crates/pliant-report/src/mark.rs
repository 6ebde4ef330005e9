//! Signs for single vertices: where a body is held, turned, followed, and where its nodes are.

use std::collections::BTreeSet;

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
/// Pixels of a side of a spot.
const SPOT: f64 = 3.0;
/// Pixels of the radius of a node with its number.
const NODE: f64 = 7.5;

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

    /// The signs, each with its number and place in pixels. Of many signs on one spot one is drawn; nodes, whose numbers are to be read, move
    /// apart, each on a line from its place.
    pub(crate) fn draw_all(self, places: &[(usize, [f64; 2])]) -> String {
        if self == Self::Node && places.len() <= 2 * MANY {
            let at: Vec<[f64; 2]> = places.iter().map(|(_, place)| *place).collect();
            let apart = moved_apart(&at, 2.0 * NODE + 1.0);
            let leader = |(from, to): (&[f64; 2], &[f64; 2])| {
                let [x, y, to_x, to_y] = [from[0], from[1], to[0], to[1]].map(tenths);
                let is_moved = (from[0] - to[0]).hypot(from[1] - to[1]) > 1.0;
                let line = format!("M{x} {y}L{to_x} {to_y}");
                let dot = || {
                    format!(
                        r#"<path class="halo" d="{line}"/><path class="ink" d="{line}"/><circle class="inkfill" cx="{x}" cy="{y}" r="1.5"/>"#
                    )
                };
                if is_moved { dot() } else { String::new() }
            };
            let leaders: String = at.iter().zip(&apart).map(leader).collect();
            let signs = places
                .iter()
                .zip(&apart)
                .map(|((number, _), place)| self.draw(*place, *number, places.len()));
            return leaders + &signs.collect::<String>();
        }
        let mut taken = BTreeSet::new();
        let mut is_free =
            |place: [f64; 2]| places.len() <= MANY || taken.insert(place.map(|x| (x / SPOT).round() as i64));
        let drawn = places.iter().filter(|(_, place)| is_free(*place));
        drawn.map(|&(number, place)| self.draw(place, number, places.len())).collect()
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
                let circle = format!(r#"<circle class="node" cx="{x}" cy="{y}" r="{NODE}"/>"#);
                circle + &text(x, y + 3.2, Anchor::Middle, "tiny", &number.to_string())
            }
        }
    }
}

/// Points that come no nearer to each other than `least`, where that can be had: pairs that are too near push each other, a little at a time.
fn moved_apart(points: &[[f64; 2]], least: f64) -> Vec<[f64; 2]> {
    let mut moved = points.to_vec();
    for _ in 0..200 {
        let mut is_done = true;
        for i in 0..moved.len() {
            for j in 0..i {
                let between = [moved[i][0] - moved[j][0], moved[i][1] - moved[j][1]];
                let distance = between[0].hypot(between[1]);
                if distance >= least - 1e-6 {
                    continue;
                }
                is_done = false;
                // Points on one spot part sideways.
                let way = if distance > 1e-9 { between.map(|x| x / distance) } else { [1.0, 0.0] };
                for axis in 0..2 {
                    let push = 0.5 * (least - distance) * way[axis];
                    moved[i][axis] += push;
                    moved[j][axis] -= push;
                }
            }
        }
        if is_done {
            break;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_on_one_spot_can_be_read_and_point_to_it() {
        let apart = moved_apart(&[[0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [50.0, 0.0]], 16.0);
        for (i, a) in apart.iter().enumerate() {
            assert!(apart[..i].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 15.9), "{apart:?}");
        }
        assert_eq!(apart[3], [50.0, 0.0]);
        let svg = Mark::Node.draw_all(&[(0, [5.0, 5.0]), (1, [5.0, 5.0])]);
        assert_eq!((svg.matches("halo").count(), svg.matches("<text").count()), (2, 2));
    }

    #[test]
    fn many_pins_on_one_spot_are_drawn_once() {
        let places: Vec<(usize, [f64; 2])> = (0..1000).map(|i| (i, [0.001 * i as f64, 0.0])).collect();
        assert_eq!(Mark::Pin.draw_all(&places).matches("<rect").count(), 1);
        assert_eq!(Mark::Pin.draw_all(&places[..3]).matches("<rect").count(), 3);
    }
}
