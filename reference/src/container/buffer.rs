//! The memory of containers. It comes from C++'s `operator new`, because a buffer outlives the code that made it: a client
//! that grows a list of ours allocates with that operator and leaves our deleter in place. A mere `malloc` and `free` would
//! do as long as nobody replaces the operators, but sanitizers and other allocators do.

use std::{ffi::c_void, ptr};

unsafe extern "C" {
    fn tvm_ffi_buffer_new(bytes: usize) -> *mut c_void;
    fn tvm_ffi_buffer_delete(data: *mut c_void);
}

/// A buffer of so many bytes; NULL if there is no room, or if their number was too large to be counted.
pub(super) fn allocate(bytes: Option<usize>) -> *mut c_void {
    // SAFETY: any number of bytes may be asked for.
    bytes.map_or(ptr::null_mut(), |bytes| unsafe { tvm_ffi_buffer_new(bytes) })
}

/// The deleter of every buffer made here.
///
/// # Safety
/// `data` is NULL or came from `operator new`, and nobody uses it any more.
pub(super) unsafe extern "C" fn release(data: *mut c_void) {
    // SAFETY: the caller's contract is the same.
    unsafe { tvm_ffi_buffer_delete(data) }
}
