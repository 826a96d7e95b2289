//! What the type table knows of one type, and the lock-free way to it by its index.
//!
//! Clients hold pointers to entries for the life of the process, so none ever moves or goes away. What clients read through
//! pointers while others register is published item first, count last.

use std::{
    alloc::{self, Layout},
    borrow::Cow,
    hint,
    ops::Range,
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, Ordering},
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
    /// What has been found out of all fields of the type together, below the number of fields that had been added then.
    pub found_of_fields: AtomicU64,
    /// The methods that the type itself adds.
    pub methods: Published<TVMFFIMethodInfo>,
    /// Indices reserved for the type and its children, from its own index on.
    pub num_slots: i32,
    /// How many of the first of them are known to be taken.
    pub taken_slots: i32,
    /// Whether further children get an index elsewhere.
    pub can_overflow: bool,
}

/// How many fields have been added to types, and one more.
static FIELDS_ADDED: AtomicU64 = AtomicU64::new(1);

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

/// The entries in a range of indices, by ascending index.
pub fn entries_in(range: Range<i32>) -> impl DoubleEndedIterator<Item = *mut Entry> {
    let Range { start, end } = range;
    let (start, end) = (start.max(0) as usize, end.max(0) as usize);
    (start / CHUNK..end.div_ceil(CHUNK)).flat_map(move |at| {
        // SAFETY: a chunk that has been published is never freed.
        let chunk = unsafe { CHUNKS[at].load(Ordering::Acquire).as_ref() };
        let within = |index: usize| index.clamp(at * CHUNK, (at + 1) * CHUNK) - at * CHUNK;
        let places = chunk.map_or([].as_slice(), |chunk| &chunk[within(start)..within(end)]);
        places.iter().map(|place| place.load(Ordering::Acquire)).filter(|entry| !entry.is_null())
    })
}

/// Makes sure that there is a place for an entry at an index; only called under the write lock.
///
/// # Errors
/// `MemoryError` if there is no memory for it.
pub fn make_place(type_index: i32) -> Result<()> {
    let chunk = &CHUNKS[type_index as usize / CHUNK];
    if chunk.load(Ordering::Relaxed).is_null() {
        let layout = Layout::new::<Chunk>();
        // SAFETY: the layout is not empty; a chunk of zero bytes is one of NULL pointers.
        let new = memory::try_for(|| unsafe { alloc::alloc_zeroed(layout) });
        if new.is_null() {
            return Err(no_memory());
        }
        chunk.store(new.cast(), Ordering::Release);
    }
    Ok(())
}

/// Publishes an entry at a free index for which there is [a place](make_place); only called under the write lock.
pub fn publish_entry(type_index: i32, entry: &'static mut Entry) {
    let index = type_index as usize;
    // SAFETY: a chunk that has been published is never freed.
    if let Some(chunk) = unsafe { CHUNKS[index / CHUNK].load(Ordering::Relaxed).as_ref() } {
        chunk[index % CHUNK].store(entry, Ordering::Release);
    }
}

impl Entry {
    /// Where the indices end that are reserved for the type and its children.
    pub fn end(&self) -> i32 {
        self.info.type_index + self.num_slots
    }

    /// The key of the type.
    pub fn key(&self) -> &[u8] {
        // SAFETY: the key is a span that the table keeps for good.
        unsafe { c_pointers::span(self.info.type_key, "type_key") }.unwrap_or_default()
    }
}

/// Says that a type has got a further field, so that what has been found out of its fields, or its descendants', is so no more.
pub fn field_added() {
    FIELDS_ADDED.fetch_add(1, Ordering::Release);
}

/// What is kept of the fields of a type, or what `find` finds out when fields have been added since.
///
/// # Errors
/// What `find` fails with.
#[inline(always)]
pub fn found_of_fields(kept: &AtomicU64, find: impl FnOnce() -> Result<u8>) -> Result<u8> {
    let (added, known) = (FIELDS_ADDED.load(Ordering::Acquire), kept.load(Ordering::Relaxed));
    if known >> u8::BITS == added {
        return Ok(known as u8);
    }
    hint::cold_path();
    let found = find()?;
    kept.store(added << u8::BITS | u64::from(found), Ordering::Relaxed);
    Ok(found)
}

/// The name of a field that the table keeps.
pub fn name_of(field: &TVMFFIFieldInfo) -> &[u8] {
    // SAFETY: the names of fields in the table are spans that it keeps for good.
    unsafe { c_pointers::span(field.name, "name") }.unwrap_or_default()
}

/// The texts of an info, of which none may be NULL unless it is empty.
///
/// # Safety
/// The texts are readable for `'a`.
pub unsafe fn texts<'a, const N: usize>(texts: [TVMFFIByteArray; N]) -> Result<[&'a [u8]; N]> {
    let mut readable = [[].as_slice(); N];
    for (readable, text) in readable.iter_mut().zip(texts) {
        // SAFETY: the caller vouches for the text.
        *readable = unsafe { c_pointers::span(text, "info")? };
    }
    Ok(readable)
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

/// What is to be said of a field of a type that has the name of a field of an ancestor; nothing if there is none.
pub fn shadowing(entry: &Entry, name: &[u8]) -> String {
    // SAFETY: every ancestor is an entry of the table.
    let ancestors = entry.ancestors.iter().map(|ancestor| unsafe { &*ancestor.cast::<Entry>() });
    let shadowed = ancestors.filter(|ancestor| ancestor.fields.items().iter().any(|field| name_of(field) == name));
    let warnings: Vec<_> = shadowed
        .map(|ancestor| {
            format!(
                "[WARNING] Field \"{}\" in type \"{}\" duplicates an ancestor field in \"{}\". \
                 Child types should not re-register inherited fields.",
                show(name),
                show(entry.key()),
                show(ancestor.key())
            )
        })
        .collect();
    warnings.join("\n")
}

/// The error that a type cannot be told of.
#[cold]
pub fn no_memory() -> Error {
    Error::out_of_memory("what is told of a type")
}

/// The error of a check that has failed.
#[cold]
pub fn internal(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new("InternalError", message)
}

/// A text for messages.
pub fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
