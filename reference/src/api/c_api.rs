//! The functions of `tvm/ffi/c_api.h`. Each reads its arguments, calls the module of its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    ffi::{c_char, c_int, c_void},
    panic::catch_unwind,
    ptr, slice,
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        backtrace::{self, Position},
        c_pointers,
        error::{Error, ErrorObject, Result},
        error_object,
        guard::{guard, guard_or_exit},
        raised,
    },
    environment::opaque,
    function::{
        self, Function,
        registry::{self, Global, Override},
    },
    object::{self, ObjectRef, TypedRef},
    system::memory::RoomFor,
    types::type_table::{self, NewType},
    value::{
        any::{Any, AnyView},
        text_layout,
    },
};

/// Adds one strong reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIObjectIncRef(obj: TVMFFIObjectHandle) -> c_int {
    match c_pointers::required(obj.cast_const().cast(), "obj") {
        // SAFETY: the caller passes a live object.
        Ok(object) => unsafe { object::inc_strong(object) },
        Err(error) => return guard(|| Err(error)),
    }
    0
}

/// Gives up one strong reference; the last one runs the deleter. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIObjectDecRef(obj: TVMFFIObjectHandle) -> c_int {
    // SAFETY: the caller gives up a reference that it owns.
    drop(unsafe { ObjectRef::from_owned(obj) });
    0
}

/// Wraps a foreign handle as an object that runs `deleter` once at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIObjectCreateOpaque(
    handle: *mut c_void,
    type_index: i32,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller vouches for the deleter and passes a writable result.
        unsafe { out.write(opaque::new(handle, type_index, deleter)?.into_handle()) };
        Ok(())
    })
}

/// Makes an owned value of a view.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIAnyViewToOwnedAny(any_view: *const TVMFFIAny, out: *mut TVMFFIAny) -> c_int {
    if any_view.is_null() || out.is_null() {
        return no_view(any_view);
    }
    // SAFETY: the caller passes a view that is alive during the call, and a writable result.
    unsafe {
        // Nothing of this can fail, so it needs no border.
        if let Some(value) = AnyView::from_raw(any_view).kept() {
            out.write(value.into_raw());
            return 0;
        }
        make_owned(any_view, out)
    }
}

/// Makes an owned value of a view that is only passed.
///
/// # Safety
/// The view is one of what is only passed, and alive during the call; the result is writable.
#[inline(never)]
unsafe extern "C" fn make_owned(any_view: *const TVMFFIAny, out: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller's contract is the same.
    guard(|| unsafe { AnyView::from_raw(any_view).convert().map(|value| out.write(value.into_raw())) })
}

/// The error of a call without a view or without room for the result.
#[cold]
#[inline(never)]
extern "C" fn no_view(any_view: *const TVMFFIAny) -> c_int {
    guard(|| Err(c_pointers::null(if any_view.is_null() { "any_view" } else { "out" })))
}

/// Moves this thread's raised error to the caller, NULL when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorMoveFromRaised(result: *mut TVMFFIObjectHandle) {
    if !result.is_null() {
        let error = raised::take_raised().map_or(ptr::null_mut(), ErrorObject::into_handle);
        // SAFETY: the caller passes a writable pointer.
        unsafe { result.write(error) };
    }
}

/// Raises an error object on this thread, or clears what is raised; the library takes a reference of its own. An object
/// that is no error is answered with one that says so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaised(error: TVMFFIObjectHandle) {
    guard(|| {
        // SAFETY: the caller passes NULL or a live object.
        raised::set_raised(unsafe { optional_error(error, "error")? });
        Ok(())
    });
}

/// # Safety
/// `handle` is NULL or a live object.
pub unsafe fn optional_error(handle: TVMFFIObjectHandle, name: &str) -> Result<Option<ErrorObject>> {
    if handle.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller vouches for the object.
    unsafe { c_pointers::reference(handle, kTVMFFIError, name) }.map(Some)
}

/// Raises a new error on this thread. A NULL message is empty, a NULL kind is `RuntimeError`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaisedFromCStr(kind: *const c_char, message: *const c_char) {
    // SAFETY: the caller passes C strings or NULL.
    unsafe { raise(kind, &[message]) };
}

/// Raises a new error on this thread.
///
/// The doors never call one another: where two libraries are loaded, one that exports the same names would be called instead.
///
/// # Safety
/// Each text is a C string or NULL.
pub unsafe fn raise(kind: *const c_char, parts: &[*const c_char]) {
    guard(|| {
        // SAFETY: the caller passes C strings, and NULL is answered with an error.
        let kind = unsafe { c_pointers::c_str(kind, "kind") }.unwrap_or(b"RuntimeError");
        let mut message = Vec::new();
        for part in parts {
            // SAFETY: the caller passes C strings, and NULL is answered with an error.
            if let Ok(part) = unsafe { c_pointers::c_str(*part, "part") } {
                message.room_for(part.len()).map_err(|_| Error::out_of_memory("a message"))?;
                message.extend_from_slice(part);
            }
        }
        raised::set_raised(Some(error_object::new_here(kind, &message)));
        Ok(())
    });
}

/// Makes an owned String of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIStringFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { make_from_bytes::<kTVMFFISmallStr>(input, out) }
}

/// Makes an owned Bytes of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBytesFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { make_from_bytes::<kTVMFFISmallBytes>(input, out) }
}

/// # Safety
/// `input` is NULL or a readable span, `out` NULL or writable.
#[inline]
unsafe fn make_from_bytes<const SMALL: i32>(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    if !input.is_null() && !out.is_null() {
        // SAFETY: neither is NULL; the caller vouches for the rest.
        unsafe {
            let TVMFFIByteArray { data, size } = *input;
            if !data.is_null() && size > text_layout::MAX_SMALL && size <= isize::MAX as usize {
                return make_text::<SMALL>(data.cast(), size, out);
            }
            // Nothing of this can fail, so it needs no border.
            if !data.is_null() && size <= text_layout::MAX_SMALL {
                out.write(text_layout::small_of(SMALL, slice::from_raw_parts(data.cast(), size)));
                return 0;
            }
        }
    }
    // SAFETY: the caller's contract is the same.
    unsafe { make_empty::<SMALL>(input, out) }
}

/// A text that is an object.
///
/// # Safety
/// `data` is readable for `size` bytes, `out` writable.
#[inline(never)]
unsafe extern "C" fn make_text<const SMALL: i32>(data: *const u8, size: usize, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        // SAFETY: the caller's contract is the same.
        unsafe {
            let content = slice::from_raw_parts(data, size);
            let text = match SMALL {
                kTVMFFISmallStr => text_layout::new_str(content).map(Any::from),
                _ => text_layout::new_bytes(content).map(Any::from),
            };
            text.map(|text| out.write(text.into_raw())).inspect_err(|_| out.write(TVMFFIAny::NONE))
        }
    })
}

/// The text of a span without data, which is empty, and the errors of spans that are none.
///
/// # Safety
/// As for [`make_from_bytes`].
#[cold]
#[inline(never)]
unsafe extern "C" fn make_empty<const SMALL: i32>(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // The span may lie in the result, so it is read before that is written to.
        // SAFETY: the result is not NULL; the caller vouches for the rest.
        unsafe {
            let text = c_pointers::bytes(input, "input").map(|content| text_layout::small_of(SMALL, content));
            text.map(|text| out.write(text)).inspect_err(|_| out.write(TVMFFIAny::NONE))
        }
    })
}

/// Makes a function object of a C callback and its closure; the caller owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIFunctionCreate(
    self_: *mut c_void,
    safe_call: Option<TVMFFISafeCallType>,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        let safe_call = safe_call.ok_or_else(|| c_pointers::null("safe_call"))?;
        // SAFETY: the caller vouches for the callback and passes a writable result.
        unsafe { out.write(function::from_c(self_, safe_call, deleter)?.into_handle()) };
        Ok(())
    })
}

/// Calls a function object; the caller owns arguments and result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIFunctionCall(
    func: TVMFFIObjectHandle,
    args: *mut TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { function::call_handle(func, args, num_args, result) }
}

/// A new reference to a global function, or NULL with success when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIFunctionGetGlobal(name: *const TVMFFIByteArray, out: *mut TVMFFIObjectHandle) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller passes a readable span and a writable result.
        unsafe {
            let function = registry::get(c_pointers::bytes(name, "name")?);
            out.write(function.map_or(ptr::null_mut(), Function::into_handle));
        }
        Ok(())
    })
}

/// Registers a global function; the table takes a reference of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIFunctionSetGlobal(
    name: *const TVMFFIByteArray,
    f: TVMFFIObjectHandle,
    allow_override: c_int,
) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a readable span and NULL or a live object.
        let (name, function) = unsafe {
            let function = c_pointers::reference(f, kTVMFFIFunction, "f")?;
            (c_pointers::bytes(name, "name")?, function)
        };
        let global = Global { function, metadata: Box::default() };
        registry::register(name, global, Override::from_c(allow_override))
    })
}

/// Registers a global function with documentation and metadata, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIFunctionSetGlobalFromMethodInfo(
    method_info: *const TVMFFIMethodInfo,
    allow_override: c_int,
) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a readable struct with readable texts and a live function.
        unsafe {
            let info = c_pointers::required(method_info, "method_info")?.as_ref();
            let name = c_pointers::span(info.name, "method_info->name")?;
            let global = Global::from_method_info(info)?;
            registry::register_method(name, global, Override::from_c(allow_override))
        }
    })
}

/// The index of a registered type key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeKeyToIndex(type_key: *const TVMFFIByteArray, out_tindex: *mut i32) -> c_int {
    guard(|| {
        let out = c_pointers::required(out_tindex, "out_tindex")?;
        // SAFETY: the caller passes a readable span and a writable result.
        unsafe { out.write(type_table::index_of(c_pointers::bytes(type_key, "type_key")?)?) };
        Ok(())
    })
}

/// The index of a type key, which is registered if it is new. What contradicts the table ends the process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeGetOrAllocIndex(
    type_key: *const TVMFFIByteArray,
    static_type_index: i32,
    type_depth: i32,
    num_child_slots: i32,
    child_slots_can_overflow: i32,
    parent_type_index: i32,
) -> i32 {
    guard_or_exit("TVMFFITypeGetOrAllocIndex", || {
        type_table::get_or_register(NewType {
            // SAFETY: the caller passes a readable span.
            key: unsafe { c_pointers::bytes(type_key, "type_key")? },
            static_index: static_type_index,
            depth: type_depth,
            num_child_slots,
            can_overflow: child_slots_can_overflow != 0,
            parent_index: parent_type_index,
        })
    })
}

/// What is known of a type, valid for the life of the process. An unknown index ends it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIGetTypeInfo(type_index: i32) -> *const TVMFFITypeInfo {
    match type_table::known_info(type_index) {
        Some(info) => info,
        None => guard_or_exit("TVMFFIGetTypeInfo", || type_table::info(type_index)),
    }
}

/// Adds a reflected field to a type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeRegisterField(type_index: i32, info: *const TVMFFIFieldInfo) -> c_int {
    // SAFETY: the caller passes a readable struct with readable texts and live values.
    guard(|| unsafe { type_table::register_field(type_index, c_pointers::required(info, "info")?.as_ref()) })
}

/// Adds a reflected method to a type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeRegisterMethod(type_index: i32, info: *const TVMFFIMethodInfo) -> c_int {
    // SAFETY: as above.
    guard(|| unsafe { type_table::register_method(type_index, c_pointers::required(info, "info")?.as_ref()) })
}

/// Says once what a type is beyond its fields and methods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeRegisterMetadata(type_index: i32, metadata: *const TVMFFITypeMetadata) -> c_int {
    // SAFETY: as above.
    guard(|| unsafe { type_table::register_metadata(type_index, c_pointers::required(metadata, "metadata")?.as_ref()) })
}

/// Stores an attribute of a type, once; with the index of None the attribute only comes into being.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITypeRegisterAttr(
    type_index: i32,
    attr_name: *const TVMFFIByteArray,
    attr_value: *const TVMFFIAny,
) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a readable span and a live value.
        let (name, value) = unsafe {
            let value = c_pointers::required(attr_value, "attr_value")?;
            (c_pointers::bytes(attr_name, "attr_name")?, AnyView::from_raw(value.as_ptr()))
        };
        type_table::register_attribute(type_index, name, &value)
    })
}

/// The column of an attribute, valid for the life of the process, or NULL. A NULL name ends it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIGetTypeAttrColumn(attr_name: *const TVMFFIByteArray) -> *const TVMFFITypeAttrColumn {
    guard_or_exit("TVMFFIGetTypeAttrColumn", || {
        // SAFETY: the caller passes a readable span.
        Ok(type_table::attribute_column(unsafe { c_pointers::bytes(attr_name, "attr_name")? }))
    })
}

/// A backtrace for whoever says where it is, valid until the next call on this thread.
///
/// # Safety
/// `filename` and `func` are C strings or NULL.
pub unsafe fn backtrace_here(
    filename: *const c_char,
    lineno: c_int,
    func: *const c_char,
    cross_ffi_boundary: c_int,
) -> *const TVMFFIByteArray {
    let answer = catch_unwind(|| {
        // SAFETY: the caller passes C strings or NULL.
        let (file, function) = unsafe { (c_pointers::c_str(filename, "filename"), c_pointers::c_str(func, "func")) };
        let (file, function) = (file.map(String::from_utf8_lossy), function.map(String::from_utf8_lossy));
        let position = match (&file, &function) {
            (Ok(file), Ok(function)) => Some(Position { file, line: lineno, function }),
            _ => None,
        };
        backtrace::for_client(position, cross_ffi_boundary != 0)
    });
    answer.unwrap_or(&backtrace::EMPTY)
}
