//! Runs of bytes that stand for themselves in a JSON string.

const ONES: u64 = u64::MAX / 0xff;
const HIGH: u64 = ONES << 7;

/// How many bytes at the beginning are no control characters and none of `special`.
#[inline]
pub fn plain_prefix<const N: usize>(text: &[u8], special: [u8; N]) -> usize {
    let (words, tail) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found =
            special.iter().fold(below(word, b' '), |found, &byte| found | below(word ^ (ONES * u64::from(byte)), 1));
        if found != 0 {
            return 8 * index + found.trailing_zeros() as usize / 8;
        }
    }
    let ends = |byte: &u8| *byte < b' ' || special.contains(byte);
    text.len() - tail.len() + tail.iter().position(ends).unwrap_or(tail.len())
}

/// The high bit of each byte that is below a limit of up to 0x80. A borrow may set bits above the lowest, which is right.
#[inline]
fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(limit)) & !word & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_that_is_not_plain_ends_the_run(
            mut text in proptest::collection::vec(0x1f_u8.., 0..40),
            inserted in proptest::collection::vec((0..40_usize, prop::sample::select(&b"\0\x1f\"\\/\x7f\x80\xff !#["[..])), 0..4),
        ) {
            for (at, byte) in inserted {
                text.insert(at.min(text.len()), byte);
            }
            let ends = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\' | 0x7f);
            let expected = text.iter().position(ends).unwrap_or(text.len());
            prop_assert_eq!(plain_prefix(&text, [b'"', b'\\', 0x7f]), expected);
        }
    }
}
