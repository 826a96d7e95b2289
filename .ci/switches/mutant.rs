//! Which of the changes that are written into this copy is in force, if any.

use std::{
    ffi::CStr,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

static IN_FORCE: AtomicU32 = AtomicU32::new(0);

pub(crate) fn is(number: u32) -> bool {
    IN_FORCE.load(Relaxed) == number
}

extern "C" fn load() {
    // SAFETY: nothing of this library has run, and the program that opens it does not change its environment meanwhile.
    let number = unsafe { libc::getenv(c"TVM_FFI_MUTANT".as_ptr()) };
    if !number.is_null() {
        // SAFETY: what the environment has is a C string.
        let number = unsafe { CStr::from_ptr(number) }.to_str().ok().and_then(|text| text.parse().ok());
        IN_FORCE.store(number.expect("TVM_FFI_MUTANT is a number"), Relaxed);
    }
}

// SAFETY: the section holds addresses of functions that the loader calls; these before those of sections without a number.
#[used]
#[unsafe(link_section = ".init_array.00200")]
static LOAD: extern "C" fn() = load;
