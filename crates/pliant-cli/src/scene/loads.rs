//! `[[point_loads]]`, `[[training]]` and `[[testing]]` of a scene: forces, and the loads from which frames are grown and with which subspaces are
//! tested.

use super::{Located, Node, Origin, Selection, Table, list};
use crate::failure::Failure;

/// One `[[point_loads]]`: a force on some vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct PointLoadSpec {
    /// Which vertices.
    pub select: Located<Selection>,
    /// In N, in total; each vertex carries the same part.
    pub force: Located<Vec<f64>>,
}

impl PointLoadSpec {
    /// Reads one item of `[[point_loads]]`.
    ///
    /// # Errors
    /// Unknown or missing keys, a bad selection, or a force that is not a list of finite numbers.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["select", "force"])?;
        Ok(Self {
            select: table.required("select", Selection::read)?,
            force: table.required("force", Node::numbers)?,
        })
    }
}

/// One `[[training]]` or `[[testing]]`: what is different from the scene's own load.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadSpec {
    /// What reports call it; by default its place, for example `testing[0]`.
    pub name: String,
    /// g in m/s^2 in place of the scene's.
    pub gravity: Option<Located<Vec<f64>>>,
    /// The handle that is turned, and by how many degrees in the x-y plane about the centroid of the pins.
    pub turn: Option<(Located<String>, f64)>,
    /// Forces besides those of the scene.
    pub point_loads: Vec<PointLoadSpec>,
    /// Where it was written.
    pub origin: Origin,
}

impl LoadSpec {
    /// Reads one item of `[[training]]` or `[[testing]]`.
    ///
    /// # Errors
    /// Unknown keys, values out of range, or a handle without an angle.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["name", "gravity", "handle", "angle_degrees", "point_loads"])?;
        let handle = table.optional("handle", Node::string)?;
        let angle = table.optional("angle_degrees", Node::number)?;
        let turn = match (handle, angle) {
            (Some(handle), Some(angle)) => Some((handle, angle)),
            (None, None) => None,
            (Some(_), None) => {
                return Err(table
                    .origin()
                    .wrong(format_args!("{path} names a handle but no angle; add angle_degrees")));
            }
            (None, Some(_)) => {
                return Err(table
                    .origin()
                    .wrong(format_args!("{path} has an angle but no handle; add handle = \"...\"")));
            }
        };
        let name = table.optional("name", Node::string)?;
        Ok(Self {
            name: name.map_or_else(|| path.to_owned(), |name| name.value),
            gravity: table.optional("gravity", Node::numbers)?,
            turn,
            point_loads: list(&table, "point_loads", PointLoadSpec::read)?,
            origin: table.origin().clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse_document;
    use super::*;

    fn read(text: &str) -> Result<LoadSpec, Failure> {
        LoadSpec::read(&parse_document(text, Path::new("a.toml"))?, "training[1]")
    }

    #[test]
    fn a_load_without_a_name_is_called_by_its_place() {
        let load = read("handle = \"tip\"\nangle_degrees = 30").unwrap();
        assert_eq!(load.name, "training[1]");
        assert_eq!(load.turn.map(|(handle, angle)| (handle.value, angle)), Some(("tip".to_owned(), 30.0)));
    }

    #[test]
    fn a_handle_needs_an_angle_and_an_angle_a_handle() {
        let message = read("handle = \"tip\"").unwrap_err().to_string();
        assert!(message.ends_with("training[1] names a handle but no angle; add angle_degrees"), "{message}");
        assert!(read("angle_degrees = 3").unwrap_err().to_string().contains("no handle"));
    }

    #[test]
    fn a_point_load_needs_a_force() {
        let message = read("[[point_loads]]\nselect = { vertices = [0] }").unwrap_err().to_string();
        assert!(message.contains("needs the key \"force\""), "{message}");
    }
}
