//! `[materials.REGION]` of a scene, and the same as `--material REGION:E,NU,RHO` on the command line.

use std::sync::Arc;

use super::{Entry, Located, Node, Origin, Table, Value, entries_of};
use crate::failure::Failure;

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

/// One parameter of a material.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// The same in every cell of the region, within its range.
    Number(f64),
    /// The value of each cell in an array of the mesh file: `{ array = "E" }`.
    Array(Located<String>),
}

/// Reads the table of materials.
///
/// # Errors
/// Unknown or missing keys, or values outside the range of their parameter.
pub fn read_materials(node: &Node, path: &str) -> Result<Vec<MaterialRule>, Failure> {
    entries_of(node, path)?.iter().map(|entry| read_material(entry, path)).collect()
}

fn read_material(entry: &Entry, path: &str) -> Result<MaterialRule, Failure> {
    let path = format!("{path}.{}", entry.key);
    let table = Table::new(&entry.node, &path, &["youngs_modulus", "poisson_ratio", "density"])?;
    let material = MaterialSpec {
        youngs_modulus: table.required("youngs_modulus", number_or_array(Node::positive))?,
        poisson_ratio: table.required("poisson_ratio", number_or_array(poisson_ratio))?,
        density: table.required("density", number_or_array(Node::positive))?,
    };
    Ok(Located { value: (entry.key.clone(), material), origin: entry.origin.clone() })
}

/// A reader of what `number` reads or of `{ array = "NAME" }`.
fn number_or_array(
    number: impl Fn(&Node, &str) -> Result<f64, Failure>,
) -> impl Fn(&Node, &str) -> Result<Parameter, Failure> {
    move |node, name| match &node.value {
        Value::Table(_) => {
            Ok(Parameter::Array(Table::new(node, name, &["array"])?.required("array", Node::string)?))
        }
        _ => Ok(Parameter::Number(number(node, name)?)),
    }
}

fn poisson_ratio(node: &Node, name: &str) -> Result<f64, Failure> {
    let value = node.number(name)?;
    if value > -1.0 && value < 0.5 {
        Ok(value)
    } else {
        Err(node.mismatch(name, "a number above -1 and below 0.5"))
    }
}

/// Reads `REGION:E,NU,RHO` from the command line.
///
/// # Errors
/// Another form, or values outside the range of their parameter.
pub fn material_from_option(text: &str) -> Result<MaterialRule, Failure> {
    let origin = Origin::Option(Arc::from(format!("--material {text}")));
    let form = || origin.wrong("write it as REGION:E,NU,RHO, for example bone:1e6,0.4,1.0");
    let (region, values) = text.rsplit_once(':').ok_or_else(form)?;
    let values: Vec<f64> =
        values.split(',').map(|value| value.trim().parse().map_err(|_| form())).collect::<Result<_, _>>()?;
    let [youngs_modulus, poisson_ratio, density] = values[..] else { return Err(form()) };
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
