//! The algorithms on values of every kind, deep ones and circular ones.

mod depth;
mod equality;
mod errors;
mod hashes;
mod mutations;
mod properties;
mod walks;

use std::{
    ffi::c_void,
    ptr::{self, NonNull},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use proptest::prelude::*;
use rstest::rstest;
use tvm_ffi_spec::*;

use super::{
    equal::{self, Options},
    error_context,
    fixtures::*,
    hash, key,
    mutate::Mutator,
    visit::{Visitor, visit_sequence},
};
use crate::{
    border::{
        error::{Error, Result},
        error_object,
    },
    container::{array, list, map, sequence},
    function,
    object::{self, ObjectRef, Payload},
    reflection::{
        access_path::{self, AccessStep},
        structural_objects::{ErrorContext, StructuralVisitor, VisitErrorContext, VisitorVTable},
    },
    startup::globals::call_builtin,
    tensor,
    types::builtin_indices::STRUCTURAL_VISITOR,
    value::{
        any::{Any, AnyView},
        text,
    },
};

fn hashed(value: &Any) -> u64 {
    hash::hash(value.view(), false, false).unwrap()
}

fn hashed_mapping(value: &Any) -> u64 {
    hash::hash(value.view(), true, false).unwrap()
}

fn equals(lhs: &Any, rhs: &Any) -> bool {
    equal::equal(lhs.view(), rhs.view(), Options::default()).unwrap()
}

fn equals_mapping(lhs: &Any, rhs: &Any) -> bool {
    let options = Options { map_free_vars: true, ..Options::default() };
    equal::equal(lhs.view(), rhs.view(), options).unwrap()
}

/// The steps of a path, each as its kind and the repr of its key.
fn steps(path: &access_path::Path) -> Vec<(i32, String)> {
    let shown = |key: &Any| match key.view().as_str() {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => key.view().as_int().map_or("?".into(), |int| int.to_string()),
    };
    let step = |step: access_path::Step| {
        // SAFETY: the steps of a path are steps.
        let AccessStep { kind, key } = unsafe { step.data::<AccessStep>() }.clone();
        (kind, shown(&key))
    };
    access_path::steps(path).unwrap().into_iter().map(step).collect()
}

/// Where two values differ first, on either side.
fn mismatch(lhs: &Any, rhs: &Any) -> Option<[Vec<(i32, String)>; 2]> {
    let paths = equal::first_mismatch(lhs.view(), rhs.view(), Options::default()).unwrap();
    paths.map(|(lhs, rhs)| [steps(&lhs), steps(&rhs)])
}

fn message(error: Error) -> (String, String) {
    let object = error.into_object();
    let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    (text(object.kind()), text(object.message()))
}

fn call(name: &str, args: &[&Any]) -> Result<Any> {
    let args: Vec<_> = args.iter().map(|value| *value.view()).collect();
    call_builtin(name, &args)
}

/// Entries for callbacks: a function for values of a type.
fn callback(type_index: i32, body: impl Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static) -> Any {
    array_of([array_of([i64::from(type_index).into(), function::from_closure(body).into()])])
}

fn nothing() -> Any {
    array_of([])
}

fn float(value: f64) -> Any {
    // SAFETY: the value owns nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIFloat, value.to_bits())) }
}

fn dag_node() -> Any {
    DAG.make(1, 2).into()
}

fn variables() -> (Any, Any) {
    (VAR.make(1, text("x")).into(), VAR.make(1, text("y")).into())
}

/// Runs a walk over a value and tells what it has shown, integers only.
fn walked(root: &Any, order: i64) -> Vec<i64> {
    let seen = Arc::new(Mutex::new(vec![]));
    let shown = seen.clone();
    let callbacks = callback(kTVMFFIInt, move |args| {
        shown.lock().unwrap().push(args[0].as_int().unwrap());
        Ok(Any::NONE)
    });
    assert!(call("ffi.StructuralWalk", &[root, &callbacks, &nothing(), &order.into()]).unwrap().view().is_none());
    seen.lock().unwrap().clone()
}

fn same_object(lhs: &Any, rhs: &Any) -> bool {
    lhs.view().raw().payload() == rhs.view().raw().payload()
}

/// Gives a value up as the first argument of a function.
fn given_up(value: Any, name: &str, args: &[&Any]) -> Result<Any> {
    let mut handle = value.view().as_object().unwrap().into_handle();
    drop(value);
    let moved = TVMFFIAny { type_index: kTVMFFIObjectRValueRef, ..TVMFFIAny::new(0, (&raw mut handle).addr() as u64) };
    // SAFETY: the slot lives through the call.
    let mut all = vec![unsafe { AnyView::from_raw(&moved) }];
    all.extend(args.iter().map(|value| *value.view()));
    call_builtin(name, &all)
}

/// A callback that adds one to integers.
fn increment() -> Any {
    callback(kTVMFFIInt, |args| Ok((args[0].as_int().unwrap() + 1).into()))
}

fn mapped(root: &Any, callbacks: &Any, order: i64) -> Any {
    call("ffi.StructuralMap", &[root, callbacks, &nothing(), &order.into()]).unwrap()
}

fn context_of(error: Error) -> ErrorContext {
    let object = error.into_object();
    // SAFETY: the object is an error; the context is a reference of its own.
    unsafe { ObjectRef::from_borrowed(object.data::<TVMFFIErrorCell>().extra_context) }
        .and_then(ObjectRef::cast)
        .unwrap()
}

fn nested(around: fn(Any) -> Any, levels: usize) -> Any {
    (0..levels).fold(Any::from(1), |inner, _| around(inner))
}
