//! Library modules.
//!
//! The libraries are the fixtures of `c_fixtures/kernels/`: what a function of theirs does is said there. Their own calls
//! into the ABI find the target.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    os::unix::ffi::OsStrExt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Raised, Verdict, memory, reflected, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// A library is loaded as a module.
#[check(MOD_0001)]
fn load(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    t.eq("type_index of the module's header", t.header(module.handle())?.type_index, kTVMFFIModule)?;
    t.eq("strong count of the module", t.counts(module.handle())?.0, 1)
}

/// A path may be a C string, a String or a byte array's String.
#[check(MOD_0001)]
fn load_takes_any_string(t: &Trial) -> Verdict {
    let path = path(t, "functions.so")?;
    let object = t.string(path.to_bytes())?;
    let format = t.string(b"so")?;
    for args in [[view::c_str(&path), format.any()], [object.any(), NO_FORMAT]] {
        let module = t.call_global(LOAD, &args)?;
        t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    }
    Ok(())
}

/// A function is found by the name that follows the prefix of its symbol.
#[check(MOD_0002)]
fn function(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    for name in [c"main", c"return_int", c"sum"] {
        let object = t.string(name.to_bytes())?;
        for name in [view::c_str(name), object.any()] {
            let found = t.call_global(GET_FUNCTION, &[module.any(), name, view::bool(false)])?;
            t.eq("type_index of the function", found.any().type_index, kTVMFFIFunction)?;
        }
    }
    let entry = function_of(t, &module, c"main")?;
    expect_int(t, "result of main", &t.call(&entry, &[])?, 7)
}

/// A name without a function gives None.
#[check(MOD_0003)]
fn missing_function(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    for name in [c"no_such_function", c"", c"plain_symbol", c"__tvm_ffi_main", c"mai", c"main2", c"Main"] {
        for imports in [false, true] {
            let found = get(t, &module, name, imports)?;
            t.any_eq(format!("function {name:?}"), &found.any(), &TVMFFIAny::NONE)?;
        }
    }
    Ok(())
}

/// A kernel computes on DLTensor pointers.
#[check(MOD_0004)]
fn add_one_to_pointers(t: &Trial) -> Verdict {
    for (library, name) in [("add_one_cpu.so", c"add_one_cpu"), ("add_one_c.so", c"add_one_c")] {
        let kernel = function_of(t, &load_module(t, library)?, name)?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.eq(format!("y after {name:?}(x, y)"), y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
    }
    Ok(())
}

/// A kernel computes on Tensors.
#[check(MOD_0004)]
fn add_one_to_tensors(t: &Trial) -> Verdict {
    let kernel = function_of(t, &load_module(t, "add_one_cpu.so")?, c"add_one_cpu")?;
    let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
    let mut managed = [x.managed(), y.managed()];
    let mut tensors = Vec::new();
    for managed in &mut managed {
        let mut out = std::ptr::null_mut();
        t.ok(t.api.TVMFFITensorFromDLPack(managed, 0, 1, &mut out))?;
        tensors.push(t.own_object("the new Tensor", out)?);
    }
    t.call(&kernel, &[tensors[0].any(), tensors[1].any()])?;
    t.eq("y after add_one_cpu(x, y)", y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
    let y_tensor = y.tensor();
    t.call(&kernel, &[tensors[1].any(), view::dl_tensor(&y_tensor)])?;
    t.eq("y after add_one_cpu(y, y)", y.data, [3.0, 4.0, 5.0, 6.0, 7.0])
}

/// Arguments reach a kernel and its result its caller as they were.
#[check(MOD_0005)]
fn arguments_and_results(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let call = |name: &CStr, args: &[TVMFFIAny]| t.call(&function_of(t, &module, name)?, args);
    t.any_eq("result of return_nothing", &call(c"return_nothing", &[])?.any(), &TVMFFIAny::NONE)?;
    t.any_eq("result of return_int", &call(c"return_int", &[])?.any(), &view::int(-4_200_000_000_000_000_007))?;
    t.any_eq("result of return_float", &call(c"return_float", &[])?.any(), &view::float(-0.1))?;
    for (name, text) in
        [(c"return_short_text", &b"seven_b"[..]), (c"return_long_text", b"a text of more than seven bytes")]
    {
        let result = call(name, &[])?;
        t.eq(format!("result of {name:?}"), t.text(&result.any())?.as_slice(), text)?;
    }
    for count in [0, 1, 2, 7, 8, 9, 300] {
        let args: Vec<TVMFFIAny> = (1..=count).map(|number| view::int(number * number)).collect();
        expect_int(t, "result of count_arguments", &call(c"count_arguments", &args)?, count)?;
        expect_int(t, "sum of squares", &call(c"sum", &args)?, count * (count + 1) * (2 * count + 1) / 6)?;
    }
    Ok(())
}

/// A call runs the kernel once.
#[check(MOD_0005)]
fn each_call_is_one(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let (one, other) = (function_of(t, &module, c"count_calls")?, function_of(t, &module, c"count_calls")?);
    for round in 0..5 {
        expect_int(t, "result of count_calls", &t.call(&one, &[])?, 2 * round + 1)?;
        expect_int(t, "result of count_calls", &t.call(&other, &[])?, 2 * round + 2)?;
    }
    Ok(())
}

/// An object is passed through a kernel.
#[check(MOD_0005)]
fn object_result(t: &Trial) -> Verdict {
    let kernel = function_of(t, &load_module(t, "functions.so")?, c"return_object")?;
    let object = t.string(b"an object of more than seven bytes")?;
    let result = t.call(&kernel, &[object.any()])?;
    t.any_eq("result of return_object", &result.any(), &object.any())?;
    t.eq("strong and weak count of an object that two own", t.counts(object.handle())?, (2, 1))?;
    drop(result);
    t.eq("strong and weak count of an object that one owns", t.counts(object.handle())?, (1, 1))
}

/// An error of a kernel reaches its caller.
#[check(MOD_0006)]
fn error(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let kernel = function_of(t, &module, c"raise_value_error")?;
    for _ in 0..3 {
        let raised = fails(t, &kernel, &[], &["ValueError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")?;
        expect_int(t, "result of a call after that", &t.call(&function_of(t, &module, c"main")?, &[])?, 7)?;
    }
    Ok(())
}

/// A kernel's complaint about its arguments reaches its caller.
#[check(MOD_0006)]
fn wrong_arguments(t: &Trial) -> Verdict {
    let kernel = function_of(t, &load_module(t, "add_one_cpu.so")?, c"add_one_cpu")?;
    let raised = fails(t, &kernel, &[], &["TypeError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes two arguments")?;
    let raised = fails(t, &kernel, &[view::int(1), view::int(2)], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes tensors")
}

/// A kernel calls a function it is given.
#[check(MOD_0007)]
fn calls_back(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let (call, sum) = (function_of(t, &module, c"call")?, function_of(t, &module, c"sum")?);
    let callback = t.function(std::ptr::null_mut(), answer_count, None)?;
    let args = [callback.any(), view::int(1), view::int(2), view::int(3)];
    expect_int(t, "result of the callback", &t.call(&call, &args)?, 3)?;
    let through_both = [call.any(), sum.any(), view::int(20), view::int(22)];
    expect_int(t, "result of a kernel called by a kernel", &t.call(&call, &through_both)?, 42)
}

/// An error passes through a kernel that calls back.
#[check(MOD_0007, MOD_0006)]
fn error_of_callback(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let (call, raise) = (function_of(t, &module, c"call")?, function_of(t, &module, c"raise_value_error")?);
    t.clause(id::MOD_0006);
    let raised = fails(t, &call, &[call.any(), raise.any()], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")
}

/// A kernel sees its caller's stream.
#[check(MOD_0008)]
fn stream(t: &Trial) -> Verdict {
    let kernel = function_of(t, &load_module(t, "add_one_c.so")?, c"add_one_c")?;
    let (mut x, mut y) = (Floats::new([1.0; 5]), Floats::new([0.0; 5]));
    let device = DLDevice { device_type: kDLCUDA, device_id: 3 };
    let (x, y) = (DLTensor { device, ..x.tensor() }, DLTensor { device, ..y.tensor() });
    for stream in [0x5151_0000, 0x6262_0000, 0] {
        let stream: *mut c_void = std::ptr::without_provenance_mut(stream);
        t.ok(t.api.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, std::ptr::null_mut()))?;
        let seen = t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y)])?;
        t.any_eq("stream that the kernel saw", &seen.any(), &view::pointer(stream))?;
    }
    Ok(())
}

/// A function can be called when its module is released.
#[check(MOD_0009)]
fn function_outlives_module(t: &Trial) -> Verdict {
    let module = load_module(t, "farewell.so")?;
    let (increment, watch) = (function_of(t, &module, c"increment")?, function_of(t, &module, c"watch")?);
    drop(module);
    t.call(&watch, &[view::pointer(FAREWELLS.as_ptr().cast())])?;
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(41)])?, 42)?;
    drop(watch);
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(-1)])?, 0)?;
    t.eq("number of times the library was unloaded", FAREWELLS.load(Ordering::SeqCst), 0)
}

/// A library is unloaded after its last use.
#[check(MOD_0010)]
fn unloaded(t: &Trial) -> Verdict {
    for round in 0..3 {
        let module = watched(t)?;
        let increment = function_of(t, &module, c"increment")?;
        drop(module);
        t.eq("unloads while a function is left", FAREWELLS.load(Ordering::SeqCst), round)?;
        drop(increment);
        t.eq("unloads after the last reference", FAREWELLS.load(Ordering::SeqCst), round + 1)?;
    }
    Ok(())
}

/// A file that is no library is refused.
#[check(MOD_0011)]
fn missing_file(t: &Trial) -> Verdict {
    let loader = t.global(LOAD)?;
    let missing = CString::new(t.fixtures.join("no_such_library.so").as_os_str().as_bytes());
    let missing = missing.map_err(|error| t.error("the path of a library", error))?;
    // Not the empty path: the system's loader answers it with the program itself.
    for path in [&missing, c"/", c"/dev/null"] {
        fails(t, &loader, &[view::c_str(path), NO_FORMAT], &[])?;
    }
    Ok(())
}

/// A library may be loaded twice.
#[check(MOD_0012)]
fn loaded_twice(t: &Trial) -> Verdict {
    let (one, other) = (load_module(t, "functions.so")?, load_module(t, "functions.so")?);
    let sum = function_of(t, &one, c"sum")?;
    drop(one);
    drop(sum);
    let sum = function_of(t, &other, c"sum")?;
    expect_int(t, "result of the other module's function", &t.call(&sum, &[view::int(5), view::int(6)])?, 11)?;
    let again = load_module(t, "functions.so")?;
    drop(other);
    expect_int(t, "result of a function", &t.call(&sum, &[view::int(7)])?, 7)?;
    expect_int(t, "result of another module's function", &t.call(&function_of(t, &again, c"main")?, &[])?, 7)
}

/// A library without functions is loaded.
#[check(MOD_0013)]
fn empty(t: &Trial) -> Verdict {
    let module = load_module(t, "empty.so")?;
    t.any_eq("function main", &get(t, &module, c"main", true)?.any(), &TVMFFIAny::NONE)
}

/// A path is loaded by its extension.
#[check(MOD_0014)]
fn load_by_extension(t: &Trial) -> Verdict {
    let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(&path(t, "functions.so")?)])?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    expect_int(t, "result of main", &t.call(&function_of(t, &module, c"main")?, &[])?, 7)
}

/// A registered loader gets the path and the extension.
#[check(MOD_0014)]
fn registered_loader(t: &Trial) -> Verdict {
    let answer = load_module(t, "provider_two.so")?;
    let host = Host::new(t, answer.any())?;
    host.register(t, "ffi.Module.load_from_file.verify_format")?;
    let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(c"/no.such/model.v2.verify_format")])?;
    let expected = [b"/no.such/model.v2.verify_format".to_vec(), b"verify_format".to_vec()];
    t.eq("arguments of the loader", host.seen(), texts(&expected))?;
    expect_int(t, "result of a function of the module", &t.call(&function_of(t, &module, c"who")?, &[])?, 2)
}

/// A path without a loader is refused.
#[check(MOD_0015)]
fn unknown_extension(t: &Trial) -> Verdict {
    let loader = t.global(LOAD_BY_EXTENSION)?;
    for path in [c"model", c"model.verify_unknown", c""] {
        fails(t, &loader, &[view::c_str(path)], &[])?;
    }
    Ok(())
}

/// Libraries may have the extension of another platform.
#[check(MOD_0016)]
fn extension_of_platform(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let host = Host::new(t, module.any())?;
    host.register_instead(t, LOAD)?;
    for (number, path) in [c"/no/such/one.dll", c"/no/such/two.dylib", c"/no/such/three.dso"].into_iter().enumerate() {
        t.call_global(LOAD_BY_EXTENSION, &[view::c_str(path)])?;
        let seen = host.seen().get(2 * number).cloned().flatten();
        t.eq("path that the loader of libraries was given", seen.as_deref(), path.to_str().ok())?;
    }
    Ok(())
}

/// A library module is of kind library.
#[check(MOD_0017)]
fn kind(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    t.eq("kind", t.text(&kind.any())?.as_slice(), b"library")
}

/// A library module is runnable.
#[check(MOD_0018)]
fn property_mask(t: &Trial) -> Verdict {
    const RUNNABLE: u64 = 2;
    const COMPILATION_EXPORTABLE: u64 = 4;
    let module = load_module(t, "functions.so")?;
    let mask = t.call_global("ffi.ModuleGetPropertyMask", &[module.any()])?.any();
    t.eq("type_index of the mask", mask.type_index, kTVMFFIInt)?;
    t.eq("bits 2 and 4 of the mask", mask.payload() & (RUNNABLE | COMPILATION_EXPORTABLE), RUNNABLE)
}

/// A module knows which functions it has.
#[check(MOD_0019)]
fn implements_function(t: &Trial) -> Verdict {
    let (one, two) = (load_module(t, "provider_one.so")?, load_module(t, "provider_two.so")?);
    import(t, &one, &two)?;
    let cases = [(c"who", false, true), (c"who", true, true), (c"only_two", false, false), (c"only_two", true, true)];
    for (name, imports, expected) in cases.into_iter().chain([(c"nobody", false, false), (c"nobody", true, false)]) {
        let args = [one.any(), view::c_str(name), view::bool(imports)];
        let answer = t.call_global("ffi.ModuleImplementsFunction", &args)?;
        t.any_eq(format!("whether {name:?} is there"), &answer.any(), &view::bool(expected))?;
    }
    Ok(())
}

/// Functions are found in imports when asked for.
#[check(MOD_0020)]
fn imports(t: &Trial) -> Verdict {
    let (one, two) = (load_module(t, "provider_one.so")?, load_module(t, "provider_two.so")?);
    t.any_eq("only_two before the import", &get(t, &one, c"only_two", true)?.any(), &TVMFFIAny::NONE)?;
    import(t, &one, &two)?;
    t.any_eq("only_two without imports", &get(t, &one, c"only_two", false)?.any(), &TVMFFIAny::NONE)?;
    expect_int(t, "result of only_two", &t.call(&imported_function(t, &one, c"only_two")?, &[])?, 12)?;
    t.any_eq("only_one in the imported module", &get(t, &two, c"only_one", true)?.any(), &TVMFFIAny::NONE)
}

/// Functions are found in imports of imports.
#[check(MOD_0020)]
fn imports_of_imports(t: &Trial) -> Verdict {
    let modules = ["imports.so", "functions.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = modules.into_iter().map(|name| load_module(t, name)).collect::<Verdict<_>>()?;
    for pair in modules.windows(2) {
        import(t, &pair[0], &pair[1])?;
    }
    expect_int(t, "result of only_two", &t.call(&imported_function(t, &modules[0], c"only_two")?, &[])?, 12)?;
    t.any_eq("a function that nobody has", &get(t, &modules[0], c"nobody", true)?.any(), &TVMFFIAny::NONE)
}

/// A module's own function comes first, then imports in order.
#[check(MOD_0021)]
fn order_of_imports(t: &Trial) -> Verdict {
    let (one, two) = (load_module(t, "provider_one.so")?, load_module(t, "provider_two.so")?);
    let host = load_module(t, "imports.so")?;
    import(t, &host, &two)?;
    import(t, &host, &one)?;
    expect_int(t, "who of the first import", &t.call(&imported_function(t, &host, c"who")?, &[])?, 2)?;
    import(t, &one, &two)?;
    expect_int(t, "who of the module itself", &t.call(&imported_function(t, &one, c"who")?, &[])?, 1)
}

/// Imports are kept alive.
#[check(MOD_0022)]
fn imports_are_kept(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    let imported = watched(t)?;
    import(t, &host, &imported)?;
    drop(imported);
    t.eq("unloads while the module is imported", FAREWELLS.load(Ordering::SeqCst), 0)?;
    let increment = imported_function(t, &host, c"increment")?;
    drop(host);
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(41)])?, 42)
}

/// Imports can be taken away.
#[check(MOD_0022)]
fn clear_imports(t: &Trial) -> Verdict {
    let (one, two) = (load_module(t, "provider_one.so")?, load_module(t, "provider_two.so")?);
    import(t, &one, &two)?;
    t.call_global("ffi.ModuleClearImports", &[one.any()])?;
    t.any_eq("only_two afterwards", &get(t, &one, c"only_two", true)?.any(), &TVMFFIAny::NONE)?;
    expect_int(t, "who of the module itself", &t.call(&function_of(t, &one, c"who")?, &[])?, 1)?;
    import(t, &one, &two)?;
    expect_int(t, "only_two after another import", &t.call(&imported_function(t, &one, c"only_two")?, &[])?, 12)
}

/// Circular imports are refused.
#[check(MOD_0023)]
fn circular_import(t: &Trial) -> Verdict {
    let names = ["imports.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = names.into_iter().map(|name| load_module(t, name)).collect::<Verdict<_>>()?;
    import(t, &modules[0], &modules[1])?;
    import(t, &modules[1], &modules[2])?;
    let import_function = t.global(IMPORT)?;
    for (importer, imported) in [(0, 0), (1, 0), (2, 0), (2, 1)] {
        fails(t, &import_function, &[modules[importer].any(), modules[imported].any()], &[])
            .map_err(|failure| failure.noting(format!("{} imports {}", names[importer], names[imported])))?;
    }
    t.any_eq("a function that nobody has", &get(t, &modules[0], c"nobody", true)?.any(), &TVMFFIAny::NONE)
}

/// A library gets its context.
#[check(MOD_0024)]
fn library_context(t: &Trial) -> Verdict {
    let module = load_module(t, "library_ctx.so")?;
    let context = t.call(&function_of(t, &module, c"context")?, &[])?.any();
    t.eq("type_index of the context", context.type_index, kTVMFFIOpaquePtr)?;
    t.ne("context", context.payload(), 0)?;
    let provider = load_module(t, "provider_one.so")?;
    import(t, &module, &provider)?;
    let mut found = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvModLookupFromImports(context.payload() as *mut c_void, c"who".as_ptr(), &mut found))?;
    t.eq("type_index of the function", t.header(found)?.type_index, kTVMFFIFunction)
}

/// A kernel finds a function of an import.
#[check(MOD_0025)]
fn lookup(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    import(t, &host, &load_module(t, "provider_two.so")?)?;
    import(t, &host, &load_module(t, "functions.so")?)?;
    let call = function_of(t, &host, c"call_import")?;
    for (name, expected) in [(c"only_two", 12), (c"who", 1), (c"only_one", 11)] {
        expect_int(t, format!("result of {name:?}").as_str(), &t.call(&call, &[view::c_str(name)])?, expected)?;
    }
    let args = [view::c_str(c"sum"), view::int(20), view::int(22)];
    expect_int(t, "result of sum", &t.call(&call, &args)?, 42)
}

/// A kernel finds a function of an import's import.
#[check(MOD_0025)]
fn lookup_in_nested_import(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    let one = load_module(t, "provider_one.so")?;
    import(t, &one, &load_module(t, "provider_two.so")?)?;
    import(t, &host, &one)?;
    let call = function_of(t, &host, c"call_import")?;
    expect_int(t, "result of only_two", &t.call(&call, &[view::c_str(c"only_two")])?, 12)
}

/// A kernel finds a global function.
#[check(MOD_0026)]
fn lookup_global(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.count"), global.handle(), 0))?;
    drop(global);
    let call = function_of(t, &host, c"call_import")?;
    for _ in 0..2 {
        let args = [view::c_str(c"verify.count"), view::int(1), view::int(2)];
        expect_int(t, "result of the global", &t.call(&call, &args)?, 2)?;
    }
    Ok(())
}

/// A kernel finds an import before a global of the same name.
#[check(MOD_0026)]
fn lookup_prefers_imports(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"who"), global.handle(), 0))?;
    let call = function_of(t, &host, c"call_import")?;
    expect_int(t, "result of who", &t.call(&call, &[view::c_str(c"who")])?, 1)
}

/// A lookup of what nobody has fails.
#[check(MOD_0027)]
fn lookup_missing(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    let call = function_of(t, &host, c"call_import")?;
    for _ in 0..2 {
        fails(t, &call, &[view::c_str(c"nobody")], &["RuntimeError", "ValueError", "KeyError", "AttributeError"])?;
    }
    expect_int(t, "result of who after that", &t.call(&call, &[view::c_str(c"who")])?, 1)
}

/// A lookup gives out no references.
#[check(MOD_0028)]
fn lookup_is_borrowed(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.count"), global.handle(), 0))?;
    let find = function_of(t, &host, c"find_import")?;
    for name in [c"who", c"verify.count"] {
        let first = t.call(&find, &[view::c_str(name)])?.any();
        let handle = first.payload() as TVMFFIObjectHandle;
        t.eq("type_index of the function", t.header(handle)?.type_index, kTVMFFIFunction)?;
        let counts = t.counts(handle)?;
        for _ in 0..20 {
            t.any_eq("function found again", &t.call(&find, &[view::c_str(name)])?.any(), &first)?;
        }
        t.eq(format!("strong and weak count of {name:?} after 20 more lookups"), t.counts(handle)?, counts)?;
    }
    Ok(())
}

/// Threads look functions up at once.
#[check(MOD_0029, patient = 2)]
fn lookup_on_threads(t: &Trial) -> Verdict {
    let host = load_module(t, "imports.so")?;
    import(t, &host, &load_module(t, "provider_one.so")?)?;
    import(t, &host, &load_module(t, "provider_two.so")?)?;
    let find = function_of(t, &host, c"find_import")?;
    let find = find.any().payload();
    let found: Mutex<Vec<[u64; 3]>> = Mutex::new(Vec::new());
    t.threads(4, |t, _| {
        for _ in 0..50 {
            let mut addresses = [0; 3];
            for (address, name) in addresses.iter_mut().zip([c"who", c"only_one", c"only_two"]) {
                let (mut args, mut result) = ([view::c_str(name)], TVMFFIAny::NONE);
                t.ok(t.api.TVMFFIFunctionCall(find as TVMFFIObjectHandle, args.as_mut_ptr(), 1, &mut result))?;
                *address = result.payload();
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).push(addresses);
        }
        Ok(())
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    for addresses in &found {
        t.eq("functions that a thread found", addresses, &found[0])?;
    }
    Ok(())
}

/// A context symbol is set at load.
#[check(MOD_0030)]
fn context_symbol(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let module = load_module(t, "context_symbols.so")?;
    let value = t.call(&function_of(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one", &value.any(), &view::pointer(triple as *mut c_void))?;
    let called = t.call(&function_of(t, &module, c"call_context_one")?, &[view::int(14)])?;
    expect_int(t, "result of the function behind it", &called, 42)?;
    let other = t.call(&function_of(t, &module, c"context_two")?, &[])?;
    t.any_eq("verify_context_two, which was not registered", &other.any(), &TVMFFIAny::NONE)
}

/// A context symbol does not change a loaded library.
#[check(MOD_0031)]
fn context_symbol_is_not_retroactive(t: &Trial) -> Verdict {
    let module = load_module(t, "context_symbols.so")?;
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let value = t.call(&function_of(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one of a library loaded before", &value.any(), &TVMFFIAny::NONE)
}

/// A library without the symbol is loaded like any other.
#[check(MOD_0031)]
fn context_symbol_of_nobody(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_of_nobody", triple as *mut c_void)?;
    register_context(t, c"verify_context_two", std::ptr::without_provenance_mut(0x77))?;
    let module = load_module(t, "functions.so")?;
    expect_int(t, "result of main", &t.call(&function_of(t, &module, c"main")?, &[])?, 7)?;
    let module = load_module(t, "context_symbols.so")?;
    let value = t.call(&function_of(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one", &value.any(), &TVMFFIAny::NONE)
}

/// The latest registration of a context symbol counts.
#[check(MOD_0032)]
fn latest_context_symbol(t: &Trial) -> Verdict {
    for value in [0x11, 0x22, 0x33] {
        register_context(t, c"verify_context_one", std::ptr::without_provenance_mut(value))?;
        register_context(t, c"verify_context_two", std::ptr::without_provenance_mut(value + 1))?;
    }
    let module = load_module(t, "context_symbols.so")?;
    for (name, expected) in [(c"context_one", 0x33), (c"context_two", 0x34)] {
        let value = t.call(&function_of(t, &module, name)?, &[])?;
        t.any_eq(format!("{name:?}"), &value.any(), &view::pointer(std::ptr::without_provenance_mut(expected)))?;
    }
    Ok(())
}

/// Registered symbols are functions.
#[check(MOD_0033)]
fn system_library(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_early", answer_one)?;
    register_system(t, c"verify_without_prefix", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    register_system(t, c"__tvm_ffi_verify_late", answer_two)?;
    expect_int(t, "result of verify_early", &t.call(&function_of(t, &module, c"verify_early")?, &[])?, 1)?;
    expect_int(t, "result of verify_late", &t.call(&function_of(t, &module, c"verify_late")?, &[])?, 2)?;
    let found = get(t, &module, c"verify_without_prefix", false)?;
    t.any_eq("a symbol without the prefix", &found.any(), &TVMFFIAny::NONE)
}

/// A prefix chooses among registered symbols.
#[check(MOD_0034)]
fn system_library_prefix(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_main", answer_one)?;
    register_system(t, c"__tvm_ffi_model_of_two_layers_verify_main", answer_two)?;
    register_system(t, c"__tvm_ffi_verify_helper", answer_count)?;
    let prefixed = t.call_global(SYSTEM, &[view::c_str(c"model_of_two_layers_")])?;
    expect_int(t, "result of the prefixed symbol", &t.call(&function_of(t, &prefixed, c"verify_main")?, &[])?, 2)?;
    let helper = t.call(&function_of(t, &prefixed, c"verify_helper")?, &[view::int(1)])?;
    expect_int(t, "result of the symbol without prefix", &helper, 1)?;
    let plain = t.call_global(SYSTEM, &[])?;
    expect_int(t, "result in the module without prefix", &t.call(&function_of(t, &plain, c"verify_main")?, &[])?, 1)
}

/// There is one system library for each prefix.
#[check(MOD_0035)]
fn system_library_is_one(t: &Trial) -> Verdict {
    let (plain, prefixed) = (t.call_global(SYSTEM, &[])?, t.call_global(SYSTEM, &[view::c_str(c"model_")])?);
    t.any_eq("system library", &t.call_global(SYSTEM, &[])?.any(), &plain.any())?;
    t.any_eq("system library without a prefix", &t.call_global(SYSTEM, &[view::c_str(c"")])?.any(), &plain.any())?;
    let again = t.call_global(SYSTEM, &[view::c_str(c"model_")])?;
    t.any_eq("system library with a prefix", &again.any(), &prefixed.any())?;
    t.ne("system library with a prefix", prefixed.handle(), plain.handle())
}

/// Embedded modules are restored.
#[check(MOD_0036)]
fn embedded(t: &Trial) -> Verdict {
    let inner = load_module(t, "provider_two.so")?;
    let host = Host::new(t, inner.any())?;
    host.register(t, "ffi.Module.load_from_bytes.verify_embedded")?;
    let module = load_module(t, "embedded.so")?;
    t.eq("arguments of the loader", host.seen(), texts(&[b"bytes\0of its".to_vec()]))?;
    expect_int(t, "only_two of the embedded module", &t.call(&imported_function(t, &module, c"only_two")?, &[])?, 12)?;
    t.any_eq("only_two without imports", &get(t, &module, c"only_two", false)?.any(), &TVMFFIAny::NONE)?;
    let context = t.call(&function_of(t, &module, c"context")?, &[])?.any();
    t.ne("context of the library", context.payload(), 0)?;
    let called = t.call(&function_of(t, &module, c"call_embedded")?, &[])?;
    expect_int(t, "who of the embedded module, called by the library", &called, 2)
}

/// An embedded module that nobody can load is an error.
#[check(MOD_0037)]
fn embedded_without_loader(t: &Trial) -> Verdict {
    let loader = t.global(LOAD)?;
    let path = path(t, "embedded.so")?;
    fails(t, &loader, &[view::c_str(&path), NO_FORMAT], &[]).map(drop)
}

/// Metadata and documentation are returned.
#[check(MOD_0038)]
fn metadata(t: &Trial) -> Verdict {
    let module = load_module(t, "described.so")?;
    for (getter, expected) in DESCRIPTIONS {
        let args = [module.any(), view::c_str(c"described"), view::bool(false)];
        let text = t.call_global(getter, &args)?;
        t.eq(getter, t.text(&text.any())?.as_slice(), expected.as_bytes())?;
    }
    let getter = t.global(DESCRIPTIONS[0].0)?;
    let args = [module.any(), view::c_str(c"broken"), view::bool(false)];
    let raised = fails(t, &getter, &args, &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "the metadata could not be made")
}

/// Metadata and documentation of imports are returned when asked for.
#[check(MOD_0038)]
fn metadata_of_imports(t: &Trial) -> Verdict {
    let module = load_module(t, "imports.so")?;
    import(t, &module, &load_module(t, "described.so")?)?;
    for (getter, expected) in DESCRIPTIONS {
        let args = |imports| [module.any(), view::c_str(c"described"), view::bool(imports)];
        t.any_eq(format!("{getter} without imports"), &t.call_global(getter, &args(false))?.any(), &TVMFFIAny::NONE)?;
        let text = t.call_global(getter, &args(true))?;
        t.eq(getter, t.text(&text.any())?.as_slice(), expected.as_bytes())?;
    }
    Ok(())
}

/// Functions without metadata and documentation have None.
#[check(MOD_0039)]
fn no_metadata(t: &Trial) -> Verdict {
    let module = load_module(t, "described.so")?;
    for (getter, _) in DESCRIPTIONS {
        for name in [c"plain", c"no_such_function"] {
            for imports in [false, true] {
                let text = t.call_global(getter, &[module.any(), view::c_str(name), view::bool(imports)])?;
                t.any_eq(format!("{getter} of {name:?}"), &text.any(), &TVMFFIAny::NONE)?;
            }
        }
    }
    Ok(())
}

/// A module can be kept loaded for good.
#[check(MOD_0040)]
fn kept_for_good(t: &Trial) -> Verdict {
    let module = watched(t)?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    let handle = module.handle();
    drop(module);
    t.eq("unloads of the library", FAREWELLS.load(Ordering::SeqCst), 0)?;
    t.eq("type_index of the module", t.header(handle)?.type_index, kTVMFFIModule)?;
    let module = TVMFFIAny::new(kTVMFFIModule, handle as u64);
    let increment = t.call_global(GET_FUNCTION, &[module, view::c_str(c"increment"), view::bool(false)])?;
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(41)])?, 42)
}

/// Threads load libraries and call kernels at once.
#[check(MOD_0041, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let sum = function_of(t, &module, c"sum")?.into_any().payload() as usize;
    let own = ["provider_one.so", "provider_two.so"];
    t.threads(4, |t, number| {
        for round in 0..10 {
            let round = round * number as i64;
            let (mut args, mut result) = ([view::int(round), view::int(1)], TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIFunctionCall(sum as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
            t.any_eq("result of sum", &result, &view::int(round + 1))?;
            let module = load_module(t, own[number % 2])?;
            let who = function_of(t, &module, c"who")?;
            drop(module);
            expect_int(t, "result of who", &t.call(&who, &[])?, 1 + number as i64 % 2)?;
        }
        Ok(())
    })
}

/// Modules that are released leave nothing behind.
#[check(MOD_0042, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let path = path(t, "functions.so")?;
    let (loader, getter) = (t.global(LOAD)?, t.global(GET_FUNCTION)?);
    t.no_growth("memory for functions of a module", || {
        let sum = t.call(&getter, &[module.any(), view::c_str(c"sum"), view::bool(true)])?;
        expect_int(t, "result of sum", &t.call(&sum, &[view::int(1)])?, 1)
    })?;
    t.no_growth("memory for modules", || t.call(&loader, &[view::c_str(&path), NO_FORMAT]).map(drop))
}

/// A module lists its imports.
#[check(MOD_0043)]
fn imports_are_listed(t: &Trial) -> Verdict {
    let module = load_module(t, "imports.so")?;
    t.eq("imports of a new module", imports_of(t, &module)?, vec![])?;
    let mut imported = Vec::new();
    for library in ["provider_two.so", "functions.so", "provider_one.so"] {
        imported.push(load_module(t, library)?);
        import(t, &module, &imported[imported.len() - 1])?;
        t.eq("imports of the module", imports_of(t, &module)?, imported.iter().map(Owned::handle).collect())?;
    }
    Ok(())
}

/// A list of imports does not change.
#[check(MOD_0044)]
fn imports_are_a_snapshot(t: &Trial) -> Verdict {
    let (module, one, two) =
        (load_module(t, "imports.so")?, load_module(t, "provider_one.so")?, load_module(t, "provider_two.so")?);
    import(t, &module, &one)?;
    let before = imports_array(t, &module)?;
    import(t, &module, &two)?;
    t.eq("imports that were read before another came", handles(t, &before)?, vec![one.handle()])?;
    let both = imports_array(t, &module)?;
    t.call_global("ffi.ModuleClearImports", &[module.any()])?;
    t.eq("imports that were read before they were given up", handles(t, &both)?, vec![one.handle(), two.handle()])?;
    t.eq("imports of the module", imports_of(t, &module)?, vec![])
}

/// A module is imported along two ways.
#[check(MOD_0045)]
fn shared_import(t: &Trial) -> Verdict {
    let [root, left, right] = ["imports.so", "functions.so", "described.so"].map(|library| load_module(t, library));
    let (root, left, right, shared) = (root?, left?, right?, load_module(t, "provider_two.so")?);
    for (importer, imported) in [(&root, &left), (&root, &right), (&left, &shared), (&right, &shared), (&root, &shared)]
    {
        import(t, importer, imported)?;
    }
    expect_int(t, "who of the shared module", &t.call(&imported_function(t, &root, c"who")?, &[])?, 2)?;
    fails(t, &t.global(IMPORT)?, &[shared.any(), root.any()], &[])?;
    t.eq("imports of the shared module", imports_of(t, &shared)?, vec![])
}

/// Functions are found at the end of a line.
#[check(MOD_0045)]
fn long_line_of_imports(t: &Trial) -> Verdict {
    let first = load_module(t, "imports.so")?;
    let mut last = load_module(t, "empty.so")?;
    import(t, &first, &last)?;
    for _ in 0..100 {
        let next = load_module(t, "empty.so")?;
        import(t, &last, &next)?;
        last = next;
    }
    import(t, &last, &load_module(t, "provider_one.so")?)?;
    expect_int(t, "who of the last module", &t.call(&imported_function(t, &first, c"who")?, &[])?, 1)?;
    fails(t, &t.global(IMPORT)?, &[last.any(), first.any()], &[]).map(drop)
}

/// What was found stays.
#[check(MOD_0046)]
fn lookup_outlives_imports(t: &Trial) -> Verdict {
    let (module, provider) = (load_module(t, "imports.so")?, load_module(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    drop(provider);
    let found = t.call(&function_of(t, &module, c"find_import")?, &[view::c_str(c"who")])?.any();
    t.call_global("ffi.ModuleClearImports", &[module.any()])?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(found.payload() as TVMFFIObjectHandle, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq("who of what was imported", &result, &view::int(1))
}

/// A lookup of no name fails.
#[check(MOD_0047)]
fn lookup_of_null_name(t: &Trial) -> Verdict {
    let module = load_module(t, "library_ctx.so")?;
    let context = t.call(&function_of(t, &module, c"context")?, &[])?.any().payload();
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(context as *mut c_void, std::ptr::null(), &mut found);
    t.raises(code, &[]).map(drop)
}

/// A lookup in nothing fails.
#[check(MOD_0047)]
fn lookup_in_null_context(t: &Trial) -> Verdict {
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(std::ptr::null_mut(), c"who".as_ptr(), &mut found);
    t.raises(code, &[]).map(drop)
}

/// A library has no source.
#[check(MOD_0048)]
fn source(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    for format in [c"", c"c", c"a format of some length"] {
        let source = t.call_global("ffi.ModuleInspectSource", &[module.any(), view::c_str(format)])?;
        t.eq("source", t.text(&source.any())?.as_slice(), b"")?;
    }
    Ok(())
}

/// A library has no formats.
#[check(MOD_0049)]
fn formats(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[module.any()])?;
    t.eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    expect_int(t, "number of formats", &t.call_global("ffi.ArraySize", &[formats.any()])?, 0)
}

/// A library is not written.
#[check(MOD_0050)]
fn write(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    let target = t.fixtures.join("no_such_folder/written.so");
    let target = t.string(target.as_os_str().as_bytes())?;
    let write = t.global("ffi.ModuleWriteToFile")?;
    fails(t, &write, &[module.any(), target.any(), view::c_str(c"so")], &[]).map(drop)
}

/// A later symbol counts.
#[check(MOD_0051)]
fn system_symbol_again(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_again", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    let before = function_of(t, &module, c"verify_again")?;
    register_system(t, c"__tvm_ffi_verify_again", answer_two)?;
    expect_int(t, "result of the later", &t.call(&function_of(t, &module, c"verify_again")?, &[])?, 2)?;
    expect_int(t, "result of what was found before", &t.call(&before, &[])?, 1)
}

/// A kept module is let go.
#[check(MOD_0052)]
fn let_go(t: &Trial) -> Verdict {
    let module = watched(t)?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("unloads of the library", FAREWELLS.load(Ordering::SeqCst), 0)?;
    drop(module);
    t.eq("unloads of the library", FAREWELLS.load(Ordering::SeqCst), 1)
}

/// A module that was not kept is left alone.
#[check(MOD_0052)]
fn let_go_of_stranger(t: &Trial) -> Verdict {
    let module = load_module(t, "functions.so")?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))?;
    expect_int(t, "result of main", &t.call(&function_of(t, &module, c"main")?, &[])?, 7)
}

/// A library's context lies before the handle.
#[check(MOD_0053)]
fn context_address(t: &Trial) -> Verdict {
    let module = load_module(t, "library_ctx.so")?;
    let context = t.call(&function_of(t, &module, c"context")?, &[])?.any();
    let expected = module.handle().wrapping_byte_sub(size_of::<*const c_void>());
    t.any_eq("context of the library", &context, &view::pointer(expected))
}

/// Kernels find the state of their runtime.
#[check(MOD_0077)]
fn runtime(t: &Trial) -> Verdict {
    let (runtime, kernels) = (load_module(t, "runtime.so")?, load_module(t, "with_runtime.so")?);
    let kernel = function_of(t, &kernels, c"add_one_with_runtime")?;
    let device = DLDevice { device_type: kDLCUDA, device_id: 3 };
    for (launch, stream) in [0x5151_0000, 0x6262_0000].into_iter().enumerate() {
        let stream = std::ptr::without_provenance_mut(stream);
        t.ok(t.api.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, std::ptr::null_mut()))?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (DLTensor { device, ..x.tensor() }, DLTensor { device, ..y.tensor() });
        let seen = t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.any_eq("stream that the runtime has", &seen.any(), &view::pointer(stream))?;
        t.eq("y after y = x + 1", y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
        let launches = t.call(&function_of(t, &runtime, c"launches")?, &[])?;
        expect_int(t, "launches that the runtime has counted", &launches, launch as i64 + 1)?;
    }
    Ok(())
}

/// A runtime may come after its kernels.
#[check(MOD_0077)]
fn runtime_comes_later(t: &Trial) -> Verdict {
    let kernel = function_of(t, &load_module(t, "with_runtime.so")?, c"add_one_with_runtime")?;
    let (mut x, mut y) = (Floats::new([1.0; 5]), Floats::new([0.0; 5]));
    let (x, y_tensor) = (x.tensor(), y.tensor());
    let args = [view::dl_tensor(&x), view::dl_tensor(&y_tensor)];
    for _ in 0..2 {
        fails(t, &kernel, &args, &["RuntimeError"])?;
    }
    let _runtime = load_module(t, "runtime.so")?;
    t.call(&kernel, &args)?;
    t.eq("y after y = x + 1", y.data, [2.0; 5])
}

/// Threads find one runtime.
#[check(MOD_0077, patient = 2)]
fn runtime_on_threads(t: &Trial) -> Verdict {
    let (runtime, kernels) = (load_module(t, "runtime.so")?, load_module(t, "with_runtime.so")?);
    let kernel = function_of(t, &kernels, c"add_one_with_runtime")?.into_any().payload() as usize;
    t.threads(4, |t, number| {
        let (mut x, mut y) = (Floats::new([number as f32; 5]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        let (mut args, mut result) = ([view::dl_tensor(&x), view::dl_tensor(&y_tensor)], TVMFFIAny::NONE);
        t.ok(t.api.TVMFFIFunctionCall(kernel as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
        t.eq("y after y = x + 1", y.data, [number as f32 + 1.0; 5])
    })?;
    // The kernels count without a lock.
    let launches = t.call(&function_of(t, &runtime, c"launches")?, &[])?.any().payload();
    t.that("launches that the runtime has counted", (1..=4).contains(&launches), "1 to 4", launches)
}

pub(super) const LOAD: &str = "ffi.Module.load_from_file.so";
const LOAD_BY_EXTENSION: &str = "ffi.ModuleLoadFromFile";
const GET_FUNCTION: &str = "ffi.ModuleGetFunction";
pub(super) const IMPORT: &str = "ffi.ModuleImportModule";
const SYSTEM: &str = "ffi.SystemLib";
/// What describes functions, and what it says of `described` in `described.so`.
const DESCRIPTIONS: [(&str, &str); 2] = [
    ("ffi.ModuleGetFunctionMetadata", r#"{"type_schema":"{}"}"#),
    ("ffi.ModuleGetFunctionDoc", "What the function does."),
];
/// The second argument of the documented loader: an empty string.
pub(super) const NO_FORMAT: TVMFFIAny = TVMFFIAny::new(kTVMFFISmallStr, 0);

/// How often `farewell.so` was unloaded.
static FAREWELLS: AtomicI32 = AtomicI32::new(0);

/// The path of a fixture.
pub(super) fn path(t: &Trial, library: &str) -> Verdict<CString> {
    let path = t.fixtures.join(library);
    if !path.is_file() {
        return Err(t.error("a fixture", format!("{} is not there", path.display())));
    }
    CString::new(path.as_os_str().as_bytes()).map_err(|error| t.error("the path of a fixture", error))
}

/// Loads a fixture, which is expected to succeed.
pub(super) fn load_module(t: &Trial, library: &str) -> Verdict<Owned> {
    t.call_global(LOAD, &[view::c_str(&path(t, library)?), NO_FORMAT])
}

/// `farewell.so`, told to count in [`FAREWELLS`].
fn watched(t: &Trial) -> Verdict<Owned> {
    let module = load_module(t, "farewell.so")?;
    t.call(&function_of(t, &module, c"watch")?, &[view::pointer(FAREWELLS.as_ptr().cast())])?;
    Ok(module)
}

/// What a module has under a name.
pub(super) fn get(t: &Trial, module: &Owned, name: &CStr, imports: bool) -> Verdict<Owned> {
    t.call_global(GET_FUNCTION, &[module.any(), view::c_str(name), view::bool(imports)])
}

/// A function of a module, expected to be there.
pub(super) fn function_of(t: &Trial, module: &Owned, name: &CStr) -> Verdict<Owned> {
    let function = get(t, module, name, false)?;
    t.eq(format!("type_index of the function {name:?}"), function.any().type_index, kTVMFFIFunction)?;
    Ok(function)
}

/// A function of a module or its imports, expected to be there.
pub(super) fn imported_function(t: &Trial, module: &Owned, name: &CStr) -> Verdict<Owned> {
    let function = get(t, module, name, true)?;
    t.eq(format!("type_index of the function {name:?}"), function.any().type_index, kTVMFFIFunction)?;
    Ok(function)
}

/// Makes one module import another, which is expected to succeed.
pub(super) fn import(t: &Trial, importer: &Owned, imported: &Owned) -> Verdict {
    t.call_global(IMPORT, &[importer.any(), imported.any()]).map(drop)
}

/// The modules that a module imports, by its field.
pub(super) fn imports_of(t: &Trial, module: &Owned) -> Verdict<Vec<TVMFFIObjectHandle>> {
    handles(t, &imports_array(t, module)?)
}

fn imports_array(t: &Trial, module: &Owned) -> Verdict<Owned> {
    let field = reflected::field(t, kTVMFFIModule, "imports_")?;
    let array = reflected::get(t, module.handle(), &field)?;
    t.eq("type_index of the imports", array.any().type_index, kTVMFFIArray)?;
    Ok(array)
}

/// The modules in an array.
fn handles(t: &Trial, array: &Owned) -> Verdict<Vec<TVMFFIObjectHandle>> {
    let size = t.call_global("ffi.ArraySize", &[array.any()])?.any().payload() as i64;
    let item = |place| {
        let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(place)])?;
        t.eq("type_index of an import", item.any().type_index, kTVMFFIModule)?;
        Ok(item.handle())
    };
    (0..size).map(item).collect()
}

/// Calls a function, which is expected to fail with an error of one of these kinds, or of any if there are none.
pub(super) fn fails(t: &Trial, function: &Owned, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(function, args, &mut result), kinds)
}

fn register_context(t: &Trial, name: &CStr, value: *mut c_void) -> Verdict {
    t.ok(t.api.TVMFFIEnvModRegisterContextSymbol(name.as_ptr(), value))
}

fn register_system(t: &Trial, name: &CStr, function: TVMFFISafeCallType) -> Verdict {
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(name.as_ptr(), function as *mut c_void))
}

pub(super) fn expect_int(t: &Trial, what: &str, value: &Owned, expected: i64) -> Verdict {
    t.any_eq(what, &value.any(), &view::int(expected))
}

/// Five floats in host memory.
struct Floats {
    data: [f32; 5],
    shape: [i64; 1],
    strides: [i64; 1],
}

impl Floats {
    fn new(data: [f32; 5]) -> Self {
        Self { data, shape: [5], strides: [1] }
    }

    fn tensor(&mut self) -> DLTensor {
        DLTensor {
            data: self.data.as_mut_ptr().cast(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 1,
            dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut_ptr(),
            byte_offset: 0,
        }
    }

    fn managed(&mut self) -> DLManagedTensor {
        DLManagedTensor { dl_tensor: self.tensor(), manager_ctx: std::ptr::null_mut(), deleter: None }
    }
}

/// A function of the host that notes the texts it is given and returns always the same object.
struct Host {
    answer: TVMFFIAny,
    retain: unsafe extern "C" fn(TVMFFIObjectHandle) -> c_int,
    seen: Mutex<Vec<Option<Vec<u8>>>>,
}

impl Host {
    /// One that returns `answer`, which must outlive it. It stays for good: the target may keep the function.
    fn new(t: &Trial, answer: TVMFFIAny) -> Verdict<&'static Self> {
        let retain = t.api.table().TVMFFIObjectIncRef;
        let retain = retain.ok_or_else(|| t.failure("TVMFFIObjectIncRef", "a function", "NULL"))?;
        Ok(Box::leak(Box::new(Self { answer, retain, seen: Mutex::new(Vec::new()) })))
    }

    /// Makes it a new global function.
    fn register(&'static self, t: &Trial, name: &str) -> Verdict {
        self.set_global(t, name, 0)
    }

    /// Makes it a global function in place of another.
    fn register_instead(&'static self, t: &Trial, name: &str) -> Verdict {
        self.set_global(t, name, 1)
    }

    fn set_global(&'static self, t: &Trial, name: &str, override_: c_int) -> Verdict {
        let function = t.function((&raw const *self).cast_mut().cast(), Self::call, None)?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), override_))
    }

    /// The texts it was given so far, `None` for what is no text.
    fn seen(&self) -> Vec<Option<String>> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().map(|text| text.as_ref().map(|bytes| bytes.escape_ascii().to_string())).collect()
    }

    unsafe extern "C" fn call(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the function was created with a `Host` that stays for good.
        let host = unsafe { &*this.cast::<Self>() };
        let texts = (0..count as usize).map(|index| memory::read(args.wrapping_add(index)).and_then(content));
        host.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
        // SAFETY: the answer is alive as long as the host is asked; the result may be overwritten.
        unsafe {
            (host.retain)(host.answer.payload() as TVMFFIObjectHandle);
            result.write(host.answer);
        }
        0
    }
}

/// The form in which [`Host::seen`] answers.
fn texts(texts: &[Vec<u8>]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some(text.escape_ascii().to_string())).collect()
}

/// The bytes of a text, in any of the forms in which a function may be given one.
fn content(any: TVMFFIAny) -> Option<Vec<u8>> {
    let address = any.payload() as *const c_void;
    let array = |array: TVMFFIByteArray| memory::read_bytes(array.data.cast(), array.size);
    match any.type_index {
        kTVMFFIRawStr => memory::read_c_str(address, 4096),
        kTVMFFIByteArrayPtr => memory::read(address.cast()).and_then(array),
        kTVMFFISmallStr | kTVMFFISmallBytes => {
            any.payload().to_ne_bytes().get(..any.aux_word() as usize).map(<[u8]>::to_vec)
        }
        kTVMFFIStr | kTVMFFIBytes => {
            memory::read(address.wrapping_byte_add(size_of::<TVMFFIObject>()).cast()).and_then(array)
        }
        _ => None,
    }
}

extern "C" fn triple(value: i64) -> i64 {
    value.wrapping_mul(3)
}

/// Answers the number of its arguments.
unsafe extern "C" fn answer_count(_: *mut c_void, _: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::int(count.into())) };
    0
}

unsafe extern "C" fn answer_one(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { result.write(view::int(1)) };
    0
}

unsafe extern "C" fn answer_two(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { result.write(view::int(2)) };
    0
}
