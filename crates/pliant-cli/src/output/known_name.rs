//! Names in reports that come from a fixed list, read back.

use pliant::statics::Termination;
use serde::de::{Deserialize, Deserializer, Error};

use crate::space_method::SpaceMethod;

/// The name of a method or of a termination. (An alias, because records that are read could not borrow a plain `&'static str`.)
pub type KnownName = &'static str;

/// Reads the name of a method or of a termination.
///
/// # Errors
/// Another text.
pub fn known_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KnownName, D::Error> {
    let text = String::deserialize(deserializer)?;
    let methods = SpaceMethod::all().into_iter().map(SpaceMethod::name);
    let mut names = methods.chain(Termination::ALL.map(Termination::name));
    names
        .find(|name| *name == text)
        .ok_or_else(|| D::Error::custom(format_args!("\"{text}\" is no method and no termination")))
}
