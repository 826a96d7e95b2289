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
        given::Given,
        modules::GET_FUNCTION,
        set_failed, types, view,
    },
    trial::Trial,
};

/// A function of the C API that makes a value and is refused memory fails, or succeeds with the value that it makes otherwise, and loses and keeps
/// nothing.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_values(t: &Trial) -> Verdict {
    values(t, PASSING)
}

/// An object that is given away to TVMFFIAnyViewToOwnedAny, which is refused memory, is the caller's as before, or taken and with the value.
#[check(MEM_0003, MEM_0001)]
fn takes_what_is_given(t: &Trial) -> Verdict {
    moves(t, PASSING)
}

/// A function of the C API that makes an object of what its caller gives and is refused memory fails or succeeds, and keeps no reference and
/// ends nothing where it fails.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_objects(t: &Trial) -> Verdict {
    objects(t, PASSING)
}

/// A global function is registered, or its name is free or has its former function as before, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn registers_globals(t: &Trial) -> Verdict {
    globals(t, PASSING)
}

/// A symbol of the system library, or one for libraries that are loaded, is registered, or the call fails, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn registers_symbols(t: &Trial) -> Verdict {
    symbols(t, PASSING)
}

/// A handle that is initialised or emptied once is filled or NULL as the call says, where memory is refused, and what it held is ended once or not at all.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn fills_handles(t: &Trial) -> Verdict {
    handles(t, PASSING)
}

/// Values from what lies in memory.
pub(super) fn values(t: &Trial, shortage: Shortage) -> Verdict {
    let long = TVMFFIByteArray::new(LONG.to_bytes());
    let words = TVMFFIByteArray::new(&[0x5a; 24]);
    let vector = DLDataType { code: kDLFloat, bits: 32, lanes: 4 };
    let (key, system) = (TVMFFIByteArray::new(b"ffi.Array"), t.call_global("ffi.SystemLib", &[])?);
    let made = |name, run: &dyn Fn(&mut TVMFFIAny) -> c_int| made(t, shortage, name, run);
    made("TVMFFIStringFromByteArray", &|out| t.api.TVMFFIStringFromByteArray(&long, out))?;
    made("TVMFFIBytesFromByteArray", &|out| t.api.TVMFFIBytesFromByteArray(&long, out))?;
    for view in [view::c_str(LONG), view::byte_array(&long)] {
        made("TVMFFIAnyViewToOwnedAny", &|out| t.api.TVMFFIAnyViewToOwnedAny(&view, out))?;
    }
    made("TVMFFIDataTypeToString", &|out| t.api.TVMFFIDataTypeToString(&vector, out))?;
    made("TVMFFIDataTypeFromString", &|out| {
        let mut read = DLDataType { code: 0, bits: 0, lanes: 0 };
        let status = t.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(b"float32x4"), &mut read);
        *out = view::int(i64::from(read.lanes) << 16 | i64::from(read.bits) << 8 | i64::from(read.code));
        status
    })?;
    made("TVMFFITypeKeyToIndex", &|out| {
        let mut index = -1;
        let status = t.api.TVMFFITypeKeyToIndex(&key, &mut index);
        *out = view::int(index.into());
        status
    })?;
    if t.api.has("TVMFFIBigIntFromByteArray") {
        made("TVMFFIBigIntFromByteArray", &|out| t.api.TVMFFIBigIntFromByteArray(&words, out))?;
    }
    made("TVMFFIFunctionGetGlobal", &|out| {
        let mut function = null_mut();
        match t.api.TVMFFIFunctionGetGlobal(&key, &mut function) {
            0 if function.is_null() => 0,
            status => given(status, function, kTVMFFIFunction, out),
        }
    })?;
    made("TVMFFIEnvModLookupFromImports", &|out| {
        let context = system.handle().wrapping_byte_sub(size_of::<*const c_void>());
        let mut function = null_mut();
        let status = t.api.TVMFFIEnvModLookupFromImports(context, c"ffi.Array".as_ptr(), &mut function);
        // It is the module's, and not given.
        *out = view::bool(!function.is_null());
        status
    })
}

/// A call that makes a value, which is the same with a shortage as without one.
fn made(t: &Trial, shortage: Shortage, name: &str, run: &dyn Fn(&mut TVMFFIAny) -> c_int) -> Verdict {
    let content = |value: &Owned| -> Verdict<String> { Ok(t.outline(&value.any(), &[])?.text) };
    let mut out = TVMFFIAny::NONE;
    if run(&mut out) != 0 {
        // A call that fails without a shortage is left to the checks that are about it.
        t.api.release_raised();
        return Ok(());
    }
    let expected = content(&t.own(out))?;
    let look = |(): &(), made: Option<&Owned>| match made {
        Some(made) => t.eq(format_args!("what {name} gives"), &content(made)?, &expected),
        None => Ok(()),
    };
    Call {
        name,
        prepare: &|| Ok(()),
        run: &|(), out| run(out),
        look: &look,
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}

/// An object that is given away, to what makes an owned value of it.
pub(super) fn moves(t: &Trial, shortage: Shortage) -> Verdict {
    let scarcity = t.scarcity()?;
    // Answers whether a request was refused.
    let gives = |number: usize| -> Verdict<bool> {
        let mut given = Given::default();
        let (mut out, view) = (TVMFFIAny::NONE, given.arg());
        let (status, refused) = shortage.refuse(&scarcity, number, || t.api.TVMFFIAnyViewToOwnedAny(&view, &mut out));
        match status {
            0 => drop(t.own(out)),
            _ => drop(t.raises(status, &[])?),
        }
        t.clause(shortage.about(true));
        given.is_accounted_for(t, "TVMFFIAnyViewToOwnedAny")?;
        Ok(refused)
    };
    // What goes wrong without a shortage is left to the checks that are about it.
    if gives(usize::MAX).is_err() {
        set_failed(false);
        return Ok(());
    }
    for number in 1..9 {
        if !gives(number)? {
            break;
        }
    }
    Ok(())
}

/// The self of functions and the handle of opaque objects; nobody follows it.
const THIS: *mut c_void = 0x5e1f as *mut c_void;

/// Answers its self, as a number.
unsafe extern "C" fn answer_self(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: whoever calls a function gives a place for its result.
    unsafe { result.write(view::int(this as i64)) };
    0
}

/// Objects that hold something of the caller's.
pub(super) fn objects(t: &Trial, shortage: Shortage) -> Verdict {
    // What a function or an opaque object is made of is ended when that is, and never where it could not be made.
    let ends = |name: &str,
                make: &dyn Fn(*mut TVMFFIObjectHandle) -> c_int,
                type_index: i32,
                is_of: &dyn Fn(&Owned) -> Verdict<usize>| {
        Call {
            name,
            prepare: &|| Ok(callback::ends()),
            run: &|_, out| {
                let mut object = null_mut();
                given(make(&mut object), object, type_index, out)
            },
            look: &|before, made| {
                t.eq(format_args!("calls of the deleter after {name}"), callback::ends(), *before)?;
                let Some(made) = made else { return Ok(()) };
                t.eq(format_args!("counts of what {name} has made"), t.counts(made.handle())?, (1, 1))?;
                t.eq(format_args!("what {name} has made it of"), is_of(made)?, THIS as usize)
            },
            is_left: &|_| false,
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)
    };
    let function = |out| t.api.TVMFFIFunctionCreate(THIS, Some(answer_self), Some(count_end), out);
    ends("TVMFFIFunctionCreate", &function, kTVMFFIFunction, &|made| Ok(t.call(made, &[])?.any().payload() as usize))?;
    let opaque = |out| t.api.TVMFFIObjectCreateOpaque(THIS, kTVMFFIOpaquePyObject, Some(count_end), out);
    ends("TVMFFIObjectCreateOpaque", &opaque, kTVMFFIOpaquePyObject, &|made| {
        Ok(t.cell::<TVMFFIOpaqueObjectCell>("the opaque object", made.handle())?.handle as usize)
    })?;

    let [kind, text, trace] = [b"ValueError", LONG.to_bytes(), b"a backtrace that does not lie in a value, either\n"]
        .map(TVMFFIByteArray::new);
    let error =
        |name: &str, held: &dyn Fn() -> Verdict<Owned>, make: &dyn Fn(&Owned, *mut TVMFFIObjectHandle) -> c_int| {
            let look = |held: &Owned, made: Option<&Owned>| {
                let what = format!("the cause given to {name}");
                let Some(made) = made else { return counts_stay(t, shortage, &what, held, (1, 1)) };
                // An Error of other texts is none that was asked for.
                let cell: TVMFFIErrorCell = t.cell("the Error", made.handle())?;
                for (part, got, expected) in
                    [("kind", cell.kind, kind), ("message", cell.message, text), ("backtrace", cell.backtrace, trace)]
                {
                    let [got, expected] = [got, expected].map(|text| t.read_array(part, text));
                    t.eq(format_args!("the {part} of what {name} has made"), got?, expected?)?;
                }
                t.eq(format_args!("counts of what {name} has made"), t.counts(made.handle())?, (1, 1))?;
                let references = if name == "TVMFFIErrorCreate" { 1 } else { 3 };
                t.eq(format_args!("counts of {what}"), t.counts(held.handle())?, (references, 1))
            };
            let run = |held: &Owned, out: &mut TVMFFIAny| {
                let mut object = null_mut();
                given(make(held, &mut object), object, kTVMFFIError, out)
            };
            Call { name, prepare: held, run: &run, look: &look, is_left: &|_| false, raises: false, lasts: false }
                .meets(t, shortage)
        };
    let cause = || t.new_error("TypeError", "the cause", "");
    error("TVMFFIErrorCreate", &cause, &|_, out| t.api.TVMFFIErrorCreate(&kind, &text, &trace, out))?;
    if t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
        error("TVMFFIErrorCreateWithCauseAndExtraContext", &cause, &|held, out| {
            let held = held.handle();
            t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &text, &trace, held, held, out)
        })?;
    }
    Ok(())
}

/// Names of functions: one that is free, and one that has a function.
pub(super) fn globals(t: &Trial, shortage: Shortage) -> Verdict {
    const NAME: &CStr = c"verify.named_while_memory_is_short";
    let name = TVMFFIByteArray::new(NAME.to_bytes());
    let free = || t.answer("ffi.FunctionRemoveGlobal", &[view::c_str(NAME)]).map(drop);
    let registers = |door: &str, has_former: bool, register: &dyn Fn(&Owned) -> c_int| -> Verdict {
        let function = || t.function(null_mut(), return_none, Some(keep_self));
        Call {
            name: door,
            prepare: &|| {
                free()?;
                let former = if has_former { Some(function()?) } else { None };
                if let Some(former) = &former {
                    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, former.handle(), 0))?;
                }
                Ok((function()?, former))
            },
            run: &|(function, _), _| register(function),
            look: &|(function, former), done| {
                let mut named = null_mut();
                t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut named))?;
                if !named.is_null() {
                    drop(t.own(TVMFFIAny::new(kTVMFFIFunction, named as u64)));
                }
                let before = former.as_ref().map_or(null_mut(), Owned::handle);
                let expected = if done.is_some() { function.handle() } else { before };
                t.eq(format_args!("the function of the name that {door} was given"), named, expected)?;
                if done.is_some() {
                    free()?;
                }
                counts_stay(t, shortage, &format!("the function that {door} was given"), function, (1, 1))
            },
            is_left: &|_| false,
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)
    };
    for has_former in [false, true] {
        let overrides = c_int::from(has_former);
        registers("TVMFFIFunctionSetGlobal", has_former, &|function| {
            t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), overrides)
        })?;
        registers("TVMFFIFunctionSetGlobalFromMethodInfo", has_former, &|function| {
            let metadata = TVMFFIByteArray::new(LONG.to_bytes());
            let info = TVMFFIMethodInfo { metadata, ..types::method_info(name, function.any()) };
            t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, overrides)
        })?;
    }
    Ok(())
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
                let args = [module.any(), view::c_str(function), view::bool(false)];
                let answer = t.answer(GET_FUNCTION, &args)?;
                let found = is_found && answer.is_ok_and(|function| !function.handle().is_null());
                t.eq("whether the symbol is found", found, is_found && done.is_some())
            },
            is_left: &|_| false,
            raises: true,
            lasts: true,
        }
        .meets(t, shortage)?;
    }
    Ok(())
}

/// Handles that are initialised once, and emptied once.
pub(super) fn handles(t: &Trial, shortage: Shortage) -> Verdict {
    static THING: AtomicUsize = AtomicUsize::new(0);
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn make_thing(result: *mut *mut c_void) -> c_int {
        // SAFETY: whoever calls an initialiser gives a place for what it makes.
        unsafe { result.write(THING.as_ptr().cast()) };
        0
    }
    unsafe extern "C" fn end_thing(_: *mut c_void) -> c_int {
        ENDED.fetch_add(1, Ordering::Relaxed);
        0
    }
    let thing = THING.as_ptr() as usize;
    Call {
        name: "TVMFFIHandleInitOnce",
        prepare: &|| Ok(AtomicUsize::new(0)),
        run: &|handle, _| t.api.TVMFFIHandleInitOnce(handle.as_ptr().cast(), Some(make_thing)),
        look: &|handle, done| {
            let expected = if done.is_some() { thing } else { 0 };
            t.eq("the handle after TVMFFIHandleInitOnce", handle.load(Ordering::Acquire), expected)
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)?;
    Call {
        name: "TVMFFIHandleDeinitOnce",
        prepare: &|| Ok((AtomicUsize::new(thing), ENDED.load(Ordering::Relaxed))),
        run: &|(handle, _), _| t.api.TVMFFIHandleDeinitOnce(handle.as_ptr().cast(), Some(end_thing)),
        look: &|(handle, before), done| {
            let expected = if done.is_some() { (0, 1) } else { (thing, 0) };
            let ended = ENDED.load(Ordering::Relaxed) - before;
            t.eq(
                "the handle after TVMFFIHandleDeinitOnce, and how often it was ended",
                (handle.load(Ordering::Acquire), ended),
                expected,
            )
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}
