//! Which values are the same key, and the hash that says where a key goes.
//!
//! Every client computes these for itself, so they have to agree to the bit.

use std::ffi::c_int;

use tvm_ffi_spec::*;

use super::object_of;
use crate::client::{connection::Client, verdict::Verdict};

/// The largest prime below 2^31, which hashes of text stay below.
pub const PRIME: u64 = 2_147_483_647;
/// What a hash of text is multiplied with for each word.
const FACTOR: u64 = 1_099_511_628_211;

/// A hash of two.
pub const fn combine(key: u64, value: u64) -> u64 {
    key ^ value.wrapping_add(0x9e37_79b9).wrapping_add(key << 6).wrapping_add(key >> 2)
}

/// The hash of a text's bytes, taken in words of eight, the last one filled up with zeros.
pub fn of_bytes(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0, |hash: u64, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash.wrapping_mul(FACTOR).wrapping_add(u64::from_le_bytes(word)) % PRIME
    })
}

/// Pairs of contents that have one hash: a word and the same plus the prime that hashes stay below, or zeros at the end.
pub fn collisions() -> Vec<(Vec<u8>, Vec<u8>)> {
    let word =
        |bytes: &[u8]| (0..8).map(|place| u64::from(*bytes.get(place).unwrap_or(&0)) << (8 * place)).sum::<u64>();
    let plus = |bytes: &[u8]| (word(bytes) + PRIME).to_le_bytes()[..bytes.len()].to_vec();
    let mut pairs = vec![(b"abc".to_vec(), b"abc\0".to_vec()), (b"0123456789ab".to_vec(), b"0123456789ab\0".to_vec())];
    for len in [4, 5, 7, 8] {
        let last = &b"\x01\x02\x03\x04\x05\x06\x07\x08"[..len];
        pairs.push((last.to_vec(), plus(last)));
        pairs.push(([b"a whole word and", last].concat(), [b"a whole word and", &plus(last)[..]].concat()));
    }
    pairs
}

/// The index under which a text of any form is hashed; `None` for what is no text.
fn text_index(type_index: i32) -> Option<i32> {
    match type_index {
        kTVMFFISmallStr | kTVMFFIStr => Some(kTVMFFIStr),
        kTVMFFISmallBytes | kTVMFFIBytes => Some(kTVMFFIBytes),
        _ => None,
    }
}

/// Five keys of unlike types that have one hash: all but texts hash to their type index and payload.
pub fn keys_of_one_hash() -> [TVMFFIAny; 5] {
    let hash = combine(kTVMFFIInt as u64, 4096);
    [kTVMFFIInt, kTVMFFIFloat, kTVMFFIOpaquePtr, kTVMFFIDataType, kTVMFFIDevice].map(|type_index| {
        let index = type_index as u64;
        let payload = (hash ^ index).wrapping_sub(combine(index, 0) ^ index);
        TVMFFIAny::new(type_index, payload)
    })
}

/// Three texts of eight bytes that have one hash: what they are read as differs by the prime that hashes stay below.
pub fn texts_of_one_hash() -> [[u8; 8]; 3] {
    [0, 1, 2].map(|times| (u64::from_le_bytes(*b"one hash") + times * PRIME).to_le_bytes())
}

impl Client {
    /// The hash of a key.
    pub fn hash(&self, key: &TVMFFIAny) -> Verdict<u64> {
        if let Some(index) = text_index(key.type_index) {
            return Ok(combine(index as u64, of_bytes(&self.text(key)?)));
        }
        let value = match self.hook("__any_hash__", key)? {
            Some(hook) => self.ask_hash(&hook, key)?,
            None => key.payload(),
        };
        Ok(combine(key.type_index as u64, value))
    }

    /// Whether two values are the same key.
    pub fn same(&self, one: &TVMFFIAny, other: &TVMFFIAny) -> Verdict<bool> {
        if one.to_bytes() == other.to_bytes() {
            return Ok(true);
        }
        match (text_index(one.type_index), text_index(other.type_index)) {
            (Some(index), Some(other_index)) => Ok(index == other_index && self.text(one)? == self.text(other)?),
            (None, None) if one.type_index == other.type_index => match self.hook("__any_equal__", one)? {
                Some(hook) => self.ask_equal(&hook, one, other),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// What the type of an object has registered in a column of hooks.
    fn hook(&self, column: &str, value: &TVMFFIAny) -> Verdict<Option<TVMFFIAny>> {
        if object_of(value).is_none() {
            return Ok(None);
        }
        let address = self.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(column.as_bytes()));
        if address.is_null() {
            return Ok(None);
        }
        let column: TVMFFITypeAttrColumn = self.read(column, address)?;
        match value.type_index.checked_sub(column.begin_index) {
            Some(place) if (0..column.size).contains(&place) => {
                let entry = self.read("hook", column.data.wrapping_add(place as usize))?;
                Ok((entry.type_index != kTVMFFINone).then_some(entry))
            }
            _ => Ok(None),
        }
    }

    fn ask_hash(&self, hook: &TVMFFIAny, key: &TVMFFIAny) -> Verdict<u64> {
        if hook.type_index != kTVMFFIOpaquePtr {
            return Ok(self.ask_function(hook, &[*key])?.payload());
        }
        // SAFETY: a native hook has this type, in which a value comes back in two registers.
        let native: unsafe extern "C" fn(*const TVMFFIAny) -> TVMFFIAny =
            unsafe { std::mem::transmute(hook.payload()) };
        // SAFETY: called as its type says.
        let answer = unsafe { native(key) };
        // Up to release 0.1.14.post1 a native hook answers the bare number in the first of them.
        let first = u64::from_ne_bytes(answer.to_bytes()[..8].try_into().unwrap_or_default());
        Ok(if first == kTVMFFIInt as u64 { answer.payload() } else { first })
    }

    fn ask_equal(&self, hook: &TVMFFIAny, one: &TVMFFIAny, other: &TVMFFIAny) -> Verdict<bool> {
        if hook.type_index != kTVMFFIOpaquePtr {
            return Ok(self.ask_function(hook, &[*one, *other])?.payload() != 0);
        }
        let native: unsafe extern "C" fn(*const TVMFFIAny, *const TVMFFIAny) -> TVMFFIAny =
            // SAFETY: a native hook has this type, in which a value comes back in two registers.
            unsafe { std::mem::transmute(hook.payload()) };
        // SAFETY: called as its type says.
        let answer = unsafe { native(one, other) };
        Ok(if answer.type_index == kTVMFFIBool { answer.payload() != 0 } else { answer.type_index & 0xFF != 0 })
    }

    fn ask_function(&self, hook: &TVMFFIAny, args: &[TVMFFIAny]) -> Verdict<TVMFFIAny> {
        let mut answer = TVMFFIAny::NONE;
        let (function, count) = (hook.payload() as TVMFFIObjectHandle, args.len() as c_int);
        self.ok(self.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), count, &mut answer))?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers, measured on release 0.1.15.post2.
    #[test]
    fn hashes_are_those_of_the_public_library() {
        let text = b"abcdefghijklmnopqrst";
        let known = [
            (0, 0),
            (1, 97),
            (3, 6_513_249),
            (5, 1_684_235_051),
            (7, 1_697_787_691),
            (8, 892_481_325),
            (9, 1_218_741_397),
            (16, 367_971_186),
            (17, 576_362_357),
            (20, 382_601_590),
        ];
        for (len, hash) in known {
            assert_eq!(of_bytes(&text[..len]), hash, "{len} bytes");
        }
        assert_eq!(combine(kTVMFFIInt as u64, 42), 2_654_435_874);
        for text in texts_of_one_hash() {
            assert_eq!(of_bytes(&text), of_bytes(b"one hash"), "{text:?}");
        }
        for key in keys_of_one_hash() {
            assert_eq!(combine(key.type_index as u64, key.payload()), combine(kTVMFFIInt as u64, 4096), "{key:?}");
        }
        assert_eq!(combine(kTVMFFIInt as u64, -1_i64 as u64), 2_654_435_833);
        assert_eq!(combine(kTVMFFIStr as u64, of_bytes(b"abc")), 2_660_953_131);
        assert_eq!(combine(kTVMFFIBytes as u64, of_bytes(b"abc")), 2_660_953_320);
    }
}
