//! `[materials.REGION]` of a scene, and the same as `--material REGION:E,NU,RHO` on the command line.

use std::sync::Arc;

use pliant::mesh::{MaterialPreset, Quantity, material_preset, material_presets};

use super::material_table::read_material_table;
use super::parameter::{Parameter, poisson_ratio, quantity_parameter};
use super::{Entry, Located, Node, Origin, Table, Value, entries_of};
use crate::failure::Failure;
use crate::names::nearest_name;

/// The material of one region; the region `*` stands for every cell that is not named.
pub type MaterialRule = Located<(String, MaterialSpec)>;

/// Where the parameters of a material come from.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSpec {
    /// E in Pa.
    pub youngs_modulus: Parameter,
    /// nu.
    pub poisson_ratio: Parameter,
    /// rho in kg/m^D.
    pub density: Parameter,
}

impl From<&MaterialPreset> for MaterialSpec {
    fn from(preset: &MaterialPreset) -> Self {
        Self {
            youngs_modulus: Parameter::Number(preset.material.youngs_modulus),
            poisson_ratio: Parameter::Number(preset.material.poisson_ratio),
            density: Parameter::Number(preset.material.density),
        }
    }
}

/// Reads the table of materials, or the file that the value names.
///
/// # Errors
/// Unknown or missing keys, values outside the range of their parameter, or what is wrong in the file.
pub fn read_materials(node: &Node, path: &str) -> Result<Vec<MaterialRule>, Failure> {
    match &node.value {
        Value::String(_) => read_material_table(node, path),
        _ => read_entries(entries_of(node, path)?, path),
    }
}

/// Reads the materials of regions; `path` is what messages call the table around them, empty for a file's own.
///
/// # Errors
/// As [`read_materials`].
pub fn read_entries(entries: &[Entry], path: &str) -> Result<Vec<MaterialRule>, Failure> {
    entries.iter().map(|entry| read_material(entry, path)).collect()
}

fn read_material(entry: &Entry, path: &str) -> Result<MaterialRule, Failure> {
    let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
    let table = Table::new(&entry.node, &path, &["preset", "youngs_modulus", "poisson_ratio", "density"])?;
    let youngs_modulus = quantity_parameter(Quantity::Pressure);
    let density = quantity_parameter(Quantity::Density);
    let material = match table.optional("preset", Node::string)? {
        Some(preset) => {
            // What is written beside a preset replaces its values.
            let preset = MaterialSpec::from(find_preset(&preset.value, &preset.origin)?);
            MaterialSpec {
                youngs_modulus: table
                    .optional("youngs_modulus", youngs_modulus)?
                    .unwrap_or(preset.youngs_modulus),
                poisson_ratio: table
                    .optional("poisson_ratio", poisson_ratio)?
                    .unwrap_or(preset.poisson_ratio),
                density: table.optional("density", density)?.unwrap_or(preset.density),
            }
        }
        None => MaterialSpec {
            youngs_modulus: table.required("youngs_modulus", youngs_modulus)?,
            poisson_ratio: table.required("poisson_ratio", poisson_ratio)?,
            density: table.required("density", density)?,
        },
    };
    Ok(Located { value: (entry.key.clone(), material), origin: entry.origin.clone() })
}

fn find_preset(name: &str, origin: &Origin) -> Result<&'static MaterialPreset, Failure> {
    material_preset(name).ok_or_else(|| {
        let names = material_presets().iter().map(|preset| preset.name.as_str());
        let nearest = nearest_name(name, names).unwrap_or("none");
        origin.wrong(format_args!(
            "there is no preset \"{name}\"; the nearest is \"{nearest}\" (pliant materials lists all)"
        ))
    })
}

/// Reads `REGION:E,NU,RHO` or `REGION:PRESET` from the command line.
///
/// # Errors
/// Another form, an unknown preset, or values outside the range of their parameter.
pub fn material_from_option(text: &str) -> Result<MaterialRule, Failure> {
    let origin = Origin::Option(Arc::from(format!("--material {text}")));
    let form =
        || origin.wrong("write it as REGION:E,NU,RHO, for example bone:1e6,0.4,1.0, or as REGION:PRESET");
    let (region, values) = text.rsplit_once(':').ok_or_else(form)?;
    if !values.contains(',') && values.parse::<f64>().is_err() {
        let material = MaterialSpec::from(find_preset(values.trim(), &origin)?);
        return Ok(Located { value: (region.to_owned(), material), origin });
    }
    let parts: Vec<&str> = values.split(',').collect();
    let [youngs_modulus, poisson_ratio, density] = parts[..] else { return Err(form()) };
    // NaN and infinities are numbers here, to be refused below with their name.
    let number = |text: &str, quantity: Quantity| {
        text.trim().parse().ok().or_else(|| quantity.parse(text)).ok_or_else(form)
    };
    let youngs_modulus = number(youngs_modulus, Quantity::Pressure)?;
    let poisson_ratio: f64 = poisson_ratio.trim().parse().map_err(|_| form())?;
    let density = number(density, Quantity::Density)?;
    let positive = |value: f64| value.is_finite() && value > 0.0;
    for (name, value, valid, limit) in [
        ("Young's modulus", youngs_modulus, positive(youngs_modulus), "a positive number"),
        (
            "Poisson ratio",
            poisson_ratio,
            poisson_ratio > -1.0 && poisson_ratio < 0.5,
            "above -1 and below 0.5",
        ),
        ("density", density, positive(density), "a positive number"),
    ] {
        if !valid {
            return Err(origin.wrong(format_args!("the {name} must be {limit}, not {value}")));
        }
    }
    let material = MaterialSpec {
        youngs_modulus: Parameter::Number(youngs_modulus),
        poisson_ratio: Parameter::Number(poisson_ratio),
        density: Parameter::Number(density),
    };
    Ok(Located { value: (region.to_owned(), material), origin })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse_document;
    use super::*;

    #[test]
    fn a_material_of_the_command_line_is_read_even_if_the_region_has_a_colon() {
        let rule = material_from_option("left:bone:1e6,0.4,2").unwrap();
        let material = MaterialSpec {
            youngs_modulus: Parameter::Number(1e6),
            poisson_ratio: Parameter::Number(0.4),
            density: Parameter::Number(2.0),
        };
        assert_eq!(rule.value, ("left:bone".to_owned(), material));
    }

    #[test]
    fn values_out_of_range_name_the_parameter_and_the_value() {
        for (text, says) in [
            ("bone:0,0.4,1", "the Young's modulus must be a positive number, not 0"),
            ("bone:1,0.5,1", "the Poisson ratio must be above -1 and below 0.5, not 0.5"),
            ("bone:1,nan,1", "not NaN"),
            ("bone:1,0.4,-1", "the density must be a positive number, not -1"),
            ("bone:1,0.4", "write it as REGION:E,NU,RHO"),
            ("1,0.4,1", "write it as REGION:E,NU,RHO"),
        ] {
            let message = material_from_option(text).unwrap_err().to_string();
            assert!(message.starts_with("--material ") && message.contains(says), "{message}");
        }
        let text = "bone = { youngs_modulus = 1.0, density = 1.0,\npoisson_ratio = 0.5 }";
        let node = parse_document(text, Path::new("a.toml")).unwrap();
        assert_eq!(
            read_materials(&node, "materials").unwrap_err().to_string(),
            "a.toml, line 2: materials.bone.poisson_ratio must be a number above -1 and below 0.5, not 0.5"
        );
    }
}
