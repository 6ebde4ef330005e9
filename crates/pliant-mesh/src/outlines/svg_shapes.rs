//! The shapes of SVG as chains of straight pieces.

use kurbo::{
    Affine, BezPath, Circle, Ellipse, Line, PathEl, Point, Rect, RoundedRect, RoundedRectRadii, Shape,
};

use super::outline::OutlineCurve;
use super::svg::Attributes;

/// Pieces of one shape: more come from wrong numbers.
const MOST_POINTS: usize = 1_000_000;

/// Coordinates beyond this many tolerances are no drawing.
const FARTHEST: f64 = 1e9;

/// Whether an element is a shape.
pub(super) fn is_shape(element: &str) -> bool {
    matches!(element, "path" | "rect" | "circle" | "ellipse" | "line" | "polygon" | "polyline")
}

/// The curves of a shape without their name; `tolerance` is in units of the drawing, after the transform.
pub(super) fn curves(
    element: &str,
    attributes: &Attributes,
    transform: Affine,
    tolerance: f64,
) -> Result<Vec<OutlineCurve>, String> {
    let number = |name: &str, otherwise: f64| {
        attributes.number(name, otherwise).ok_or_else(|| {
            format!(
                "{name} of {element} should be a number, but there is \"{}\"",
                attributes.get(name).unwrap_or("")
            )
        })
    };
    let scale = transform.determinant().abs().sqrt();
    let fine = if scale > 0.0 { 0.1 * tolerance / scale } else { tolerance };
    let path = match element {
        "path" => {
            let data = attributes.get("d").unwrap_or("");
            BezPath::from_svg(data).map_err(|error| format!("the path cannot be read ({error})"))?
        }
        "rect" => {
            let (x, y) = (number("x", 0.0)?, number("y", 0.0)?);
            let (width, height) = (number("width", 0.0)?, number("height", 0.0)?);
            let rx = number("rx", number("ry", 0.0)?)?;
            let rectangle = Rect::new(x, y, x + width, y + height);
            if !(width > 0.0 && height > 0.0) {
                return Ok(Vec::new());
            }
            if rx > 0.0 {
                RoundedRect::from_rect(rectangle, RoundedRectRadii::from_single_radius(rx)).to_path(fine)
            } else {
                rectangle.to_path(fine)
            }
        }
        "circle" => {
            let (center, radius) = ((number("cx", 0.0)?, number("cy", 0.0)?), number("r", 0.0)?);
            if radius <= 0.0 {
                return Ok(Vec::new());
            }
            Circle::new(center, radius).to_path(fine)
        }
        "ellipse" => {
            let center = (number("cx", 0.0)?, number("cy", 0.0)?);
            let radii = (number("rx", 0.0)?, number("ry", 0.0)?);
            if radii.0 <= 0.0 || radii.1 <= 0.0 {
                return Ok(Vec::new());
            }
            Ellipse::new(center, radii, 0.0).to_path(fine)
        }
        "line" => {
            let (from, to) =
                ((number("x1", 0.0)?, number("y1", 0.0)?), (number("x2", 0.0)?, number("y2", 0.0)?));
            Line::new(from, to).to_path(fine)
        }
        _ => points(attributes.get("points").unwrap_or(""), element == "polygon")
            .ok_or_else(|| format!("the points of {element} should be pairs of numbers"))?,
    };
    flatten(&path, transform, tolerance)
}

fn points(text: &str, closed: bool) -> Option<BezPath> {
    let numbers: Vec<f64> = text
        .split(|c: char| c.is_ascii_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    if numbers.len() % 2 == 1 {
        return None;
    }
    let mut path = BezPath::new();
    for (index, pair) in numbers.chunks_exact(2).enumerate() {
        let point = Point::new(pair[0], pair[1]);
        if index == 0 { path.move_to(point) } else { path.line_to(point) }
    }
    if closed && !numbers.is_empty() {
        path.close_path();
    }
    Some(path)
}

fn flatten(path: &BezPath, transform: Affine, tolerance: f64) -> Result<Vec<OutlineCurve>, String> {
    let path = transform * path;
    // Pieces grow with the square root of the size: a coordinate far out would make more than fit in memory.
    let is_near = |point: &Point| point.x.abs().max(point.y.abs()) <= FARTHEST * tolerance;
    if !path.elements().iter().all(|element| points_of(element).iter().all(is_near)) {
        return Err("the shape has a coordinate that is not finite, or far outside of the drawing".to_owned());
    }
    let mut curves: Vec<OutlineCurve> = Vec::new();
    let mut count = 0;
    kurbo::flatten(path, tolerance, |element| {
        count += 1;
        match element {
            _ if count > MOST_POINTS => {}
            PathEl::MoveTo(point) => curves.push(OutlineCurve {
                name: String::new(),
                points: vec![[point.x, point.y]],
                closed: false,
            }),
            PathEl::LineTo(point) => {
                if let Some(last) = curves.last().filter(|last| last.closed) {
                    // After a ring is closed a path may go on from its start.
                    curves.push(OutlineCurve { points: vec![last.points[0]], ..OutlineCurve::default() });
                }
                if let Some(curve) = curves.last_mut() {
                    curve.points.push([point.x, point.y]);
                }
            }
            PathEl::ClosePath => {
                if let Some(curve) = curves.last_mut() {
                    curve.closed = true;
                }
            }
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => {}
        }
    });
    if count > MOST_POINTS {
        return Err(format!(
            "the shape makes more than {MOST_POINTS} straight pieces; its numbers are wrong"
        ));
    }
    curves.retain(|curve| curve.points.len() > 1);
    Ok(curves)
}

fn points_of(element: &PathEl) -> Vec<Point> {
    match *element {
        PathEl::MoveTo(point) | PathEl::LineTo(point) => vec![point],
        PathEl::QuadTo(first, point) => vec![first, point],
        PathEl::CurveTo(first, second, point) => vec![first, second, point],
        PathEl::ClosePath => Vec::new(),
    }
}
