//! Where the caller of a function finds a result that is text or bytes: one buffer for each thread, until the next.

use std::{
    cell::RefCell,
    ffi::{c_char, c_void},
    ptr,
};

use tvm_ffi_adapter::types::TVMByteArray;

/// The bytes of the latest such result, with a NUL behind them, and how C is shown them.
struct Buffer {
    content: Vec<u8>,
    span: TVMByteArray,
}

thread_local! {
    /// In a box, since all bytes results of a thread are shown in the same place.
    static BUFFER: RefCell<Box<Buffer>> =
        RefCell::new(Box::new(Buffer { content: Vec::new(), span: TVMByteArray { data: ptr::null(), size: 0 } }));
}

/// Keeps a result, and answers where its first byte lies and where the span over it.
pub fn keep(content: &[u8]) -> (*const c_char, *mut c_void) {
    let kept = BUFFER.try_with(|buffer| {
        let buffer = &mut **buffer.borrow_mut();
        // What is kept may come from what was kept before, so the old bytes go last.
        let mut bytes = Vec::with_capacity(content.len() + 1);
        bytes.extend_from_slice(content);
        bytes.push(0);
        buffer.content = bytes;
        buffer.span = TVMByteArray { data: buffer.content.as_ptr().cast(), size: content.len() };
        (buffer.span.data, (&raw mut buffer.span).cast())
    });
    kept.unwrap_or((c"".as_ptr(), ptr::null_mut()))
}

/// Whether this is the place in which this thread is shown its bytes.
pub fn is_own(span: *const c_void) -> bool {
    BUFFER.try_with(|buffer| ptr::eq((&raw const buffer.borrow().span).cast(), span)).unwrap_or(false)
}
