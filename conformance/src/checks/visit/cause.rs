//! Errors of callbacks that were caused by other errors.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{POST, PRE, entries, triples};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::Body,
        globals,
        node::{changing_node_type, node},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// The error that ends a walk, a visit, a map or a mutation has the kind, the message and the very cause of the callback's, whichever list
/// the callback is in, in either order, and wherever the value stands that it was called for.
#[check(VIS_0012, patient = 2)]
fn keeps_its_cause(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Caused", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let callbacks = [(kTVMFFIInt, raise_chosen as Body)];
    let (some, none, mutating) = (entries(t, &callbacks)?, entries(t, &[])?, triples(t, &callbacks)?);
    let places = [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let mut values = Vec::new();
    for (inner, outer) in places.iter().flat_map(|inner| places.map(|outer| (inner, outer))) {
        let held = outer.put(t, &inner.put(t, &view::int(7))?.any())?;
        let object = t.own(node(kind, view::float(0.5), held.any()).view());
        values.push((format!("{inner:?}, {outer:?}"), held));
        values.push((format!("{inner:?}, {outer:?}, in an object"), object));
    }
    for (place, value) in &values {
        let [value, some, none] = [value.any(), some.any(), none.any()];
        let mut calls = Vec::new();
        for (name, order) in
            ["ffi.StructuralWalk", "ffi.StructuralMap"].iter().flat_map(|name| [(*name, PRE), (*name, POST)])
        {
            calls.push((name, vec![value, some, none, view::int(order)]));
            calls.push((name, vec![value, none, some, view::int(order)]));
        }
        calls.push(("ffi.StructuralVisit", vec![value, some]));
        calls.push(("ffi.StructuralMutate", vec![value, mutating.any()]));
        for (number, (name, args)) in calls.iter().enumerate() {
            if globals::find(t, name)?.is_none() {
                continue;
            }
            let cause = t.new_error("ValueError", "the cause", "")?;
            let [kind, message] = ["KeyError", "by the callback"].map(|text| TVMFFIByteArray::new(text.as_bytes()));
            let mut error = null_mut();
            t.ok(t.api.TVMFFIErrorCreateWithCauseAndExtraContext(
                &kind,
                &message,
                &TVMFFIByteArray::EMPTY,
                cause.handle(),
                null_mut(),
                &mut error,
            ))?;
            let error = t.own_object("the error of the callback", error)?;
            CHOSEN.store(error.handle(), Ordering::Release);
            let raised = t.refuses(name, args, &["KeyError"])?;
            let what = format_args!("the error of {name}, call {number}, {place}");
            t.eq(format_args!("the message of {what}"), raised.message.as_str(), "by the callback")?;
            let cell: TVMFFIErrorCell = t.cell("error cell", raised.object.handle())?;
            t.eq(format_args!("the cause of {what}"), cell.cause_chain, cause.handle())?;
        }
    }
    Ok(())
}

/// The error that [`raise_chosen`] raises, which the check keeps alive.
static CHOSEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Raises the error that the check has chosen.
fn raise_chosen(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    api.TVMFFIErrorSetRaised(CHOSEN.load(Ordering::Acquire));
    None
}
