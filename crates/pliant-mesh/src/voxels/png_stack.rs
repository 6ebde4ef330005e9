//! A folder of PNG images, one a layer, in the order of the numbers in their names.
//!
//! Grey images of up to 16 bits and images with a palette (the value is the number of the colour). Columns are the first
//! axis, rows from the top the second.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::raw_values::GREATEST_COMPRESSION;
use super::read_voxels::RawVolume;
use crate::MeshError;
use crate::fault::Fault;

pub(super) fn read_png_stack(path: &Path) -> Result<RawVolume, MeshError> {
    let files = layers(path)?;
    let mut values = Vec::new();
    let mut size = None;
    for file in &files {
        let layer = read_layer(file)?;
        let first = *size.get_or_insert(layer.size);
        if layer.size != first {
            let problem = format!(
                "the image has {:?} pixels, but the first of the stack has {first:?}; give all the same size",
                layer.size
            );
            return Err(Fault::byte(16, problem).in_file(file));
        }
        values.extend(layer.values);
    }
    let [columns, rows] = size.unwrap_or_default();
    Ok(RawVolume {
        format: "stack of PNG images".to_owned(),
        counts: [columns, rows, files.len()],
        origin: [0.0; 3],
        steps: super::read_voxels::along_axes([1.0; 3]),
        unit: None,
        values,
    })
}

/// The PNG files of a folder, in natural order: `layer2.png` before `layer10.png`.
fn layers(path: &Path) -> Result<Vec<PathBuf>, MeshError> {
    let failed = |source| MeshError::ReadFile { path: path.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            files.push(file);
        }
    }
    files.sort_by_key(|file| natural_key(&file.file_name().unwrap_or_default().to_string_lossy()));
    if files.is_empty() {
        return Err(MeshError::UnknownVoxelFormat { path: path.to_owned() });
    }
    Ok(files)
}

/// The name with every run of digits filled up with zeros in front, then the name itself.
fn natural_key(name: &str) -> (String, String) {
    const DIGITS: usize = 20;
    let mut key = String::new();
    let mut digits = String::new();
    for character in name.chars().chain(['\0']) {
        if character.is_ascii_digit() {
            digits.push(character);
        } else {
            if !digits.is_empty() {
                key.extend(std::iter::repeat_n('0', DIGITS.saturating_sub(digits.len())));
                key.push_str(&digits);
                digits.clear();
            }
            key.push(character);
        }
    }
    (key, name.to_owned())
}

struct Layer {
    /// Columns and rows.
    size: [usize; 2],
    values: Vec<f32>,
}

fn read_layer(path: &Path) -> Result<Layer, MeshError> {
    let failed = |source| MeshError::ReadFile { path: path.to_owned(), source };
    let damaged = |problem: String| Fault::byte(0, problem).in_file(path);
    let file = File::open(path).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    let mut decoder = png::Decoder::new(BufReader::new(file));
    // Numbers of colours stay numbers.
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader =
        decoder.read_info().map_err(|error| damaged(format!("the image is damaged ({error})")))?;
    let (color, depth) = reader.output_color_type();
    if !matches!(color, png::ColorType::Grayscale | png::ColorType::Indexed) {
        return Err(damaged(format!("the image has {color:?} pixels; save it as grey or with a palette")));
    }
    let [width, height] = [reader.info().width as usize, reader.info().height as usize];
    let size = reader
        .output_buffer_size()
        .filter(|&size| size as u64 <= bytes.saturating_mul(GREATEST_COMPRESSION as u64));
    let Some(size) = size else {
        return Err(damaged(format!(
            "the image announces {width} x {height} pixels, more than its {bytes} bytes can hold"
        )));
    };
    let mut buffer = vec![0; size];
    let frame =
        reader.next_frame(&mut buffer).map_err(|error| damaged(format!("the image is damaged ({error})")))?;
    let bits = depth as usize;
    let mut values = Vec::with_capacity(width * height);
    for row in buffer.chunks_exact(frame.line_size).take(height) {
        values.extend((0..width).map(|column| match bits {
            16 => f32::from(u16::from_be_bytes([row[2 * column], row[2 * column + 1]])),
            _ => {
                let shift = 8 - bits - column * bits % 8;
                let byte = u16::from(row[column * bits / 8]);
                f32::from((byte >> shift) & ((1 << bits) - 1))
            }
        }));
    }
    Ok(Layer { size: [width, height], values })
}
