//! The two objects that stand for no value: for what is missing, and for where keyword arguments begin.

use tvm_ffi_spec::kTVMFFIObject;

use crate::{
    function::row::{Row, row},
    object::{self, ObjectRef, Payload},
    system::found::Found,
    value::any::{Any, AnyView},
};

/// The functions that give them to clients.
pub const GLOBALS: &[Row] = &[
    row("ffi.GetInvalidObject() -> ffi.Object", |_| Ok(missing())),
    row("ffi.GetKwargsObject() -> ffi.Object", |_| Ok(sentinel(&KWARGS_OBJECT).clone().into())),
];

/// What [`missing`] answers. Only its identity counts.
static INVALID_OBJECT: Found<ObjectRef> = Found::new();
/// The sentinel that marks what is not there, where None is a value.
pub fn missing() -> Any {
    sentinel(&INVALID_OBJECT).clone().into()
}

/// Whether a value is the sentinel that marks what is not there.
pub fn is_missing(value: &AnyView<'_>) -> bool {
    value.type_index() == kTVMFFIObject && value.raw().payload() == sentinel(&INVALID_OBJECT).handle() as usize as u64
}

/// Whether a value is the sentinel that marks where keyword arguments begin.
pub fn is_kwargs(value: &AnyView<'_>) -> bool {
    value.type_index() == kTVMFFIObject && value.raw().payload() == sentinel(&KWARGS_OBJECT).handle() as usize as u64
}

/// Marks where keyword arguments begin. Only its identity counts.
static KWARGS_OBJECT: Found<ObjectRef> = Found::new();

fn sentinel(place: &'static Found<ObjectRef>) -> &'static ObjectRef {
    place.get_or_find(|| object::new(Sentinel))
}

/// An object that is nothing but its header.
#[repr(C)]
struct Sentinel;

// SAFETY: a plain object has no data.
unsafe impl Payload for Sentinel {
    const TYPE_INDEX: i32 = kTVMFFIObject;
}
