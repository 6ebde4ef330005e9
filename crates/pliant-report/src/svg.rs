//! Pieces of SVG text: numbers, escapes, words at a place.

/// Rounded to a tenth of a pixel, without a signed zero.
pub(crate) fn tenths(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0 + 0.0
}

/// Text that may stand in XML and HTML, in attributes too.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where a text begins at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text at a place; `class` is a name of the style sheet.
pub(crate) fn text(x: f64, y: f64, anchor: Anchor, class: &str, content: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y, content) = (tenths(x), tenths(y), escaped(content));
    format!(r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>"#)
}

/// Words in lines of at most so many characters; a longer word has its own line.
pub(crate) fn wrapped(text: &str, characters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= characters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_decimal_and_zero_no_sign() {
        assert_eq!([1.26, -0.01, 3.0].map(|x| tenths(x).to_string()), ["1.3", "0", "3"]);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("longestword a", 4), ["longestword", "a"]);
        assert!(wrapped("", 4).is_empty());
    }
}
