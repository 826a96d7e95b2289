//! Calls that a function of a client's makes about the very objects that the call around it is looking at.

use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use super::kit::{TEXT, TREE, hooked, kept, numbers};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{Body, call},
        globals,
        node::{changing_node_type_with, copy_of, fields_of},
        view,
    },
    trial::Trial,
};

/// A call that a hook or a callback begins comes to what it comes to by itself, also where it is about the objects that the call around it is looking
/// at, or about parts of them, and whatever either of the two does: comparing, hashing, printing, copying, saving, walking, mapping.
#[check(HOK_0021, patient = 2)]
fn about_the_same_objects(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (calls, outer) = all_calls(t)?;
    let come_to = |call: &Call| t.come_to(t.answer_of(call.function.handle(), &call.args)?);
    let alone = calls.iter().map(come_to).collect::<Verdict<Vec<_>>>()?;
    for (at, outer) in calls[..outer].iter().enumerate() {
        // Each function within itself about all of it, and within the others in turn.
        let meets = |place: usize, inner: &Call| inner.name == outer.name || (at + place).is_multiple_of(3);
        for (place, inner) in calls.iter().enumerate().filter(|(place, inner)| meets(*place, inner)) {
            choose(Some(inner));
            let outcome = come_to(outer)?;
            choose(None);
            let what = format_args!("{}, within which {} is called", outer.what, inner.what);
            if let Some(came_to) = take_answer() {
                let answer = match came_to {
                    Ok(answer) => t.come_to(Ok(t.own(answer)))?,
                    Err(error) => {
                        let error = t.own(TVMFFIAny::new(kTVMFFIError, error as u64));
                        t.api.TVMFFIErrorSetRaised(error.handle());
                        t.come_to(Err(t.raises(-1, &[])?))?
                    }
                };
                let what = format_args!("what {} comes to within a hook of {}", inner.what, outer.what);
                t.eq(what, &answer, &alone[place])?;
            }
            t.eq(what, &outcome, &alone[at])?;
        }
    }
    Ok(())
}

/// What the first calls are about that are only made within others.
const INNER: &str = "two that differ, the other way round";

/// A call of a global function.
struct Call {
    name: String,
    what: String,
    function: Owned,
    args: Vec<TVMFFIAny>,
}

/// Calls about two values that differ behind a hook, about two that are equal, and about one that can be copied; and how many of them have hooks
/// that are called: behind those come calls about their parts. What they look at is kept for the life of the process.
fn all_calls(t: &Trial) -> Verdict<(Vec<Call>, usize)> {
    let (int, no, none) = (view::int, view::bool(false), TVMFFIAny::NONE);
    let same: Body = |_, args| answering(view::bool(order_of_seconds(args)? == 0));
    let order: Body = |_, args| answering(view::int(order_of_seconds(args)?));
    let five: Body = |_, _| answering(view::int(5));
    let text: Body = |_, _| answering(TEXT);
    let hooks = [
        ("__s_equal__", same),
        ("__s_hash__", five),
        ("__ffi_eq__", same),
        ("__ffi_compare__", order),
        ("__ffi_hash__", five),
        ("__ffi_repr__", text),
        ("__data_to_json__", five),
    ];
    let kind = hooked(t, "verify.same.Hooked", &hooks)?;
    let copied = changing_node_type_with(t, "verify.same.Copied", TREE, [0, 0], |_, args| {
        make_inner_call();
        copy_of(args)
    })?;
    let inner = if globals::find(t, "ffi.List")?.is_some() { "ffi.List" } else { "ffi.Array" };
    // The hook is asked in the midst of a value, before what differs.
    let before = t.call_global(inner, &[int(1)])?.into_any();
    let made = |node: TVMFFIAny, last: i64| -> Verdict<[TVMFFIAny; 2]> {
        let part = t.call_global(inner, &[int(1), int(last)])?.into_any();
        Ok([t.call_global("ffi.Array", &[int(7), before, node, part, part])?.into_any(), part])
    };
    let [first, second, third, greater] = [2, 2, 2, 3].map(|last| kept(numbers(kind, 1, last)));
    let to_copy = kept(numbers(copied, 1, 2));
    let ([one, part], [other, other_part], [twin, _]) = (made(first, 2)?, made(second, 3)?, made(third, 2)?);
    let [copy, _] = made(to_copy, 2)?;
    let mut calls = Vec::new();
    let mut add = |name: &str, of: &str, args: Vec<TVMFFIAny>| -> Verdict {
        let function = globals::find(t, name)?;
        calls.extend(function.map(|function| Call {
            name: name.to_owned(),
            what: format!("{name} of {of}"),
            function,
            args,
        }));
        Ok(())
    };
    let compare = |of: &str,
                   lhs: TVMFFIAny,
                   rhs: TVMFFIAny,
                   add: &mut dyn FnMut(&str, &str, Vec<TVMFFIAny>) -> Verdict|
     -> Verdict {
        for order in ["Eq", "Lt", "Le", "Gt", "Ge"] {
            add(&format!("ffi.Recursive{order}"), of, vec![lhs, rhs])?;
        }
        add("ffi.StructuralEqual", of, vec![lhs, rhs, no, no])?;
        add("ffi.GetFirstStructuralMismatch", of, vec![lhs, rhs, no, no])
    };
    compare("two that differ", one, other, &mut add)?;
    compare("two that are equal", one, twin, &mut add)?;
    compare("two objects that differ", first, greater, &mut add)?;
    compare("two objects that are equal", first, second, &mut add)?;
    add("ffi.RecursiveHash", "the first", vec![one])?;
    add("ffi.StructuralHash", "the first", vec![one, no, no])?;
    add("ffi.ReprPrint", "the first", vec![one])?;
    add("ffi.ToJSONGraphString", "the first", vec![one, none])?;
    add("ffi.RecursiveHash", "an object", vec![first])?;
    add("ffi.StructuralHash", "an object", vec![first, no, no])?;
    add("ffi.ReprPrint", "an object", vec![first])?;
    add("ffi.DeepCopy", "what can be copied", vec![copy])?;
    let plain = t.call_global("ffi.Array", &[int(7), before, part, part])?.into_any();
    walks(t, plain, &mut add)?;
    compare(INNER, other, one, &mut add)?;
    compare("two objects that differ, the other way round", greater, first, &mut add)?;
    compare("their parts that differ", part, other_part, &mut add)?;
    compare("the first and its part", one, part, &mut add)?;
    add("ffi.RecursiveHash", "the second", vec![other])?;
    add("ffi.ReprPrint", "a part", vec![part])?;
    add("ffi.DeepCopy", "a part", vec![part])?;
    add("ffi.ReprPrint", "what can be copied", vec![copy])?;
    let outer = calls.iter().position(|call| call.what.ends_with(INNER)).unwrap_or(calls.len());
    Ok((calls, outer))
}

/// Walks, visits, maps and mutations of a value, with a callback for integers that makes the inner call.
fn walks(t: &Trial, value: TVMFFIAny, add: &mut dyn FnMut(&str, &str, Vec<TVMFFIAny>) -> Verdict) -> Verdict {
    let callback = t.callback(|_, _| answering(TVMFFIAny::NONE))?.into_any();
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items).map(Owned::into_any);
    let (of_ints, none) = (view::int(kTVMFFIInt.into()), array(&[])?);
    let pairs = array(&[array(&[of_ints, callback])?])?;
    let triples = array(&[array(&[of_ints, callback, view::bool(false)])?])?;
    add("ffi.StructuralWalk", "some parts", vec![value, pairs, none, view::int(0)])?;
    add("ffi.StructuralMap", "some parts", vec![value, pairs, none, view::int(1)])?;
    add("ffi.StructuralVisit", "some parts", vec![value, pairs])?;
    add("ffi.StructuralMutate", "some parts", vec![value, triples])
}

/// The call that the next hook makes: an address and arguments that the check keeps.
static CHOSEN: Mutex<Option<(usize, Vec<TVMFFIAny>)>> = Mutex::new(None);
/// What it has come to: its answer, or the address of its error.
static CAME_TO: Mutex<Option<Result<TVMFFIAny, usize>>> = Mutex::new(None);

fn choose(call: Option<&Call>) {
    let chosen = call.map(|call| (call.function.handle() as usize, call.args.clone()));
    *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner) = chosen;
}

fn take_answer() -> Option<Result<TVMFFIAny, usize>> {
    CAME_TO.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Makes the chosen call, and none from then on: the same hook may be asked within it.
fn make_inner_call() {
    let chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (Some((function, args)), Some(api)) = (chosen, crate::client::callback::api()) else { return };
    let answer = call(api, function as *mut c_void, &args).ok_or_else(|| api.take_raised() as usize);
    *CAME_TO.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
}

/// The order of two nodes by their second fields.
fn order_of_seconds(args: &[TVMFFIAny]) -> Option<i64> {
    let second = |at: usize| Some(fields_of(args.get(at)?)?.second.payload());
    Some(second(0)?.cmp(&second(1)?) as i64)
}

/// Makes the chosen call, and answers this.
fn answering(value: TVMFFIAny) -> Option<TVMFFIAny> {
    make_inner_call();
    Some(value)
}
