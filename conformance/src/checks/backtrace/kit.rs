//! What checks on backtraces share: taking them, below functions that have names, and reading them.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr::null,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use crate::{
    client::{Verdict, callback, changes, header, memory},
    trial::Trial,
};

/// Filename, line number and function, as a caller gives them.
pub type Place<'a> = (Option<&'a CStr>, c_int, Option<&'a CStr>);

pub const NOWHERE: Place = (None, 0, None);

/// Where the library keeps a new backtrace.
pub fn raw(t: &Trial, place: Place, cross_ffi_boundary: c_int) -> Verdict<TVMFFIByteArray> {
    t.read("the byte array that TVMFFIBacktrace answers", answered(t, place, cross_ffi_boundary))
}

/// What TVMFFIBacktrace answers: where the byte array of a new backtrace lies.
pub fn answered(t: &Trial, (file, line, function): Place, cross_ffi_boundary: c_int) -> *const TVMFFIByteArray {
    let c_str = |text: Option<&CStr>| text.map_or(null::<c_char>(), CStr::as_ptr);
    t.api.TVMFFIBacktrace(c_str(file), line, c_str(function), cross_ffi_boundary)
}

/// A copy of the backtrace that the byte array there refers to by now.
pub fn read_answered(t: &Trial, answered: *const TVMFFIByteArray) -> Verdict<String> {
    read(t, t.read("the byte array that TVMFFIBacktrace has answered", answered)?)
}

/// A copy of a new backtrace.
pub fn take(t: &Trial, place: Place, cross_ffi_boundary: c_int) -> Verdict<String> {
    read(t, raw(t, place, cross_ffi_boundary)?)
}

/// A copy of a backtrace.
pub fn read(t: &Trial, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(header::turned_round(&String::from_utf8_lossy(&t.read_array("backtrace", array)?)))
}

/// Two backtraces from the same place.
#[derive(Clone, Default)]
pub struct Taken {
    /// Within the FFI boundary.
    pub within: String,
    /// Across it.
    pub across: String,
}

/// What [`take_here`] took, and the function that it gave for its own, if any.
static TAKEN: Mutex<(Taken, Option<&CStr>)> =
    Mutex::new((Taken { within: String::new(), across: String::new() }, None));

/// Takes backtraces below functions that are called by one another and have names.
pub fn deep(t: &Trial, function: Option<&'static CStr>) -> Verdict<Taken> {
    let taken = || TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    *taken() = (Taken::default(), function);
    let status = t.below_layers(take_here)?;
    t.ok(status)?;
    Ok(taken().0.clone())
}

/// Takes a backtrace within the FFI boundary and one across it.
pub unsafe extern "C" fn take_here(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    let (Some(api), mut taken) = (callback::api(), TAKEN.lock().unwrap_or_else(PoisonError::into_inner)) else {
        return -1;
    };
    let (file, function) = taken.1.map_or((null(), null()), |function| (c"deep.c".as_ptr(), function.as_ptr()));
    let take = |cross_ffi_boundary| {
        let array = memory::read(api.TVMFFIBacktrace(file, 3, function, cross_ffi_boundary));
        let bytes = array.and_then(|array| memory::read_bytes(array.data.cast(), array.size));
        bytes.map_or("<unreadable>".to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    taken.0 = Taken { within: take(0), across: take(1) };
    0
}

/// The backtrace of the error that is raised, which is taken.
pub fn raised_backtrace(t: &Trial) -> Verdict<String> {
    match t.take_raised() {
        Some(raised) => Ok(raised.backtrace),
        None => Err(t.failure("the raised error", "an error", "NULL")),
    }
}

/// Changes the limit for all calls to come.
pub fn set_limit(limit: &str) {
    changes::note();
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("TVM_TRACEBACK_LIMIT", limit) };
}
