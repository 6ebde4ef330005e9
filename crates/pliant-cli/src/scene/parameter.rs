//! One parameter of a material: a number, perhaps with a unit, an array of the mesh file, or a voxel volume with a table.

use std::path::{Path, PathBuf};

use pliant::mesh::{LengthUnit, PiecewiseLinear, Quantity};

use super::{Located, Node, Origin, Table, Value, choose};
use crate::failure::Failure;

/// One parameter of a material.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// The same in every cell of the region, within its range.
    Number(f64),
    /// The value of each cell in an array of the mesh file: `{ array = "E" }`.
    Array(Located<String>),
    /// A function of the value of a voxel volume at each cell's centroid: `{ volume = "ct.nii.gz", table = [[0, 1e3]] }`.
    Volume(Located<VolumeParameter>),
}

/// Values of voxels and what they mean.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeParameter {
    /// The file, resolved against the directory of the file that names it.
    pub path: PathBuf,
    /// Unit of the file's lengths, in place of the one it states.
    pub unit: Option<LengthUnit>,
    /// From the voxel's value to the parameter's.
    pub table: PiecewiseLinear,
}

/// Reads a positive number with an optional unit, `{ array }` or `{ volume, table, unit }`.
///
/// # Errors
/// Anything else; an unknown unit, a table whose values do not ascend.
pub fn quantity_parameter(quantity: Quantity) -> impl Fn(&Node, &str) -> Result<Parameter, Failure> {
    move |node, name| match &node.value {
        Value::Table(_) => array_or_volume(node, name, quantity),
        _ => Ok(Parameter::Number(positive(node, name, quantity)?)),
    }
}

/// Reads a number above -1 and below 0.5, or `{ array }`.
///
/// # Errors
/// Anything else.
pub fn poisson_ratio(node: &Node, name: &str) -> Result<Parameter, Failure> {
    if matches!(node.value, Value::Table(_)) {
        return Ok(Parameter::Array(Table::new(node, name, &["array"])?.required("array", Node::string)?));
    }
    let value = node.number(name)?;
    if value > -1.0 && value < 0.5 {
        Ok(Parameter::Number(value))
    } else {
        Err(node.mismatch(name, "a number above -1 and below 0.5"))
    }
}

fn array_or_volume(node: &Node, name: &str, quantity: Quantity) -> Result<Parameter, Failure> {
    let table = Table::new(node, name, &["array", "volume", "table", "unit"])?;
    let Some(volume) = table.optional("volume", Node::string)? else {
        return Ok(Parameter::Array(Table::new(node, name, &["array"])?.required("array", Node::string)?));
    };
    let units = LengthUnit::ALL.map(|unit| (unit.symbol(), unit));
    let unit = table.optional("unit", |node, name| choose(node, name, &units))?.map(|unit| unit.value);
    let points = table.required("table", |node, name| {
        let items = node.items(name)?.iter().enumerate();
        items.map(|(index, item)| point(item, &format!("{name}[{index}]"), quantity)).collect()
    })?;
    let function = PiecewiseLinear::new(points)
        .map_err(|error| node.origin.wrong(format_args!("{}: {error}", table.name("table"))))?;
    let path = beside(&volume.origin, &volume.value);
    Ok(Parameter::Volume(Located {
        value: VolumeParameter { path, unit, table: function },
        origin: volume.origin,
    }))
}

/// A value of voxels and the parameter's value there.
fn point(node: &Node, name: &str, quantity: Quantity) -> Result<[f64; 2], Failure> {
    match node.items(name)? {
        [value, parameter] => Ok([value.number(name)?, positive(parameter, name, quantity)?]),
        _ => Err(node.mismatch(name, "a pair of a voxel value and the parameter there")),
    }
}

fn positive(node: &Node, name: &str, quantity: Quantity) -> Result<f64, Failure> {
    let Value::String(text) = &node.value else { return node.positive(name) };
    quantity.parse(text).filter(|&value| value > 0.0).ok_or_else(|| {
        let units: Vec<&str> = quantity.units().iter().map(|(unit, _)| *unit).collect();
        node.mismatch(name, &format!("a positive number, with a unit of {} or none", units.join(", ")))
    })
}

/// The path of a file named in another, or on the command line.
pub fn beside(origin: &Origin, name: &str) -> PathBuf {
    match origin {
        Origin::Line { file, .. } => file.parent().unwrap_or(Path::new("")).join(name),
        Origin::Option(_) => PathBuf::from(name),
    }
}
