//! The lines of a text file of numbers, and those of a header before other data.

use std::borrow::Cow;

use crate::fault::{Fault, shown};

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
            _ => self.fault(format!(
                "{what} should be a finite number, but there is {}",
                shown(word.unwrap_or(""))
            )),
        }
    }

    /// A whole number from 0.
    pub fn count(self, word: Option<&str>, what: &str) -> Result<usize, Fault> {
        match word.map(str::parse::<usize>) {
            Some(Ok(value)) => Ok(value),
            _ => self.fault(format!(
                "{what} should be a whole number from 0, but there is {}",
                shown(word.unwrap_or(""))
            )),
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

/// A line of bytes, as text.
#[derive(Clone, Debug)]
pub(crate) struct HeaderLine<'b> {
    pub text: Cow<'b, str>,
    /// From 1.
    pub number: usize,
    /// Bytes of the file up to the end of this line.
    pub end: usize,
}

/// The lines of the text that binary data may follow.
pub(crate) fn header_lines(bytes: &[u8]) -> impl Iterator<Item = HeaderLine<'_>> {
    let mut end = 0;
    bytes.split_inclusive(|&byte| byte == b'\n').zip(1..).map(move |(line, number)| {
        end += line.len();
        HeaderLine { text: String::from_utf8_lossy(line), number, end }
    })
}
