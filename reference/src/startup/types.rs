//! Fills the type table with the built-in types and all that is known of them.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::array,
    function::{
        Function,
        arguments::Arguments,
        row::{Row, row, typed},
        signature::{self, Signature},
    },
    generation::{SEALED_TYPES, has_column, has_type},
    reflection::{
        create,
        object_def::{MethodDef, ObjectDef},
    },
    startup::builtin_types,
    types::type_table::{self, NewType, TypeTable},
    value::{any::Any, text},
};

/// The function about all types.
pub const GLOBALS: &[Row] = &[row("ffi.GetRegisteredTypeKeys() -> Array<str>", |_| strings(&type_table::keys()?))];

fn strings(texts: &[&[u8]]) -> Result<Any> {
    let strings = array::with_capacity(texts.len())?;
    for text in texts {
        // SAFETY: nobody else has the array yet, which has room for all of them.
        unsafe { array::append(&strings, text::string(text)?) };
    }
    Ok(strings.into())
}

/// What cannot fail while the table is filled, as the built-in types do not contradict one another. A process that has no memory for them
/// ends.
fn sure<T>(result: Result<T>) -> T {
    result.expect("the built-in types do not contradict one another")
}

/// Registers the built-in types in a new table.
pub fn register(table: &mut TypeTable) {
    let value = |key: &'static str, static_index| NewType {
        key: key.as_bytes(),
        static_index,
        depth: 0,
        num_child_slots: 0,
        can_overflow: false,
        parent_index: -1,
    };
    let (root_key, root) = builtin_types::ROOT;
    sure(table.get_or_insert(NewType { can_overflow: true, ..value(root_key, root) }));
    for &(key, index) in builtin_types::VALUES.iter().filter(|(key, _)| has_type(key)) {
        sure(table.get_or_insert(value(key, index)));
    }
    for &(key, index) in builtin_types::OBJECTS.iter().filter(|(key, _)| has_type(key)) {
        let can_overflow = index == kTVMFFIVisitInterrupt || !SEALED_TYPES;
        sure(table.get_or_insert(NewType { depth: 1, can_overflow, parent_index: root, ..value(key, index) }));
    }
    for &(key, index, parent_index) in builtin_types::DYNAMIC.iter().filter(|(key, ..)| has_type(key)) {
        let depth = if parent_index == root { 1 } else { 2 };
        let new = NewType { depth, can_overflow: true, parent_index, static_index: -1, ..value(key, index) };
        assert_eq!(sure(table.get_or_insert(new)), index, "{key}");
    }
    for name in builtin_types::COLUMNS.iter().filter(|name| has_column(name)) {
        sure(table.add_column(name.as_bytes()));
    }
    describe_builtin_types(table);
}

fn describe_builtin_types(table: &mut TypeTable) {
    let is_here = |index: i32| has_type(builtin_types::key_of(index));
    for def in builtin_types::OBJECT_DEFS.iter().copied().flatten().filter(|def| is_here(def.type_index)) {
        describe(table, def);
    }
    for method in builtin_types::METHODS.iter().copied().flatten().filter(|method| has_type(key_in(&method.row))) {
        add_builtin_method(table, method);
    }
    for &row in builtin_types::FUNCTION_ATTRIBUTES.iter().copied().flatten().filter(|row| has_type(key_in(row))) {
        let (type_index, name) = type_and_name(table, row.signature);
        set_function(table, type_index, name, (row.function)(Signature::new(row.signature)));
    }
    for hook in builtin_types::HOOKS
        .iter()
        .copied()
        .flatten()
        .filter(|hook| is_here(hook.type_index) && has_column(hook.attribute))
    {
        let function = TVMFFIAny::new(kTVMFFIOpaquePtr, hook.function as usize as u64);
        sure(table.set_attribute(hook.type_index, hook.attribute.as_bytes(), function));
    }
}

/// Registers what is known of a built-in type, with functions that create and copy its objects.
fn describe(table: &mut TypeTable, def: &'static ObjectDef) {
    let (type_index, total_size, key) = (def.type_index, def.size as i32, builtin_types::key_of(def.type_index));
    let (doc, creator, structural_eq_hash_kind) = (TVMFFIByteArray::EMPTY, def.creator, def.structural_kind);
    let metadata = TVMFFITypeMetadata { doc, creator, total_size, structural_eq_hash_kind };
    // SAFETY: there is no documentation.
    sure(unsafe { table.set_metadata(type_index, &metadata) });
    for field in def.fields {
        let metadata = (field.ty.spelled)().metadata();
        let info = TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(field.name.as_bytes()),
            doc: TVMFFIByteArray::new(field.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(metadata.as_bytes()),
            flags: field.flags,
            size: field.ty.size as i64,
            alignment: field.ty.alignment as i64,
            offset: field.offset as i64,
            getter: Some(field.ty.getter),
            setter: field.ty.setter as *mut c_void,
            default_value_or_factory: TVMFFIAny::NONE,
            field_static_type_index: field.ty.static_index,
        };
        // SAFETY: the texts live through the call, and the default is None.
        sure(unsafe { table.add_field(type_index, &info) });
    }
    if let Some(copy) = def.copy {
        let signature = Signature::leaked(format!("{key}.__ffi_shallow_copy__(0: {key}) -> ffi.Object"));
        let copy = move |args: &Arguments<'_>| {
            let original = args.object_ref(0, type_index)?;
            // SAFETY: the object is of the type that the function copies.
            unsafe { copy(&original) }.map(Any::from)
        };
        set_function(table, type_index, "__ffi_shallow_copy__", typed(signature, copy));
    }
    if let Some(creator) = def.creator {
        let signature = Signature::leaked(format!("{key}.__ffi_new__() -> ffi.Object"));
        let new = move |_: &Arguments<'_>| create::call_creator(type_index, creator).map(Any::from);
        set_function(table, type_index, "__ffi_new__", typed(signature, new));
    }
    if let Some(is_final) = def.is_final
        && has_column("__ffi_type_final__")
    {
        sure(table.set_attribute(type_index, b"__ffi_type_final__", TVMFFIAny::new(kTVMFFIBool, u64::from(is_final))));
    }
}

fn add_builtin_method(table: &mut TypeTable, method: &MethodDef) {
    let Row { signature, function } = method.row;
    let (type_index, name) = type_and_name(table, signature);
    let signature = Signature::new(signature);
    let metadata = signature.metadata();
    let function = sure(function(signature));
    let value = Any::from(function.clone());
    let info = TVMFFIMethodInfo {
        name: TVMFFIByteArray::new(name.as_bytes()),
        doc: TVMFFIByteArray::new(method.doc.as_bytes()),
        metadata: TVMFFIByteArray::new(metadata.as_bytes()),
        flags: method.flags,
        method: value.view().raw(),
    };
    // SAFETY: the texts and the function live through the call.
    sure(unsafe { table.add_method(type_index, &info) });
    if name == "__ffi_init__" {
        set_function(table, type_index, name, Ok(function));
    }
}

/// The type and the last name in the name of a method or attribute.
fn type_and_name(table: &TypeTable, signature: &'static str) -> (i32, &'static str) {
    let name = signature::name_in(signature);
    let (key, name) = name.rsplit_once('.').unwrap_or_default();
    (table.index_of(key.as_bytes()).expect("built-in functions belong to built-in types"), name)
}

/// The type key in the name of a method or attribute.
fn key_in(row: &Row) -> &'static str {
    signature::name_in(row.signature).rsplit_once('.').unwrap_or_default().0
}

fn set_function(table: &mut TypeTable, type_index: i32, name: &str, function: Result<Function>) {
    if has_column(name) {
        sure(table.set_attribute(type_index, name.as_bytes(), Any::from(sure(function)).into_raw()));
    }
}
