//! PLY (Stanford): text or binary of either byte order, `x y z` of the element `vertex`, the list `vertex_indices` or
//! `vertex_index` of the element `face`. Other elements and properties are skipped.

use super::obj::Triangles;
use super::ply_header::{Element, PlyHeader, read_ply_header};
use crate::fault::{Fault, shown};
use crate::polygon_fan::polygon_fan;
use crate::scalar_type::{Encoding, ScalarType};

pub(super) fn read_ply(bytes: &[u8]) -> Result<Triangles, Fault> {
    let header = read_ply_header(bytes)?;
    let mut body = Body { bytes, at: header.length, encoding: header.encoding, line: header.lines + 1 };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for element in &header.elements {
        body.check_count(element)?;
        match element.name.as_str() {
            "vertex" => positions = read_vertices(&mut body, element)?,
            "face" => triangles = read_faces(&mut body, element, vertex_count(&header))?,
            _ => {
                for _ in 0..element.count {
                    body.record(element, |_, _| {})?;
                }
            }
        }
    }
    Ok((positions, triangles))
}

fn vertex_count(header: &PlyHeader) -> usize {
    header.elements.iter().find(|element| element.name == "vertex").map_or(0, |element| element.count)
}

fn read_vertices(body: &mut Body<'_>, element: &Element) -> Result<Vec<[f64; 3]>, Fault> {
    let place = |name: &str| element.properties.iter().position(|property| property.name == name);
    let (Some(x), Some(y), Some(z)) = (place("x"), place("y"), place("z")) else {
        return Err(Fault::line(element.line, "the element vertex needs the properties x, y and z"));
    };
    let mut positions = Vec::with_capacity(element.count);
    for index in 0..element.count {
        let start = body.place();
        let mut position = [0.0; 3];
        body.record(element, |property, value| {
            for (axis, place) in [x, y, z].into_iter().enumerate() {
                if property == place {
                    position[axis] = value;
                }
            }
        })?;
        if let Some(value) = position.iter().find(|value| !value.is_finite()) {
            let problem =
                format!("vertex {index} has the coordinate {value}; every coordinate must be finite");
            return Err(Fault { place: start, problem });
        }
        positions.push(position);
    }
    Ok(positions)
}

fn read_faces(body: &mut Body<'_>, element: &Element, vertices: usize) -> Result<Vec<[usize; 3]>, Fault> {
    let named = |name: &str| matches!(name, "vertex_indices" | "vertex_index");
    let list =
        element.properties.iter().position(|property| property.count.is_some() && named(&property.name));
    let Some(list) = list else {
        return Err(Fault::line(element.line, "the element face needs the list vertex_indices"));
    };
    let mut triangles = Vec::with_capacity(element.count);
    let mut polygon = Vec::new();
    for index in 0..element.count {
        let start = body.place();
        polygon.clear();
        let mut wrong = None;
        body.record(element, |property, value| {
            if property == list {
                if value >= 0.0 && value < vertices as f64 && value.fract() == 0.0 {
                    polygon.push(value as usize);
                } else {
                    wrong = wrong.or(Some(value));
                }
            }
        })?;
        if let Some(value) = wrong {
            let problem = format!("face {index} names vertex {value}, but there are {vertices} (from 0)");
            return Err(Fault { place: start, problem });
        }
        if polygon.len() < 3 {
            let problem = format!("face {index} has {} vertices; give it at least 3", polygon.len());
            return Err(Fault { place: start, problem });
        }
        triangles.extend(polygon_fan(&polygon));
    }
    Ok(triangles)
}

/// What follows the header.
struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
    encoding: Encoding,
    /// The line of a text file, from 1.
    line: usize,
}

impl<'a> Body<'a> {
    fn place(&self) -> crate::FilePlace {
        match self.encoding {
            Encoding::Ascii => crate::FilePlace::Line(self.line),
            _ => crate::FilePlace::Byte(self.at),
        }
    }

    fn fault<T>(&self, problem: String) -> Result<T, Fault> {
        Err(Fault { place: self.place(), problem })
    }

    /// Refuses more elements than the rest of the file can hold.
    fn check_count(&self, element: &Element) -> Result<(), Fault> {
        let least: usize = match self.encoding {
            Encoding::Ascii => 2 * element.properties.len(),
            _ => element
                .properties
                .iter()
                .map(|property| property.count.unwrap_or(property.value).size())
                .sum(),
        };
        let remaining = self.bytes.len() - self.at;
        if element.count <= (remaining + 1) / least.max(1) {
            return Ok(());
        }
        let problem = format!(
            "the header announces {} of the element {}, but only {remaining} bytes are left; the file is truncated or the count is wrong",
            element.count,
            shown(&element.name)
        );
        Err(Fault::line(element.line, problem))
    }

    /// Reads one element; every number goes to `take` with the place of its property.
    fn record(&mut self, element: &Element, mut take: impl FnMut(usize, f64)) -> Result<(), Fault> {
        for (place, property) in element.properties.iter().enumerate() {
            let count = match property.count {
                Some(count) => self.number(count, "the length of a list")?,
                None => 1.0,
            };
            if !(count >= 0.0 && count <= (self.bytes.len() - self.at + 1) as f64) {
                return self.fault(format!(
                    "a list announces {count} entries, but only {} bytes are left; the file is truncated or the count is wrong",
                    self.bytes.len() - self.at
                ));
            }
            for _ in 0..count as usize {
                take(place, self.number(property.value, &property.name)?);
            }
        }
        Ok(())
    }

    fn number(&mut self, kind: ScalarType, what: &str) -> Result<f64, Fault> {
        match self.encoding {
            Encoding::Ascii => {
                let word = self.word();
                match std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()) {
                    Some(value) => Ok(value),
                    None => self.fault(format!("{what} should be a number, but there is {}", shown(word))),
                }
            }
            Encoding::LittleEndian | Encoding::BigEndian => {
                let Some(bytes) = self.bytes.get(self.at..self.at + kind.size()) else {
                    return self.fault(format!("the file ends where {what} should be; it is truncated"));
                };
                self.at += kind.size();
                Ok(kind.number(bytes, self.encoding))
            }
        }
    }

    fn word(&mut self) -> &'a [u8] {
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }
}
