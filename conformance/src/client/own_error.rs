//! Errors as C++ clients make them: objects in memory of their own, which the library only raises, hands over and ends.

use std::ptr::null_mut;

use tvm_ffi_spec::*;

/// What lies behind the header of such an Error. It has neither cause nor extra context, and keeps its backtrace.
pub fn error_cell() -> TVMFFIErrorCell {
    TVMFFIErrorCell {
        kind: TVMFFIByteArray::new(c"ValueError".to_bytes()),
        message: TVMFFIByteArray::new(c"made by a client".to_bytes()),
        backtrace: TVMFFIByteArray::new(c"".to_bytes()),
        update_backtrace: Some(keep_backtrace),
        cause_chain: null_mut(),
        extra_context: null_mut(),
    }
}

unsafe extern "C" fn keep_backtrace(_: TVMFFIObjectHandle, _: *const TVMFFIByteArray, _: i32) {}
