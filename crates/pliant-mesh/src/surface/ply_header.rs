//! The header of a PLY file: its encoding, and what each element holds.

use crate::text_lines::{Fault, shown};

/// How the numbers of a PLY file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlyEncoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A property of an element.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub name: String,
    /// The kind of the count, if the property is a list.
    pub count: Option<Scalar>,
    pub value: Scalar,
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
    pub encoding: PlyEncoding,
    pub elements: Vec<Element>,
    /// Bytes of the header.
    pub length: usize,
    /// Lines of the header.
    pub lines: usize,
}

/// Reads up to `end_header`.
pub(super) fn read_ply_header(bytes: &[u8]) -> Result<PlyHeader, Fault> {
    let mut header = PlyHeader { encoding: PlyEncoding::Text, elements: Vec::new(), length: 0, lines: 0 };
    loop {
        header.lines += 1;
        let number = header.lines;
        let rest = &bytes[header.length..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            return Err(Fault::line(number, "the file ends inside the header; end_header is missing"));
        };
        header.length += end + 1;
        let line = String::from_utf8_lossy(rest[..end].trim_ascii());
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["end_header"] => return Ok(header),
            ["ply"] | ["comment" | "obj_info", ..] | [] => {}
            ["format", encoding, _] => {
                header.encoding = match encoding {
                    "ascii" => PlyEncoding::Text,
                    "binary_little_endian" => PlyEncoding::LittleEndian,
                    "binary_big_endian" => PlyEncoding::BigEndian,
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
                let property = property(kind, name).ok_or_else(|| unknown(number, "property", &line))?;
                let Some(element) = header.elements.last_mut() else {
                    return Err(Fault::line(number, "a property should follow an element"));
                };
                element.properties.push(property);
            }
            _ => return Err(unknown(number, "header line", &line)),
        }
    }
}

fn property(kind: &[&str], name: &str) -> Option<Property> {
    let (count, value) = match kind {
        ["list", count, value] => (Some(Scalar::named(count)?), Scalar::named(value)?),
        [value] => (None, Scalar::named(value)?),
        _ => return None,
    };
    Some(Property { name: name.to_owned(), count, value })
}

fn unknown(line: usize, what: &str, word: &str) -> Fault {
    Fault::line(line, format!("the {what} {} is not known; write the file again", shown(Some(word))))
}
