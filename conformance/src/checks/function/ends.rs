//! The ends of functions, whichever door has made them.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{count_end, ends, last_end},
        globals, view,
    },
    trial::Trial,
};

/// The global function that makes a function of a self, a callee and a deleter.
const FROM_EXTERN_C: &str = "ffi.FunctionFromExternC";

/// A function that TVMFFIFunctionCreate or ffi.FunctionFromExternC has made, with a self or without one, and with a deleter or without one, calls
/// back with its self and ends with one call of its deleter, which is given the self, be that NULL.
#[check(FUN_0005, FUN_0003, FUN_0006)]
fn ends_by_every_door(t: &Trial) -> Verdict {
    let data = [0x5a_u8; 16];
    let selves = [null_mut(), data.as_ptr().cast_mut().cast(), SELF, std::ptr::dangling_mut()];
    let deleters = [None, Some(count_end as unsafe extern "C" fn(*mut c_void))];
    for (this, deleter) in selves.into_iter().flat_map(|this| deleters.map(|deleter| (this, deleter))) {
        for (door, function) in by_every_door(t, this, deleter)? {
            let what = format!(
                "a function by {door} with {} and {}",
                if this.is_null() { "a NULL self" } else { "a self" },
                if deleter.is_some() { "a deleter" } else { "no deleter" }
            );
            t.clause(id::FUN_0003);
            t.call(&function, &[])?;
            // With neither, it is called with whatever its maker likes.
            if !this.is_null() || deleter.is_some() {
                t.eq(format_args!("handle that the callee of {what} received"), seen().handle, this as usize)?;
            }
            t.clause(if deleter.is_some() { id::FUN_0005 } else { id::FUN_0006 });
            let before = ends();
            t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
            t.ok(t.api.TVMFFIObjectDecRef(function.handle()))?;
            t.eq(format_args!("times the deleter ran while {what} is held"), ends() - before, 0)?;
            drop(function);
            let expected = usize::from(deleter.is_some());
            t.eq(format_args!("times the deleter ran at the end of {what}"), ends() - before, expected)?;
            if deleter.is_some() {
                t.eq(format_args!("self that the deleter of {what} received"), last_end(), this as usize)?;
            }
        }
    }
    t.clause(id::FUN_0006);
    t.eq("bytes behind a self after all ends", std::hint::black_box(data), [0x5a; 16])
}

/// A function of that self and that deleter by each door that the target has, NULL being passed in each form.
fn by_every_door(
    t: &Trial,
    this: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Verdict<Vec<(String, Owned)>> {
    let mut made = vec![("TVMFFIFunctionCreate".to_owned(), t.function(this, record, deleter)?)];
    let Some(from_extern_c) = globals::find(t, FROM_EXTERN_C)? else { return Ok(made) };
    let forms = |pointer: *mut c_void| {
        let none = pointer.is_null().then_some(("None", TVMFFIAny::NONE));
        [("a pointer", view::pointer(pointer))].into_iter().chain(none)
    };
    let deleter = deleter.map_or(null_mut(), |deleter| deleter as *mut c_void);
    for (form, this) in forms(this) {
        for (form_of_deleter, deleter) in forms(deleter) {
            let function = t.call(&from_extern_c, &[this, view::pointer(record as *mut c_void), deleter])?;
            let door = format!("{FROM_EXTERN_C} (self as {form}, deleter as {form_of_deleter})");
            made.push((door, function));
        }
    }
    Ok(made)
}
