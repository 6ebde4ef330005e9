//! Base64 as VTK writes it: several padded streams may follow each other, white space may stand between.

/// The first `most` bytes of the decoded text, fewer where it ends or something else than base64 stands.
pub(super) fn decode(text: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(text.len() / 4 * 3 + 3));
    let mut group = [0; 4];
    let mut filled = 0;
    for &symbol in text.iter().filter(|symbol| !symbol.is_ascii_whitespace()) {
        group[filled] = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if filled >= 2 => PADDING,
            _ => break,
        };
        filled += 1;
        if filled == 4 {
            push_group(group, &mut bytes);
            filled = 0;
            if bytes.len() >= most {
                break;
            }
        }
    }
    bytes.truncate(most);
    bytes
}

/// Stands for `=`, which is no digit.
const PADDING: u8 = 64;

fn push_group(group: [u8; 4], bytes: &mut Vec<u8>) {
    let bits = group.iter().fold(0u32, |bits, &digit| (bits << 6) | u32::from(digit % PADDING));
    let [_, first, second, third] = bits.to_be_bytes();
    let padding = group.iter().filter(|&&digit| digit == PADDING).count();
    bytes.extend_from_slice(&[first, second, third][..3 - padding.min(2)]);
}

/// Appends the bytes as base64 with padding.
pub(super) fn encode(bytes: &[u8], text: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
