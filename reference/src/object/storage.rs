//! The memory of objects: from the allocator that is in force, and behind a word that says how it is given back.
//!
//! An allocator that a client has installed makes all objects from then on. Without one their memory is the C library's.

use std::{
    cell::Cell,
    ffi::c_void,
    hint,
    ptr::{self, NonNull},
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{TVMFFICustomAllocator, TVMFFIObjectAllocHeader};

use crate::system::memory;

/// There is no room for an object.
#[derive(Clone, Copy, Debug)]
pub struct OutOfMemory {
    /// How many bytes of data it was to have.
    pub size: usize,
    /// Whether the allocator of a client has refused, which raises an error of its own.
    pub is_raised: bool,
}

/// The allocator that a client has installed, or NULL.
static INSTALLED: AtomicPtr<TVMFFICustomAllocator> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// Whether what the thread makes comes from the C library although an allocator is installed.
    static WITHOUT_ALLOCATOR: Cell<bool> = const { Cell::new(false) };
}

/// Held by tests that install allocators.
#[cfg(test)]
pub static INSTALLING: std::sync::Mutex<()> = std::sync::Mutex::new(());

const WORD: usize = size_of::<TVMFFIObjectAllocHeader>();

/// The alignment of bodies.
const ALIGN: usize = 8;

/// The allocator that a client has installed, or NULL.
pub fn installed() -> *mut TVMFFICustomAllocator {
    INSTALLED.load(Ordering::Acquire)
}

/// Has all further objects made by this allocator; NULL for the C library.
///
/// # Safety
/// The allocator is NULL or valid for as long as the process.
pub unsafe fn install(allocator: *mut TVMFFICustomAllocator) {
    INSTALLED.store(allocator, Ordering::Release);
}

/// Runs `body`, whose objects come from the C library: in an allocator, whose errors do not come from itself, and where a
/// lock is held, under which no foreign code may run.
pub fn without_allocator<T>(body: impl FnOnce() -> T) -> T {
    let outer = WITHOUT_ALLOCATOR.replace(true);
    let result = body();
    WITHOUT_ALLOCATOR.set(outer);
    result
}

/// Who had no room for an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refused {
    /// The C library.
    ByMalloc,
    /// The allocator of a client, which has raised an error.
    ByAllocator,
}

impl Refused {
    /// Why there was no room for an object with so many bytes of data.
    #[cold]
    pub(super) fn an_object(self, size: usize) -> OutOfMemory {
        OutOfMemory { size, is_raised: self == Self::ByAllocator }
    }
}

/// Room for an object of a type, from its first byte on, whether that is the header or something in front of it.
#[inline]
pub(super) fn allocate(size: usize, type_index: i32) -> Result<NonNull<u8>, Refused> {
    let installed = installed();
    if !installed.is_null() {
        // SAFETY: an allocator that is installed stays valid.
        return unsafe { allocate_with(&*installed, size, type_index) };
    }
    allocate_here(size).ok_or(Refused::ByMalloc)
}

/// Room from the C library.
#[inline]
fn allocate_here(size: usize) -> Option<NonNull<u8>> {
    behind_word(size, memory::allocate, None).or_else(|| allocate_from_reserve(size))
}

/// Room from the reserve, for what is made once in a process.
#[cold]
fn allocate_from_reserve(size: usize) -> Option<NonNull<u8>> {
    memory::has_to_be_sure().then(|| behind_word(size, memory::allocate_surely, Some(free_any))).flatten()
}

/// As [`allocate`], where the library cannot do without.
pub(super) fn allocate_surely(size: usize, type_index: i32) -> Result<NonNull<u8>, Refused> {
    let surely = |refused| behind_word(size, memory::allocate_surely, Some(free_any)).ok_or(refused);
    allocate(size, type_index).or_else(surely)
}

/// What says of a block that it may be one of the reserve.
///
/// # Safety
/// As for [`free`].
unsafe extern "C" fn free_any(body: *mut c_void) {
    // SAFETY: a body lies behind the word that this is found in.
    unsafe { memory::free(body.cast::<u8>().sub(WORD)) }
}

#[inline]
fn behind_word(
    size: usize,
    allocate: impl FnOnce(usize) -> Option<NonNull<u8>>,
    delete_space: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Option<NonNull<u8>> {
    let block = allocate(size.checked_add(WORD)?)?;
    // SAFETY: the block has room for the word and for the object.
    unsafe {
        block.cast().write(TVMFFIObjectAllocHeader { delete_space });
        Some(block.add(WORD))
    }
}

/// From an allocator, unless this runs in one.
///
/// # Safety
/// The allocator is one that a client has installed.
#[cold]
#[inline(never)]
unsafe fn allocate_with(
    allocator: &TVMFFICustomAllocator,
    size: usize,
    type_index: i32,
) -> Result<NonNull<u8>, Refused> {
    WITHOUT_ALLOCATOR.with(|without| {
        if without.replace(true) {
            return allocate_here(size).ok_or(Refused::ByMalloc);
        }
        // SAFETY: the client vouches for the function and for the context.
        let body = allocator.allocate.map(|allocate| unsafe { allocate(size, ALIGN, type_index, allocator.context) });
        without.set(false);
        body.and_then(|body| NonNull::new(body.cast())).ok_or(Refused::ByAllocator)
    })
}

/// Gives the room of an object back.
///
/// # Safety
/// It comes from here, and nobody uses it any more.
#[inline]
pub(super) unsafe fn free(body: *mut u8) {
    // SAFETY: a body lies behind the word, which whoever allocated it has written, and which says what is to be done.
    unsafe {
        let word = body.sub(WORD);
        match (*word.cast::<TVMFFIObjectAllocHeader>()).delete_space {
            Some(delete_space) => {
                hint::cold_path();
                delete_space(body.cast())
            }
            None => memory::free_allocated(word),
        }
    }
}
