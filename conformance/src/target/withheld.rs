//! Taking from an opened library what it has registered, so that nobody finds it. For the reference, which can do without: of any
//! other, nobody knows what depends on it.
//!
//! Types and columns of attributes stay where they are, as others are laid out by them; the suite asks for them through functions that do not
//! find them. The library itself still does, and so do clients in C and C++.

use std::{ffi::CString, ptr, sync::OnceLock};

use tvm_ffi_spec::{
    FunctionTable, TVMFFIAny, TVMFFIByteArray, TVMFFIFieldInfo, TVMFFIFunctionCell, TVMFFIMethodInfo, TVMFFIObject,
    TVMFFITypeAttrColumn, TVMFFITypeInfo, kTVMFFIRawStr, part::Kind,
};

/// Takes these parts from it: global functions, types, fields, methods and columns, such as `global ffi.Array` and
/// `field ffi.Enum.value`. Where it does not let them be found, there is nothing to take.
pub fn withhold(table: &mut FunctionTable, parts: &[String]) {
    let named = |kind: Kind| parts.iter().filter_map(move |part| kind.name_in(part));
    remove_globals(table, named(Kind::Global).collect());
    for (key, field) in named(Kind::Field).filter_map(|name| name.rsplit_once('.')) {
        if let Some(info) = record(table, key) {
            // SAFETY: the record of a type of the reference, whose rows lie in memory that can be written to.
            unsafe { leave_out(info.fields, &mut info.num_fields, field, |row: &mut TVMFFIFieldInfo| &mut row.name) };
        }
    }
    let texts = |kind| named(kind).map(|name: &str| name.as_bytes().to_vec()).collect();
    let veil = Veil { library: *table, types: texts(Kind::Type), columns: texts(Kind::Attribute) };
    for (key, method) in named(Kind::Method).filter_map(|name| name.rsplit_once('.')) {
        if let Some(info) = record(table, key) {
            // SAFETY: as above.
            unsafe {
                leave_out(info.methods, &mut info.num_methods, method, |row: &mut TVMFFIMethodInfo| &mut row.name)
            };
        }
    }
    // Last, since fields and methods are looked for by their types.
    veil.draw(table);
}

/// What the suite does not find in a library.
struct Veil {
    library: FunctionTable,
    types: Vec<Vec<u8>>,
    columns: Vec<Vec<u8>>,
}

/// There is one library that something is taken from in a process.
static VEIL: OnceLock<Veil> = OnceLock::new();

impl Veil {
    /// Has what is asked through this table be asked through the veil.
    fn draw(self, table: &mut FunctionTable) {
        if self.types.is_empty() && self.columns.is_empty() {
            return;
        }
        table.TVMFFITypeKeyToIndex = table.TVMFFITypeKeyToIndex.map(|_| key_to_index as _);
        table.TVMFFIGetTypeInfo = table.TVMFFIGetTypeInfo.map(|_| get_type_info as _);
        table.TVMFFIGetTypeAttrColumn = table.TVMFFIGetTypeAttrColumn.map(|_| get_column as _);
        let _ = VEIL.set(self);
    }
}

/// The name that the library is asked for, which is one that nobody has where it is one of these.
///
/// # Safety
/// NULL or a name, as the library takes it.
unsafe fn veiled(name: *const TVMFFIByteArray, taken: &[Vec<u8>]) -> *const TVMFFIByteArray {
    const NOBODY: &TVMFFIByteArray = &TVMFFIByteArray::new(b"-");
    // SAFETY: as the caller says.
    match unsafe { name.as_ref() } {
        // SAFETY: as above.
        Some(given) if taken.iter().any(|taken| unsafe { is(given, taken) }) => NOBODY,
        _ => name,
    }
}

/// Whether a text is that.
///
/// # Safety
/// It has that many bytes, or a pointer that is NULL.
unsafe fn is(text: &TVMFFIByteArray, name: &[u8]) -> bool {
    // SAFETY: as the caller says.
    text.size == name.len()
        && !text.data.is_null()
        && unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) } == name
}

unsafe extern "C" fn key_to_index(key: *const TVMFFIByteArray, out: *mut i32) -> i32 {
    let Some((veil, ask)) = VEIL.get().and_then(|veil| Some((veil, veil.library.TVMFFITypeKeyToIndex?))) else {
        return -1;
    };
    // SAFETY: what the library was to be given.
    unsafe { ask(veiled(key, &veil.types), out) }
}

unsafe extern "C" fn get_type_info(index: i32) -> *const TVMFFITypeInfo {
    let Some((veil, ask)) = VEIL.get().and_then(|veil| Some((veil, veil.library.TVMFFIGetTypeInfo?))) else {
        return ptr::null();
    };
    // SAFETY: what the library was to be given; it answers NULL or a record that is there for good.
    unsafe {
        let info = ask(index);
        let is_taken = info.as_ref().is_some_and(|info| veil.types.iter().any(|key| is(&info.type_key, key)));
        if is_taken { ptr::null() } else { info }
    }
}

unsafe extern "C" fn get_column(name: *const TVMFFIByteArray) -> *const TVMFFITypeAttrColumn {
    let Some((veil, ask)) = VEIL.get().and_then(|veil| Some((veil, veil.library.TVMFFIGetTypeAttrColumn?))) else {
        return ptr::null();
    };
    // SAFETY: what the library was to be given.
    unsafe { ask(veiled(name, &veil.columns)) }
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
