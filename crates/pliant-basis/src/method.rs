//! The methods of building weights, by the names that the command line and the reports use.
//!
//! This is the one place where a method is registered: its variant, its place in [`Method::ALL`] and its row in `entry`. What
//! it does is one file in `methods`.

use crate::basis_builder::{BasisBuilder, BuiltWeights, MethodOptions};
use crate::{BasisError, methods};
use std::fmt;
use std::str::FromStr;

/// A way to build weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Method {
    /// `sparse-meshless`: nodes spread in compliance distance, Voronoi weights.
    SparseMeshless,
    /// `uniform-eigenmodes`: the lowest modes of the Laplacian, blind to the material.
    UniformEigenmodes,
    /// `material-eigenmodes`: the lowest modes of the Laplacian weighted by the shear modulus.
    MaterialEigenmodes,
    /// `hrpd`: nodes spread in geodesic distance, radial weights.
    Hrpd,
    /// `anchored`: one frame for each stiff part, pin and handle, then fixed-interface modes.
    Anchored,
    /// `cardinal-eigenmodes`: sparse weights in place of the material eigenmodes, each with a node.
    CardinalEigenmodes,
}

/// The name of a method, and the function that builds its weights.
type Entry<const D: usize> =
    (&'static str, fn(&BasisBuilder<'_, D>, usize, &MethodOptions) -> Result<BuiltWeights, BasisError>);

impl Method {
    /// Every method, in the order of listings.
    pub const ALL: [Self; 6] = [
        Self::SparseMeshless,
        Self::UniformEigenmodes,
        Self::MaterialEigenmodes,
        Self::Hrpd,
        Self::Anchored,
        Self::CardinalEigenmodes,
    ];

    /// The name, for example `sparse-meshless`.
    pub fn name(self) -> &'static str {
        self.entry::<2>().0
    }

    pub(crate) fn build<const D: usize>(
        self,
        builder: &BasisBuilder<'_, D>,
        frame_count: usize,
        options: &MethodOptions,
    ) -> Result<BuiltWeights, BasisError> {
        self.entry::<D>().1(builder, frame_count, options)
    }

    fn entry<const D: usize>(self) -> Entry<D> {
        match self {
            Self::SparseMeshless => ("sparse-meshless", methods::sparse_meshless),
            Self::UniformEigenmodes => ("uniform-eigenmodes", methods::uniform_eigenmodes),
            Self::MaterialEigenmodes => ("material-eigenmodes", methods::material_eigenmodes),
            Self::Hrpd => ("hrpd", methods::hrpd),
            Self::Anchored => ("anchored", methods::anchored),
            Self::CardinalEigenmodes => ("cardinal-eigenmodes", methods::cardinal_eigenmodes),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = BasisError;

    /// # Errors
    /// A name that is not a method; the message offers the nearest and lists all.
    fn from_str(name: &str) -> Result<Self, BasisError> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| BasisError::UnknownMethod {
            name: name.to_owned(),
            methods: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back_to_its_method() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
        }
        assert_eq!(format!("[{:>6}]", Method::Hrpd), "[  hrpd]");
    }

    #[test]
    fn a_misspelt_method_names_the_nearest_and_all() {
        assert_eq!(
            "material-eigenmode".parse::<Method>().unwrap_err().to_string(),
            "there is no method \"material-eigenmode\" (did you mean \"material-eigenmodes\"?); the methods are \
             \"sparse-meshless\", \"uniform-eigenmodes\", \"material-eigenmodes\", \"hrpd\", \"anchored\" and \"cardinal-eigenmodes\""
        );
    }
}
