//! A position in the bytes of a Gmsh file, and the numbers that stand there as text or as bytes.

/// What is wrong at a byte of the file; the path and the line are added where the file is known.
#[derive(Debug)]
pub(super) struct Fault {
    /// Byte offset from the start of the file.
    pub at: usize,
    /// What stands there, what should, and what to do.
    pub problem: String,
}

/// How the file stores numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// Reads a file from front to back; every read either moves on or explains itself.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the line or number that was read last begins.
    last: usize,
    /// The section that is being read, for messages.
    section: &'a str,
    pub encoding: Encoding,
    /// Bytes of a binary count or tag: 4 in version 2.2, the header's data size in 4.1.
    pub size_bytes: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, last: 0, section: "", encoding: Encoding::Ascii, size_bytes: 8 }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn fault<T>(&self, at: usize, problem: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { at, problem: problem.into() })
    }

    /// The file ends where something should stand.
    pub fn truncated<T>(&self, what: &str) -> Result<T, Fault> {
        let problem = format!(
            "the file ends inside ${} where {what} should be; it is truncated, so write it again",
            self.section
        );
        self.fault(self.bytes.len(), problem)
    }

    pub fn skip_whitespace(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
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

    /// The name of the next section, or nothing at the end of the file.
    pub fn open_section(&mut self) -> Result<Option<&'a str>, Fault> {
        self.skip_whitespace();
        if self.remaining() == 0 {
            return Ok(None);
        }
        let start = self.at;
        let line = self.text_line("a section")?;
        match line.strip_prefix(b"$").map(std::str::from_utf8) {
            Some(Ok(name)) if !name.is_empty() && !name.starts_with("End") => {
                self.section = name;
                Ok(Some(name))
            }
            _ => self.fault(
                start,
                format!("a section such as $Nodes should begin here, but there is {}", shown(line)),
            ),
        }
    }

    /// Moves past the `$End...` line of the open section.
    pub fn close_section(&mut self) -> Result<(), Fault> {
        self.skip_whitespace();
        let start = self.at;
        if self.remaining() == 0 {
            return self.truncated(&format!("$End{}", self.section));
        }
        let line = self.text_line("the end of the section")?;
        if line.strip_prefix(b"$End") == Some(self.section.as_bytes()) {
            return Ok(());
        }
        let problem = format!(
            "$End{} should be here, but there is {}; correct the counts of the section",
            self.section,
            shown(line)
        );
        self.fault(start, problem)
    }

    /// Moves past the open section without reading it.
    pub fn skip_section(&mut self) -> Result<(), Fault> {
        let end = format!("$End{}", self.section);
        let found = self.bytes[self.at..].windows(end.len()).position(|window| window == end.as_bytes());
        match found {
            Some(offset) => {
                self.at += offset;
                self.close_section()
            }
            None => self.truncated(&end),
        }
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

    /// A count or a tag: a word, or as many bytes as the header says.
    pub fn size(&mut self, what: &str) -> Result<u64, Fault> {
        let start = self.at;
        let value = match (self.encoding, self.size_bytes) {
            (Encoding::LittleEndian, 8) => i64::from_le_bytes(self.take(what)?),
            (Encoding::BigEndian, 8) => i64::from_be_bytes(self.take(what)?),
            _ => self.integer(what)?,
        };
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.fault(start, format!("{what} is {value}, but it cannot be negative")),
        }
    }

    /// A finite number: a word, or 8 bytes.
    pub fn real(&mut self, what: &str) -> Result<f64, Fault> {
        let start = self.at;
        let value = match self.encoding {
            Encoding::Ascii => self.parsed(what, "a number", parse_real)?,
            Encoding::LittleEndian => f64::from_le_bytes(self.take(what)?),
            Encoding::BigEndian => f64::from_be_bytes(self.take(what)?),
        };
        if value.is_finite() {
            Ok(value)
        } else {
            self.fault(start, format!("{what} is {value}, but it must be a finite number"))
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
                    "${} announces {count} {what}, but only {} bytes follow; the file is truncated or the count is wrong",
                    self.section,
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

/// A piece of the file in quotes, cut short and with anything unprintable escaped.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = bytes[..bytes.len().min(LONGEST)].escape_ascii();
    if bytes.len() > LONGEST { format!("\"{text}...\"") } else { format!("\"{text}\"") }
}

pub(super) fn parse_integer(token: &[u8]) -> Option<i64> {
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

fn parse_real(token: &[u8]) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}
