//! Wavefront OBJ: `v x y z` and `f a b c ...`, where a is a number from 1 or, negative, counted from the end, and may
//! have `/texture/normal` after it. Everything else is skipped.

use crate::fault::{Fault, shown};
use crate::polygon_fan::polygon_fan;
use crate::text_lines::{TextLine, text_lines};

/// Positions and triangles, unchecked beyond the range of indices.
pub(super) type Triangles = (Vec<[f64; 3]>, Vec<[usize; 3]>);

pub(super) fn read_obj(text: &str) -> Result<Triangles, Fault> {
    let (mut positions, mut triangles, mut polygon) = (Vec::new(), Vec::new(), Vec::new());
    for line in text_lines(text) {
        let mut words = line.words();
        match words.next() {
            Some("v") => positions.push(line.position(words)?),
            Some("f") => {
                polygon.clear();
                for word in words {
                    polygon.push(vertex(line, word, positions.len())?);
                }
                if polygon.len() < 3 {
                    return line
                        .fault(format!("the face has {} vertices; give it at least 3", polygon.len()));
                }
                triangles.extend(polygon_fan(&polygon));
            }
            _ => {}
        }
    }
    Ok((positions, triangles))
}

fn vertex(line: TextLine<'_>, word: &str, count: usize) -> Result<usize, Fault> {
    let index: Option<i64> = word.split('/').next().and_then(|index| index.parse().ok());
    let from_zero = match index {
        Some(index) if index > 0 => usize::try_from(index - 1).ok(),
        Some(index) if index < 0 => count.checked_sub(index.unsigned_abs() as usize),
        _ => None,
    };
    match from_zero.filter(|&vertex| vertex < count) {
        Some(vertex) => Ok(vertex),
        None => line.fault(format!(
            "a vertex of a face should be a number from 1 to {count} (the vertices so far), but there is {}",
            shown(word)
        )),
    }
}
