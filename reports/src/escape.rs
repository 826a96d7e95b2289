//! Text from a target, made safe to show.

/// `text` with every character that could move a cursor, reorder a line or spoil XML written as its Rust escape. Line
/// feeds stay: whoever lays out the text decides about them.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_unsafe(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Like [`escape`], on one line.
pub(crate) fn one_line(text: &str) -> String {
    escape(text).replace('\n', "\\n")
}

fn is_unsafe(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let no_xml = matches!(c, '\u{fffe}' | '\u{ffff}');
    c.is_control() || reorders || no_xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unsafe_characters_change() {
        assert_eq!(
            escape("größe \u{1b}[31m\r\n\ttab\u{202e}\u{ffff}"),
            "größe \\u{1b}[31m\\r\n\\ttab\\u{202e}\\u{ffff}"
        );
        assert_eq!(one_line("a\nb"), "a\\nb");
    }
}
