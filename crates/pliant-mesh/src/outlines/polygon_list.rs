//! A list of polygons as TOML or JSON: `polygons`, each with `points` and a `name`, `interfaces` with `points`, `regions` with
//! a `name` and a `point`, and the `unit`.

use serde::Deserialize;

use super::outline::{Outline, OutlineCurve, RegionPoint, UNNAMED};
use super::svg::Drawing;
use crate::LengthUnit;
use crate::fault::Fault;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    unit: Option<String>,
    polygons: Vec<Curve>,
    #[serde(default)]
    interfaces: Vec<Curve>,
    #[serde(default)]
    regions: Vec<Region>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    name: Option<String>,
    points: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Region {
    name: String,
    point: [f64; 2],
}

pub(super) fn read_toml(text: &str) -> Result<Drawing, Fault> {
    let list: List = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Fault::in_text(text, at, error.message().replace('\n', " "))
    })?;
    drawing(list)
}

pub(super) fn read_json(text: &str) -> Result<Drawing, Fault> {
    let list: List =
        serde_json::from_str(text).map_err(|error| Fault::line(error.line().max(1), error.to_string()))?;
    drawing(list)
}

fn drawing(list: List) -> Result<Drawing, Fault> {
    let unit = match list.unit {
        Some(symbol) => Some(LengthUnit::from_symbol(&symbol).ok_or_else(|| {
            Fault::line(1, format!("the unit {symbol:?} is not known; give m, cm, mm, um or in"))
        })?),
        None => None,
    };
    let mut outline = Outline::default();
    for (what, closed, curves) in [("polygon", true, list.polygons), ("interface", false, list.interfaces)] {
        for (index, curve) in curves.into_iter().enumerate() {
            let least = if closed { 3 } else { 2 };
            let is_finite = curve.points.iter().flatten().all(|value| value.is_finite());
            if curve.points.len() < least || !is_finite {
                let problem =
                    format!("{what} {index} (from 0) needs at least {least} points with finite coordinates");
                return Err(Fault::line(1, problem));
            }
            let name = curve.name.unwrap_or_else(|| UNNAMED.to_owned());
            outline.curves.push(OutlineCurve { name, points: curve.points, closed });
        }
    }
    for region in list.regions {
        if !region.point.iter().all(|value| value.is_finite()) {
            let problem = format!("the point of the region {:?} needs finite coordinates", region.name);
            return Err(Fault::line(1, problem));
        }
        outline.region_points.push(RegionPoint { name: region.name, point: region.point });
    }
    Ok(Drawing { outline, unit })
}
