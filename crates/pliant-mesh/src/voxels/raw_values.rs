//! The numbers of a voxel file: their type, their byte order, their compression.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use crate::fault::Fault;
use crate::scalar_type::{Encoding, ScalarType};

/// How the bytes of the values are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Raw,
    Gzip,
    Zlib,
}

/// Deflate makes nothing smaller than this part of itself.
pub(super) const GREATEST_COMPRESSION: usize = 1032;

/// What is known of the values from a header.
#[derive(Clone, Debug)]
pub(super) struct RawLayout {
    pub counts: [usize; 3],
    pub kind: ScalarType,
    /// Little-endian or big-endian.
    pub order: Encoding,
    pub packing: Packing,
}

impl RawLayout {
    /// Bytes of all values, unpacked; the greatest number where that is no number.
    pub fn byte_count(&self) -> usize {
        self.counts.iter().fold(self.kind.size(), |total, &count| total.saturating_mul(count))
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
            Packing::Raw => Ok(self.kind.singles(&packed[..wanted], self.order)),
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
            Ok(count) if count == wanted => Ok(self.kind.singles(&bytes, self.order)),
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
}
