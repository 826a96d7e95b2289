//! What is to be done when a thread ends.
//!
//! Not by a destructor of Rust's: registering one takes memory, and where there is none the C library ends the process.

use std::{
    ffi::c_void,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

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
pub fn mark() -> bool {
    // SAFETY: the key is there; what it holds only has to be something.
    key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, (&raw const KEY).cast()) } == 0)
}

fn key() -> Option<libc::pthread_key_t> {
    let key = KEY.load(Ordering::Acquire);
    (key & PRESENT != 0).then_some(key as libc::pthread_key_t)
}

unsafe extern "C" fn at_end(_: *mut c_void) {
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
