//! Selections of vertices or cells, as a scene writes them; vectors are of any length until a mesh gives the dimension.

use super::{Located, Node, Table, Value, choose};
use crate::failure::Failure;
use crate::names::listed;

/// A selection that has not met its mesh yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Selection {
    /// Coordinates on one axis, bounds included.
    Range {
        /// 0, 1 or 2.
        axis: usize,
        /// Lowest coordinate in m.
        min: Option<f64>,
        /// Highest coordinate in m.
        max: Option<f64>,
    },
    /// An axis-parallel box, bounds included.
    Box {
        /// Lowest corner in m.
        min: Vec<f64>,
        /// Highest corner in m.
        max: Vec<f64>,
    },
    /// A ball, its surface included.
    Ball {
        /// Centre in m.
        center: Vec<f64>,
        /// Radius in m.
        radius: f64,
    },
    /// The vertices of a region's cells.
    Region(String),
    /// A vertex set of the mesh file.
    Set(String),
    /// Vertex indices from 0.
    Vertices(Vec<usize>),
    /// The vertex nearest to a point.
    Nearest(Vec<f64>),
    /// Everything that one of the selections holds.
    Union(Vec<Located<Selection>>),
}

/// Names that carry a kind of selection, in the order of the documentation.
const KINDS: [&str; 7] = ["axis", "box", "ball", "region", "set", "vertices", "nearest"];

impl Selection {
    /// Reads a selection table, or a list of them as their union.
    ///
    /// # Errors
    /// Something else, no or several kinds in one table, a range without bounds or with bounds the wrong way round.
    pub fn read(node: &Node, name: &str) -> Result<Located<Self>, Failure> {
        let value = match &node.value {
            Value::Array(items) if items.is_empty() => {
                return Err(node.mismatch(name, "a selection or a list of at least one"));
            }
            Value::Array(items) => Self::Union(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| Self::read(item, &format!("{name}[{index}]")))
                    .collect::<Result<_, _>>()?,
            ),
            Value::Table(_) => Self::read_one(node, name)?,
            _ => return Err(node.mismatch(name, "a selection such as { axis = \"x\", max = 0.0 }")),
        };
        Ok(Located { value, origin: node.origin.clone() })
    }

    fn read_one(node: &Node, name: &str) -> Result<Self, Failure> {
        let known: Vec<&str> = KINDS.into_iter().chain(["min", "max"]).collect();
        let table = Table::new(node, name, &known)?;
        let kinds: Vec<&str> = KINDS.into_iter().filter(|kind| table.get(kind).is_some()).collect();
        let [kind] = kinds[..] else {
            return Err(node.origin.wrong(format_args!(
                "{name} must say exactly one of {} (it says {}); a list of selections is their union",
                listed(&KINDS),
                listed(&kinds)
            )));
        };
        if kind != "axis"
            && let Some(bound) = ["min", "max"].into_iter().find(|bound| table.get(bound).is_some())
        {
            return Err(node.origin.wrong(format_args!(
                "{name} has the key \"{bound}\", which goes with \"axis\" alone, not with \"{kind}\"; move it"
            )));
        }
        match kind {
            "axis" => read_range(&table, name),
            "box" => {
                let inner = Table::new(table.require("box")?, &table.name("box"), &["min", "max"])?;
                let corner = |key| inner.required(key, Node::numbers).map(|corner| corner.value);
                Ok(Self::Box { min: corner("min")?, max: corner("max")? })
            }
            "ball" => {
                let inner = Table::new(table.require("ball")?, &table.name("ball"), &["center", "radius"])?;
                let center = inner.required("center", Node::numbers)?.value;
                Ok(Self::Ball { center, radius: inner.required("radius", Node::positive)? })
            }
            "region" => Ok(Self::Region(read_name(&table, "region")?)),
            "set" => Ok(Self::Set(table.required("set", Node::string)?.value)),
            "vertices" => table.required("vertices", Node::indices).map(Self::Vertices),
            _ => Ok(Self::Nearest(table.required("nearest", Node::numbers)?.value)),
        }
    }
}

fn read_range(table: &Table<'_>, name: &str) -> Result<Selection, Failure> {
    let axes = [("x", 0), ("y", 1), ("z", 2)];
    let axis = choose(table.require("axis")?, &table.name("axis"), &axes)?.value;
    let min = table.optional("min", Node::number)?;
    let max = table.optional("max", Node::number)?;
    if min.is_none() && max.is_none() {
        return Err(table.origin().wrong(format_args!("{name} needs \"min\", \"max\" or both; add one")));
    }
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        return Err(table
            .origin()
            .wrong(format_args!("{name} has min = {min} above max = {max}; exchange them")));
    }
    Ok(Selection::Range { axis, min, max })
}

/// A region by its name, or by its number where it has no name.
fn read_name(table: &Table<'_>, key: &str) -> Result<String, Failure> {
    let node = table.require(key)?;
    match node.value {
        Value::Integer(number) => Ok(number.to_string()),
        _ => Ok(node.string(&table.name(key))?.value),
    }
}

/// One `[[regions]]`: the cells whose centroid is selected become a region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRule {
    /// The region's name.
    pub name: Located<String>,
    /// Which cells, by their centroids.
    pub select: Located<Selection>,
}

impl RegionRule {
    /// Reads one item of `[[regions]]`.
    ///
    /// # Errors
    /// Unknown or missing keys, or a bad selection.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["name", "select"])?;
        Ok(Self {
            name: table.required("name", Node::string)?,
            select: table.required("select", Selection::read)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse_document;
    use super::*;

    fn selection(text: &str) -> Result<Selection, Failure> {
        let node = parse_document(&format!("select = {text}"), Path::new("a.toml"))?;
        let table = Table::new(&node, "", &["select"])?;
        Ok(table.required("select", Selection::read)?.value)
    }

    #[test]
    fn every_kind_of_selection_is_read() {
        assert_eq!(
            selection("{ axis = \"y\", max = 2 }"),
            Ok(Selection::Range { axis: 1, min: None, max: Some(2.0) })
        );
        assert_eq!(
            selection("{ box = { min = [0, 1], max = [2, 3] } }"),
            Ok(Selection::Box { min: vec![0.0, 1.0], max: vec![2.0, 3.0] })
        );
        assert_eq!(
            selection("{ ball = { center = [0, 1], radius = 2 } }"),
            Ok(Selection::Ball { center: vec![0.0, 1.0], radius: 2.0 })
        );
        assert_eq!(selection("{ region = 3 }"), Ok(Selection::Region("3".to_owned())));
        assert_eq!(selection("{ set = \"tip\" }"), Ok(Selection::Set("tip".to_owned())));
        assert_eq!(selection("{ vertices = [4, 2] }"), Ok(Selection::Vertices(vec![4, 2])));
        assert_eq!(selection("{ nearest = [4.5, 0] }"), Ok(Selection::Nearest(vec![4.5, 0.0])));
    }

    #[test]
    fn a_list_of_selections_is_their_union() {
        let Ok(Selection::Union(parts)) = selection("[{ vertices = [1] }, { set = \"tip\" }]") else {
            panic!("a list is a union");
        };
        assert_eq!(parts.len(), 2);
    }

    #[test]
    fn a_selection_that_says_nothing_or_too_much_is_refused() {
        for (text, says) in [
            ("{ axis = \"x\" }", "needs \"min\", \"max\" or both"),
            ("{ axis = \"w\", min = 0 }", "the choices are x, y and z"),
            ("{ axis = \"x\", min = 1, max = 0 }", "exchange"),
            ("{ set = \"a\", region = \"b\" }", "exactly one"),
            ("{ set = \"a\", min = 1 }", "goes with \"axis\" alone"),
            ("{ nearst = [0, 0] }", "the nearest known key is \"nearest\""),
            (
                "{ ball = { center = [0, 0], radius = -1 } }",
                "select.ball.radius must be a number above 0, not -1",
            ),
            ("[]", "at least one"),
            ("3", "must be a selection"),
        ] {
            let message = selection(text).unwrap_err().to_string();
            assert!(message.starts_with("a.toml, line 1: ") && message.contains(says), "{message}");
        }
    }
}
