//! The two objects that stand for no value: for what is missing, and for where keyword arguments begin.

use tvm_ffi_spec::{TVMFFIObjectHandle, kTVMFFIObject, kTVMFFIObjectRValueRef};

use crate::{
    border::error::Result,
    function::row::{Row, row},
    object::{self, ObjectRef, Payload},
    system::found::Found,
    value::any::{Any, AnyView},
};

/// The functions that give them to clients.
pub const GLOBALS: &[Row] = &[
    row("ffi.GetInvalidObject() -> ffi.Object", |_| missing()),
    row("ffi.GetKwargsObject() -> ffi.Object", |_| sentinel(&KWARGS_OBJECT)),
];

/// What [`missing`] answers. Only its identity counts.
static INVALID_OBJECT: Found<ObjectRef> = Found::new();
/// The sentinel that marks what is not there, where None is a value.
pub fn missing() -> Result<Any> {
    sentinel(&INVALID_OBJECT)
}

/// Whether a value is the sentinel that marks what is not there.
pub fn is_missing(value: &AnyView<'_>) -> bool {
    is_of(&INVALID_OBJECT, value)
}

/// Whether a value is the sentinel that marks where keyword arguments begin.
pub fn is_kwargs(value: &AnyView<'_>) -> bool {
    is_of(&KWARGS_OBJECT, value)
}

/// Marks where keyword arguments begin. Only its identity counts.
static KWARGS_OBJECT: Found<ObjectRef> = Found::new();

fn sentinel(place: &'static Found<ObjectRef>) -> Result<Any> {
    let sentinel = place.get_or_try_find(|| object::try_new(|| Sentinel))?;
    Ok(sentinel.clone().into())
}

/// Whether a value is the sentinel of a place, be it one that the caller gives up. Before anybody has asked for that, none is.
fn is_of(place: &Found<ObjectRef>, value: &AnyView<'_>) -> bool {
    // SAFETY: the payload of every value is initialised.
    let pointer = unsafe { value.raw().value.v_ptr };
    let handle = match value.type_index() {
        kTVMFFIObject => pointer,
        // SAFETY: such a view has the address of a handle, or NULL.
        kTVMFFIObjectRValueRef => unsafe { pointer.cast::<TVMFFIObjectHandle>().as_ref() }.copied().unwrap_or_default(),
        _ => return false,
    };
    place.get().is_some_and(|sentinel| sentinel.handle() == handle)
}

/// An object that is nothing but its header.
#[repr(C)]
struct Sentinel;

// SAFETY: a plain object has no data.
unsafe impl Payload for Sentinel {
    const TYPE_INDEX: i32 = kTVMFFIObject;
}
