//! `.vtu` files: unstructured grids as XML, with arrays as text, base64 or appended raw bytes, compressed by zlib, LZ4 or not.
//!
//! Binary data is a size in bytes and the bytes. Compressed data is the number of blocks, the size of a block, that of the
//! last one (0 where it is whole), the compressed size of each block, and the blocks.
//!
//! Source: the VTK file formats manual, "XML File Formats", and the VTK wiki on appended and compressed data.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;

use super::base64::decode;
use super::grid::{Grid, name_group};
use super::xml_tags::{ArrayTag, Data, Role, Tags, read_tags};
use crate::MeshArray;
use crate::fault::Fault;
use crate::formats::cursor::Cursor;
use crate::formats::file_mesh::FileMesh;
use crate::growth_budget::growth_budget;
use crate::scalar_type::ScalarType;

/// Reads a file.
pub(super) fn read_file(bytes: &[u8]) -> Result<FileMesh, Fault> {
    let tags = read_tags(bytes)?;
    let mut file = FileMesh {
        format: format!("VTK XML {} {}", tags.version, encoding_name(&tags)),
        ..FileMesh::default()
    };
    let mut budget = growth_budget(bytes.len());
    let mut grids: Vec<(usize, Grid)> = (0..tags.piece_count).map(|_| (0, Grid::default())).collect();
    for array in &tags.arrays {
        let fault = |problem: String| Fault::byte(array.at, problem);
        let Some(kind) = array.kind else {
            file.drop_some(format!("array \"{}\" of strings", array.name), 1);
            continue;
        };
        let values = read_numbers(&tags, array, kind, &mut budget)
            .map_err(|problem| fault(format!("the array \"{}\" {problem}", array.name)))?;
        if array.role == Role::Field {
            name_group(&mut file, &array.name, &values);
            continue;
        }
        let Some((at, grid)) = grids.get_mut(array.piece) else { continue };
        match (array.role, array.name.as_str()) {
            (Role::Points, _) => (*at, grid.points) = (array.at, values),
            (Role::Cells, "connectivity") => grid.connectivity = values,
            (Role::Cells, "offsets") => (*at, grid.ends) = (array.at, values),
            (Role::Cells, "types") => grid.types = values,
            (Role::Attribute(on), name) => {
                let name = name.to_owned();
                grid.arrays.push(MeshArray { name, on, components: array.components, values });
            }
            _ => {}
        }
    }
    for (at, grid) in grids {
        grid.append_to(&mut file).map_err(|problem| Fault::byte(at, problem))?;
    }
    Ok(file)
}

/// How the points are stored.
fn encoding_name(tags: &Tags) -> &'static str {
    match tags.arrays.iter().find(|array| array.role == Role::Points).map(|array| &array.data) {
        Some(Data::Text(_)) => "ASCII",
        Some(Data::Base64(_)) if tags.compressor.is_some() => "base64, compressed",
        Some(Data::Base64(_)) => "base64",
        Some(Data::Appended(_)) if tags.compressor.is_some() => "appended, compressed",
        Some(Data::Appended(_)) => "appended",
        None => "without points",
    }
}

/// The numbers of one array; `budget` are the bytes that the arrays may still take.
fn read_numbers(
    tags: &Tags,
    array: &ArrayTag,
    kind: ScalarType,
    budget: &mut usize,
) -> Result<Vec<f64>, String> {
    let (stored, is_base64) = match &array.data {
        Data::Text(text) => {
            let mut cursor = Cursor::new(text);
            let mut values = Vec::new();
            loop {
                cursor.skip_whitespace();
                if cursor.remaining() == 0 {
                    return Ok(values);
                }
                let value = cursor.any_real("a number");
                values.push(value.map_err(|fault| format!("is damaged: {}", fault.problem))?);
            }
        }
        Data::Base64(text) => (text.as_ref(), true),
        Data::Appended(offset) => {
            let (bytes, is_base64) =
                tags.appended.ok_or("is said to be appended, but the file has no AppendedData")?;
            let stored = bytes.get(*offset..).ok_or_else(|| {
                format!("begins at byte {offset} of the appended data, which has {} bytes", bytes.len())
            })?;
            (stored, is_base64)
        }
    };
    if stored.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let values = if let Some(compressor) = &tags.compressor {
        let expand = match compressor.as_str() {
            "vtkZLibDataCompressor" => inflate,
            "vtkLZ4DataCompressor" => expand_lz4,
            other => {
                return Err(format!(
                    "is compressed by {other}, which is not read; save the file with the compressor ZLib or LZ4, or with none"
                ));
            }
        };
        kind.numbers(&decompressed(tags, stored, is_base64, budget, expand)?, tags.byte_order)
    } else {
        let size = header(tags, stored, is_base64, 1)?[0];
        let skip = tags.header.size();
        let whole = taken(stored, is_base64, size.saturating_add(skip))?;
        kind.numbers(&whole[skip..], tags.byte_order)
    };
    *budget = budget.checked_sub(size_of_val(values.as_slice())).ok_or(TOO_LARGE)?;
    Ok(values)
}

const TOO_LARGE: &str = "would take more than 100 times the size of the file; write the file again";

/// The first `count` sizes of the header.
fn header(tags: &Tags, stored: &[u8], is_base64: bool, count: usize) -> Result<Vec<usize>, String> {
    let bytes = taken(stored, is_base64, count.saturating_mul(tags.header.size()))?;
    Ok(tags.header.numbers(&bytes, tags.byte_order).into_iter().map(|size| size as usize).collect())
}

/// The first bytes of stored data, decoded.
fn taken(stored: &[u8], is_base64: bool, count: usize) -> Result<Cow<'_, [u8]>, String> {
    let bytes = if is_base64 {
        Cow::Owned(decode(stored, count))
    } else {
        Cow::Borrowed(&stored[..count.min(stored.len())])
    };
    if bytes.len() < count {
        return Err(format!(
            "should have {count} bytes with its sizes, but there are only {}; the file is truncated or the size is wrong",
            bytes.len()
        ));
    }
    Ok(bytes)
}

/// Appends a decompressed block. The numbers are the size that the header gives and the most bytes that may be appended.
type Expand = fn(&[u8], usize, usize, &mut Vec<u8>) -> Result<(), String>;

fn inflate(block: &[u8], _: usize, most: usize, data: &mut Vec<u8>) -> Result<(), String> {
    let read = ZlibDecoder::new(block).take(most as u64 + 1).read_to_end(data);
    read.map(|_| ()).map_err(|error| error.to_string())
}

fn expand_lz4(block: &[u8], size: usize, most: usize, data: &mut Vec<u8>) -> Result<(), String> {
    // A byte of a block stands for 255 at most.
    let size = size.min(most.saturating_add(1)).min(block.len().saturating_mul(255));
    let start = data.len();
    data.resize(start + size, 0);
    let length =
        lz4_flex::block::decompress_into(block, &mut data[start..]).map_err(|error| error.to_string())?;
    data.truncate(start + length);
    Ok(())
}

/// Compressed data.
fn decompressed(
    tags: &Tags,
    stored: &[u8],
    is_base64: bool,
    budget: &mut usize,
    expand: Expand,
) -> Result<Vec<u8>, String> {
    let blocks = header(tags, stored, is_base64, 1)?[0];
    if blocks == 0 {
        return Ok(Vec::new());
    }
    let sizes = header(tags, stored, is_base64, blocks.saturating_add(3))?;
    let first = sizes.len() * tags.header.size();
    let total = sizes[3..].iter().fold(first, |total, &size| total.saturating_add(size));
    let whole = taken(stored, is_base64, total)?;
    let mut data = Vec::new();
    let mut start = first;
    for (block, &size) in sizes[3..].iter().enumerate() {
        let is_partial = block + 1 == blocks && sizes[2] > 0;
        let expanded = if is_partial { sizes[2] } else { sizes[1] };
        let most = budget.saturating_sub(data.len());
        expand(&whole[start..start + size], expanded, most, &mut data).map_err(|error| {
            format!("cannot be decompressed in block {block} ({error}); write the file again")
        })?;
        if data.len() > *budget {
            return Err(TOO_LARGE.to_owned());
        }
        start += size;
    }
    Ok(data)
}
