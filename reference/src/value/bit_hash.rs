//! Hashes of bytes that clients compute too, so that every bit of them is part of the ABI.

const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
const SEED: u64 = 0xc70f_6907;
const SHIFT: u32 = 47;

/// What libstdc++'s `std::hash` makes of these bytes: its 64-bit MurmurHash2 variant with the default seed.
pub fn std_hash(bytes: &[u8]) -> u64 {
    let mix = |word: u64| word ^ (word >> SHIFT);
    let (words, tail) = bytes.as_chunks::<8>();
    let mut hash = SEED ^ (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    for word in words {
        let word = mix(u64::from_le_bytes(*word).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER);
        hash = (hash ^ word).wrapping_mul(MULTIPLIER);
    }
    if !tail.is_empty() {
        hash = (hash ^ padded(tail)).wrapping_mul(MULTIPLIER);
    }
    mix(mix(hash).wrapping_mul(MULTIPLIER))
}

/// The first eight bytes, or as many as there are, as a little-endian word padded with zeros. Short ones are loaded in two
/// or three pieces that overlap.
#[inline]
pub fn padded(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if let Some(word) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    if let (Some(low), Some(high)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let shift = 8 * (len - 4);
        return u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << shift;
    }
    let at = |index: usize| u64::from(bytes[index]) << (8 * index);
    if len == 0 { 0 } else { at(0) | at(len / 2) | at(len - 1) }
}

/// Mixes a further value into a hash.
#[inline]
pub const fn combine(hash: u64, value: u64) -> u64 {
    hash ^ value.wrapping_add(0x9e37_79b9).wrapping_add(hash << 6).wrapping_add(hash >> 2)
}

/// The hash of the content of strings and bytes: a polynomial over its words.
#[inline]
pub fn content_hash(content: &[u8]) -> u64 {
    let (words, tail) = content.as_chunks::<8>();
    let hash = hash_of_words(words.iter().map(|word| u64::from_le_bytes(*word)));
    if tail.is_empty() { hash } else { with_word(hash, padded(tail)) }
}

/// As [`content_hash`], of what consists of words.
#[inline]
pub fn hash_of_words(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, with_word)
}

#[inline]
fn with_word(hash: u64, word: u64) -> u64 {
    const BASE: u64 = 1_099_511_628_211;
    const MODULUS: u64 = 2_147_483_647;
    hash.wrapping_mul(BASE).wrapping_add(word) % MODULUS
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn short_texts_are_padded_with_zeros() {
        let text = b"\x81bcdefghijk";
        for len in 0..text.len() {
            let mut word = [0; 8];
            let short = &text[..len.min(8)];
            word[..short.len()].copy_from_slice(short);
            assert_eq!(padded(&text[..len]), u64::from_le_bytes(word));
        }
    }

    // Known answers: what the releases report as `type_key_hash`.
    #[rstest]
    #[case("int", 12597418120160561823)]
    #[case("None", 18116513903021958570)]
    #[case("DataType", 5733058170336282203)]
    #[case("ffi.Array", 9300778484448642049)]
    #[case("TVMFFIByteArray*", 3625853235450229161)]
    #[case("ffi.reflection.AccessPath", 18124177934941673185)]
    fn answers_as_libstdcxx_does(#[case] key: &str, #[case] expected: u64) {
        assert_eq!(std_hash(key.as_bytes()), expected);
    }
}
