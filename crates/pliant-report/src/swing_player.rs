//! A handle that turns, pose by pose, in several spaces beside each other: a part of the page with play and scrub.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::colour_scale::STEPS;
use crate::svg::escaped;
use crate::{Body, DrawnSurface};

/// The poses of one space.
#[derive(Clone, Debug)]
pub struct SwingSpace<'a> {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// The displacement of each pose, n x D stacked, in m.
    pub poses: Vec<&'a [f64]>,
    /// The error of each pose; empty for the full space.
    pub errors: Vec<f64>,
}

/// Milliseconds between poses.
pub(crate) const DELAY: u16 = 90;
/// Places are whole numbers up to this one, over the longest side of the picture.
const FINEST: f64 = 30_000.0;
/// Bytes of all places at most, before they are written as text.
const LIMIT: usize = 1_200_000;
/// A body keeps this many vertices, even where there are many poses.
const LEAST: usize = 300;

#[derive(Serialize)]
struct Data {
    axes: usize,
    vertices: usize,
    /// Of the picture, in the unit of the places.
    size: [f64; 2],
    angles: Vec<f64>,
    errors: Vec<Vec<f64>>,
    delay: u16,
    /// Red, green, blue of each step.
    colours: Vec<[u8; 3]>,
    /// Of a flat body: the step and the loops of each area, and the ends of each line.
    areas: Vec<(usize, Vec<Vec<usize>>)>,
    lines: Vec<[usize; 2]>,
    facets: Facets,
    places: String,
}

/// Of a solid body: corners, step and region of each facet, and edges with the facets on both sides.
#[derive(Default, Serialize)]
struct Facets {
    corners: Vec<usize>,
    steps: Vec<usize>,
    regions: Vec<usize>,
    edges: Vec<[usize; 4]>,
}

/// The part of the page. The first space is the full one, whose outline the others show dashed. A large surface is drawn with fewer vertices.
///
/// # Panics
/// If there is no space, or a space has not one displacement for each vertex in each pose.
pub fn swing_player<const D: usize>(
    body: &Body<'_, D>,
    angles_degrees: &[f64],
    spaces: &[SwingSpace<'_>],
) -> String {
    let scale = body.modulus_scale();
    let logarithms = body.logarithms();
    let poses: usize = spaces.iter().map(|space| space.poses.len()).sum();
    let most = (LIMIT / (2 * D * poses.max(1))).max(LEAST);
    let steps_of = |surface: &DrawnSurface| -> Vec<usize> {
        surface.cells.iter().map(|&cell| scale.step(logarithms[cell])).collect()
    };
    let mut data = Data {
        axes: D,
        vertices: 0,
        size: [0.0; 2],
        angles: angles_degrees.to_vec(),
        errors: spaces.iter().skip(1).map(|space| space.errors.clone()).collect(),
        delay: DELAY,
        colours: (0..STEPS).map(|step| scale.rgb(step)).collect(),
        areas: Vec::new(),
        lines: Vec::new(),
        facets: Facets::default(),
        places: String::new(),
    };
    let mut surface = body.surface().clone();
    let drawn = if D == 3 {
        surface = surface.coarsened(body.mesh, most);
        data.facets = facets(&surface, steps_of(&surface));
        surface.vertices.clone()
    } else {
        // Most vertices lie inside areas and are not drawn.
        let mut outlines = Outlines::new(&surface, &steps_of(&surface));
        if outlines.vertices.len() > most {
            surface = surface.coarsened(body.mesh, most);
            outlines = Outlines::new(&surface, &steps_of(&surface));
        }
        (data.areas, data.lines) = (outlines.areas, outlines.lines);
        outlines.vertices.iter().map(|&vertex| surface.vertices[vertex]).collect()
    };
    data.vertices = drawn.len();
    let (places, size) = places(body, &drawn, spaces);
    (data.places, data.size) = (STANDARD.encode(places), size);
    let json = serde_json::to_string(&data).expect("numbers and text have a JSON form");
    let canvases: String = spaces
        .iter()
        .map(|space| {
            format!(
                "<div><b>{0}</b> <canvas role=\"img\" aria-label=\"{0}\"></canvas><span class=\"intro\"></span></div>",
                escaped(&space.label)
            )
        })
        .collect();
    format!(
        concat!(
            "<div class=\"player\"><div class=\"panels\">{canvases}</div>",
            "<div class=\"controls\"><button type=\"button\">Play</button>",
            "<input type=\"range\" min=\"0\" max=\"{last}\" aria-label=\"pose\"><output></output></div>",
            "<script type=\"application/json\">{json}</script><script>{script}</script></div>"
        ),
        canvases = canvases,
        last = angles_degrees.len().saturating_sub(1),
        json = json.replace("</", "<\\/"),
        script = include_str!("swing.js")
    )
}

/// Areas of one step and the lines of a flat body, on the vertices that they need.
struct Outlines {
    /// Of the surface.
    vertices: Vec<usize>,
    areas: Vec<(usize, Vec<Vec<usize>>)>,
    lines: Vec<[usize; 2]>,
}

impl Outlines {
    fn new(surface: &DrawnSurface, steps: &[usize]) -> Self {
        let (mut areas, mut lines) = (surface.areas(steps), surface.flat_lines());
        let mut numbers = BTreeMap::new();
        let mut vertices = Vec::new();
        let in_areas = areas.iter_mut().flat_map(|(_, loops)| loops).flatten();
        for vertex in in_areas.chain(lines.iter_mut().flatten()) {
            *vertex = *numbers.entry(*vertex).or_insert_with(|| {
                vertices.push(*vertex);
                vertices.len() - 1
            });
        }
        Self { vertices, areas, lines }
    }
}

fn facets(surface: &DrawnSurface, steps: Vec<usize>) -> Facets {
    let pairs = surface.sides.chunk_by(|a, b| a.0 == b.0).filter(|sides| sides.len() == 2);
    Facets {
        corners: surface.triangles.concat(),
        steps,
        regions: surface.regions.clone(),
        edges: pairs.map(|sides| [sides[0].0[0], sides[0].0[1], sides[0].1, sides[1].1]).collect(),
    }
}

/// The places of some vertices in every pose of every space, as little-endian 16-bit numbers, and the size of the picture.
fn places<const D: usize>(
    body: &Body<'_, D>,
    vertices: &[usize],
    spaces: &[SwingSpace<'_>],
) -> (Vec<u8>, [f64; 2]) {
    let (rest, view) = (body.mesh.positions(), body.main_view());
    let seen: Vec<[f64; 3]> = spaces
        .iter()
        .flat_map(|space| &space.poses)
        .flat_map(|pose| {
            assert_eq!(pose.len(), D * rest.len(), "one displacement for each vertex");
            let place = |&vertex: &usize| {
                view.project::<D>(&std::array::from_fn(|axis| rest[vertex][axis] + pose[vertex * D + axis]))
            };
            vertices.iter().map(place)
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

#[cfg(test)]
mod tests {
    use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, box_mesh, rectangle};

    use super::*;

    fn data<const D: usize>(
        mesh: &pliant_mesh::SimplexMesh<D>,
        moduli: &[f64],
        poses: usize,
    ) -> serde_json::Value {
        let rest = vec![0.0; D * mesh.vertex_count()];
        let space = SwingSpace { label: String::new(), poses: vec![&rest; poses], errors: Vec::new() };
        let html = swing_player(&Body::new(mesh, moduli), &vec![0.0; poses], &[space]);
        assert!(html.len() < 2 * LIMIT, "{} bytes", html.len());
        let json = html.split("json\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn cells_have_the_colours_of_the_material_map_also_within_one_region() {
        let options = RectangleOptions { resolution: Resolution::Counts([8, 2]), ..Default::default() };
        let mesh = rectangle(&options).unwrap();
        let moduli: Vec<f64> =
            (0..mesh.cell_count()).map(|cell| 10_f64.powf(3.0 + cell as f64 / 31.0)).collect();
        let drawn = data(&mesh, &moduli, 2);
        assert!(drawn["areas"].as_array().unwrap().len() > 20, "each step is an area");
        assert_eq!(drawn["vertices"], mesh.vertex_count());
        let uniform = data(&mesh, &vec![1e3; mesh.cell_count()], 2);
        assert_eq!((uniform["areas"].as_array().unwrap().len(), &uniform["vertices"]), (1, &20.into()));
    }

    #[test]
    fn a_large_surface_in_many_poses_is_drawn_with_fewer_vertices() {
        let options = BoxOptions { resolution: Resolution::Counts([20, 20, 20]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let moduli = vec![1e3; mesh.cell_count()];
        assert_eq!(data(&mesh, &moduli, 2)["vertices"], 21 * 21 * 21 - 19 * 19 * 19);
        let vertices = data(&mesh, &moduli, 200)["vertices"].as_u64().unwrap();
        assert!(vertices > 300 && vertices <= 1000, "{vertices}");
    }
}
