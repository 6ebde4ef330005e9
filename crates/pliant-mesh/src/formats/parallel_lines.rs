//! Lines of numbers, one record each, parsed by all threads.
//!
//! This is the quick way through text that is as programs write it: every record on a line of its own, whole numbers without a
//! sign. Any other text is left to the [`Cursor`], which reads the same numbers one after the other and says what is wrong; so
//! nothing depends on which of the two was taken, nor on the number of threads.

use rayon::prelude::*;

use super::cursor::Cursor;

/// Bytes that one thread parses at a time, about.
const PIECE: usize = 1 << 18;
/// Pieces whose lines are counted at a time: a block of a few records does not look at the whole file.
const BATCH: usize = 16;
/// Fewer records are read as quickly by one thread.
const FEW: usize = 5_000;

/// Reads `count` records, each by `parse` into its parts of `tags` and `values`, which take 1 and `width` entries for it.
///
/// Nothing is read, and the cursor stays, where there are few records or where one is not on a line of its own.
pub(super) fn read_records<A: Clone + Send, B: Clone + Send>(
    cursor: &mut Cursor,
    count: usize,
    (tags, empty_tag): (&mut Vec<A>, A),
    (values, empty, width): (&mut Vec<B>, B, usize),
    parse: impl Fn(&mut Words, &mut A, &mut [B]) -> Option<()> + Sync,
) -> Option<()> {
    let (pieces, end) = pieces(cursor, count)?;
    let (tags_before, values_before) = (tags.len(), values.len());
    tags.resize(tags_before + count, empty_tag);
    values.resize(values_before + count * width, empty);
    let mut jobs = Vec::with_capacity(pieces.len());
    let (mut tags_left, mut values_left) = (&mut tags[tags_before..], &mut values[values_before..]);
    for &Piece { text, lines } in &pieces {
        let (tags_here, tags_after) = tags_left.split_at_mut(lines);
        let (values_here, values_after) = values_left.split_at_mut(lines * width);
        (tags_left, values_left) = (tags_after, values_after);
        jobs.push((text, tags_here, values_here));
    }
    let parsed = jobs.into_par_iter().try_for_each(|(text, tags, values)| {
        let mut words = Words { text, at: 0 };
        for (tag, values) in tags.iter_mut().zip(values.chunks_exact_mut(width)) {
            parse(&mut words, tag, values)?;
            words.end_line()?;
        }
        Some(())
    });
    if parsed.is_none() {
        tags.truncate(tags_before);
        values.truncate(values_before);
        return None;
    }
    cursor.skip(end);
    Some(())
}

/// Reads `count` records of any length: `parse` appends each to the value of its piece, and the values are returned in order.
///
/// Nothing is read as in [`read_records`].
pub(super) fn read_pieces<T: Default + Send>(
    cursor: &mut Cursor,
    count: usize,
    parse: impl Fn(&mut Words, &mut T) -> Option<()> + Sync,
) -> Option<Vec<T>> {
    let (pieces, end) = pieces(cursor, count)?;
    let values = pieces.par_iter().map(|&Piece { text, lines }| {
        let (mut words, mut value) = (Words { text, at: 0 }, T::default());
        for _ in 0..lines {
            parse(&mut words, &mut value)?;
            words.end_line()?;
        }
        Some(value)
    });
    let values = values.collect::<Option<Vec<T>>>()?;
    cursor.skip(end);
    Some(values)
}

/// All of the parts behind each other.
pub(super) fn concatenated<T: Clone + Send + Sync>(into: &mut Vec<T>, empty: T, parts: &[&[T]]) {
    let before = into.len();
    into.resize(before + parts.iter().map(|part| part.len()).sum::<usize>(), empty);
    let mut left = &mut into[before..];
    let mut jobs = Vec::with_capacity(parts.len());
    for part in parts {
        let (here, after) = left.split_at_mut(part.len());
        left = after;
        jobs.push((here, part));
    }
    jobs.into_par_iter().for_each(|(here, part)| here.clone_from_slice(part));
}

/// Whole lines of a text.
struct Piece<'a> {
    text: &'a [u8],
    lines: usize,
}

/// The next `count` lines in pieces, and the bytes up to their end; nothing where they are few, fewer than that, or very long.
fn pieces<'a>(cursor: &Cursor<'a>, count: usize) -> Option<(Vec<Piece<'a>>, usize)> {
    if count < FEW {
        return None;
    }
    let rest = cursor.rest();
    // What stands in the line of the last number that was read is the first record, unless it is nothing.
    let blank = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    let blank = blank + usize::from(rest[blank] == b'\n');
    let text = &rest[blank..];
    let mut pieces = Vec::new();
    let (mut start, mut left) = (0, count);
    let mut windows = text.chunks(PIECE).enumerate();
    loop {
        let batch: Vec<(usize, &[u8])> = windows.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return None;
        }
        let counts: Vec<usize> =
            batch.par_iter().map(|(_, window)| memchr::memchr_iter(b'\n', window).count()).collect();
        for ((index, _), newlines) in batch.into_iter().zip(counts) {
            // A piece ends with the line in which its window does, so that it has the first newline of the next one.
            let lines = newlines + usize::from(index == 0);
            if newlines == 0 {
                return None;
            }
            if lines >= left {
                let end = start + memchr::memchr_iter(b'\n', &text[start..]).nth(left - 1)? + 1;
                pieces.push(Piece { text: &text[start..end], lines: left });
                return Some((pieces, blank + end));
            }
            let next = (index + 1) * PIECE;
            let end = next + memchr::memchr(b'\n', text.get(next..)?)? + 1;
            pieces.push(Piece { text: &text[start..end], lines });
            (start, left) = (end, left - lines);
        }
    }
}

/// The words of a piece.
pub(super) struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl Words<'_> {
    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// A whole number without a sign, of at most 16 digits.
    #[inline]
    pub fn whole(&mut self) -> Option<u64> {
        self.skip_blanks();
        let (mut value, count) = self.digits()?;
        if count == 8
            && let Some((more, count)) = self.digits()
        {
            value = value * 10u64.pow(count as u32) + more;
        }
        matches!(self.text.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r')).then_some(value)
    }

    /// Up to eight digits, all at once (Lemire 2018, "Quickly parsing eight digits"), and how many they are; at least one.
    #[inline]
    fn digits(&mut self) -> Option<(u64, usize)> {
        const ZEROS: u64 = 0x3030_3030_3030_3030;
        const PAIR: u64 = 0x0000_00ff_0000_00ff;
        let rest = &self.text[self.at..];
        let bytes = match rest.first_chunk::<8>() {
            Some(bytes) => *bytes,
            None => {
                let mut bytes = [b' '; 8];
                bytes[..rest.len()].copy_from_slice(rest);
                bytes
            }
        };
        let digits = u64::from_le_bytes(bytes) ^ ZEROS;
        // The high bit of each byte that is no digit.
        let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
        let count = (others.trailing_zeros() / 8) as usize;
        if count == 0 {
            return None;
        }
        self.at += count;
        // Zeros before the first digit.
        let digits = digits << (64 - 8 * count);
        let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
        let high = (pairs & PAIR).wrapping_mul(0x000f_4240_0000_0064);
        let low = ((pairs >> 16) & PAIR).wrapping_mul(0x0000_2710_0000_0001);
        Some((high.wrapping_add(low) >> 32, count))
    }

    /// A finite number.
    pub fn real(&mut self) -> Option<f64> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace)?;
        self.at += length;
        let value: f64 = std::str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
        value.is_finite().then_some(value)
    }

    /// Moves past the end of the line, which has to be here.
    fn end_line(&mut self) -> Option<()> {
        self.skip_blanks();
        if self.text.get(self.at) == Some(&b'\r') {
            self.at += 1;
        }
        let is_end = self.text.get(self.at) == Some(&b'\n');
        self.at += 1;
        is_end.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words<'_> {
        Words { text: text.as_bytes(), at: 0 }
    }

    #[test]
    fn whole_numbers_of_every_length_are_read_and_others_left() {
        for text in ["0", "7", "42", "007", "1234567", "12345678", "123456789", "9876543210123456"] {
            for end in [" ", "\n", "\t5 6 7 8 9", "\r\n"] {
                let line = format!(" {text}{end}");
                assert_eq!(words(&line).whole(), text.parse().ok(), "{line:?}");
            }
        }
        for text in ["-1 ", "+1 ", "1.5 ", "x ", "", "1", "12345678x ", "12345678901234567 ", "1e3\n", "\n1 "]
        {
            assert_eq!(words(text).whole(), None, "{text:?}");
        }
    }

    #[test]
    fn records_of_many_pieces_are_those_of_the_text_and_the_rest_stays() {
        let lines = 40_000;
        let text: String =
            (0..lines).map(|line| format!("{line} {} {:?}\n", 3 * line, 0.1 * line as f64)).collect();
        let text = text + "rest 1\n";
        let mut cursor = Cursor::new(text.as_bytes());
        let (mut tags, mut values) = (vec![5], vec![1.0]);
        let parse = |words: &mut Words, tag: &mut u64, values: &mut [f64]| {
            *tag = words.whole()?;
            values[0] = words.whole()? as f64;
            values[1] = words.real()?;
            Some(())
        };
        assert!(read_records(&mut cursor, lines + 1, (&mut tags, 0), (&mut values, 0.0, 2), parse).is_none());
        assert_eq!((cursor.at(), tags.len(), values.len()), (0, 1, 1));
        read_records(&mut cursor, lines, (&mut tags, 0), (&mut values, 0.0, 2), parse).unwrap();
        assert_eq!(cursor.rest(), b"rest 1\n");
        for line in [0, 1, 9_999, lines - 1] {
            assert_eq!(tags[1 + line], line as u64);
            assert_eq!(values[1 + 2 * line..][..2], [3.0 * line as f64, 0.1 * line as f64]);
        }
        let mut cursor = Cursor::new(text.as_bytes());
        let parts = read_pieces(&mut cursor, lines, |words, part: &mut Vec<u64>| {
            part.push(words.whole()?);
            words.whole()?;
            words.real().map(|_| ())
        });
        let parts = parts.unwrap();
        let parts: Vec<&[u64]> = parts.iter().map(Vec::as_slice).collect();
        let mut all = Vec::new();
        concatenated(&mut all, 0, &parts);
        assert_eq!(all, (0..lines as u64).collect::<Vec<_>>());
    }
}
