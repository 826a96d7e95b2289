//! Functions of either library as functions of the other, and what calls of them come to.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::OnceLock,
};

use tvm_ffi_spec::*;

use crate::{
    problem::{Problem, Result},
    tables::{Ffi, Legacy},
    types::{TVMValue, code::*},
};

/// What is told apart from every error that a function may have set: nobody else sets this text.
const NOTHING_SET: &CStr = c"the function failed without setting an error (adapter of TVM FFI)";

/// Calls between two libraries.
#[derive(Debug)]
pub struct Adapter {
    pub(crate) ffi: Ffi,
    pub(crate) legacy: Legacy,
    /// The code of booleans: libraries before 0.18 have none, and one of them ends the process where it sees it.
    bool_code: OnceLock<c_int>,
}

/// A function of one library that is held by the other.
struct Held {
    adapter: &'static Adapter,
    function: *mut c_void,
}

impl Adapter {
    /// An adapter between the libraries that these functions belong to.
    pub const fn new(ffi: Ffi, legacy: Legacy) -> Self {
        Self { ffi, legacy, bool_code: OnceLock::new() }
    }

    /// A new Function object over a legacy function, to which it takes a reference.
    ///
    /// # Safety
    /// `function` is a live legacy function.
    pub unsafe fn to_ffi(&'static self, function: *mut c_void) -> Result<TVMFFIObjectHandle> {
        let held = Box::into_raw(Box::new(Held { adapter: self, function }));
        let mut out = ptr::null_mut();
        // SAFETY: the function is alive; the deleter gives up what is held here.
        unsafe {
            (self.legacy.TVMObjectRetain)(function);
            let made = self.raised((self.ffi.TVMFFIFunctionCreate)(
                held.cast(),
                Some(ffi_calls),
                Some(end_of_legacy),
                &mut out,
            ));
            if made.is_err() {
                end_of_legacy(held.cast());
            }
            made.map(|()| out)
        }
    }

    /// A new legacy function over a Function object, to which it takes a reference.
    ///
    /// # Safety
    /// `function` is a live Function object.
    pub unsafe fn to_legacy(&'static self, function: TVMFFIObjectHandle) -> Result<*mut c_void> {
        let held = Box::into_raw(Box::new(Held { adapter: self, function }));
        let mut out = ptr::null_mut();
        // SAFETY: the function is alive; the finalizer gives up what is held here.
        unsafe {
            (self.ffi.TVMFFIObjectIncRef)(function);
            let create = self.legacy.TVMFuncCreateFromCFunc;
            let made = self.failed(|| create(Some(legacy_calls), held.cast(), Some(end_of_ffi), &mut out));
            if made.is_err() {
                end_of_ffi(held.cast());
            }
            made.map(|()| out)
        }
    }

    /// Calls a legacy function with arguments of today's, as `TVMFFISafeCallType` does.
    ///
    /// # Safety
    /// `function` is a live legacy function, the arguments are alive, and the result is writable.
    pub unsafe fn call_legacy(
        &'static self,
        function: *mut c_void,
        args: *const TVMFFIAny,
        count: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        self.raise(|| {
            let count = usize::try_from(count).unwrap_or(0);
            // SAFETY: the caller passes as many arguments.
            let args = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(args, count) } };
            let args = args.iter().map(|arg| self.argument_to_legacy(arg)).collect::<Result<Vec<_>>>()?;
            // The callee may write both arrays.
            let mut values: Vec<_> = args.iter().map(|arg| arg.value).collect();
            let mut codes: Vec<_> = args.iter().map(|arg| arg.code).collect();
            // SAFETY: the function is alive, the arguments too, and the result moves.
            unsafe {
                let (value, code) = self.call_function(function, &mut values, &mut codes)?;
                result.write(self.result_to_ffi(value, code)?);
            }
            Ok(())
        })
    }

    /// Calls a legacy function; the result is the caller's.
    ///
    /// # Safety
    /// The function is alive, and the values are what their codes say.
    pub(crate) unsafe fn call_function(
        &self,
        function: *mut c_void,
        values: &mut [TVMValue],
        codes: &mut [c_int],
    ) -> Result<(TVMValue, c_int)> {
        let (mut value, mut code) = (TVMValue::ZERO, kTVMNullptr);
        let count = c_int::try_from(codes.len()).map_err(|_| Problem::of_type("there are too many arguments"))?;
        let (values, codes) = (values.as_mut_ptr(), codes.as_mut_ptr());
        // SAFETY: the caller vouches for the function and its arguments.
        self.failed(|| unsafe { (self.legacy.TVMFuncCall)(function, values, codes, count, &mut value, &mut code) })?;
        Ok((value, code))
    }

    /// Calls a global function of the legacy library.
    ///
    /// # Safety
    /// The values are what their codes say.
    pub(crate) unsafe fn call_global(
        &self,
        name: &CStr,
        values: &mut [TVMValue],
        codes: &mut [c_int],
    ) -> Result<(TVMValue, c_int)> {
        let mut function = ptr::null_mut();
        // SAFETY: the name is a text and the place writable; what is found is freed here.
        unsafe {
            self.failed(|| (self.legacy.TVMFuncGetGlobal)(name.as_ptr(), &mut function))?;
            if function.is_null() {
                let name = name.to_string_lossy();
                return Err(Problem::of_type(format!("the legacy library has no {name}, which this value needs")));
            }
            let result = self.call_function(function, values, codes);
            (self.legacy.TVMFuncFree)(function);
            result
        }
    }

    /// Runs a function of the legacy library, and takes the error that it has set if it fails. An older text comes back if not.
    pub(crate) fn failed(&self, call: impl FnOnce() -> c_int) -> Result<()> {
        // SAFETY: texts are copied before anything else runs on this thread.
        unsafe {
            let text = || {
                let text = (self.legacy.TVMGetLastError)();
                (!text.is_null()).then(|| CStr::from_ptr(text).to_owned())
            };
            let before: Option<CString> = text();
            (self.legacy.TVMAPISetLastError)(NOTHING_SET.as_ptr());
            let code = call();
            let after = text();
            let restore = |text: &Option<CString>| {
                (self.legacy.TVMAPISetLastError)(text.as_deref().unwrap_or(c"").as_ptr());
            };
            if code == 0 {
                if after.as_deref() == Some(NOTHING_SET) {
                    restore(&before);
                }
                return Ok(());
            }
            restore(&before);
            let nothing_set = NOTHING_SET.to_bytes();
            Err(match after {
                // The text of a failure is wrapped on the way, so that this one stands in another.
                Some(text) if text.to_bytes().windows(nothing_set.len()).all(|window| window != nothing_set) => {
                    Problem::parse(text.to_bytes())
                }
                _ => Problem::new("RuntimeError", "a legacy function failed without setting an error"),
            })
        }
    }

    /// The error that a function of today's library has raised, if it answers that it failed.
    pub(crate) fn raised(&self, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut error = ptr::null_mut();
        // SAFETY: an error is alive until its reference is given up, and its cell lies behind its header.
        unsafe {
            (self.ffi.TVMFFIErrorMoveFromRaised)(&mut error);
            if error.is_null() {
                return Err(Problem::new(
                    "RuntimeError",
                    format!("a function answered {code} without raising an error"),
                ));
            }
            let cell = &*error.cast::<TVMFFIObject>().add(1).cast::<TVMFFIErrorCell>();
            let copy = |span: TVMFFIByteArray| match span.size {
                0 => Vec::new(),
                size => slice::from_raw_parts(span.data.cast::<u8>(), size).to_vec(),
            };
            let problem =
                Problem { kind: copy(cell.kind), message: copy(cell.message), backtrace: copy(cell.backtrace) };
            (self.ffi.TVMFFIObjectDecRef)(error);
            Err(problem)
        }
    }

    /// Runs what a function of today's does: 0, or -1 with an error raised.
    fn raise(&self, work: impl FnOnce() -> Result<()>) -> c_int {
        let Err(problem) = caught(work) else { return 0 };
        let span = |bytes: &[u8]| TVMFFIByteArray { data: bytes.as_ptr().cast(), size: bytes.len() };
        let mut error = ptr::null_mut();
        // SAFETY: the texts are readable; the reference that raising does not take is given up.
        unsafe {
            let Problem { kind, message, backtrace } = &problem;
            if (self.ffi.TVMFFIErrorCreate)(&span(kind), &span(message), &span(backtrace), &mut error) == 0 {
                (self.ffi.TVMFFIErrorSetRaised)(error);
                (self.ffi.TVMFFIObjectDecRef)(error);
            }
        }
        -1
    }

    /// The code of booleans in the legacy library, found out by asking a function that answers one.
    pub(crate) fn bool_code(&self) -> c_int {
        *self.bool_code.get_or_init(|| {
            let mut args = ([TVMValue { v_str: c"cpu".as_ptr() }], [kTVMStr]);
            // SAFETY: the argument is a text.
            let answer = unsafe { self.call_global(c"runtime.RuntimeEnabled", &mut args.0, &mut args.1) };
            if answer.is_ok_and(|(_, code)| code == kTVMArgBool) { kTVMArgBool } else { kTVMArgInt }
        })
    }
}

/// A panic is a problem, too.
fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Problem::new("InternalError", "the adapter panicked")))
}

/// How today's library calls a legacy function.
unsafe extern "C" fn ffi_calls(held: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: `to_ffi` gave this with what it held; the caller passes live arguments and a writable result.
    unsafe {
        let Held { adapter, function } = *held.cast::<Held>();
        adapter.call_legacy(function, args, count, result)
    }
}

/// How a legacy library calls a Function object.
unsafe extern "C" fn legacy_calls(
    values: *mut TVMValue,
    codes: *mut c_int,
    count: c_int,
    result: *mut c_void,
    held: *mut c_void,
) -> c_int {
    // SAFETY: `to_legacy` gave this with what it held; the caller passes two arrays of that length.
    unsafe {
        let Held { adapter, function } = *held.cast::<Held>();
        let done = caught(|| {
            let count = usize::try_from(count).unwrap_or(0);
            let args = (0..count).map(|index| adapter.argument_to_ffi(*values.add(index), *codes.add(index)));
            let args = args.collect::<Result<Vec<_>>>()?;
            let mut views: Vec<_> = args.iter().map(|arg| arg.value).collect();
            let mut answer = TVMFFIAny::NONE;
            let call = adapter.ffi.TVMFFIFunctionCall;
            adapter.raised(call(function, views.as_mut_ptr(), views.len() as i32, &mut answer))?;
            adapter.return_to_legacy(answer, result)
        });
        let Err(problem) = done else { return 0 };
        let text = problem.text();
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        let text = CString::new(&text[..end]).unwrap_or_default();
        (adapter.legacy.TVMAPISetLastError)(text.as_ptr());
        -1
    }
}

unsafe extern "C" fn end_of_legacy(held: *mut c_void) {
    // SAFETY: `to_ffi` made it, and this is called once.
    unsafe {
        let held = Box::from_raw(held.cast::<Held>());
        (held.adapter.legacy.TVMObjectFree)(held.function);
    }
}

unsafe extern "C" fn end_of_ffi(held: *mut c_void) {
    // SAFETY: `to_legacy` made it, and this is called once.
    unsafe {
        let held = Box::from_raw(held.cast::<Held>());
        (held.adapter.ffi.TVMFFIObjectDecRef)(held.function);
    }
}
