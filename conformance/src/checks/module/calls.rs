//! Finding the functions of modules, and calling them.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
        mpsc,
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{Floats, SYMBOLS_BEGIN, answer_count};
use crate::{
    checks::check,
    client::{Verdict, callback, forms, modules::GET_FUNCTION, view},
    trial::{Trial, deadline},
};

/// A function of a module is found by what follows __tvm_ffi_ in its symbol, given as a C string or a String.
#[check(MOD_0002)]
fn function(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    for name in [c"main", c"return_int", c"sum"] {
        let object = t.string(name.to_bytes())?;
        for name in [view::c_str(name), object.any()] {
            let found = t.call_global(GET_FUNCTION, &[module.any(), name, view::bool(false)])?;
            t.type_index_eq("type_index of the function", found.any().type_index, kTVMFFIFunction)?;
        }
    }
    t.answers("result of main", &t.function_of(&module, c"main")?, &[], 7)
}

/// Each function that asks a module about a name takes every form of a String.
#[check(MOD_0002, MOD_0019, MOD_0038, MOD_0033)]
fn names_in_every_form(t: &Trial) -> Verdict {
    let (module, system) = (t.load("described.so")?, t.call_global("ffi.SystemLib", &[])?);
    let symbol = c"__tvm_ffi_described_here".as_ptr();
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol, answer_count as *mut c_void))?;
    for form in forms::of_string(b"described") {
        let ask = |question: &str, imports: bool| {
            let note = format!("{question}, the name passed as {}", form.name);
            let answer = t.call_global(question, &[module.any(), form.view, view::bool(imports)]);
            answer.map_err(|failure| failure.noting(note))
        };
        for imports in [false, true] {
            t.clause(id::MOD_0002);
            let found = ask(GET_FUNCTION, imports)?;
            t.type_index_eq("type_index of the function", found.any().type_index, kTVMFFIFunction)?;
            t.clause(id::MOD_0019);
            t.any_eq(
                "whether it is implemented",
                &ask("ffi.ModuleImplementsFunction", imports)?.any(),
                &view::bool(true),
            )?;
            t.clause(id::MOD_0038);
            let text = ask("ffi.ModuleGetFunctionDoc", imports)?;
            t.eq("documentation", t.text(&text.any())?, b"What the function does.".to_vec())?;
            let text = ask("ffi.ModuleGetFunctionMetadata", imports)?;
            t.eq("metadata", t.text(&text.any())?, br#"{"type_schema":"{}"}"#.to_vec())?;
        }
    }
    t.clause(id::MOD_0033);
    for form in forms::of_string(b"described_here") {
        let found = t.call_global(GET_FUNCTION, &[system.any(), form.view, view::bool(false)])?;
        t.type_index_eq("type_index of the function", found.any().type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// ffi.ModuleGetFunction answers None for a name that is no function of the module.
#[check(MOD_0003)]
fn missing_function(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    for name in [c"no_such_function", c"", c"plain_symbol", c"mai", c"main2", c"Main"] {
        for imports in [false, true] {
            t.lacks(format!("function {name:?}"), &module, name, imports)?;
        }
    }
    Ok(())
}

/// A function of a module is found by what follows __tvm_ffi_ in its symbol and by nothing longer: with that before it, once or twice, or with a
/// part of that, the name is nobody's, in the module and through imports.
#[check(MOD_0003, MOD_0019, MOD_0027)]
fn symbols_are_no_names(t: &Trial) -> Verdict {
    let importer = t.load("imports.so")?;
    let call_import = t.function_of(&importer, c"call_import")?;
    for (library, names) in [
        ("functions.so", &["main", "return_int", "plain_symbol", ""][..]),
        ("described.so", &["described", "_doc_described"]),
        ("library_ctx.so", &["context", "_library_ctx"]),
    ] {
        let module = t.load(library)?;
        t.import(&importer, &module)?;
        for (before, name) in SYMBOLS_BEGIN.into_iter().flat_map(|before| names.iter().map(move |name| (before, name)))
        {
            let name = format!("{before}{name}");
            let given = CString::new(name.as_str()).map_err(|error| t.error("a name", error))?;
            for (module, imports) in [(&module, false), (&module, true), (&importer, true)] {
                t.clause(id::MOD_0003);
                t.lacks(format!("function {name:?} of {library}"), module, &given, imports)?;
                t.clause(id::MOD_0019);
                let implements = t.ask_module("ffi.ModuleImplementsFunction", module, &given, imports)?;
                t.any_eq(format!("whether {name:?} is implemented"), &implements.any(), &view::bool(false))?;
            }
            t.clause(id::MOD_0027);
            t.call_fails(&call_import, &[view::c_str(&given)], &[])?;
        }
        t.clear_imports(&importer)?;
    }
    Ok(())
}

/// A name that goes on behind a NUL is not that of the function whose name stands before it, or is refused.
#[check(MOD_0088)]
fn name_with_a_nul(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    for name in [&b"return_int\0"[..], b"return_int\0more", b"\0return_int", b"return_int\0return_int", b"\0"] {
        for (form, imports) in forms::of_string(name).iter().flat_map(|form| [(form, false), (form, true)]) {
            let args = [module.any(), form.view, view::bool(imports)];
            let mut found = TVMFFIAny::NONE;
            match t.try_call(&t.global(GET_FUNCTION)?, &args, &mut found) {
                0 => {
                    let (found, what) = (t.own(found), String::from_utf8_lossy(name));
                    t.any_eq(format_args!("function {what:?}"), &found.any(), &TVMFFIAny::NONE)?;
                }
                code => drop(t.raises(code, &[])?),
            }
        }
    }
    Ok(())
}

/// A function of a module gets its arguments as they were given, and its result arrives as it was returned.
#[check(MOD_0005)]
fn arguments_and_results(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let call = |name: &CStr, args: &[TVMFFIAny]| t.call_of(&module, name, args);
    t.any_eq("result of return_nothing", &call(c"return_nothing", &[])?.any(), &TVMFFIAny::NONE)?;
    t.any_eq("result of return_int", &call(c"return_int", &[])?.any(), &view::int(-4_200_000_000_000_000_007))?;
    t.any_eq("result of return_float", &call(c"return_float", &[])?.any(), &view::float(-0.1))?;
    for (name, text) in
        [(c"return_short_text", &b"seven_b"[..]), (c"return_long_text", b"a text of more than seven bytes")]
    {
        let result = call(name, &[])?;
        t.eq(format_args!("result of {name:?}"), t.text(&result.any())?.as_slice(), text)?;
    }
    for count in [0, 1, 2, 7, 8, 9, 300] {
        let args: Vec<TVMFFIAny> = (1..=count).map(|number| view::int(number * number)).collect();
        t.any_eq("result of count_arguments", &call(c"count_arguments", &args)?.any(), &view::int(count))?;
        t.any_eq("sum of squares", &call(c"sum", &args)?.any(), &view::int(count * (count + 1) * (2 * count + 1) / 6))?;
    }
    Ok(())
}

/// A call of a module's function runs that function once.
#[check(MOD_0005)]
fn each_call_is_one(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let (one, other) = (t.function_of(&module, c"count_calls")?, t.function_of(&module, c"count_calls")?);
    for round in 0..5 {
        t.answers("result of count_calls", &one, &[], 2 * round + 1)?;
        t.answers("result of count_calls", &other, &[], 2 * round + 2)?;
    }
    Ok(())
}

/// An object that a module's function returns arrives as the same object with one more reference.
#[check(MOD_0005)]
fn object_result(t: &Trial) -> Verdict {
    let kernel = t.function_of(&t.load("functions.so")?, c"return_object")?;
    let object = t.string(b"an object of more than seven bytes")?;
    let (strong, weak) = t.counts(object.handle())?;
    let result = t.call(&kernel, &[object.any()])?;
    t.any_eq("result of return_object", &result.any(), &object.any())?;
    t.eq("strong and weak count of an object that one more owns", t.counts(object.handle())?, (strong + 1, weak))?;
    drop(result);
    t.eq("strong and weak count of an object as before", t.counts(object.handle())?, (strong, weak))
}

/// A function of a module reads and writes tensors that are passed as DLTensor pointers.
#[check(MOD_0004)]
fn add_one_to_pointers(t: &Trial) -> Verdict {
    for (library, name) in [("add_one_cpu.so", c"add_one_cpu"), ("add_one_c.so", c"add_one_c")] {
        let kernel = t.function_of(&t.load(library)?, name)?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.eq(format_args!("y after {name:?}(x, y)"), y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
    }
    Ok(())
}

/// A function of a module reads and writes tensors that are passed as Tensors.
#[check(MOD_0004)]
fn add_one_to_tensors(t: &Trial) -> Verdict {
    let kernel = t.function_of(&t.load("add_one_cpu.so")?, c"add_one_cpu")?;
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

/// An error that a module's function raises reaches the caller with kind and message.
#[check(MOD_0006)]
fn error(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let kernel = t.function_of(&module, c"raise_value_error")?;
    for _ in 0..3 {
        let raised = t.call_fails(&kernel, &[], &["ValueError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")?;
        t.answers("result of a call after that", &t.function_of(&module, c"main")?, &[], 7)?;
    }
    Ok(())
}

/// An error that a module's function raises about its arguments reaches the caller.
#[check(MOD_0006)]
fn wrong_arguments(t: &Trial) -> Verdict {
    let kernel = t.function_of(&t.load("add_one_cpu.so")?, c"add_one_cpu")?;
    let raised = t.call_fails(&kernel, &[], &["TypeError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes two arguments")?;
    let raised = t.call_fails(&kernel, &[view::int(1), view::int(2)], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "add_one_cpu takes tensors")
}

/// A function of a module calls the functions that it is given.
#[check(MOD_0007)]
fn calls_back(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let (call, sum) = (t.function_of(&module, c"call")?, t.function_of(&module, c"sum")?);
    let callback = t.function(std::ptr::null_mut(), answer_count, None)?;
    let args = [callback.any(), view::int(1), view::int(2), view::int(3)];
    t.answers("result of the callback", &call, &args, 3)?;
    let through_both = [call.any(), sum.any(), view::int(20), view::int(22)];
    t.answers("result of a kernel called by a kernel", &call, &through_both, 42)
}

/// An error that a callback raises passes through the module's function that called it.
#[check(MOD_0007, MOD_0006)]
fn error_of_callback(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let (call, raise) = (t.function_of(&module, c"call")?, t.function_of(&module, c"raise_value_error")?);
    t.clause(id::MOD_0006);
    let raised = t.call_fails(&call, &[call.any(), raise.any()], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "a value was wrong")
}

/// The error of a module's function is that of the call, whatever the function answers that is not 0, and through however many imports it
/// was found.
#[check(MOD_0006)]
fn any_status(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let (module, host, far) = (t.load("functions.so")?, t.load("imports.so")?, t.load("provider_one.so")?);
    t.import(&host, &module)?;
    t.import(&far, &host)?;
    let error = t.new_error("CustomKind", "of the callee", "")?;
    // It answers what its argument does, a function of the suite's own.
    let doors = [
        ("the module itself", t.function_of(&module, c"call")?),
        ("one that imports the module", t.imported_function(&host, c"call")?),
        ("one whose import imports the module", t.imported_function(&far, c"call")?),
    ];
    for status in [-1, 1, 42, i32::MIN, i32::MAX] {
        STATUS.store(status, Ordering::Relaxed);
        let callee = t.function(error.handle(), raise_and_answer, None)?;
        for (door, call) in &doors {
            let what = format!("a function of {door} that answers {status}");
            let answered = t.try_call(call, &[callee.any()], &mut { TVMFFIAny::NONE });
            let raised = t.api.take_raised();
            t.ne(format_args!("status of a call of {what}"), answered, 0)?;
            t.eq(format_args!("the raised error after a call of {what}"), raised, error.handle())?;
            t.api.release(raised);
        }
    }
    t.eq("counts of the error that was raised each time", t.counts(error.handle())?, (1, 1))
}

/// What [`raise_and_answer`] answers.
static STATUS: AtomicI32 = AtomicI32::new(0);

/// Raises its self, an error, and answers [`STATUS`].
unsafe extern "C" fn raise_and_answer(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaised(this);
    }
    STATUS.load(Ordering::Relaxed)
}

/// A function of a module gets the stream that its caller has set for a device.
#[check(MOD_0008)]
fn stream(t: &Trial) -> Verdict {
    let kernel = t.function_of(&t.load("add_one_c.so")?, c"add_one_c")?;
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

/// Kernels find the state of a runtime library through the global functions that the library registered when loaded.
#[check(MOD_0077)]
fn runtime(t: &Trial) -> Verdict {
    let (runtime, kernels) = (t.load("runtime.so")?, t.load("with_runtime.so")?);
    let kernel = t.function_of(&kernels, c"add_one_with_runtime")?;
    let device = DLDevice { device_type: kDLCUDA, device_id: 3 };
    for (launch, stream) in [0x5151_0000, 0x6262_0000].into_iter().enumerate() {
        let stream = std::ptr::without_provenance_mut(stream);
        t.ok(t.api.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, std::ptr::null_mut()))?;
        let (mut x, mut y) = (Floats::new([1.0, 2.0, 3.0, 4.0, 5.0]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (DLTensor { device, ..x.tensor() }, DLTensor { device, ..y.tensor() });
        let seen = t.call(&kernel, &[view::dl_tensor(&x), view::dl_tensor(&y_tensor)])?;
        t.any_eq("stream that the runtime has", &seen.any(), &view::pointer(stream))?;
        t.eq("y after y = x + 1", y.data, [2.0, 3.0, 4.0, 5.0, 6.0])?;
        let launches = t.function_of(&runtime, c"launches")?;
        t.answers("launches that the runtime has counted", &launches, &[], launch as i64 + 1)?;
    }
    Ok(())
}

/// A kernel that was called before its runtime library was loaded works once that library is loaded.
#[check(MOD_0077)]
fn runtime_comes_later(t: &Trial) -> Verdict {
    let kernel = t.function_of(&t.load("with_runtime.so")?, c"add_one_with_runtime")?;
    let (mut x, mut y) = (Floats::new([1.0; 5]), Floats::new([0.0; 5]));
    let (x, y_tensor) = (x.tensor(), y.tensor());
    let args = [view::dl_tensor(&x), view::dl_tensor(&y_tensor)];
    for _ in 0..2 {
        t.call_fails(&kernel, &args, &["RuntimeError"])?;
    }
    let _runtime = t.load("runtime.so")?;
    t.call(&kernel, &args)?;
    t.eq("y after y = x + 1", y.data, [2.0; 5])
}

/// Kernels that are called on several threads at once find one runtime library.
#[check(MOD_0077, patient = 2)]
fn runtime_on_threads(t: &Trial) -> Verdict {
    let (runtime, kernels) = (t.load("runtime.so")?, t.load("with_runtime.so")?);
    let kernel = t.function_of(&kernels, c"add_one_with_runtime")?.into_any().payload() as usize;
    t.threads(4, |t, number| {
        let (mut x, mut y) = (Floats::new([number as f32; 5]), Floats::new([0.0; 5]));
        let (x, y_tensor) = (x.tensor(), y.tensor());
        let (mut args, mut result) = ([view::dl_tensor(&x), view::dl_tensor(&y_tensor)], TVMFFIAny::NONE);
        t.ok(t.api.TVMFFIFunctionCall(kernel as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
        t.eq("y after y = x + 1", y.data, [number as f32 + 1.0; 5])
    })?;
    // The kernels count without a lock.
    let launches = t.call_of(&runtime, c"launches", &[])?.any().payload();
    t.that("launches that the runtime has counted", (1..=4).contains(&launches), "1 to 4", launches)
}

/// Two threads meet that are inside of functions of one module, or of two, or while a library is loaded: neither has to leave before the other may
/// come.
#[check(MOD_0041, patient = 4)]
fn threads_meet_in_functions(t: &Trial) -> Verdict {
    let (module, again, host) = (t.load("functions.so")?, t.load("functions.so")?, t.load("imports.so")?);
    t.import(&host, &module)?;
    let symbol = c"__tvm_ffi_verify_meet";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), meet as *mut c_void))?;
    let of_system = t.function_of(&t.call_global("ffi.SystemLib", &[])?, c"verify_meet")?;
    let own = t.function(std::ptr::null_mut(), meet, None)?;
    // A function that calls its argument: the threads meet in what it is given.
    let (call, call_again) = (t.function_of(&module, c"call")?, t.function_of(&module, c"call")?);
    let (of_another, imported) = (t.function_of(&again, c"call")?, t.imported_function(&host, c"call")?);
    let pairs = [
        ("one function of a library", &call, &call),
        ("a function that was found twice", &call, &call_again),
        ("functions of two modules of a library", &call, &of_another),
        ("a function of a module and one that was found through an import", &call, &imported),
        ("one function of the system library", &of_system, &of_system),
        ("functions of a library and of the system library", &of_system, &call),
        ("a function of a library, and a library that is loaded", &call, &own),
    ];
    for (what, one, other) in pairs {
        let ((tell_one, told_one), (tell_other, told_other)) = (mpsc::channel(), mpsc::channel());
        let seats =
            [Seat { tell: tell_other, told: told_one }, Seat { tell: tell_one, told: told_other }].map(Mutex::new);
        let functions = [one, other].map(|function| function.handle() as usize);
        let [system, loading] = [&of_system, &own].map(|function| function.handle() as usize);
        let met_in = own.any();
        t.threads(2, |t, number| {
            let function = functions[number];
            let seat = view::pointer((&raw const seats[number]).cast_mut().cast());
            let mut args = if function == system || function == loading { vec![seat] } else { vec![met_in, seat] };
            if function == loading {
                let loaded = t.load("provider_one.so")?;
                t.answers("who of what was loaded", &t.function_of(&loaded, c"who")?, &[], 1)?;
            }
            let (count, mut result) = (args.len() as i32, TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIFunctionCall(function as TVMFFIObjectHandle, args.as_mut_ptr(), count, &mut result))?;
            if result.to_bytes() == view::bool(true).to_bytes() {
                return Ok(());
            }
            Err(t.late(format_args!("another thread's call, which a call waits for ({what})")))
        })?;
    }
    t.clear_imports(&host)
}

/// Where a thread tells another that it has come, and is told so.
struct Seat {
    tell: mpsc::Sender<()>,
    told: mpsc::Receiver<()>,
}

/// Answers whether the other thread has come to its seat, too. The argument is the address of this thread's [`Seat`].
unsafe extern "C" fn meet(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the check gives the address of a seat that lives longer than the call.
    let seat = unsafe { &*((*args).payload() as *const Mutex<Seat>) };
    let seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
    // Nobody is there any more if the other thread has failed.
    let _ = seat.tell.send(());
    let met = deadline::receive(&seat.told).is_ok();
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::bool(met)) };
    0
}
