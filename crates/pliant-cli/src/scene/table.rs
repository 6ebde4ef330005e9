//! A table of a scene whose keys have been checked against the known ones.

use super::{Entry, Located, Node, Origin, Value};
use crate::failure::Failure;
use crate::names::{listed, nearest_name};

/// A table in which every key is known.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    path: String,
    origin: &'a Origin,
    entries: &'a [Entry],
}

impl<'a> Table<'a> {
    /// Checks that the node is a table and that all its keys are known. `path` is what messages call it (empty for the
    /// whole scene).
    ///
    /// # Errors
    /// A value that is not a table, or an unknown key; the message names the nearest known one.
    pub fn new(node: &'a Node, path: &str, known: &[&str]) -> Result<Self, Failure> {
        let entries = entries_of(node, path)?;
        for entry in entries {
            if !known.contains(&entry.key.as_str()) {
                let place = if path.is_empty() { String::new() } else { format!(" in {path}") };
                let nearest = nearest_name(&entry.key, known.iter().copied()).unwrap_or("none");
                return Err(entry.origin.wrong(format_args!(
                    "unknown key \"{}\"{place}; the nearest known key is \"{nearest}\"",
                    entry.key
                )));
            }
        }
        Ok(Self { path: path.to_owned(), origin: &node.origin, entries })
    }

    /// Where the table begins.
    pub fn origin(&self) -> &'a Origin {
        self.origin
    }

    /// What messages call the value of this key.
    pub fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// The value of the key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The value of the key.
    ///
    /// # Errors
    /// If the key is missing.
    pub fn require(&self, key: &str) -> Result<&'a Node, Failure> {
        self.get(key).ok_or_else(|| {
            let owner = if self.path.is_empty() { "the scene" } else { &self.path };
            self.origin.wrong(format_args!("{owner} needs the key \"{key}\"; add it"))
        })
    }

    /// Reads the value of the key with one of [`Node`]'s readers, if it is there.
    ///
    /// # Errors
    /// What the reader says.
    pub fn optional<T>(
        &self,
        key: &str,
        read: impl Fn(&'a Node, &str) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        self.get(key).map(|node| read(node, &self.name(key))).transpose()
    }

    /// Reads the value of the key with one of [`Node`]'s readers.
    ///
    /// # Errors
    /// A missing key, or what the reader says.
    pub fn required<T>(
        &self,
        key: &str,
        read: impl Fn(&'a Node, &str) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        read(self.require(key)?, &self.name(key))
    }

    /// Reads a name that must be one of `choices`.
    ///
    /// # Errors
    /// Another name; the message names the nearest choice and lists all.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<Located<T>>, Failure> {
        self.optional(key, |node, name| choose(node, name, choices))
    }
}

/// The entries of a table of free keys, such as the materials by region.
///
/// # Errors
/// A value that is not a table.
pub fn entries_of<'a>(node: &'a Node, path: &str) -> Result<&'a [Entry], Failure> {
    match &node.value {
        Value::Table(entries) => Ok(entries),
        _ => Err(node.mismatch(path, "a table")),
    }
}

/// Reads an array of tables; a missing key is an empty one.
///
/// # Errors
/// A value that is not a list, or what the reader says of an item; items are called `key[index]`.
pub fn list<T>(
    table: &Table<'_>,
    key: &str,
    read: impl Fn(&Node, &str) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let Some(node) = table.get(key) else { return Ok(Vec::new()) };
    let name = table.name(key);
    let items = node.items(&name)?.iter().enumerate();
    items.map(|(index, item)| read(item, &format!("{name}[{index}]"))).collect()
}

/// The choice that the node's text names.
///
/// # Errors
/// Another name; the message names the nearest choice and lists all.
pub fn choose<T: Copy>(node: &Node, name: &str, choices: &[(&str, T)]) -> Result<Located<T>, Failure> {
    let text = node.string(name)?;
    if let Some(&(_, value)) = choices.iter().find(|(choice, _)| *choice == text.value) {
        return Ok(Located { value, origin: text.origin });
    }
    let names: Vec<&str> = choices.iter().map(|&(choice, _)| choice).collect();
    let nearest = nearest_name(&text.value, names.iter().copied()).unwrap_or("none");
    Err(text.origin.wrong(format_args!(
        "{name} cannot be \"{}\"; the nearest choice is \"{nearest}\" (the choices are {})",
        text.value,
        listed(&names)
    )))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse_document;
    use super::*;

    #[test]
    fn an_unknown_key_names_its_line_and_the_nearest_known_key() {
        let node = parse_document("mesh = \"a\"\ngravty = 1\n", Path::new("a.toml")).unwrap();
        assert_eq!(
            Table::new(&node, "", &["mesh", "gravity"]).unwrap_err().to_string(),
            "a.toml, line 2: unknown key \"gravty\"; the nearest known key is \"gravity\""
        );
    }

    #[test]
    fn a_misspelt_choice_names_the_nearest() {
        let node = parse_document("energy = \"corotatd\"", Path::new("a.toml")).unwrap();
        let table = Table::new(&node, "", &["energy"]).unwrap();
        let message = table.choice("energy", &[("linear", 0), ("corotated", 1)]).unwrap_err().to_string();
        assert!(message.contains("the nearest choice is \"corotated\""), "{message}");
    }

    #[test]
    fn a_missing_key_is_named_together_with_its_table() {
        let node = parse_document("a = 1", Path::new("a.toml")).unwrap();
        let table = Table::new(&node, "pins[0]", &["a", "select"]).unwrap();
        assert_eq!(
            table.require("select").unwrap_err().to_string(),
            "a.toml, line 1: pins[0] needs the key \"select\"; add it"
        );
    }
}
