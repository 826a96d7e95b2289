//! What a library of the legacy generation has registered: the names of its global functions. Nothing else of it can be listed.

use std::{
    ffi::{CStr, c_char, c_int},
    ptr::null,
    slice,
};

use tvm_ffi_reports::facts::Named;
use tvm_ffi_spec::part::Kind;

use crate::client::{Client, Verdict};

type ListGlobalNames = unsafe extern "C" fn(*mut c_int, *mut *const *const c_char) -> c_int;

/// The global functions that the target lists.
pub fn globals(client: &Client) -> Verdict<Named<Option<String>>> {
    let name = c"TVMFuncListGlobalNames";
    // SAFETY: the name is a C string. The target is loaded for all to see.
    let list = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: NULL, or what the generation has under this name.
    let list = unsafe { std::mem::transmute::<*mut libc::c_void, Option<ListGlobalNames>>(list) };
    let name = name.to_string_lossy();
    let missing =
        || client.failure(&*name, "exported by the target", "missing").for_want_of(Kind::Function.part(&name));
    let list = list.ok_or_else(missing)?;
    let (mut count, mut names) = (0, null());
    // SAFETY: both places are writable.
    let status = unsafe { list(&mut count, &mut names) };
    let count = usize::try_from(count).unwrap_or_default();
    if status != 0 || (count > 0 && names.is_null()) {
        return Err(client.failure(&*name, "a list of names", "none"));
    }
    // SAFETY: a library that answers 0 has given as many texts.
    let names = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(names, count) } };
    // SAFETY: as above.
    let text = |name: &*const c_char| unsafe { CStr::from_ptr(*name) }.to_string_lossy().into_owned();
    Ok(Named { listed: true, named: names.iter().map(|name| (text(name), None)).collect() })
}
