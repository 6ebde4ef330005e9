//! The tentacle in 2D: a constrained Delaunay triangulation with quality refinement (Ruppert 1995; crate `spade`).
//!
//! The refinement needs a convex outline, because it cannot leave out what lies beside a body that is cut by interfaces.
//! The tentacle's is not quite convex: its side meets the small end at an angle, and points on a straight side are as
//! often inside as outside of their neighbours' line. So a convex body is meshed whose half-width differs by less than a
//! thousandth, and its vertices are then moved along y, those of the outline onto the tentacle's.

use std::f64::consts::FRAC_PI_2;

use spade::handles::FixedVertexHandle;
use spade::{AngleLimit, ConstrainedDelaunayTriangulation, Point2, RefinementParameters, Triangulation};

use super::resolution::{check_cell_count, check_cell_size};
use super::tapered_capsule::{INTERFACES, LENGTH, RADII, REGIONS, SEGMENT_REGIONS, segment, side_radius};
use crate::{MeshError, MeshOptions, MeshParts, SimplexMesh};

/// How fine the tentacle is.
#[derive(Clone, Debug, PartialEq)]
pub struct Tentacle2dOptions {
    /// Length in m of the edges on outline and interfaces before refinement. Default: 1/15 (about 1,060 vertices).
    pub cell_size: f64,
    /// Greatest area of a triangle in m^2. Default: none given, which means 0.9 `cell_size^2`.
    pub maximum_area: Option<f64>,
    /// Smallest angle of a triangle in degrees, from 0 to 32. Default: 28.
    pub minimum_angle_degrees: f64,
}

impl Default for Tentacle2dOptions {
    fn default() -> Self {
        Self { cell_size: 1.0 / 15.0, maximum_area: None, minimum_angle_degrees: 28.0 }
    }
}

/// Beyond this angle refinement may not end.
const LARGEST_ANGLE: f64 = 32.0;

/// Moving the vertices onto the tentacle's outline may cost this much of the angle, in degrees.
const MOVING: f64 = 1.0;

type Triangles = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The tentacle as triangles; no cell straddles an interface, and both tips have a vertex.
///
/// No angle is below the smallest angle asked for, at any size up to 0.3 m. O(n log n).
///
/// # Errors
/// A size or area that is not positive, an angle outside 0 to 32 degrees, more than 1e8 cells, or a refinement that
/// does not end.
pub fn tentacle_2d(options: &Tentacle2dOptions) -> Result<SimplexMesh<2>, MeshError> {
    let size = options.cell_size;
    check_cell_size(size)?;
    let maximum_area = options.maximum_area.unwrap_or(0.9 * size * size);
    let angle = options.minimum_angle_degrees;
    let refused = |problem: String| Err(MeshError::InvalidMesher { problem });
    if !(maximum_area > 0.0 && maximum_area.is_finite()) {
        return refused(format!("the maximum area is {maximum_area}; give a positive number of m^2"));
    }
    if !(0.0..=LARGEST_ANGLE).contains(&angle) {
        return refused(format!("the minimum angle is {angle} degrees; give one from 0 to {LARGEST_ANGLE}"));
    }
    let expected = 4.0 * 5.1 / maximum_area.min(size * size);
    check_cell_count(expected)?;
    let Some(mut triangles) = outline_and_interfaces(size) else {
        return refused(format!("the outline cannot be meshed at the cell size {size}; give another"));
    };
    let parameters = RefinementParameters::<f64>::new()
        .with_angle_limit(AngleLimit::from_deg(if angle > 0.0 { angle + MOVING } else { 0.0 }))
        .with_max_allowed_area(maximum_area)
        .with_max_additional_vertices(10_000 + 2 * expected as usize);
    if !triangles.refine(parameters).refinement_complete {
        return refused(format!(
            "refining to angles of {angle} degrees does not end; give a smaller angle or another cell size"
        ));
    }
    let parts = body(&triangles);
    Ok(SimplexMesh::from_parts(parts, &MeshOptions::default())?.mesh)
}

/// The convex body's outline and the interfaces as constraints, in edges of about the given size.
fn outline_and_interfaces(size: f64) -> Option<Triangles> {
    let mut triangles = Triangles::new();
    let upper = upper_outline(size);
    let mut chain = Vec::new();
    for &[x, y] in &upper {
        chain.push(triangles.insert(Point2::new(x, y)).ok()?);
    }
    // The lower half backwards, without the tips.
    let middle = 1..upper.len() - 1;
    for &[x, y] in upper[middle.clone()].iter().rev() {
        chain.push(triangles.insert(Point2::new(x, -y)).ok()?);
    }
    let closed = chain.iter().copied().chain([chain[0]]).collect::<Vec<_>>();
    constrain(&mut triangles, &closed)?;
    for interface in INTERFACES {
        let place = upper.iter().position(|point| point[0] == interface)?;
        let height = upper[place][1];
        let count = intervals(2.0 * height, size);
        let mut line = vec![chain[chain.len() - place]];
        for index in 1..count {
            let y = height * (2.0 * index as f64 / count as f64 - 1.0);
            line.push(triangles.insert(Point2::new(interface, y)).ok()?);
        }
        line.push(chain[place]);
        constrain(&mut triangles, &line)?;
    }
    Some(triangles)
}

fn constrain(triangles: &mut Triangles, line: &[FixedVertexHandle]) -> Option<()> {
    for edge in line.windows(2) {
        if !triangles.can_add_constraint(edge[0], edge[1]) {
            return None;
        }
        triangles.add_constraint(edge[0], edge[1]);
    }
    Some(())
}

fn intervals(length: f64, size: f64) -> usize {
    ((length / size).round() as usize).max(1)
}

/// Points of the convex outline from the left tip over the top to the right tip.
fn upper_outline(size: f64) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    let quarter = intervals(RADII[0] * FRAC_PI_2, size).max(2);
    for index in 0..quarter {
        let angle = FRAC_PI_2 * index as f64 / quarter as f64;
        points.push([-RADII[0] * angle.cos(), RADII[0] * angle.sin()]);
    }
    let ends = [0.0, INTERFACES[0], INTERFACES[1], INTERFACES[2], INTERFACES[3], LENGTH];
    for pair in ends.windows(2) {
        let count = intervals(pair[1] - pair[0], size);
        for index in 0..count {
            let x = pair[0] + (pair[1] - pair[0]) * index as f64 / count as f64;
            points.push([x, convex_half_width(x)]);
        }
    }
    let quarter = intervals(RADII[1] * FRAC_PI_2, size).max(2);
    for index in 0..quarter {
        let x = LENGTH + RADII[1] * (FRAC_PI_2 * index as f64 / quarter as f64).sin();
        points.push([x, convex_half_width(x)]);
    }
    points.push([LENGTH + RADII[1], 0.0]);
    points
}

/// Half of the tentacle's width at x.
fn half_width(x: f64) -> f64 {
    let circle = |center: f64, radius: f64| (radius.powi(2) - (x - center).powi(2)).max(0.0).sqrt();
    if x < 0.0 {
        circle(0.0, RADII[0])
    } else if x > LENGTH {
        circle(LENGTH, RADII[1])
    } else {
        side_radius(x)
    }
}

/// Half of the convex body's width: the line from the top of the large end that touches the small end, a little bulged.
fn convex_half_width(x: f64) -> f64 {
    // The slope s of the line: its distance (R0 + s L) / sqrt(1 + s^2) from the centre of the small end is R1.
    let [large, small] = RADII;
    let (a, b, c) = (LENGTH.powi(2) - small.powi(2), large * LENGTH, large.powi(2) - small.powi(2));
    let slope = (-b + (b * b - a * c).sqrt()) / a;
    let touching = LENGTH - small * slope / (1.0 + slope * slope).sqrt();
    if x <= 0.0 || x >= touching {
        return half_width(x);
    }
    const BULGE: f64 = 1e-5;
    large + slope * x + BULGE * x * (touching - x)
}

/// The triangles with their vertices moved from the convex body to the tentacle.
fn body(triangles: &Triangles) -> MeshParts<2> {
    let mut on_outline = vec![false; triangles.num_vertices()];
    for edge in triangles.convex_hull() {
        on_outline[edge.from().fix().index()] = true;
    }
    let positions: Vec<[f64; 2]> = triangles
        .vertices()
        .map(|vertex| {
            let Point2 { x, y } = vertex.position();
            if on_outline[vertex.fix().index()] { onto_outline([x, y]) } else { inside([x, y]) }
        })
        .collect();
    let mut cells = Vec::with_capacity(3 * triangles.num_inner_faces());
    let mut cell_regions = Vec::with_capacity(triangles.num_inner_faces());
    for face in triangles.inner_faces() {
        let corners = face.vertices().map(|vertex| vertex.fix().index());
        cells.extend(corners);
        let x = corners.iter().map(|&corner| positions[corner][0]).sum::<f64>() / 3.0;
        cell_regions.push(SEGMENT_REGIONS[segment(x)]);
    }
    MeshParts {
        positions,
        cells,
        regions: REGIONS.map(str::to_owned).to_vec(),
        cell_regions,
        vertex_sets: Vec::new(),
    }
}

fn onto_outline([x, y]: [f64; 2]) -> [f64; 2] {
    let onto_circle = |center: f64, radius: f64| {
        let scale = radius / (x - center).hypot(y);
        [center + (x - center) * scale, y * scale]
    };
    if x < 0.0 {
        onto_circle(0.0, RADII[0])
    } else if x > LENGTH {
        onto_circle(LENGTH, RADII[1])
    } else {
        [x, side_radius(x).copysign(y)]
    }
}

fn inside([x, y]: [f64; 2]) -> [f64; 2] {
    let convex = convex_half_width(x);
    [x, if convex > 0.0 { y * (half_width(x) / convex) } else { y }]
}
