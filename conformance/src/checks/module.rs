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

use crate::{trial::{check::{Check, check}, Owned, Raised, Trial, Verdict, view}, client::{memory, reflected}};

pub const CHECKS: &[Check] = &[
    check("module.load", "a library is loaded as a module", &["MOD-0001"], a_library_is_loaded),
    check(
        "module.load-takes-any-string",
        "a path may be a C string, a String or a byte array's String",
        &["MOD-0001"],
        a_path_is_any_string,
    ),
    check(
        "module.function",
        "a function is found by the name that follows the prefix of its symbol",
        &["MOD-0002"],
        a_function_is_found_by_name,
    ),
    check("module.missing-function", "a name without a function gives None", &["MOD-0003"], missing_function_is_none),
    check("module.add-one-to-pointers", "a kernel computes on DLTensor pointers", &["MOD-0004"], add_one_to_pointers),
    check("module.add-one-to-tensors", "a kernel computes on Tensors", &["MOD-0004"], add_one_to_tensors),
    check(
        "module.arguments-and-results",
        "arguments reach a kernel and its result its caller as they were",
        &["MOD-0005"],
        arguments_and_results_are_kept,
    ),
    check("module.each-call-is-one", "a call runs the kernel once", &["MOD-0005"], a_call_runs_the_kernel_once),
    check("module.object-result", "an object is passed through a kernel", &["MOD-0005"], an_object_passes_through),
    check("module.error", "an error of a kernel reaches its caller", &["MOD-0006"], an_error_reaches_the_caller),
    check(
        "module.wrong-arguments",
        "a kernel's complaint about its arguments reaches its caller",
        &["MOD-0006"],
        a_complaint_reaches_the_caller,
    ),
    check("module.calls-back", "a kernel calls a function it is given", &["MOD-0007"], a_kernel_calls_back),
    check(
        "module.error-of-callback",
        "an error passes through a kernel that calls back",
        &["MOD-0007", "MOD-0006"],
        an_error_passes_through_a_kernel,
    ),
    check("module.stream", "a kernel sees its caller's stream", &["MOD-0008"], a_kernel_sees_the_stream),
    check(
        "module.function-outlives-module",
        "a function can be called when its module is released",
        &["MOD-0009"],
        a_function_outlives_its_module,
    ),
    check("module.unloaded", "a library is unloaded after its last use", &["MOD-0010"], a_library_is_unloaded),
    check("module.missing-file", "a file that is no library is refused", &["MOD-0011"], a_missing_file_is_refused),
    check("module.loaded-twice", "a library may be loaded twice", &["MOD-0012"], a_library_is_loaded_twice),
    check("module.empty", "a library without functions is loaded", &["MOD-0013"], an_empty_library_is_loaded),
    check(
        "module.load-by-extension",
        "a path is loaded by its extension",
        &["MOD-0014"],
        a_path_is_loaded_by_extension,
    ),
    check(
        "module.registered-loader",
        "a registered loader gets the path and the extension",
        &["MOD-0014"],
        a_registered_loader_is_called,
    ),
    check(
        "module.unknown-extension",
        "a path without a loader is refused",
        &["MOD-0015"],
        a_path_without_loader_is_refused,
    ),
    check(
        "module.extension-of-platform",
        "libraries may have the extension of another platform",
        &["MOD-0016"],
        other_extensions_are_libraries,
    ),
    check("module.kind", "a library module is of kind library", &["MOD-0017"], the_kind_is_library),
    check("module.property-mask", "a library module is runnable", &["MOD-0018"], a_library_is_runnable),
    check(
        "module.implements-function",
        "a module knows which functions it has",
        &["MOD-0019"],
        a_module_knows_its_functions,
    ),
    check("module.imports", "functions are found in imports when asked for", &["MOD-0020"], imports_are_searched),
    check(
        "module.imports-of-imports",
        "functions are found in imports of imports",
        &["MOD-0020"],
        imports_of_imports_are_searched,
    ),
    check(
        "module.order-of-imports",
        "a module's own function comes first, then imports in order",
        &["MOD-0021"],
        imports_are_searched_in_order,
    ),
    check("module.imports-are-kept", "imports are kept alive", &["MOD-0022"], imports_are_kept_alive),
    check("module.clear-imports", "imports can be taken away", &["MOD-0022"], imports_are_taken_away),
    check("module.circular-import", "circular imports are refused", &["MOD-0023"], circular_imports_are_refused),
    check("module.library-context", "a library gets its context", &["MOD-0024"], a_library_gets_its_context),
    check("module.lookup", "a kernel finds a function of an import", &["MOD-0025"], a_kernel_finds_its_import),
    check(
        "module.lookup-in-nested-import",
        "a kernel finds a function of an import's import",
        &["MOD-0025"],
        a_kernel_finds_a_nested_import,
    ),
    check("module.lookup-global", "a kernel finds a global function", &["MOD-0026"], a_kernel_finds_a_global),
    check(
        "module.lookup-prefers-imports",
        "a kernel finds an import before a global of the same name",
        &["MOD-0026"],
        imports_come_before_globals,
    ),
    check("module.lookup-missing", "a lookup of what nobody has fails", &["MOD-0027"], a_missing_import_is_an_error),
    check("module.lookup-is-borrowed", "a lookup gives out no references", &["MOD-0028"], a_lookup_is_borrowed),
    check("module.lookup-on-threads", "threads look functions up at once", &["MOD-0029"], threads_look_up).patient(2),
    check("module.context-symbol", "a context symbol is set at load", &["MOD-0030"], a_context_symbol_is_set),
    check(
        "module.context-symbol-is-not-retroactive",
        "a context symbol does not change a loaded library",
        &["MOD-0031"],
        a_context_symbol_is_not_retroactive,
    ),
    check(
        "module.context-symbol-of-nobody",
        "a library without the symbol is loaded like any other",
        &["MOD-0031"],
        a_context_symbol_of_nobody,
    ),
    check(
        "module.latest-context-symbol",
        "the latest registration of a context symbol counts",
        &["MOD-0032"],
        the_latest_context_symbol_counts,
    ),
    check("module.system-library", "registered symbols are functions", &["MOD-0033"], registered_symbols_are_functions),
    check(
        "module.system-library-prefix",
        "a prefix chooses among registered symbols",
        &["MOD-0034"],
        a_prefix_chooses_symbols,
    ),
    check(
        "module.system-library-is-one",
        "there is one system library for each prefix",
        &["MOD-0035"],
        there_is_one_system_library,
    ),
    check("module.embedded", "embedded modules are restored", &["MOD-0036"], embedded_modules_are_restored),
    check(
        "module.embedded-without-loader",
        "an embedded module that nobody can load is an error",
        &["MOD-0037"],
        an_embedded_module_needs_a_loader,
    ),
    check("module.metadata", "metadata and documentation are returned", &["MOD-0038"], descriptions_are_returned),
    check(
        "module.metadata-of-imports",
        "metadata and documentation of imports are returned when asked for",
        &["MOD-0038"],
        descriptions_of_imports_are_returned,
    ),
    check(
        "module.no-metadata",
        "functions without metadata and documentation have None",
        &["MOD-0039"],
        missing_descriptions_are_none,
    ),
    check("module.kept-for-good", "a module can be kept loaded for good", &["MOD-0040"], a_module_is_kept_for_good),
    check("module.threads", "threads load libraries and call kernels at once", &["MOD-0041"], threads_load_and_call)
        .patient(2),
    check("module.no-growth", "modules that are released leave nothing behind", &["MOD-0042"], no_growth).patient(2),
    check("module.imports-are-listed", "a module lists its imports", &["MOD-0043"], imports_are_listed),
    check("module.imports-are-a-snapshot", "a list of imports does not change", &["MOD-0044"], imports_are_a_snapshot),
    check("module.shared-import", "a module is imported along two ways", &["MOD-0045"], an_import_is_shared),
    check(
        "module.long-line-of-imports",
        "functions are found at the end of a line",
        &["MOD-0045"],
        a_long_line_of_imports,
    ),
    check("module.lookup-outlives-imports", "what was found stays", &["MOD-0046"], a_lookup_outlives_the_imports),
    check("module.lookup-of-null-name", "a lookup of no name fails", &["MOD-0047"], a_lookup_of_no_name_fails),
    check("module.lookup-in-null-context", "a lookup in nothing fails", &["MOD-0047"], a_lookup_in_nothing_fails),
    check("module.source", "a library has no source", &["MOD-0048"], a_library_has_no_source),
    check("module.formats", "a library has no formats", &["MOD-0049"], a_library_has_no_formats),
    check("module.write", "a library is not written", &["MOD-0050"], a_library_is_not_written),
    check("module.system-symbol-again", "a later symbol counts", &["MOD-0051"], a_later_symbol_counts),
    check("module.let-go", "a kept module is let go", &["MOD-0052"], a_kept_module_is_let_go),
    check(
        "module.let-go-of-stranger",
        "a module that was not kept is left alone",
        &["MOD-0052"],
        a_stranger_is_left_alone,
    ),
    check(
        "module.context-address",
        "a library's context lies before the handle",
        &["MOD-0053"],
        context_lies_before_handle,
    ),
    check("module.runtime", "kernels find the state of their runtime", &["MOD-0077"], kernels_find_their_runtime),
    check(
        "module.runtime-comes-later",
        "a runtime may come after its kernels",
        &["MOD-0077"],
        a_runtime_may_come_later,
    ),
    check("module.runtime-on-threads", "threads find one runtime", &["MOD-0077"], threads_find_one_runtime).patient(2),
];

fn a_library_is_loaded(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    t.eq("type_index of the module's header", t.header(module.handle())?.type_index, kTVMFFIModule)?;
    t.eq("strong count of the module", t.counts(module.handle())?.0, 1)
}

fn a_path_is_any_string(t: &Trial) -> Verdict {
    let path = path(t, "functions.so")?;
    let object = t.string(path.to_bytes())?;
    let format = t.string(b"so")?;
    for args in [[view::c_str(&path), format.any()], [object.any(), NO_FORMAT]] {
        let module = t.call_global(LOAD, &args)?;
        t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    }
    Ok(())
}

fn a_function_is_found_by_name(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    for name in [c"main", c"return_int", c"sum"] {
        let object = t.string(name.to_bytes())?;
        for name in [view::c_str(name), object.any()] {
            let found = t.call_global(GET_FUNCTION, &[module.any(), name, view::bool(false)])?;
            t.eq("type_index of the function", found.any().type_index, kTVMFFIFunction)?;
        }
    }
    let entry = function(t, &module, c"main")?;
    expect_int(t, "result of main", &t.call(&entry, &[])?, 7)
}

fn missing_function_is_none(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    for name in [c"no_such_function", c"", c"plain_symbol", c"__tvm_ffi_main", c"mai", c"main2", c"Main"] {
        for imports in [false, true] {
            let found = get(t, &module, name, imports)?;
            t.any_eq(format!("function {name:?}"), &found.any(), &TVMFFIAny::NONE)?;
        }
    }
    Ok(())
}

fn add_one_to_pointers(t: &Trial) -> Verdict {
    for (library, name) in [("add_one_cpu.so", c"add_one_cpu"), ("add_one_c.so", c"add_one_c")] {
        let kernel = function(t, &load(t, library)?, name)?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.eq(format!("y after {name:?}(x, y)"), y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
    }
    Ok(())
}

fn add_one_to_tensors(t: &Trial) -> Verdict {
    let kernel = function(t, &load(t, "add_one_cpu.so")?, c"add_one_cpu")?;
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

fn arguments_and_results_are_kept(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let call = |name: &CStr, args: &[TVMFFIAny]| t.call(&function(t, &module, name)?, args);
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

fn a_call_runs_the_kernel_once(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let (one, other) = (function(t, &module, c"count_calls")?, function(t, &module, c"count_calls")?);
    for round in 0..5 {
        expect_int(t, "result of count_calls", &t.call(&one, &[])?, 2 * round + 1)?;
        expect_int(t, "result of count_calls", &t.call(&other, &[])?, 2 * round + 2)?;
    }
    Ok(())
}

fn an_object_passes_through(t: &Trial) -> Verdict {
    let kernel = function(t, &load(t, "functions.so")?, c"return_object")?;
    let object = t.string(b"an object of more than seven bytes")?;
    let result = t.call(&kernel, &[object.any()])?;
    t.any_eq("result of return_object", &result.any(), &object.any())?;
    t.eq("strong and weak count of an object that two own", t.counts(object.handle())?, (2, 1))?;
    drop(result);
    t.eq("strong and weak count of an object that one owns", t.counts(object.handle())?, (1, 1))
}

fn an_error_reaches_the_caller(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let kernel = function(t, &module, c"raise_value_error")?;
    for _ in 0..3 {
        let raised = fails(t, &kernel, &[], &["ValueError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")?;
        expect_int(t, "result of a call after that", &t.call(&function(t, &module, c"main")?, &[])?, 7)?;
    }
    Ok(())
}

fn a_complaint_reaches_the_caller(t: &Trial) -> Verdict {
    let kernel = function(t, &load(t, "add_one_cpu.so")?, c"add_one_cpu")?;
    let raised = fails(t, &kernel, &[], &["TypeError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes two arguments")?;
    let raised = fails(t, &kernel, &[view::int(1), view::int(2)], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes tensors")
}

fn a_kernel_calls_back(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let (call, sum) = (function(t, &module, c"call")?, function(t, &module, c"sum")?);
    let callback = t.function(std::ptr::null_mut(), answer_count, None)?;
    let args = [callback.any(), view::int(1), view::int(2), view::int(3)];
    expect_int(t, "result of the callback", &t.call(&call, &args)?, 3)?;
    let through_both = [call.any(), sum.any(), view::int(20), view::int(22)];
    expect_int(t, "result of a kernel called by a kernel", &t.call(&call, &through_both)?, 42)
}

fn an_error_passes_through_a_kernel(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let (call, raise) = (function(t, &module, c"call")?, function(t, &module, c"raise_value_error")?);
    t.clause("MOD-0006");
    let raised = fails(t, &call, &[call.any(), raise.any()], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")
}

fn a_kernel_sees_the_stream(t: &Trial) -> Verdict {
    let kernel = function(t, &load(t, "add_one_c.so")?, c"add_one_c")?;
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

fn a_function_outlives_its_module(t: &Trial) -> Verdict {
    let module = load(t, "farewell.so")?;
    let (increment, watch) = (function(t, &module, c"increment")?, function(t, &module, c"watch")?);
    drop(module);
    t.call(&watch, &[view::pointer(FAREWELLS.as_ptr().cast())])?;
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(41)])?, 42)?;
    drop(watch);
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(-1)])?, 0)?;
    t.eq("number of times the library was unloaded", FAREWELLS.load(Ordering::SeqCst), 0)
}

fn a_library_is_unloaded(t: &Trial) -> Verdict {
    for round in 0..3 {
        let module = watched(t)?;
        let increment = function(t, &module, c"increment")?;
        drop(module);
        t.eq("unloads while a function is left", FAREWELLS.load(Ordering::SeqCst), round)?;
        drop(increment);
        t.eq("unloads after the last reference", FAREWELLS.load(Ordering::SeqCst), round + 1)?;
    }
    Ok(())
}

fn a_missing_file_is_refused(t: &Trial) -> Verdict {
    let loader = t.global(LOAD)?;
    let missing = CString::new(t.fixtures.join("no_such_library.so").as_os_str().as_bytes());
    let missing = missing.map_err(|error| t.error("the path of a library", error))?;
    // Not the empty path: the system's loader answers it with the program itself.
    for path in [&missing, c"/", c"/dev/null"] {
        fails(t, &loader, &[view::c_str(path), NO_FORMAT], &[])?;
    }
    Ok(())
}

fn a_library_is_loaded_twice(t: &Trial) -> Verdict {
    let (one, other) = (load(t, "functions.so")?, load(t, "functions.so")?);
    let sum = function(t, &one, c"sum")?;
    drop(one);
    drop(sum);
    let sum = function(t, &other, c"sum")?;
    expect_int(t, "result of the other module's function", &t.call(&sum, &[view::int(5), view::int(6)])?, 11)?;
    let again = load(t, "functions.so")?;
    drop(other);
    expect_int(t, "result of a function", &t.call(&sum, &[view::int(7)])?, 7)?;
    expect_int(t, "result of another module's function", &t.call(&function(t, &again, c"main")?, &[])?, 7)
}

fn an_empty_library_is_loaded(t: &Trial) -> Verdict {
    let module = load(t, "empty.so")?;
    t.any_eq("function main", &get(t, &module, c"main", true)?.any(), &TVMFFIAny::NONE)
}

fn a_path_is_loaded_by_extension(t: &Trial) -> Verdict {
    let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(&path(t, "functions.so")?)])?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    expect_int(t, "result of main", &t.call(&function(t, &module, c"main")?, &[])?, 7)
}

fn a_registered_loader_is_called(t: &Trial) -> Verdict {
    let answer = load(t, "provider_two.so")?;
    let host = Host::new(t, answer.any())?;
    host.register(t, "ffi.Module.load_from_file.verify_format")?;
    let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(c"/no.such/model.v2.verify_format")])?;
    let expected = [b"/no.such/model.v2.verify_format".to_vec(), b"verify_format".to_vec()];
    t.eq("arguments of the loader", host.seen(), texts(&expected))?;
    expect_int(t, "result of a function of the module", &t.call(&function(t, &module, c"who")?, &[])?, 2)
}

fn a_path_without_loader_is_refused(t: &Trial) -> Verdict {
    let loader = t.global(LOAD_BY_EXTENSION)?;
    for path in [c"model", c"model.verify_unknown", c""] {
        fails(t, &loader, &[view::c_str(path)], &[])?;
    }
    Ok(())
}

fn other_extensions_are_libraries(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let host = Host::new(t, module.any())?;
    host.register_instead(t, LOAD)?;
    for (number, path) in [c"/no/such/one.dll", c"/no/such/two.dylib", c"/no/such/three.dso"].into_iter().enumerate() {
        t.call_global(LOAD_BY_EXTENSION, &[view::c_str(path)])?;
        let seen = host.seen().get(2 * number).cloned().flatten();
        t.eq("path that the loader of libraries was given", seen.as_deref(), path.to_str().ok())?;
    }
    Ok(())
}

fn the_kind_is_library(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    t.eq("kind", t.text(&kind.any())?.as_slice(), b"library")
}

fn a_library_is_runnable(t: &Trial) -> Verdict {
    const RUNNABLE: u64 = 2;
    const COMPILATION_EXPORTABLE: u64 = 4;
    let module = load(t, "functions.so")?;
    let mask = t.call_global("ffi.ModuleGetPropertyMask", &[module.any()])?.any();
    t.eq("type_index of the mask", mask.type_index, kTVMFFIInt)?;
    t.eq("bits 2 and 4 of the mask", mask.payload() & (RUNNABLE | COMPILATION_EXPORTABLE), RUNNABLE)
}

fn a_module_knows_its_functions(t: &Trial) -> Verdict {
    let (one, two) = (load(t, "provider_one.so")?, load(t, "provider_two.so")?);
    import(t, &one, &two)?;
    let cases = [(c"who", false, true), (c"who", true, true), (c"only_two", false, false), (c"only_two", true, true)];
    for (name, imports, expected) in cases.into_iter().chain([(c"nobody", false, false), (c"nobody", true, false)]) {
        let args = [one.any(), view::c_str(name), view::bool(imports)];
        let answer = t.call_global("ffi.ModuleImplementsFunction", &args)?;
        t.any_eq(format!("whether {name:?} is there"), &answer.any(), &view::bool(expected))?;
    }
    Ok(())
}

fn imports_are_searched(t: &Trial) -> Verdict {
    let (one, two) = (load(t, "provider_one.so")?, load(t, "provider_two.so")?);
    t.any_eq("only_two before the import", &get(t, &one, c"only_two", true)?.any(), &TVMFFIAny::NONE)?;
    import(t, &one, &two)?;
    t.any_eq("only_two without imports", &get(t, &one, c"only_two", false)?.any(), &TVMFFIAny::NONE)?;
    expect_int(t, "result of only_two", &t.call(&imported_function(t, &one, c"only_two")?, &[])?, 12)?;
    t.any_eq("only_one in the imported module", &get(t, &two, c"only_one", true)?.any(), &TVMFFIAny::NONE)
}

fn imports_of_imports_are_searched(t: &Trial) -> Verdict {
    let modules = ["imports.so", "functions.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = modules.into_iter().map(|name| load(t, name)).collect::<Verdict<_>>()?;
    for pair in modules.windows(2) {
        import(t, &pair[0], &pair[1])?;
    }
    expect_int(t, "result of only_two", &t.call(&imported_function(t, &modules[0], c"only_two")?, &[])?, 12)?;
    t.any_eq("a function that nobody has", &get(t, &modules[0], c"nobody", true)?.any(), &TVMFFIAny::NONE)
}

fn imports_are_searched_in_order(t: &Trial) -> Verdict {
    let (one, two) = (load(t, "provider_one.so")?, load(t, "provider_two.so")?);
    let host = load(t, "imports.so")?;
    import(t, &host, &two)?;
    import(t, &host, &one)?;
    expect_int(t, "who of the first import", &t.call(&imported_function(t, &host, c"who")?, &[])?, 2)?;
    import(t, &one, &two)?;
    expect_int(t, "who of the module itself", &t.call(&imported_function(t, &one, c"who")?, &[])?, 1)
}

fn imports_are_kept_alive(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    let imported = watched(t)?;
    import(t, &host, &imported)?;
    drop(imported);
    t.eq("unloads while the module is imported", FAREWELLS.load(Ordering::SeqCst), 0)?;
    let increment = imported_function(t, &host, c"increment")?;
    drop(host);
    expect_int(t, "result of increment", &t.call(&increment, &[view::int(41)])?, 42)
}

fn imports_are_taken_away(t: &Trial) -> Verdict {
    let (one, two) = (load(t, "provider_one.so")?, load(t, "provider_two.so")?);
    import(t, &one, &two)?;
    t.call_global("ffi.ModuleClearImports", &[one.any()])?;
    t.any_eq("only_two afterwards", &get(t, &one, c"only_two", true)?.any(), &TVMFFIAny::NONE)?;
    expect_int(t, "who of the module itself", &t.call(&function(t, &one, c"who")?, &[])?, 1)?;
    import(t, &one, &two)?;
    expect_int(t, "only_two after another import", &t.call(&imported_function(t, &one, c"only_two")?, &[])?, 12)
}

fn circular_imports_are_refused(t: &Trial) -> Verdict {
    let names = ["imports.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = names.into_iter().map(|name| load(t, name)).collect::<Verdict<_>>()?;
    import(t, &modules[0], &modules[1])?;
    import(t, &modules[1], &modules[2])?;
    let import_function = t.global(IMPORT)?;
    for (importer, imported) in [(0, 0), (1, 0), (2, 0), (2, 1)] {
        fails(t, &import_function, &[modules[importer].any(), modules[imported].any()], &[])
            .map_err(|failure| failure.noting(format!("{} imports {}", names[importer], names[imported])))?;
    }
    t.any_eq("a function that nobody has", &get(t, &modules[0], c"nobody", true)?.any(), &TVMFFIAny::NONE)
}

fn a_library_gets_its_context(t: &Trial) -> Verdict {
    let module = load(t, "library_ctx.so")?;
    let context = t.call(&function(t, &module, c"context")?, &[])?.any();
    t.eq("type_index of the context", context.type_index, kTVMFFIOpaquePtr)?;
    t.ne("context", context.payload(), 0)?;
    let provider = load(t, "provider_one.so")?;
    import(t, &module, &provider)?;
    let mut found = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvModLookupFromImports(context.payload() as *mut c_void, c"who".as_ptr(), &mut found))?;
    t.eq("type_index of the function", t.header(found)?.type_index, kTVMFFIFunction)
}

fn a_kernel_finds_its_import(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    import(t, &host, &load(t, "provider_two.so")?)?;
    import(t, &host, &load(t, "functions.so")?)?;
    let call = function(t, &host, c"call_import")?;
    for (name, expected) in [(c"only_two", 12), (c"who", 1), (c"only_one", 11)] {
        expect_int(t, format!("result of {name:?}").as_str(), &t.call(&call, &[view::c_str(name)])?, expected)?;
    }
    let args = [view::c_str(c"sum"), view::int(20), view::int(22)];
    expect_int(t, "result of sum", &t.call(&call, &args)?, 42)
}

fn a_kernel_finds_a_nested_import(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    let one = load(t, "provider_one.so")?;
    import(t, &one, &load(t, "provider_two.so")?)?;
    import(t, &host, &one)?;
    let call = function(t, &host, c"call_import")?;
    expect_int(t, "result of only_two", &t.call(&call, &[view::c_str(c"only_two")])?, 12)
}

fn a_kernel_finds_a_global(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.count"), global.handle(), 0))?;
    drop(global);
    let call = function(t, &host, c"call_import")?;
    for _ in 0..2 {
        let args = [view::c_str(c"verify.count"), view::int(1), view::int(2)];
        expect_int(t, "result of the global", &t.call(&call, &args)?, 2)?;
    }
    Ok(())
}

fn imports_come_before_globals(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"who"), global.handle(), 0))?;
    let call = function(t, &host, c"call_import")?;
    expect_int(t, "result of who", &t.call(&call, &[view::c_str(c"who")])?, 1)
}

fn a_missing_import_is_an_error(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    let call = function(t, &host, c"call_import")?;
    for _ in 0..2 {
        fails(t, &call, &[view::c_str(c"nobody")], &["RuntimeError", "ValueError", "KeyError", "AttributeError"])?;
    }
    expect_int(t, "result of who after that", &t.call(&call, &[view::c_str(c"who")])?, 1)
}

fn a_lookup_is_borrowed(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    let global = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.count"), global.handle(), 0))?;
    let find = function(t, &host, c"find_import")?;
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

fn threads_look_up(t: &Trial) -> Verdict {
    let host = load(t, "imports.so")?;
    import(t, &host, &load(t, "provider_one.so")?)?;
    import(t, &host, &load(t, "provider_two.so")?)?;
    let find = function(t, &host, c"find_import")?;
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

fn a_context_symbol_is_set(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let module = load(t, "context_symbols.so")?;
    let value = t.call(&function(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one", &value.any(), &view::pointer(triple as *mut c_void))?;
    let called = t.call(&function(t, &module, c"call_context_one")?, &[view::int(14)])?;
    expect_int(t, "result of the function behind it", &called, 42)?;
    let other = t.call(&function(t, &module, c"context_two")?, &[])?;
    t.any_eq("verify_context_two, which was not registered", &other.any(), &TVMFFIAny::NONE)
}

fn a_context_symbol_is_not_retroactive(t: &Trial) -> Verdict {
    let module = load(t, "context_symbols.so")?;
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let value = t.call(&function(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one of a library loaded before", &value.any(), &TVMFFIAny::NONE)
}

fn a_context_symbol_of_nobody(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_of_nobody", triple as *mut c_void)?;
    register_context(t, c"verify_context_two", std::ptr::without_provenance_mut(0x77))?;
    let module = load(t, "functions.so")?;
    expect_int(t, "result of main", &t.call(&function(t, &module, c"main")?, &[])?, 7)?;
    let module = load(t, "context_symbols.so")?;
    let value = t.call(&function(t, &module, c"context_one")?, &[])?;
    t.any_eq("verify_context_one", &value.any(), &TVMFFIAny::NONE)
}

fn the_latest_context_symbol_counts(t: &Trial) -> Verdict {
    for value in [0x11, 0x22, 0x33] {
        register_context(t, c"verify_context_one", std::ptr::without_provenance_mut(value))?;
        register_context(t, c"verify_context_two", std::ptr::without_provenance_mut(value + 1))?;
    }
    let module = load(t, "context_symbols.so")?;
    for (name, expected) in [(c"context_one", 0x33), (c"context_two", 0x34)] {
        let value = t.call(&function(t, &module, name)?, &[])?;
        t.any_eq(format!("{name:?}"), &value.any(), &view::pointer(std::ptr::without_provenance_mut(expected)))?;
    }
    Ok(())
}

fn registered_symbols_are_functions(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_early", answer_one)?;
    register_system(t, c"verify_without_prefix", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    t.eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    register_system(t, c"__tvm_ffi_verify_late", answer_two)?;
    expect_int(t, "result of verify_early", &t.call(&function(t, &module, c"verify_early")?, &[])?, 1)?;
    expect_int(t, "result of verify_late", &t.call(&function(t, &module, c"verify_late")?, &[])?, 2)?;
    let found = get(t, &module, c"verify_without_prefix", false)?;
    t.any_eq("a symbol without the prefix", &found.any(), &TVMFFIAny::NONE)
}

fn a_prefix_chooses_symbols(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_main", answer_one)?;
    register_system(t, c"__tvm_ffi_model_of_two_layers_verify_main", answer_two)?;
    register_system(t, c"__tvm_ffi_verify_helper", answer_count)?;
    let prefixed = t.call_global(SYSTEM, &[view::c_str(c"model_of_two_layers_")])?;
    expect_int(t, "result of the prefixed symbol", &t.call(&function(t, &prefixed, c"verify_main")?, &[])?, 2)?;
    let helper = t.call(&function(t, &prefixed, c"verify_helper")?, &[view::int(1)])?;
    expect_int(t, "result of the symbol without prefix", &helper, 1)?;
    let plain = t.call_global(SYSTEM, &[])?;
    expect_int(t, "result in the module without prefix", &t.call(&function(t, &plain, c"verify_main")?, &[])?, 1)
}

fn there_is_one_system_library(t: &Trial) -> Verdict {
    let (plain, prefixed) = (t.call_global(SYSTEM, &[])?, t.call_global(SYSTEM, &[view::c_str(c"model_")])?);
    t.any_eq("system library", &t.call_global(SYSTEM, &[])?.any(), &plain.any())?;
    t.any_eq("system library without a prefix", &t.call_global(SYSTEM, &[view::c_str(c"")])?.any(), &plain.any())?;
    let again = t.call_global(SYSTEM, &[view::c_str(c"model_")])?;
    t.any_eq("system library with a prefix", &again.any(), &prefixed.any())?;
    t.ne("system library with a prefix", prefixed.handle(), plain.handle())
}

fn embedded_modules_are_restored(t: &Trial) -> Verdict {
    let inner = load(t, "provider_two.so")?;
    let host = Host::new(t, inner.any())?;
    host.register(t, "ffi.Module.load_from_bytes.verify_embedded")?;
    let module = load(t, "embedded.so")?;
    t.eq("arguments of the loader", host.seen(), texts(&[b"bytes\0of its".to_vec()]))?;
    expect_int(t, "only_two of the embedded module", &t.call(&imported_function(t, &module, c"only_two")?, &[])?, 12)?;
    t.any_eq("only_two without imports", &get(t, &module, c"only_two", false)?.any(), &TVMFFIAny::NONE)?;
    let context = t.call(&function(t, &module, c"context")?, &[])?.any();
    t.ne("context of the library", context.payload(), 0)?;
    let called = t.call(&function(t, &module, c"call_embedded")?, &[])?;
    expect_int(t, "who of the embedded module, called by the library", &called, 2)
}

fn an_embedded_module_needs_a_loader(t: &Trial) -> Verdict {
    let loader = t.global(LOAD)?;
    let path = path(t, "embedded.so")?;
    fails(t, &loader, &[view::c_str(&path), NO_FORMAT], &[]).map(drop)
}

fn descriptions_are_returned(t: &Trial) -> Verdict {
    let module = load(t, "described.so")?;
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

fn descriptions_of_imports_are_returned(t: &Trial) -> Verdict {
    let module = load(t, "imports.so")?;
    import(t, &module, &load(t, "described.so")?)?;
    for (getter, expected) in DESCRIPTIONS {
        let args = |imports| [module.any(), view::c_str(c"described"), view::bool(imports)];
        t.any_eq(format!("{getter} without imports"), &t.call_global(getter, &args(false))?.any(), &TVMFFIAny::NONE)?;
        let text = t.call_global(getter, &args(true))?;
        t.eq(getter, t.text(&text.any())?.as_slice(), expected.as_bytes())?;
    }
    Ok(())
}

fn missing_descriptions_are_none(t: &Trial) -> Verdict {
    let module = load(t, "described.so")?;
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

fn a_module_is_kept_for_good(t: &Trial) -> Verdict {
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

fn threads_load_and_call(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let sum = function(t, &module, c"sum")?.into_any().payload() as usize;
    let own = ["provider_one.so", "provider_two.so"];
    t.threads(4, |t, number| {
        for round in 0..10 {
            let round = round * number as i64;
            let (mut args, mut result) = ([view::int(round), view::int(1)], TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIFunctionCall(sum as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
            t.any_eq("result of sum", &result, &view::int(round + 1))?;
            let module = load(t, own[number % 2])?;
            let who = function(t, &module, c"who")?;
            drop(module);
            expect_int(t, "result of who", &t.call(&who, &[])?, 1 + number as i64 % 2)?;
        }
        Ok(())
    })
}

fn no_growth(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let path = path(t, "functions.so")?;
    let (loader, getter) = (t.global(LOAD)?, t.global(GET_FUNCTION)?);
    t.no_growth("memory for functions of a module", || {
        let sum = t.call(&getter, &[module.any(), view::c_str(c"sum"), view::bool(true)])?;
        expect_int(t, "result of sum", &t.call(&sum, &[view::int(1)])?, 1)
    })?;
    t.no_growth("memory for modules", || t.call(&loader, &[view::c_str(&path), NO_FORMAT]).map(drop))
}

fn imports_are_listed(t: &Trial) -> Verdict {
    let module = load(t, "imports.so")?;
    t.eq("imports of a new module", imports(t, &module)?, vec![])?;
    let mut imported = Vec::new();
    for library in ["provider_two.so", "functions.so", "provider_one.so"] {
        imported.push(load(t, library)?);
        import(t, &module, &imported[imported.len() - 1])?;
        t.eq("imports of the module", imports(t, &module)?, imported.iter().map(Owned::handle).collect())?;
    }
    Ok(())
}

fn imports_are_a_snapshot(t: &Trial) -> Verdict {
    let (module, one, two) = (load(t, "imports.so")?, load(t, "provider_one.so")?, load(t, "provider_two.so")?);
    import(t, &module, &one)?;
    let before = imports_array(t, &module)?;
    import(t, &module, &two)?;
    t.eq("imports that were read before another came", handles(t, &before)?, vec![one.handle()])?;
    let both = imports_array(t, &module)?;
    t.call_global("ffi.ModuleClearImports", &[module.any()])?;
    t.eq("imports that were read before they were given up", handles(t, &both)?, vec![one.handle(), two.handle()])?;
    t.eq("imports of the module", imports(t, &module)?, vec![])
}

fn an_import_is_shared(t: &Trial) -> Verdict {
    let [root, left, right] = ["imports.so", "functions.so", "described.so"].map(|library| load(t, library));
    let (root, left, right, shared) = (root?, left?, right?, load(t, "provider_two.so")?);
    for (importer, imported) in [(&root, &left), (&root, &right), (&left, &shared), (&right, &shared), (&root, &shared)]
    {
        import(t, importer, imported)?;
    }
    expect_int(t, "who of the shared module", &t.call(&imported_function(t, &root, c"who")?, &[])?, 2)?;
    fails(t, &t.global(IMPORT)?, &[shared.any(), root.any()], &[])?;
    t.eq("imports of the shared module", imports(t, &shared)?, vec![])
}

fn a_long_line_of_imports(t: &Trial) -> Verdict {
    let first = load(t, "imports.so")?;
    let mut last = load(t, "empty.so")?;
    import(t, &first, &last)?;
    for _ in 0..100 {
        let next = load(t, "empty.so")?;
        import(t, &last, &next)?;
        last = next;
    }
    import(t, &last, &load(t, "provider_one.so")?)?;
    expect_int(t, "who of the last module", &t.call(&imported_function(t, &first, c"who")?, &[])?, 1)?;
    fails(t, &t.global(IMPORT)?, &[last.any(), first.any()], &[]).map(drop)
}

fn a_lookup_outlives_the_imports(t: &Trial) -> Verdict {
    let (module, provider) = (load(t, "imports.so")?, load(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    drop(provider);
    let found = t.call(&function(t, &module, c"find_import")?, &[view::c_str(c"who")])?.any();
    t.call_global("ffi.ModuleClearImports", &[module.any()])?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(found.payload() as TVMFFIObjectHandle, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq("who of what was imported", &result, &view::int(1))
}

fn a_lookup_of_no_name_fails(t: &Trial) -> Verdict {
    let module = load(t, "library_ctx.so")?;
    let context = t.call(&function(t, &module, c"context")?, &[])?.any().payload();
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(context as *mut c_void, std::ptr::null(), &mut found);
    t.raises(code, &[]).map(drop)
}

fn a_lookup_in_nothing_fails(t: &Trial) -> Verdict {
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(std::ptr::null_mut(), c"who".as_ptr(), &mut found);
    t.raises(code, &[]).map(drop)
}

fn a_library_has_no_source(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    for format in [c"", c"c", c"a format of some length"] {
        let source = t.call_global("ffi.ModuleInspectSource", &[module.any(), view::c_str(format)])?;
        t.eq("source", t.text(&source.any())?.as_slice(), b"")?;
    }
    Ok(())
}

fn a_library_has_no_formats(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[module.any()])?;
    t.eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    expect_int(t, "number of formats", &t.call_global("ffi.ArraySize", &[formats.any()])?, 0)
}

fn a_library_is_not_written(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let target = t.fixtures.join("no_such_folder/written.so");
    let target = t.string(target.as_os_str().as_bytes())?;
    let write = t.global("ffi.ModuleWriteToFile")?;
    fails(t, &write, &[module.any(), target.any(), view::c_str(c"so")], &[]).map(drop)
}

fn a_later_symbol_counts(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_again", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    let before = function(t, &module, c"verify_again")?;
    register_system(t, c"__tvm_ffi_verify_again", answer_two)?;
    expect_int(t, "result of the later", &t.call(&function(t, &module, c"verify_again")?, &[])?, 2)?;
    expect_int(t, "result of what was found before", &t.call(&before, &[])?, 1)
}

fn a_kept_module_is_let_go(t: &Trial) -> Verdict {
    let module = watched(t)?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("unloads of the library", FAREWELLS.load(Ordering::SeqCst), 0)?;
    drop(module);
    t.eq("unloads of the library", FAREWELLS.load(Ordering::SeqCst), 1)
}

fn a_stranger_is_left_alone(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))?;
    expect_int(t, "result of main", &t.call(&function(t, &module, c"main")?, &[])?, 7)
}

fn context_lies_before_handle(t: &Trial) -> Verdict {
    let module = load(t, "library_ctx.so")?;
    let context = t.call(&function(t, &module, c"context")?, &[])?.any();
    let expected = module.handle().wrapping_byte_sub(size_of::<*const c_void>());
    t.any_eq("context of the library", &context, &view::pointer(expected))
}

fn kernels_find_their_runtime(t: &Trial) -> Verdict {
    let (runtime, kernels) = (load(t, "runtime.so")?, load(t, "with_runtime.so")?);
    let kernel = function(t, &kernels, c"add_one_with_runtime")?;
    let device = DLDevice { device_type: kDLCUDA, device_id: 3 };
    for (launch, stream) in [0x5151_0000, 0x6262_0000].into_iter().enumerate() {
        let stream = std::ptr::without_provenance_mut(stream);
        t.ok(t.api.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, std::ptr::null_mut()))?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (DLTensor { device, ..x.tensor() }, DLTensor { device, ..y.tensor() });
        let seen = t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.any_eq("stream that the runtime has", &seen.any(), &view::pointer(stream))?;
        t.eq("y after y = x + 1", y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
        let launches = t.call(&function(t, &runtime, c"launches")?, &[])?;
        expect_int(t, "launches that the runtime has counted", &launches, launch as i64 + 1)?;
    }
    Ok(())
}

fn a_runtime_may_come_later(t: &Trial) -> Verdict {
    let kernel = function(t, &load(t, "with_runtime.so")?, c"add_one_with_runtime")?;
    let (mut x, mut y) = (Floats::new([1.0; 5]), Floats::new([0.0; 5]));
    let (x, y_tensor) = (x.tensor(), y.tensor());
    let args = [view::dl_tensor(&x), view::dl_tensor(&y_tensor)];
    for _ in 0..2 {
        fails(t, &kernel, &args, &["RuntimeError"])?;
    }
    let _runtime = load(t, "runtime.so")?;
    t.call(&kernel, &args)?;
    t.eq("y after y = x + 1", y.data, [2.0; 5])
}

fn threads_find_one_runtime(t: &Trial) -> Verdict {
    let (runtime, kernels) = (load(t, "runtime.so")?, load(t, "with_runtime.so")?);
    let kernel = function(t, &kernels, c"add_one_with_runtime")?.into_any().payload() as usize;
    t.threads(4, |t, number| {
        let (mut x, mut y) = (Floats::new([number as f32; 5]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        let (mut args, mut result) = ([view::dl_tensor(&x), view::dl_tensor(&y_tensor)], TVMFFIAny::NONE);
        t.ok(t.api.TVMFFIFunctionCall(kernel as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
        t.eq("y after y = x + 1", y.data, [number as f32 + 1.0; 5])
    })?;
    // The kernels count without a lock.
    let launches = t.call(&function(t, &runtime, c"launches")?, &[])?.any().payload();
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
pub(super) fn load(t: &Trial, library: &str) -> Verdict<Owned> {
    t.call_global(LOAD, &[view::c_str(&path(t, library)?), NO_FORMAT])
}

/// `farewell.so`, told to count in [`FAREWELLS`].
fn watched(t: &Trial) -> Verdict<Owned> {
    let module = load(t, "farewell.so")?;
    t.call(&function(t, &module, c"watch")?, &[view::pointer(FAREWELLS.as_ptr().cast())])?;
    Ok(module)
}

/// What a module has under a name.
pub(super) fn get(t: &Trial, module: &Owned, name: &CStr, imports: bool) -> Verdict<Owned> {
    t.call_global(GET_FUNCTION, &[module.any(), view::c_str(name), view::bool(imports)])
}

/// A function of a module, expected to be there.
pub(super) fn function(t: &Trial, module: &Owned, name: &CStr) -> Verdict<Owned> {
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
pub(super) fn imports(t: &Trial, module: &Owned) -> Verdict<Vec<TVMFFIObjectHandle>> {
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
