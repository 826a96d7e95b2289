//! How strings and bytes lie in memory: up to seven bytes in the value itself, longer ones in an object.
//!
//! The content of an object follows its cell in the same allocation and ends with a NUL that does not count. Objects
//! made elsewhere may keep it anywhere, so readers follow the data pointer.

use std::{mem, slice};

use tvm_ffi_spec::{TVMFFIAny, TVMFFIByteArray, kTVMFFIBytes, kTVMFFIStr};

use crate::{
    border::error::Result,
    object::{self, ObjectRef, Payload, typed_refs},
    value::bit_hash,
};

typed_refs! {
    /// A String or a Bytes that is an object.
    Text: ObjectRef = kTVMFFIStr | kTVMFFIBytes;
    /// A String that is an object.
    Str: Text = kTVMFFIStr;
    /// A Bytes that is an object.
    Bytes: Text = kTVMFFIBytes;
}

/// The longest content that lies in the value itself: one byte of the payload is left for the terminating NUL.
pub const MAX_SMALL: usize = 7;

/// What lies behind the header of a string or bytes object.
#[repr(C)]
struct Content<const TYPE_INDEX: i32>(TVMFFIByteArray);

// SAFETY: the type is repr(C) and is the cell that strings and bytes begin with.
unsafe impl<const TYPE_INDEX: i32> Payload for Content<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;
}

impl Text {
    /// The content.
    #[inline]
    pub fn content(&self) -> &[u8] {
        // SAFETY: every such object begins with this cell, whoever made it, and its content never changes.
        unsafe {
            let cell = self.data::<TVMFFIByteArray>();
            if cell.size == 0 { &[] } else { slice::from_raw_parts(cell.data.cast(), cell.size) }
        }
    }
}

/// A String object, whatever the length of its content.
#[inline]
pub fn new_str(content: &[u8]) -> Result<Str> {
    Ok(Str(Text(new_object::<kTVMFFIStr>(content)?)))
}

/// A Bytes object, whatever the length of its content.
#[inline]
pub fn new_bytes(content: &[u8]) -> Result<Bytes> {
    Ok(Bytes(Text(new_object::<kTVMFFIBytes>(content)?)))
}

#[inline]
fn new_object<const TYPE_INDEX: i32>(content: &[u8]) -> Result<ObjectRef> {
    let object = object::new_with_tail(content.len() + 1, |tail| {
        // SAFETY: the tail has room for the content and the terminator, and is fresh memory.
        unsafe {
            tail.copy_from_nonoverlapping(content.as_ptr(), content.len());
            tail.add(content.len()).write(0);
        }
        Content::<TYPE_INDEX>(TVMFFIByteArray { data: tail.cast(), size: content.len() })
    })?;
    Ok(object)
}

/// A value with this content inside, unless that is too long.
#[inline]
pub fn small(type_index: i32, content: &[u8]) -> Option<TVMFFIAny> {
    (content.len() <= MAX_SMALL).then(|| small_of(type_index, content))
}

/// A value with this content inside, of which only what is [short enough](MAX_SMALL) counts.
#[inline]
pub fn small_of(type_index: i32, content: &[u8]) -> TVMFFIAny {
    let len = content.len().min(MAX_SMALL);
    of_words(type_index, len as u32, bit_hash::padded(&content[..len]).to_le())
}

/// A value made of two words. What is stored as a word can be loaded as one at once.
#[inline]
pub fn of_words(type_index: i32, aux: u32, payload: u64) -> TVMFFIAny {
    let (low, high) = if cfg!(target_endian = "little") { (type_index as u32, aux) } else { (aux, type_index as u32) };
    of_raw_words([u64::from(high) << 32 | u64::from(low), payload])
}

/// A value as it lies in memory.
#[inline]
pub fn of_raw_words(words: [u64; 2]) -> TVMFFIAny {
    // SAFETY: a value is two words of memory, and has no bytes that may not be what they are.
    unsafe { mem::transmute::<[u64; 2], TVMFFIAny>(words) }
}

/// The same value, copied as two words.
#[inline]
pub fn copied(value: &TVMFFIAny) -> TVMFFIAny {
    // SAFETY: a value is two words of memory, all of it initialised.
    of_raw_words(unsafe { (&raw const *value).cast::<[u64; 2]>().read() })
}

/// As [`copied`], of a value that was stored in parts a moment ago. It is not to be loaded in one piece: the processor would
/// wait until the parts have reached the cache.
#[inline(always)]
pub fn gathered(value: &TVMFFIAny) -> TVMFFIAny {
    let words = (&raw const *value).cast::<u64>();
    // SAFETY: a value is two words of memory; the compiler keeps accesses that are volatile as they are.
    of_raw_words(unsafe { [words.read_volatile(), words.add(1).read_volatile()] })
}

/// The content of a string or bytes value that is stored inline.
#[inline]
pub fn small_content(value: &TVMFFIAny) -> &[u8] {
    let len = (value.aux_word() as usize).min(MAX_SMALL);
    // SAFETY: the payload is eight initialised bytes.
    unsafe { slice::from_raw_parts((&raw const value.value).cast(), len) }
}
