//! Reading an outline of any known format, in metres.

use std::path::Path;

use super::dxf::read_dxf;
use super::outline::Outline;
use super::polygon_list::{read_json, read_toml};
use super::svg::read_svg;
use crate::{LengthUnit, MeshError};

/// How an outline is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineOptions {
    /// Unit of the file's lengths. Default: none given, the one that the file states, or else m.
    pub unit: Option<LengthUnit>,
    /// How far a straight piece may be from its curve, as a fraction of the drawing's longest side, from 1e-6 to 0.1.
    /// Default: 5e-4.
    pub flatness: f64,
}

impl Default for OutlineOptions {
    fn default() -> Self {
        Self { unit: None, flatness: 5e-4 }
    }
}

/// Reads an SVG or DXF drawing, or a list of polygons (`.toml`, `.json`); the format is told by the extension.
///
/// # Errors
/// A file that cannot be read, of another format, malformed or truncated, or a flatness out of its range.
pub fn read_outline(path: impl AsRef<Path>, options: &OutlineOptions) -> Result<Outline, MeshError> {
    let path = path.as_ref();
    let bytes =
        std::fs::read(path).map_err(|source| MeshError::ReadFile { path: path.to_owned(), source })?;
    parse_outline(path, &bytes, options)
}

pub(super) fn parse_outline(
    path: &Path,
    bytes: &[u8],
    options: &OutlineOptions,
) -> Result<Outline, MeshError> {
    if !(1e-6..=0.1).contains(&options.flatness) {
        let problem = format!("the flatness is {}; give a number from 1e-6 to 0.1", options.flatness);
        return Err(MeshError::InvalidMesher { problem });
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let extension =
        path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    let drawing = match extension.as_str() {
        "svg" => read_svg(text, options.flatness),
        "dxf" => read_dxf(text, options.flatness),
        "toml" => read_toml(text),
        "json" => read_json(text),
        _ => return Err(MeshError::UnknownOutlineFormat { path: path.to_owned() }),
    };
    let drawing = drawing.map_err(|fault| fault.in_file(path))?;
    let unit = options.unit.or(drawing.unit).unwrap_or(LengthUnit::Metre);
    Ok(drawing.outline.scaled(unit.metres()))
}
