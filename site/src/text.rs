//! Prose in which the names of the specification lead to what is told of them.

use maud::{Markup, html};

use crate::entries;

/// Prose. What stands between backticks is code.
pub fn prose(text: &str) -> Markup {
    html! {
        @for (n, part) in text.split('`').enumerate() {
            @if n % 2 == 1 { code { (linked(part)) } } @else { (linked(part)) }
        }
    }
}

/// Code, in which names lead to what they name.
pub fn code(text: &str) -> Markup {
    html! { code { (linked(text)) } }
}

/// One name, which leads to what it names.
pub fn name(name: &str) -> Markup {
    html! {
        code {
            @match entries::url(name) {
                Some(url) => a href=(url) { (name) },
                None => (name),
            }
        }
    }
}

/// A text whose names are links.
fn linked(text: &str) -> Markup {
    html! {
        @for word in words(text) {
            @match entries::url(word).filter(|_| is_a_name(word)) {
                Some(url) => a href=(url) { (word) },
                None => (word),
            }
        }
    }
}

/// Whether a word that is the name of something means it: `hash` is a word of English too.
fn is_a_name(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || "._".contains(c))
}

/// The text in pieces: words as names are spelled, and what stands between them. A full stop at the end of a word ends a sentence.
fn words(text: &str) -> Vec<&str> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| in_word(c) != in_word(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let name = piece.trim_end_matches(['.', '-']);
        if in_word(first) && !name.is_empty() && name.len() < piece.len() {
            pieces.extend([name, &piece[name.len()..]]);
        } else {
            pieces.push(piece);
        }
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_links_and_code_is_code() {
        let written = prose("See STR-0001. `TVMFFIAny` & <hash>").into_string();
        assert_eq!(
            written,
            "See <a href=\"area-string.html#STR-0001\">STR-0001</a>. \
             <code><a href=\"structs.html#TVMFFIAny\">TVMFFIAny</a></code> &amp; &lt;hash&gt;"
        );
    }

    #[test]
    fn the_pieces_are_the_text() {
        for text in ["", "...", "ffi.Array, and a-b- (c).", "a.b.c.", "ein Wört"] {
            assert_eq!(words(text).concat(), text);
        }
    }
}
