//! Isotropic materials and the solid sections that give them to element sets.

use super::keyword_line::{KeywordLine, next_data};
use crate::fault::{Fault, shown};
use crate::formats::cursor::{Cursor, parse_real};

/// Materials by name, and sections.
#[derive(Default)]
pub(super) struct Materials {
    materials: Vec<Material>,
    pub sections: Vec<Section>,
}

struct Material {
    name: String,
    /// E, nu and rho, as far as the file gives them.
    parameters: [Option<f64>; 3],
}

/// A `*SOLID SECTION`.
pub(super) struct Section {
    pub set: String,
    material: String,
}

/// Names of the arrays of a material's parameters.
pub(super) const PARAMETERS: [&str; 3] = ["E", "nu", "rho"];

impl Materials {
    /// Begins a material; its parameters follow.
    pub fn begin(&mut self, line: &KeywordLine) {
        let name = line.parameter("NAME").unwrap_or("").to_owned();
        self.materials.push(Material { name, parameters: [None; 3] });
    }

    /// Reads E and nu of the last material. False if they are not those of an isotropic one.
    pub fn read_elastic(&mut self, cursor: &mut Cursor, line: &KeywordLine) -> Result<bool, Fault> {
        let kind = line.parameter("TYPE").unwrap_or("ISO");
        if !kind.to_ascii_uppercase().starts_with("ISO") {
            return Ok(false);
        }
        let values = read_numbers(cursor)?;
        if let Some(material) = self.materials.last_mut() {
            material.parameters[0] = values.first().copied();
            material.parameters[1] = values.get(1).copied();
        }
        Ok(true)
    }

    /// Reads rho of the last material.
    pub fn read_density(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let values = read_numbers(cursor)?;
        if let Some(material) = self.materials.last_mut() {
            material.parameters[2] = values.first().copied();
        }
        Ok(())
    }

    /// Adds a section.
    pub fn push_section(&mut self, line: &KeywordLine) {
        if let Some(set) = line.parameter("ELSET") {
            let material = line.parameter("MATERIAL").unwrap_or("").to_owned();
            self.sections.push(Section { set: set.to_owned(), material });
        }
    }

    /// A parameter (one of [`PARAMETERS`]) of a section's material.
    pub fn parameter(&self, section: &Section, parameter: usize) -> Option<f64> {
        let find = |material: &&Material| material.name.eq_ignore_ascii_case(&section.material);
        self.materials.iter().find(find)?.parameters[parameter]
    }
}

/// The numbers of the first data line; those at other temperatures, on further lines, are passed over.
fn read_numbers(cursor: &mut Cursor) -> Result<Vec<f64>, Fault> {
    let Some((start, words)) = next_data(cursor)? else { return Ok(Vec::new()) };
    let mut numbers = Vec::new();
    for word in words.into_iter().filter(|word| !word.is_empty()) {
        match parse_real(word).filter(|value| value.is_finite()) {
            Some(value) => numbers.push(value),
            None => {
                let problem =
                    format!("a parameter of a material should be a number, but there is {}", shown(word));
                return cursor.fault(start, problem);
            }
        }
    }
    Ok(numbers)
}
