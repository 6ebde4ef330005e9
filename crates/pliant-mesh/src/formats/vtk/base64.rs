//! Base64 as VTK writes it: several padded streams may follow each other, white space may stand between.

/// The first `most` bytes of the decoded text, fewer where it ends or something else than base64 stands.
pub(super) fn decode(text: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(text.len() / 4 * 3 + 3));
    let mut rest = text;
    while bytes.len() < most {
        // Four digits with nothing between them, as nearly all are.
        if let Some((group, after)) = rest.split_first_chunk::<4>() {
            let digits = group.map(|symbol| VALUES[usize::from(symbol)]);
            if digits.iter().all(|&digit| digit < PADDING) {
                bytes.extend_from_slice(&three_bytes(digits));
                rest = after;
                continue;
            }
        }
        let Some(digits) = next_group(&mut rest) else { break };
        let padding = digits.iter().filter(|&&digit| digit == PADDING).count();
        bytes.extend_from_slice(&three_bytes(digits)[..3 - padding.min(2)]);
    }
    bytes.truncate(most);
    bytes
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Stands for `=`, which is no digit.
const PADDING: u8 = 64;
/// Stands for everything else.
const NO_DIGIT: u8 = 65;

/// What each byte stands for.
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < 64 {
        values[DIGITS[digit] as usize] = digit as u8;
        digit += 1;
    }
    values[b'=' as usize] = PADDING;
    values
};

/// The next four digits, with white space between them or padding at the end.
fn next_group(rest: &mut &[u8]) -> Option<[u8; 4]> {
    let mut group = [0; 4];
    let mut filled = 0;
    while filled < 4 {
        let (&symbol, after) = rest.split_first()?;
        *rest = after;
        match VALUES[usize::from(symbol)] {
            NO_DIGIT if symbol.is_ascii_whitespace() => continue,
            NO_DIGIT => return None,
            PADDING if filled < 2 => return None,
            digit => group[filled] = digit,
        }
        filled += 1;
    }
    Some(group)
}

fn three_bytes(digits: [u8; 4]) -> [u8; 3] {
    let [a, b, c, d] = digits.map(|digit| u32::from(digit % PADDING));
    let [_, first, second, third] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
    [first, second, third]
}

/// Appends the bytes as base64 with padding.
pub(super) fn encode(bytes: &[u8], text: &mut String) {
    text.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize % 64];
            text.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padded_streams_follow_each_other() {
        assert_eq!(decode(b"aGVsbG8=\n d29ybGQh", 100), b"helloworld!");
        assert_eq!(decode(b"aGVsbG8=", 3), b"hel");
        assert_eq!(decode(b"aGVs<bG8", 100), b"hel");
        assert_eq!(decode(b"", 5), b"");
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in [0, 1, 2, 3, 100, 256] {
            let mut text = String::new();
            encode(&bytes[..length], &mut text);
            assert_eq!(decode(text.as_bytes(), 1_000), bytes[..length]);
        }
        let mut text = String::new();
        encode(b"hello", &mut text);
        assert_eq!(text, "aGVsbG8=");
    }
}
