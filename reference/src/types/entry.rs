//! What the type table knows of one type, and the lock-free way to it by its index.
//!
//! Clients hold pointers to entries for the life of the process, so none ever moves or goes away. What clients read through
//! pointers while others register is published item first, count last.

use std::{
    alloc::{self, Layout},
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
    },
    system::memory,
    types::grow_only::Published,
};

/// One type: what clients see, then what only the table needs.
#[repr(C)]
pub struct Entry {
    /// What clients see.
    pub info: TVMFFITypeInfo,
    /// What `info` leads to once it has been registered.
    pub metadata: TVMFFITypeMetadata,
    /// All ancestors, root first.
    pub ancestors: Box<[*const TVMFFITypeInfo]>,
    /// The fields that the type itself adds.
    pub fields: Published<TVMFFIFieldInfo>,
    /// The methods that the type itself adds.
    pub methods: Published<TVMFFIMethodInfo>,
    /// Indices reserved for the type and its children, from its own index on.
    pub num_slots: i32,
    /// How many of them are taken.
    pub allocated_slots: i32,
    /// Whether further children get an index elsewhere.
    pub can_overflow: bool,
}

const CHUNK: usize = 1 << 16;

/// The entries of `CHUNK` neighbouring indices.
type Chunk = [AtomicPtr<Entry>; CHUNK];

/// Every index that an i32 can hold has its place; chunks are made when the first type in them is.
static CHUNKS: [AtomicPtr<Chunk>; (1 << 31) / CHUNK] = [const { AtomicPtr::new(ptr::null_mut()) }; (1 << 31) / CHUNK];

/// The entry at an index. The table must have been filled.
#[inline]
pub fn entry_at(type_index: i32) -> Option<*mut Entry> {
    let index = usize::try_from(type_index).ok()?;
    let chunk = CHUNKS[index / CHUNK].load(Ordering::Acquire);
    // SAFETY: a chunk that has been published is never freed.
    let entry = unsafe { chunk.as_ref() }?[index % CHUNK].load(Ordering::Acquire);
    (!entry.is_null()).then_some(entry)
}

/// Publishes an entry at a free index; only called under the write lock.
pub fn publish_entry(type_index: i32, entry: Box<Entry>) {
    let index = type_index as usize;
    let mut chunk = CHUNKS[index / CHUNK].load(Ordering::Relaxed);
    if chunk.is_null() {
        let layout = Layout::new::<Chunk>();
        // SAFETY: the layout is not empty; a chunk of zero bytes is one of NULL pointers.
        chunk = unsafe { alloc::alloc_zeroed(layout) }.cast();
        if chunk.is_null() {
            alloc::handle_alloc_error(layout);
        }
        CHUNKS[index / CHUNK].store(chunk, Ordering::Release);
    }
    // SAFETY: a chunk that has been published is never freed.
    let chunk = unsafe { &*chunk };
    chunk[index % CHUNK].store(Box::into_raw(entry), Ordering::Release);
}

impl Entry {
    /// The key of the type.
    pub fn key(&self) -> &[u8] {
        // SAFETY: the key is a span that the table keeps for good.
        unsafe { c_pointers::span(self.info.type_key, "type_key") }.unwrap_or_default()
    }
}

/// The name of a field that the table keeps.
pub fn name_of(field: &TVMFFIFieldInfo) -> &[u8] {
    // SAFETY: the names of fields in the table are spans that it keeps for good.
    unsafe { c_pointers::span(field.name, "name") }.unwrap_or_default()
}

/// Copies of texts that are never freed, NUL-terminated; no pointer for an empty text.
///
/// # Errors
/// `MemoryError` if there is no memory for them.
pub fn keep_texts<const N: usize>(texts: [&[u8]; N]) -> Result<[TVMFFIByteArray; N]> {
    let parts = texts.map(|text| [text, if text.is_empty() { b"" } else { b"\0".as_slice() }]);
    let mut rest = &*Box::leak(memory::kept_copy(parts.as_flattened()).ok_or_else(no_memory)?);
    Ok(texts.map(|text| {
        if text.is_empty() {
            return TVMFFIByteArray::EMPTY;
        }
        let (kept, behind) = rest.split_at(text.len() + 1);
        rest = behind;
        TVMFFIByteArray::new(&kept[..text.len()])
    }))
}

/// The error that a type cannot be told of.
#[cold]
pub fn no_memory() -> Error {
    Error::out_of_memory("what is told of a type")
}

/// A text for messages.
pub fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
