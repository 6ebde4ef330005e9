//! Headers of lines `key: value` (NRRD) or `key = value` (MetaImage).

use std::path::Path;

use crate::MeshError;
use crate::text_lines::{Fault, shown};

/// One line of the header.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// In lower case.
    pub key: String,
    pub value: String,
    /// From 1.
    pub line: usize,
}

/// The lines of a header.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyedHeader {
    pub fields: Vec<Field>,
}

impl KeyedHeader {
    /// The field of one of the keys.
    pub fn get(&self, keys: &[&str]) -> Option<&Field> {
        self.fields.iter().find(|field| keys.contains(&field.key.as_str()))
    }

    /// The field of one of the keys; none is a fault of the whole header.
    pub fn required(&self, keys: &[&str]) -> Result<&Field, Fault> {
        self.get(keys).ok_or_else(|| {
            Fault::line(1, format!("the header has no field {}; it needs one", shown(Some(keys[0]))))
        })
    }
}

impl Field {
    pub fn fault<T>(&self, wanted: &str) -> Result<T, Fault> {
        let problem = format!("{} should be {wanted}, but there is {}", self.key, shown(Some(&self.value)));
        Err(Fault::line(self.line, problem))
    }

    /// The value as N numbers.
    pub fn numbers<const N: usize>(&self) -> Result<[f64; N], Fault> {
        let numbers: Option<Vec<f64>> = self
            .value
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '(' | ')'))
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok().filter(|value: &f64| value.is_finite()))
            .collect();
        match numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok()) {
            Some(numbers) => Ok(numbers),
            None => self.fault(&format!("{N} finite numbers")),
        }
    }

    /// The value as three numbers of voxels.
    pub fn counts(&self) -> Result<[usize; 3], Fault> {
        let counts: Option<Vec<usize>> = self
            .value
            .split_ascii_whitespace()
            .map(|word| word.parse().ok().filter(|&count| count > 0))
            .collect();
        match counts.and_then(|counts| <[usize; 3]>::try_from(counts).ok()) {
            Some(counts) => Ok(counts),
            None => self.fault("three whole numbers from 1"),
        }
    }

    /// The bytes of the file beside the header that the value names.
    pub fn file_beside(&self, header: &Path) -> Result<Result<Vec<u8>, MeshError>, Fault> {
        if self.value.contains('%') || self.value.to_ascii_lowercase().starts_with("list") {
            return self.fault("the name of one file");
        }
        let path = header.parent().unwrap_or(Path::new("")).join(&self.value);
        Ok(std::fs::read(&path).map_err(|source| MeshError::ReadFile { path, source }))
    }
}
