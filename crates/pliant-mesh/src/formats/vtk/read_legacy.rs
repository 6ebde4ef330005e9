//! Legacy VTK files: unstructured grids as text or big-endian binary, up to version 5.1.
//!
//! Up to version 4.2 a cell is its number of points and its points; from 5.1 on there are `OFFSETS` (with a leading 0) and
//! `CONNECTIVITY`. Words and counts are text in binary files too.
//!
//! Source: the VTK file formats manual, "Simple Legacy Formats".

use super::grid::{Grid, name_group};
use crate::fault::{Fault, shown};
use crate::formats::cursor::Cursor;
use crate::formats::file_mesh::FileMesh;
use crate::scalar_type::Encoding;
use crate::scalar_type::ScalarType;
use crate::{ArrayLocation, MeshArray};

/// More components than any attribute has: a wrong count rather than a large tensor.
const MOST_COMPONENTS: usize = 1_000;

/// What has been read of a file.
#[derive(Default)]
struct Reading {
    grid: Grid,
    file: FileMesh,
    /// What the attributes that follow belong to, and the number of entries.
    attributes: Option<(ArrayLocation, usize)>,
}

/// Reads a file.
pub(super) fn read_file(cursor: &mut Cursor) -> Result<FileMesh, Fault> {
    cursor.part = "the VTK data";
    let version = text(cursor.text_line("the version")?);
    let version = version.rsplit(' ').next().unwrap_or("").to_owned();
    // The title may be blank.
    cursor.skip_line();
    let start = cursor.at();
    let kind = cursor.text_line("ASCII or BINARY")?;
    let (encoding, name) = match kind.to_ascii_uppercase().as_slice() {
        b"ASCII" => (Encoding::Ascii, "ASCII"),
        b"BINARY" => (Encoding::BigEndian, "binary"),
        _ => {
            return cursor
                .fault(start, format!("ASCII or BINARY should be here, but there is {}", shown(kind)));
        }
    };
    cursor.encoding = encoding;
    let mut reading = Reading::default();
    reading.file.format = format!("VTK legacy {version} {name}");
    loop {
        cursor.skip_whitespace();
        if cursor.remaining() == 0 {
            break;
        }
        read_section(cursor, &mut reading)?;
    }
    let Reading { grid, mut file, .. } = reading;
    let end = cursor.at();
    grid.append_to(&mut file).or_else(|problem| cursor.fault(end, problem))?;
    Ok(file)
}

fn read_section(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let start = cursor.at();
    let line = cursor.text_line("a section")?;
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let keyword = words[0].to_ascii_uppercase();
    match (keyword.as_slice(), &words[1..]) {
        (b"DATASET", [kind]) if kind.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") => {}
        (b"DATASET", _) => {
            let problem = format!("{} holds no cells of a solid; save an unstructured grid", shown(line));
            return cursor.fault(start, problem);
        }
        (b"METADATA", _) => skip_paragraph(cursor),
        (b"POINTS", [count, kind]) => {
            let (count, kind) = (parse_count(cursor, start, count)?, scalar_type(cursor, start, kind)?);
            reading.grid.points = numbers(cursor, start, kind, count, 3)?;
        }
        (b"CELLS", [count, size]) => {
            let counts = (parse_count(cursor, start, count)?, parse_count(cursor, start, size)?);
            read_cells(cursor, start, counts, &mut reading.grid)?;
        }
        (b"CELL_TYPES", [count]) => {
            let count = parse_count(cursor, start, count)?;
            reading.grid.types = numbers(cursor, start, ScalarType::Signed(4), count, 1)?;
        }
        (b"CELL_DATA" | b"POINT_DATA", [count]) => {
            let on = if keyword == b"CELL_DATA" { ArrayLocation::Cell } else { ArrayLocation::Vertex };
            reading.attributes = Some((on, parse_count(cursor, start, count)?));
        }
        (b"FIELD", [_, count]) => {
            for _ in 0..parse_count(cursor, start, count)? {
                read_field(cursor, reading)?;
            }
        }
        (b"LOOKUP_TABLE", [_, size]) => {
            let size = parse_count(cursor, start, size)?;
            let kind = if cursor.encoding == Encoding::Ascii {
                ScalarType::Float(4)
            } else {
                ScalarType::Unsigned(1)
            };
            numbers(cursor, start, kind, size, 4)?;
        }
        (_, [name, options @ ..]) => read_attribute(cursor, start, &keyword, name, options, reading)?,
        _ => return unknown(cursor, start, line),
    }
    Ok(())
}

fn unknown<T>(cursor: &Cursor, start: usize, line: &[u8]) -> Result<T, Fault> {
    cursor.fault(
        start,
        format!(
            "a section such as POINTS or CELL_DATA should be here, but there is {}; correct the counts",
            shown(line)
        ),
    )
}

/// `SCALARS`, `VECTORS`, `NORMALS`, `TENSORS`, `TENSORS6`, `TEXTURE_COORDINATES`, `COLOR_SCALARS`, `GLOBAL_IDS`, `PEDIGREE_IDS`.
fn read_attribute(
    cursor: &mut Cursor,
    start: usize,
    keyword: &[u8],
    name: &[u8],
    options: &[&[u8]],
    reading: &mut Reading,
) -> Result<(), Fault> {
    let (kind, components) = match (keyword, options) {
        (b"SCALARS", [kind]) => (*kind, 1),
        (b"SCALARS", [kind, components]) => (*kind, parse_count(cursor, start, components)?),
        (b"VECTORS" | b"NORMALS", [kind]) => (*kind, 3),
        (b"TENSORS", [kind]) => (*kind, 9),
        (b"TENSORS6", [kind]) => (*kind, 6),
        (b"GLOBAL_IDS" | b"PEDIGREE_IDS", [kind]) => (*kind, 1),
        (b"TEXTURE_COORDINATES", [components, kind]) => (*kind, parse_count(cursor, start, components)?),
        (b"COLOR_SCALARS", [components]) => {
            let kind: &[u8] = if cursor.encoding == Encoding::Ascii { b"float" } else { b"unsigned_char" };
            (kind, parse_count(cursor, start, components)?)
        }
        _ => return unknown(cursor, start, keyword),
    };
    let Some((on, entries)) = reading.attributes else {
        return cursor
            .fault(start, "an attribute stands before CELL_DATA and POINT_DATA; put it after one of them");
    };
    let kind = scalar_type(cursor, start, kind)?;
    if keyword == b"SCALARS" && comes_next(cursor, b"LOOKUP_TABLE") {
        cursor.text_line("a lookup table")?;
    }
    let values = numbers(cursor, start, kind, entries, components)?;
    reading.grid.arrays.push(MeshArray { name: decoded(name), on, components, values });
    Ok(())
}

/// One array of a field: `name components entries type`, then numbers or strings.
fn read_field(cursor: &mut Cursor, reading: &mut Reading) -> Result<(), Fault> {
    let mut start = cursor.at();
    let mut line = cursor.text_line("an array of a field")?;
    if line.eq_ignore_ascii_case(b"METADATA") {
        skip_paragraph(cursor);
        start = cursor.at();
        line = cursor.text_line("an array of a field")?;
    }
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let [name, components, entries, kind] = words[..] else { return unknown(cursor, start, line) };
    let (components, entries) =
        (parse_count(cursor, start, components)?, parse_count(cursor, start, entries)?);
    let name = decoded(name);
    if kind.eq_ignore_ascii_case(b"string") {
        for _ in 0..entries.saturating_mul(components) {
            if cursor.encoding == Encoding::Ascii {
                cursor.text_line("a string")?;
            } else {
                skip_string(cursor)?;
            }
        }
        reading.file.drop_some(format!("array \"{name}\" of strings"), 1);
        return Ok(());
    }
    let kind = scalar_type(cursor, start, kind)?;
    let values = numbers(cursor, start, kind, entries, components)?;
    match reading.attributes {
        Some((on, _)) => reading.grid.arrays.push(MeshArray { name, on, components, values }),
        None => name_group(&mut reading.file, &name, &values),
    }
    Ok(())
}

/// A string of a binary file: the two highest bits of the first byte say in how many bytes its length stands.
fn skip_string(cursor: &mut Cursor) -> Result<(), Fault> {
    let Some(&first) = cursor.rest().first() else { return cursor.truncated("a string") };
    let bytes = [8, 4, 2, 1][usize::from(first >> 6)];
    let Some(length) = cursor.rest().get(..bytes) else { return cursor.truncated("a string") };
    let length = length.iter().fold(0u64, |value, &byte| (value << 8) | u64::from(byte));
    let length = length & (u64::MAX >> (66 - 8 * bytes));
    if length > (cursor.remaining() - bytes) as u64 {
        return cursor.truncated("a string");
    }
    cursor.skip(bytes + length as usize);
    Ok(())
}

/// The cells in either layout; the counts are of cells and of numbers, or of offsets and of points.
fn read_cells(
    cursor: &mut Cursor,
    start: usize,
    (count, size): (usize, usize),
    grid: &mut Grid,
) -> Result<(), Fault> {
    if comes_next(cursor, b"OFFSETS") {
        let (offsets, connectivity) = ((count, &b"OFFSETS"[..]), (size, &b"CONNECTIVITY"[..]));
        let [ends, points] = [offsets, connectivity].map(|(count, keyword)| {
            cursor.skip_whitespace();
            let start = cursor.at();
            let line = cursor.text_line("an array of cells")?;
            match line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>()[..]
            {
                [word, kind] if word.eq_ignore_ascii_case(keyword) => {
                    let kind = scalar_type(cursor, start, kind)?;
                    numbers(cursor, start, kind, count, 1)
                }
                _ => unknown(cursor, start, line),
            }
        });
        let mut ends = ends?;
        // The first offset is the beginning of the first cell.
        ends.drain(..ends.len().min(1));
        (grid.ends, grid.connectivity) = (ends, points?);
        return Ok(());
    }
    let numbers = numbers(cursor, start, ScalarType::Signed(4), size, 1)?;
    let mut at = 0;
    for cell in 0..count {
        let length = numbers.get(at).copied().unwrap_or(-1.0);
        let points =
            if length >= 0.0 { numbers.get(at + 1..(at + 1).saturating_add(length as usize)) } else { None };
        let Some(points) = points else {
            return cursor.fault(
                start,
                format!(
                    "CELLS announces {count} cells and {size} numbers, but cell {cell} does not fit in them"
                ),
            );
        };
        grid.connectivity.extend_from_slice(points);
        grid.ends.push(grid.connectivity.len() as f64);
        at += 1 + points.len();
    }
    Ok(())
}

/// The numbers of an array, which begins at the next line.
fn numbers(
    cursor: &mut Cursor,
    start: usize,
    kind: ScalarType,
    entries: usize,
    components: usize,
) -> Result<Vec<f64>, Fault> {
    let count = if components <= MOST_COMPONENTS { entries.checked_mul(components) } else { None };
    let bytes = if cursor.encoding == Encoding::Ascii { 2 } else { kind.size() };
    let Some(count) = count.filter(|&count| count <= (cursor.remaining() + 1) / bytes) else {
        return cursor.fault(
            start,
            format!(
                "{entries} entries of {components} numbers are announced, but only {} bytes follow; the file is truncated or the count is wrong",
                cursor.remaining()
            ),
        );
    };
    if cursor.encoding != Encoding::Ascii {
        let Some(bytes) = cursor.rest().get(..count * kind.size()) else {
            return cursor.truncated("a number");
        };
        let values = kind.numbers(bytes, cursor.encoding);
        cursor.skip(bytes.len());
        return Ok(values);
    }
    (0..count).map(|_| cursor.any_real("a number")).collect()
}

/// Whether this word stands next. Nothing is skipped: blanks may be the first bytes of a binary number.
fn comes_next(cursor: &Cursor, word: &[u8]) -> bool {
    let next = cursor.rest().trim_ascii_start().get(..word.len());
    next.is_some_and(|next| next.eq_ignore_ascii_case(word))
}

/// Moves past the next blank line.
fn skip_paragraph(cursor: &mut Cursor) {
    while cursor.remaining() > 0 {
        let line = cursor.rest();
        let length = line.iter().position(|&byte| byte == b'\n').unwrap_or(line.len());
        cursor.skip_line();
        if line[..length].trim_ascii().is_empty() {
            return;
        }
    }
}

fn parse_count(cursor: &Cursor, start: usize, word: &[u8]) -> Result<usize, Fault> {
    match std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()) {
        Some(count) => Ok(count),
        None => cursor.fault(start, format!("a count should be here, but there is {}", shown(word))),
    }
}

fn scalar_type(cursor: &Cursor, start: usize, word: &[u8]) -> Result<ScalarType, Fault> {
    match ScalarType::of_legacy(word) {
        Some(kind) => Ok(kind),
        None => {
            cursor.fault(start, format!("a type such as double should be here, but there is {}", shown(word)))
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A name, in which `%20` and the like stand for characters that would end it.
fn decoded(name: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) if byte == b'%' => {
                bytes.push(value);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    text(&bytes)
}
