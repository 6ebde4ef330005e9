//! NRRD: a text header of `key: value` lines, a blank line, the values; or a header that names the file of the values.

use std::path::Path;

use super::keyed_header::{Field, KeyedHeader};
use super::raw_values::{Packing, RawLayout};
use super::read_voxels::RawVolume;
use crate::LengthUnit;
use crate::MeshError;
use crate::fault::Fault;
use crate::scalar_type::{Encoding, ScalarType};
use crate::text_lines::header_lines;

pub(super) fn read_nrrd(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    let faulty = |fault: Fault| fault.in_file(path);
    let (header, length) = read_header(bytes).map_err(faulty)?;
    let layout = layout(&header).map_err(faulty)?;
    let (origin, steps) = placement(&header).map_err(faulty)?;
    let unit = unit(&header).map_err(faulty)?;
    for key in ["line skip", "byte skip"] {
        if let Some(field) = header.get(&[key]).filter(|field| field.value != "0") {
            return Err(faulty(Fault::line(
                field.line,
                format!("{key} is not read; write the values from the start"),
            )));
        }
    }
    let values = match header.get(&["data file", "datafile"]) {
        None => layout.read(&bytes[length..], length).map_err(faulty)?,
        Some(field) => {
            let values = field.file_beside(path).map_err(faulty)??;
            layout.read(&values, 0).map_err(|fault| fault.in_file(&path.with_file_name(&field.value)))?
        }
    };
    Ok(RawVolume { format: "NRRD".to_owned(), counts: layout.counts, origin, steps, unit, values })
}

/// The fields up to the blank line or the end, and the bytes they take.
fn read_header(bytes: &[u8]) -> Result<(KeyedHeader, usize), Fault> {
    let mut header = KeyedHeader::default();
    let mut length = 0;
    for line in header_lines(bytes) {
        length = line.end;
        let text = line.text.trim();
        if text.is_empty() {
            break;
        }
        if line.number == 1 || text.starts_with('#') || text.contains(":=") {
            continue;
        }
        header.push_line(&line, ':', "key: value")?;
    }
    Ok((header, length))
}

fn layout(header: &KeyedHeader) -> Result<RawLayout, Fault> {
    let dimension = header.required(&["dimension"])?;
    if dimension.value != "3" {
        return dimension.fault("3 (one value a voxel)");
    }
    let kind = header.required(&["type"])?;
    let kind = match kind.value.as_str() {
        "signed char" | "int8" | "int8_t" => ScalarType::Signed(1),
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => ScalarType::Unsigned(1),
        "short" | "short int" | "signed short" | "signed short int" | "int16" | "int16_t" => {
            ScalarType::Signed(2)
        }
        "ushort" | "unsigned short" | "unsigned short int" | "uint16" | "uint16_t" => ScalarType::Unsigned(2),
        "int" | "signed int" | "int32" | "int32_t" => ScalarType::Signed(4),
        "uint" | "unsigned int" | "uint32" | "uint32_t" => ScalarType::Unsigned(4),
        "longlong" | "long long" | "long long int" | "signed long long" | "int64" | "int64_t" => {
            ScalarType::Signed(8)
        }
        "ulonglong" | "unsigned long long" | "unsigned long long int" | "uint64" | "uint64_t" => {
            ScalarType::Unsigned(8)
        }
        "float" => ScalarType::Float(4),
        "double" => ScalarType::Float(8),
        _ => return kind.fault("a kind of number, such as uint8 or short"),
    };
    let order = match header.get(&["endian"]) {
        Some(field) if field.value == "big" => Encoding::BigEndian,
        Some(field) if field.value != "little" => return field.fault("little or big"),
        _ => Encoding::LittleEndian,
    };
    let encoding = header.required(&["encoding"])?;
    let packing = match encoding.value.as_str() {
        "raw" => Packing::Raw,
        "gzip" | "gz" => Packing::Gzip,
        _ => return encoding.fault("raw or gzip"),
    };
    Ok(RawLayout { counts: header.required(&["sizes"])?.counts()?, kind, order, packing })
}

/// Origin and steps; spacings alone leave the origin at zero.
fn placement(header: &KeyedHeader) -> Result<([f64; 3], [[f64; 3]; 3]), Fault> {
    let origin = header.get(&["space origin"]).map_or(Ok([0.0; 3]), Field::numbers)?;
    if let Some(field) = header.get(&["space directions"]) {
        let numbers: [f64; 9] = field.numbers()?;
        return Ok((
            origin,
            std::array::from_fn(|step| std::array::from_fn(|axis| numbers[3 * step + axis])),
        ));
    }
    let spacing: [f64; 3] = header.get(&["spacings"]).map_or(Ok([1.0; 3]), Field::numbers)?;
    Ok((origin, super::read_voxels::along_axes(spacing)))
}

fn unit(header: &KeyedHeader) -> Result<Option<LengthUnit>, Fault> {
    let Some(field) = header.get(&["space units", "units"]) else { return Ok(None) };
    let mut units = field.value.split('"').map(str::trim).filter(|word| !word.is_empty());
    let Some(first) = units.next() else { return Ok(None) };
    if units.any(|other| other != first) {
        return field.fault("the same unit for each axis");
    }
    match LengthUnit::from_symbol(first) {
        Some(unit) => Ok(Some(unit)),
        None => field.fault("m, cm, mm or um"),
    }
}
