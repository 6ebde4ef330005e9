//! Names in reports that come from a fixed list, read back.

use pliant::statics::{LinearSolver, Termination};
use serde::de::{Deserialize, Deserializer, Error};

use crate::space_method::SpaceMethod;

/// The name of a method, a termination or a linear solver. (An alias, because records that are read could not borrow a plain `&'static str`.)
pub type KnownName = &'static str;

/// Reads the name of a method, a termination or a linear solver.
///
/// # Errors
/// Another text.
pub fn known_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KnownName, D::Error> {
    let text = String::deserialize(deserializer)?;
    let methods = SpaceMethod::all().into_iter().map(SpaceMethod::name);
    let solvers = LinearSolver::ALL.map(LinearSolver::name);
    let mut names = methods.chain(Termination::ALL.map(Termination::name)).chain(solvers);
    names
        .find(|name| *name == text)
        .ok_or_else(|| D::Error::custom(format_args!("\"{text}\" is no method, termination or solver")))
}
