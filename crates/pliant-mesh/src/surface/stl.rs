//! STL: binary (80 bytes, a count, 50 bytes a facet) or text (`solid`, `facet`, `vertex x y z` three times).
//!
//! Binary files may begin with `solid` too, so the length decides.

use super::obj::Triangles;
use crate::fault::Fault;
use crate::text_lines::{TextLine, text_lines};

const HEADER: usize = 84;
const FACET: usize = 50;

/// Whether the length is that of a binary file with the count in its header.
pub(super) fn is_binary_stl(bytes: &[u8]) -> bool {
    announced(bytes).is_some_and(|count| count.checked_mul(FACET) == bytes.len().checked_sub(HEADER))
}

fn announced(bytes: &[u8]) -> Option<usize> {
    bytes.get(80..HEADER)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk) as usize)
}

pub(super) fn read_stl(bytes: &[u8]) -> Result<Triangles, Fault> {
    // A text file has no zero byte, a binary header hardly none.
    let text = bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0);
    if text && !is_binary_stl(bytes) {
        return read_text(&String::from_utf8_lossy(bytes));
    }
    let Some(count) = announced(bytes) else {
        return Err(Fault::byte(
            bytes.len(),
            "the file ends inside the header of an STL file; it is truncated",
        ));
    };
    let facets = &bytes[HEADER..];
    if facets.len() / FACET < count {
        let problem = format!(
            "the header announces {count} facets, but only {} bytes follow, 50 for each facet; the file is truncated or not STL",
            facets.len()
        );
        return Err(Fault::byte(80, problem));
    }
    let mut positions = Vec::with_capacity(3 * count);
    for (index, facet) in facets.chunks_exact(FACET).take(count).enumerate() {
        for corner in 1..4 {
            let position: [f64; 3] = std::array::from_fn(|axis| {
                let start = 12 * corner + 4 * axis;
                let bytes = [facet[start], facet[start + 1], facet[start + 2], facet[start + 3]];
                f64::from(f32::from_le_bytes(bytes))
            });
            if let Some(value) = position.iter().find(|value| !value.is_finite()) {
                let problem =
                    format!("facet {index} has the coordinate {value}; every coordinate must be finite");
                return Err(Fault::byte(HEADER + index * FACET, problem));
            }
            positions.push(position);
        }
    }
    Ok(soup(positions))
}

fn read_text(text: &str) -> Result<Triangles, Fault> {
    let mut positions: Vec<[f64; 3]> = Vec::new();
    let mut last = 0;
    for line in text_lines(text) {
        last = line.number;
        let mut words = line.words();
        match words.next() {
            Some("vertex") => positions.push(line.position(words)?),
            Some("endloop") if !positions.len().is_multiple_of(3) => {
                return unfinished(line, positions.len());
            }
            Some("solid" | "facet" | "outer" | "endloop" | "endfacet" | "endsolid") => {}
            _ => return line.fault("a line of an STL file begins with solid, facet, outer, vertex or end"),
        }
    }
    if positions.len().is_multiple_of(3) {
        Ok(soup(positions))
    } else {
        unfinished(TextLine { number: last, text: "" }, positions.len())
    }
}

fn unfinished<T>(line: TextLine<'_>, vertices: usize) -> Result<T, Fault> {
    line.fault(format!(
        "facet {} does not have three vertices; the file is damaged or truncated",
        vertices / 3
    ))
}

fn soup(positions: Vec<[f64; 3]>) -> Triangles {
    let triangles = (0..positions.len() / 3).map(|facet| [3 * facet, 3 * facet + 1, 3 * facet + 2]).collect();
    (positions, triangles)
}
