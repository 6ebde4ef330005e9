//! Writing the arrays of an `.npz` file.

use std::io::{self, BufWriter, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Bytes that the compressor gets at a time: it clears its own buffer at each.
const BUFFER: usize = 1 << 16;

/// Writes an `.npz` file into memory, array after array, each in C order, little-endian and compressed. Equal arrays give equal bytes:
/// entries carry no time.
pub struct NpzWriter {
    archive: ZipWriter<Cursor<Vec<u8>>>,
    compression_level: i64,
}

impl NpzWriter {
    /// An archive without arrays; the level of compression is from 1, fast, to 9, small.
    pub fn new(compression_level: i64) -> Self {
        Self { archive: ZipWriter::new(Cursor::new(Vec::new())), compression_level }
    }

    /// An array of `float64`.
    ///
    /// # Errors
    /// A level of compression that does not exist, or an archive that grows beyond what a zip file holds.
    ///
    /// # Panics
    /// If the shape does not multiply to the number of values.
    pub fn reals(
        &mut self,
        name: &str,
        shape: &[usize],
        values: impl Iterator<Item = f64>,
    ) -> io::Result<()> {
        self.array(name, "<f8", shape, values.map(f64::to_le_bytes))
    }

    /// An array of `int64`.
    ///
    /// # Errors
    /// As [`NpzWriter::reals`].
    ///
    /// # Panics
    /// If the shape does not multiply to the number of values.
    pub fn integers(
        &mut self,
        name: &str,
        shape: &[usize],
        values: impl Iterator<Item = usize>,
    ) -> io::Result<()> {
        self.array(name, "<i8", shape, values.map(|value| (value as i64).to_le_bytes()))
    }

    /// An array of strings in one dimension.
    ///
    /// # Errors
    /// As [`NpzWriter::reals`].
    pub fn strings(&mut self, name: &str, values: &[String]) -> io::Result<()> {
        self.text(name, &[values.len()], values)
    }

    /// A string as an array without dimensions.
    ///
    /// # Errors
    /// As [`NpzWriter::reals`].
    pub fn string(&mut self, name: &str, value: &str) -> io::Result<()> {
        self.text(name, &[], &[value])
    }

    /// Strings of one width, padded with zeros.
    fn text(&mut self, name: &str, shape: &[usize], values: &[impl AsRef<str>]) -> io::Result<()> {
        let widths = values.iter().map(|value| value.as_ref().chars().count());
        let width = widths.max().unwrap_or(0).max(1);
        let entries = values.iter().map(|value| -> Vec<u8> {
            let letters = value.as_ref().chars().chain(std::iter::repeat('\0')).take(width);
            letters.flat_map(|letter| u32::from(letter).to_le_bytes()).collect()
        });
        self.array(name, &format!("<U{width}"), shape, entries)
    }

    /// An ASCII string as an array of bytes without dimensions.
    ///
    /// # Errors
    /// As [`NpzWriter::reals`].
    pub fn bytes(&mut self, name: &str, value: &str) -> io::Result<()> {
        let padded = if value.is_empty() { "\0" } else { value };
        self.array(name, &format!("|S{}", padded.len()), &[], std::iter::once(padded))
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// As [`NpzWriter::reals`].
    pub fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.archive.finish()?.into_inner())
    }

    /// One array, its entries as bytes, with a header of a multiple of 64 bytes.
    fn array(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        entries: impl Iterator<Item = impl AsRef<[u8]>>,
    ) -> io::Result<()> {
        let lengths: String = shape.iter().map(|length| format!("{length},")).collect();
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({lengths}), }}");
        let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
        // Sizes of 64 bits, as NumPy always writes them.
        let options = SimpleFileOptions::default()
            .compression_level(Some(self.compression_level))
            .last_modified_time(zip::DateTime::default())
            .large_file(true);
        self.archive.start_file(format!("{name}.npy"), options)?;
        let mut out = BufWriter::with_capacity(BUFFER, &mut self.archive);
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&(padded as u16).to_le_bytes())?;
        writeln!(out, "{header:<width$}", width = padded - 1)?;
        let mut count = 0;
        for entry in entries {
            out.write_all(entry.as_ref())?;
            count += 1;
        }
        out.flush()?;
        let expected: usize = shape.iter().product();
        assert_eq!(count, expected, "the array {name:?} has another number of values than its shape");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NumpyArray, read_npz};
    use super::*;

    #[test]
    fn arrays_of_every_kind_come_back() {
        let mut writer = NpzWriter::new(1);
        writer.reals("X", &[2, 1], [0.1, f64::MAX].into_iter()).unwrap();
        writer.integers("empty", &[0, 3], std::iter::empty()).unwrap();
        writer.strings("names", &["flesh".to_owned(), "bön".to_owned()]).unwrap();
        writer.string("method", "").unwrap();
        writer.bytes("format", "csr").unwrap();
        let arrays = read_npz(&writer.finish().unwrap()).unwrap();
        let numbers = |shape: &[usize], values: &[f64]| NumpyArray::Numbers {
            shape: shape.to_vec(),
            values: values.to_vec(),
        };
        let strings =
            |strings: &[&str]| NumpyArray::Strings(strings.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(arrays["X"], numbers(&[2, 1], &[0.1, f64::MAX]));
        assert_eq!(arrays["empty"], numbers(&[0, 3], &[]));
        assert_eq!(arrays["names"], strings(&["flesh", "bön"]));
        assert_eq!(arrays["method"], strings(&[""]));
        assert_eq!(arrays["format"], strings(&["csr"]));
    }

    #[test]
    fn entries_carry_no_time_so_that_equal_arrays_are_equal_bytes() {
        let mut writer = NpzWriter::new(6);
        writer.reals("X", &[1], [1.0].into_iter()).unwrap();
        let bytes = writer.finish().unwrap();
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.by_index(0).unwrap().last_modified().unwrap().year(), 1980);
    }

    #[test]
    #[should_panic(expected = "another number of values")]
    fn a_shape_of_another_size_is_a_mistake_of_the_caller() {
        let _ = NpzWriter::new(1).reals("X", &[2], [1.0].into_iter());
    }
}
