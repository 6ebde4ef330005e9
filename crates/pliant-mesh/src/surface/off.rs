//! Object File Format as text: `OFF`, the numbers of vertices, faces and edges, a line for each vertex and each face
//! (its number of vertices, then the vertices from 0). Colours and normals after them are skipped.

use super::obj::Triangles;
use crate::fault::Fault;
use crate::polygon_fan::polygon_fan;
use crate::text_lines::{TextLine, text_lines};

pub(super) fn read_off(text: &str) -> Result<Triangles, Fault> {
    let mut lines = text_lines(text);
    let header = next(&mut lines, text, "the header OFF")?;
    let mut words = header.words().peekable();
    let keyword = words.next().unwrap_or("");
    if !matches!(keyword, "OFF" | "COFF" | "NOFF" | "CNOFF") {
        return header.fault("the file should begin with OFF, for vertices in space as text");
    }
    if words.peek() == Some(&"BINARY") {
        return header.fault("the file is binary; save it as text");
    }
    let line = if words.peek().is_some() { header } else { next(&mut lines, text, "the counts")? };
    let mut words = line.words().skip(usize::from(line.number == header.number));
    let vertices = line.count(words.next(), "the number of vertices")?;
    let faces = line.count(words.next(), "the number of faces")?;
    // The least that a line takes is known, so no count reserves more than the file holds.
    let mut positions = Vec::with_capacity(vertices.min(text.len() / 6));
    for _ in 0..vertices {
        let line = next(&mut lines, text, "a vertex")?;
        positions.push(line.position(line.words())?);
    }
    let mut triangles = Vec::with_capacity(faces.min(text.len() / 8));
    let mut polygon = Vec::new();
    for _ in 0..faces {
        let line = next(&mut lines, text, "a face")?;
        let mut words = line.words();
        let count = line.count(words.next(), "the face's number of vertices")?;
        polygon.clear();
        for word in words.by_ref().take(count) {
            let vertex = line.count(Some(word), "a vertex of the face")?;
            if vertex >= vertices {
                return line
                    .fault(format!("the face names vertex {vertex}, but there are {vertices} (from 0)"));
            }
            polygon.push(vertex);
        }
        if polygon.len() < count || count < 3 {
            return line.fault(format!(
                "the face announces {count} vertices and has {}; give it at least 3",
                polygon.len()
            ));
        }
        triangles.extend(polygon_fan(&polygon));
    }
    Ok((positions, triangles))
}

fn next<'a>(
    lines: &mut impl Iterator<Item = TextLine<'a>>,
    text: &str,
    what: &str,
) -> Result<TextLine<'a>, Fault> {
    lines.next().ok_or_else(|| {
        Fault::line(text.lines().count(), format!("the file ends where {what} should be; it is truncated"))
    })
}
