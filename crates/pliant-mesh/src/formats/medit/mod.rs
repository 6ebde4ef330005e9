//! MEDIT meshes: `.mesh` (text) and `.meshb` (binary, versions 1 to 4, either byte order), with references.
//!
//! Text: keywords, each with a count and entries `numbers reference`; `#` begins a comment. Binary: the number 1, the version,
//! then for each keyword its code, the byte where the next one begins, the count, and the entries. Real numbers have 4 bytes
//! in version 1; positions in the file have 8 from version 3 on, whole numbers from version 4 on.
//!
//! Source: the documentation of libMeshb.

mod write;

use std::collections::BTreeMap;

use super::Format;
use super::cell_type::{CellType, Shape};
use super::cursor::Cursor;
use super::file_mesh::FileMesh;
use super::parallel_lines::{Words, read_records};
use crate::VertexSet;
use crate::fault::{Fault, shown};
use crate::scalar_type::Encoding;
pub(super) use write::{mesh, meshb};

/// Before the reference of vertices in the name of their set: cells have references of their own.
const SET_PREFIX: &str = "vertices ";

pub(super) const MEDIT: Format = Format {
    name: "MEDIT .mesh and .meshb",
    extensions: &["mesh", "meshb"],
    is_in: |bytes| {
        byte_order(bytes).is_some() || bytes.trim_ascii_start().starts_with(b"MeshVersionFormatted")
    },
    read: |path, bytes| {
        let mut cursor = Cursor::new(bytes);
        cursor.comment = Some(b'#');
        read_file(&mut cursor).map_err(|fault| fault.in_bytes(path, bytes, cursor.encoding))
    },
};

/// What a keyword announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
    Version,
    Dimension,
    Vertices,
    Elements(CellType),
    End,
}

const fn elements(shape: Shape, nodes: usize) -> Keyword {
    Keyword::Elements(CellType { shape, nodes })
}

/// The keywords that are read, with their names in text and their codes in binary files.
const KEYWORDS: [(&str, i32, Keyword); 18] = [
    ("MeshVersionFormatted", 1, Keyword::Version),
    ("Dimension", 3, Keyword::Dimension),
    ("Vertices", 4, Keyword::Vertices),
    ("Edges", 5, Keyword::Elements(Shape::Line.linear())),
    ("Triangles", 6, Keyword::Elements(Shape::Triangle.linear())),
    ("Quadrilaterals", 7, Keyword::Elements(Shape::Quadrangle.linear())),
    ("Tetrahedra", 8, Keyword::Elements(Shape::Tetrahedron.linear())),
    ("Prisms", 9, Keyword::Elements(Shape::Prism.linear())),
    ("Hexahedra", 10, Keyword::Elements(Shape::Hexahedron.linear())),
    ("Pyramids", 49, Keyword::Elements(Shape::Pyramid.linear())),
    ("TrianglesP2", 24, elements(Shape::Triangle, 6)),
    ("EdgesP2", 25, elements(Shape::Line, 3)),
    ("QuadrilateralsQ2", 27, elements(Shape::Quadrangle, 9)),
    ("TetrahedraP2", 30, elements(Shape::Tetrahedron, 10)),
    ("HexahedraQ2", 33, elements(Shape::Hexahedron, 27)),
    ("PrismsP2", 86, elements(Shape::Prism, 18)),
    ("PyramidsP2", 87, elements(Shape::Pyramid, 14)),
    ("End", 54, Keyword::End),
];

/// The code of a keyword in binary files.
fn code(keyword: Keyword) -> i32 {
    KEYWORDS.iter().find(|entry| entry.2 == keyword).map_or(0, |entry| entry.1)
}

/// The byte order of a binary file, which begins with the number 1 and a version.
fn byte_order(bytes: &[u8]) -> Option<Encoding> {
    match bytes.first_chunk::<8>()? {
        [1, 0, 0, 0, 1..=4, 0, 0, 0] => Some(Encoding::LittleEndian),
        [0, 0, 0, 1, 0, 0, 0, 1..=4] => Some(Encoding::BigEndian),
        _ => None,
    }
}

fn read_file(cursor: &mut Cursor) -> Result<FileMesh, Fault> {
    let mut file = FileMesh::default();
    let mut position_bytes = 4;
    if let Some(encoding) = byte_order(cursor.rest()) {
        cursor.encoding = encoding;
        cursor.integer("the number 1")?;
        let version = cursor.integer("the version")?;
        file.format = format!("MEDIT {version} binary");
        cursor.real_bytes = if version == 1 { 4 } else { 8 };
        position_bytes = if version >= 3 { 8 } else { 4 };
        cursor.size_bytes = if version == 4 { 8 } else { 4 };
        cursor.tag_bytes = cursor.size_bytes;
    }
    let mut dimension = 3;
    loop {
        let (keyword, next) = if cursor.encoding == Encoding::Ascii {
            match next_word(cursor, &mut file)? {
                Some(keyword) => (keyword, None),
                None => return Ok(file),
            }
        } else {
            match next_code(cursor, position_bytes, &mut file)? {
                Some((keyword, next)) => (keyword, Some(next)),
                None => return Ok(file),
            }
        };
        match keyword {
            Keyword::Version => file.format = format!("MEDIT {} ASCII", cursor.integer("the version")?),
            Keyword::Dimension => {
                let start = cursor.at();
                dimension = match cursor.integer("the dimension")? {
                    2 => 2,
                    3 => 3,
                    other => {
                        return cursor.fault(start, format!("the dimension is {other}, but it is 2 or 3"));
                    }
                };
            }
            Keyword::Vertices => read_vertices(cursor, dimension, &mut file)?,
            Keyword::Elements(cell_type) => read_elements(cursor, cell_type, &mut file)?,
            Keyword::End => return Ok(file),
        }
        if let Some(next) = next {
            go_to(cursor, next)?;
        }
    }
}

/// The next keyword of a text file that is read; the others are reported and their numbers skipped.
fn next_word(cursor: &mut Cursor, file: &mut FileMesh) -> Result<Option<Keyword>, Fault> {
    loop {
        cursor.skip_whitespace();
        if cursor.remaining() == 0 {
            return Ok(None);
        }
        let start = cursor.at();
        let word = cursor.token("a keyword")?;
        if let Some(&(name, _, keyword)) =
            KEYWORDS.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name.as_bytes()))
        {
            cursor.part = name;
            return Ok(Some(keyword));
        }
        if !word[0].is_ascii_alphabetic() {
            let problem = format!(
                "a keyword such as Vertices should be here, but there is {}; correct the count of {}",
                shown(word),
                cursor.part
            );
            return cursor.fault(start, problem);
        }
        file.drop_some(format!("{} section", String::from_utf8_lossy(word)), 1);
        loop {
            cursor.skip_whitespace();
            match cursor.rest().first() {
                Some(byte) if !byte.is_ascii_alphabetic() => _ = cursor.token("a number")?,
                _ => break,
            }
        }
    }
}

/// The next keyword of a binary file that is read, and where the one after it begins (0 at the end).
fn next_code(
    cursor: &mut Cursor,
    position_bytes: usize,
    file: &mut FileMesh,
) -> Result<Option<(Keyword, u64)>, Fault> {
    loop {
        if cursor.remaining() == 0 {
            return Ok(None);
        }
        let code = cursor.integer("a keyword")?;
        if let Some(&(name, _, keyword)) = KEYWORDS.iter().find(|entry| i64::from(entry.1) == code) {
            cursor.part = name;
            let next = match keyword {
                // Some programs write nothing after it.
                Keyword::End => 0,
                _ => cursor.sized("where the next keyword begins", position_bytes)?,
            };
            return Ok(Some((keyword, next)));
        }
        let next = cursor.sized("where the next keyword begins", position_bytes)?;
        file.drop_some(format!("section with the code {code}"), 1);
        if next == 0 {
            return Ok(None);
        }
        go_to(cursor, next)?;
    }
}

/// Moves on to where a keyword begins; 0 means that there is none.
fn go_to(cursor: &mut Cursor, next: u64) -> Result<(), Fault> {
    let at = cursor.at() as u64;
    if next == 0 {
        cursor.skip(cursor.remaining());
        return Ok(());
    }
    match next.checked_sub(at).and_then(|step| usize::try_from(step).ok()) {
        Some(step) if step <= cursor.remaining() => {
            cursor.skip(step);
            Ok(())
        }
        _ => cursor.fault(
            cursor.at(),
            format!(
                "{} should end at byte {next}, but that is not so; the file is damaged, so write it again",
                cursor.part
            ),
        ),
    }
}

/// `count`, then `x y [z] reference`; vertices of a reference other than 0 make the set `vertices REFERENCE`.
fn read_vertices(cursor: &mut Cursor, dimension: usize, file: &mut FileMesh) -> Result<(), Fault> {
    let start = cursor.at();
    if !file.positions.is_empty() {
        return cursor.fault(start, "there are second Vertices; leave one");
    }
    let count = cursor.size("the number of vertices")?;
    let count = cursor.checked_count(
        count,
        "vertices",
        dimension + 1,
        dimension * cursor.real_bytes + cursor.tag_bytes,
    )?;
    let mut references = Vec::new();
    let parse = |words: &mut Words, reference: &mut i64, position: &mut [[f64; 3]]| {
        for coordinate in &mut position[0][..dimension] {
            *coordinate = words.real()?;
        }
        *reference = words.whole()? as i64;
        Some(())
    };
    let is_text = cursor.encoding == Encoding::Ascii;
    if !is_text
        || read_records(cursor, count, (&mut references, 0), (&mut file.positions, [0.0; 3], 1), parse)
            .is_none()
    {
        file.positions.reserve(count);
        for _ in 0..count {
            let mut position = [0.0; 3];
            for coordinate in &mut position[..dimension] {
                *coordinate = cursor.real("a coordinate")?;
            }
            file.positions.push(position);
            references.push(cursor.signed_tag("the reference of a vertex")?);
        }
    }
    let mut members = BTreeMap::<i64, Vec<usize>>::new();
    for (vertex, reference) in references.into_iter().enumerate().filter(|entry| entry.1 != 0) {
        members.entry(reference).or_default().push(vertex);
    }
    file.vertex_sets = members
        .into_iter()
        .map(|(reference, vertices)| VertexSet { name: format!("{SET_PREFIX}{reference}"), vertices })
        .collect();
    Ok(())
}

/// `count`, then `vertices reference`, the vertices counted from 1.
fn read_elements(cursor: &mut Cursor, cell_type: CellType, file: &mut FileMesh) -> Result<(), Fault> {
    let start = cursor.at();
    if file.positions.is_empty() {
        return cursor.fault(start, format!("{} come before Vertices; put Vertices first", cursor.part));
    }
    let count = cursor.size("the number of elements")?;
    let words = cell_type.nodes + 1;
    let count = cursor.checked_count(count, "elements", words, words * cursor.tag_bytes)?;
    let vertices = file.positions.len();
    let mut references = Vec::new();
    let parse = |words: &mut Words, reference: &mut i64, nodes: &mut [usize]| {
        for node in nodes {
            *node = (words.whole()? as usize).checked_sub(1).filter(|&node| node < vertices)?;
        }
        *reference = words.whole()? as i64;
        Some(())
    };
    let is_text = cursor.encoding == Encoding::Ascii;
    let nodes = (&mut file.nodes, 0, cell_type.nodes);
    if !is_text || read_records(cursor, count, (&mut references, 0), nodes, parse).is_none() {
        file.nodes.reserve(count * cell_type.nodes);
        for _ in 0..count {
            for _ in 0..cell_type.nodes {
                file.nodes.push(cursor.index("the vertex of an element", 1, vertices)?);
            }
            references.push(cursor.signed_tag("the reference of an element")?);
        }
    }
    for alike in references.chunk_by(|a, b| a == b) {
        file.push_elements(cell_type, if alike[0] == 0 { &[] } else { &alike[..1] }, alike.len());
    }
    Ok(())
}
