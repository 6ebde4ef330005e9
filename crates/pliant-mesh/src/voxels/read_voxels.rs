//! Reading a voxel volume of any known format, in metres.

use std::path::Path;

use super::meta_image::read_meta_image;
use super::nifti::{is_nifti, read_nifti};
use super::nrrd::read_nrrd;
use super::png_stack::read_png_stack;
use super::voxel_volume::{VoxelGrid, VoxelVolume};
use crate::LengthUnit;
use crate::MeshError;

/// What a file leaves open, or has wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VoxelOptions {
    /// Unit of the file's lengths. Default: none given, the one that the file states, or else m.
    pub unit: Option<LengthUnit>,
    /// Size of a voxel in the file's unit, instead of the file's. Default: none given.
    pub spacing: Option<[f64; 3]>,
}

/// What a format's reader finds.
pub(super) struct RawVolume {
    pub format: String,
    pub counts: [usize; 3],
    /// In the file's unit.
    pub origin: [f64; 3],
    /// In the file's unit.
    pub steps: [[f64; 3]; 3],
    pub unit: Option<LengthUnit>,
    pub values: Vec<f32>,
}

/// Steps along the axes of space.
pub(super) fn along_axes(spacing: [f64; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|step| std::array::from_fn(|axis| if axis == step { spacing[step] } else { 0.0 }))
}

/// Reads a volume and the name of its format: NRRD (raw, gzip; detached), MetaImage (`.mhd`, `.mha`), NIfTI-1 and -2 (`.nii`,
/// `.nii.gz`) or a folder of PNG images. One value a voxel. O(voxels), 4 bytes each.
///
/// # Errors
/// A file that cannot be read, of another format, malformed or truncated, or a volume that [`VoxelVolume::new`] refuses.
pub fn read_voxels(
    path: impl AsRef<Path>,
    options: &VoxelOptions,
) -> Result<(VoxelVolume, String), MeshError> {
    let path = path.as_ref();
    let raw = if path.is_dir() {
        read_png_stack(path)?
    } else {
        let bytes =
            std::fs::read(path).map_err(|source| MeshError::ReadFile { path: path.to_owned(), source })?;
        parse_voxels(path, &bytes)?
    };
    finish(path, raw, options)
}

/// The volume in the bytes of a file.
pub(super) fn parse_voxels(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let ends = |extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
    if bytes.starts_with(b"NRRD") {
        read_nrrd(path, bytes)
    } else if is_nifti(bytes) || ends(&[".nii", ".nii.gz"]) {
        read_nifti(path, bytes)
    } else if ends(&[".mhd", ".mha"]) {
        read_meta_image(path, bytes)
    } else {
        Err(MeshError::UnknownVoxelFormat { path: path.to_owned() })
    }
}

pub(super) fn finish(
    path: &Path,
    raw: RawVolume,
    options: &VoxelOptions,
) -> Result<(VoxelVolume, String), MeshError> {
    let metres = options.unit.or(raw.unit).unwrap_or(LengthUnit::Metre).metres();
    let mut steps = raw.steps;
    if let Some(spacing) = options.spacing {
        for (step, spacing) in steps.iter_mut().zip(spacing) {
            let length = step.iter().map(|value| value * value).sum::<f64>().sqrt();
            *step = step.map(|value| value / length * spacing);
        }
    }
    let grid = VoxelGrid {
        counts: raw.counts,
        origin: raw.origin.map(|value| value * metres),
        steps: steps.map(|step| step.map(|value| value * metres)),
    };
    let volume = VoxelVolume::new(grid, raw.values)
        .map_err(|source| MeshError::InFile { path: path.to_owned(), source: Box::new(source) })?;
    Ok((volume, raw.format))
}
