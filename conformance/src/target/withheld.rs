//! Taking from an opened library what it has registered, so that nobody finds it. For the reference, which can do without: of any
//! other, nobody knows what depends on it.

use std::ffi::CString;

use tvm_ffi_spec::{
    FunctionTable, TVMFFIAny, TVMFFIByteArray, TVMFFIFieldInfo, TVMFFIFunctionCell, TVMFFIMethodInfo, TVMFFIObject,
    TVMFFITypeInfo, kTVMFFIRawStr, part::Kind,
};

/// Takes these parts from it: global functions, fields and methods, such as `global ffi.Array` and `field ffi.Enum.value`. Where it
/// does not let them be found, there is nothing to take.
pub fn withhold(table: &FunctionTable, parts: &[String]) {
    let named = |kind: Kind| parts.iter().filter_map(move |part| part.strip_prefix(kind.as_str())).map(str::trim_start);
    remove_globals(table, named(Kind::Global).collect());
    for (key, field) in named(Kind::Field).filter_map(|name| name.rsplit_once('.')) {
        if let Some(info) = record(table, key) {
            // SAFETY: the record of a type of the reference, whose rows lie in memory that can be written to.
            unsafe { leave_out(info.fields, &mut info.num_fields, field, |row: &mut TVMFFIFieldInfo| &mut row.name) };
        }
    }
    for (key, method) in named(Kind::Method).filter_map(|name| name.rsplit_once('.')) {
        if let Some(info) = record(table, key) {
            // SAFETY: as above.
            unsafe {
                leave_out(info.methods, &mut info.num_methods, method, |row: &mut TVMFFIMethodInfo| &mut row.name)
            };
        }
    }
}

/// Removes global functions, the one that removes them last.
fn remove_globals(table: &FunctionTable, mut names: Vec<&str>) {
    const REMOVE: &str = "ffi.FunctionRemoveGlobal";
    let Some(get_global) = table.TVMFFIFunctionGetGlobal.filter(|_| !names.is_empty()) else { return };
    names.sort_by_key(|&name| name == REMOVE);
    let mut remove = std::ptr::null_mut();
    // SAFETY: the name is read and the handle written, which is an object of functions, whose cell lies behind its header, and is
    // never given back. The arguments are views of texts that outlive the call, and the result is None or a number.
    unsafe {
        if get_global(&TVMFFIByteArray::new(REMOVE.as_bytes()), &mut remove) != 0 || remove.is_null() {
            return;
        }
        let cell = remove.cast::<u8>().add(size_of::<TVMFFIObject>()).cast::<TVMFFIFunctionCell>();
        let Some(call) = (*cell).safe_call else { return };
        for name in names {
            let Ok(name) = CString::new(name) else { continue };
            let argument = TVMFFIAny::new(kTVMFFIRawStr, name.as_ptr() as u64);
            call(remove, &argument, 1, &mut TVMFFIAny::NONE.clone());
        }
    }
}

/// The record of a type, which nobody else looks at yet.
fn record<'a>(table: &FunctionTable, key: &str) -> Option<&'a mut TVMFFITypeInfo> {
    let (key_to_index, get_info) = (table.TVMFFITypeKeyToIndex?, table.TVMFFIGetTypeInfo?);
    let mut index = -1;
    // SAFETY: the key is read and the index written; the record of a known type is there for good, in memory that the reference
    // writes to itself, and no other thread has begun.
    unsafe {
        let known = key_to_index(&TVMFFIByteArray::new(key.as_bytes()), &mut index) == 0;
        known.then(|| get_info(index).cast_mut().as_mut()).flatten()
    }
}

/// Leaves a row out: the last by the number of rows, any other by a name that nobody asks for.
///
/// # Safety
/// There are that many rows, in memory that can be written to.
unsafe fn leave_out<R>(rows: *const R, number: &mut i32, name: &str, name_of: impl Fn(&mut R) -> &mut TVMFFIByteArray) {
    for place in 0..*number {
        // SAFETY: one of the rows, by the contract; names are texts that are there for good.
        let found = unsafe {
            let row = &mut *rows.add(place as usize).cast_mut();
            let text = name_of(row);
            let found = std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) == name.as_bytes();
            if found {
                *name_of(row) = TVMFFIByteArray::new(b"-");
            }
            found
        };
        if found && place + 1 == *number {
            *number = place;
        }
    }
}
