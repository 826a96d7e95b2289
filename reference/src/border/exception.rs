//! C++ exceptions, caught where C++ code is called and held as values.
//!
//! C++ code that the library calls may throw. [`catch`] turns that into an ordinary `Result`, so that an exception never
//! runs through Rust code that is not prepared for it, and never meets a `catch_unwind`.
//!
//! Catching takes a C++ compiler, hence `exception.cc`.

use std::{
    ffi::{CStr, c_char, c_void},
    mem::{ManuallyDrop, MaybeUninit},
    ptr::{self, NonNull},
};

use tvm_ffi_spec::TVMFFIObjectHandle;

use crate::object::ObjectRef;

/// A `std::exception_ptr`: a pointer that counts. It may be moved like any other.
#[repr(transparent)]
#[derive(Debug)]
struct ExceptionPtr(NonNull<c_void>);

unsafe extern "C-unwind" {
    fn tvm_ffi_exception_catch(
        call: unsafe extern "C-unwind" fn(*mut c_void),
        data: *mut c_void,
        thrown: *mut MaybeUninit<ExceptionPtr>,
    ) -> bool;
    fn tvm_ffi_exception_rethrow(exception: *mut ExceptionPtr) -> !;
}

unsafe extern "C" {
    fn tvm_ffi_exception_describe(
        exception: *const ExceptionPtr,
        error: *mut TVMFFIObjectHandle,
        what: *mut *const c_char,
    );
    fn tvm_ffi_exception_release(exception: *mut ExceptionPtr);
}

/// An exception that C++ code has thrown.
#[derive(Debug)]
pub struct Exception(ExceptionPtr);

// SAFETY: a `std::exception_ptr` may be handed from thread to thread.
unsafe impl Send for Exception {}
// SAFETY: as above; a shared reference allows nothing but reading what the exception is.
unsafe impl Sync for Exception {}

/// What was thrown.
pub enum Thrown<'a> {
    /// A `tvm::ffi::Error` with this Error object.
    Error(ObjectRef),
    /// Anything else, with what it says of itself.
    Other(&'a [u8]),
}

impl Exception {
    /// What was thrown.
    pub fn describe(&self) -> Thrown<'_> {
        let (mut object, mut what) = (ptr::null_mut(), ptr::null());
        // SAFETY: the exception is held; both results are writable.
        unsafe { tvm_ffi_exception_describe(&self.0, &mut object, &mut what) };
        // SAFETY: the object is NULL or belongs to the exception, which is held.
        if let Some(object) = unsafe { ObjectRef::from_borrowed(object) } {
            return Thrown::Error(object);
        }
        // SAFETY: the message is NULL or belongs to the exception, which is held.
        let what = (!what.is_null()).then(|| unsafe { CStr::from_ptr(what) }.to_bytes());
        Thrown::Other(what.unwrap_or(b"A C++ exception that is no std::exception"))
    }

    /// Throws the exception again.
    pub fn rethrow(self) -> ! {
        // SAFETY: the C++ side takes the exception over.
        unsafe { tvm_ffi_exception_rethrow(&mut ManuallyDrop::new(self).0) }
    }
}

impl Drop for Exception {
    fn drop(&mut self) {
        // SAFETY: the exception is held, and not used afterwards.
        unsafe { tvm_ffi_exception_release(&mut self.0) };
    }
}

/// Runs `call`, and answers what C++ code throws in it. The closure does nothing but call C++ code: whatever
/// it holds would be lost to an exception.
pub fn catch<T, F: FnOnce() -> T>(call: F) -> Result<T, Exception> {
    let mut state = (Some(call), None);
    let mut thrown = MaybeUninit::uninit();
    // SAFETY: `run` gets the state of its type, which is only used again when it is through.
    if unsafe { tvm_ffi_exception_catch(run::<T, F>, (&raw mut state).cast(), &mut thrown) } {
        // SAFETY: what was thrown has been written.
        return Err(Exception(unsafe { thrown.assume_init() }));
    }
    Ok(state.1.expect("a call that has thrown nothing has an answer"))
}

unsafe extern "C-unwind" fn run<T, F: FnOnce() -> T>(state: *mut c_void) {
    // SAFETY: `catch` passes the state, and leaves it alone meanwhile.
    let (call, result) = unsafe { &mut *state.cast::<(Option<F>, Option<T>)>() };
    *result = call.take().map(|call| call());
}
