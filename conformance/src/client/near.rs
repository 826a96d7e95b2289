//! Near misses: pairs of values that differ in one byte, in one length or in one member alone, and pairs that a shortcut takes for one value.

use tvm_ffi_spec::*;

use crate::client::{
    connection::Client,
    containers::hash::{self, PRIME},
    owned::Owned,
    samples::Sample,
    value::view,
    verdict::Verdict,
};

/// Two texts that are nearly one.
pub type Texts = [Vec<u8>; 2];

/// ASCII texts in pairs that differ in one byte, for each length up to `longest` and each place around which words and inline texts end,
/// some of them behind a NUL; and in pairs of which the second has one byte more.
pub fn texts(longest: usize) -> Vec<Texts> {
    let mut all = Vec::new();
    for len in 0..=longest {
        let text = letters(len);
        for place in places(len) {
            let mut other = text.clone();
            other[place] = b'Z';
            if place > 0 && (len + place) % 3 == 0 {
                let [mut one, mut other] = [text.clone(), other.clone()];
                (one[place - 1], other[place - 1]) = (0, 0);
                all.push([one, other]);
            }
            all.push([text.clone(), other]);
        }
        let behind = if len % 2 == 0 { b'\0' } else { b'Z' };
        all.push([text.clone(), [&text[..], &[behind]].concat()]);
    }
    all
}

/// The places in a text of that length where one byte may be overlooked.
fn places(len: usize) -> Vec<usize> {
    let mut places = vec![0, 1, 3, 6, 7, 8, 9, 15, 16, len / 2, len.saturating_sub(2), len.saturating_sub(1)];
    places.retain(|place| *place < len);
    places.sort_unstable();
    places.dedup();
    places
}

fn letters(len: usize) -> Vec<u8> {
    (0..len).map(|at| b'a' + (at % 23) as u8).collect()
}

/// ASCII texts in pairs that have one hash as keys: a word of the second is twice the prime more that hashes stay below, or a NUL follows.
pub fn texts_of_one_hash() -> Vec<Texts> {
    let mut all = Vec::new();
    for len in [5, 6, 7, 8, 9, 13, 16, 17, 24, 40, 65, 96, 300] {
        // The first and the last words, and one of those between.
        let few = |word: &usize| *word < 24 || *word + 16 >= len || *word == len / 16 * 8;
        for word in (0..len).step_by(8).filter(few).filter(|begin| begin + 4 < len) {
            let (one, mut other) = (letters(len), letters(len));
            // In bytes, 2 * (2^31 - 1) is one at the fifth and two less at the first.
            other[word] -= 2;
            other[word + 4] += 1;
            all.push([one, other]);
        }
        if len % 8 != 0 {
            all.push([letters(len), [letters(len), vec![0]].concat()]);
        }
    }
    debug_assert!(
        PRIME == (1 << 31) - 1 && all.iter().all(|[one, other]| hash::of_bytes(one) == hash::of_bytes(other))
    );
    all
}

/// Devices in pairs that differ in one byte of a member, or that are one number when their members are packed, added or xored.
pub fn devices() -> Vec<[DLDevice; 2]> {
    let pairs = [
        [(1, 0), (2, 0)],
        [(2, 0), (3, 0)],
        [(1, 5), (17, 5)],
        [(2, 0), (2, 1)],
        [(2, 1), (2, 1 << 8 | 1)],
        [(2, 1), (2, 1 << 16 | 1)],
        [(2, 1), (2, 1 << 24 | 1)],
        [(2, 0), (2, i32::MAX)],
        // Packed into one word.
        [(1, 1 << 4), (2, 0)],
        [(1, 1 << 8), (2, 0)],
        [(1, (1 << 8) + 7), (2, 7)],
        [(1, 1 << 16), (2, 0)],
        [(1, 1 << 24), (2, 0)],
        [(1, 31), (2, 0)],
        // Added, xored, and changed places.
        [(1, 2), (3, 0)],
        [(1, 2), (2, 1)],
        [(1, 4), (4, 1)],
        [(2, 8), (8, 2)],
    ];
    pairs.map(|pair| pair.map(|(device_type, device_id)| DLDevice { device_type, device_id })).to_vec()
}

/// Data types of integers and floats in pairs that differ in one bit or byte of a member, or that are one number when their members are
/// packed, added, xored or multiplied.
pub fn data_types() -> Vec<[DLDataType; 2]> {
    let mut pairs: Vec<[(u8, u8, i16); 2]> = vec![
        [(kDLInt, 32, 1), (kDLUInt, 32, 1)],
        [(kDLInt, 32, 1), (kDLFloat, 32, 1)],
        [(kDLFloat, 16, 1), (kDLBfloat, 16, 1)],
        // Packed into one word, whose bytes are not apart.
        [(kDLFloat, 16, 4097), (kDLFloat, 32, 1)],
        [(kDLFloat, 16, 257), (kDLFloat, 17, 1)],
        [(kDLFloat, 8, 259), (kDLFloat, 9, 3)],
        [(kDLInt, 32, 257), (kDLUInt, 32, 1)],
        [(kDLInt, 16, 258), (kDLFloat, 16, 2)],
        // Added and xored.
        [(kDLInt, 8, 1), (kDLUInt, 9, 1)],
        [(kDLInt, 10, 1), (kDLFloat, 8, 1)],
        [(kDLFloat, 9, 3), (kDLFloat, 8, 2)],
        [(kDLFloat, 8, 3), (kDLFloat, 9, 2)],
        [(kDLInt, 16, 2), (kDLFloat, 16, 3)],
        // As many bits in all, and changed places.
        [(kDLFloat, 16, 2), (kDLFloat, 32, 1)],
        [(kDLFloat, 8, 4), (kDLFloat, 16, 2)],
        [(kDLFloat, 8, 16), (kDLFloat, 16, 8)],
        [(kDLUInt, 2, 3), (kDLFloat, 3, 2)],
    ];
    pairs.extend((0..8).map(|bit| [(kDLFloat, 36, 1), (kDLFloat, 36 ^ 1 << bit, 1)]));
    pairs.extend((0..15).map(|bit| [(kDLInt, 16, 0x0555), (kDLInt, 16, 0x0555 ^ 1 << bit)]));
    pairs.push([(kDLInt, 8, 1), (kDLInt, 8, 257)]);
    let of = |(code, bits, lanes): (u8, u8, i16)| DLDataType { code, bits, lanes: lanes as u16 };
    pairs.into_iter().map(|pair| pair.map(of)).collect()
}

/// A device as a value.
pub fn device(device: DLDevice) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIDevice, u64::from(device.device_id as u32) << 32 | u64::from(device.device_type as u32))
}

/// A data type as a value.
pub fn data_type(dtype: DLDataType) -> TVMFFIAny {
    let DLDataType { code, bits, lanes } = dtype;
    TVMFFIAny::new(kTVMFFIDataType, u64::from(lanes) << 16 | u64::from(bits) << 8 | u64::from(code))
}

/// The pairs of devices and of data types as values.
pub fn members() -> Vec<[TVMFFIAny; 2]> {
    let devices = devices().into_iter().map(|pair| pair.map(device));
    devices.chain(data_types().into_iter().map(|pair| pair.map(data_type))).collect()
}

/// The order in which values of a group take each other's place: each one that of both its neighbours, of the first and of the last.
pub fn in_the_place_of_each_other(group: &[Sample]) -> Vec<&Sample> {
    let (len, mut all) = (group.len(), Vec::new());
    all.extend(group.iter().chain(group.iter().rev()));
    for sample in group {
        all.extend([sample, &group[0], sample, &group[len - 1]]);
    }
    all
}

impl Client {
    /// Groups of values that differ in what is not their payload: texts that are inline in their lengths, and others in their types.
    pub fn alike_in_payload(&self) -> Verdict<Vec<Vec<Sample>>> {
        let text = |text: &[u8]| self.owned_text_samples(text);
        let (mut strings, mut bytes) = (Vec::new(), Vec::new());
        for len in 0..=7 {
            let [string, small] = text(&vec![0; len])?;
            strings.push(string);
            bytes.push(small);
        }
        let mut groups = vec![strings, bytes];
        for begin in [&b"ab"[..], b"a"] {
            let (mut strings, mut bytes, mut both) = (Vec::new(), Vec::new(), Vec::new());
            for len in begin.len()..=7 {
                let content = [begin, &vec![0; len - begin.len()]].concat();
                let [string, small] = text(&content)?;
                strings.push(string);
                bytes.push(small);
                both.extend(text(&content)?);
            }
            groups.extend([strings, bytes, both]);
        }
        // Of every length, and of each another content.
        let mut lengths = Vec::new();
        for len in 0..10 {
            lengths.extend(text(&letters(len))?);
        }
        groups.push(lengths);
        let plain =
            |name: &str, any: TVMFFIAny| Sample::plain(&format!("{name} of the payload {:#x}", any.payload()), any);
        let pointer = |payload: u64| TVMFFIAny::new(kTVMFFIOpaquePtr, payload);
        let number = |payload: u64| {
            let float = TVMFFIAny::new(kTVMFFIFloat, payload);
            vec![
                plain("an integer", view::int(payload as i64)),
                plain("a float", float),
                plain("a pointer", pointer(payload)),
            ]
        };
        let (mut zeros, mut ones, mut types) = (number(0), number(1), number(0x0001_2002));
        zeros.extend([plain("None", TVMFFIAny::NONE), plain("a boolean", view::bool(false))]);
        zeros.extend(text(b"")?);
        ones.extend([plain("a boolean", view::bool(true)), plain("a device", TVMFFIAny::new(kTVMFFIDevice, 1))]);
        ones.extend(text(b"\x01")?);
        types.push(plain("a data type", TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002)));
        groups.extend([zeros, ones, types]);
        for kind in [kTVMFFIDevice, kTVMFFIDataType] {
            let mut values: Vec<_> = members().into_iter().flatten().filter(|any| any.type_index == kind).collect();
            values.sort_by_key(TVMFFIAny::payload);
            values.dedup_by_key(|any| any.payload());
            groups.push(values.into_iter().map(|any| plain("a device or a data type", any)).collect());
        }
        Ok(groups)
    }

    /// Expects a map to tell keys apart that are nearly one, texts of either type among them, whether one of them is there or both. The
    /// clauses are those of `Count`, of `GetItem` for a key that is there, and for one that is not.
    pub fn tells_near_keys_apart(&self, name: &str, clauses: [&'static str; 3]) -> Verdict {
        let [make, count, get] = ["", "Count", "GetItem"].map(|door| self.global(&format!("{name}{door}")));
        let (make, count, get) = (make?, count?, get?);
        let mut pairs: Vec<[Owned; 2]> = Vec::new();
        for (number, [one, other]) in texts(24).into_iter().chain(texts_of_one_hash()).enumerate() {
            pairs.push(match number % 2 {
                0 => [self.string(&one)?, self.string(&other)?],
                _ => [self.bytes(&one)?, self.bytes(&other)?],
            });
        }
        pairs.extend(members().into_iter().map(|pair| pair.map(|any| self.own(any))));
        for (number, pair) in pairs.iter().enumerate() {
            let [one, other] = if number % 4 < 2 { [&pair[0], &pair[1]] } else { [&pair[1], &pair[0]] };
            // Integers that are none of the keys.
            let others = (1000..1000 + [0, 2, 18][number % 3]).map(view::int);
            let mut args: Vec<_> = [one.any(), view::int(1)].into_iter().chain(others).collect();
            let what = format_args!(
                "{:?} beside {:?}, in a {name} with {} others",
                other.any(),
                one.any(),
                args.len() / 2 - 1
            );
            for there in [false, true] {
                if there {
                    args.extend([other.any(), view::int(2)]);
                }
                let map = self.call(&make, &args)?;
                self.crumbs.set_clause(clauses[0]);
                let found = self.call(&count, &[map.any(), other.any()])?.any().payload();
                self.eq(format_args!("whether there is {what}"), found, there.into())?;
                self.crumbs.set_clause(clauses[1]);
                for (key, value) in [(one, Some(1)), (other, Some(2))] {
                    if std::ptr::eq(key, other) && !there {
                        continue;
                    }
                    let found = self.answer_of(get.handle(), &[map.any(), key.any()])?.ok();
                    let found = found.map(|found| found.any().payload());
                    self.eq(format_args!("the value of {:?}, where there is {what}", key.any()), found, value)?;
                }
                // An error is made each time.
                if !there && number % 8 == 0 {
                    self.crumbs.set_clause(clauses[2]);
                    let found = self.answer_of(get.handle(), &[map.any(), other.any()])?.is_ok();
                    self.eq(format_args!("whether there is a value of {what}"), found, false)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn texts_of_a_pair_have_one_hash_and_differ() {
        for [one, other] in texts_of_one_hash() {
            assert!(one != other && one.is_ascii() && other.is_ascii());
            assert_eq!(hash::of_bytes(&one), hash::of_bytes(&other), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn no_pair_is_one_value() {
        for [one, other] in members() {
            assert_eq!(one.type_index, other.type_index);
            assert_ne!(one.payload(), other.payload());
        }
        let pairs: HashSet<_> = texts(40).into_iter().collect();
        assert!(pairs.len() == texts(40).len() && pairs.iter().all(|[one, other]| one != other));
    }
}
