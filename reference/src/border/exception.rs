//! C++ exceptions: caught where C++ code is called, held as a value, and thrown again or raised at the border.
//!
//! C++ code that the library calls may throw. [`catch`] turns that into an ordinary [`Error`], so that an exception never
//! runs through Rust code that is not prepared for it, and never meets a `catch_unwind`. Functions that C++ code calls
//! end in [`or_throw`], the counterpart of [`guard`](crate::border::error::guard): what went wrong is thrown, as the class
//! `tvm::ffi::Error` that every client catches, or as the very exception that was caught before.
//!
//! Catching takes a C++ compiler, hence `exception.cc`. Throwing is a call of the C++ runtime.

use std::{
    ffi::{CStr, c_char, c_void},
    mem::ManuallyDrop,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::{self, NonNull},
};

use tvm_ffi_spec::{TVMFFIErrorCell, TVMFFIObjectHandle};

use crate::{
    api::cxx_types::{ERROR_TABLE, ERROR_TYPE_INFO},
    border::error::{self, Error, Failure, Result, new_here},
    object::{HEADER_SIZE, ObjectRef},
};

/// A `std::exception_ptr` on the C++ heap.
#[repr(C)]
struct ExceptionPtr {
    _opaque: [u8; 0],
}

unsafe extern "C-unwind" {
    fn tvm_ffi_exception_catch(
        call: unsafe extern "C-unwind" fn(*mut c_void),
        data: *mut c_void,
    ) -> Option<NonNull<ExceptionPtr>>;
    fn tvm_ffi_exception_rethrow(exception: NonNull<ExceptionPtr>) -> !;
    fn __cxa_throw(
        exception: *mut c_void,
        type_info: *const c_void,
        destructor: unsafe extern "C" fn(*mut CxxError),
    ) -> !;
}

unsafe extern "C" {
    fn tvm_ffi_exception_describe(
        exception: NonNull<ExceptionPtr>,
        error: *mut TVMFFIObjectHandle,
        what: *mut *const c_char,
    );
    fn tvm_ffi_exception_release(exception: NonNull<ExceptionPtr>);
    fn __cxa_allocate_exception(size: usize) -> *mut c_void;
    #[link_name = "_ZdlPv"]
    fn operator_delete(memory: *mut c_void);
}

/// An exception that C++ code has thrown.
#[derive(Debug)]
pub struct Exception(NonNull<ExceptionPtr>);

// SAFETY: a `std::exception_ptr` may be handed from thread to thread.
unsafe impl Send for Exception {}
// SAFETY: as above; a shared reference allows nothing but reading what the exception is.
unsafe impl Sync for Exception {}

impl Exception {
    /// The Error object in a `tvm::ffi::Error`, or an `InternalError` with what any other exception says of itself.
    pub fn to_error_object(&self) -> Result<ObjectRef> {
        let (mut object, mut what) = (ptr::null_mut(), ptr::null());
        // SAFETY: the exception is held; both results are writable.
        unsafe { tvm_ffi_exception_describe(self.0, &mut object, &mut what) };
        // SAFETY: the object is NULL or belongs to the exception, which is held.
        if let Some(object) = unsafe { ObjectRef::from_borrowed(object) } {
            return Ok(object);
        }
        // SAFETY: the message is NULL or belongs to the exception, which is held.
        let what = (!what.is_null()).then(|| unsafe { CStr::from_ptr(what) }.to_bytes());
        new_here(b"InternalError", what.unwrap_or(b"A C++ exception that is no std::exception"))
    }
}

impl Drop for Exception {
    fn drop(&mut self) {
        // SAFETY: the exception is held, and not used afterwards.
        unsafe { tvm_ffi_exception_release(self.0) };
    }
}

/// Runs `call`, and answers what C++ code throws in it as an error. The closure does nothing but call C++ code: whatever
/// it holds would be lost to an exception.
pub fn catch<T, F: FnOnce() -> T>(call: F) -> Result<T> {
    let mut state = (Some(call), None);
    // SAFETY: `run` gets the state of its type, which is only used again when it is through.
    let thrown = unsafe { tvm_ffi_exception_catch(run::<T, F>, (&raw mut state).cast()) };
    match (thrown, state.1) {
        (None, Some(result)) => Ok(result),
        (None, None) => Err(Error::new("InternalError", "A C++ function has not been called")),
        (Some(exception), _) => Err(Failure::Thrown(Exception(exception)).into()),
    }
}

unsafe extern "C-unwind" fn run<T, F: FnOnce() -> T>(state: *mut c_void) {
    // SAFETY: `catch` passes the state, and leaves it alone meanwhile.
    let (call, result) = unsafe { &mut *state.cast::<(Option<F>, Option<T>)>() };
    *result = call.take().map(|call| call());
}

/// The border between Rust and C++: runs `body`, and throws what went wrong. A panic does not get through.
pub fn or_throw<T>(body: impl FnOnce() -> Result<T>) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => throw(error),
        Err(panic) => throw(error::of_panic(panic)),
    }
}

/// Throws the exception that was caught, or else a `tvm::ffi::Error`.
#[cold]
fn throw(error: Error) -> ! {
    match error.into_failure() {
        // SAFETY: the C++ side takes the exception over.
        Failure::Thrown(exception) => unsafe { tvm_ffi_exception_rethrow(ManuallyDrop::new(exception).0) },
        failure => throw_object(Error::from(failure).into_object()),
    }
}

fn throw_object(object: ObjectRef) -> ! {
    // SAFETY: the runtime answers memory of that size (or ends the process), which becomes the exception, and the type
    // information and the destructor are those of the class.
    unsafe {
        let exception = __cxa_allocate_exception(size_of::<CxxError>());
        exception.cast::<CxxError>().write(CxxError::new(object));
        __cxa_throw(exception, (&raw const ERROR_TYPE_INFO).cast(), CxxError::end)
    }
}

/// `tvm::ffi::Error` as C++ lays it out: a `std::exception`, which is nothing but its virtual table, and an Error object.
#[repr(C)]
pub struct CxxError {
    vtable: *const c_void,
    object: TVMFFIObjectHandle,
}

impl CxxError {
    fn new(object: ObjectRef) -> Self {
        Self { vtable: (&raw const ERROR_TABLE.methods).cast(), object: object.into_handle() }
    }

    /// The destructor.
    ///
    /// # Safety
    /// `this` is an exception of the class, which nobody uses afterwards but to free its memory.
    pub unsafe extern "C" fn end(this: *mut Self) {
        // SAFETY: the exception owns its object.
        drop(unsafe { ObjectRef::from_owned((*this).object) });
    }

    /// The destructor, and the memory goes too.
    ///
    /// # Safety
    /// `this` is an exception of the class that was made with `operator new`, and nobody uses it afterwards.
    pub unsafe extern "C" fn end_and_free(this: *mut Self) {
        // SAFETY: the caller's contract is the same.
        unsafe {
            Self::end(this);
            operator_delete(this.cast());
        }
    }

    /// `std::exception::what`: the message.
    ///
    /// # Safety
    /// `this` is an exception of the class.
    pub unsafe extern "C" fn what(this: *const Self) -> *const c_char {
        // SAFETY: the exception holds an Error object, whose message ends with a NUL.
        unsafe { (*(*this).object.byte_add(HEADER_SIZE).cast::<TVMFFIErrorCell>()).message.data }
    }
}
