//! Bars whose parts lie end to end.

use kuva::plot::BarPlot;
use kuva::render::plots::Plot;

use super::legend::{Entry, Key, legend};
use super::{RIGHT, TITLE, plain_layout, titled};
use crate::Panel;

/// A bar.
pub(crate) struct Bar {
    pub label: String,
    /// Names and lengths in order; what is not finite counts as 0.
    pub parts: Vec<(String, f64)>,
}

/// Of the parts, in the order in which their names are met; they repeat.
const COLOURS: [&str; 5] = ["#56b4e9", "#0072b2", "#e69f00", "#009e73", "#cc79a7"];
/// Pixels of a bar with the space around it.
const BAR: f64 = 30.0;

/// Bars from left to right, one below the other, as wide as this.
pub(crate) fn stacked_bars(title: &str, axis: &str, bars: &[Bar], width: f64) -> Panel {
    let names = names_in_order(bars);
    let colour = |index: usize| COLOURS[index % COLOURS.len()];
    let mut plot = BarPlot::new().with_stacked().with_horizontal(true).with_width(0.7);
    // Bars are drawn upwards.
    for bar in bars.iter().rev() {
        let length = |name: &str| {
            let parts = bar.parts.iter().filter(|(part, _)| part == name);
            parts.map(|(_, length)| if length.is_finite() { *length } else { 0.0 }).sum::<f64>()
        };
        let parts: Vec<(f64, &str)> =
            names.iter().enumerate().map(|(index, name)| (length(name), colour(index))).collect();
        plot = plot.with_group(bar.label.clone(), parts);
    }
    let height = TITLE + 80.0 + BAR * bars.len() as f64;
    let plots = vec![Plot::Bar(plot)];
    let layout =
        plain_layout(&plots, width - RIGHT, height - TITLE).with_x_label(axis.to_owned()).with_ticks(3);
    let mut body = titled(title, plots, layout);
    let entries: Vec<Entry> = names
        .iter()
        .enumerate()
        .map(|(index, name)| Entry {
            label: (*name).to_owned(),
            colour: Some(colour(index).to_owned()),
            key: Key::Area,
        })
        .collect();
    let (keys, depth) = legend(&entries, width, height);
    body += &keys;
    Panel { width, height: height + depth, label: title.to_owned(), body }
}

/// Every name once, so that the order within each bar is kept where bars agree.
fn names_in_order(bars: &[Bar]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for bar in bars {
        let mut before = names.len();
        for (name, _) in bar.parts.iter().rev() {
            match names.iter().position(|other| other == name) {
                Some(place) => before = place,
                None => names.insert(before, name),
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_stands_before_the_one_that_follows_it() {
        let bar = |names: &[&str]| Bar {
            label: String::new(),
            parts: names.iter().map(|name| ((*name).to_owned(), 1.0)).collect(),
        };
        assert_eq!(names_in_order(&[bar(&["a", "z"]), bar(&["b", "z"])]), ["a", "b", "z"]);
    }
}
