//! An allocator of a client's that clears what it is given back and never hands it out again.
//!
//! Whoever looks into an object whose memory was reclaimed too early finds nothing there, instead of what may or may not be left.

use std::{
    alloc::{Layout, alloc},
    ffi::c_void,
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use crate::client::connection::Client;

/// How many bytes lie before a body at least: its size, and right before it what the contract of allocators puts there.
const BEFORE: usize = size_of::<usize>() + size_of::<TVMFFIObjectAllocHeader>();

impl Client {
    /// Has the target take the memory of new objects from this allocator, if it takes it from any. That it does is for other clauses to say.
    pub fn clear_what_is_reclaimed(&self) {
        if !self.api.has("TVMFFISetCustomAllocator") {
            return;
        }
        let allocator = TVMFFICustomAllocator { allocate: Some(allocate), context: null_mut() };
        if self.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))) != 0 {
            self.api.release_raised();
        }
    }
}

unsafe extern "C" fn allocate(size: usize, alignment: usize, _: i32, _: *mut c_void) -> *mut c_void {
    let offset = alignment.max(BEFORE).next_power_of_two();
    let Ok(layout) = Layout::from_size_align(offset.saturating_add(size), offset) else { return null_mut() };
    // SAFETY: the layout is not empty, and what lies before the body fits into the offset.
    unsafe {
        let block = alloc(layout);
        if block.is_null() {
            return null_mut();
        }
        let body = block.add(offset);
        body.sub(BEFORE).cast::<usize>().write(size);
        let header = TVMFFIObjectAllocHeader { delete_space: Some(clear) };
        body.cast::<TVMFFIObjectAllocHeader>().sub(1).write(header);
        body.cast()
    }
}

unsafe extern "C" fn clear(body: *mut c_void) {
    // SAFETY: a body of this allocator's, whose memory is kept for the life of the process.
    unsafe {
        let size = body.cast::<u8>().sub(BEFORE).cast::<usize>().read();
        body.cast::<u8>().write_bytes(0, size);
    }
}
