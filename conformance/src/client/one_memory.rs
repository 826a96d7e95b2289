//! Texts that a client puts into one place in memory, one after the other, and lends out from there.

use tvm_ffi_spec::*;

use crate::client::{forms, value::view};

/// A place in memory for texts.
pub struct OneMemory {
    characters: Box<[u8; Self::ROOM]>,
    array: Box<TVMFFIByteArray>,
}

impl Default for OneMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl OneMemory {
    /// How many bytes it has, that of a NUL behind the text among them.
    pub const ROOM: usize = 256;

    /// A place with nothing in it yet.
    pub fn new() -> Self {
        Self { characters: Box::new([0; Self::ROOM]), array: Box::new(TVMFFIByteArray::EMPTY) }
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

/// Lengths of texts that are [nearly alike](steps): on either side of the short form, of a word or a few, and such as nobody looks through to the
/// end who only wants to know whether it is the one of before.
pub const LENGTHS: [usize; 6] = [1, 7, 8, 24, 40, 130];

/// Texts of one length in which each differs from the one before in a single byte, which is each byte in turn; of a long text, those at its
/// ends and some between.
pub fn steps(length: usize) -> Vec<Vec<u8>> {
    let mut text: Vec<u8> = (0..length).map(|at| b'a' + (at % 20) as u8).collect();
    let mut all = vec![text.clone()];
    for at in (0..length).filter(|at| length <= 40 || *at < 10 || at + 10 > length || at % 9 == 0) {
        text[at].make_ascii_uppercase();
        all.push(text.clone());
    }
    all
}
