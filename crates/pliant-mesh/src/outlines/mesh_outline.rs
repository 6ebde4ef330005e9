//! An outline meshed with triangles: a constrained Delaunay triangulation with quality refinement (Ruppert 1995; crate
//! `spade`).
//!
//! A wide frame around the drawing is refined with it, since what lies beside a body cannot be left out before regions are
//! told apart; the triangles of the frame then go.

use spade::{AngleLimit, Point2, PositionInTriangulation, RefinementParameters, Triangulation};

use super::faces::{Pieces, Triangles};
use super::outline::Outline;
use super::rings::Rings;
use crate::meshers::{check_cell_count, check_cell_size};
use crate::name_index::NameIndex;
use crate::{Checked, MeshError, MeshOptions, MeshParts, SimplexMesh, UnusedVertices};

/// How an outline is meshed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineMeshOptions {
    /// Edge length in m, about. Default: none given, a 40th of the longest side of the drawing.
    pub cell_size: Option<f64>,
    /// Smallest angle in degrees, from 0 to 32. Default: 28.
    pub minimum_angle_degrees: f64,
}

impl Default for OutlineMeshOptions {
    fn default() -> Self {
        Self { cell_size: None, minimum_angle_degrees: 28.0 }
    }
}

/// Beyond this angle refinement may not end.
const LARGEST_ANGLE: f64 = 32.0;

/// Points of the drawing closer than this part of the cell size are one.
const WELDING: f64 = 1e-3;

/// Meshes the regions of an outline; every curve becomes edges of cells.
///
/// Angles are at least the one asked for, except where curves meet at a smaller one or where refinement to it does not end:
/// then it is halved until it does. Curves that cross are cut. O(n log n).
///
/// # Errors
/// A size that is no positive length or gives more than 1e8 cells, an angle outside 0 to 32 degrees, no closed curve,
/// nothing inside, or a region point outside of the body.
pub fn mesh_outline(outline: &Outline, options: &OutlineMeshOptions) -> Result<SimplexMesh<2>, MeshError> {
    let refused = |problem: String| MeshError::InvalidMesher { problem };
    let angle = options.minimum_angle_degrees;
    if !(0.0..=LARGEST_ANGLE).contains(&angle) {
        return Err(refused(format!(
            "the minimum angle is {angle} degrees; give one from 0 to {LARGEST_ANGLE}"
        )));
    }
    let (low, high) = bounding_box(outline).ok_or_else(|| refused("the drawing has no curve".to_owned()))?;
    let longest = (high[0] - low[0]).max(high[1] - low[1]);
    if !(longest > 0.0 && longest.is_finite()) {
        return Err(refused(format!(
            "the longest side of the drawing is {longest}; give one with an extent"
        )));
    }
    let size = options.cell_size.unwrap_or(longest / 40.0);
    check_cell_size(size)?;
    let margin = 0.2 * longest + 2.0 * size;
    let expected =
        4.0 * (high[0] - low[0] + 2.0 * margin) / size * ((high[1] - low[1] + 2.0 * margin) / size);
    check_cell_count(expected)?;
    let rings = Rings::new(outline, WELDING * size);
    if rings.rings.is_empty() {
        return Err(refused(no_ring(&rings)));
    }
    let frame = [low.map(|value| value - margin), high.map(|value| value + margin)];
    let triangles = constrained(&rings, frame, size).ok_or_else(|| {
        refused(format!("the curves cannot be triangulated at the cell size {size}; give another"))
    })?;
    let triangles = refined(triangles, size, angle, expected as usize);
    let parts = body(&triangles, &rings, outline)?;
    let options = MeshOptions { unused_vertices: UnusedVertices::Drop, ..MeshOptions::default() };
    let Checked { mesh, .. } = SimplexMesh::from_parts(parts, &options)?;
    Ok(mesh)
}

fn bounding_box(outline: &Outline) -> Option<([f64; 2], [f64; 2])> {
    let mut points = outline.curves.iter().flat_map(|curve| &curve.points);
    let first = *points.next()?;
    let join = |pick: fn(f64, f64) -> f64| {
        move |a: [f64; 2], b: &[f64; 2]| -> [f64; 2] { std::array::from_fn(|axis| pick(a[axis], b[axis])) }
    };
    let points = outline.curves.iter().flat_map(|curve| &curve.points);
    Some((points.clone().fold(first, join(f64::min)), points.fold(first, join(f64::max))))
}

fn no_ring(rings: &Rings) -> String {
    let end = rings.open.first().and_then(|chain| chain.last()).map(|&point| rings.points.points()[point]);
    let [x, y] = end.unwrap_or_default();
    format!(
        "no curve of the drawing is closed ({} are open, the first ends at {x}, {y}); join their ends",
        rings.open.len()
    )
}

/// The curves as constraints in pieces of about the size, within a frame; none if spade refuses a point.
fn constrained(rings: &Rings, frame: [[f64; 2]; 2], size: f64) -> Option<Triangles> {
    let mut triangles = Triangles::new();
    let [low, high] = frame;
    for [x, y] in [low, [high[0], low[1]], high, [low[0], high[1]]] {
        triangles.insert(point(x, y)).ok()?;
    }
    // Pieces of curves that lie on each other get the same points: one direction, and points that are near are one.
    let mut segments: Vec<[usize; 2]> = rings.segments().map(|[a, b]| [a.min(b), a.max(b)]).collect();
    segments.sort_unstable();
    segments.dedup();
    let mut welded = rings.points.clone();
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(segments.len());
    for [a, b] in segments {
        let (from, to) = (welded.points()[a], welded.points()[b]);
        let count = ((to[0] - from[0]).hypot(to[1] - from[1]) / size).round().max(1.0) as usize;
        let at = |index: usize| -> [f64; 2] {
            std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * index as f64 / count as f64)
        };
        let mut chain = vec![a];
        chain.extend((1..count).map(|index| welded.add(at(index))));
        chain.push(b);
        chains.push(chain);
    }
    let mut handles = Vec::with_capacity(welded.points().len());
    for &[x, y] in welded.points() {
        handles.push(triangles.insert(point(x, y)).ok()?);
    }
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        let (from, to) = (handles[pair[0]], handles[pair[1]]);
        if from != to {
            triangles.add_constraint_and_split(from, to, |point| point);
        }
    }
    Some(triangles)
}

/// Coordinates so small that spade refuses them are zero.
fn point(x: f64, y: f64) -> Point2<f64> {
    spade::mitigate_underflow(Point2::new(x, y))
}

/// Refines to the size and the angle, or to a smaller angle where that does not end.
fn refined(triangles: Triangles, size: f64, angle: f64, expected: usize) -> Triangles {
    let most = 10_000 + 4 * expected + 4 * triangles.num_vertices();
    let mut angle = angle;
    loop {
        let mut attempt = triangles.clone();
        let parameters = RefinementParameters::<f64>::new()
            .with_angle_limit(AngleLimit::from_deg(angle))
            .with_max_allowed_area(0.9 * size * size)
            .with_max_additional_vertices(most);
        if attempt.refine(parameters).refinement_complete || angle == 0.0 {
            return attempt;
        }
        angle = if angle > 5.0 { 0.5 * angle } else { 0.0 };
    }
}

fn body(triangles: &Triangles, rings: &Rings, outline: &Outline) -> Result<MeshParts<2>, MeshError> {
    let pieces = Pieces::new(triangles);
    let mut names: Vec<Option<String>> =
        pieces.points.iter().map(|&point| rings.name_at(point).map(str::to_owned)).collect();
    for region in &outline.region_points {
        let [x, y] = region.point;
        let face = match triangles.locate(point(x, y)) {
            PositionInTriangulation::OnFace(face) => Some(face),
            PositionInTriangulation::OnEdge(edge) => {
                triangles.directed_edge(edge).face().as_inner().map(|face| face.fix())
            }
            _ => None,
        };
        let name = face.and_then(|face| names[pieces.of_face[face.index()]].as_mut());
        let Some(name) = name else {
            let problem = format!(
                "the point ({x}, {y}) of the region \"{}\" lies on a curve or outside of the body; move it",
                region.name
            );
            return Err(MeshError::InvalidMesher { problem });
        };
        name.clone_from(&region.name);
    }
    let mut parts = MeshParts {
        positions: triangles.vertices().map(|vertex| [vertex.position().x, vertex.position().y]).collect(),
        ..MeshParts::default()
    };
    let mut regions = NameIndex::default();
    for face in triangles.inner_faces() {
        let Some(name) = &names[pieces.of_face[face.index()]] else { continue };
        parts.cells.extend(face.vertices().map(|vertex| vertex.fix().index()));
        parts.cell_regions.push(regions.place(name));
    }
    parts.regions = regions.into_names();
    if parts.cells.is_empty() {
        let problem = "nothing lies inside of the closed curves; a name that begins with \"hole\" takes away"
            .to_owned();
        return Err(MeshError::InvalidMesher { problem });
    }
    Ok(parts)
}
