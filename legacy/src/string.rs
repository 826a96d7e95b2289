//! Text objects.

use std::ffi::c_char;

use tvm_ffi_adapter::types::index;

use crate::{
    core::Any,
    error::Result,
    object::{Body, Ref},
};

/// What lies behind the header of a String object: a span, and the core's string that it is over.
#[repr(C)]
pub struct Text {
    data: *const c_char,
    size: u64,
    /// In a box, since short texts lie in the value itself.
    value: Box<Any>,
}

// SAFETY: the span is over the value, which nobody changes.
unsafe impl Send for Text {}
// SAFETY: as above.
unsafe impl Sync for Text {}

impl Body for Text {
    const TYPE_INDEX: u32 = index::STRING;
}

impl Text {
    /// A String object of a text of the core's.
    pub fn object(value: Any) -> Ref {
        let value = Box::new(value);
        let content = value.content().unwrap_or_default();
        let (data, size) = (content.as_ptr().cast(), content.len() as u64);
        Ref::new(Self { data, size, value })
    }

    /// A String object of bytes.
    pub fn of(content: &[u8]) -> Result<Ref> {
        Any::text(content).map(Self::object)
    }

    /// The bytes.
    pub fn content(&self) -> &[u8] {
        self.value.content().unwrap_or_default()
    }

    /// The text as the core has it.
    pub fn value(&self) -> &Any {
        &self.value
    }
}
