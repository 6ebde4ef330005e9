//! A position in the bytes of a mesh file, and the numbers that stand there as text or as bytes.

use crate::fault::{Fault, shown};
use crate::scalar_type::Encoding;

/// Reads a file from front to back; every read either moves on or explains itself.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the line or number that was read last begins.
    last: usize,
    /// The part of the file that is being read, as messages call it, for example `$Nodes`.
    pub part: &'a str,
    /// Where this byte stands between words, the rest of the line is a comment.
    pub comment: Option<u8>,
    pub encoding: Encoding,
    /// Bytes of a binary count, 4 or 8.
    pub size_bytes: usize,
    /// Bytes of a binary tag (the number of a node or element), 4 or 8.
    pub tag_bytes: usize,
    /// Bytes of a binary real number, 4 or 8.
    pub real_bytes: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            last: 0,
            part: "the file",
            comment: None,
            encoding: Encoding::Ascii,
            size_bytes: 8,
            tag_bytes: 8,
            real_bytes: 8,
        }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Moves on by some bytes, at most to the end.
    pub fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.bytes.len());
    }

    pub fn fault<T>(&self, at: usize, problem: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::byte(at, problem))
    }

    /// The file ends where something should stand.
    pub fn truncated<T>(&self, what: &str) -> Result<T, Fault> {
        let problem = format!(
            "the file ends inside {} where {what} should be; it is truncated, so write it again",
            self.part
        );
        self.fault(self.bytes.len(), problem)
    }

    /// Moves to the next word, past comments.
    pub fn skip_whitespace(&mut self) {
        loop {
            while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            match self.bytes.get(self.at) {
                Some(&byte) if self.comment == Some(byte) => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Moves past the end of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| length + 1);
        self.at += length;
    }

    /// The next line that is not blank, without surrounding white space; moves past its end.
    pub fn text_line(&mut self, what: &str) -> Result<&'a [u8], Fault> {
        self.skip_whitespace();
        self.last = self.at;
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return self.truncated(what);
        }
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.bytes.len());
        Ok(rest[..length].trim_ascii())
    }

    /// The next word, up to white space.
    pub fn token(&mut self, what: &str) -> Result<&'a [u8], Fault> {
        self.skip_whitespace();
        let start = self.at;
        self.last = start;
        while self.bytes.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        if self.at == start { self.truncated(what) } else { Ok(&self.bytes[start..self.at]) }
    }

    /// A whole number that may be negative: a word, or 4 bytes.
    pub fn integer(&mut self, what: &str) -> Result<i64, Fault> {
        match self.encoding {
            Encoding::Ascii => self.parsed(what, "a whole number", parse_integer),
            Encoding::LittleEndian => Ok(i64::from(i32::from_le_bytes(self.take(what)?))),
            Encoding::BigEndian => Ok(i64::from(i32::from_be_bytes(self.take(what)?))),
        }
    }

    /// A count: a word, or as many bytes as the header says.
    pub fn size(&mut self, what: &str) -> Result<u64, Fault> {
        self.sized(what, self.size_bytes)
    }

    /// The number of a node or element: a word, or as many bytes as the header says.
    pub fn tag(&mut self, what: &str) -> Result<u64, Fault> {
        self.sized(what, self.tag_bytes)
    }

    fn signed(&mut self, what: &str, bytes: usize) -> Result<i64, Fault> {
        match (self.encoding, bytes) {
            (Encoding::LittleEndian, 8) => Ok(i64::from_le_bytes(self.take(what)?)),
            (Encoding::BigEndian, 8) => Ok(i64::from_be_bytes(self.take(what)?)),
            _ => self.integer(what),
        }
    }

    /// A number that is not negative: a word, or this many bytes (4 or 8).
    pub fn sized(&mut self, what: &str, bytes: usize) -> Result<u64, Fault> {
        let start = self.at;
        let value = self.signed(what, bytes)?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.fault(start, format!("{what} is {value}, but it cannot be negative")),
        }
    }

    /// A tag that may be negative.
    pub fn signed_tag(&mut self, what: &str) -> Result<i64, Fault> {
        self.signed(what, self.tag_bytes)
    }

    /// An index that the file counts from `first`, below `count` when counted from 0.
    pub fn index(&mut self, what: &str, first: i64, count: usize) -> Result<usize, Fault> {
        let start = self.at;
        let number = self.signed_tag(what)?;
        match usize::try_from(number.wrapping_sub(first)) {
            Ok(index) if index < count => Ok(index),
            _ => {
                let last = first + count as i64 - 1;
                self.fault(
                    start,
                    format!("{what} is {number}, but there are {count} of them, from {first} to {last}"),
                )
            }
        }
    }

    /// A finite number: a word, or 8 bytes (4 where the header says so).
    pub fn real(&mut self, what: &str) -> Result<f64, Fault> {
        let start = self.at;
        let value = self.any_real(what)?;
        if value.is_finite() {
            Ok(value)
        } else {
            self.fault(start, format!("{what} is {value}, but it must be a finite number"))
        }
    }

    /// A number, finite or not.
    pub fn any_real(&mut self, what: &str) -> Result<f64, Fault> {
        match (self.encoding, self.real_bytes) {
            (Encoding::Ascii, _) => self.parsed(what, "a number", parse_real),
            (Encoding::LittleEndian, 4) => Ok(f64::from(f32::from_le_bytes(self.take(what)?))),
            (Encoding::BigEndian, 4) => Ok(f64::from(f32::from_be_bytes(self.take(what)?))),
            (Encoding::LittleEndian, _) => Ok(f64::from_le_bytes(self.take(what)?)),
            (Encoding::BigEndian, _) => Ok(f64::from_be_bytes(self.take(what)?)),
        }
    }

    /// A count that stands as text even in binary files.
    pub fn text_count(&mut self, what: &str) -> Result<u64, Fault> {
        let line = self.text_line(what)?;
        match parse_integer(line).and_then(|value| u64::try_from(value).ok()) {
            Some(count) => Ok(count),
            None => self.fault(self.last, format!("{what} should be here, but there is {}", shown(line))),
        }
    }

    /// Refuses a count, read just before, that the rest of the file cannot hold, before anything is allocated for it.
    ///
    /// `words` and `binary_bytes` are the least that one entry takes as text and as bytes.
    pub fn checked_count(
        &self,
        count: u64,
        what: &str,
        words: usize,
        binary_bytes: usize,
    ) -> Result<usize, Fault> {
        let each = match self.encoding {
            Encoding::Ascii => 2 * words,
            Encoding::LittleEndian | Encoding::BigEndian => binary_bytes,
        };
        // The last word of a file needs no white space after it.
        let most = (self.remaining() + 1) / each.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => self.fault(
                self.last,
                format!(
                    "{} announces {count} {what}, but only {} bytes follow; the file is truncated or the count is wrong",
                    self.part,
                    self.remaining()
                ),
            ),
        }
    }

    /// The next N bytes.
    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(chunk) => {
                self.last = self.at;
                self.at += N;
                Ok(*chunk)
            }
            None => self.truncated(what),
        }
    }

    fn parsed<T>(&mut self, what: &str, kind: &str, parse: impl Fn(&[u8]) -> Option<T>) -> Result<T, Fault> {
        let token = self.token(what)?;
        match parse(token) {
            Some(value) => Ok(value),
            None => {
                let start = self.at - token.len();
                self.fault(start, format!("{what} should be {kind}, but there is {}", shown(token)))
            }
        }
    }
}

pub(crate) fn parse_integer(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // 18 digits always fit.
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value: i64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

pub(crate) fn parse_real(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    // Fortran writes 1.5D+03.
    text.parse().ok().or_else(|| text.replace(['d', 'D'], "e").parse().ok())
}
