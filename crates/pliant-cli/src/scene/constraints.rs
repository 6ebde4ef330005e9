//! `[[pins]]` and `[[handles]]` of a scene: where the body is held and where it is moved.

use super::{Located, Node, Selection, Table};
use crate::failure::Failure;

/// One `[[pins]]`: vertices held at their rest positions.
#[derive(Clone, Debug, PartialEq)]
pub struct PinSpec {
    /// Which vertices.
    pub select: Located<Selection>,
    /// K of `K/2 |x - X|^2` in N/m; none removes the degrees of freedom.
    pub stiffness: Option<f64>,
}

impl PinSpec {
    /// Reads one item of `[[pins]]`.
    ///
    /// # Errors
    /// Unknown or missing keys, a bad selection, or a stiffness that is not above zero.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["select", "stiffness"])?;
        Ok(Self {
            select: table.required("select", Selection::read)?,
            stiffness: table.optional("stiffness", Node::positive)?,
        })
    }
}

/// One `[[handles]]`: vertices that a swing moves; everywhere else they are free.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleSpec {
    /// What `[swing]` calls it.
    pub name: Located<String>,
    /// Which vertices.
    pub select: Located<Selection>,
    /// K of `K/2 |x - target|^2` in N/m; none prescribes the positions exactly.
    pub stiffness: Option<f64>,
}

impl HandleSpec {
    /// Reads one item of `[[handles]]`.
    ///
    /// # Errors
    /// Unknown or missing keys, a bad selection, or a stiffness that is not above zero.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["name", "select", "stiffness"])?;
        Ok(Self {
            name: table.required("name", Node::string)?,
            select: table.required("select", Selection::read)?,
            stiffness: table.optional("stiffness", Node::positive)?,
        })
    }
}
