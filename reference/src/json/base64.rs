//! Bytes as text in the alphabet of base 64 with padding.

use crate::{
    border::error::{Error, Result},
    system::memory,
};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as text.
///
/// # Errors
/// `MemoryError` if there is no memory for the text.
pub fn encode(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut text = memory::room(bytes.len().div_ceil(3).saturating_mul(4))?;
    for group in bytes.chunks(3) {
        let byte = |index: usize| usize::from(group.get(index).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |index: usize| if index <= group.len() { ALPHABET[word >> (18 - 6 * index) & 0x3f] } else { b'=' };
        text.extend((0..4).map(digit));
    }
    Ok(text)
}

/// Reads text as bytes. Characters outside the alphabet count as its first one, as in the releases.
///
/// # Errors
/// `InternalError` for a text that is no whole number of groups of four, `MemoryError` if there is no memory for the bytes.
pub fn decode(text: &[u8]) -> Result<Vec<u8>> {
    let (groups, []) = text.as_chunks::<4>() else {
        let text = "Check failed: (bytes.size % 4 == 0) is false: invalid base64 encoding";
        return Err(Error::new("InternalError", text));
    };
    let mut bytes = memory::room(groups.len() * 3)?;
    for group in groups {
        let word = group.iter().fold(0_u32, |word, &character| word << 6 | value_of(character));
        let [_, first, second, third] = word.to_be_bytes();
        bytes.push(first);
        if group[2] != b'=' {
            bytes.push(second);
        }
        if group[3] != b'=' {
            bytes.push(third);
        }
    }
    Ok(bytes)
}

fn value_of(character: u8) -> u32 {
    match character {
        b'A'..=b'Z' => u32::from(character - b'A'),
        b'a'..=b'z' => u32::from(character - b'a') + 26,
        b'0'..=b'9' => u32::from(character - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    // The test vectors of RFC 4648.
    #[rstest]
    #[case("", "")]
    #[case("f", "Zg==")]
    #[case("fo", "Zm8=")]
    #[case("foo", "Zm9v")]
    #[case("foob", "Zm9vYg==")]
    #[case("fooba", "Zm9vYmE=")]
    #[case("foobar", "Zm9vYmFy")]
    fn known_answers(#[case] bytes: &str, #[case] text: &str) {
        assert_eq!(encode(bytes.as_bytes()).unwrap(), text.as_bytes());
        assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes());
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&bytes).unwrap()).unwrap(), bytes);
        }

        #[test]
        fn any_text_is_bytes_or_an_error(text: Vec<u8>) {
            prop_assert_eq!(decode(&text).is_ok(), text.len() % 4 == 0);
        }
    }
}
