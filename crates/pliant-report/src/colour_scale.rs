//! From a number to a colour that colour-blind people can tell apart, and the bar that says which is which.

use std::fmt::Write;

use crate::svg::{Anchor, text};

/// Colours of a bar; a field is drawn in as many. An odd number: the middle of a diverging scale is white.
pub(crate) const STEPS: usize = 33;

/// How values become colours.
#[derive(Clone, Debug, PartialEq)]
pub enum ColourScale {
    /// From dark blue to yellow over a range: for magnitudes and weights.
    Sequential {
        /// The value of the dark end; what lies beyond an end is drawn like it.
        from: f64,
        /// The value of the bright end, another than `from`; below it the bright end stands for small values.
        to: f64,
    },
    /// Blue, white, red, white in the middle: for fields that lie on both sides of a value.
    Diverging {
        /// The value that is white.
        middle: f64,
        /// How far the outermost colours are from it, above 0.
        reach: f64,
    },
    /// One colour for each of the values 0, 1, 2 and so on, which tell things apart and have no order; they repeat after ten.
    Categories,
}

/// Light colours that colour-blind people can tell apart, and on which dark text is readable (after Paul Tol's "light" scheme).
const CATEGORIES: [&str; 10] = [
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00", "#dddddd",
    "#c9a0dc",
];

impl ColourScale {
    /// The sequential scale of some values; a range of width 1 where they are all the same.
    pub fn of_values(values: &[f64]) -> Self {
        let from = values.iter().copied().fold(f64::INFINITY, f64::min);
        let to = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match to > from {
            true => Self::Sequential { from, to },
            false => Self::Sequential { from, to: from + 1.0 },
        }
    }

    /// The first and the last value.
    pub(crate) fn range(&self) -> [f64; 2] {
        match *self {
            Self::Sequential { from, to } => [from, to],
            Self::Diverging { middle, reach } => [middle - reach, middle + reach],
            Self::Categories => [0.0, STEPS as f64],
        }
    }

    /// The step of a value, `0..STEPS`; the first for what is not a number.
    pub(crate) fn step(&self, value: f64) -> usize {
        if *self == Self::Categories {
            return if value >= 0.0 { value as usize % CATEGORIES.len() } else { 0 };
        }
        let [from, to] = self.range();
        let place = (value - from) / (to - from) * STEPS as f64;
        if place.is_nan() { 0 } else { (place.max(0.0) as usize).min(STEPS - 1) }
    }

    /// The colour of a step.
    pub(crate) fn rgb(&self, step: usize) -> [u8; 3] {
        let place = (step as f64 + 0.5) / STEPS as f64;
        let colour = match self {
            Self::Sequential { .. } => colorous::CIVIDIS.eval_continuous(place),
            Self::Diverging { .. } => colorous::RED_BLUE.eval_continuous(1.0 - place),
            Self::Categories => {
                let hex = CATEGORIES[step % CATEGORIES.len()];
                let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
                return [1, 3, 5].map(part);
            }
        };
        [colour.r, colour.g, colour.b]
    }

    /// The bar at a place and of a width, in pixels: its ends and its middle written below, the label to its right.
    pub(crate) fn bar(&self, x: f64, y: f64, width: f64, label: &str) -> String {
        let [from, to] = self.range();
        let mut svg = String::new();
        let step_width = width / STEPS as f64;
        for step in 0..STEPS {
            let left = x + step as f64 * step_width;
            let _ = write!(
                svg,
                r#"<rect x="{left:.1}" y="{y:.1}" width="{:.1}" height="8" fill="{}"/>"#,
                step_width + 0.3,
                hex(self.rgb(step))
            );
        }
        let below = y + 20.0;
        svg += &text(x, below, Anchor::Start, "small", &short(from));
        svg += &text(x + 0.5 * width, below, Anchor::Middle, "small", &short(0.5 * (from + to)));
        svg += &text(x + width, below, Anchor::End, "small", &short(to));
        svg += &text(x + width + 8.0, y + 8.0, Anchor::Start, "small", label);
        svg
    }
}

/// A colour as `#rrggbb`.
pub(crate) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A number in at most three significant digits.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-2..1e4).contains(&value.abs()) {
        let decimals = (2.0 - value.abs().log10().floor()).max(0.0) as usize;
        let text = format!("{value:.decimals$}");
        let has_point = text.contains('.');
        return if has_point { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    format!("{value:.1e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_range_have_the_first_and_the_last_colour_and_what_lies_outside_too() {
        let scale = ColourScale::Sequential { from: 1.0, to: 3.0 };
        assert_eq!(
            [0.0, 1.0, 3.0, 9.0, f64::NAN].map(|value| scale.step(value)),
            [0, 0, STEPS - 1, STEPS - 1, 0]
        );
        assert_ne!(scale.rgb(0), scale.rgb(STEPS - 1));
        assert_eq!(hex([1, 160, 255]), "#01a0ff");
    }

    #[test]
    fn equal_values_still_have_a_range() {
        assert_eq!(ColourScale::of_values(&[2.0, 2.0]), ColourScale::Sequential { from: 2.0, to: 3.0 });
    }

    #[test]
    fn the_middle_of_a_diverging_scale_is_nearly_white_and_categories_repeat() {
        let scale = ColourScale::Diverging { middle: 1.0, reach: 0.5 };
        assert!(scale.rgb(scale.step(1.0)).iter().all(|&part| part > 230));
        assert_eq!(ColourScale::Categories.rgb(1), ColourScale::Categories.rgb(11));
        assert_eq!([-1.0, 3.0, 13.0].map(|value| ColourScale::Categories.step(value)), [0, 3, 3]);
    }

    #[test]
    fn numbers_under_a_bar_are_short() {
        let shorter = [0.0, 0.5, -1.25, 0.05374, 2400.4, 2e6, 3e-5].map(short);
        assert_eq!(shorter, ["0", "0.5", "-1.25", "0.0537", "2400", "2.0e6", "3.0e-5"]);
    }
}
