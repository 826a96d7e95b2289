//! Errors that are raised, and functions that refuse their arguments.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::{abi, clause::id, *};

use super::{
    function_call::FunctionCall,
    kit::{Call, LONG, PASSING, Shortage, WHILE_RAISING},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback, globals, reflected, set_failed, types, view},
    trial::{Trial, scarcity::Refused},
};

/// A global function that refuses its arguments raises an error, that one or another, where memory is refused for it.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn refuses_arguments(t: &Trial) -> Verdict {
    refusals(t, PASSING)
}

/// An error is raised where memory is refused while it is made, by whichever function raises it.
#[check(MEM_0006)]
fn raises_errors(t: &Trial) -> Verdict {
    raised(t, WHILE_RAISING)
}

/// A function that refuses its argument raises an error while every request for memory is refused, however many there are by then that nobody has given
/// up, and so does TVMFFIErrorSetRaisedFromCStr.
#[check(MEM_0005, MEM_0006)]
fn raises_ever_more_errors(t: &Trial) -> Verdict {
    const ROUNDS: usize = 400;
    t.short_backtraces();
    let scarcity = t.scarcity()?;
    // What is told in full of a long text is a long message.
    let text = "no data type at all ".repeat(700);
    let raises = |is_short: bool, refused: Refused| -> Verdict<Owned> {
        t.clause(if is_short { id::MEM_0006 } else { id::MEM_0005 });
        let (mut taken, text) = (null_mut(), TVMFFIByteArray::new(text.as_bytes()));
        scarcity.refuse(refused, || {
            if is_short {
                t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), LONG.as_ptr());
            } else {
                t.api.TVMFFIDataTypeFromString(&text, &mut DLDataType { code: 0, bits: 0, lanes: 0 });
            }
            t.api.TVMFFIErrorMoveFromRaised(&mut taken);
        });
        let error = t.own_object("the raised error", taken)?;
        t.type_index_eq("the raised error", error.any().type_index, kTVMFFIError)?;
        Ok(error)
    };
    // What goes wrong without a shortage is left to the checks that are about it.
    if [false, true].into_iter().any(|is_short| raises(is_short, Refused::From(usize::MAX)).is_err()) {
        set_failed(false);
        return Ok(());
    }
    let mut kept = Vec::new();
    for number in 0..ROUNDS {
        let error = raises(number % 8 == 0, Refused::From(1))?;
        let cell: TVMFFIErrorCell = t.cell("the raised error", error.handle())?;
        t.that("the kind of the raised error", cell.kind.size > 0, "a text", "none")?;
        t.read_array("the message of the raised error", cell.message)?;
        if let Some(update) = cell.update_backtrace {
            let line = TVMFFIByteArray::new(b"a line more");
            // SAFETY: the target's own function, with the error that it belongs to.
            let update = || unsafe { update(error.handle(), &line, kTVMFFIBacktraceUpdateModeAppend) };
            scarcity.refuse(Refused::From(1), || t.api.noted("update_backtrace", update));
        }
        kept.push(error);
    }
    Ok(())
}

/// Wrong arguments.
pub(super) fn refusals(t: &Trial, shortage: Shortage) -> Verdict {
    for global in &abi::abi().globals {
        if let Some(function) = globals::find(t, &global.name)? {
            refuses(t, shortage, &global.name, &function)?;
        }
    }
    for (ty, index) in abi::abi().types.iter().filter_map(|ty| Some((ty, types::find(t, &ty.key)?))) {
        for method in reflected::methods(t, index)? {
            let name = format!("{}.{}", ty.key, reflected::text(t, "name", method.name)?);
            refuses(t, shortage, &name, &reflected::share(t, method.method)?)?;
        }
        for column in COLUMNS {
            let place = reflected::column(t, column);
            if place.is_null() {
                continue;
            }
            let function = reflected::entry(t, place, index)?;
            if function.type_index == kTVMFFIFunction {
                refuses(t, shortage, &format!("{}.{column}", ty.key), &reflected::share(t, function)?)?;
            }
        }
    }
    callbacks(t, shortage)
}

/// The columns that have functions of the library's own types.
const COLUMNS: [&str; 12] = [
    "__any_equal__",
    "__any_hash__",
    "__data_from_json__",
    "__data_to_json__",
    "__ffi_compare__",
    "__ffi_eq__",
    "__ffi_hash__",
    "__ffi_init__",
    "__ffi_repr__",
    "__ffi_shallow_copy__",
    "__s_equal__",
    "__s_hash__",
];

/// A function refuses what it does not take, if it does.
fn refuses(t: &Trial, shortage: Shortage, name: &str, function: &Owned) -> Verdict {
    for args in [&[view::float(0.5)][..], &[view::c_str(LONG); 3]] {
        let args = || Ok(args.iter().map(|arg| t.own(*arg)).collect());
        FunctionCall::failing(name, &args).meets_in(t, shortage, function)?;
    }
    Ok(())
}

/// Lists of callbacks that are none.
fn callbacks(t: &Trial, shortage: Shortage) -> Verdict {
    let (int, long) = (view::int, view::c_str(LONG));
    let Some(list) = globals::find(t, "ffi.List")? else { return Ok(()) };
    let function = t.function(std::ptr::null_mut(), callback::return_none, None)?;
    let good = t.call(&list, &[int(1), function.any(), int(0)])?;
    let none = t.call_global("ffi.Array", &[])?;
    for bad in [&[int(1), long, int(0)][..], &[int(1)], &[function.any(), int(1), long]] {
        for make in ["ffi.Array", "ffi.List"] {
            let bad = t.call_global(make, bad)?;
            let entries = t.call_global(make, &[good.any(), bad.any()])?;
            for (name, count) in [
                ("ffi.StructuralVisit", 1),
                ("ffi.StructuralMutate", 1),
                ("ffi.StructuralWalk", 2),
                ("ffi.StructuralMap", 2),
            ] {
                let args = || -> Verdict<Vec<Owned>> {
                    let mut args = vec![t.own(int(1)), reflected::share(t, entries.any())?];
                    if count == 2 {
                        args.extend([reflected::share(t, none.any())?, t.own(int(0))]);
                    }
                    Ok(args)
                };
                FunctionCall::failing(name, &args).meets(t, shortage)?;
            }
        }
    }
    Ok(())
}

/// Errors of a client's own.
pub(super) fn raised(t: &Trial, shortage: Shortage) -> Verdict {
    unsafe extern "C" fn raise(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        if let Some(api) = callback::api() {
            api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), LONG.as_ptr());
        }
        -1
    }
    t.serve_callbacks();
    fails(t, shortage, "TVMFFIErrorSetRaisedFromCStr", &|| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), LONG.as_ptr());
        -1
    })?;
    if t.api.has("TVMFFIErrorSetRaisedFromCStrParts") {
        let mut parts = [c"one part, ".as_ptr(), LONG.as_ptr()];
        let parts = std::cell::Cell::new(parts.as_mut_ptr());
        fails(t, shortage, "TVMFFIErrorSetRaisedFromCStrParts", &|| {
            t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), parts.get(), 2);
            -1
        })?;
    }
    let function = t.function(std::ptr::null_mut(), raise, None)?;
    fails(t, shortage, "a function that raises an error", &|| t.try_call(&function, &[], &mut { TVMFFIAny::NONE }))
}

/// Expects something to fail with an error raised.
fn fails(t: &Trial, shortage: Shortage, name: &str, call: &dyn Fn() -> c_int) -> Verdict {
    Call {
        name,
        prepare: &|| Ok(()),
        // What is to be done is to fail.
        run: &|(), _| c_int::from(call() == 0),
        look: &|(), _: Option<&Owned>| {
            let raised = t.take_raised().map(|raised| raised.kind);
            t.that(format_args!("the error that {name} raises"), raised.is_some(), "an Error", "none")
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}
