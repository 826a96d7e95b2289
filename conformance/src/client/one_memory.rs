//! Texts that a client puts into one place in memory, one after the other, and lends out from there.

use tvm_ffi_spec::*;

use crate::client::{forms, value::view};

/// A place in memory for texts.
pub struct OneMemory {
    characters: Box<[u8; 64]>,
    array: Box<TVMFFIByteArray>,
}

impl Default for OneMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl OneMemory {
    /// A place with nothing in it yet.
    pub fn new() -> Self {
        Self { characters: Box::new([0; 64]), array: Box::new(TVMFFIByteArray::EMPTY) }
    }

    /// Puts a text where the one before stood, with a NUL behind it.
    pub fn put(&mut self, text: &[u8]) -> &TVMFFIByteArray {
        self.characters[..text.len()].copy_from_slice(text);
        self.characters[text.len()] = 0;
        *self.array = TVMFFIByteArray::new(&self.characters[..text.len()]);
        &self.array
    }

    /// The same as a value in that form.
    pub fn borrowed(&mut self, form: i32, text: &[u8]) -> TVMFFIAny {
        let array = self.put(text);
        match form {
            kTVMFFIRawStr => TVMFFIAny::new(form, array.data as u64),
            kTVMFFIByteArrayPtr => view::byte_array(array),
            _ => forms::inline(form, text).unwrap_or(TVMFFIAny::NONE),
        }
    }
}

/// Each two of so many, in either order, and each twice.
pub fn pairs(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |one| (0..count).map(move |other| [one, other]))
}
