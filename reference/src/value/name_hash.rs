//! The hash of names in the library's own tables.

use crate::value::bit_hash::padded;

/// The hash of a name, of which every bit depends on every byte.
#[inline]
pub fn name_hash(name: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(MULTIPLIER);
        product as u64 ^ (product >> 64) as u64
    };
    let (words, tail) = name.as_chunks::<8>();
    let hash = words.iter().fold(!name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(hash, padded(tail))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_that_are_alike_have_hashes_that_differ_at_both_ends() {
        let hashes: Vec<u64> = (0..1000).map(|number| name_hash(format!("my.type.{number}").as_bytes())).collect();
        let distinct = |part: fn(u64) -> u64| hashes.iter().map(|hash| part(*hash)).collect::<BTreeSet<_>>().len();
        assert!(distinct(|hash| hash & 0xfff) > 800 && distinct(|hash| hash >> 52) > 800);
        assert!((0..40).all(|len| name_hash(&[0; 40][..len]) != name_hash(&[0; 40][..len + 1])));
    }
}
