//! The types of numbers in files, and how they are stored.

/// How a file stores numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// A type of numbers with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarType {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

impl ScalarType {
    /// The type with this name in an XML file.
    pub fn of_xml(name: &str) -> Option<Self> {
        Some(match name {
            "Int8" => Self::Signed(1),
            "Int16" => Self::Signed(2),
            "Int32" => Self::Signed(4),
            "Int64" => Self::Signed(8),
            "UInt8" => Self::Unsigned(1),
            "UInt16" => Self::Unsigned(2),
            "UInt32" => Self::Unsigned(4),
            "UInt64" => Self::Unsigned(8),
            "Float32" => Self::Float(4),
            "Float64" => Self::Float(8),
            _ => return None,
        })
    }

    /// The type with this name in a legacy file, where `vtkIdType` has 4 bytes and `long` has 8.
    pub fn of_legacy(name: &[u8]) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_slice() {
            b"char" | b"signed_char" | b"vtktypeint8" => Self::Signed(1),
            b"short" | b"vtktypeint16" => Self::Signed(2),
            b"int" | b"vtkidtype" | b"vtktypeint32" => Self::Signed(4),
            b"long" | b"long_long" | b"vtktypeint64" => Self::Signed(8),
            b"unsigned_char" | b"vtktypeuint8" => Self::Unsigned(1),
            b"unsigned_short" | b"vtktypeuint16" => Self::Unsigned(2),
            b"unsigned_int" | b"vtktypeuint32" => Self::Unsigned(4),
            b"unsigned_long" | b"unsigned_long_long" | b"vtktypeuint64" => Self::Unsigned(8),
            b"float" => Self::Float(4),
            b"double" => Self::Float(8),
            _ => return None,
        })
    }

    /// The type with this name in a PLY file.
    pub fn of_ply(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::Signed(1),
            "uchar" | "uint8" => Self::Unsigned(1),
            "short" | "int16" => Self::Signed(2),
            "ushort" | "uint16" => Self::Unsigned(2),
            "int" | "int32" => Self::Signed(4),
            "uint" | "uint32" => Self::Unsigned(4),
            "float" | "float32" => Self::Float(4),
            "double" | "float64" => Self::Float(8),
            _ => return None,
        })
    }

    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::Signed(size) | Self::Unsigned(size) | Self::Float(size) => size,
        }
    }

    /// The numbers in the bytes; bytes after the last whole one are left out.
    pub fn numbers(self, bytes: &[u8], encoding: Encoding) -> Vec<f64> {
        // The types of large arrays, without looking at the type for every number.
        match (self, encoding == Encoding::BigEndian) {
            (Self::Float(8), false) => words(bytes).map(f64::from_le_bytes).collect(),
            (Self::Float(8), true) => words(bytes).map(f64::from_be_bytes).collect(),
            (Self::Signed(8), false) => words(bytes).map(|word| i64::from_le_bytes(word) as f64).collect(),
            (Self::Signed(8), true) => words(bytes).map(|word| i64::from_be_bytes(word) as f64).collect(),
            (Self::Signed(4), false) => {
                words(bytes).map(|word| f64::from(i32::from_le_bytes(word))).collect()
            }
            (Self::Signed(4), true) => words(bytes).map(|word| f64::from(i32::from_be_bytes(word))).collect(),
            _ => bytes.chunks_exact(self.size()).map(|bytes| self.number(bytes, encoding)).collect(),
        }
    }

    /// [`ScalarType::numbers`] as f32, half the memory.
    pub fn singles(self, bytes: &[u8], encoding: Encoding) -> Vec<f32> {
        bytes.chunks_exact(self.size()).map(|bytes| self.number(bytes, encoding) as f32).collect()
    }

    /// The number in its bytes.
    pub fn number(self, bytes: &[u8], encoding: Encoding) -> f64 {
        let mut wide = [0; 8];
        if encoding == Encoding::BigEndian {
            wide[8 - bytes.len()..].copy_from_slice(bytes);
            wide.reverse();
        } else {
            wide[..bytes.len()].copy_from_slice(bytes);
        }
        let bits = u64::from_le_bytes(wide);
        match self {
            Self::Unsigned(_) => bits as f64,
            Self::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                (((bits << unused) as i64) >> unused) as f64
            }
            Self::Float(4) => f64::from(f32::from_bits(bits as u32)),
            Self::Float(_) => f64::from_bits(bits),
        }
    }
}

/// The bytes in words of N.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_and_byte_order_are_read() {
        let little = Encoding::LittleEndian;
        let big = Encoding::BigEndian;
        assert_eq!(ScalarType::Signed(1).numbers(&[255, 127], little), [-1.0, 127.0]);
        assert_eq!(ScalarType::Unsigned(2).numbers(&[1, 2], big), [258.0]);
        assert_eq!(ScalarType::Signed(4).numbers(&(-7i32).to_be_bytes(), big), [-7.0]);
        assert_eq!(ScalarType::Signed(8).numbers(&(-7i64).to_le_bytes(), little), [-7.0]);
        assert_eq!(ScalarType::Signed(4).numbers(&[254, 255, 255, 255, 1], little), [-2.0]);
        assert_eq!(ScalarType::Signed(8).numbers(&(1i64 << 40).to_be_bytes(), big), [2f64.powi(40)]);
        assert_eq!(ScalarType::Float(8).numbers(&(-0.1f64).to_be_bytes(), big), [-0.1]);
        assert_eq!(ScalarType::Float(4).numbers(&0.5f32.to_be_bytes(), big), [0.5]);
        assert_eq!(ScalarType::Float(8).numbers(&0.1f64.to_le_bytes(), little), [0.1]);
    }
}
