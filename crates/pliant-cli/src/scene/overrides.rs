//! `--set key.path=value`: replaces or adds one value of a scene before the scene is checked.
//!
//! The key's parts are separated by dots, items of a list are named by their index from 0 (`subspaces.0.frames=12`), a part
//! with a dot in it is quoted (`materials."a.b".density=2`); the value is TOML.

use std::sync::Arc;

use super::{Entry, Node, Origin, Value, parse_value};
use crate::failure::Failure;

/// Applies one `--set` to the scene's document. Tables that are missing on the way are added.
///
/// # Errors
/// A setting without `=`, an empty key, a value that is not TOML, or a path through something that is not a table or list.
pub fn apply_override(document: &mut Node, setting: &str) -> Result<(), Failure> {
    let origin = Origin::Option(Arc::from(format!("--set {setting}")));
    let (path, value) = setting
        .split_once('=')
        .ok_or_else(|| origin.wrong("write it as key.path=value, for example newton.max_iterations=50"))?;
    let parts = split_path(path).ok_or_else(|| origin.wrong("the key before = is empty or badly quoted"))?;
    let value = parse_value(value.trim(), &origin)?;
    let mut node = document;
    let mut walked = String::new();
    for part in &parts {
        node = step(node, part, &walked, &origin)?;
        walked = if walked.is_empty() { part.clone() } else { format!("{walked}.{part}") };
    }
    *node = value;
    Ok(())
}

/// The child of `node` that `part` names, added to a table if it is missing.
fn step<'a>(node: &'a mut Node, part: &str, walked: &str, origin: &Origin) -> Result<&'a mut Node, Failure> {
    match &mut node.value {
        Value::Table(entries) => {
            let place = entries.iter().position(|entry| entry.key == part).unwrap_or_else(|| {
                let node = Node { value: Value::Table(Vec::new()), origin: origin.clone() };
                entries.push(Entry { key: part.to_owned(), origin: origin.clone(), node });
                entries.len() - 1
            });
            Ok(&mut entries[place].node)
        }
        Value::Array(items) => {
            let length = items.len();
            part.parse::<usize>().ok().and_then(|index| items.get_mut(index)).ok_or_else(|| {
                origin.wrong(format_args!(
                    "{walked} is a list of {length}, so \"{part}\" must be a whole number from 0 to {}",
                    length.saturating_sub(1)
                ))
            })
        }
        _ => Err(origin.wrong(format_args!("{walked} is a single value, so it has no \"{part}\""))),
    }
}

/// Splits at dots outside double quotes; none if a part is empty or a quote does not close.
fn split_path(path: &str) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for character in path.trim().chars() {
        match character {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            _ => parts.last_mut()?.push(character),
        }
    }
    let parts: Vec<String> = parts.iter().map(|part| part.trim().to_owned()).collect();
    (!quoted && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Table, parse_document};
    use super::*;

    fn after(document: &str, setting: &str) -> Result<Node, Failure> {
        let mut node = parse_document(document, Path::new("a.toml"))?;
        apply_override(&mut node, setting)?;
        Ok(node)
    }

    #[test]
    fn an_item_of_an_array_of_tables_is_named_by_its_index() {
        let node =
            after("[[subspaces]]\nframes = 3\n[[subspaces]]\nframes = 4\n", "subspaces.1.frames=12").unwrap();
        let subspaces = Table::new(&node, "", &["subspaces"]).unwrap().require("subspaces").unwrap();
        let second = Table::new(&subspaces.items("").unwrap()[1], "", &["frames"]).unwrap();
        assert_eq!(second.required("frames", Node::count), Ok(12));
    }

    #[test]
    fn a_table_that_is_missing_is_added() {
        let node = after("", "newton.max_iterations = 5").unwrap();
        let newton = Table::new(&node, "", &["newton"]).unwrap().require("newton").unwrap();
        let newton = Table::new(newton, "newton", &["max_iterations"]).unwrap();
        assert_eq!(newton.required("max_iterations", Node::count), Ok(5));
    }

    #[test]
    fn a_quoted_part_may_hold_a_dot() {
        assert_eq!(split_path("materials.\"a.b\".density").unwrap(), ["materials", "a.b", "density"]);
        assert_eq!(split_path("a..b"), None);
        assert_eq!(split_path("a.\"b"), None);
    }

    #[test]
    fn every_mistake_points_at_the_setting() {
        for (setting, says) in [
            ("energy", "write it as key.path=value"),
            ("energy=linear", "strings need quotes"),
            ("subspaces.4.frames=1", "from 0 to 0"),
            ("mesh.name=1", "mesh is a single value"),
            ("=3", "empty"),
        ] {
            let document = "mesh = \"a\"\n[[subspaces]]\nframes = 3\n";
            let message = after(document, setting).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("--set {setting}: ")) && message.contains(says),
                "{message}"
            );
        }
    }
}
