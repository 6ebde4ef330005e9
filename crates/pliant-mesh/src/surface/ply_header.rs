//! The header of a PLY file: its encoding, and what each element holds.

use crate::fault::{Fault, shown};
use crate::scalar_type::{Encoding, ScalarType};
use crate::text_lines::{HeaderLine, header_lines};

/// A property of an element.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub name: String,
    /// The kind of the count, if the property is a list.
    pub count: Option<ScalarType>,
    pub value: ScalarType,
}

/// A kind of element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    /// The line that announces it, from 1.
    pub line: usize,
    pub properties: Vec<Property>,
}

/// The header, and where it ends.
#[derive(Clone, Debug)]
pub(super) struct PlyHeader {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Bytes of the header.
    pub length: usize,
    /// Lines of the header.
    pub lines: usize,
}

/// Reads up to `end_header`.
pub(super) fn read_ply_header(bytes: &[u8]) -> Result<PlyHeader, Fault> {
    let mut header = PlyHeader { encoding: Encoding::Ascii, elements: Vec::new(), length: 0, lines: 0 };
    for HeaderLine { text: line, number, end } in header_lines(bytes) {
        (header.lines, header.length) = (number, end);
        let line = line.trim();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["end_header"] => return Ok(header),
            ["ply"] | ["comment" | "obj_info", ..] | [] => {}
            ["format", encoding, _] => {
                header.encoding = match encoding {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => return Err(unknown(number, "format", encoding)),
                };
            }
            ["element", name, count] => {
                let Ok(count) = count.parse() else { return Err(unknown(number, "count", count)) };
                header.elements.push(Element {
                    name: name.to_owned(),
                    count,
                    line: number,
                    properties: Vec::new(),
                });
            }
            ["property", ref kind @ .., name] => {
                let property = property(kind, name).ok_or_else(|| unknown(number, "property", line))?;
                let Some(element) = header.elements.last_mut() else {
                    return Err(Fault::line(number, "a property should follow an element"));
                };
                element.properties.push(property);
            }
            _ => return Err(unknown(number, "header line", line)),
        }
    }
    Err(Fault::line(header.lines, "the file ends inside the header; end_header is missing"))
}

fn property(kind: &[&str], name: &str) -> Option<Property> {
    let (count, value) = match kind {
        ["list", count, value] => (Some(ScalarType::of_ply(count)?), ScalarType::of_ply(value)?),
        [value] => (None, ScalarType::of_ply(value)?),
        _ => return None,
    };
    Some(Property { name: name.to_owned(), count, value })
}

fn unknown(line: usize, what: &str, word: &str) -> Fault {
    Fault::line(line, format!("the {what} {} is not known; write the file again", shown(word)))
}
