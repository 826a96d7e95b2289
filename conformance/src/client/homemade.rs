//! Objects as clients make and handle them.
//!
//! The header of an object is public, and clients compile the operations on it into their own code: they make objects
//! in memory of their own, count references with atomic instructions, and call the deleter when a count reaches zero.
//! The library sees only the results. Here are such objects, which remember how they were ended, and those operations.
//!
//! The operations are not marked `unsafe`, for the reason that [`api`](crate::client::api) gives: they act on what a black box
//! handed out, in a process that exists for checks.

use std::{
    ffi::c_int,
    sync::{
        Mutex, PoisonError,
        atomic::{Ordering, fence},
    },
};

use tvm_ffi_spec::*;

use crate::client::{
    header::{self, Left},
    order, program,
};

/// An object in memory of the suite's own, with `C` behind its header. The memory is kept for the life of the process,
/// so that a target that ends the object too often is seen to do so instead of corrupting the heap.
pub struct Homemade<C = ()> {
    block: *mut Block<C>,
}

#[repr(C)]
struct Block<C> {
    header: TVMFFIObject,
    cell: C,
}

/// Every end of a homemade object: which one, and the flags its deleter was called with.
static ENDS: Mutex<Vec<(usize, c_int)>> = Mutex::new(Vec::new());

/// The deleter of a homemade object, which only remembers the call.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn remember_end(handle: TVMFFIObjectHandle, flags: c_int) {
    ENDS.lock().unwrap_or_else(PoisonError::into_inner).push((handle as usize, flags));
}

/// How often any deleter was [remembered](remember_end), whichever handle it was given.
pub fn all_ends() -> usize {
    ENDS.lock().unwrap_or_else(PoisonError::into_inner).len()
}

impl<C> Homemade<C> {
    /// A new object, with one strong and one weak reference and a deleter that remembers each call.
    pub fn new(type_index: i32, cell: C) -> Self {
        Self::with_deleter(type_index, cell, Some(remember_end))
    }

    /// A new object with a deleter of the check's choice.
    pub fn with_deleter(type_index: i32, cell: C, deleter: Option<TVMFFIObjectDeleter>) -> Self {
        let header = header::new(type_index, deleter);
        Self { block: Box::into_raw(Box::new(Block { header, cell })) }
    }

    /// The object as the ABI sees it.
    pub fn handle(&self) -> TVMFFIObjectHandle {
        self.block.cast()
    }

    /// A value that refers to the object.
    pub fn view(&self) -> TVMFFIAny {
        // SAFETY: the block is never freed, and nobody writes to the index while the suite reads it.
        let header = unsafe { (&raw const (*self.block).header).read() };
        TVMFFIAny::new(header::turned(header).type_index, self.block as u64)
    }

    /// The strong and the weak count.
    pub fn counts(&self) -> (u32, u32) {
        program::looks_at_header(&"an object of the client's own", self.handle());
        header::both(self.handle())
    }

    /// Sets both counts.
    pub fn set_counts(&self, strong: u32, weak: u32) {
        header::set_both(self.handle(), strong, weak);
    }

    /// The flags of every call of the deleter so far.
    pub fn ends(&self) -> Vec<c_int> {
        let ends = ENDS.lock().unwrap_or_else(PoisonError::into_inner);
        ends.iter().filter(|(handle, _)| *handle == self.handle() as usize).map(|(_, flags)| *flags).collect()
    }
}

// SAFETY: the block is never freed, its counts are only touched through atomics, and the rest is not written to.
unsafe impl<C> Send for Homemade<C> {}
// SAFETY: as above.
unsafe impl<C> Sync for Homemade<C> {}

/// The strong count of an object that is still in memory.
pub fn strong_count(object: TVMFFIObjectHandle) -> u32 {
    header::both(object).0
}

/// Takes a strong reference, as a client does that holds one.
pub fn retain(object: TVMFFIObjectHandle) {
    program::counts("retain", object);
    header::add_strong(object);
}

/// Gives up a strong reference and ends the object if it was the last.
pub fn release(object: TVMFFIObjectHandle) {
    program::counts("release", object);
    match header::sub_strong(object) {
        Left::Others => {}
        Left::Nobody => end(object, kTVMFFIObjectDeleterFlagBitMaskBoth),
        Left::Weak => {
            end(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
            release_weak(object);
        }
    }
}

/// Takes a weak reference.
pub fn retain_weak(object: TVMFFIObjectHandle) {
    program::counts("retain_weak", object);
    header::add_weak(object);
}

/// Gives up a weak reference and has the memory freed if it was the last.
pub fn release_weak(object: TVMFFIObjectHandle) {
    program::counts("release_weak", object);
    if header::sub_weak(object) {
        end(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
}

/// Makes a strong reference of a weak one; answers whether the object was still there.
pub fn promote(object: TVMFFIObjectHandle) -> bool {
    program::counts("promote", object);
    header::promote(object)
}

fn end(object: TVMFFIObjectHandle, flags: c_int) {
    fence(Ordering::Acquire);
    // SAFETY: the header is still in memory: its last weak reference was this caller's until now.
    let deleter = unsafe { (*object.cast::<TVMFFIObject>()).deleter };
    if let Some(deleter) = deleter {
        order::begins();
        // SAFETY: the object's own deleter, called as the header's rules say.
        unsafe { deleter(object, flags) };
        order::ended();
    }
}
