//! This thread's error: its text, or the exception that Python holds.

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use crate::python;

/// A failure on its way to a C caller: a kind and a message, as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text that the caller gets.
    Text(Vec<u8>),
    /// The thread's error is set already.
    IsSet,
}

/// What can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of that kind.
    pub fn new(kind: &str, message: impl AsRef<str>) -> Self {
        Self::Text(format!("{kind}: {}", message.as_ref()).into_bytes())
    }

    /// An argument or a result that is of no use here.
    pub fn value(message: impl AsRef<str>) -> Self {
        Self::new("ValueError", message)
    }

    /// An argument of the wrong kind.
    pub fn of_type(message: impl AsRef<str>) -> Self {
        Self::new("TypeError", message)
    }

    /// What fits nowhere else.
    pub fn runtime(message: impl AsRef<str>) -> Self {
        Self::new("RuntimeError", message)
    }
}

/// What a thread holds.
struct Held {
    text: Option<CString>,
    /// What stands below "Stack trace:" in the text, as C reads it.
    backtrace: Option<CString>,
    python: *mut c_void,
    /// How often something was set: a function that fails without an error leaves it as it was.
    sets: u64,
}

thread_local! {
    static HELD: RefCell<Held> = const { RefCell::new(Held { text: None, backtrace: None, python: ptr::null_mut(), sets: 0 }) };
}

impl Drop for Held {
    fn drop(&mut self) {
        python::dec_ref(self.python);
    }
}

/// The line above a backtrace.
const STACK_TRACE: &str = "Stack trace:\n";

/// Works on what this thread holds; a thread that is ending holds nothing.
fn with<T>(work: impl FnOnce(&mut Held) -> T) -> Option<T> {
    HELD.try_with(|held| work(&mut held.borrow_mut())).ok()
}

/// Sets the text of this thread's error, up to the first NUL. Gives up the exception that Python holds.
pub fn set(text: &[u8]) {
    let text = &text[..text.iter().position(|byte| *byte == 0).unwrap_or(text.len())];
    let trace = text.windows(STACK_TRACE.len()).position(|window| window == STACK_TRACE.as_bytes());
    let trace = trace.map(|start| &text[start + STACK_TRACE.len()..]).filter(|trace| !trace.is_empty());
    let exception = with(|held| {
        held.text = CString::new(text).ok();
        held.backtrace = trace.and_then(|trace| CString::new(trace).ok());
        held.sets += 1;
        std::mem::replace(&mut held.python, ptr::null_mut())
    });
    python::dec_ref(exception.unwrap_or(ptr::null_mut()));
}

/// How often this thread's error was set.
pub fn sets() -> u64 {
    with(|held| held.sets).unwrap_or(0)
}

/// The text for C, which stays until the next is set; NULL where there is none, or where Python holds the error.
pub fn text() -> *const c_char {
    let text = |held: &mut Held| match &held.text {
        Some(text) if held.python.is_null() => text.as_ptr(),
        _ => ptr::null(),
    };
    with(text).unwrap_or(ptr::null())
}

/// The text's backtrace for C, or NULL.
pub fn backtrace() -> *const c_char {
    with(|held| held.backtrace.as_ref().map_or(ptr::null(), |trace| trace.as_ptr())).unwrap_or(ptr::null())
}

/// A copy of the text.
pub fn copied() -> Option<Vec<u8>> {
    with(|held| held.text.as_ref().map(|text| text.as_bytes().to_vec())).flatten()
}

/// The exception that Python holds, borrowed, or NULL.
pub fn python() -> *mut c_void {
    with(|held| held.python).unwrap_or(ptr::null_mut())
}

/// Has this thread hold an exception of Python's, of which a reference is taken here.
pub fn hold_python(exception: *mut c_void) {
    if !exception.is_null() && !python::inc_ref(exception) {
        return set(
            b"RuntimeError: an exception of Python's cannot be held: Py_IncRef and Py_DecRef are not registered",
        );
    }
    let before = with(|held| {
        held.sets += 1;
        std::mem::replace(&mut held.python, exception)
    });
    python::dec_ref(before.unwrap_or(ptr::null_mut()));
}

/// Gives up the exception.
pub fn drop_python() {
    let before = with(|held| std::mem::replace(&mut held.python, ptr::null_mut()));
    python::dec_ref(before.unwrap_or(ptr::null_mut()));
}

/// Whether a text begins with a kind, as in `ValueError: bad value`.
fn has_kind(text: &[u8]) -> bool {
    let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    word > 0 && text.get(word) == Some(&b':')
}

/// What a function's failure comes to for whoever called it: the text that it set, with a kind. `before` is [`sets`] of then.
pub fn after_failure(before: u64) {
    if sets() == before {
        return set(b"TVMError: the function failed without setting an error");
    }
    if !python().is_null() {
        return;
    }
    let text = copied().unwrap_or_default();
    if !has_kind(&text) {
        set(&[b"TVMError: ".as_slice(), &text].concat());
    }
}

/// Runs what an exported function does, and answers what it answers: 0, or -1 with this thread's error set.
pub fn guard(work: impl FnOnce() -> Result<()>) -> c_int {
    let text = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return 0,
        Ok(Err(Error::IsSet)) => return -1,
        Ok(Err(Error::Text(text))) => text,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
            format!("InternalError: {text}").into_bytes()
        }
    };
    set(&text);
    -1
}

/// A text that a C caller passes.
///
/// # Safety
/// `text` is NULL or a C string that lives for `'a`.
pub unsafe fn required_text<'a>(text: *const c_char, what: &str) -> Result<&'a CStr> {
    if text.is_null() {
        return Err(Error::value(format!("`{what}` is NULL, and has to be a text")));
    }
    // SAFETY: the caller vouches for it.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// A pointer that a C caller passes and that may not be NULL.
pub fn required<T>(pointer: *mut T, what: &str) -> Result<*mut T> {
    if pointer.is_null() { Err(Error::value(format!("`{what}` is NULL"))) } else { Ok(pointer) }
}
