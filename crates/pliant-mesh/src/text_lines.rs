//! The lines of a text file of numbers, and what is wrong with one.

use std::path::Path;

use crate::{FilePlace, MeshError};

/// What is wrong at a place of a file; the path is added where it is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pub place: FilePlace,
    pub problem: String,
}

impl Fault {
    /// A fault in a line, from 1.
    pub fn line(line: usize, problem: impl Into<String>) -> Self {
        Self { place: FilePlace::Line(line), problem: problem.into() }
    }

    /// A fault in the line of the text that holds a byte, from 0.
    pub fn in_text(text: &str, at: usize, problem: impl Into<String>) -> Self {
        let line = 1 + text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count();
        Self::line(line, problem)
    }

    /// A fault at a byte, from 0.
    pub fn byte(byte: usize, problem: impl Into<String>) -> Self {
        Self { place: FilePlace::Byte(byte), problem: problem.into() }
    }

    /// The error of the file.
    pub fn in_file(self, path: &Path) -> MeshError {
        MeshError::MalformedFile { path: path.to_owned(), place: self.place, problem: self.problem }
    }
}

/// A line with its number from 1, without comment and surrounding white space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLine<'a> {
    pub number: usize,
    pub text: &'a str,
}

/// The lines that are not blank once everything from a `#` on is taken away.
pub(crate) fn text_lines(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    text.lines()
        .enumerate()
        .map(|(index, line)| TextLine {
            number: index + 1,
            text: line.split('#').next().unwrap_or("").trim(),
        })
        .filter(|line| !line.text.is_empty())
}

impl<'a> TextLine<'a> {
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        self.text.split_ascii_whitespace()
    }

    pub fn fault<T>(self, problem: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::line(self.number, problem))
    }

    /// A finite number.
    pub fn number(self, word: Option<&str>, what: &str) -> Result<f64, Fault> {
        match word.map(str::parse::<f64>) {
            Some(Ok(value)) if value.is_finite() => Ok(value),
            _ => self.fault(format!("{what} should be a finite number, but there is {}", shown(word))),
        }
    }

    /// A whole number from 0.
    pub fn count(self, word: Option<&str>, what: &str) -> Result<usize, Fault> {
        match word.map(str::parse::<usize>) {
            Some(Ok(value)) => Ok(value),
            _ => self.fault(format!("{what} should be a whole number from 0, but there is {}", shown(word))),
        }
    }

    /// Three coordinates.
    pub fn position<'w>(self, mut words: impl Iterator<Item = &'w str>) -> Result<[f64; 3], Fault> {
        let mut position = [0.0; 3];
        for (axis, value) in ["x", "y", "z"].into_iter().zip(&mut position) {
            *value = self.number(words.next(), axis)?;
        }
        Ok(position)
    }
}

/// A word of the file in quotes, cut short.
pub(crate) fn shown(word: Option<&str>) -> String {
    match word {
        None => "nothing".to_owned(),
        Some(word) => {
            let short: String = word.chars().take(40).collect();
            format!("\"{}\"", short.escape_debug())
        }
    }
}

/// A polygon as a fan of triangles around its first vertex.
pub(crate) fn fan(polygon: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    let first = polygon.first().copied().unwrap_or(0);
    polygon.windows(2).skip(1).map(move |pair| [first, pair[0], pair[1]])
}
