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

/// Up to eight bytes as a little-endian word, padded with zeros.
#[inline]
fn padded(tail: &[u8]) -> u64 {
    // Two halves that may overlap, rather than a copy of a length that is not known.
    match (tail.first_chunk::<4>(), tail.last_chunk::<4>(), tail) {
        (Some(low), Some(high), _) => {
            let [low, high] = [low, high].map(|half| u64::from(u32::from_le_bytes(*half)));
            low | high << (8 * (tail.len() - 4))
        }
        (.., &[first, second, third]) => u64::from(first) | u64::from(second) << 8 | u64::from(third) << 16,
        (.., &[first, second]) => u64::from(first) | u64::from(second) << 8,
        (.., &[first]) => u64::from(first),
        _ => 0,
    }
}

/// Mixes a further value into a hash.
#[inline]
pub const fn combine(hash: u64, value: u64) -> u64 {
    hash ^ value.wrapping_add(0x9e37_79b9).wrapping_add(hash << 6).wrapping_add(hash >> 2)
}

/// The hash of the content of strings and bytes: a polynomial over its words.
#[inline]
pub fn content_hash(content: &[u8]) -> u64 {
    const BASE: u64 = 1_099_511_628_211;
    const MODULUS: u64 = 2_147_483_647;
    let step = |hash: u64, word: u64| hash.wrapping_mul(BASE).wrapping_add(word) % MODULUS;
    let (words, tail) = content.as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| step(hash, u64::from_le_bytes(*word)));
    if tail.is_empty() { hash } else { step(hash, padded(tail)) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

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
