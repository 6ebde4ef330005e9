//! The options of `anchored` and `cardinal-eigenmodes` in a scene.

use pliant::basis::{AnchoredOptions, BetweenAnchors, CardinalOptions, ModeOrder, StiffParts};

use super::{Node, Table, Value};
use crate::failure::Failure;

/// The keys of `cardinal-eigenmodes`.
pub const CARDINAL_KEYS: [&str; 5] =
    ["threshold", "entries_per_vertex", "most_entries_per_vertex", "oversampling", "decay"];
/// The keys of `anchored`.
pub const ANCHORED_KEYS: [&str; 9] = [
    "cardinal",
    "order",
    "stiff_parts",
    "between",
    CARDINAL_KEYS[0],
    CARDINAL_KEYS[1],
    CARDINAL_KEYS[2],
    CARDINAL_KEYS[3],
    CARDINAL_KEYS[4],
];

/// Reads the options of `anchored`. `cardinal = true` or any option of cardinal weights makes the weights cardinal.
///
/// # Errors
/// A value out of range, options of cardinal weights next to `cardinal = false`.
pub fn read_anchored(table: &Table<'_>) -> Result<AnchoredOptions, Failure> {
    let orders = [("worth", ModeOrder::Worth), ("eigenvalue", ModeOrder::Eigenvalue)];
    let motions = [("bend", StiffParts::Bend), ("affine", StiffParts::Affine)];
    let weights = [("swinging", BetweenAnchors::Swinging), ("harmonic", BetweenAnchors::Harmonic)];
    let wanted = table.optional("cardinal", boolean)?;
    let option = CARDINAL_KEYS.into_iter().find(|key| table.get(key).is_some());
    let cardinal = match (wanted, option) {
        (Some(false), Some(key)) => {
            let origin = table.get(key).map_or(table.origin(), |node| &node.origin);
            return Err(origin.wrong(format_args!(
                "{} is an option of cardinal weights, which cardinal = false turns off; leave one of them out",
                table.name(key)
            )));
        }
        (Some(true), _) | (None, Some(_)) => Some(read_cardinal(table, CardinalOptions::anchored())?),
        (_, None) => None,
    };
    let default = AnchoredOptions::default();
    Ok(AnchoredOptions {
        order: table.choice("order", &orders)?.map_or(default.order, |order| order.value),
        stiff_parts: table
            .choice("stiff_parts", &motions)?
            .map_or(default.stiff_parts, |motion| motion.value),
        between: table.choice("between", &weights)?.map_or(default.between, |between| between.value),
        cardinal,
        ..default
    })
}

/// Reads the options of cardinal weights.
///
/// # Errors
/// A value out of range.
pub fn read_cardinal(table: &Table<'_>, default: CardinalOptions) -> Result<CardinalOptions, Failure> {
    let from = |least: f64, expected: &'static str| {
        move |node: &Node, name: &str| match node.number(name)? {
            number if number >= least => Ok(number),
            _ => Err(node.mismatch(name, expected)),
        }
    };
    let not_negative = || from(0.0, "a number from 0");
    Ok(CardinalOptions {
        threshold: table.optional("threshold", Node::fraction)?.unwrap_or(default.threshold),
        entries_per_vertex: table
            .optional("entries_per_vertex", not_negative())?
            .unwrap_or(default.entries_per_vertex),
        most_entries_per_vertex: table
            .optional("most_entries_per_vertex", not_negative())?
            .unwrap_or(default.most_entries_per_vertex),
        oversampling: table
            .optional("oversampling", from(1.0, "a number from 1"))?
            .unwrap_or(default.oversampling),
        decay: table.optional("decay", not_negative())?.unwrap_or(default.decay),
    })
}

fn boolean(node: &Node, name: &str) -> Result<bool, Failure> {
    match node.value {
        Value::Boolean(value) => Ok(value),
        _ => Err(node.mismatch(name, "true or false")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{SubspaceSpec, parse_document};
    use super::*;

    fn read(text: &str) -> Result<SubspaceSpec, Failure> {
        SubspaceSpec::read(&parse_document(text, Path::new("a.toml"))?, "subspaces[0]")
    }

    #[test]
    fn cardinal_weights_are_asked_for_by_name_or_by_one_of_their_options() {
        let cardinal =
            |text: &str| read(&format!("method = \"anchored\"\n{text}")).unwrap().options.anchored.cardinal;
        assert_eq!(cardinal(""), None);
        assert_eq!(cardinal("cardinal = false"), None);
        assert_eq!(cardinal("cardinal = true"), Some(CardinalOptions::anchored()));
        let expected = CardinalOptions { threshold: 0.02, ..CardinalOptions::anchored() };
        assert_eq!(cardinal("threshold = 0.02"), Some(expected));
        let spec = read("method = \"cardinal-eigenmodes\"\noversampling = 2").unwrap();
        let expected = CardinalOptions { oversampling: 2.0, ..CardinalOptions::default() };
        assert_eq!(spec.options.cardinal, expected);
    }

    #[test]
    fn the_order_the_stiff_parts_and_the_weights_between_anchors_are_named() {
        let text =
            "method = \"anchored\"\norder = \"eigenvalue\"\nstiff_parts = \"affine\"\nbetween = \"harmonic\"";
        let anchored = read(text).unwrap().options.anchored;
        assert_eq!(anchored.order, ModeOrder::Eigenvalue);
        assert_eq!(anchored.stiff_parts, StiffParts::Affine);
        assert_eq!(anchored.between, BetweenAnchors::Harmonic);
    }

    #[test]
    fn options_that_contradict_each_other_or_are_out_of_range_are_sentences() {
        let message = |text: &str| read(&format!("method = \"anchored\"\n{text}")).unwrap_err().to_string();
        assert_eq!(
            message("cardinal = false\ndecay = 1"),
            "a.toml, line 3: subspaces[0].decay is an option of cardinal weights, which cardinal = false turns off; leave one \
             of them out"
        );
        assert!(message("cardinal = 1").ends_with("must be true or false, not 1"));
        assert!(message("threshold = 1").contains("a number from 0 to below 1"));
        assert!(message("oversampling = 0.5").contains("a number from 1"));
        assert!(message("decay = -1").contains("a number from 0"));
    }
}
