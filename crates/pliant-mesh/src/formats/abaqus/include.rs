//! `*INCLUDE, INPUT=FILE`: the lines of another file stand in its place.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::keyword_line::next_keyword;
use crate::fault::Fault;
use crate::formats::cursor::Cursor;
use crate::scalar_type::Encoding;
use crate::{FilePlace, MeshError};

/// Included files of one model, those in other included files too; more are a mistake, such as a file that includes itself.
const MOST_FILES: usize = 1_000;
/// Files inside files, as Abaqus has them.
const DEEPEST: usize = 5;

/// A model with the lines of its included files in their places.
pub(super) struct WholeDeck<'a> {
    pub text: Cow<'a, [u8]>,
    /// In the order of the text; the first begins at byte 0.
    pieces: Vec<Piece>,
}

/// Consecutive lines of one file.
struct Piece {
    /// Byte of the text where it begins.
    at: usize,
    path: PathBuf,
    /// The line of the file where it begins, from 1.
    line: usize,
}

impl<'a> WholeDeck<'a> {
    /// Takes a file and the files that it includes, whose names are relative to it.
    ///
    /// # Errors
    /// A file that cannot be read, a keyword that names none, or far too many of them.
    pub fn new(path: &Path, bytes: &'a [u8]) -> Result<Self, MeshError> {
        let whole = Piece { at: 0, path: path.to_owned(), line: 1 };
        if next_include(bytes, 0).is_none() {
            return Ok(Self { text: Cow::Borrowed(bytes), pieces: vec![whole] });
        }
        let (mut text, mut pieces) = (Vec::new(), Vec::new());
        append(path, bytes, 0, &mut text, &mut pieces)?;
        Ok(Self { text: Cow::Owned(text), pieces })
    }

    /// The error of the file that a byte of the text is from.
    pub fn located(&self, fault: Fault) -> MeshError {
        let FilePlace::Byte(at) = fault.place else { return fault.in_file(&self.pieces[0].path) };
        let next = self.pieces.partition_point(|piece| piece.at <= at);
        let piece = &self.pieces[next.saturating_sub(1)];
        let end = self.pieces.get(next).map_or(self.text.len(), |piece| piece.at);
        match Fault::byte(at - piece.at, fault.problem).in_bytes(
            &piece.path,
            &self.text[piece.at..end],
            Encoding::Ascii,
        ) {
            MeshError::MalformedFile { path, place: FilePlace::Line(line), problem } => {
                MeshError::MalformedFile { path, place: FilePlace::Line(line + piece.line - 1), problem }
            }
            other => other,
        }
    }
}

fn append(
    path: &Path,
    bytes: &[u8],
    depth: usize,
    text: &mut Vec<u8>,
    pieces: &mut Vec<Piece>,
) -> Result<(), MeshError> {
    let mut done = 0;
    let mut line = 1;
    loop {
        pieces.push(Piece { at: text.len(), path: path.to_owned(), line });
        let Some(start) = next_include(bytes, done) else { break };
        let refused = |problem: &str| Fault::byte(start, problem).in_bytes(path, bytes, Encoding::Ascii);
        let mut cursor = Cursor::new(&bytes[start..]);
        let keyword = next_keyword(&mut cursor).map_err(|fault| refused(&fault.problem))?;
        let input = keyword.as_ref().and_then(|(_, keyword)| keyword.parameter("INPUT")).unwrap_or("");
        if input.is_empty() {
            return Err(refused("*INCLUDE names no file; give it INPUT=FILE"));
        }
        if depth == DEEPEST || pieces.len() > 2 * MOST_FILES {
            return Err(refused(
                "files include each other too often; does one include itself? include each of them once",
            ));
        }
        text.extend_from_slice(&bytes[done..start]);
        let other = path.with_file_name("").join(input);
        let included =
            std::fs::read(&other).map_err(|source| MeshError::ReadFile { path: other.clone(), source })?;
        append(&other, &included, depth + 1, text, pieces)?;
        if text.last() != Some(&b'\n') {
            text.push(b'\n');
        }
        let end = start + cursor.at();
        line += bytes[done..end].iter().filter(|&&byte| byte == b'\n').count();
        done = end;
    }
    text.extend_from_slice(&bytes[done..]);
    Ok(())
}

/// The byte where the next line with `*INCLUDE` begins.
fn next_include(bytes: &[u8], from: usize) -> Option<usize> {
    let mut start = from;
    while start < bytes.len() {
        let length =
            bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len() - start, |end| end + 1);
        let text = bytes[start..start + length].trim_ascii_start();
        if let Some(keyword) = text.strip_prefix(b"*")
            && keyword.trim_ascii_start().get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"INCLUDE"))
        {
            return Some(start);
        }
        start += length;
    }
    None
}
