//! Values that a client owns, and errors that it has taken.

use tvm_ffi_spec::*;

use crate::client::{api::Api, connection::Client, memory, verdict::has_failed};

/// An owned value; what it refers to is released when the guard is dropped, unless the check has failed.
pub struct Owned {
    any: TVMFFIAny,
    api: Api,
}

impl Owned {
    /// The value.
    pub fn any(&self) -> TVMFFIAny {
        self.any
    }

    /// The object that the value refers to; NULL when it is not an object.
    pub fn handle(&self) -> TVMFFIObjectHandle {
        if self.any.type_index < kTVMFFIStaticObjectBegin {
            return std::ptr::null_mut();
        }
        self.any.payload() as TVMFFIObjectHandle
    }

    /// Gives the value up without releasing it.
    pub fn into_any(mut self) -> TVMFFIAny {
        std::mem::replace(&mut self.any, TVMFFIAny::NONE)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !self.handle().is_null() && !has_failed() {
            self.api.release(self.handle());
        }
    }
}

/// What a call has come to: a result, or the error that it raised.
pub type Answer<T = Owned> = Result<T, Raised>;

/// An error that was raised, taken and read.
pub struct Raised {
    /// Such as `ValueError`.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The backtrace, most recent call first.
    pub backtrace: String,
    /// The object itself.
    pub object: Owned,
}

/// Taking over what the target gives.
impl Client {
    /// Takes over an owned value; it is released when the guard is dropped.
    pub fn own(&self, any: TVMFFIAny) -> Owned {
        Owned { any, api: self.api }
    }

    /// Takes this thread's raised error and reads it; `None` when there is none.
    pub fn take_raised(&self) -> Option<Raised> {
        let handle = self.api.take_raised();
        self.looks_at::<TVMFFIErrorCell>();
        let cell = memory::read(handle.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<[TVMFFIByteArray; 3]>())?;
        let text = |array: TVMFFIByteArray| match memory::read_bytes(array.data.cast(), array.size.min(1 << 20)) {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => format!("<{} unreadable bytes at {:p}>", array.size, array.data),
        };
        let [kind, message, backtrace] = cell.map(text);
        let object = Owned { any: TVMFFIAny::new(kTVMFFIError, handle as u64), api: self.api };
        Some(Raised { kind, message, backtrace, object })
    }
}
