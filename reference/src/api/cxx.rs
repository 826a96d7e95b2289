//! The C++ functions that clients link to.
//!
//! They are called as C++ code on x86-64 calls them: a result that is no plain value is written to an address that is
//! passed in front of all arguments, and returned; `Any`, `String` and `Optional<int>` are values of sixteen bytes, object
//! references are handles of eight, and both are passed by address. What goes wrong is thrown.
//!
//! Most of them are the other face of a global function, and run what is built in under its name, whatever is registered
//! there by now.

// The contract of each function is that of its C++ declaration: references are live values, results are writable.
#![allow(clippy::missing_safety_doc)]

use std::{borrow::Cow, ptr};

use tvm_ffi_spec::{TVMFFIAny, TVMFFIObjectHandle, kTVMFFIOpaquePtr};

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
        throw::or_throw,
    },
    function::{self, Function},
    module::{
        Module, library,
        vtable::{self, ObjectOut, StringArg, This, ValueOut},
    },
    object::ObjectRef,
    startup::globals,
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// An `Any const&`.
type AnyArg = *const Any;
/// A reference to an object reference.
type ObjectArg = *const TVMFFIObjectHandle;

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

/// `json::Parse(String const&, String*) -> Any`. Where there is room for a message, nothing is thrown: it is the error's,
/// or empty.
#[unsafe(export_name = "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_")]
pub unsafe extern "C-unwind" fn json_parse(result: ValueOut, text: StringArg, message: *mut Any) -> ValueOut {
    or_throw(|| {
        // SAFETY: the caller passes a String, and NULL or a String to be replaced.
        let (parsed, message) = unsafe { (call("ffi.json.Parse", &[by_ref(text)]), message.as_mut()) };
        let parsed = match message {
            None => parsed?,
            Some(message) => {
                let (value, text) =
                    parsed.map_or_else(|error| (Any::NONE, error.into_message()), |v| (v, Cow::default()));
                *message = text::string(text.as_bytes())?;
                value
            }
        };
        // SAFETY: the caller passes room for the result.
        Ok(unsafe { write(result, parsed) })
    })
}

/// `json::Stringify(Any const&, Optional<int> const&) -> String`.
#[unsafe(export_name = "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE")]
pub unsafe extern "C-unwind" fn json_stringify(result: ValueOut, value: AnyArg, indent: AnyArg) -> ValueOut {
    // SAFETY: the caller passes values, and room for the result.
    unsafe { value_of("ffi.json.Stringify", &[by_ref(value), by_ref(indent)], result) }
}

/// An `Optional<int>` of the time when it was no value.
#[repr(C)]
pub struct FormerOptionalInt {
    value: i32,
    has_value: bool,
}

/// `json::Stringify(Any const&, Optional<int>) -> String`, for clients of that time.
#[unsafe(export_name = "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE")]
pub unsafe extern "C-unwind" fn former_json_stringify(
    result: ValueOut,
    value: AnyArg,
    indent: *const FormerOptionalInt,
) -> ValueOut {
    // SAFETY: the caller passes both, and room for the result. The number is only set if there is one.
    unsafe {
        let indent = if (*indent).has_value { Any::from(i64::from((*indent).value)) } else { Any::NONE };
        value_of("ffi.json.Stringify", &[by_ref(value), *indent.view()], result)
    }
}

/// `ToJSONGraph(Any const&, Any const&) -> Any`.
#[unsafe(export_name = "_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn to_json_graph(result: ValueOut, value: AnyArg, metadata: AnyArg) -> ValueOut {
    // SAFETY: the caller passes values, and room for the result.
    unsafe { value_of("ffi.ToJSONGraph", &[by_ref(value), by_ref(metadata)], result) }
}

/// `FromJSONGraph(Any const&) -> Any`.
#[unsafe(export_name = "_ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE")]
pub unsafe extern "C-unwind" fn from_json_graph(result: ValueOut, value: AnyArg) -> ValueOut {
    // SAFETY: the caller passes a value, and room for the result.
    unsafe { value_of("ffi.FromJSONGraph", &[by_ref(value)], result) }
}

// ---------------------------------------------------------------------------------------------------------------------
// Structural algorithms
// ---------------------------------------------------------------------------------------------------------------------

/// `StructuralHash::Hash(Any const&, bool, bool) -> uint64_t`.
#[unsafe(export_name = "_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb")]
pub unsafe extern "C-unwind" fn structural_hash(value: AnyArg, map_free_vars: bool, skip_tensor_content: bool) -> u64 {
    let flags = [map_free_vars, skip_tensor_content].map(Any::from);
    // SAFETY: the caller passes a value.
    let args = [unsafe { by_ref(value) }, *flags[0].view(), *flags[1].view()];
    int_of("ffi.StructuralHash", &args) as u64
}

/// `StructuralEqual::Equal(Any const&, Any const&, bool, bool) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb")]
pub unsafe extern "C-unwind" fn structural_equal(
    left: AnyArg,
    right: AnyArg,
    map_free_vars: bool,
    skip_tensor_content: bool,
) -> bool {
    let flags = [map_free_vars, skip_tensor_content].map(Any::from);
    // SAFETY: the caller passes values.
    let args = unsafe { [by_ref(left), by_ref(right), *flags[0].view(), *flags[1].view()] };
    int_of("ffi.StructuralEqual", &args) != 0
}

/// `StructuralEqual::GetFirstMismatch(Any const&, Any const&, bool, bool) -> Optional<AccessPathPair>`.
#[unsafe(export_name = "_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb")]
pub unsafe extern "C-unwind" fn first_structural_mismatch(
    result: ObjectOut,
    left: AnyArg,
    right: AnyArg,
    map_free_vars: bool,
    skip_tensor_content: bool,
) -> ObjectOut {
    let flags = [map_free_vars, skip_tensor_content].map(Any::from);
    // SAFETY: the caller passes values, and room for the result.
    unsafe {
        let args = [by_ref(left), by_ref(right), *flags[0].view(), *flags[1].view()];
        object_of("ffi.GetFirstStructuralMismatch", &args, result)
    }
}

/// `VisitErrorContext::FindAccessPaths(ObjectRef const&, VisitErrorContext const&, bool) -> Array<AccessPath>`.
#[unsafe(export_name = "_ZN3tvm3ffi17VisitErrorContext15FindAccessPathsERKNS0_9ObjectRefERKS1_b")]
pub unsafe extern "C-unwind" fn find_access_paths(
    result: ObjectOut,
    root: ObjectArg,
    context: ObjectArg,
    allow_prefix_match: bool,
) -> ObjectOut {
    // SAFETY: the caller passes references to objects, and room for the result.
    unsafe {
        let args = [object_at(root), object_at(context), allow_prefix_match.into()];
        object_of("ffi.VisitErrorContext.FindAccessPaths", &args.each_ref().map(|arg| *arg.view()), result)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Copies, texts and comparison of whole values
// ---------------------------------------------------------------------------------------------------------------------

/// `DeepCopy(Any const&) -> Any`.
#[unsafe(export_name = "_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE")]
pub unsafe extern "C-unwind" fn deep_copy(result: ValueOut, value: AnyArg) -> ValueOut {
    // SAFETY: the caller passes a value, and room for the result.
    unsafe { value_of("ffi.DeepCopy", &[by_ref(value)], result) }
}

/// `ReprPrint(Any const&) -> String`.
#[unsafe(export_name = "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE")]
pub unsafe extern "C-unwind" fn repr_print(result: ValueOut, value: AnyArg) -> ValueOut {
    // SAFETY: the caller passes a value, and room for the result.
    unsafe { value_of("ffi.ReprPrint", &[by_ref(value)], result) }
}

/// `RecursiveHash(Any const&) -> int64_t`.
#[unsafe(export_name = "_ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE")]
pub unsafe extern "C-unwind" fn recursive_hash(value: AnyArg) -> i64 {
    // SAFETY: the caller passes a value.
    int_of("ffi.RecursiveHash", &[unsafe { by_ref(value) }])
}

/// `RecursiveEq(Any const&, Any const&) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi11RecursiveEqERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn recursive_eq(left: AnyArg, right: AnyArg) -> bool {
    // SAFETY: the caller passes values.
    int_of("ffi.RecursiveEq", &unsafe { [by_ref(left), by_ref(right)] }) != 0
}

/// `RecursiveLt(Any const&, Any const&) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi11RecursiveLtERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn recursive_lt(left: AnyArg, right: AnyArg) -> bool {
    // SAFETY: the caller passes values.
    int_of("ffi.RecursiveLt", &unsafe { [by_ref(left), by_ref(right)] }) != 0
}

/// `RecursiveLe(Any const&, Any const&) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn recursive_le(left: AnyArg, right: AnyArg) -> bool {
    // SAFETY: the caller passes values.
    int_of("ffi.RecursiveLe", &unsafe { [by_ref(left), by_ref(right)] }) != 0
}

/// `RecursiveGt(Any const&, Any const&) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi11RecursiveGtERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn recursive_gt(left: AnyArg, right: AnyArg) -> bool {
    // SAFETY: the caller passes values.
    int_of("ffi.RecursiveGt", &unsafe { [by_ref(left), by_ref(right)] }) != 0
}

/// `RecursiveGe(Any const&, Any const&) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_")]
pub unsafe extern "C-unwind" fn recursive_ge(left: AnyArg, right: AnyArg) -> bool {
    // SAFETY: the caller passes values.
    int_of("ffi.RecursiveGe", &unsafe { [by_ref(left), by_ref(right)] }) != 0
}

// ---------------------------------------------------------------------------------------------------------------------
// Modules
// ---------------------------------------------------------------------------------------------------------------------

/// `Module::LoadFromFile(String const&) -> Module`.
#[unsafe(export_name = "_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE")]
pub unsafe extern "C-unwind" fn module_load_from_file(result: ObjectOut, path: StringArg) -> ObjectOut {
    or_throw(|| {
        // SAFETY: the caller passes a String, and room for the result.
        unsafe { write_object(result, Module::load((*path).view().as_str().unwrap_or_default())?.into()) }
    })
}

/// `Module::VisitContextSymbols(TypedFunction<void(String, void*)> const&)`.
#[unsafe(export_name = "_ZN3tvm3ffi6Module19VisitContextSymbolsERKNS0_13TypedFunctionIFvNS0_6StringEPvEEE")]
pub unsafe extern "C-unwind" fn module_visit_context_symbols(callback: ObjectArg) {
    or_throw(|| {
        // SAFETY: the caller passes a reference to a function.
        let callback = unsafe { object_at(callback) }.view().cast::<Function>();
        let callback = callback.ok_or_else(|| c_pointers::null("callback"))?;
        for (name, value) in library::context_symbols() {
            // SAFETY: an opaque pointer owns nothing.
            let value = unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIOpaquePtr, value as usize as u64)) };
            function::call(&callback, &[*text::string(&name)?.view(), *value.view()])?;
        }
        Ok(())
    });
}

/// `ModuleObj::GetFunction(String const&, bool) -> Optional<Function>`.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj11GetFunctionERKNS0_6StringEb")]
pub unsafe extern "C-unwind" fn module_get_function(
    result: ObjectOut,
    this: This,
    name: StringArg,
    query_imports: bool,
) -> ObjectOut {
    // SAFETY: the caller passes a module, a String, and room for the result.
    or_throw(|| unsafe { write_object(result, Module::of_context(this)?.function(&*name, query_imports)?.into()) })
}

/// `ModuleObj::ImplementsFunction(String const&, bool) -> bool`.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb")]
pub unsafe extern "C-unwind" fn module_implements_function(this: This, name: StringArg, query_imports: bool) -> bool {
    // SAFETY: the caller passes a module and a String.
    or_throw(|| unsafe { Module::of_context(this)?.implements_function(&*name, query_imports) })
}

/// `ModuleObj::GetFunctionDoc(String const&, bool) -> Optional<String>`.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj14GetFunctionDocERKNS0_6StringEb")]
pub unsafe extern "C-unwind" fn module_get_function_doc(
    result: ValueOut,
    this: This,
    name: StringArg,
    query_imports: bool,
) -> ValueOut {
    // SAFETY: the caller passes a module, a String, and room for the result.
    or_throw(|| unsafe { Ok(write(result, Module::of_context(this)?.function_doc(&*name, query_imports)?)) })
}

/// `ModuleObj::GetFunctionMetadata(String const&, bool) -> Optional<String>`.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj19GetFunctionMetadataERKNS0_6StringEb")]
pub unsafe extern "C-unwind" fn module_get_function_metadata(
    result: ValueOut,
    this: This,
    name: StringArg,
    query_imports: bool,
) -> ValueOut {
    // SAFETY: the caller passes a module, a String, and room for the result.
    or_throw(|| unsafe { Ok(write(result, Module::of_context(this)?.function_metadata(&*name, query_imports)?)) })
}

/// `ModuleObj::ImportModule(Module const&)`, which is virtual too.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE")]
pub unsafe extern "C-unwind" fn module_import_module(this: This, other: ObjectArg) {
    // SAFETY: the caller passes a module, and a reference to one.
    unsafe { vtable::import_module(this, other) }
}

/// `ModuleObj::ClearImports()`, which is virtual too.
#[unsafe(export_name = "_ZN3tvm3ffi9ModuleObj12ClearImportsEv")]
pub unsafe extern "C-unwind" fn module_clear_imports(this: This) {
    // SAFETY: the caller passes a module.
    unsafe { vtable::clear_imports(this) }
}

// ---------------------------------------------------------------------------------------------------------------------
// Arguments and results
// ---------------------------------------------------------------------------------------------------------------------

/// What is built in under the name of a global function.
fn call(name: &str, args: &[AnyView<'_>]) -> Result<Any> {
    globals::call_builtin(name, args)
}

/// Calls it for a value.
///
/// # Safety
/// The result is writable.
unsafe fn value_of(name: &str, args: &[AnyView<'_>], result: ValueOut) -> ValueOut {
    // SAFETY: the caller's contract is the same.
    or_throw(|| Ok(unsafe { write(result, call(name, args)?) }))
}

/// Calls it for an object, or none.
///
/// # Safety
/// The result is writable.
unsafe fn object_of(name: &str, args: &[AnyView<'_>], result: ObjectOut) -> ObjectOut {
    // SAFETY: the caller's contract is the same.
    or_throw(|| unsafe { write_object(result, call(name, args)?) })
}

/// Calls it for an integer or a boolean.
fn int_of(name: &str, args: &[AnyView<'_>]) -> i64 {
    or_throw(|| {
        let number = call(name, args)?;
        number.view().as_int().ok_or_else(|| Error::new("TypeError", format!("{name} did not answer a number")))
    })
}

/// # Safety
/// The value is alive for `'a`.
unsafe fn by_ref<'a>(value: *const Any) -> AnyView<'a> {
    // SAFETY: the caller's contract is the same; an owned value is a view of itself.
    unsafe { AnyView::from_raw(value.cast()) }
}

/// The object in an object reference.
///
/// # Safety
/// The reference is readable and holds NULL or a live object.
unsafe fn object_at(reference: ObjectArg) -> Any {
    // SAFETY: the caller's contract is the same.
    unsafe { ObjectRef::from_borrowed(*reference) }.into()
}

/// # Safety
/// The result is writable.
unsafe fn write(result: ValueOut, value: Any) -> ValueOut {
    // SAFETY: the caller's contract is the same.
    unsafe { result.write(value.into_raw()) };
    result
}

/// Writes the object in a value, or NULL for None.
///
/// # Safety
/// The result is writable.
unsafe fn write_object(result: ObjectOut, value: Any) -> Result<ObjectOut> {
    let object = value.view().as_object();
    let fits = object.is_some() || value.view().is_none();
    fits.then_some(()).ok_or_else(|| Error::new("TypeError", "the result is no object"))?;
    // SAFETY: the caller's contract is the same.
    unsafe { result.write(object.map_or(ptr::null_mut(), ObjectRef::into_handle)) };
    Ok(result)
}
