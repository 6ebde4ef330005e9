//! SVG: paths and basic shapes with their transforms, flattened; y points up.
//!
//! The name of a curve is the label or id of its element, or else of the nearest group that has one; ids that editors make
//! up (`path12`, `rect3-7`) are no names. Lengths are in user units, unless the width of the drawing is in mm, cm, in or m
//! and a view box says how many user units that is. Elements that are not drawn (`defs`, `display: none`) are skipped.

use kurbo::Affine;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::outline::{Outline, UNNAMED};
use super::svg_shapes::{curves, is_shape};
use crate::LengthUnit;
use crate::fault::Fault;

/// What an open element hands to the elements in it.
#[derive(Clone)]
struct Context {
    transform: Affine,
    name: String,
    hidden: bool,
}

/// The attributes of an element, unescaped.
pub(super) struct Attributes(Vec<(String, String)>);

impl Attributes {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The number that a value begins with; `otherwise` where there is no such attribute.
    pub fn number(&self, name: &str, otherwise: f64) -> Option<f64> {
        let Some(text) = self.get(name) else { return Some(otherwise) };
        length(text).map(|(value, _)| value)
    }
}

/// A drawing in user units, or in m where `unit` says so.
pub(super) struct Drawing {
    pub outline: Outline,
    /// The unit of the outline's lengths, where the drawing states one.
    pub unit: Option<LengthUnit>,
}

/// `flatness` is how far a straight piece may be from its curve, as a fraction of the drawing's longest side.
pub(super) fn read_svg(text: &str, flatness: f64) -> Result<Drawing, Fault> {
    let mut reader = Reader::from_str(text);
    let mut outline = Outline::default();
    let mut stack: Vec<Context> = Vec::new();
    let mut unit = None;
    let mut tolerance = 0.0;
    loop {
        let at = reader.buffer_position() as usize;
        // Lines are counted where something is wrong alone, not for every element.
        let fault = |problem: String| Fault::in_text(text, at, problem);
        let event = reader.read_event().map_err(|error| fault(format!("this is not XML ({error})")))?;
        let (start, is_open) = match &event {
            Event::Start(start) => (start, true),
            Event::Empty(start) => (start, false),
            Event::End(_) => {
                stack.pop();
                continue;
            }
            Event::Eof if stack.is_empty() && tolerance > 0.0 => break,
            Event::Eof => {
                return Err(fault("the file ends inside an element or has none; it is truncated".to_owned()));
            }
            _ => continue,
        };
        let element = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
        let attributes = attributes(start).map_err(fault)?;
        let inherited = stack.last().cloned();
        let context = match inherited {
            None if element == "svg" => {
                let root = root(&attributes).map_err(fault)?;
                unit = root.unit;
                tolerance = flatness * root.extent;
                Context { transform: root.transform, name: UNNAMED.to_owned(), hidden: false }
            }
            None => return Err(fault(format!("the file should begin with the element svg, not {element}"))),
            Some(parent) => inner(&parent, &element, &attributes).map_err(fault)?,
        };
        if !context.hidden {
            if is_shape(&element) {
                let shapes = curves(&element, &attributes, context.transform, tolerance).map_err(fault)?;
                outline.curves.extend(shapes.into_iter().map(|mut curve| {
                    curve.name.clone_from(&context.name);
                    curve
                }));
            } else if matches!(element.as_str(), "text" | "image" | "use" | "foreignObject") {
                outline.drop_one(&format!("{element} elements"));
            }
        }
        if is_open {
            stack.push(context);
        }
    }
    Ok(Drawing { outline, unit })
}

fn attributes(start: &BytesStart<'_>) -> Result<Attributes, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("an attribute is not XML ({error})"))?;
        // Entities that the file declares itself stay as they are; they stand in names of namespaces.
        let raw = || String::from_utf8_lossy(&attribute.value).into_owned();
        let value = attribute.unescape_value().map_or_else(|_| raw(), |value| value.into_owned());
        attributes.push((String::from_utf8_lossy(attribute.key.as_ref()).into_owned(), value));
    }
    Ok(Attributes(attributes))
}

struct Root {
    /// From user units to those of the drawing, y upwards.
    transform: Affine,
    unit: Option<LengthUnit>,
    /// Longest side in units of the drawing; 100 where nothing is said.
    extent: f64,
}

fn root(attributes: &Attributes) -> Result<Root, String> {
    let side = |name: &str| attributes.get(name).and_then(length);
    let view_box = match attributes.get("viewBox") {
        Some(text) => {
            let numbers: Vec<f64> = text
                .split(|c: char| c.is_ascii_whitespace() || c == ',')
                .filter(|word| !word.is_empty())
                .map_while(|word| word.parse().ok().filter(|value: &f64| value.is_finite()))
                .collect();
            match numbers[..] {
                [x, y, width, height] if width > 0.0 && height > 0.0 => Some([x, y, width, height]),
                _ => return Err(format!("viewBox should be four numbers, but there is \"{text}\"")),
            }
        }
        None => None,
    };
    let (width, height) = (side("width"), side("height"));
    let (unit, scale) = match (width, view_box) {
        (Some((width, Some(unit))), Some(view_box)) if width > 0.0 => (Some(unit), width / view_box[2]),
        _ => (None, 1.0),
    };
    let [left, top, across, down] = view_box.unwrap_or_else(|| {
        let side = |side: Option<(f64, _)>| side.map_or(100.0, |(length, _)| length).max(f64::MIN_POSITIVE);
        [0.0, 0.0, side(width), side(height)]
    });
    let transform = Affine::new([scale, 0.0, 0.0, -scale, -scale * left, scale * (top + down)]);
    Ok(Root { transform, unit, extent: scale * across.max(down) })
}

fn inner(parent: &Context, element: &str, attributes: &Attributes) -> Result<Context, String> {
    const NOT_DRAWN: [&str; 9] =
        ["defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "style", "namedview"];
    let style = attributes.get("style").unwrap_or("").replace(' ', "");
    let hidden = parent.hidden
        || NOT_DRAWN.contains(&element)
        || attributes.get("display") == Some("none")
        || style.split(';').any(|entry| entry == "display:none");
    let transform = match attributes.get("transform") {
        Some(text) => {
            parent.transform
                * transform(text).ok_or_else(|| format!("the transform \"{text}\" cannot be read"))?
        }
        None => parent.transform,
    };
    let own = attributes.get("inkscape:label").or_else(|| attributes.get("id").filter(|id| !is_made_up(id)));
    let name = own.filter(|name| !name.trim().is_empty()).map_or_else(|| parent.name.clone(), str::to_owned);
    Ok(Context { transform, name, hidden })
}

/// Whether an id is the name of an element and digits.
fn is_made_up(id: &str) -> bool {
    let letters = id.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
    let known =
        ["path", "rect", "circle", "ellipse", "polygon", "polyline", "line", "g", "layer", "svg", "use"];
    letters.len() < id.len() && known.contains(&letters)
}

/// A number and the unit of length after it, if it is one of those that a drawing is made in.
fn length(text: &str) -> Option<(f64, Option<LengthUnit>)> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    // The e of an exponent is followed by digits, so it is never cut off.
    let value: f64 = digits.trim().parse().ok().filter(|value: &f64| value.is_finite())?;
    Some((value, LengthUnit::from_symbol(&text[digits.len()..])))
}

/// A list of `matrix`, `translate`, `scale`, `rotate`, `skewX` and `skewY`.
fn transform(text: &str) -> Option<Affine> {
    let mut whole = Affine::IDENTITY;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(')?;
        let (numbers, after) = after.split_once(')')?;
        let numbers: Vec<f64> = numbers
            .split(|c: char| c.is_ascii_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok().filter(|value: &f64| value.is_finite()))
            .collect::<Option<_>>()?;
        whole *= match (name.trim(), &numbers[..]) {
            ("matrix", &[a, b, c, d, e, f]) => Affine::new([a, b, c, d, e, f]),
            ("translate", &[x]) => Affine::translate((x, 0.0)),
            ("translate", &[x, y]) => Affine::translate((x, y)),
            ("scale", &[s]) => Affine::scale(s),
            ("scale", &[x, y]) => Affine::scale_non_uniform(x, y),
            ("rotate", &[angle]) => Affine::rotate(angle.to_radians()),
            ("rotate", &[angle, x, y]) => Affine::rotate_about(angle.to_radians(), (x, y)),
            ("skewX", &[angle]) => Affine::skew(angle.to_radians().tan(), 0.0),
            ("skewY", &[angle]) => Affine::skew(0.0, angle.to_radians().tan()),
            _ => return None,
        };
        rest = after.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
    }
    Some(whole)
}
