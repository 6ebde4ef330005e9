//! Names in the order in which they are first met.

use std::collections::BTreeMap;

/// Different names, each with its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl NameIndex {
    /// The place of a name, which is added if it is not there.
    pub fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// The names by their places.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}
