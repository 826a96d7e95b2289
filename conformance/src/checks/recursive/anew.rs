//! Objects with a field whose value is made anew whenever it is read: it may lie where an earlier one lay.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Verdict, callback,
        homemade::Homemade,
        node::{Node, get_any, node, set_kind},
        types, view,
    },
    trial::Trial,
};

/// Objects whose getter makes the value of a field anew at each read are recursively equal to those that hold such a value, have their hash
/// and are printed as they are, however many stand beside each other.
#[check(REC_0011, HOK_0010, HOK_0013)]
fn fields_made_anew(t: &Trial) -> Verdict {
    each_pair(t, &|what, anew, held| {
        t.clause(id::HOK_0010);
        for (lhs, rhs) in [(anew, held), (held, anew), (anew, anew)] {
            let equal = t.call_int("ffi.RecursiveEq", &[*lhs, *rhs])?;
            t.eq(format_args!("whether {what} are recursively equal"), equal, 1)?;
        }
        t.clause(id::REC_0011);
        t.eq(format_args!("the hash of {what}"), t.recursive_hash(anew)?, t.recursive_hash(held)?)?;
        t.clause(id::HOK_0013);
        t.eq(format_args!("the printed form of {what}"), t.printed(anew)?, t.printed(held)?)
    })
}

/// Objects whose getter makes the value of a field anew at each read are structurally equal to those that hold such a value, and have
/// their hash.
#[check(SEQ_0013, SEQ_0007)]
fn fields_made_anew_structurally(t: &Trial) -> Verdict {
    each_pair(t, &|what, anew, held| {
        t.clause(id::SEQ_0013);
        for (lhs, rhs) in [(anew, held), (held, anew), (anew, anew)] {
            let equal = t.structural_equal(lhs, rhs, false)?;
            t.eq(format_args!("whether {what} are structurally equal"), equal, true)?;
        }
        t.clause(id::SEQ_0007);
        t.eq(format_args!("the hash of {what}"), t.structural_hash(anew, false)?, t.structural_hash(held, false)?)
    })
}

/// Hands pairs of containers to a test, the first with objects that make what the objects in the other hold.
fn each_pair(t: &Trial, test: &dyn Fn(&str, &TVMFFIAny, &TVMFFIAny) -> Verdict) -> Verdict {
    let (kind, makes) = (anew_type(t)?, t.containers()?);
    for (make, count) in makes.iter().flat_map(|make| [1, 2, 3, 30].map(|count| (*make, count))) {
        let function = t.global(make)?;
        MAKE.store(function.handle(), Ordering::Release);
        let values = (0..count).map(|at| t.call(&function, &[view::int(at), view::int(at)]));
        let values = values.collect::<Verdict<Vec<_>>>()?;
        let anew: Vec<_> = (0..count).map(|at| node(kind, view::int(at), view::int(0))).collect();
        let held: Vec<_> = values.iter().map(|value| node(kind, value.any(), view::int(0))).collect();
        for around in &makes {
            let what = format!("{count} objects in {around} that make {make} and that hold it");
            let holding = |nodes: &[Homemade<Node>]| {
                t.container_of(around, &nodes.iter().map(Homemade::view).collect::<Vec<_>>())
            };
            let (anew, held) = (holding(&anew)?, holding(&held)?);
            test(&what, &anew.any(), &held.any())?;
        }
    }
    MAKE.store(null_mut(), Ordering::Release);
    Ok(())
}

/// A type of nodes of which only the first field is known, by a getter of its own.
fn anew_type(t: &Trial) -> Verdict<i32> {
    t.serve_callbacks();
    let index = types::new(t, "verify.MadeAnew");
    let field = TVMFFIFieldInfo { getter: Some(get_anew), ..types::field(b"first", kTVMFFIAny, 16, 24) };
    t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
    set_kind(t, index, kTVMFFISEqHashKindTreeNode)?;
    Ok(index)
}

/// The function that makes the values of fields.
static MAKE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// The getter of a field: the container that it holds, or a new one of the number that it holds.
unsafe extern "C" fn get_anew(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of a node, which nobody changes meanwhile.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        // SAFETY: as above, and where to write the value.
        return unsafe { get_any(field, result) };
    }
    let made = callback::api().and_then(|api| callback::call(api, MAKE.load(Ordering::Acquire), &[value, value]));
    let Some(made) = made else { return -1 };
    // SAFETY: as above.
    unsafe { result.write(made) };
    0
}
