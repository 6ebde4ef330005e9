//! A view of deformed surfaces that the reader turns, as a fragment of an HTML page: WebGL where the browser has it, a still picture elsewhere.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pliant_mesh::SimplexMesh;

use crate::colour_scale::STEPS;
use crate::svg::escaped;
use crate::{ColourScale, DrawnSurface, SurfaceField, Viewpoint};

/// Bytes of data at most, before they are written as text; the page stays below 5 MB.
const LIMIT: usize = 700_000;

/// One shape that a view can show.
#[derive(Clone, Copy, Debug)]
pub struct OrbitShape<'a> {
    /// What the reader chooses it by.
    pub name: &'a str,
    /// n x D stacked, in m; none is the rest shape.
    pub displacement: Option<&'a [f64]>,
    /// What colours it.
    pub field: SurfaceField<'a>,
}

/// What a view shows.
#[derive(Clone, Debug)]
pub struct OrbitView<'a> {
    /// What the picture is, for readers who cannot see it.
    pub title: &'a str,
    /// One or more, all at one scale and on one spot.
    pub shapes: &'a [OrbitShape<'a>],
    /// The colours of all shapes.
    pub scale: ColourScale,
    /// What stands beside the colour bar.
    pub label: &'a str,
    /// From where the body is seen when nothing turns it, for example [`Viewpoint::FRONT`].
    pub front: Viewpoint,
    /// HTML (an `<img>` or `<svg>`) for browsers without WebGL, and for paper.
    pub still: &'a str,
}

/// The script that the views of a page share: once in the page, after the last view.
pub fn orbit_script() -> String {
    format!("<script>\n{}</script>\n", include_str!("orbit_view.js"))
}

/// The style that goes with [`orbit_script`], in the head of the page: before the script runs, the still picture is shown.
pub(crate) const ORBIT_STYLE: &str = include_str!("orbit_view.css");

/// The fragment of one view: the boundary of a 3D mesh, the cells of a 2D one. Positions keep 16 bits and values 8.
///
/// The page needs [`orbit_script`] too. A surface of more than 0.7 MB of data is drawn with fewer vertices, and a sentence says so.
///
/// # Panics
/// If there is no shape, or one without a displacement for each vertex or a value for each vertex or cell.
pub fn orbit_view<const D: usize>(mesh: &SimplexMesh<D>, view: &OrbitView<'_>) -> String {
    assert!(!view.shapes.is_empty(), "a view shows a shape");
    // Of each vertex: three places and, as there are about twice as many triangles, two values in each shape; six corners.
    let most = (LIMIT / (8 * view.shapes.len() + 12)).clamp(1, usize::from(u16::MAX));
    let whole = DrawnSurface::new(mesh);
    let triangles = whole.triangle_count();
    let surface = whole.coarsened(mesh, most);
    let coarse = match surface.triangle_count() {
        drawn if drawn < triangles => format!("; drawn with {drawn} of {triangles} triangles"),
        _ => String::new(),
    };
    let still = format!(r#"<div class="orbit-still">{}</div>"#, view.still);
    let (data, aspect) = data(mesh, &surface, view);
    let options: String =
        view.shapes.iter().map(|shape| format!("<option>{}</option>", escaped(shape.name))).collect();
    let choice = if view.shapes.len() > 1 {
        format!("<label>shape <select>{options}</select></label>")
    } else {
        String::new()
    };
    let bar = format!(r#"<svg viewBox="0 0 260 28">{}</svg>"#, view.scale.bar(0.0, 1.0, 160.0, view.label));
    let title = escaped(view.title);
    format!(
        "<div class=\"orbit-view\">{still}<canvas tabindex=\"0\" role=\"img\" aria-label=\"{title}\" \
         style=\"aspect-ratio:{aspect:.2}\"></canvas>\
         <div class=\"orbit-controls\">{choice}{bar}<span class=\"orbit-hint\">drag to turn, shift and drag to move, wheel (after a \
         click) or + and - to zoom, 0 for the first view{coarse}</span></div><script type=\"application/json\">{data}</script></div>\n"
    )
}

/// The data of the script as JSON, and how wide the view is for its height.
fn data<const D: usize>(
    mesh: &SimplexMesh<D>,
    surface: &DrawnSurface,
    view: &OrbitView<'_>,
) -> (String, f64) {
    let seen = |shape: &OrbitShape<'_>| -> Vec<[f64; 3]> {
        let positions = surface.positions(mesh, shape.displacement);
        positions.iter().map(|position| view.front.project(position)).collect()
    };
    let positions: Vec<Vec<[f64; 3]>> = view.shapes.iter().map(seen).collect();
    let frame = Frame::around(positions.iter().flatten());
    let mut json = format!(r#"{{"flat":{},"extent":{:?},"#, D == 2, frame.extent());
    let corners = surface.triangles.iter().flatten();
    let indices: Vec<u8> = corners.flat_map(|&corner| (corner as u16).to_le_bytes()).collect();
    let colours: Vec<[f64; 3]> =
        (0..STEPS).map(|step| view.scale.rgb(step).map(|part| f64::from(part) / 255.0)).collect();
    let _ = write!(json, r#""palette":{colours:?},"triangles":"{}","shapes":["#, STANDARD.encode(indices));
    for (index, (shape, positions)) in view.shapes.iter().zip(&positions).enumerate() {
        let places: Vec<u8> = positions.iter().flat_map(|&position| frame.place(position)).collect();
        let values = surface.values(mesh, shape.field);
        let levels: Vec<u8> = values.iter().map(|&value| level(&view.scale, value)).collect();
        let _ = write!(
            json,
            r#"{}{{"cells":{},"positions":"{}","values":"{}"}}"#,
            if index == 0 { "" } else { "," },
            matches!(shape.field, SurfaceField::Cells(_)),
            STANDARD.encode(places),
            STANDARD.encode(levels)
        );
    }
    let [width, height, depth] = frame.extent();
    // A flat body is seen from the front first, and a long one needs little height.
    let most = if D == 2 { 3.0 } else { 2.2 };
    let aspect = (width.max(depth) / height.max(1e-3)).clamp(1.2, most);
    (json + "]}", aspect)
}

/// The box that positions are counted in.
struct Frame {
    low: [f64; 3],
    size: [f64; 3],
}

impl Frame {
    fn around<'p>(points: impl Iterator<Item = &'p [f64; 3]>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for point in points {
            for axis in 0..3 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        Self { low, size: std::array::from_fn(|axis| high[axis] - low[axis]) }
    }

    /// The sides of the box where half its diagonal is 1.
    fn extent(&self) -> [f64; 3] {
        let diagonal = self.size.iter().map(|side| side * side).sum::<f64>().sqrt();
        self.size.map(|side| if diagonal > 0.0 { 2.0 * side / diagonal } else { 0.0 })
    }

    /// A position as three little-endian numbers of 16 bits, from 0 to 65535 along each side.
    fn place(&self, position: [f64; 3]) -> [u8; 6] {
        let mut bytes = [0; 6];
        for axis in 0..3 {
            let along = (position[axis] - self.low[axis]) / self.size[axis];
            let number = if along.is_finite() { (along * 65_535.0).round() as u16 } else { 0 };
            bytes[2 * axis..2 * axis + 2].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
}

/// The place of a value in the range of the scale, from 0 to 255; 0 for what is not a number.
fn level(scale: &ColourScale, value: f64) -> u8 {
    let [from, to] = scale.range();
    ((value - from) / (to - from) * 256.0).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests;
