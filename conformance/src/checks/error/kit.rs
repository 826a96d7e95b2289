//! What checks on errors share: reading an Error, taking the raised one, and Errors that the library has not made.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::null_mut,
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
    t.looks_at::<TVMFFIErrorCell>();
    t.cell("error cell", error)
}

/// A text that an Error refers to.
pub fn text(t: &Trial, array: TVMFFIByteArray) -> Verdict<String> {
    let bytes = t.read_array("text of an error", array)?;
    // It may be long: a text is not copied once more.
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
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

/// Takes the raised error, or NULL when there is none.
pub fn take(t: &Trial) -> TVMFFIObjectHandle {
    let mut error = null_mut();
    t.api.TVMFFIErrorMoveFromRaised(&mut error);
    error
}

/// Takes the raised error, if there is one, and gives it up.
pub fn clear(t: &Trial) {
    let raised = take(t);
    if !raised.is_null() {
        t.api.TVMFFIObjectDecRef(raised);
    }
}

/// Makes an Error of kind, message and backtrace.
pub type Maker = fn(&Trial, [TVMFFIByteArray; 3]) -> Verdict<Owned>;

/// Each function of the target that makes an Error, with its name.
pub fn makers(t: &Trial) -> Vec<(&'static str, Maker)> {
    let later = t.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_some();
    let plain: (_, Maker) = ("TVMFFIErrorCreate", create);
    let with_cause: (_, Maker) = ("TVMFFIErrorCreateWithCauseAndExtraContext", create_with_cause);
    [plain].into_iter().chain(later.then_some(with_cause)).collect()
}

/// The origin of an Error that the library raises itself.
pub const OWN_FAILURE: &str = "a lookup that failed";

/// An Error of each origin: made by a function that makes them, raised from C strings, and raised by the library itself.
pub fn of_every_origin(t: &Trial) -> Verdict<Vec<(&'static str, Owned)>> {
    let texts = [b"ValueError", &b"an error of some origin"[..], b"its backtrace\n"].map(TVMFFIByteArray::new);
    let mut errors = Vec::new();
    for (by, make) in makers(t) {
        errors.push((by, make(t, texts)?));
    }
    let text = c"an error of some origin".as_ptr();
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), text);
    errors.push(("TVMFFIErrorSetRaisedFromCStr", take_one(t)?));
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), &mut { text }, 1);
    errors.push(("TVMFFIErrorSetRaisedFromCStrParts", take_one(t)?));
    if t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_type"), &mut 0) != 0 {
        errors.push((OWN_FAILURE, take_one(t)?));
    }
    Ok(errors)
}

/// By TVMFFIErrorCreate.
pub fn create(t: &Trial, [kind, message, backtrace]: [TVMFFIByteArray; 3]) -> Verdict<Owned> {
    let mut error = null_mut();
    t.ok(t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut error))?;
    t.own_object("the new error", error)
}

/// By TVMFFIErrorCreateWithCauseAndExtraContext, with a cause and an extra context.
fn create_with_cause(t: &Trial, texts: [TVMFFIByteArray; 3]) -> Verdict<Owned> {
    let (cause, context) = (t.new_error("ValueError", "the cause", "")?, t.string(b"the extra context")?);
    create_with(t, texts, cause.handle(), context.handle())
}

/// By TVMFFIErrorCreateWithCauseAndExtraContext.
pub fn create_with(
    t: &Trial,
    [kind, message, backtrace]: [TVMFFIByteArray; 3],
    cause: TVMFFIObjectHandle,
    context: TVMFFIObjectHandle,
) -> Verdict<Owned> {
    let mut error = null_mut();
    let create =
        |out| t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause, context, out);
    t.ok(create(&mut error))?;
    t.own_object("the new error", error)
}

/// Raises a TypeError whose message is made of these parts.
pub fn raise_from_parts(t: &Trial, parts: &[*const c_char]) {
    let count = parts.len() as i32;
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), parts.as_ptr().cast_mut(), count);
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
