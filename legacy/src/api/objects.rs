//! Functions about objects, their types, and results that are bytes.

use std::ffi::{c_char, c_int, c_void};

use tvm_ffi_adapter::types::{Header, TVMByteArray};

use crate::{
    error::{Error, Result, guard, required, required_text},
    object::Ref,
    text,
};

/// The keys of types by their indices.
const TYPES: [&std::ffi::CStr; 8] = [
    c"runtime.Object",
    c"runtime.Module",
    c"runtime.NDArray",
    c"runtime.String",
    c"Array",
    c"Map",
    c"runtime.ShapeTuple",
    c"runtime.PackedFunc",
];

fn known(index: u32) -> Result<&'static std::ffi::CStr> {
    let key = usize::try_from(index).ok().and_then(|index| TYPES.get(index).copied());
    key.ok_or_else(|| Error::value(format!("there is no type with the index {index}")))
}

/// The type index of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectGetTypeIndex(obj: *mut c_void, out_tindex: *mut u32) -> c_int {
    guard(|| {
        let (header, out) = (required(obj.cast::<Header>(), "obj")?, required(out_tindex, "out_tindex")?);
        // SAFETY: the caller passes an object and a writable place.
        unsafe { out.write((*header).type_index) };
        Ok(())
    })
}

/// The type index of a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectTypeKey2Index(type_key: *const c_char, out_tindex: *mut u32) -> c_int {
    guard(|| {
        let out = required(out_tindex, "out_tindex")?;
        // SAFETY: the caller passes a text.
        let key = unsafe { required_text(type_key, "type_key") }?;
        let index = TYPES.iter().position(|known| *known == key);
        let index =
            index.ok_or_else(|| Error::value(format!("there is no type with the key {}", key.to_string_lossy())))?;
        // SAFETY: the caller passes a writable place.
        unsafe { out.write(index as u32) };
        Ok(())
    })
}

/// The key of a type index, for `free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectTypeIndex2Key(tindex: u32, out_type_key: *mut *mut c_char) -> c_int {
    guard(|| {
        let (out, key) = (required(out_type_key, "out_type_key")?, known(tindex)?);
        // SAFETY: the key is a text, and the caller passes a writable place.
        unsafe { out.write(libc::strdup(key.as_ptr())) };
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectRetain(obj: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a live object, or NULL.
        if let Some(taken) = unsafe { Ref::from_borrowed(obj) } {
            taken.into_handle();
        }
        Ok(())
    })
}

/// Gives up a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectFree(obj: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller gives up a reference, or passes NULL.
        drop(unsafe { Ref::from_owned(obj) });
        Ok(())
    })
}

/// Gives up a result that is bytes, which stays in its thread's buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMByteArrayFree(arr: *mut TVMByteArray) -> c_int {
    guard(|| {
        if arr.is_null() || text::is_own(arr.cast()) {
            return Ok(());
        }
        Err(Error::value(format!("{arr:p} is no result that is bytes, of this thread")))
    })
}

/// Whether a type descends from another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMObjectDerivedFrom(
    child_type_index: u32,
    parent_type_index: u32,
    is_derived: *mut c_int,
) -> c_int {
    guard(|| {
        let out = required(is_derived, "is_derived")?;
        known(child_type_index)?;
        // All types known here descend from the root alone.
        let derived = parent_type_index == 0 || child_type_index == parent_type_index;
        // SAFETY: the caller passes a writable place.
        unsafe { out.write(derived.into()) };
        Ok(())
    })
}
