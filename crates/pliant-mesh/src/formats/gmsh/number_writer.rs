//! Numbers as text or as little-endian bytes, the mirror of the reading cursor.

use std::io::Write;

/// Collects the bytes of a file.
pub(super) struct NumberWriter {
    bytes: Vec<u8>,
    binary: bool,
    /// Bytes of a binary count or tag: 4 in version 2.2, 8 in 4.1.
    size_bytes: usize,
}

impl NumberWriter {
    pub fn new(binary: bool, size_bytes: usize) -> Self {
        Self { bytes: Vec::new(), binary, size_bytes }
    }

    pub fn is_binary(&self) -> bool {
        self.binary
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Text that is the same in both encodings, and the end of its line.
    pub fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    /// A signed number: a word, or 4 bytes. The format has no room for more.
    pub fn integer(&mut self, value: i64) {
        if self.binary {
            self.bytes.extend_from_slice(&(value as i32).to_le_bytes());
        } else {
            self.text(format_args!("{value} "));
        }
    }

    /// A count or a tag.
    pub fn size(&mut self, value: usize) {
        match (self.binary, self.size_bytes) {
            (true, 8) => self.bytes.extend_from_slice(&(value as u64).to_le_bytes()),
            _ => self.integer(value as i64),
        }
    }

    /// Real numbers in the shortest text that gives them back, or 8 bytes each.
    pub fn reals(&mut self, values: &[f64]) {
        for &value in values {
            if self.binary {
                self.bytes.extend_from_slice(&value.to_le_bytes());
            } else {
                self.text(format_args!("{value:?} "));
            }
        }
    }

    /// Ends a line of a text file; binary files have no rows.
    pub fn end_row(&mut self) {
        if !self.binary {
            if self.bytes.last() == Some(&b' ') {
                self.bytes.pop();
            }
            self.bytes.push(b'\n');
        }
    }

    /// The closing line of a section, on a line of its own.
    pub fn end_section(&mut self, text: &str) {
        if self.binary {
            self.bytes.push(b'\n');
        }
        self.line(text);
    }

    fn text(&mut self, text: std::fmt::Arguments) {
        self.bytes.write_fmt(text).expect("a Vec takes everything");
    }
}
