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

/// Frees a buffer by its deleter, if that is none of a client's. Without one there is nothing to be freed. Whether it has.
///
/// # Safety
/// The deleter is that of the buffer, which nobody uses any more.
#[inline]
pub(super) unsafe fn release_ours(data: *mut c_void, deleter: Option<unsafe extern "C" fn(*mut c_void)>) -> bool {
    let Some(deleter) = deleter else { return true };
    let is_ours = ptr::fn_addr_eq(deleter, release as unsafe extern "C" fn(*mut c_void));
    if is_ours {
        // SAFETY: the caller's contract is the same.
        unsafe { release(data) };
    }
    is_ours
}

/// The deleter of every buffer made here.
///
/// # Safety
/// `data` is NULL or came from `operator new`, and nobody uses it any more.
pub(super) unsafe extern "C" fn release(data: *mut c_void) {
    // SAFETY: the caller's contract is the same.
    unsafe { tvm_ffi_buffer_delete(data) }
}
