//! How the weights of a subspace come about: by a method of the library, or grown from loads.

use std::fmt;

use pliant::basis::Method;
use pliant::mesh::{did_you_mean, quoted_list};

use crate::failure::Failure;

/// What stands behind the `method` of a subspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceMethod {
    /// From mesh, material and anchors alone.
    Weights(Method),
    /// `adaptive`: grown from the training loads.
    Adaptive,
}

impl SpaceMethod {
    /// Every method, in the order of listings.
    pub fn all() -> Vec<Self> {
        Method::ALL.into_iter().map(Self::Weights).chain([Self::Adaptive]).collect()
    }

    /// As the command line, scenes and reports spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weights(method) => method.name(),
            Self::Adaptive => "adaptive",
        }
    }

    /// The method of a name.
    ///
    /// # Errors
    /// A name that is not a method; the message offers the nearest and lists all.
    pub fn parse(name: &str) -> Result<Self, Failure> {
        let all = Self::all();
        all.iter().copied().find(|method| method.name() == name).ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|method| method.name().to_owned()).collect();
            Failure::input(format_args!(
                "there is no method \"{name}\"{}; the methods are {}",
                did_you_mean(name, &names),
                quoted_list(&names)
            ))
        })
    }
}

impl fmt::Display for SpaceMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back_to_its_method_and_others_are_refused() {
        for method in SpaceMethod::all() {
            assert_eq!(SpaceMethod::parse(method.name()).unwrap(), method);
        }
        let message = SpaceMethod::parse("adaptve").unwrap_err().to_string();
        assert!(message.contains("did you mean \"adaptive\""), "{message}");
    }
}
