//! Finding in an object's memory what was put into it: the same struct is made several times, with other values each time, and
//! a place is a field's where all of them are.

use std::{collections::BTreeMap, ffi::c_void};

use tvm_ffi_spec::TVMFFIObjectHandle;

use crate::client::memory;

/// Bytes of fields, by their names.
pub type Layout = BTreeMap<String, u64>;

/// How much of an object is looked at: more than any struct of the ABI has.
const FAR: usize = 256;

/// The memory of several instances of a struct.
pub struct Samples(Vec<Vec<u8>>);

impl Samples {
    /// The memory at these addresses, as far as it can be read.
    pub fn at(addresses: &[*const c_void]) -> Self {
        Self(addresses.iter().map(|address| readable(*address)).collect())
    }

    /// The memory of these objects.
    pub fn of(objects: &[TVMFFIObjectHandle]) -> Self {
        Self::at(&objects.iter().map(|object| object.cast_const()).collect::<Vec<_>>())
    }

    /// Where each has a word of eight bytes for which this holds, which is also told which sample it is.
    pub fn word(&self, holds: impl Fn(usize, u64) -> bool) -> Option<u64> {
        self.first::<8>(|sample, bytes| holds(sample, u64::from_ne_bytes(bytes)))
    }

    /// Where each has its word of eight bytes.
    pub fn words(&self, values: &[u64]) -> Option<u64> {
        self.word(|sample, word| word == values[sample])
    }

    /// Where each has its word of four bytes.
    pub fn halves(&self, values: &[i32]) -> Option<u64> {
        self.first::<4>(|sample, bytes| i32::from_ne_bytes(bytes) == values[sample])
    }

    /// Where each has the address of its bytes.
    pub fn lead_to(&self, contents: &[&[u8]]) -> Option<u64> {
        self.word(|sample, word| leads_to(word, contents[sample]))
    }

    /// Where each has the address of something in which that is found, closest to its beginning.
    pub fn nearest(&self, find: impl Fn(&Self) -> Option<u64>) -> Option<u64> {
        let places = (0..FAR as u64).step_by(8);
        let found = places.filter_map(|place| Some((find(&self.behind(place))?, place)));
        found.min().map(|(_, place)| place)
    }

    /// What that place of each leads to.
    pub fn behind(&self, place: u64) -> Self {
        Self::at(&self.addresses(place))
    }

    fn addresses(&self, place: u64) -> Vec<*const c_void> {
        let word =
            |memory: &Vec<u8>| memory.get(place as usize..)?.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes));
        self.0.iter().map(|memory| word(memory).unwrap_or_default() as *const c_void).collect()
    }

    fn first<const SIZE: usize>(&self, holds: impl Fn(usize, [u8; SIZE]) -> bool) -> Option<u64> {
        let shortest = self.0.iter().map(Vec::len).min()?;
        let mut places = (0..shortest).step_by(SIZE).filter(|place| place + SIZE <= shortest);
        let there = |place: &usize| {
            let bytes = |memory: &Vec<u8>| memory[*place..].first_chunk::<SIZE>().copied();
            self.0.iter().enumerate().all(|(sample, memory)| bytes(memory).is_some_and(|bytes| holds(sample, bytes)))
        };
        places.find(there).map(|place| place as u64)
    }
}

/// Whether these bytes are at an address.
pub fn leads_to(address: u64, content: &[u8]) -> bool {
    memory::read_bytes(address as *const c_void, content.len()).is_some_and(|bytes| bytes == content)
}

fn readable(address: *const c_void) -> Vec<u8> {
    let words = (0..FAR).step_by(8).map_while(|place| memory::read(address.wrapping_byte_add(place).cast::<[u8; 8]>()));
    words.flatten().collect()
}

/// The fields that were found.
pub fn found<'a>(fields: impl IntoIterator<Item = (&'a str, Option<u64>)>) -> Layout {
    fields.into_iter().filter_map(|(name, place)| Some((name.to_owned(), place?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_where_all_samples_have_what_was_put_there() {
        let texts = [*b"one text", *b"another!"];
        let struct_of = |text: &[u8; 8], number: u64| [7_u64, 3, text.as_ptr() as u64, number];
        let structs = [struct_of(&texts[0], 3), struct_of(&texts[1], 4)];
        let samples = Samples::at(&structs.each_ref().map(|one| one.as_ptr().cast()));
        assert_eq!(samples.lead_to(&[&texts[0], &texts[1]]), Some(16));
        assert_eq!(
            (samples.words(&[3, 4]), samples.words(&[3, 3]), samples.halves(&[3, 4])),
            (Some(24), Some(8), Some(24))
        );
        assert_eq!(Samples::at(&[std::ptr::null()]).words(&[0]), None);
    }
}
