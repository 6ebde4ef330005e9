//! One array: `\x93NUMPY`, the version, the length of the header, a Python dictionary, and the numbers.

use crate::scalar_type::{Encoding, ScalarType};

/// An array of numbers or of strings, in C order.
#[derive(Clone, Debug, PartialEq)]
pub enum NumpyArray {
    /// Real numbers, integers or truth values of any size.
    Numbers {
        /// Lengths of its dimensions; none for a single number.
        shape: Vec<usize>,
        /// As many as the lengths multiply to. Integers beyond 2^53 are rounded.
        values: Vec<f64>,
    },
    /// Strings of any shape.
    Strings(Vec<String>),
}

/// Reads the bytes of an `.npy` file, of either byte order and either order of rows and columns.
///
/// # Errors
/// What is wrong and what to do, to follow the name of the array.
pub fn read_npy(bytes: &[u8]) -> Result<NumpyArray, String> {
    let truncated = || "ends inside its header; the file is truncated, so write it again".to_owned();
    let [b'\x93', b'N', b'U', b'M', b'P', b'Y', major, _, rest @ ..] = bytes else {
        return Err("is not in NumPy's format; save it with numpy.savez".to_owned());
    };
    let (length, rest) = if *major == 1 {
        let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(truncated)?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(truncated)?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(truncated)?;
    let header = String::from_utf8_lossy(header);
    let unclear = || format!("has a header that cannot be read: {}", header.trim().escape_default());
    let descr = value_of(&header, "descr").and_then(quoted).ok_or_else(unclear)?;
    let is_fortran = value_of(&header, "fortran_order").ok_or_else(unclear)?.starts_with("True");
    let shape = value_of(&header, "shape").and_then(tuple).ok_or_else(unclear)?;
    let count = shape.iter().try_fold(1usize, |count, &length| count.checked_mul(length));
    let fits =
        |size: usize| count.filter(|&count| count.checked_mul(size).is_some_and(|total| total <= data.len()));
    let short = || {
        format!(
            "has the shape {shape:?}, but only {} bytes of data; the file is truncated, so write it again",
            data.len()
        )
    };
    if let Some((width, is_wide)) = string_width(descr) {
        let count = fits(width.max(1)).ok_or_else(short)?;
        if width == 0 {
            return Ok(NumpyArray::Strings(vec![String::new(); count]));
        }
        let strings =
            data[..count * width].chunks_exact(width).map(|entry| read_string(entry, is_wide, descr));
        return Ok(NumpyArray::Strings(strings.collect()));
    }
    let (kind, encoding) = scalar_type(descr)
        .ok_or_else(|| format!("has the type {descr:?}; save numbers such as float64 or int64"))?;
    let count = fits(kind.size()).ok_or_else(short)?;
    let mut values = kind.numbers(&data[..count * kind.size()], encoding);
    if is_fortran && shape.len() == 2 {
        let (rows, columns) = (shape[0], shape[1]);
        values = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| column * rows + row))
            .map(|at| values[at])
            .collect();
    } else if is_fortran && shape.len() > 2 {
        return Err("is in Fortran order with more than two dimensions; save it in C order".to_owned());
    }
    Ok(NumpyArray::Numbers { shape, values })
}

/// What follows a key of the dictionary.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let place = header.find(&format!("'{key}'"))?;
    Some(header[place + key.len() + 2..].trim_start().strip_prefix(':')?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\'')?;
    Some(&text[..text.find('\'')?])
}

fn tuple(text: &str) -> Option<Vec<usize>> {
    let text = text.strip_prefix('(')?;
    let numbers = text[..text.find(')')?].split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

fn scalar_type(descr: &str) -> Option<(ScalarType, Encoding)> {
    let (order, kind) = descr.split_at_checked(1)?;
    let encoding = match order {
        "<" | "|" | "=" => Encoding::LittleEndian,
        ">" => Encoding::BigEndian,
        _ => return None,
    };
    let kind = match kind {
        "b1" | "u1" => ScalarType::Unsigned(1),
        "u2" => ScalarType::Unsigned(2),
        "u4" => ScalarType::Unsigned(4),
        "u8" => ScalarType::Unsigned(8),
        "i1" => ScalarType::Signed(1),
        "i2" => ScalarType::Signed(2),
        "i4" => ScalarType::Signed(4),
        "i8" => ScalarType::Signed(8),
        "f4" => ScalarType::Float(4),
        "f8" => ScalarType::Float(8),
        _ => return None,
    };
    Some((kind, encoding))
}

/// Bytes of one string, and whether its characters have four bytes each.
fn string_width(descr: &str) -> Option<(usize, bool)> {
    let kind = descr.get(1..2)?;
    let width: usize = descr.get(2..)?.parse().ok()?;
    match kind {
        "U" => Some((width.checked_mul(4)?, true)),
        "S" => Some((width, false)),
        _ => None,
    }
}

fn read_string(entry: &[u8], is_wide: bool, descr: &str) -> String {
    let text = if is_wide {
        let letter = |bytes: &[u8; 4]| {
            let code =
                if descr.starts_with('>') { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) };
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        entry.as_chunks::<4>().0.iter().map(letter).collect()
    } else {
        String::from_utf8_lossy(entry).into_owned()
    };
    text.trim_end_matches('\0').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn npy(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    #[test]
    fn rows_of_either_order_come_out_in_c_order() {
        let numbers = NumpyArray::Numbers { shape: vec![2, 3], values: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        let c = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", &[1, 2, 3, 4, 5, 6]);
        assert_eq!(read_npy(&c).unwrap(), numbers);
        let fortran = npy("{'shape':(2,3),'descr':'|i1','fortran_order':True}", &[1, 4, 2, 5, 3, 6]);
        assert_eq!(read_npy(&fortran).unwrap(), numbers);
    }

    #[test]
    fn a_shape_that_the_data_does_not_fill_is_refused() {
        let large =
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387905, 4), }", &[0; 16]);
        assert!(read_npy(&large).unwrap_err().contains("only 16 bytes of data"));
        let structured = npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", &[0; 8]);
        assert!(read_npy(&structured).unwrap_err().contains("cannot be read"));
    }

    proptest! {
        #[test]
        fn damaged_arrays_never_panic(
            place in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            length in any::<prop::sample::Index>(),
            kind in prop::sample::select(vec!["<f8", ">U3", "|S0", "|b1", "<i8", "<U99999999999"]),
        ) {
            let header = format!("{{'descr': '{kind}', 'fortran_order': True, 'shape': (2, 3), }}");
            let mut bytes = npy(&header, &[7; 48]);
            let place = place.index(bytes.len());
            bytes[place] = byte;
            bytes.truncate(length.index(bytes.len() + 1));
            let _ = read_npy(&bytes);
        }
    }
}
