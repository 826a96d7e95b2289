//! The core that this library is built on: values, objects and global functions of today's ABI, which it calls as any client
//! does.

use std::{ffi::c_void, ptr};

use tvm_ffi::api::c_api::*;
use tvm_ffi_spec::*;

use crate::error::{Error, Result};

/// An owned value.
#[derive(Debug)]
pub struct Any(TVMFFIAny);

// SAFETY: what a value refers to may be used and released on any thread.
unsafe impl Send for Any {}
// SAFETY: as above.
unsafe impl Sync for Any {}

impl Any {
    /// Takes a value over.
    ///
    /// # Safety
    /// The value is owned by the caller, who gives it up.
    pub unsafe fn from_raw(raw: TVMFFIAny) -> Self {
        Self(raw)
    }

    /// Takes a reference to an object over.
    ///
    /// # Safety
    /// `handle` is an object of which the caller gives up a reference.
    pub unsafe fn from_object(handle: TVMFFIObjectHandle) -> Self {
        // SAFETY: the caller passes an object.
        let index = unsafe { (*handle.cast::<TVMFFIObject>()).type_index };
        Self(TVMFFIAny::new(index, handle as u64))
    }

    /// The value as it is lent to a call.
    pub fn view(&self) -> TVMFFIAny {
        self.0
    }

    /// The object that it holds.
    pub fn object(&self) -> Option<TVMFFIObjectHandle> {
        (self.0.type_index >= kTVMFFIStaticObjectBegin).then_some(self.0.payload() as *mut c_void)
    }

    /// The integer that it holds.
    pub fn int(&self) -> Option<i64> {
        (self.0.type_index == kTVMFFIInt).then_some(self.0.payload() as i64)
    }

    /// A string.
    pub fn text(text: &[u8]) -> Result<Self> {
        made(|out| {
            // SAFETY: the span is readable and the result writable.
            unsafe { TVMFFIStringFromByteArray(&span(text), out) }
        })
    }

    /// Bytes.
    pub fn bytes(bytes: &[u8]) -> Result<Self> {
        made(|out| {
            // SAFETY: the span is readable and the result writable.
            unsafe { TVMFFIBytesFromByteArray(&span(bytes), out) }
        })
    }

    /// The content of a string or of bytes.
    pub fn content(&self) -> Option<&[u8]> {
        match self.0.type_index {
            kTVMFFISmallStr | kTVMFFISmallBytes => {
                let start = (&raw const self.0.value).cast::<u8>();
                // SAFETY: a small text lies in the payload, and its length in the second word.
                Some(unsafe { std::slice::from_raw_parts(start, self.0.aux_word() as usize) })
            }
            kTVMFFIStr | kTVMFFIBytes => {
                // SAFETY: behind the header of a text lies its span, which lives as long as the object.
                let span = unsafe { *(self.0.payload() as *const TVMFFIObject).add(1).cast::<TVMFFIByteArray>() };
                // SAFETY: as above.
                Some(unsafe { std::slice::from_raw_parts(span.data.cast(), span.size) })
            }
            _ => None,
        }
    }
}

impl Drop for Any {
    fn drop(&mut self) {
        if let Some(object) = self.object() {
            // SAFETY: the value owns a reference.
            unsafe { TVMFFIObjectDecRef(object) };
        }
    }
}

impl Clone for Any {
    fn clone(&self) -> Self {
        if let Some(object) = self.object() {
            // SAFETY: the value holds the object.
            unsafe { TVMFFIObjectIncRef(object) };
        }
        Self(self.0)
    }
}

/// A span over bytes.
fn span(bytes: &[u8]) -> TVMFFIByteArray {
    TVMFFIByteArray { data: bytes.as_ptr().cast(), size: bytes.len() }
}

/// A value that a function of the core makes.
fn made(make: impl FnOnce(*mut TVMFFIAny) -> i32) -> Result<Any> {
    let mut out = TVMFFIAny::NONE;
    let code = make(&mut out);
    succeeded(code)?;
    Ok(Any(out))
}

/// The error that a function of the core has raised, if it answers that it failed.
pub fn succeeded(code: i32) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    let mut error = ptr::null_mut();
    // SAFETY: the place is writable.
    unsafe { TVMFFIErrorMoveFromRaised(&mut error) };
    if error.is_null() {
        return Err(Error::new("InternalError", format!("the core answered {code} and raised nothing")));
    }
    // SAFETY: an error's cell lies behind its header, its texts live as long as it, and its reference is given up last.
    unsafe {
        let cell = &*error.cast::<TVMFFIObject>().add(1).cast::<TVMFFIErrorCell>();
        let text = |span: TVMFFIByteArray| std::slice::from_raw_parts(span.data.cast::<u8>(), span.size);
        let text = [text(cell.kind), b": ", text(cell.message)].concat();
        TVMFFIObjectDecRef(error);
        Err(Error::Text(text))
    }
}

/// The global function of that name.
pub fn global(name: &[u8]) -> Result<Option<Any>> {
    let mut out = ptr::null_mut();
    // SAFETY: the span is readable and the result writable.
    succeeded(unsafe { TVMFFIFunctionGetGlobal(&span(name), &mut out) })?;
    // SAFETY: a function that was answered is owned.
    Ok((!out.is_null()).then(|| unsafe { Any::from_object(out) }))
}

/// Registers a function.
pub fn set_global(name: &[u8], function: &Any, replaces: bool) -> Result<()> {
    let handle = function.object().ok_or_else(|| Error::of_type("a global is a function"))?;
    // SAFETY: the span is readable and the function alive.
    succeeded(unsafe { TVMFFIFunctionSetGlobal(&span(name), handle, replaces.into()) })
}

/// Removes a function; nothing happens if there is none.
pub fn remove_global(name: &[u8]) -> Result<()> {
    call("ffi.FunctionRemoveGlobal", &[Any::text(name)?.view()]).map(drop)
}

/// The names of all functions.
pub fn global_names() -> Result<Vec<Vec<u8>>> {
    let names = call("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let at = |index: i64| call_function(&names, &[TVMFFIAny::new(kTVMFFIInt, index as u64)]);
    let count = at(-1)?.int().unwrap_or(0);
    (0..count).map(|index| Ok(at(index)?.content().unwrap_or_default().to_vec())).collect()
}

/// Calls a global function of the core.
pub fn call(name: &str, args: &[TVMFFIAny]) -> Result<Any> {
    let function = global(name.as_bytes())?;
    let function = function.ok_or_else(|| Error::new("InternalError", format!("the core has no {name}")))?;
    call_function(&function, args)
}

/// Calls a function.
pub fn call_function(function: &Any, args: &[TVMFFIAny]) -> Result<Any> {
    let handle = function.object().unwrap_or(ptr::null_mut());
    made(|out| {
        // SAFETY: the arguments live during the call, and the core only reads them.
        unsafe { TVMFFIFunctionCall(handle, args.as_ptr().cast_mut(), args.len() as i32, out) }
    })
}
