//! The functions of the C API that make something.

use std::{
    cell::Cell,
    ffi::{CStr, CString, c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{Call, LONG, PASSING, Shortage, counts_stay, given};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, count_end, keep_self, return_none},
        view,
    },
    trial::Trial,
};

/// A function of the C API that makes a value and is refused memory fails or succeeds, and loses and keeps nothing.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_values(t: &Trial) -> Verdict {
    values(t, PASSING)
}

/// A function of the C API that makes an object of what its caller gives and is refused memory fails or succeeds, and keeps no reference and
/// ends nothing where it fails.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_objects(t: &Trial) -> Verdict {
    objects(t, PASSING)
}

/// A global function is registered, or its name is free as before, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn registers_globals(t: &Trial) -> Verdict {
    globals(t, PASSING)
}

/// A symbol of the system library, or one for libraries that are loaded, is registered, or the call fails, where memory is refused.
#[check(MEM_0001, MEM_0002)]
fn registers_symbols(t: &Trial) -> Verdict {
    symbols(t, PASSING)
}

/// A handle that is initialised once is filled, or NULL as before, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn fills_handles(t: &Trial) -> Verdict {
    handles(t, PASSING)
}

/// Values from what lies in memory.
pub(super) fn values(t: &Trial, shortage: Shortage) -> Verdict {
    let long = TVMFFIByteArray::new(LONG.to_bytes());
    let words = TVMFFIByteArray::new(&[0x5a; 24]);
    let vector = DLDataType { code: kDLFloat, bits: 32, lanes: 4 };
    let name = TVMFFIByteArray::new(b"float32x4");
    let made = |name, run: &dyn Fn(&mut TVMFFIAny) -> c_int| {
        let (run, look) = (&|(): &(), out: &mut TVMFFIAny| run(out), &|(): &(), _: Option<&Owned>| Ok(()));
        Call { name, prepare: &|| Ok(()), run, look, raises: true, lasts: false }.meets(t, shortage)
    };
    made("TVMFFIStringFromByteArray", &|out| t.api.TVMFFIStringFromByteArray(&long, out))?;
    made("TVMFFIBytesFromByteArray", &|out| t.api.TVMFFIBytesFromByteArray(&long, out))?;
    for view in [view::c_str(LONG), view::byte_array(&long)] {
        made("TVMFFIAnyViewToOwnedAny", &|out| t.api.TVMFFIAnyViewToOwnedAny(&view, out))?;
    }
    made("TVMFFIDataTypeToString", &|out| t.api.TVMFFIDataTypeToString(&vector, out))?;
    made("TVMFFIDataTypeFromString", &|_| t.api.TVMFFIDataTypeFromString(&name, &mut { vector }))?;
    made("TVMFFITypeKeyToIndex", &|_| t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"ffi.Array"), &mut 0))?;
    if t.api.has("TVMFFIBigIntFromByteArray") {
        made("TVMFFIBigIntFromByteArray", &|out| t.api.TVMFFIBigIntFromByteArray(&words, out))?;
    }
    made("TVMFFIFunctionGetGlobal", &|out| {
        let mut function = null_mut();
        let status = t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"ffi.Array"), &mut function);
        given(status, function, kTVMFFIFunction, out)
    })
}

/// Objects that hold something of the caller's.
pub(super) fn objects(t: &Trial, shortage: Shortage) -> Verdict {
    // What a function or an opaque object is made of is ended when that is, and never where it could not be made.
    let ends = |name: &str, make: &dyn Fn(*mut TVMFFIObjectHandle) -> c_int, type_index: i32| {
        Call {
            name,
            prepare: &|| Ok(callback::ends()),
            run: &|_, out| {
                let mut object = null_mut();
                given(make(&mut object), object, type_index, out)
            },
            look: &|before, _| t.eq(format_args!("calls of the deleter after {name}"), callback::ends(), *before),
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)
    };
    let this = std::ptr::dangling_mut::<c_void>();
    let function = |out| t.api.TVMFFIFunctionCreate(this, Some(return_none), Some(count_end), out);
    ends("TVMFFIFunctionCreate", &function, kTVMFFIFunction)?;
    let opaque = |out| t.api.TVMFFIObjectCreateOpaque(this, kTVMFFIOpaquePyObject, Some(count_end), out);
    ends("TVMFFIObjectCreateOpaque", &opaque, kTVMFFIOpaquePyObject)?;

    let error =
        |name: &str, held: &dyn Fn() -> Verdict<Owned>, make: &dyn Fn(&Owned, *mut TVMFFIObjectHandle) -> c_int| {
            let look = |held: &Owned, made: Option<&Owned>| {
                let references = if made.is_some() && name != "TVMFFIErrorCreate" { 3 } else { 1 };
                t.eq(format_args!("counts of the cause given to {name}"), t.counts(held.handle())?, (references, 1))
            };
            let run = |held: &Owned, out: &mut TVMFFIAny| {
                let mut object = null_mut();
                given(make(held, &mut object), object, kTVMFFIError, out)
            };
            Call { name, prepare: held, run: &run, look: &look, raises: false, lasts: false }.meets(t, shortage)
        };
    let (kind, text) = (TVMFFIByteArray::new(b"ValueError"), TVMFFIByteArray::new(LONG.to_bytes()));
    let cause = || t.new_error("TypeError", "the cause", "");
    error("TVMFFIErrorCreate", &cause, &|_, out| t.api.TVMFFIErrorCreate(&kind, &text, &text, out))?;
    if t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
        error("TVMFFIErrorCreateWithCauseAndExtraContext", &cause, &|held, out| {
            let held = held.handle();
            t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &text, &text, held, held, out)
        })?;
    }
    Ok(())
}

/// Names of functions.
pub(super) fn globals(t: &Trial, shortage: Shortage) -> Verdict {
    let name = TVMFFIByteArray::new(b"verify.named_while_memory_is_short");
    let found = || -> Verdict<Option<Owned>> {
        let mut function = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut function))?;
        Ok((!function.is_null()).then(|| t.own(TVMFFIAny::new(kTVMFFIFunction, function as u64))))
    };
    Call {
        name: "TVMFFIFunctionSetGlobal",
        prepare: &|| t.function(null_mut(), return_none, Some(keep_self)),
        run: &|function, _| t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 0),
        look: &|function, done| {
            let named = found()?;
            let registered = named.as_ref().map_or(null_mut(), Owned::handle);
            let expected = if done.is_some() { function.handle() } else { null_mut() };
            t.eq("the function of the name that TVMFFIFunctionSetGlobal was given", registered, expected)?;
            if done.is_some() {
                drop(named);
                t.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.named_while_memory_is_short")])?;
            }
            counts_stay(t, shortage, "the function that TVMFFIFunctionSetGlobal was given", function, (1, 1))
        },
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}

/// Symbols that libraries find, another one each time.
pub(super) fn symbols(t: &Trial, shortage: Shortage) -> Verdict {
    let module = t.call_global("ffi.SystemLib", &[])?;
    let number = Cell::new(0);
    let context = |name: &CStr| t.api.TVMFFIEnvModRegisterContextSymbol(name.as_ptr(), null_mut());
    let system = |name: &CStr| t.api.TVMFFIEnvModRegisterSystemLibSymbol(name.as_ptr(), return_none as *mut c_void);
    for (name, register, is_found) in [
        ("TVMFFIEnvModRegisterContextSymbol", &context as &dyn Fn(&CStr) -> c_int, false),
        ("TVMFFIEnvModRegisterSystemLibSymbol", &system, true),
    ] {
        Call {
            name,
            prepare: &|| {
                number.set(number.get() + 1);
                let symbol = format!("__tvm_ffi_verify_registered_while_memory_is_short_{}", number.get());
                Ok(CString::new(symbol).unwrap_or_default())
            },
            run: &|symbol, _| register(symbol),
            look: &|symbol, done| {
                let function = &symbol.to_bytes_with_nul()["__tvm_ffi_".len()..];
                let Ok(function) = CStr::from_bytes_with_nul(function) else { return Ok(()) };
                let found = is_found && !t.find_function(&module, function, false)?.handle().is_null();
                t.eq("whether the symbol is found", found, is_found && done.is_some())
            },
            raises: true,
            lasts: true,
        }
        .meets(t, shortage)?;
    }
    Ok(())
}

/// Handles that are initialised once.
pub(super) fn handles(t: &Trial, shortage: Shortage) -> Verdict {
    static THING: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn make_thing(result: *mut *mut c_void) -> c_int {
        // SAFETY: whoever calls an initialiser gives a place for what it makes.
        unsafe { result.write(THING.as_ptr().cast()) };
        0
    }
    Call {
        name: "TVMFFIHandleInitOnce",
        prepare: &|| Ok(AtomicUsize::new(0)),
        run: &|handle, _| t.api.TVMFFIHandleInitOnce(handle.as_ptr().cast(), Some(make_thing)),
        look: &|handle, done| {
            let expected = if done.is_some() { THING.as_ptr() as usize } else { 0 };
            t.eq("the handle after TVMFFIHandleInitOnce", handle.load(Ordering::Acquire), expected)
        },
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}
