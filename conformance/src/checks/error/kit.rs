//! What checks on errors share: reading an Error, taking the raised one, and Errors that the library has not made.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, homemade::Homemade, own_error::error_cell},
    trial::Trial,
};

/// What every release has in common behind an error's header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CommonCell {
    /// The kind.
    pub kind: TVMFFIByteArray,
    /// The message.
    pub message: TVMFFIByteArray,
    /// The backtrace.
    pub backtrace: TVMFFIByteArray,
    /// Changes the backtrace.
    pub update_backtrace: Option<unsafe extern "C" fn(TVMFFIObjectHandle, *const TVMFFIByteArray, i32)>,
}

/// The common part of an Error.
pub fn common_cell(t: &Trial, error: TVMFFIObjectHandle) -> Verdict<CommonCell> {
    t.cell("error cell", error)
}

/// A text that an Error refers to.
pub fn text(t: &Trial, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(String::from_utf8_lossy(&t.read_array("text of an error", array)?).into_owned())
}

/// Expects the kind and the message of an Error.
pub fn texts_eq(t: &Trial, error: TVMFFIObjectHandle, kind: &str, message: &str) -> Verdict {
    let cell = common_cell(t, error)?;
    t.eq("kind", text(t, cell.kind)?, kind.to_owned())?;
    t.eq("message", text(t, cell.message)?, message.to_owned())
}

/// The end of a long text, for a report.
pub fn tail(text: &str) -> String {
    let start = text.char_indices().rev().nth(60).map_or(0, |(at, _)| at);
    format!("{} bytes that end in {:?}", text.len(), &text[start..])
}

/// Takes the raised error, or NULL when there is none, into a variable that held something else before.
pub fn take(t: &Trial) -> TVMFFIObjectHandle {
    let mut error = 0x6a7ba6e as TVMFFIObjectHandle;
    t.api.TVMFFIErrorMoveFromRaised(&mut error);
    error
}

/// Takes the raised error, of which there must be one.
pub fn take_one(t: &Trial) -> Verdict<Owned> {
    t.own_object("the raised error", take(t))
}

static ENDED: AtomicUsize = AtomicUsize::new(0);

/// How many Errors of the suite's own have ended.
pub fn own_ended() -> usize {
    ENDED.load(Ordering::SeqCst)
}

/// A new Error of the suite's own with one strong reference. It is never freed, so that it can be read after its end.
pub fn new_own_error() -> TVMFFIObjectHandle {
    Homemade::with_deleter(kTVMFFIError, error_cell(), Some(count_end)).handle()
}

unsafe extern "C" fn count_end(_: *mut c_void, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}
