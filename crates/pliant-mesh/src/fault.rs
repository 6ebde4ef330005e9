//! What is wrong at a place of a file, before the file is known.

use std::path::Path;

use crate::scalar_type::Encoding;
use crate::{FilePlace, MeshError};

/// What is wrong at a place of a file; the path is added where it is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pub place: FilePlace,
    /// What stands there, what should, and what to do.
    pub problem: String,
}

impl Fault {
    /// A fault in a line, from 1.
    pub fn line(line: usize, problem: impl Into<String>) -> Self {
        Self { place: FilePlace::Line(line), problem: problem.into() }
    }

    /// A fault at a byte, from 0.
    pub fn byte(byte: usize, problem: impl Into<String>) -> Self {
        Self { place: FilePlace::Byte(byte), problem: problem.into() }
    }

    /// A fault in the line of the text that holds a byte, from 0.
    pub fn in_text(text: &str, at: usize, problem: impl Into<String>) -> Self {
        Self::line(line_at(text.as_bytes(), at), problem)
    }

    /// The error of the file.
    pub fn in_file(self, path: &Path) -> MeshError {
        MeshError::MalformedFile {
            path: path.to_owned(),
            place: self.place,
            problem: one_line(&self.problem),
        }
    }

    /// The error of a file with these bytes: a byte of a text becomes its line.
    pub fn in_bytes(mut self, path: &Path, bytes: &[u8], encoding: Encoding) -> MeshError {
        if let (FilePlace::Byte(at), Encoding::Ascii) = (self.place, encoding) {
            let at = at.min(bytes.len());
            // Numbers are looked for from the end of the previous one: the fault is past the white space.
            let blank = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let end = if at + blank == bytes.len() { at } else { at + blank };
            self.place = FilePlace::Line(line_at(bytes, end));
        }
        self.in_file(path)
    }
}

/// The line that holds a byte, from 1.
fn line_at(bytes: &[u8], at: usize) -> usize {
    1 + bytes.iter().take(at).filter(|&&byte| byte == b'\n').count()
}

/// The sentence with what would end its line, such as a piece of the file, escaped.
pub(crate) fn one_line(sentence: &str) -> String {
    let escaped =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.into() };
    sentence.chars().map(escaped).collect()
}

/// A piece of a file in quotes, cut short and with anything unprintable escaped; or `nothing`.
pub(crate) fn shown(piece: impl AsRef<[u8]>) -> String {
    const LONGEST: usize = 40;
    match std::str::from_utf8(piece.as_ref()) {
        Ok("") => "nothing".to_owned(),
        Ok(text) => {
            let more = if text.chars().count() > LONGEST { "..." } else { "" };
            format!("\"{}{more}\"", text.chars().take(LONGEST).collect::<String>().escape_debug())
        }
        Err(_) => {
            let bytes = piece.as_ref();
            let more = if bytes.len() > LONGEST { "..." } else { "" };
            format!("\"{}{more}\"", bytes[..bytes.len().min(LONGEST)].escape_ascii())
        }
    }
}
