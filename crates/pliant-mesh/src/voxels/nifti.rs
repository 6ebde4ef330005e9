//! NIfTI-1 in one file (`.nii`, `.nii.gz`): a header of 348 bytes, the values at its `vox_offset`.
//!
//! Places are those of the sform if it has a code, else of the qform, else of the voxel sizes alone; the unit is that of
//! `xyzt_units`. Values are `scl_slope * stored + scl_inter` where the slope is not 0.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::raw_values::{ByteOrder, Packing, RawLayout, ValueKind};
use super::read_voxels::RawVolume;
use crate::LengthUnit;
use crate::MeshError;
use crate::text_lines::Fault;

const HEADER: usize = 348;

/// Bytes before the values of a file: the header and the extensions. Far more than any has.
const MOST_BEFORE: usize = 16 << 20;

/// Whether the bytes of an unpacked file begin as NIfTI-1 in one file.
pub(super) fn is_nifti(bytes: &[u8]) -> bool {
    bytes.get(344..HEADER) == Some(b"n+1\0")
}

pub(super) fn read_nifti(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    read(bytes).map_err(|fault| fault.in_file(path))
}

fn read(bytes: &[u8]) -> Result<RawVolume, Fault> {
    let packed = bytes.starts_with(&[0x1f, 0x8b]);
    let mut head = Vec::new();
    if packed {
        // The start of a damaged stream is enough here; its damage shows when the values are read.
        let _ = MultiGzDecoder::new(bytes).take(HEADER as u64).read_to_end(&mut head);
    } else {
        head.extend_from_slice(&bytes[..bytes.len().min(HEADER)]);
    }
    if !is_nifti(&head) {
        let problem = "this is not NIfTI-1 in one file (n+1 at byte 344); save it as .nii or .nii.gz";
        return Err(Fault::byte(344.min(bytes.len()), problem));
    }
    let header = Header { bytes: &head, order: order(&head)? };
    let layout = header.layout()?;
    let offset = header.real(108);
    if !(offset >= HEADER as f64 && offset <= MOST_BEFORE as f64 && offset.fract() == 0.0) {
        return Err(Fault::byte(
            108,
            format!("vox_offset should be a whole number from {HEADER}, but is {offset}"),
        ));
    }
    let offset = offset as usize;
    let unpacked =
        if packed { unpack(bytes, layout.byte_count().saturating_add(offset))? } else { bytes.to_vec() };
    let mut values = layout.read(unpacked.get(offset..).unwrap_or(&[]), offset)?;
    let (slope, intercept) = (header.real(112), header.real(116));
    if slope != 0.0 && slope.is_finite() && intercept.is_finite() && (slope, intercept) != (1.0, 0.0) {
        for value in &mut values {
            *value = (slope * f64::from(*value) + intercept) as f32;
        }
    }
    let (origin, steps) = header.placement();
    let unit = match head[123] & 7 {
        1 => Some(LengthUnit::Metre),
        2 => Some(LengthUnit::Millimetre),
        3 => Some(LengthUnit::Micrometre),
        _ => None,
    };
    let format = if packed { "NIfTI-1, compressed" } else { "NIfTI-1" }.to_owned();
    Ok(RawVolume { format, counts: layout.counts, origin, steps, unit, values })
}

/// The first bytes of a compressed file.
fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>, Fault> {
    let mut unpacked = Vec::new();
    match MultiGzDecoder::new(bytes).take(most as u64).read_to_end(&mut unpacked) {
        Ok(_) => Ok(unpacked),
        Err(error) => {
            Err(Fault::byte(0, format!("the compressed file is damaged ({error}); write it again")))
        }
    }
}

/// The byte order in which the header's first number is its length.
fn order(head: &[u8]) -> Result<ByteOrder, Fault> {
    let first = [head[0], head[1], head[2], head[3]];
    match (i32::from_le_bytes(first), i32::from_be_bytes(first)) {
        (348, _) => Ok(ByteOrder::Little),
        (_, 348) => Ok(ByteOrder::Big),
        (other, _) => {
            Err(Fault::byte(0, format!("the header should begin with its length 348, but there is {other}")))
        }
    }
}

/// The numbers of the header, at their bytes.
struct Header<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
}

impl Header<'_> {
    fn short(&self, at: usize) -> i16 {
        let bytes = [self.bytes[at], self.bytes[at + 1]];
        if self.order == ByteOrder::Little { i16::from_le_bytes(bytes) } else { i16::from_be_bytes(bytes) }
    }

    fn real(&self, at: usize) -> f64 {
        let bytes = [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]];
        f64::from(if self.order == ByteOrder::Little {
            f32::from_le_bytes(bytes)
        } else {
            f32::from_be_bytes(bytes)
        })
    }

    fn layout(&self) -> Result<RawLayout, Fault> {
        let dimensions = self.short(40);
        let counts: Vec<i16> = (1..8).map(|axis| self.short(40 + 2 * axis)).collect();
        let used = usize::try_from(dimensions).unwrap_or(0);
        let one_volume = (3..=7).contains(&used)
            && counts[..3].iter().all(|&count| count > 0)
            && counts[3..used].iter().all(|&count| count == 1);
        if !one_volume {
            let problem =
                format!("dim should be three axes with one value a voxel, but is {dimensions}: {counts:?}");
            return Err(Fault::byte(40, problem));
        }
        let kind = match self.short(70) {
            2 => ValueKind::U8,
            4 => ValueKind::I16,
            8 => ValueKind::I32,
            16 => ValueKind::F32,
            64 => ValueKind::F64,
            256 => ValueKind::I8,
            512 => ValueKind::U16,
            768 => ValueKind::U32,
            1024 => ValueKind::I64,
            1280 => ValueKind::U64,
            other => {
                let problem =
                    format!("datatype {other} is not a kind of real number; save the volume as numbers");
                return Err(Fault::byte(70, problem));
            }
        };
        let counts = [counts[0], counts[1], counts[2]].map(|count| count.unsigned_abs() as usize);
        Ok(RawLayout { counts, kind, order: self.order, packing: Packing::Raw })
    }

    /// Origin and steps, in the unit of the file.
    fn placement(&self) -> ([f64; 3], [[f64; 3]; 3]) {
        if self.short(254) > 0 {
            let row = |axis: usize| 280 + 16 * axis;
            let steps =
                std::array::from_fn(|step| std::array::from_fn(|axis| self.real(row(axis) + 4 * step)));
            return (std::array::from_fn(|axis| self.real(row(axis) + 12)), steps);
        }
        let spacing: [f64; 3] = std::array::from_fn(|axis| self.real(80 + 4 * axis));
        if self.short(252) <= 0 {
            return ([0.0; 3], super::read_voxels::along_axes(spacing));
        }
        let [b, c, d] = [256, 260, 264].map(|at| self.real(at));
        let a = (1.0 - b * b - c * c - d * d).max(0.0).sqrt();
        let rotation = [
            [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), a * a + c * c - b * b - d * d, 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ];
        // The third axis may be turned back.
        let handedness = if self.real(76) < 0.0 { -1.0 } else { 1.0 };
        let scale = [spacing[0], spacing[1], handedness * spacing[2]];
        let steps =
            std::array::from_fn(|step| std::array::from_fn(|axis| scale[step] * rotation[axis][step]));
        ([268, 272, 276].map(|at| self.real(at)), steps)
    }
}
