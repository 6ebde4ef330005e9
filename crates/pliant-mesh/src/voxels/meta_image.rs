//! MetaImage: lines `Key = value` up to `ElementDataFile`, which names the file of the values, or LOCAL where they follow
//! (`.mhd` with `.raw`, `.mha`). Spacings are in no stated unit; by convention they are millimetres.

use std::path::Path;

use super::keyed_header::{Field, KeyedHeader};
use super::raw_values::{Packing, RawLayout};
use super::read_voxels::RawVolume;
use crate::MeshError;
use crate::fault::Fault;
use crate::scalar_type::{Encoding, ScalarType};
use crate::text_lines::header_lines;

pub(super) fn read_meta_image(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    let faulty = |fault: Fault| fault.in_file(path);
    let (header, length) = read_header(bytes).map_err(faulty)?;
    let layout = layout(&header).map_err(faulty)?;
    let (origin, steps) = placement(&header).map_err(faulty)?;
    let file = header.required(&["elementdatafile"]).map_err(faulty)?;
    let values = if file.value.eq_ignore_ascii_case("local") {
        layout.read(&bytes[length..], length).map_err(faulty)?
    } else {
        let values = file.file_beside(path).map_err(faulty)??;
        layout.read(&values, 0).map_err(|fault| fault.in_file(&path.with_file_name(&file.value)))?
    };
    Ok(RawVolume { format: "MetaImage".to_owned(), counts: layout.counts, origin, steps, unit: None, values })
}

/// The fields up to and with `ElementDataFile`, and the bytes they take.
fn read_header(bytes: &[u8]) -> Result<(KeyedHeader, usize), Fault> {
    let mut header = KeyedHeader::default();
    let mut length = 0;
    for line in header_lines(bytes) {
        length = line.end;
        if line.text.trim().is_empty() {
            continue;
        }
        if header.push_line(&line, '=', "Key = value")?.key == "elementdatafile" {
            break;
        }
    }
    Ok((header, length))
}

fn layout(header: &KeyedHeader) -> Result<RawLayout, Fault> {
    let one = |key: &str, wanted: &str| match header.get(&[key]) {
        Some(field) if field.value != wanted => field.fault(&format!("{wanted}, for one value a voxel")),
        _ => Ok(()),
    };
    one("ndims", "3")?;
    one("elementnumberofchannels", "1")?;
    if let Some(field) = header.get(&["headersize"]).filter(|field| field.value != "0") {
        return field.fault("0, for values from the start of the file");
    }
    let yes = |keys: &[&str]| header.get(keys).is_some_and(|field| field.value.eq_ignore_ascii_case("true"));
    if header.get(&["binarydata"]).is_some() && !yes(&["binarydata"]) {
        return header.required(&["binarydata"])?.fault("True");
    }
    let kind = header.required(&["elementtype"])?;
    let kind = match kind.value.as_str() {
        "MET_CHAR" => ScalarType::Signed(1),
        "MET_UCHAR" => ScalarType::Unsigned(1),
        "MET_SHORT" => ScalarType::Signed(2),
        "MET_USHORT" => ScalarType::Unsigned(2),
        "MET_INT" => ScalarType::Signed(4),
        "MET_UINT" => ScalarType::Unsigned(4),
        "MET_LONG_LONG" => ScalarType::Signed(8),
        "MET_ULONG_LONG" => ScalarType::Unsigned(8),
        "MET_FLOAT" => ScalarType::Float(4),
        "MET_DOUBLE" => ScalarType::Float(8),
        _ => return kind.fault("a kind of number, such as MET_UCHAR"),
    };
    let big = yes(&["binarydatabyteordermsb", "elementbyteordermsb"]);
    Ok(RawLayout {
        counts: header.required(&["dimsize"])?.counts()?,
        kind,
        order: if big { Encoding::BigEndian } else { Encoding::LittleEndian },
        packing: if yes(&["compresseddata"]) { Packing::Zlib } else { Packing::Raw },
    })
}

fn placement(header: &KeyedHeader) -> Result<([f64; 3], [[f64; 3]; 3]), Fault> {
    let spacing: [f64; 3] =
        header.get(&["elementspacing", "elementsize"]).map_or(Ok([1.0; 3]), Field::numbers)?;
    let origin = header.get(&["offset", "origin", "position"]).map_or(Ok([0.0; 3]), Field::numbers)?;
    let mut steps = super::read_voxels::along_axes(spacing);
    if let Some(field) = header.get(&["transformmatrix", "rotation", "orientation"]) {
        // One direction of the grid after the other.
        let directions: [f64; 9] = field.numbers()?;
        for (step, spacing) in spacing.into_iter().enumerate() {
            steps[step] = std::array::from_fn(|axis| spacing * directions[3 * step + axis]);
        }
    }
    Ok((origin, steps))
}
