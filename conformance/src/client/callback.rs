//! C functions of the suite's own, as the target calls them back: callees of Functions and deleters of closures.
//!
//! All that such a function is given is a pointer. The target's functions therefore stand where every callback finds them.

use std::{
    ffi::{c_int, c_void},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::TVMFFIAny;

use super::{Client, api::Api};

static API: OnceLock<Api> = OnceLock::new();

impl Client {
    /// Lets callbacks find the target's functions from now on.
    pub fn serve_callbacks(&self) {
        API.get_or_init(|| self.api);
    }
}

/// The target's functions, for a callback; `None` before [`Client::serve_callbacks`].
pub fn api() -> Option<&'static Api> {
    API.get()
}

/// A callee that returns None, which every result is before the call.
///
/// # Safety
/// Always sound; `unsafe` because the type of callees is.
pub unsafe extern "C" fn return_none(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

/// A callee that raises the error that is its self.
///
/// # Safety
/// Sound if self is an Error that lives; the rest is the target's affair.
pub unsafe extern "C" fn raise_self(error: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = api() {
        api.TVMFFIErrorSetRaised(error);
    }
    -1
}

/// A deleter that leaves its self alone.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn keep_self(_: *mut c_void) {}

static ENDS: AtomicUsize = AtomicUsize::new(0);
static LAST_END: AtomicUsize = AtomicUsize::new(usize::MAX);

/// A deleter that is counted.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn count_end(this: *mut c_void) {
    LAST_END.store(this as usize, Ordering::SeqCst);
    ENDS.fetch_add(1, Ordering::SeqCst);
}

/// How often [`count_end`] ran.
pub fn ends() -> usize {
    ENDS.load(Ordering::SeqCst)
}

/// The self that [`count_end`] ran with last.
pub fn last_end() -> usize {
    LAST_END.load(Ordering::SeqCst)
}
