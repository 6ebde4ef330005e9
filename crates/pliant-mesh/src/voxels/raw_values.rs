//! The numbers of a voxel file: their kind, their byte order, their compression.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use crate::text_lines::Fault;

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl ValueKind {
    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// How the bytes of the values are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Raw,
    Gzip,
    Zlib,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Deflate makes nothing smaller than this part of itself.
const GREATEST_COMPRESSION: usize = 1032;

/// What is known of the values from a header.
#[derive(Clone, Debug)]
pub(super) struct RawLayout {
    pub counts: [usize; 3],
    pub kind: ValueKind,
    pub order: ByteOrder,
    pub packing: Packing,
}

impl RawLayout {
    /// Bytes of all values, unpacked; the greatest number where that is no number.
    pub fn byte_count(&self) -> usize {
        self.counts.iter().fold(self.kind.bytes(), |total, &count| total.saturating_mul(count))
    }

    /// The values that begin at a byte of a file; `packed` is everything from there on.
    ///
    /// Allocates only what the bytes can hold.
    pub fn read(&self, packed: &[u8], start: usize) -> Result<Vec<f32>, Fault> {
        let most = match self.packing {
            Packing::Raw => packed.len(),
            Packing::Gzip | Packing::Zlib => packed.len().saturating_mul(GREATEST_COMPRESSION),
        };
        let wanted = self.byte_count();
        if wanted > most {
            return Err(self.too_short(packed.len(), start));
        }
        match self.packing {
            Packing::Raw => Ok(self.decode(&packed[..wanted])),
            Packing::Gzip => self.inflate(MultiGzDecoder::new(packed), wanted, packed.len(), start),
            Packing::Zlib => self.inflate(ZlibDecoder::new(packed), wanted, packed.len(), start),
        }
    }

    fn inflate(
        &self,
        decoder: impl Read,
        wanted: usize,
        packed: usize,
        start: usize,
    ) -> Result<Vec<f32>, Fault> {
        let mut bytes = Vec::new();
        match decoder.take(wanted as u64).read_to_end(&mut bytes) {
            Ok(count) if count == wanted => Ok(self.decode(&bytes)),
            Ok(_) => Err(self.too_short(packed, start)),
            Err(error) => Err(Fault::byte(
                start,
                format!("the compressed values are damaged ({error}); write the file again"),
            )),
        }
    }

    fn too_short(&self, bytes: usize, start: usize) -> Fault {
        let [x, y, z] = self.counts;
        Fault::byte(
            start,
            format!(
                "{x} x {y} x {z} values should follow, but there are {bytes} bytes; the file is truncated or the sizes are wrong"
            ),
        )
    }

    fn decode(&self, bytes: &[u8]) -> Vec<f32> {
        let little = self.order == ByteOrder::Little;
        let width = self.kind.bytes();
        let mut values = Vec::with_capacity(bytes.len() / width);
        for number in bytes.chunks_exact(width) {
            let mut word = [0; 8];
            for (place, &byte) in number.iter().enumerate() {
                word[if little { place } else { width - 1 - place }] = byte;
            }
            let bits = u64::from_le_bytes(word);
            values.push(match self.kind {
                ValueKind::I8 => f32::from(bits as i8),
                ValueKind::U8 => f32::from(bits as u8),
                ValueKind::I16 => f32::from(bits as i16),
                ValueKind::U16 => f32::from(bits as u16),
                ValueKind::I32 => bits as i32 as f32,
                ValueKind::U32 => bits as u32 as f32,
                ValueKind::I64 => bits as i64 as f32,
                ValueKind::U64 => bits as f32,
                ValueKind::F32 => f32::from_bits(bits as u32),
                ValueKind::F64 => f64::from_bits(bits) as f32,
            });
        }
        values
    }
}
