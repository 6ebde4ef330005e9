//! Curves in the plane that bound regions of a body.

use crate::Dropped;

/// What a drawing holds, curves as chains of straight pieces, in m.
///
/// Closed curves of one name bound that region: a point inside an odd number of them belongs to it, so that a curve within
/// another of its name is a hole. Where curves of several names contain a point, the smallest of them wins. A name that
/// begins with `hole` bounds no region but takes it away. Open curves that do not join to closed ones are interfaces: edges
/// of cells follow them. A region point gives another name to the piece of the body in which it lies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// The curves, in the order of the drawing.
    pub curves: Vec<OutlineCurve>,
    /// Names of pieces.
    pub region_points: Vec<RegionPoint>,
    /// What the drawing holds and the outline does not.
    pub dropped: Vec<Dropped>,
}

/// A chain of straight pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutlineCurve {
    /// The region, a layer of the drawing; `body` where the drawing gives none.
    pub name: String,
    /// At least two, in m.
    pub points: Vec<[f64; 2]>,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}

/// A name for the piece of the body around a point.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPoint {
    /// The region's name.
    pub name: String,
    /// In m.
    pub point: [f64; 2],
}

/// The name of curves without one.
pub(super) const UNNAMED: &str = "body";

impl Outline {
    /// The same in another unit.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        let scale = |point: &mut [f64; 2]| *point = point.map(|value| value * factor);
        self.curves.iter_mut().flat_map(|curve| &mut curve.points).for_each(scale);
        self.region_points.iter_mut().for_each(|region| scale(&mut region.point));
        self
    }

    /// Counts something that is left out.
    pub(super) fn drop_one(&mut self, what: &str) {
        match self.dropped.iter_mut().find(|dropped| dropped.what == what) {
            Some(dropped) => dropped.count += 1,
            None => self.dropped.push(Dropped { what: what.to_owned(), count: 1 }),
        }
    }
}
