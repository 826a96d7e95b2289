//! What is to be done when a thread ends.
//!
//! Not by a destructor of Rust's: registering one takes memory, and where there is none the C library ends the process. Only where
//! the program has used up all keys of the C library there is no other way, and it is asked for the memory first.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::system::{memory, thread_words};

/// What runs at the end of a thread.
static ENDS: OnceLock<&'static [fn()]> = OnceLock::new();

/// The key that the C library knows it by, and a bit that says that there is one.
static KEY: AtomicU64 = AtomicU64::new(0);

const PRESENT: u64 = 1 << 32;

/// Says what runs at the end of every thread that asks for it with [`mark`]. Called when the library is loaded.
pub fn run_at_end(ends: &'static [fn()]) {
    let mut key = 0;
    // SAFETY: the key is written to, and its function is the library's until `forget` takes the key back.
    if ENDS.set(ends).is_ok() && unsafe { libc::pthread_key_create(&mut key, Some(at_end)) } == 0 {
        KEY.store(PRESENT | u64::from(key), Ordering::Release);
    }
}

/// Has the end of this thread noticed, and answers whether it will be.
#[inline]
pub fn mark() -> bool {
    let is_marked = &thread_words::get().end_is_marked;
    is_marked.get() || has_been_marked(is_marked)
}

#[cold]
fn has_been_marked(is_marked: &Cell<bool>) -> bool {
    is_marked.set(match key() {
        // SAFETY: the key is there; what it holds only has to be something.
        Some(key) => unsafe { libc::pthread_setspecific(key, (&raw const KEY).cast()) == 0 },
        None => mark_without_key(),
    });
    is_marked.get()
}

unsafe extern "C" {
    fn __cxa_thread_atexit_impl(end: unsafe extern "C" fn(*mut c_void), of: *mut c_void, library: *mut c_void)
    -> c_int;
    /// What the C library knows this library by.
    static __dso_handle: c_void;
}

/// As C++ has the destructors of a thread's variables called, which keeps the library loaded until then.
fn mark_without_key() -> bool {
    /// More than the C library takes for it.
    const ROOM: usize = 1 << 10;
    let library = (&raw const __dso_handle).cast_mut();
    // SAFETY: the function is the library's, which stays loaded, and does not look at what it is handed.
    memory::has(ROOM) && unsafe { __cxa_thread_atexit_impl(at_end, ptr::null_mut(), library) } == 0
}

fn key() -> Option<libc::pthread_key_t> {
    let key = KEY.load(Ordering::Acquire);
    (key & PRESENT != 0).then_some(key as libc::pthread_key_t)
}

unsafe extern "C" fn at_end(_: *mut c_void) {
    // What runs now may leave something behind once more.
    thread_words::get().end_is_marked.set(false);
    ENDS.get().into_iter().copied().flatten().for_each(|end| end());
}

/// When the library is unloaded, nothing of it may be called any more.
extern "C" fn forget() {
    if let Some(key) = key() {
        KEY.store(0, Ordering::Release);
        // SAFETY: the key is there, and is not used any more.
        unsafe { libc::pthread_key_delete(key) };
    }
}

// SAFETY: the section holds the addresses of functions without arguments that the loader calls, and this is one.
#[used]
#[unsafe(link_section = ".fini_array")]
static FORGET: extern "C" fn() = forget;
