//! Lines of an input file: `*KEYWORD, NAME=VALUE`, and numbers and names with commas between them.

use crate::fault::Fault;
use crate::formats::cursor::Cursor;

/// A keyword with its parameters.
pub(super) struct KeywordLine {
    /// In upper case, single blanks between words, without the star.
    pub keyword: String,
    /// Names in upper case; values as they are written, without quotes.
    parameters: Vec<(String, String)>,
}

impl KeywordLine {
    /// The value of a parameter; empty for one that has none.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The next keyword, and the byte where it begins; lines that belong to none are passed over.
pub(super) fn next_keyword(cursor: &mut Cursor) -> Result<Option<(usize, KeywordLine)>, Fault> {
    loop {
        cursor.skip_whitespace();
        let start = cursor.at();
        if cursor.remaining() == 0 {
            return Ok(None);
        }
        let line = cursor.text_line("a keyword")?;
        if !line.starts_with(b"*") || line.starts_with(b"**") {
            continue;
        }
        let mut text = String::from_utf8_lossy(line).into_owned();
        // A comma at the end of a keyword line continues it.
        while text.trim_end().ends_with(',') && cursor.remaining() > 0 {
            text += &String::from_utf8_lossy(cursor.text_line("a parameter")?);
        }
        let mut parts = text[1..].split(',');
        let words: Vec<String> =
            parts.next().unwrap_or("").split_whitespace().map(str::to_ascii_uppercase).collect();
        let parameter = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_owned())
        };
        let parameters = parts.filter(|part| !part.trim().is_empty()).map(parameter).collect();
        return Ok(Some((start, KeywordLine { keyword: words.join(" "), parameters })));
    }
}

/// The words of a line of data, and the byte where it begins.
type DataLine<'a> = (usize, Vec<&'a [u8]>);

/// The next line of data of the open keyword, or nothing where the next keyword or the end is.
pub(super) fn next_data<'a>(cursor: &mut Cursor<'a>) -> Result<Option<DataLine<'a>>, Fault> {
    loop {
        cursor.skip_whitespace();
        let start = cursor.at();
        match cursor.rest() {
            [] => return Ok(None),
            [b'*', b'*', ..] => cursor.skip_line(),
            [b'*', ..] => return Ok(None),
            _ => {
                let line = cursor.text_line("data")?;
                let mut words: Vec<&[u8]> =
                    line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
                // A comma at the end stands for nothing, or for data on the next line.
                if words.last().is_some_and(|word| word.is_empty()) {
                    words.pop();
                }
                return Ok(Some((start, words)));
            }
        }
    }
}
