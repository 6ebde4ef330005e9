//! Headers of lines `key: value` (NRRD) or `key = value` (MetaImage).

use std::path::Path;

use crate::MeshError;
use crate::fault::{Fault, shown};
use crate::text_lines::HeaderLine;

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
    /// Takes the field of a line with key and value around the separator; any other line should be as in `form`.
    pub fn push_line(&mut self, line: &HeaderLine<'_>, separator: char, form: &str) -> Result<&Field, Fault> {
        let Some((key, value)) = line.text.split_once(separator) else {
            return Err(Fault::line(line.number, format!("a line of the header should be \"{form}\"")));
        };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().to_owned());
        self.fields.push(Field { key, value, line: line.number });
        Ok(&self.fields[self.fields.len() - 1])
    }

    /// The field of one of the keys.
    pub fn get(&self, keys: &[&str]) -> Option<&Field> {
        self.fields.iter().find(|field| keys.contains(&field.key.as_str()))
    }

    /// The field of one of the keys; none is a fault of the whole header.
    pub fn required(&self, keys: &[&str]) -> Result<&Field, Fault> {
        self.get(keys).ok_or_else(|| {
            Fault::line(1, format!("the header has no field {}; it needs one", shown(keys[0])))
        })
    }
}

impl Field {
    pub fn fault<T>(&self, wanted: &str) -> Result<T, Fault> {
        let problem = format!("{} should be {wanted}, but there is {}", self.key, shown(&self.value));
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
