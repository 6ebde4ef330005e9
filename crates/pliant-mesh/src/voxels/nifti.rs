//! NIfTI-1 and NIfTI-2 in one file (`.nii`, `.nii.gz`): a header of 348 or 540 bytes, the values at its `vox_offset`.
//!
//! Places are those of the sform if it has a code, else of the qform, else of the voxel sizes alone; the unit is that of
//! `xyzt_units`. Values are `scl_slope * stored + scl_inter` where the slope is not 0.
//!
//! Source: the headers `nifti1.h` and `nifti2.h` of the NIfTI working group.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::raw_values::{Packing, RawLayout};
use super::read_voxels::RawVolume;
use crate::LengthUnit;
use crate::MeshError;
use crate::fault::Fault;
use crate::scalar_type::{Encoding, ScalarType};

/// Where a version has the fields of its header.
struct Places {
    name: &'static str,
    length: usize,
    magic: (usize, &'static [u8]),
    /// Number of axes, then the voxels along seven.
    dim: (ScalarType, usize),
    datatype: usize,
    /// The type of the real numbers.
    real: ScalarType,
    /// Handedness, then the size of a voxel along seven axes.
    pixdim: usize,
    vox_offset: (ScalarType, usize),
    /// Slope and intercept.
    scaling: usize,
    units: (ScalarType, usize),
    /// Codes of the qform and of the sform.
    codes: (ScalarType, usize),
    /// Three numbers, then three of the origin.
    quaternion: usize,
    /// Three rows of four numbers.
    rows: usize,
}

const NIFTI_1: Places = Places {
    name: "NIfTI-1",
    length: 348,
    magic: (344, b"n+1\0"),
    dim: (ScalarType::Signed(2), 40),
    datatype: 70,
    real: ScalarType::Float(4),
    pixdim: 76,
    vox_offset: (ScalarType::Float(4), 108),
    scaling: 112,
    units: (ScalarType::Unsigned(1), 123),
    codes: (ScalarType::Signed(2), 252),
    quaternion: 256,
    rows: 280,
};

const NIFTI_2: Places = Places {
    name: "NIfTI-2",
    length: 540,
    magic: (4, b"n+2\0\r\n\x1a\n"),
    dim: (ScalarType::Signed(8), 16),
    datatype: 12,
    real: ScalarType::Float(8),
    pixdim: 104,
    vox_offset: (ScalarType::Signed(8), 168),
    scaling: 176,
    units: (ScalarType::Signed(4), 500),
    codes: (ScalarType::Signed(4), 344),
    quaternion: 352,
    rows: 400,
};

/// Bytes before the values of a file: the header and the extensions. Far more than any has.
const MOST_BEFORE: usize = 16 << 20;

/// Whether the bytes of an unpacked file begin as NIfTI in one file.
pub(super) fn is_nifti(bytes: &[u8]) -> bool {
    places(bytes).is_some()
}

fn places(bytes: &[u8]) -> Option<&'static Places> {
    [&NIFTI_1, &NIFTI_2].into_iter().find(|places| {
        let (at, magic) = places.magic;
        bytes.len() >= places.length && bytes[at..].starts_with(magic)
    })
}

pub(super) fn read_nifti(path: &Path, bytes: &[u8]) -> Result<RawVolume, MeshError> {
    read(bytes).map_err(|fault| fault.in_file(path))
}

fn read(bytes: &[u8]) -> Result<RawVolume, Fault> {
    let packed = bytes.starts_with(&[0x1f, 0x8b]);
    let mut head = Cow::Borrowed(bytes);
    if packed {
        let mut unpacked = Vec::new();
        // The start of a damaged stream is enough here; its damage shows when the values are read.
        let _ = MultiGzDecoder::new(bytes).take(NIFTI_2.length as u64).read_to_end(&mut unpacked);
        head = Cow::Owned(unpacked);
    }
    let Some(places) = places(&head) else {
        let problem =
            "this is not NIfTI in one file (n+1 at byte 344, or n+2 at byte 4); save it as .nii or .nii.gz";
        return Err(Fault::byte(344.min(bytes.len()), problem));
    };
    let header = Header { bytes: &head, order: order(&head, places)?, places };
    let layout = header.layout()?;
    let (kind, at) = places.vox_offset;
    let offset = header.number(kind, at);
    if !(offset >= places.length as f64 && offset <= MOST_BEFORE as f64 && offset.fract() == 0.0) {
        let problem = format!("vox_offset should be a whole number from {}, but is {offset}", places.length);
        return Err(Fault::byte(at, problem));
    }
    let offset = offset as usize;
    let unpacked = if packed {
        Cow::Owned(unpack(bytes, layout.byte_count().saturating_add(offset))?)
    } else {
        Cow::Borrowed(bytes)
    };
    let mut values = layout.read(unpacked.get(offset..).unwrap_or(&[]), offset)?;
    let [slope, intercept] = header.reals(places.scaling);
    if slope != 0.0 && slope.is_finite() && intercept.is_finite() && (slope, intercept) != (1.0, 0.0) {
        for value in &mut values {
            *value = (slope * f64::from(*value) + intercept) as f32;
        }
    }
    let (origin, steps) = header.placement();
    let (kind, at) = places.units;
    let unit = match header.number(kind, at) as i64 & 7 {
        1 => Some(LengthUnit::Metre),
        2 => Some(LengthUnit::Millimetre),
        3 => Some(LengthUnit::Micrometre),
        _ => None,
    };
    let format = format!("{}{}", places.name, if packed { ", compressed" } else { "" });
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
fn order(head: &[u8], places: &Places) -> Result<Encoding, Fault> {
    let length = |order| ScalarType::Signed(4).number(&head[..4], order);
    let orders = [Encoding::LittleEndian, Encoding::BigEndian];
    match orders.into_iter().find(|&order| length(order) == places.length as f64) {
        Some(order) => Ok(order),
        None => {
            let problem = format!(
                "the header should begin with its length {}, but there is {}",
                places.length,
                length(Encoding::LittleEndian)
            );
            Err(Fault::byte(0, problem))
        }
    }
}

/// The numbers of the header, at their bytes.
struct Header<'a> {
    bytes: &'a [u8],
    order: Encoding,
    places: &'static Places,
}

impl Header<'_> {
    fn number(&self, kind: ScalarType, at: usize) -> f64 {
        kind.number(&self.bytes[at..at + kind.size()], self.order)
    }

    /// Real numbers that follow each other.
    fn reals<const N: usize>(&self, at: usize) -> [f64; N] {
        let kind = self.places.real;
        std::array::from_fn(|index| self.number(kind, at + index * kind.size()))
    }

    fn layout(&self) -> Result<RawLayout, Fault> {
        let (kind, at) = self.places.dim;
        let dim: [f64; 8] = std::array::from_fn(|index| self.number(kind, at + index * kind.size()));
        let counts = &dim[1..];
        let one_volume = (3.0..=7.0).contains(&dim[0])
            && counts[..3].iter().all(|&count| count > 0.0)
            && counts[3..dim[0] as usize].iter().all(|&count| count == 1.0);
        if !one_volume {
            let problem =
                format!("dim should be three axes with one value a voxel, but is {}: {counts:?}", dim[0]);
            return Err(Fault::byte(at, problem));
        }
        let kind = match self.number(ScalarType::Signed(2), self.places.datatype) as i64 {
            2 => ScalarType::Unsigned(1),
            4 => ScalarType::Signed(2),
            8 => ScalarType::Signed(4),
            16 => ScalarType::Float(4),
            64 => ScalarType::Float(8),
            256 => ScalarType::Signed(1),
            512 => ScalarType::Unsigned(2),
            768 => ScalarType::Unsigned(4),
            1024 => ScalarType::Signed(8),
            1280 => ScalarType::Unsigned(8),
            other => {
                let problem =
                    format!("datatype {other} is not a kind of real number; save the volume as numbers");
                return Err(Fault::byte(self.places.datatype, problem));
            }
        };
        let counts = std::array::from_fn(|axis| counts[axis] as usize);
        Ok(RawLayout { counts, kind, order: self.order, packing: Packing::Raw })
    }

    /// Origin and steps, in the unit of the file.
    fn placement(&self) -> ([f64; 3], [[f64; 3]; 3]) {
        let (kind, codes) = self.places.codes;
        if self.number(kind, codes + kind.size()) > 0.0 {
            let row_size = 4 * self.places.real.size();
            let rows: [[f64; 4]; 3] =
                std::array::from_fn(|axis| self.reals(self.places.rows + axis * row_size));
            let steps = std::array::from_fn(|step| std::array::from_fn(|axis| rows[axis][step]));
            return (rows.map(|row| row[3]), steps);
        }
        let [handedness, spacing @ ..]: [f64; 4] = self.reals(self.places.pixdim);
        if self.number(kind, codes) <= 0.0 {
            return ([0.0; 3], super::read_voxels::along_axes(spacing));
        }
        let [b, c, d, origin @ ..]: [f64; 6] = self.reals(self.places.quaternion);
        let a = (1.0 - b * b - c * c - d * d).max(0.0).sqrt();
        let rotation = [
            [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), a * a + c * c - b * b - d * d, 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ];
        // The third axis may be turned back.
        let scale = [spacing[0], spacing[1], if handedness < 0.0 { -spacing[2] } else { spacing[2] }];
        let steps =
            std::array::from_fn(|step| std::array::from_fn(|axis| scale[step] * rotation[axis][step]));
        (origin, steps)
    }
}
