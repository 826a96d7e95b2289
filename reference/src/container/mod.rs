//! Containers: the memory that C++ clients walk and change inline, and what the library does with it.

pub mod array;
mod devices;
pub mod key;
pub mod list;
pub mod map;
pub mod sequence;
pub mod shape;

pub(crate) use devices::GLOBALS;

/// The deleter of every buffer made here.
///
/// # Safety
/// `data` is NULL or came from malloc, be it through a client's `operator new`, and nobody uses it any more.
unsafe extern "C" fn free(data: *mut std::ffi::c_void) {
    // SAFETY: the caller's contract is the same.
    unsafe { libc::free(data) }
}
