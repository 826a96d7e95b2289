//! What checks on global functions share: functions that answer a number, and putting them into the table, finding them
//! and taking them out.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, Verdict,
        callback::{count_end, keep_self},
        types, view,
    },
    trial::Trial,
};

// ---- functions that answer a number ---------------------------------------------------------------------------------

/// A function that answers its tag.
pub fn tagged(t: &Trial, tag: usize) -> Verdict<Owned> {
    t.function(tag as *mut c_void, answer_self, Some(keep_self))
}

/// A function that answers its tag and whose end is counted.
pub fn counted(t: &Trial, tag: usize) -> Verdict<Owned> {
    t.function(tag as *mut c_void, answer_self, Some(count_end))
}

/// Answers its self, a number.
pub unsafe extern "C" fn answer_self(tag: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(tag as i64)) };
    0
}

/// What such a function answers.
pub fn call_tag(t: &Trial, function: &Owned) -> Verdict<usize> {
    Ok(t.call(function, &[])?.any().payload() as usize)
}

// ---- putting in -----------------------------------------------------------------------------------------------------

/// Registers a function; the status is the caller's to judge.
pub fn try_set(t: &Trial, name: impl AsRef<[u8]>, function: &Owned, allow_override: bool) -> c_int {
    t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_ref()), function.handle(), allow_override.into())
}

/// Registers a function under a name that is expected to be free.
pub fn set(t: &Trial, name: impl AsRef<[u8]>, function: &Owned) -> Verdict {
    t.ok(try_set(t, name, function, false))
}

/// Registers a function under a name that may be taken.
pub fn replace(t: &Trial, name: impl AsRef<[u8]>, function: &Owned) -> Verdict {
    t.ok(try_set(t, name, function, true))
}

/// Registers the function of a method info; the status is the caller's to judge.
pub fn try_set_info(t: &Trial, info: &TVMFFIMethodInfo, allow_override: bool) -> c_int {
    t.api.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override.into())
}

/// Registers a function under a name; the status is the caller's to judge.
pub type Door = fn(&Trial, &[u8], &Owned, bool) -> c_int;

/// The functions of the ABI that register: what holds for names holds for both.
pub const DOORS: [Door; 2] = [
    |t, name, function, allow_override| try_set(t, name, function, allow_override),
    |t, name, function, allow_override| {
        let mut info = info("", "", function.any());
        info.name = TVMFFIByteArray::new(name);
        try_set_info(t, &info, allow_override)
    },
];

/// A method info with this name, metadata and method.
pub fn info(name: &'static str, metadata: &'static str, method: TVMFFIAny) -> TVMFFIMethodInfo {
    let [name, metadata] = [name, metadata].map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let doc = TVMFFIByteArray::new(b"What the function does.");
    TVMFFIMethodInfo { doc, metadata, ..types::method_info(name, method) }
}

// ---- looking up -----------------------------------------------------------------------------------------------------

/// What lies under a name, as a reference that the caller owns, or NULL.
pub fn get(t: &Trial, name: impl AsRef<[u8]>) -> Verdict<TVMFFIObjectHandle> {
    let mut function = 0x6a7ba6e as TVMFFIObjectHandle;
    t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_ref()), &mut function))?;
    Ok(function)
}

/// The function under a name that is expected to be taken.
pub fn found(t: &Trial, name: impl AsRef<[u8]>) -> Verdict<Owned> {
    t.own_object(under(&name), get(t, &name)?)
}

/// Expects that very function under a name.
pub fn leads_to(t: &Trial, name: impl AsRef<[u8]>, function: &Owned) -> Verdict {
    t.eq(under(&name), found(t, &name)?.handle(), function.handle())
}

/// Expects an object under a name whose handle is known, or nothing for NULL.
pub fn leads_to_handle(t: &Trial, name: impl AsRef<[u8]>, expected: TVMFFIObjectHandle) -> Verdict {
    let found = get(t, &name)?;
    t.eq(under(&name), found, expected)?;
    if found.is_null() { Ok(()) } else { t.ok(t.api.TVMFFIObjectDecRef(found)) }
}

/// Expects nothing under a name.
pub fn is_free(t: &Trial, name: impl AsRef<[u8]>) -> Verdict {
    t.eq(under(&name), get(t, &name)?, null_mut())
}

fn under(name: &impl AsRef<[u8]>) -> String {
    format!("function under \"{}\"", name.as_ref().escape_ascii())
}

/// The metadata of the function under a name.
pub fn metadata_of(t: &Trial, name: &str) -> Verdict<String> {
    let name = t.string(name.as_bytes())?;
    let metadata = t.call_global("ffi.GetGlobalFuncMetadata", &[name.any()])?;
    Ok(String::from_utf8_lossy(&t.text(&metadata.any())?).into_owned())
}

// ---- taking out -----------------------------------------------------------------------------------------------------

/// Removes a name that is registered.
pub fn remove(t: &Trial, name: &str) -> Verdict {
    let name = t.string(name.as_bytes())?;
    t.call_global("ffi.FunctionRemoveGlobal", &[name.any()]).map(drop)
}

/// Removes a name if it is registered.
pub fn free(t: &Trial, name: &str) -> Verdict {
    let function = get(t, name)?;
    if function.is_null() {
        return Ok(());
    }
    t.api.release(function);
    remove(t, name)
}

/// Removes a name and answers whether it was there, as the library says.
pub fn removed(t: &Trial, name: &str) -> Verdict<bool> {
    let name = t.string(name.as_bytes())?;
    let answer = t.call_global("ffi.FunctionRemoveGlobal", &[name.any()])?;
    t.type_index_eq("type_index of the answer", answer.any().type_index, kTVMFFIBool)?;
    Ok(answer.any().payload() != 0)
}

// ---- listing --------------------------------------------------------------------------------------------------------

/// The names that the table lists now.
pub fn listed(t: &Trial) -> Verdict<Vec<Vec<u8>>> {
    listed_by(t, &t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?)
}

/// The names that a function which lists them answers.
pub fn listed_by(t: &Trial, lister: &Owned) -> Verdict<Vec<Vec<u8>>> {
    let count = t.call(lister, &[view::int(-1)])?;
    t.type_index_eq("type_index of the number of names", count.any().type_index, kTVMFFIInt)?;
    let count = count.any().payload() as i64;
    t.that("number of names", (0..200_000).contains(&count), "a number of names", count)?;
    t.api.note("a function that lists names, for each of them");
    let name = |index| t.text(&t.own(t.call_untraced(lister.handle() as usize, &[view::int(index)])?).any());
    (0..count).map(name).collect()
}
