//! The tags of a `.vtu` file: where its arrays are and how they are stored.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::ArrayLocation;
use crate::fault::Fault;
use crate::scalar_type::Encoding;
use crate::scalar_type::ScalarType;

/// What the tags say.
pub(super) struct Tags<'a> {
    pub version: String,
    pub byte_order: Encoding,
    /// Bytes of the sizes before binary data.
    pub header: ScalarType,
    /// What compressed the binary data; only zlib is read.
    pub compressor: Option<String>,
    pub arrays: Vec<ArrayTag<'a>>,
    pub piece_count: usize,
    /// What stands behind the `_` of `AppendedData`, and whether it is base64.
    pub appended: Option<(&'a [u8], bool)>,
}

/// One `DataArray`.
pub(super) struct ArrayTag<'a> {
    /// Byte where the tag begins.
    pub at: usize,
    /// The piece that it is in, from 0.
    pub piece: usize,
    pub role: Role,
    pub name: String,
    /// Nothing for strings.
    pub kind: Option<ScalarType>,
    pub components: usize,
    pub data: Data<'a>,
}

/// What an array is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Field,
    Points,
    /// One of `connectivity`, `offsets`, `types` and others, by its name.
    Cells,
    Attribute(ArrayLocation),
}

/// Where the numbers of an array are.
pub(super) enum Data<'a> {
    Text(Cow<'a, [u8]>),
    Base64(Cow<'a, [u8]>),
    /// Byte in the appended data.
    Appended(usize),
}

/// Reads all tags up to the appended data, which need not be XML.
pub(super) fn read_tags(bytes: &[u8]) -> Result<Tags<'_>, Fault> {
    let mut reader = Reader::from_reader(bytes);
    let mut tags = Tags {
        version: "0.1".to_owned(),
        byte_order: Encoding::LittleEndian,
        header: ScalarType::Unsigned(4),
        compressor: None,
        arrays: Vec::new(),
        piece_count: 0,
        appended: None,
    };
    let mut role = Role::Field;
    let mut is_grid = false;
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(bytes.len());
        let fault = |problem: String| Fault::byte(at, problem);
        let event = reader.read_event();
        let event =
            event.map_err(|error| fault(format!("the XML is broken: {error}; write the file again")))?;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                b"VTKFile" => read_head(&tag, &mut tags).map_err(fault)?,
                b"UnstructuredGrid" => is_grid = true,
                b"FieldData" => role = Role::Field,
                b"Piece" => tags.piece_count += 1,
                b"Points" => role = Role::Points,
                b"Cells" => role = Role::Cells,
                b"PointData" => role = Role::Attribute(ArrayLocation::Vertex),
                b"CellData" => role = Role::Attribute(ArrayLocation::Cell),
                b"DataArray" | b"Array" => {
                    let mut array = read_array_tag(&tag, at, role).map_err(fault)?;
                    array.piece = tags.piece_count.saturating_sub(1);
                    if !is_empty && !matches!(array.data, Data::Appended(_)) {
                        read_text(&mut reader, &mut array).map_err(fault)?;
                    }
                    tags.arrays.push(array);
                }
                b"AppendedData" => {
                    let is_base64 = attribute(&tag, "encoding").map_err(fault)?.as_deref() == Some("base64");
                    let rest = &bytes[usize::try_from(reader.buffer_position()).unwrap_or(bytes.len())..];
                    let start =
                        rest.iter().position(|&byte| byte == b'_').map_or(rest.len(), |place| place + 1);
                    tags.appended = Some((&rest[start..], is_base64));
                    break;
                }
                _ => {}
            },
            _ => {}
        }
    }
    if !is_grid {
        let problem = "the file holds no UnstructuredGrid; save the mesh as one".to_owned();
        return Err(Fault::byte(0, problem));
    }
    Ok(tags)
}

fn attribute(tag: &BytesStart, name: &str) -> Result<Option<String>, String> {
    let broken =
        |error: &dyn std::fmt::Display| format!("an attribute is broken: {error}; write the file again");
    match tag.try_get_attribute(name).map_err(|error| broken(&error))? {
        Some(attribute) => Ok(Some(attribute.unescape_value().map_err(|error| broken(&error))?.into_owned())),
        None => Ok(None),
    }
}

/// An attribute that is a count.
fn count(tag: &BytesStart, name: &str) -> Result<Option<usize>, String> {
    match attribute(tag, name)? {
        Some(value) => match value.trim().parse() {
            Ok(count) => Ok(Some(count)),
            Err(_) => Err(format!("{name} is {value:?}, but it must be a whole number that is not negative")),
        },
        None => Ok(None),
    }
}

fn read_head(tag: &BytesStart, tags: &mut Tags) -> Result<(), String> {
    if let Some(kind) = attribute(tag, "type")?
        && kind != "UnstructuredGrid"
    {
        return Err(format!("the file holds a {kind}, not an UnstructuredGrid; save the mesh as one"));
    }
    tags.version = attribute(tag, "version")?.unwrap_or_default();
    tags.byte_order = match attribute(tag, "byte_order")?.as_deref() {
        Some("BigEndian") => Encoding::BigEndian,
        _ => Encoding::LittleEndian,
    };
    tags.header = match attribute(tag, "header_type")?.as_deref() {
        Some("UInt64") => ScalarType::Unsigned(8),
        _ => ScalarType::Unsigned(4),
    };
    tags.compressor = attribute(tag, "compressor")?.filter(|name| !name.is_empty());
    Ok(())
}

fn read_array_tag<'a>(tag: &BytesStart, at: usize, role: Role) -> Result<ArrayTag<'a>, String> {
    let name = attribute(tag, "Name")?.unwrap_or_default();
    let kind = attribute(tag, "type")?.unwrap_or_default();
    let kind = match ScalarType::of_xml(&kind) {
        None if kind != "String" => {
            return Err(format!(
                "the array \"{name}\" has the type {kind:?}; save it with a type such as Float64"
            ));
        }
        kind => kind,
    };
    let data = match attribute(tag, "format")?.as_deref() {
        Some("ascii") | None => Data::Text(Cow::Borrowed(b"")),
        Some("binary") => Data::Base64(Cow::Borrowed(b"")),
        Some("appended") => Data::Appended(count(tag, "offset")?.unwrap_or(0)),
        Some(other) => {
            return Err(format!("the array \"{name}\" has the format {other:?}; save it as ascii or binary"));
        }
    };
    let components = count(tag, "NumberOfComponents")?.unwrap_or(1);
    Ok(ArrayTag { at, piece: 0, role, name, kind, components, data })
}

/// The text up to the end of the array; other tags in it are passed over.
fn read_text<'a>(reader: &mut Reader<&'a [u8]>, array: &mut ArrayTag<'a>) -> Result<(), String> {
    let mut depth = 0;
    loop {
        let event = reader.read_event();
        match event.map_err(|error| format!("the XML is broken: {error}; write the file again"))? {
            Event::Text(text) if depth == 0 => {
                let (Data::Text(stored) | Data::Base64(stored)) = &mut array.data else { continue };
                if stored.trim_ascii().is_empty() {
                    *stored = text.into_inner();
                }
            }
            Event::Start(_) => depth += 1,
            Event::End(_) if depth == 0 => return Ok(()),
            Event::End(_) => depth -= 1,
            Event::Eof => {
                return Err("the file ends inside an array; it is truncated, so write it again".to_owned());
            }
            _ => {}
        }
    }
}
