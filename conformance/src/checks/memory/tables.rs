//! Tables that grow, and are filled by the first call.

use std::{ffi::c_int, ptr::null_mut};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Verdict, callback::return_none, reflected, types, view},
    trial::{Trial, scarcity::Refused},
};

/// How many names are registered, each with the first requests refused in turn: enough for any table to grow.
const NAMES: usize = 200;
/// How many requests are refused in turn.
const TURNS: usize = 3;

/// A global function that is registered while memory is refused is there if that succeeds, and its name is free if not, however many there are by
/// then.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn grows_the_table_of_functions(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), return_none, None)?;
    let register = |name: &[u8]| t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name), function.handle(), 0);
    let is_there = |name: &[u8]| -> Verdict<bool> {
        let mut found = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name), &mut found))?;
        Ok(!found.is_null() && t.own_object("the function", found).is_ok())
    };
    grows(t, "a function", &register, &is_there)
}

/// An attribute that is registered while memory is refused is there if that succeeds, and is not if not, however many there are by then.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn grows_the_table_of_attributes(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.short.a type of many attributes");
    let register = |name: &[u8]| t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(name), &view::int(7));
    let is_there = |name: &[u8]| -> Verdict<bool> {
        let column = reflected::column(t, &String::from_utf8_lossy(name));
        Ok(!column.is_null() && reflected::entry(t, column, index)?.type_index == kTVMFFIInt)
    };
    grows(t, "an attribute", &register, &is_there)
}

/// Registers one name after the other.
fn grows(
    t: &Trial,
    what: &str,
    register: &dyn Fn(&[u8]) -> c_int,
    is_there: &dyn Fn(&[u8]) -> Verdict<bool>,
) -> Verdict {
    t.short_backtraces();
    let scarcity = t.scarcity()?;
    // What goes wrong without a shortage is left to the checks that are about it.
    if register(b"verify.a name before all others") != 0 {
        t.api.release_raised();
        return Ok(());
    }
    for number in 0..NAMES {
        let name = format!("verify.one of many names, which are long: {number}");
        let is_there = || is_there(name.as_bytes());
        for refused in 1..=TURNS + 1 {
            // Behind all turns there is memory again.
            let refused = if refused > TURNS { usize::MAX } else { refused };
            let (status, _) = scarcity.refuse(Refused::Only(refused), || register(name.as_bytes()));
            t.clause(if refused == usize::MAX { id::MEM_0003 } else { id::MEM_0001 });
            if status == 0 {
                t.eq(format_args!("whether {what} number {number} is there"), is_there()?, true)?;
                break;
            }
            t.that(format_args!("what registers {what}"), refused != usize::MAX, "0 with memory again", status)?;
            t.raises(status, &[])?;
            t.clause(id::MEM_0002);
            t.eq(format_args!("whether {what} number {number} is there"), is_there()?, false)?;
        }
    }
    Ok(())
}

/// A type that is registered while memory is refused is there, with its key, where the process goes on: the function has no way to report.
#[check(MEM_0001)]
fn registers_types(t: &Trial) -> Verdict {
    let scarcity = t.scarcity()?;
    for number in 1..12 {
        // In a copy, as it may end the process.
        let answer = t.forked(|t| {
            let key = format!("verify.short.a type that is registered while memory is refused {number}");
            let key = TVMFFIByteArray::new(key.as_bytes());
            let register = || t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
            let (index, refused) = scarcity.refuse(Refused::Only(number), register);
            let mut found = -1;
            let status = t.api.TVMFFITypeKeyToIndex(&key, &mut found);
            Ok(i64::from(index < 0 || status == 0 && found == index) | i64::from(refused) << 1)
        })?;
        let Some(answer) = answer else { continue };
        t.that("whether the type has the index that was answered", answer & 1 != 0, "that it has", "that it has not")?;
        if answer & 2 == 0 {
            break;
        }
    }
    Ok(())
}

/// The first call of a process comes back with what it comes to otherwise, or an error, where every request for memory is refused.
#[check(MEM_0005, fresh)]
fn begins_with_nothing(t: &Trial) -> Verdict {
    let scarcity = t.scarcity()?;
    let (name, mut function) = (TVMFFIByteArray::new(b"ffi.Array"), null_mut());
    let first = || t.api.TVMFFIFunctionGetGlobal(&name, &mut function);
    let (status, _) = scarcity.refuse(Refused::From(1), first);
    match status {
        0 => drop(t.own_object("the function", function)?),
        _ => drop(t.raises(status, &[])?),
    }
    let list = t.call_global("ffi.Array", &[view::int(1)]).map_err(|failure| failure.noting("with memory again"))?;
    t.type_index_eq("what the function makes", list.any().type_index, kTVMFFIArray)
}
