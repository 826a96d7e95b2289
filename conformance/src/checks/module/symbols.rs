//! Symbols that are registered: those that libraries are given, and those that the system library has.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    fmt::Write as _,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::answer_count;
use crate::{
    checks::check,
    client::{Owned, Verdict, memory, samples::LENGTHS, view},
    trial::Trial,
};

/// A library that is loaded gets a registered context symbol in its exported pointer of that name.
#[check(MOD_0030)]
fn context_symbol(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let module = t.load("context_symbols.so")?;
    let value = t.call_of(&module, c"context_one", &[])?;
    t.any_eq("verify_context_one", &value.any(), &view::pointer(triple as *mut c_void))?;
    let call = t.function_of(&module, c"call_context_one")?;
    t.answers("result of the function behind it", &call, &[view::int(14)], 42)?;
    let other = t.call_of(&module, c"context_two", &[])?;
    t.any_eq("verify_context_two, which was not registered", &other.any(), &TVMFFIAny::NONE)
}

/// A context symbol is stored in a library that is loaded after hundreds of others were registered.
#[check(MOD_0030)]
fn one_context_symbol_of_many(t: &Trial) -> Verdict {
    let other = |number: usize| c_string(t, format!("verify_context_number_{number}"));
    (0..300).try_for_each(|number| register_context(t, &other(number)?, std::ptr::without_provenance_mut(number)))?;
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    (300..600).try_for_each(|number| register_context(t, &other(number)?, std::ptr::without_provenance_mut(number)))?;
    for _ in 0..3 {
        let module = t.load("context_symbols.so")?;
        let value = t.call_of(&module, c"context_one", &[])?;
        t.any_eq("verify_context_one", &value.any(), &view::pointer(triple as *mut c_void))?;
    }
    Ok(())
}

/// The name of a context symbol is read when it is registered, and may be another text when a library is loaded.
#[check(MOD_0030)]
fn name_of_a_context_symbol_is_copied(t: &Trial) -> Verdict {
    let mut name = *b"verify_context_one\0";
    let register = |name: &[u8], value: *mut c_void| {
        let name = CStr::from_bytes_with_nul(name).map_err(|error| t.error("a name", error))?;
        register_context(t, name, value)
    };
    register(&name, triple as *mut c_void)?;
    name.copy_from_slice(b"verify_context_two\0");
    std::hint::black_box(&mut name);
    let module = t.load("context_symbols.so")?;
    let value = t.call_of(&module, c"context_one", &[])?;
    t.any_eq("verify_context_one", &value.any(), &view::pointer(triple as *mut c_void))?;
    let other = t.call_of(&module, c"context_two", &[])?;
    t.any_eq("verify_context_two, which was not registered", &other.any(), &TVMFFIAny::NONE)
}

/// A library that is open in the process before it is loaded, since somebody else has opened it or since it was loaded and its module has ended, gets
/// the context symbols that are registered by then.
#[check(MOD_0030)]
fn context_symbol_of_an_open_library(t: &Trial) -> Verdict {
    // It stays open from now on, whatever becomes of its modules.
    t.fixture_symbol("context_symbols.so", "verify_context_one")?;
    let other = std::ptr::without_provenance_mut(0x77);
    // Registering a name again may be refused.
    for (name, value, getter) in
        [(c"verify_context_one", triple as *mut c_void, c"context_one"), (c"verify_context_two", other, c"context_two")]
    {
        register_context(t, name, value)?;
        let module = t.load("context_symbols.so")?;
        let found = t.call_of(&module, getter, &[])?;
        t.any_eq(format_args!("{name:?} of a library that was open"), &found.any(), &view::pointer(value))?;
    }
    Ok(())
}

/// Registering a context symbol does not change a library that is loaded already.
#[check(MOD_0031)]
fn context_symbol_is_not_retroactive(t: &Trial) -> Verdict {
    let module = t.load("context_symbols.so")?;
    register_context(t, c"verify_context_one", triple as *mut c_void)?;
    let value = t.call_of(&module, c"context_one", &[])?;
    t.any_eq("verify_context_one of a library loaded before", &value.any(), &TVMFFIAny::NONE)
}

/// A registered context symbol does not change a library without a pointer of that name.
#[check(MOD_0031)]
fn context_symbol_of_nobody(t: &Trial) -> Verdict {
    register_context(t, c"verify_context_of_nobody", triple as *mut c_void)?;
    register_context(t, c"verify_context_two", std::ptr::without_provenance_mut(0x77))?;
    let module = t.load("functions.so")?;
    t.answers("result of main", &t.function_of(&module, c"main")?, &[], 7)?;
    let module = t.load("context_symbols.so")?;
    let value = t.call_of(&module, c"context_one", &[])?;
    t.any_eq("verify_context_one", &value.any(), &TVMFFIAny::NONE)
}

/// Of several registrations of one context symbol the latest that succeeds counts.
#[check(MOD_0032)]
fn latest_context_symbol(t: &Trial) -> Verdict {
    registered_in_turn(t, &[[0x11, 0x12], [0x22, 0x23], [0x33, 0x34]])
}

/// A context symbol that is registered again with NULL has no former value left, if that succeeds, and has the one that it is given after that.
#[check(MOD_0032)]
fn context_symbol_becomes_null(t: &Trial) -> Verdict {
    registered_in_turn(t, &[[0x11, 0x12], [0, 0], [0, 0x34]])
}

/// Registers two context symbols with these values in turn, and expects the latest that was taken in a library that is loaded then.
fn registered_in_turn(t: &Trial, values: &[[usize; 2]]) -> Verdict {
    let names = [c"verify_context_one", c"verify_context_two"];
    let mut latest = [0; 2];
    for values in values {
        for ((name, &value), latest) in names.iter().zip(values).zip(&mut latest) {
            match t.api.TVMFFIEnvModRegisterContextSymbol(name.as_ptr(), std::ptr::without_provenance_mut(value)) {
                0 => *latest = value,
                code => t.raises(code, &[]).map(drop)?,
            }
        }
    }
    let module = t.load("context_symbols.so")?;
    for (name, expected) in [c"context_one", c"context_two"].into_iter().zip(latest) {
        let value = t.call_of(&module, name, &[])?.any();
        // NULL may be a value like others, or take the symbol away.
        if expected == 0 && value.type_index == kTVMFFINone {
            continue;
        }
        t.any_eq(format_args!("{name:?}"), &value, &view::pointer(std::ptr::without_provenance_mut(expected)))?;
    }
    Ok(())
}

fn register_context(t: &Trial, name: &CStr, value: *mut c_void) -> Verdict {
    t.ok(t.api.TVMFFIEnvModRegisterContextSymbol(name.as_ptr(), value))
}

extern "C" fn triple(value: i64) -> i64 {
    value.wrapping_mul(3)
}

/// ffi.SystemLib answers a module that has the symbols __tvm_ffi_NAME, registered early or late, as functions.
#[check(MOD_0033)]
fn system_library(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_early", answer_one)?;
    register_system(t, c"verify_without_prefix", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    t.type_index_eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    register_system(t, c"__tvm_ffi_verify_late", answer_two)?;
    t.answers("result of verify_early", &t.function_of(&module, c"verify_early")?, &[], 1)?;
    t.answers("result of verify_late", &t.function_of(&module, c"verify_late")?, &[], 2)?;
    t.lacks("a symbol without the prefix", &module, c"verify_without_prefix", false)
}

/// A symbol of the system library is found by a name of any length, and by no other.
#[check(MOD_0033)]
fn system_symbols_of_any_length(t: &Trial) -> Verdict {
    let name = |length: usize| "verify_symbol_".chars().cycle().take(length).chain(['z']).collect::<String>();
    let lengths = (1..70).chain([127, 128, 254, 255, 256, 257, 1000, 5000]).collect::<Vec<usize>>();
    // All are given in one place, which holds the next one when the library would read it late.
    let mut given = String::with_capacity(6000);
    for (number, &length) in lengths.iter().enumerate() {
        given.clear();
        write!(given, "__tvm_ffi_{}\0", name(length)).map_err(|error| t.error("a name", error))?;
        let symbol = CStr::from_bytes_until_nul(given.as_bytes()).map_err(|error| t.error("a name", error))?;
        register_system(t, symbol, if number % 2 == 0 { answer_one } else { answer_two })?;
    }
    let module = t.call_global(SYSTEM, &[])?;
    for (number, &length) in lengths.iter().enumerate() {
        let function = t.function_of(&module, &c_string(t, name(length))?)?;
        t.answers(format!("result of a name of {length} letters"), &function, &[], 1 + number as i64 % 2)?;
        let longer = c_string(t, format!("{}z", name(length)))?;
        t.lacks(format!("a name of {length} letters and another"), &module, &longer, false)?;
    }
    Ok(())
}

/// A text as C has it.
fn c_string(t: &Trial, text: String) -> Verdict<CString> {
    CString::new(text).map_err(|error| t.error("a name", error))
}

/// A symbol that is registered after it was asked for in vain is found, whichever way it was asked for.
#[check(MOD_0033, MOD_0034)]
fn system_symbol_after_a_miss(t: &Trial) -> Verdict {
    let (plain, prefixed) = (t.call_global(SYSTEM, &[])?, t.call_global(SYSTEM, &[view::c_str(c"verify_model_")])?);
    let (importer, name) = (t.load("imports.so")?, c"verify_missed");
    t.import(&importer, &plain)?;
    let implements = |module: &Owned| t.ask_module("ffi.ModuleImplementsFunction", module, name, true);
    for module in [&plain, &prefixed, &importer] {
        for imports in [false, true] {
            t.lacks("a function that is not there yet", module, name, imports)?;
        }
        t.any_eq("whether it is implemented", &implements(module)?.any(), &view::bool(false))?;
    }
    let call = t.function_of(&importer, c"call_import")?;
    t.call_fails(&call, &[view::c_str(name)], &[])?;
    register_system(t, c"__tvm_ffi_verify_missed", answer_one)?;
    for module in [&plain, &prefixed, &importer] {
        t.answers("result of what came later", &t.imported_function(module, name)?, &[], 1)?;
        t.any_eq("whether it is implemented", &implements(module)?.any(), &view::bool(true))?;
    }
    t.answers("result of what came later, looked up", &call, &[view::c_str(name)], 1)?;
    t.clause(id::MOD_0034);
    register_system(t, c"__tvm_ffi_verify_model_verify_missed", answer_two)?;
    t.answers("result of the prefixed symbol", &t.function_of(&prefixed, name)?, &[], 2)?;
    t.clear_imports(&importer)
}

/// ffi.SystemLib with a prefix answers a module that finds a symbol with that prefix before one without.
#[check(MOD_0034)]
fn system_library_prefix(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_main", answer_one)?;
    register_system(t, c"__tvm_ffi_model_of_two_layers_verify_main", answer_two)?;
    register_system(t, c"__tvm_ffi_verify_helper", answer_count)?;
    let prefixed = t.call_global(SYSTEM, &[view::c_str(c"model_of_two_layers_")])?;
    t.answers("result of the prefixed symbol", &t.function_of(&prefixed, c"verify_main")?, &[], 2)?;
    let helper = t.function_of(&prefixed, c"verify_helper")?;
    t.answers("result of the symbol without prefix", &helper, &[view::int(1)], 1)?;
    let plain = t.call_global(SYSTEM, &[])?;
    t.answers("result in the module without prefix", &t.function_of(&plain, c"verify_main")?, &[], 1)
}

/// The module of ffi.SystemLib, with a prefix or without, takes __tvm_ffi_ for a part of a name where that begins with it: it has the function
/// whose symbol has it twice, and none by the symbol itself.
#[check(MOD_0003, MOD_0033, MOD_0034)]
fn symbols_of_the_system_library_are_no_names(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_once", answer_one)?;
    register_system(t, c"__tvm_ffi___tvm_ffi_verify_twice", answer_two)?;
    register_system(t, c"__tvm_ffi_verify_named_inner", answer_one)?;
    let (plain, prefixed) = (t.call_global(SYSTEM, &[])?, t.call_global(SYSTEM, &[view::c_str(c"verify_named_")])?);
    for (module, what, clause) in [(&plain, "without", id::MOD_0033), (&prefixed, "with", id::MOD_0034)] {
        t.clause(clause);
        t.answers("result of verify_once", &t.function_of(module, c"verify_once")?, &[], 1)?;
        let twice = t.function_of(module, c"__tvm_ffi_verify_twice")?;
        t.answers("result of the symbol with __tvm_ffi_ twice", &twice, &[], 2)?;
        t.clause(id::MOD_0003);
        for name in [
            c"__tvm_ffi_verify_once",
            c"tvm_ffi_verify_once",
            c"_verify_once",
            c"verify_twice",
            c"__tvm_ffi___tvm_ffi_verify_twice",
            c"__tvm_ffi_verify_named_inner",
            c"__tvm_ffi_inner",
            c"__tvm_ffi_",
        ] {
            t.lacks(format!("function {name:?} of the system library {what} a prefix"), module, name, false)?;
        }
    }
    t.clause(id::MOD_0034);
    t.answers("result of the prefixed symbol", &t.function_of(&prefixed, c"inner")?, &[], 1)?;
    t.clause(id::MOD_0003);
    t.lacks("the prefixed symbol of the system library without a prefix", &plain, c"inner", false)
}

/// ffi.SystemLib with prefixes of any length that begin alike answers modules that find symbols of their own.
#[check(MOD_0034)]
fn system_libraries_whose_prefixes_begin_alike(t: &Trial) -> Verdict {
    for len in LENGTHS.into_iter().take_while(|&len| len <= 4096) {
        let prefixes = ["a", "b"].map(|end| format!("{}{end}_", "p".repeat(len)));
        for (prefix, function) in prefixes.iter().zip([answer_one, answer_two] as [TVMFFISafeCallType; 2]) {
            register_system(t, &c_string(t, format!("__tvm_ffi_{prefix}verify_alike"))?, function)?;
        }
        for (prefix, result) in prefixes.iter().zip([1, 2]) {
            let module = t.call_global(SYSTEM, &[view::c_str(&c_string(t, prefix.clone())?)])?;
            let what = format!("result with a prefix of {} bytes", prefix.len());
            t.answers(what, &t.function_of(&module, c"verify_alike")?, &[], result)?;
        }
    }
    Ok(())
}

/// ffi.SystemLib answers one module for each prefix, however often it is called.
#[check(MOD_0035)]
fn system_library_is_one(t: &Trial) -> Verdict {
    let (plain, prefixed) = (t.call_global(SYSTEM, &[])?, t.call_global(SYSTEM, &[view::c_str(c"model_")])?);
    t.any_eq("system library", &t.call_global(SYSTEM, &[])?.any(), &plain.any())?;
    t.any_eq("system library without a prefix", &t.call_global(SYSTEM, &[view::c_str(c"")])?.any(), &plain.any())?;
    let again = t.call_global(SYSTEM, &[view::c_str(c"model_")])?;
    t.any_eq("system library with a prefix", &again.any(), &prefixed.any())?;
    t.ne("system library with a prefix", prefixed.handle(), plain.handle())
}

/// The module that ffi.SystemLib answers for a prefix is the one that it has answered before, though nobody has held it meanwhile: it imports what it
/// was told to import, and nothing when that was taken away.
#[check(MOD_0035)]
fn system_library_stays_though_nobody_holds_it(t: &Trial) -> Verdict {
    let prefixes = [c"", c"verify_held_by_nobody_", c"verify_held_by_nobody_either_", c"v"];
    let ask = |prefix: &CStr| match prefix.is_empty() {
        true => t.call_global(SYSTEM, &[]),
        false => t.call_global(SYSTEM, &[view::c_str(prefix)]),
    };
    let providers = [("provider_one.so", c"only_one", 11), ("provider_two.so", c"only_two", 12)];
    let mut before = Vec::new();
    for (prefix, (library, name, expected)) in prefixes.into_iter().zip(providers.into_iter().cycle()) {
        let (module, provider) = (ask(prefix)?, t.load(library)?);
        t.import(&module, &provider)?;
        before.push((prefix, module.handle(), provider.handle(), name, expected));
    }
    register_system(t, c"__tvm_ffi_verify_meanwhile", answer_one)?;
    for round in 0..2 {
        // Where a module lay that has ended, something else lies now.
        memory::use_again();
        for &(prefix, module, provider, name, expected) in &before {
            let again = ask(prefix)?;
            let what = format!("the system library with the prefix {prefix:?}, asked for {} times more", round + 1);
            t.eq(&what, again.handle(), module)?;
            t.eq(format_args!("imports of {what}"), t.imports_of(&again)?, vec![provider])?;
            let function = t.imported_function(&again, name)?;
            t.answers(format_args!("result of {name:?} in {what}"), &function, &[], expected)?;
        }
    }
    for &(prefix, ..) in &before {
        t.clear_imports(&ask(prefix)?)?;
        let imports = t.imports_of(&ask(prefix)?)?;
        t.eq(format_args!("imports of the system library with the prefix {prefix:?} afterwards"), imports, vec![])?;
    }
    Ok(())
}

/// A symbol of the system library that is registered again is found at its later address, unless that is refused.
#[check(MOD_0051)]
fn system_symbol_again(t: &Trial) -> Verdict {
    register_system(t, c"__tvm_ffi_verify_again", answer_one)?;
    let module = t.call_global(SYSTEM, &[])?;
    let before = t.function_of(&module, c"verify_again")?;
    let name = c"__tvm_ffi_verify_again".as_ptr();
    let code = t.api.TVMFFIEnvModRegisterSystemLibSymbol(name, answer_two as *mut c_void);
    if code != 0 {
        return t.raises(code, &[]).map(drop);
    }
    t.answers("result of the later", &t.function_of(&module, c"verify_again")?, &[], 2)?;
    t.answers("result of what was found before", &before, &[], 1)
}

/// A function that a library exports receives NULL for its handle.
#[check(MOD_0083)]
fn handle_is_null(t: &Trial) -> Verdict {
    unsafe extern "C" fn answer_handle(
        handle: *mut c_void,
        _: *const TVMFFIAny,
        _: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        // SAFETY: a result of the calling convention: a value that may be overwritten.
        unsafe { result.write(view::int(handle as i64)) };
        0
    }
    register_system(t, c"__tvm_ffi_verify_handle", answer_handle)?;
    let module = t.call_global(SYSTEM, &[])?;
    t.answers("the handle", &t.function_of(&module, c"verify_handle")?, &[], 0)
}

/// Registering a symbol under a NULL name fails with an error.
#[check(MOD_0085)]
fn null_name_is_an_error(t: &Trial) -> Verdict {
    let symbol = answer_one as *mut c_void;
    t.raises(t.api.TVMFFIEnvModRegisterContextSymbol(std::ptr::null(), symbol), &[])?;
    t.raises(t.api.TVMFFIEnvModRegisterSystemLibSymbol(std::ptr::null(), symbol), &[]).map(drop)
}

const SYSTEM: &str = "ffi.SystemLib";

/// Registers a symbol of the system library.
pub(super) fn register_system(t: &Trial, name: &CStr, function: TVMFFISafeCallType) -> Verdict {
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(name.as_ptr(), function as *mut c_void))
}

/// Answers 1.
pub(super) unsafe extern "C" fn answer_one(
    _: *mut c_void,
    _: *const TVMFFIAny,
    _: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::int(1)) };
    0
}

/// Answers 2.
pub(super) unsafe extern "C" fn answer_two(
    _: *mut c_void,
    _: *const TVMFFIAny,
    _: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: as above.
    unsafe { result.write(view::int(2)) };
    0
}
