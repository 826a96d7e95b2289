//! Modules of other classes than ours, and what imports and lookups make of them.

use std::{
    ffi::{c_int, c_void},
    ptr,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFIObjectHandle, TVMFFISafeCallType, kTVMFFIInt, kTVMFFIMap};

use super::{handle::VTABLE_SLOT, imports::Walk, *};
use crate::{
    border::error::{ErrorObject, Result},
    container::array,
    function::{
        self, Function,
        registry::{self, Global, Override},
    },
    object::ObjectRef,
    system::readers,
    value::{any::Any, text},
};

unsafe extern "C" fn seven(handle: *mut c_void, _: *const TVMFFIAny, num_args: i32, result: *mut TVMFFIAny) -> c_int {
    assert!(handle.is_null() && num_args == 0);
    // SAFETY: the tests pass a writable result.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, 7)) };
    0
}

unsafe extern "C" fn text(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let text = text::string(b"some text").unwrap_or_default();
    // SAFETY: the tests pass a writable result.
    unsafe { result.write(text.into_raw()) };
    0
}

/// The module of a system library of its own with these symbols.
fn module(prefix: &str, symbols: &[(&str, TVMFFISafeCallType)]) -> Module {
    for (name, function) in symbols {
        library::register_system_symbol(name.as_bytes(), *function as *mut c_void).unwrap();
    }
    Module::of_system_library(prefix.as_bytes()).unwrap()
}

fn message<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => "no error".to_owned(),
        Err(error) => message_of(error.into_object()),
    }
}

/// The kind and the message of an Error object.
fn message_of(error: ErrorObject) -> String {
    [error.kind(), error.message()].map(String::from_utf8_lossy).join(": ")
}

fn name(name: &str) -> Any {
    text::string(name.as_bytes()).unwrap()
}

/// The module and all that it imports, be it through others.
fn all(module: &Module) -> Vec<Module> {
    let mut walk = Walk::new(module);
    let imports = std::iter::from_fn(|| walk.next().cloned());
    std::iter::once(module.clone()).chain(imports).collect()
}

#[test]
fn functions_and_what_is_said_of_them() {
    let module =
        module("m1_", &[("__tvm_ffi_m1_f", seven), ("m1___tvm_ffi__doc_f", text), ("m1___tvm_ffi__metadata_f", seven)]);
    let function = module.function(&name("f"), false).unwrap().unwrap();
    assert_eq!(function::call(function.cast_ref().unwrap(), &[]).unwrap().view().as_int(), Some(7));
    assert!(module.function(&name("g"), true).unwrap().is_none());
    let doc = module.function_doc(&name("f"), false).unwrap();
    assert_eq!(doc.view().as_str(), Some(&b"some text"[..]));
    assert!(module.function_doc(&name("g"), false).unwrap().view().is_none());
    let metadata = module.function_metadata(&name("f"), false);
    assert_eq!(message(metadata), "TypeError: Cannot convert from type `int` to `str`");
}

#[test]
fn the_layout_is_that_of_the_abi() {
    let module = module("m2_", &[]);
    assert_eq!(module.context().addr() + VTABLE_SLOT, module.handle().addr());
    // SAFETY: a module has a slot in front of its header, and an Array and a Map behind it.
    unsafe {
        assert!(!(*module.context().cast::<*mut c_void>()).is_null());
        let [imports, cache] = *module.data::<[TVMFFIObjectHandle; 2]>();
        let indices = [imports, cache].map(|handle| ObjectRef::from_borrowed(handle).unwrap().type_index());
        assert_eq!(indices, [tvm_ffi_spec::kTVMFFIArray, kTVMFFIMap]);
        assert!(Module::of_context(module.context()).unwrap().is(&module));
    }
}

#[test]
fn imports_are_searched_in_order_and_never_in_circles() {
    let root = module("m3_root_", &[]);
    let (left, right) = (module("m3_left_", &[]), module("m3_right_", &[("__tvm_ffi_m3_right_f", seven)]));
    root.import(&left).unwrap();
    root.import(&right).unwrap();
    left.import(&right).unwrap();
    let order: Vec<_> = all(&root).iter().map(Module::address).collect();
    assert_eq!(order, [&root, &left, &right].map(Module::address));
    for (importer, imported) in [(&root, &root), (&right, &root), (&left, &root)] {
        let refused = message(importer.import(imported));
        assert_eq!(refused, "RuntimeError: Cyclic dependency detected during import");
    }
    assert!(root.function(&name("f"), true).unwrap().is_some());
    assert!(root.function(&name("f"), false).unwrap().is_none());
    left.clear_imports().unwrap();
    right.import(&left).unwrap();
}

#[test]
fn look_ups_find_imports_then_globals_and_stay() {
    let (root, import) = (module("m4_root_", &[]), module("m4_import_", &[("__tvm_ffi_m4_import_f", seven)]));
    root.import(&import).unwrap();
    let global = Global { function: function::from_closure(|_| Ok(Any::NONE)), metadata: Box::default() };
    let in_table = global.function.handle();
    registry::register(b"m4.global", global, Override::Refuse).unwrap();
    let found = root.look_up(b"f").unwrap();
    assert_eq!(root.look_up(b"m4.global").unwrap(), in_table);
    assert_eq!(root.look_up(b"f").unwrap(), found);
    let missing = "RuntimeError: Cannot find function g in the imported modules or global registry.";
    assert_eq!(message(root.look_up(b"g")), missing);
}

#[test]
fn a_library_gets_its_context_and_registered_values() {
    static CONTEXT: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    static VALUE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    library::register_system_symbol(b"m5___tvm_ffi__library_ctx", CONTEXT.as_ptr().cast()).unwrap();
    library::register_system_symbol(b"m5_value", VALUE.as_ptr().cast()).unwrap();
    library::register_context_symbol(b"m5_value", ptr::without_provenance_mut(8)).unwrap();
    library::register_context_symbol(b"m5_value", ptr::without_provenance_mut(16)).unwrap();
    let module = module("m5_", &[]);
    assert_eq!(CONTEXT.load(Relaxed), module.context());
    assert_eq!(VALUE.load(Relaxed).addr(), 16);
    assert!(Module::of_system_library(b"m5_").unwrap().is(&module));
}

#[test]
fn embedded_modules_are_loaded_by_kind() {
    let number = |number: u64| number.to_le_bytes().to_vec();
    let bytes = |bytes: &[u8]| [number(bytes.len() as u64), bytes.to_vec()].concat();
    let numbers =
        |numbers: &[u64]| [number(numbers.len() as u64), numbers.iter().copied().flat_map(number).collect()].concat();
    let tree = [numbers(&[0, 1, 1]), numbers(&[1]), bytes(b"m6"), bytes(b"content"), bytes(b"_lib")].concat();
    let blob = bytes(&tree).leak();
    library::register_system_symbol(b"m6___tvm_ffi__library_bin", blob.as_mut_ptr().cast()).unwrap();
    let missing = "RuntimeError: Library binary was created using {m6} but a loader of that name is not registered. \
                   Make sure to have runtime that registers ffi.Module.load_from_bytes.m6";
    assert_eq!(message(Module::of_system_library(b"m6_")), missing);
    let load = function::from_closure(|args| {
        assert_eq!(args[0].as_bytes(), Some(&b"content"[..]));
        Ok(Module::of_system_library(b"m6_loaded_by_kind_")?.into())
    });
    let global = Global { function: load, metadata: Box::default() };
    registry::register(b"ffi.Module.load_from_bytes.m6", global, Override::Refuse).unwrap();
    library::register_system_symbol(b"__tvm_ffi_m6_f", seven as *mut c_void).unwrap();
    let root = Module::of_system_library(b"m6_").unwrap();
    assert_eq!(all(&root).len(), 2);
    assert!(root.function(&name("f"), false).unwrap().is_none());
    assert!(root.function(&name("f"), true).unwrap().is_some());
}

#[test]
fn a_file_is_loaded_by_its_extension() {
    assert_eq!(message(Module::load(b"noextension")), "RuntimeError: Failed to get file format from noextension");
    assert!(message(Module::load(b"a.xyz")).starts_with("RuntimeError: Loader for `.xyz` files is not registered"));
    assert_eq!(message(Module::load(b"/nonexistent.dylib")).split(": ").next(), Some("InternalError"));
}

#[test]
fn what_a_class_does_not_say_is_the_same_for_all() {
    let module = module("m7_", &[("__tvm_ffi_m7_f", seven)]);
    let kind = module.kind().unwrap();
    assert_eq!((kind.view().as_str(), module.property_mask().unwrap()), (Some(&b"library"[..]), 3));
    assert!(module.implements_function(&name("f"), false).unwrap());
    assert!(!module.implements_function(&name("g"), true).unwrap());
    assert_eq!(module.inspect_source(&name("c")).unwrap().view().as_str(), Some(&b""[..]));
    assert_eq!(module.write_formats().unwrap().unwrap().type_index(), tvm_ffi_spec::kTVMFFIArray);
    let refused = message(module.write_to_file(&name("file"), &name("format")));
    assert_eq!(refused, "RuntimeError: Module[library] does not support WriteToFile");
}

#[test]
fn a_chain_of_imports_may_be_longer_than_the_stack_is_deep() {
    let library = || Module::of_library(library::Library::System { prefix: b"m8_".to_vec() }).unwrap();
    library::register_system_symbol(b"__tvm_ffi_m8_f", seven as *mut c_void).unwrap();
    let root = library();
    let mut last = root.clone();
    for _ in 0..100_000 {
        let next = library();
        last.import(&next).unwrap();
        last = next;
    }
    assert_eq!(message(last.import_module(&root)), "RuntimeError: Cyclic dependency detected during import");
    assert!(root.function(&name("no such function"), true).unwrap().is_none());
    drop(last);
    drop(root);
}

#[test]
fn what_was_found_in_imports_is_forgotten_with_them_but_kept() {
    let (host, provider) = (module("m10_host_", &[]), module("m10_", &[("__tvm_ffi_m10_f", seven)]));
    host.import(&provider).unwrap();
    let found = host.look_up(b"m10_f").unwrap();
    assert_eq!(host.look_up(b"m10_f").unwrap(), found);
    host.forget_imports().unwrap();
    assert!(host.look_up(b"m10_f").is_err());
    // SAFETY: the module keeps the function.
    let function = unsafe { ObjectRef::from_borrowed(found) }.unwrap().cast::<Function>().unwrap();
    assert_eq!(function::call(&function, &[]).unwrap().view().as_int(), Some(7));
    // What is found anew is another matter.
    host.import(&provider).unwrap();
    assert_ne!(host.look_up(b"m10_f").unwrap(), found);
}

#[test]
fn what_is_found_while_imports_are_cleared_is_kept_without_its_name() {
    let (host, provider) = (module("m12_host_", &[]), module("m12_", &[("__tvm_ffi_m12_f", seven)]));
    host.import(&provider).unwrap();
    let (imports, found) = (host.imports(), host.function(&name("m12_f"), true).unwrap().unwrap());
    host.forget_imports().unwrap();
    // Twice, as by two threads.
    for _ in 0..2 {
        assert_eq!(host.keep_looked_up(&name("m12_f"), &found, &imports).unwrap(), found.handle());
    }
    assert!(!found.is_unique());
    assert!(host.look_up(b"m12_f").is_err());
}

/// As on a kernel without barriers: such threads read under the lock.
#[test]
fn a_thread_that_does_not_read_without_a_lock_imports_and_searches() {
    let (root, left) = (module("m11_root_", &[]), module("m11_left_", &[]));
    let right = module("m11_right_", &[("__tvm_ffi_m11_right_f", seven)]);
    let work = || {
        readers::leave();
        left.import(&right).unwrap();
        root.import(&left).unwrap();
        assert_eq!(message(right.import(&root)), "RuntimeError: Cyclic dependency detected during import");
        assert!(root.function(&name("f"), true).unwrap().is_some());
        assert_eq!(all(&root).len(), 3);
    };
    std::thread::scope(|scope| scope.spawn(work).join().unwrap());
}

#[test]
fn modules_that_import_each_other_are_searched_once() {
    let (one, other) = (module("m9_one_", &[]), module("m9_other_", &[]));
    one.import(&other).unwrap();
    // SAFETY: nobody else uses the modules. A client can do the same inline.
    unsafe { *other.fields().imports.get() = array::new(vec![one.clone().into()]).unwrap() };
    assert!(one.function(&name("f"), true).unwrap().is_none());
    assert_eq!(all(&one).len(), 2);
    other.forget_imports().unwrap();
}
