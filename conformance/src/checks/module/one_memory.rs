//! Names of symbols and functions that a client puts into one place in memory, one after the other: each is what stands there at the time of the
//! call.

use std::{
    ffi::{CStr, c_void},
    ptr::without_provenance_mut,
};

use tvm_ffi_spec::{clause::id, *};

use super::symbols::{answer_one, answer_two, register_system};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        modules::GET_FUNCTION,
        one_memory::{LENGTHS, OneMemory, steps},
        view,
    },
    trial::Trial,
};

/// Of context symbols whose names follow each other in one place in memory, each is registered under its own, be they of one length or not, and
/// differ in whichever byte.
#[check(MOD_0030)]
fn context_symbols_in_one_memory(t: &Trial) -> Verdict {
    const ONE: &[u8] = b"verify_context_one";
    const TWO: &[u8] = b"verify_context_two";
    // Names that no library has: the first but for one byte, the beginning of it, and one that goes on.
    let nobodys = |letter: u8, more: &[u8]| {
        let nearly = (0..ONE.len()).map(move |at| {
            let mut name = ONE.to_vec();
            name[at] = letter;
            name
        });
        nearly.chain([ONE[..ONE.len() - more.len()].to_vec(), [ONE, more].concat()])
    };
    // In front of those that a library has and behind them. None is registered twice, which a library may refuse.
    let names = nobodys(b'Y', b"a").chain([ONE.to_vec(), TWO.to_vec()]).chain(nobodys(b'Z', b"zz"));
    let (mut memory, mut expected) = (OneMemory::new(), Vec::new());
    for (number, name) in names.enumerate() {
        let value = without_provenance_mut::<c_void>(0x1000 + number);
        t.ok(t.api.TVMFFIEnvModRegisterContextSymbol(memory.put(&name).data, value))?;
        if name == ONE || name == TWO {
            expected.push(value);
        }
    }
    let module = t.load("context_symbols.so")?;
    for (function, value) in [c"context_one", c"context_two"].into_iter().zip(expected) {
        let found = t.call_of(&module, function, &[])?;
        t.any_eq(format_args!("what {function:?} answers"), &found.any(), &view::pointer(value))?;
    }
    Ok(())
}

/// Symbols of the system library whose names follow each other in one place in memory are registered and found each under its own, be they of one
/// length or not, and differ in whichever byte.
#[check(MOD_0033)]
fn system_symbols_in_one_memory(t: &Trial) -> Verdict {
    let (module, mut memory) = (t.call_global("ffi.SystemLib", &[])?, OneMemory::new());
    let find = t.global(GET_FUNCTION)?;
    for length in LENGTHS {
        let names = steps(length);
        let answers = |at: usize| if at.is_multiple_of(2) { 1 } else { 2 };
        for (at, name) in names.iter().enumerate() {
            // Not there yet, though the one before is.
            let args = [module.any(), memory.borrowed(kTVMFFIRawStr, name), view::bool(false)];
            let what = format!("the function {}, of which there is none yet", name.escape_ascii());
            t.any_eq(what, &t.call(&find, &args)?.any(), &TVMFFIAny::NONE)?;
            let symbol = [b"__tvm_ffi_", &name[..]].concat();
            // SAFETY: what was put there ends with a NUL, and stays there during the call.
            let symbol = unsafe { CStr::from_ptr(memory.put(&symbol).data) };
            register_system(t, symbol, if answers(at) == 1 { answer_one } else { answer_two })?;
        }
        for (at, name) in names.iter().enumerate() {
            let args = [module.any(), memory.borrowed(kTVMFFIRawStr, name), view::bool(false)];
            let function: Owned = t.call(&find, &args)?;
            let what = format!("type_index of the function {}", name.escape_ascii());
            t.type_index_eq(what, function.any().type_index, kTVMFFIFunction)?;
            t.answers(format_args!("result of {}", name.escape_ascii()), &function, &[], answers(at))?;
        }
    }
    Ok(())
}

/// Names that follow each other in one place in memory are each looked up in a library as what stands there then, by every function that takes
/// one.
#[check(MOD_0002, MOD_0019)]
fn functions_in_one_memory(t: &Trial) -> Verdict {
    let (module, mut memory) = (t.load("provider_one.so")?, OneMemory::new());
    let (find, implements) = (t.global(GET_FUNCTION)?, t.global("ffi.ModuleImplementsFunction")?);
    let is_there = ["who", "only_one"];
    let names =
        ["who", "whO", "who", "Who", "who", "wHo", "only_one", "only_two", "only_one", "onlY_one", "only_on", "who"];
    for name in names {
        for in_imports in [false, true].map(view::bool) {
            let args = [module.any(), memory.borrowed(kTVMFFIRawStr, name.as_bytes()), in_imports];
            t.clause(id::MOD_0002);
            let found = t.call(&find, &args)?.any().type_index == kTVMFFIFunction;
            t.eq(format_args!("whether {name} is found"), found, is_there.contains(&name))?;
            t.clause(id::MOD_0019);
            let said = t.call(&implements, &args)?;
            t.any_eq(
                format_args!("whether {name} is implemented"),
                &said.any(),
                &view::bool(is_there.contains(&name)),
            )?;
        }
    }
    Ok(())
}
