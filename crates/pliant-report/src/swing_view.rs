//! A handle that turns, pose by pose, in several spaces beside each other: a part of the page with play and scrub, and an animated file.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pliant_mesh::{SimplexMesh, boundary_facets};
use serde::Serialize;

use crate::cell_areas::boundary_loops;
use crate::solid_surface::SolidSurface;
use crate::svg::escaped;
use crate::{ColourScale, Viewpoint};

/// The poses of one space.
#[derive(Clone, Debug)]
pub struct SwingSpace {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// The displacement of each pose, n x D stacked, in m.
    pub poses: Vec<Vec<f64>>,
    /// The error of each pose; empty for the full space.
    pub errors: Vec<f64>,
}

/// Milliseconds between poses.
pub(crate) const DELAY: u16 = 90;
/// Places are whole numbers up to this one, over the longer side of the picture.
const FINEST: f64 = 30_000.0;

#[derive(Serialize)]
struct Data {
    axes: usize,
    vertices: usize,
    /// Of the picture, in the unit of the places.
    size: [f64; 2],
    angles: Vec<f64>,
    errors: Vec<Vec<f64>>,
    delay: u16,
    colours: Vec<[u8; 3]>,
    areas: Vec<Area>,
    lines: Vec<usize>,
    facets: Facets,
    places: String,
}

#[derive(Serialize)]
struct Area {
    colour: String,
    loops: Vec<Vec<usize>>,
}

/// Corners of each facet, its colour, and edges with the facets on both sides.
#[derive(Default, Serialize)]
struct Facets {
    corners: Vec<usize>,
    colours: Vec<usize>,
    edges: Vec<usize>,
}

/// The part of the page. The first space is the full one, whose outline the others show dashed; `colours` is a value of each region on `scale`.
///
/// # Panics
/// If there is no space, or a space has not one displacement for each vertex in each pose.
pub fn swing_player<const D: usize>(
    mesh: &SimplexMesh<D>,
    view: Viewpoint,
    scale: &ColourScale,
    region_values: &[f64],
    angles_degrees: &[f64],
    spaces: &[SwingSpace],
) -> String {
    let colours: Vec<[u8; 3]> = region_values.iter().map(|&value| scale.rgb(scale.step(value))).collect();
    let mut drawn = Drawn::default();
    let (mut areas, mut lines, mut facets) = (Vec::new(), Vec::new(), Facets::default());
    if D == 3 {
        facets = drawn_facets(&SolidSurface::new(mesh), mesh.cell_regions(), &mut drawn);
    } else {
        for (region, [red, green, blue]) in colours.iter().enumerate() {
            let cells = mesh.cells().zip(mesh.cell_regions()).filter(|(_, of)| **of == region);
            let loops = boundary_loops(cells.map(|(cell, _)| cell));
            let loops: Vec<Vec<usize>> =
                loops.iter().map(|around| around.iter().map(|&v| drawn.number(v)).collect()).collect();
            lines.extend(loops.iter().flat_map(|around| {
                around.iter().zip(around.iter().cycle().skip(1)).flat_map(|(&a, &b)| [a, b])
            }));
            areas.push(Area { colour: format!("#{red:02x}{green:02x}{blue:02x}"), loops });
        }
        for facet in boundary_facets(mesh) {
            facet.iter().for_each(|&vertex| {
                drawn.number(vertex);
            });
        }
    }
    let (places, size) = drawn.places(mesh, view, spaces);
    let data = Data {
        axes: D,
        vertices: drawn.vertices.len(),
        size,
        angles: angles_degrees.to_vec(),
        errors: spaces.iter().skip(1).map(|space| space.errors.clone()).collect(),
        delay: DELAY,
        colours,
        areas,
        lines,
        facets,
        places: STANDARD.encode(&places),
    };
    let json = serde_json::to_string(&data).expect("numbers and text have a JSON form");
    let canvases: String = spaces
        .iter()
        .map(|space| {
            format!(
                "<div style=\"--width:380px\"><b>{0}</b> <canvas role=\"img\" aria-label=\"{0}\"></canvas><span class=\"intro\"></span></div>",
                escaped(&space.label)
            )
        })
        .collect();
    format!(
        concat!(
            "<div class=\"player\"><div class=\"panels\">{canvases}</div>",
            "<div class=\"controls\"><button type=\"button\">Play</button>",
            "<input type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"pose\"><output></output></div>",
            "<script type=\"application/json\">{json}</script><script>{script}</script></div>"
        ),
        canvases = canvases,
        last = angles_degrees.len().saturating_sub(1),
        json = json.replace("</", "<\\/"),
        script = include_str!("swing.js")
    )
}

/// The vertices that are drawn, numbered in the order in which they are met.
#[derive(Default)]
struct Drawn {
    numbers: BTreeMap<usize, usize>,
    vertices: Vec<usize>,
}

impl Drawn {
    fn number(&mut self, vertex: usize) -> usize {
        let next = self.vertices.len();
        *self.numbers.entry(vertex).or_insert_with(|| {
            self.vertices.push(vertex);
            next
        })
    }

    /// The places of every drawn vertex in every pose of every space, as little-endian 16-bit numbers, and the size of the picture.
    fn places<const D: usize>(
        &self,
        mesh: &SimplexMesh<D>,
        view: Viewpoint,
        spaces: &[SwingSpace],
    ) -> (Vec<u8>, [f64; 2]) {
        let rest = mesh.positions();
        let seen: Vec<[f64; 3]> = spaces
            .iter()
            .flat_map(|space| &space.poses)
            .flat_map(|pose| {
                assert_eq!(pose.len(), D * rest.len(), "one displacement for each vertex");
                self.vertices.iter().map(|&vertex| {
                    view.project::<D>(&std::array::from_fn(|axis| {
                        rest[vertex][axis] + pose[vertex * D + axis]
                    }))
                })
            })
            .collect();
        let bound = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
            seen.iter().map(|place| place[axis]).filter(|x| x.is_finite()).fold(start, pick)
        };
        let low: [f64; 3] = std::array::from_fn(|axis| bound(axis, f64::min, f64::INFINITY));
        let high: [f64; 3] = std::array::from_fn(|axis| bound(axis, f64::max, f64::NEG_INFINITY));
        let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(f64::MIN_POSITIVE, f64::max);
        let unit = 0.96 * FINEST / longest;
        let margin = 0.02 * FINEST;
        let bytes = seen
            .iter()
            .flat_map(|place| (0..D).map(|axis| (margin + unit * (place[axis] - low[axis])).round() as i16))
            .flat_map(i16::to_le_bytes)
            .collect();
        (bytes, [0, 1].map(|axis| 2.0 * margin + unit * (high[axis] - low[axis])))
    }
}

fn drawn_facets(surface: &SolidSurface, regions: &[usize], drawn: &mut Drawn) -> Facets {
    let mut facets = Facets::default();
    let mut sides: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for (index, (corners, &cell)) in surface.facets.iter().zip(&surface.cells).enumerate() {
        let corners = corners.map(|vertex| drawn.number(vertex));
        facets.corners.extend(corners);
        facets.colours.push(regions[cell]);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let edge = [corners[a].min(corners[b]), corners[a].max(corners[b])];
            sides.entry(edge).or_default().push(index);
        }
    }
    for ([a, b], beside) in sides {
        if let [left, right] = beside[..] {
            facets.edges.extend([a, b, left, right]);
        }
    }
    facets
}
