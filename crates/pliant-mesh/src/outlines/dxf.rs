//! DXF as text: LINE, LWPOLYLINE, POLYLINE (with bulges), ARC, CIRCLE and ELLIPSE of the section ENTITIES; x and y alone.
//!
//! The name of a curve is its layer, `body` for layer 0. The unit is that of `$INSUNITS`. Other entities are counted.

use std::f64::consts::TAU;

use super::arcs::{bulge_arc, circle, ellipse_arc};
use super::dxf_groups::{Group, dxf_groups};
use super::outline::{Outline, OutlineCurve, UNNAMED};
use super::svg::Drawing;
use crate::LengthUnit;
use crate::fault::Fault;

pub(super) fn read_dxf(text: &str, flatness: f64) -> Result<Drawing, Fault> {
    let groups = dxf_groups(text)?;
    let unit = groups
        .windows(2)
        .find(|pair| pair[0].code == 9 && pair[0].value == "$INSUNITS")
        .map(|pair| pair[1].integer())
        .transpose()?
        .and_then(|code| match code {
            1 => Some(LengthUnit::Inch),
            4 => Some(LengthUnit::Millimetre),
            5 => Some(LengthUnit::Centimetre),
            6 => Some(LengthUnit::Metre),
            13 => Some(LengthUnit::Micrometre),
            _ => None,
        });
    let start = groups
        .windows(2)
        .position(|pair| pair[0].code == 0 && pair[0].value == "SECTION" && pair[1].value == "ENTITIES")
        .ok_or_else(|| Fault::line(1, "the file has no section ENTITIES; save the drawing as DXF text"))?;
    let entities: Vec<&[Group<'_>]> = split(&groups[start + 2..]);
    let tolerance = flatness * extent(&entities);
    let mut outline = Outline::default();
    let mut entities = entities.into_iter().peekable();
    while let Some(entity) = entities.next() {
        let record = Entity { groups: entity };
        let curve = match entity[0].value {
            "LINE" => record.curve(vec![record.point(10)?, record.point(11)?], false),
            "CIRCLE" => {
                record.curve(circle(record.point(10)?, record.number(40, 0.0)?.abs(), tolerance), true)
            }
            "ARC" => {
                let radius = record.number(40, 0.0)?.abs();
                let [start, end] =
                    [record.number(50, 0.0)?.to_radians(), record.number(51, 0.0)?.to_radians()];
                let sweep = turn(end - start);
                let axes = [[radius, 0.0], [0.0, radius]];
                record.curve(ellipse_arc(record.point(10)?, axes, start, sweep, tolerance), false)
            }
            "ELLIPSE" => record.ellipse(tolerance)?,
            "LWPOLYLINE" => record.polyline(&record.light_vertices()?, tolerance)?,
            "POLYLINE" => {
                let mut vertices = Vec::new();
                while let Some(vertex) = entities.next_if(|next| next[0].value == "VERTEX") {
                    let vertex = Entity { groups: vertex };
                    vertices.push((vertex.point(10)?, vertex.number(42, 0.0)?));
                }
                // The same entity holds surface meshes, told by flags.
                if record.flags()? & (16 | 64) != 0 {
                    outline.drop_one("entities POLYLINE of surfaces");
                    continue;
                }
                record.polyline(&vertices, tolerance)?
            }
            "SEQEND" => continue,
            other => {
                outline.drop_one(&format!("entities {other}"));
                continue;
            }
        };
        if curve.points.len() > 1 {
            outline.curves.push(curve);
        }
    }
    Ok(Drawing { outline, unit })
}

/// The entities up to the end of the section, each with its kind first.
fn split<'a, 'b>(groups: &'a [Group<'b>]) -> Vec<&'a [Group<'b>]> {
    let end =
        groups.iter().position(|group| group.code == 0 && group.value == "ENDSEC").unwrap_or(groups.len());
    let starts: Vec<usize> = (0..end).filter(|&index| groups[index].code == 0).collect();
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().zip(ends).map(|(&start, end)| &groups[start..end]).collect()
}

/// Longest side of the box around all points and radii, 1 if there is none.
fn extent(entities: &[&[Group<'_>]]) -> f64 {
    let mut extent: f64 = 0.0;
    for codes in [[10, 11], [20, 21]] {
        let numbers = entities.iter().copied().flatten().filter(|group| codes.contains(&group.code));
        let values = numbers.filter_map(|group| group.number().ok());
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (f64::min(low, value), f64::max(high, value))
        });
        extent = extent.max(high - low);
    }
    let radii = entities.iter().copied().flatten().filter(|group| group.code == 40);
    extent =
        radii.filter_map(|group| group.number().ok()).fold(extent, |extent, radius| extent.max(2.0 * radius));
    if extent > 0.0 { extent } else { 1.0 }
}

/// An angle as one of a turn, never zero.
fn turn(angle: f64) -> f64 {
    let angle = angle.rem_euclid(TAU);
    if angle > 0.0 { angle } else { TAU }
}

struct Entity<'a, 'b> {
    groups: &'a [Group<'b>],
}

impl Entity<'_, '_> {
    fn text(&self, code: i32) -> Option<&str> {
        self.groups.iter().find(|group| group.code == code).map(|group| group.value)
    }

    fn number(&self, code: i32, otherwise: f64) -> Result<f64, Fault> {
        let group = self.groups.iter().find(|group| group.code == code);
        group.map_or(Ok(otherwise), Group::number)
    }

    /// The bits of group 70.
    fn flags(&self) -> Result<i64, Fault> {
        self.groups.iter().find(|group| group.code == 70).map_or(Ok(0), Group::integer)
    }

    /// The point whose x has this code.
    fn point(&self, code: i32) -> Result<[f64; 2], Fault> {
        let coordinate = |code: i32| match self.groups.iter().find(|group| group.code == code) {
            Some(group) => group.number(),
            None => {
                let problem = format!("the {} has no group {code}, a coordinate", self.groups[0].value);
                Err(Fault::line(self.groups[0].line, problem))
            }
        };
        Ok([coordinate(code)?, coordinate(code + 10)?])
    }

    fn curve(&self, points: Vec<[f64; 2]>, closed: bool) -> OutlineCurve {
        let layer = self.text(8).filter(|layer| !layer.is_empty() && *layer != "0").unwrap_or(UNNAMED);
        OutlineCurve { name: layer.to_owned(), points, closed }
    }

    fn ellipse(&self, tolerance: f64) -> Result<OutlineCurve, Fault> {
        let ([x, y], ratio) = (self.point(11)?, self.number(40, 1.0)?);
        let (start, end) = (self.number(41, 0.0)?, self.number(42, TAU)?);
        let sweep = turn(end - start);
        let axes = [[x, y], [-ratio * y, ratio * x]];
        let mut points = ellipse_arc(self.point(10)?, axes, start, sweep, tolerance);
        let whole = (sweep - TAU).abs() < 1e-6;
        if whole {
            points.pop();
        }
        Ok(self.curve(points, whole))
    }

    /// Vertices of an LWPOLYLINE, each with its bulge.
    fn light_vertices(&self) -> Result<Vec<([f64; 2], f64)>, Fault> {
        let mut vertices: Vec<([f64; 2], f64)> = Vec::new();
        for group in self.groups {
            match (group.code, vertices.last_mut()) {
                (10, _) => vertices.push(([group.number()?, 0.0], 0.0)),
                (20, Some(vertex)) => vertex.0[1] = group.number()?,
                (42, Some(vertex)) => vertex.1 = group.number()?,
                _ => {}
            }
        }
        Ok(vertices)
    }

    fn polyline(&self, vertices: &[([f64; 2], f64)], tolerance: f64) -> Result<OutlineCurve, Fault> {
        let closed = self.flags()? & 1 == 1;
        let mut points = Vec::new();
        for (index, &(point, bulge)) in vertices.iter().enumerate() {
            points.push(point);
            if bulge != 0.0 && (closed || index + 1 < vertices.len()) {
                points.extend(bulge_arc(point, vertices[(index + 1) % vertices.len()].0, bulge, tolerance));
            }
        }
        Ok(self.curve(points, closed))
    }
}
