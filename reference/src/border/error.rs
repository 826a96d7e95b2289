//! Errors: ordinary Rust values inside, Error objects outside, and the thread-local slot that carries them across.

use std::{
    any::Any as PanicPayload,
    borrow::Cow,
    cell::Cell,
    ffi::c_int,
    fmt,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use tvm_ffi_spec::{
    TVMFFIByteArray, TVMFFIErrorCell, TVMFFIObjectHandle, kTVMFFIBacktraceUpdateModeReplace, kTVMFFIError,
};

use crate::{
    border::{backtrace, c_pointers, exception::Exception},
    object::{self, ObjectRef, Payload},
};

/// What the functions in here return.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something failed, on its way to the border. It is one word, so that the results of what succeeds are small.
#[derive(Debug)]
pub struct Error(Box<Failure>);

/// The ways to fail.
#[derive(Debug)]
pub enum Failure {
    /// A new error of the given kind, such as `ValueError`.
    New {
        /// The kind.
        kind: &'static str,
        /// The message.
        message: Cow<'static, str>,
    },
    /// An Error object that somebody else made.
    Object(ObjectRef),
    /// What a C++ function has thrown.
    Thrown(Exception),
    /// A callee has failed and has raised its error on this thread already.
    Raised,
}

impl Error {
    /// A new error of a kind.
    #[cold]
    pub fn new(kind: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Failure::New { kind, message: message.into() }.into()
    }

    /// An Error object that somebody else made.
    #[cold]
    pub fn object(object: ObjectRef) -> Self {
        Failure::Object(object).into()
    }

    /// A callee has failed and has raised its error on this thread already.
    #[cold]
    pub fn raised() -> Self {
        Failure::Raised.into()
    }

    /// What has failed.
    pub fn into_failure(self) -> Failure {
        *self.0
    }

    /// Sets the error as the raised one of this thread, with the backtrace of the caller of the library.
    #[cold]
    pub fn raise(self) {
        let object = match self.into_failure() {
            Failure::New { kind, message } => new_here(kind.as_bytes(), message.as_bytes()),
            Failure::Object(object) => Ok(object),
            Failure::Thrown(exception) => exception.to_error_object(),
            Failure::Raised if has_raised() => return,
            Failure::Raised => new_here(b"InternalError", b"A function failed without raising an error"),
        };
        // Should even the error find no room, its lack of memory is the better news; its message is short.
        match object {
            Ok(object) => set_raised(Some(object)),
            Err(error) => error.raise(),
        }
    }

    /// The error as an Error object; what a callee has raised is taken from the thread.
    #[cold]
    pub fn into_object(self) -> ObjectRef {
        self.raise();
        match take_raised() {
            Some(object) => object,
            // Raising sets an error, or there is no memory to run on with.
            None => std::process::abort(),
        }
    }
}

impl From<Failure> for Error {
    #[cold]
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Failure::New { kind, message } => write!(f, "{kind}: {message}"),
            Failure::Object(_) | Failure::Thrown(_) | Failure::Raised => f.write_str("a function has failed"),
        }
    }
}

impl std::error::Error for Error {}

/// The border between Rust and C: runs `body` and answers 0, or raises what went wrong and answers -1. A panic does not
/// get through.
pub fn guard(body: impl FnOnce() -> Result<()>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error.raise(),
        Err(panic) => of_panic(panic).raise(),
    }
    -1
}

/// The error that a panic becomes at the border.
pub fn of_panic(panic: Box<dyn PanicPayload + Send>) -> Error {
    Error::new("InternalError", panic_message(panic))
}

fn panic_message(panic: Box<dyn PanicPayload + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown panic").to_owned()
}

/// The border of functions that cannot report: runs `body`, or writes what went wrong to stderr and ends the process
/// with status 255, as every release does.
pub fn guard_or_exit<T>(name: &str, body: impl FnOnce() -> Result<T>) -> T {
    let message = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => match error.into_failure() {
            Failure::New { message, .. } => message,
            failure => Error::from(failure).to_string().into(),
        },
        Err(panic) => panic_message(panic).into(),
    };
    log(format_args!("Exception caught during {name}:\n{message}"));
    std::process::exit(255)
}

/// Writes a line to stderr, if anybody listens there.
pub fn log(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What lies behind the header of an Error object made here. The kind and the message follow it in the same allocation.
#[repr(C)]
struct ErrorPayload {
    cell: TVMFFIErrorCell,
    /// What `cell.backtrace` points to, with a terminating NUL.
    backtrace: Vec<u8>,
}

// SAFETY: the type is repr(C) and begins with the error cell.
unsafe impl Payload for ErrorPayload {
    const TYPE_INDEX: i32 = kTVMFFIError;
}

impl Drop for ErrorPayload {
    fn drop(&mut self) {
        // SAFETY: the cell owns a reference to each of the two, or holds NULL; others may have replaced them since.
        unsafe {
            drop(ObjectRef::from_owned(self.cell.cause_chain));
            drop(ObjectRef::from_owned(self.cell.extra_context));
        }
    }
}

impl ErrorPayload {
    /// Replaces the bytes of the backtrace from `keep` on.
    fn set_backtrace(&mut self, keep: usize, text: &[u8]) {
        self.backtrace.truncate(keep);
        self.backtrace.extend_from_slice(text);
        self.backtrace.push(0);
        self.cell.backtrace = TVMFFIByteArray::new(&self.backtrace[..self.backtrace.len() - 1]);
    }
}

/// Makes an Error object.
pub fn new_object(
    kind: &[u8],
    message: &[u8],
    backtrace: &[u8],
    cause_chain: Option<ObjectRef>,
    extra_context: Option<ObjectRef>,
) -> Result<ObjectRef> {
    object::new_with_tail(kind.len() + message.len() + 2, |tail| {
        // SAFETY: the tail has room for both texts and their terminators, one after the other.
        let (kind, message) = unsafe { (put_c_str(tail, kind), put_c_str(tail.add(kind.len() + 1), message)) };
        let mut payload = ErrorPayload {
            cell: TVMFFIErrorCell {
                kind,
                message,
                backtrace: TVMFFIByteArray::EMPTY,
                update_backtrace: Some(update_backtrace),
                cause_chain: cause_chain.map_or(ptr::null_mut(), ObjectRef::into_handle),
                extra_context: extra_context.map_or(ptr::null_mut(), ObjectRef::into_handle),
            },
            backtrace: Vec::new(),
        };
        payload.set_backtrace(0, backtrace);
        payload
    })
}

/// Makes an Error object with the backtrace of the caller of the library.
pub fn new_here(kind: &[u8], message: &[u8]) -> Result<ObjectRef> {
    new_object(kind, message, backtrace::current().as_bytes(), None, None)
}

/// Copies `text` and a terminating NUL to `to`.
///
/// # Safety
/// `to` is writable for one byte more than `text` has.
unsafe fn put_c_str(to: *mut u8, text: &[u8]) -> TVMFFIByteArray {
    // SAFETY: the caller vouches for the room; fresh memory does not overlap the text.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr(), text.len());
        to.add(text.len()).write(0);
    }
    TVMFFIByteArray { data: to.cast(), size: text.len() }
}

/// The `update_backtrace` of errors made here: replaces or extends the backtrace, and points the cell to the new text.
unsafe extern "C" fn update_backtrace(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray, mode: i32) {
    // SAFETY: callers pass a readable span. The function cannot report, so a bad span changes nothing.
    let Ok(text) = (unsafe { c_pointers::bytes(text, "backtrace") }) else { return };
    // SAFETY: the function is only found in cells of objects that `new_object` made; as with any change of an object,
    // the caller sees to it that nobody else reads the backtrace meanwhile.
    let payload = unsafe { &mut *error.cast::<u8>().add(object::HEADER_SIZE).cast::<ErrorPayload>() };
    let keep = if mode == kTVMFFIBacktraceUpdateModeReplace { 0 } else { payload.cell.backtrace.size };
    // The new text may be a part of the old one.
    let text = text.to_vec();
    payload.set_backtrace(keep, &text);
}

thread_local! {
    /// The raised error of this thread, owned, or NULL. It needs no destructor of its own, so it can be used to the very
    /// end of the thread.
    static RAISED: Cell<TVMFFIObjectHandle> = const { Cell::new(ptr::null_mut()) };
    /// Drops an error that nobody has taken when the thread ends.
    static CLEANUP: Cleanup = const { Cleanup };
}

struct Cleanup;

impl Drop for Cleanup {
    fn drop(&mut self) {
        drop(take_raised());
    }
}

/// Replaces the raised error of this thread.
pub fn set_raised(error: Option<ObjectRef>) {
    // When the thread is ending there is no more cleaning up, and the error stays.
    let _ = CLEANUP.try_with(|_| ());
    let old = RAISED.replace(error.map_or(ptr::null_mut(), ObjectRef::into_handle));
    // SAFETY: the slot owned the reference. It is dropped last, since that may run foreign code that raises errors.
    drop(unsafe { ObjectRef::from_owned(old) });
}

/// Moves the raised error of this thread to the caller.
pub fn take_raised() -> Option<ObjectRef> {
    // SAFETY: the slot owned the reference and holds NULL now.
    unsafe { ObjectRef::from_owned(RAISED.replace(ptr::null_mut())) }
}

fn has_raised() -> bool {
    !RAISED.get().is_null()
}

#[cfg(test)]
mod tests {
    use std::slice;

    use rstest::rstest;

    use super::*;
    use crate::value::{any::Any, text};

    fn cell(error: &ObjectRef) -> &TVMFFIErrorCell {
        // SAFETY: the tests only ask for the cells of errors.
        unsafe { error.data() }
    }

    fn text(array: TVMFFIByteArray) -> String {
        // SAFETY: every text of an error ends with a NUL that does not count.
        let bytes = unsafe { slice::from_raw_parts(array.data.cast::<u8>(), array.size + 1) };
        assert_eq!(bytes.last(), Some(&0));
        String::from_utf8(bytes[..array.size].to_vec()).unwrap()
    }

    fn taken() -> (String, String) {
        let error = take_raised().unwrap();
        (text(cell(&error).kind), text(cell(&error).message))
    }

    #[rstest]
    #[case::replace(0, "new", "new")]
    #[case::append(1, "new", "oldnew")]
    #[case::append_nothing(1, "", "old")]
    #[case::replace_by_nothing(0, "", "")]
    fn a_backtrace_is_replaced_or_extended(#[case] mode: i32, #[case] update: &str, #[case] expected: &str) {
        let error = new_object(b"K", b"M", b"old", None, None).unwrap();
        let update = TVMFFIByteArray::new(update.as_bytes());
        // SAFETY: the error is alive and nobody else reads it.
        unsafe { cell(&error).update_backtrace.unwrap()(error.handle(), &update, mode) };
        assert_eq!(text(cell(&error).backtrace), expected);
        assert_eq!((text(cell(&error).kind), text(cell(&error).message)), ("K".into(), "M".into()));
    }

    #[test]
    fn a_backtrace_may_be_extended_by_itself() {
        let error = new_object(b"K", b"M", b"twice ", None, None).unwrap();
        let own = cell(&error).backtrace;
        // SAFETY: the error is alive and nobody else reads it.
        unsafe { cell(&error).update_backtrace.unwrap()(error.handle(), &own, 1) };
        assert_eq!(text(cell(&error).backtrace), "twice twice ");
    }

    #[test]
    fn cause_and_context_are_owned() {
        let cause = new_object(b"K", b"cause", b"", None, None).unwrap();
        let context = text::string_object(b"context").unwrap();
        let error = new_object(b"K", b"M", b"", Some(cause.clone()), Some(context.clone())).unwrap();
        assert_eq!(cell(&error).cause_chain, cause.handle());
        assert!(!cause.is_unique() && !context.is_unique());
        drop(error);
        assert!(cause.is_unique() && context.is_unique());
    }

    #[test]
    fn the_border_reports_errors_and_panics() {
        assert_eq!(guard(|| Ok(())), 0);
        assert_eq!(guard(|| Err(Error::new("ValueError", "no"))), -1);
        assert_eq!(taken(), ("ValueError".into(), "no".into()));
        assert_eq!(guard(|| panic!("at the {}", "disco")), -1);
        assert_eq!(taken(), ("InternalError".into(), "at the disco".into()));
    }

    #[test]
    fn results_are_small() {
        assert_eq!((size_of::<Result<()>>(), size_of::<Result<i64>>(), size_of::<Result<Any>>()), (8, 16, 24));
    }

    #[test]
    fn what_a_callee_has_raised_stays() {
        Error::new("IndexError", "first").raise();
        assert_eq!(guard(|| Err(Error::raised())), -1);
        assert_eq!(taken(), ("IndexError".into(), "first".into()));
        assert_eq!(guard(|| Err(Error::raised())), -1);
        assert_eq!(taken().0, "InternalError");
    }

    #[test]
    fn the_slot_belongs_to_its_thread_and_ends_with_it() {
        let error = new_object(b"K", b"M", b"", None, None).unwrap();
        set_raised(Some(error.clone()));
        let mine = error.clone();
        std::thread::spawn(move || {
            assert!(take_raised().is_none());
            set_raised(Some(mine));
        })
        .join()
        .unwrap();
        assert_eq!(take_raised().unwrap().handle(), error.handle());
        assert!(error.is_unique());
    }
}
