//! What the lines and bars of a chart stand for, below it, in as many columns as there is room for.

use crate::Sign;
use crate::svg::{Anchor, tenths, text};

/// A line, a sign on it, and what it stands for.
pub(crate) struct Entry {
    pub label: String,
    /// None is the colour of the text.
    pub colour: Option<String>,
    pub key: Key,
}

/// What stands before the label.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    /// A line without signs.
    Line,
    /// A line with a sign.
    Sign(Sign),
    /// A dashed line.
    Dashes,
    /// An area.
    Area,
}

/// Pixels of a row.
const ROW: f64 = 18.0;
/// Pixels of a character.
const CHARACTER: f64 = 7.0;
/// Pixels of a key before its label.
const KEY: f64 = 34.0;

/// The legend from `top` on, and its height.
pub(crate) fn legend(entries: &[Entry], width: f64, top: f64) -> (String, f64) {
    let longest = entries.iter().map(|entry| entry.label.chars().count()).max().unwrap_or(0);
    let column = KEY + CHARACTER * longest as f64 + 12.0;
    let columns = (((width - 20.0) / column) as usize).clamp(1, entries.len().max(1));
    let mut svg = String::new();
    for (index, entry) in entries.iter().enumerate() {
        let x = 12.0 + (index % columns) as f64 * column;
        let y = top + 10.0 + (index / columns) as f64 * ROW;
        let (stroke, fill) = paints(entry.colour.as_deref());
        let [left, middle] = [x, y].map(tenths);
        svg += &match entry.key {
            Key::Area => format!(r#"<path {fill} d="M{left} {middle}m0-5h24v10h-24z"/>"#),
            Key::Dashes => format!(
                r#"<path fill="none" stroke-width="1.5" stroke-dasharray="6 4" {stroke} d="M{left} {middle}h26"/>"#
            ),
            Key::Line | Key::Sign(_) => {
                format!(r#"<path fill="none" stroke-width="2" {stroke} d="M{left} {middle}h24"/>"#)
            }
        };
        if let Key::Sign(sign) = entry.key {
            svg += &sign_at(sign, x + 12.0, y, entry.colour.as_deref());
        }
        svg += &text(x + KEY - 4.0, y + 4.0, Anchor::Start, "small", &entry.label);
    }
    (svg, 8.0 + ROW * entries.len().div_ceil(columns) as f64)
}

/// What draws lines and fills areas in a colour; in that of the text without one.
fn paints(colour: Option<&str>) -> (String, String) {
    match colour {
        Some(colour) => (format!(r#"stroke="{colour}""#), format!(r#"fill="{colour}""#)),
        None => (r#"class="ink""#.to_owned(), r#"class="inkfill""#.to_owned()),
    }
}

/// A sign of the size that points have.
fn sign_at(sign: Sign, x: f64, y: f64, colour: Option<&str>) -> String {
    let (stroke, fill) = paints(colour);
    let [x, y] = [x, y].map(tenths);
    match sign {
        Sign::Circle => format!(r#"<circle {fill} cx="{x}" cy="{y}" r="4"/>"#),
        Sign::Square => format!(r#"<path {fill} d="M{x} {y}m-4-4h8v8h-8z"/>"#),
        Sign::Triangle => format!(r#"<path {fill} d="M{x} {y}m0-5l4.5 8h-9z"/>"#),
        Sign::Diamond => format!(r#"<path {fill} d="M{x} {y}m0-5l5 5-5 5-5-5z"/>"#),
        Sign::Plus => format!(r#"<path {stroke} stroke-width="2" d="M{x} {y}m-4 0h8m-4-4v8"/>"#),
        Sign::Cross => format!(r#"<path {stroke} stroke-width="2" d="M{x} {y}m-3-3l6 6m0-6l-6 6"/>"#),
    }
}
