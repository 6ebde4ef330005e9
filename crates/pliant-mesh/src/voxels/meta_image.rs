//! MetaImage: lines `Key = value` up to `ElementDataFile`, which names the file of the values, or LOCAL where they follow
//! (`.mhd` with `.raw`, `.mha`). Spacings are in no stated unit; by convention they are millimetres.

use std::path::Path;

use super::keyed_header::{Field, KeyedHeader, header_lines};
use super::raw_values::{ByteOrder, Packing, RawLayout, ValueKind};
use super::read_voxels::RawVolume;
use crate::MeshError;
use crate::text_lines::Fault;

pub(super) fn read_meta_image(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    let faulty = |fault: Fault| fault.in_file(path);
    let (header, length) = read_header(bytes).map_err(faulty)?;
    let layout = layout(&header).map_err(faulty)?;
    let (origin, steps) = placement(&header).map_err(faulty)?;
    let file = header.required(&["elementdatafile"]).map_err(faulty)?;
    let (values, values_path) = if file.value.eq_ignore_ascii_case("local") {
        (bytes[length..].to_vec(), path.to_owned())
    } else {
        (file.file_beside(path).map_err(faulty)??, path.with_file_name(&file.value))
    };
    let start = if values_path == path { length } else { 0 };
    let values = layout.read(&values, start).map_err(|fault| fault.in_file(&values_path))?;
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
        "MET_CHAR" => ValueKind::I8,
        "MET_UCHAR" => ValueKind::U8,
        "MET_SHORT" => ValueKind::I16,
        "MET_USHORT" => ValueKind::U16,
        "MET_INT" => ValueKind::I32,
        "MET_UINT" => ValueKind::U32,
        "MET_LONG_LONG" => ValueKind::I64,
        "MET_ULONG_LONG" => ValueKind::U64,
        "MET_FLOAT" => ValueKind::F32,
        "MET_DOUBLE" => ValueKind::F64,
        _ => return kind.fault("a kind of number, such as MET_UCHAR"),
    };
    let big = yes(&["binarydatabyteordermsb", "elementbyteordermsb"]);
    Ok(RawLayout {
        counts: header.required(&["dimsize"])?.counts()?,
        kind,
        order: if big { ByteOrder::Big } else { ByteOrder::Little },
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
