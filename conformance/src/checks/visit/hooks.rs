//! Hooks of client types that visit or mutate their objects: as function objects, and as C functions.

use std::{
    ffi::c_void,
    sync::atomic::{AtomicI64, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    POST, PRE, add_hundred, answer_chosen, ask, choose, choose_value, counted, entries, fail, go_on, interrupt_at_once,
    map, note, saw, triples, walk,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{self, Body, raise},
        homemade::{release_weak, retain_weak},
        memory,
        model::Value,
        node::{changing_node_type, fields_of, node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// A hook as C clients write it: it is given the visitor or mutator and a value, and answers a value that may be an Error.
pub(super) type Native = unsafe extern "C" fn(*mut c_void, TVMFFIAny) -> TVMFFIAny;

/// A function in `__s_visit__` visits the parts of an object of its type, in every walk and visit, in either of its forms.
#[check(VIS_0042)]
fn visit_hook_visits_parts(t: &Trial) -> Verdict {
    let default = t.global("ffi.StructuralVisitorDefaultVisit")?;
    for (form, kind) in in_each_form(t, "__s_visit__", visit_second, native_visit_second)? {
        let other = node_type(t, &format!("verify.visit.Holder{form}"), TREE, [0, 0])?;
        for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            let hooked = node(kind, view::int(1), view::int(2));
            let holder = place.put(t, &hooked.view())?;
            let whole = node(other, holder.any(), view::float(0.5));
            for value in [holder.any(), whole.view()] {
                for order in [PRE, POST] {
                    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, note)])?, entries(t, &[])?);
                    let args = [value, callbacks.any(), none.any(), view::int(order)];
                    let answer = t.call_global("ffi.StructuralWalk", &args)?;
                    t.any_eq("the answer of a walk", &answer.any(), &TVMFFIAny::NONE)?;
                    met_second(t, &format!("a walk in order {order}, hook as {form}, {place:?}"))?;
                }
                let callbacks = entries(t, &[(kTVMFFIInt, note)])?;
                t.call_global("ffi.StructuralVisit", &[value, callbacks.any()])?;
                met_second(t, &format!("a visit, hook as {form}, {place:?}"))?;
            }
        }
        // A callback for the object itself, which has the visitor go on as by default.
        choose(&default);
        let hooked = node(kind, view::int(1), view::int(2));
        let callbacks = entries(t, &[(kind, go_on), (kTVMFFIInt, note)])?;
        t.call_global("ffi.StructuralVisit", &[hooked.view(), callbacks.any()])?;
        saw(t, &[&kind.to_string(), "2"])?;
    }
    Ok(())
}

/// Expects the second field to have been met, and not the first. Whether keys are met is for others to say.
fn met_second(t: &Trial, what: &str) -> Verdict {
    let seen = super::kit::take_seen();
    let count = |text: &str| seen.iter().filter(|seen| *seen == text).count();
    t.eq(format_args!("how often {what} has met 2"), count("2"), 1)?;
    t.eq(format_args!("how often {what} has met 1, which the hook does not visit"), count("1"), 0)
}

/// A function in `__s_visit__` answers None to go on, an interrupt to end the visit, or an Error that is its error.
#[check(VIS_0043)]
fn visit_hook_answers(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    let calls = |t: &Trial, value: TVMFFIAny| -> Verdict<Vec<Call>> {
        let mut all: Vec<Call> = Vec::new();
        for order in [PRE, POST] {
            let lists = [entries(t, &[(kTVMFFIInt, note)])?, entries(t, &[])?];
            let [some, none] = lists.each_ref().map(Owned::any);
            all.push(("ffi.StructuralWalk", vec![value, some, none, view::int(order)], lists));
        }
        let lists = [entries(t, &[(kTVMFFIInt, note)])?, entries(t, &[])?];
        all.push(("ffi.StructuralVisit", vec![value, lists[0].any()], lists));
        Ok(all)
    };
    for (form, kind) in in_each_form(t, "__s_visit__", answer_chosen, native_answer_chosen)? {
        let hooked = node(kind, view::int(1), view::int(2));
        let value = t.call_global("ffi.Array", &[hooked.view(), view::int(7)])?;
        for (name, args, _lists) in calls(t, value.any())? {
            choose_value(&TVMFFIAny::NONE);
            let answer = t.call_global(name, &args)?;
            t.any_eq(format_args!("the answer of {name}, hook as {form}"), &answer.any(), &TVMFFIAny::NONE)?;
            saw(t, &["7"])?;
            choose_value(&interrupt.any());
            let answer = t.call_global(name, &args)?;
            t.any_eq(format_args!("the answer of {name}, hook as {form}"), &answer.any(), &interrupt.any())?;
            saw(t, &[])?;
        }
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
    }
    for (form, kind) in in_each_form(t, "__s_visit__", fail, native_fail)? {
        let hooked = node(kind, view::int(1), view::int(2));
        let value = t.call_global("ffi.Array", &[hooked.view(), view::int(7)])?;
        let before = hooked.counts();
        for (name, args, _lists) in calls(t, value.any())? {
            let raised = t.refuses(name, &args, &["KeyError"]);
            drop(raised.map_err(|failure| failure.noting(format!("the hook is {form}")))?);
            super::kit::take_seen();
            t.eq(format_args!("counts of the object after {name}"), hooked.counts(), before)?;
        }
    }
    Ok(())
}

/// A function in `__s_mutate__` answers what its object becomes, the marker of an unchanged value, or an Error.
#[check(VIS_0044)]
fn mutate_hook_answers(t: &Trial) -> Verdict {
    let kinds = in_each_form(t, "__s_mutate__", answer_chosen, native_answer_chosen)?;
    let text = t.string(b"a text that is not short")?;
    for (form, kind) in kinds {
        for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            for answer in [view::float(0.5), TVMFFIAny::NONE, text.any(), TVMFFIAny::new(kTVMFFIUnchanged, 0)] {
                choose_value(&answer);
                let hooked = node(kind, view::int(1), view::int(2));
                let holder = place.put(t, &hooked.view())?;
                let expected = if answer.type_index == kTVMFFIUnchanged { hooked.view() } else { answer };
                for (name, changed) in changes(t, &holder)? {
                    let found = place.look(t, &changed.any())?;
                    t.any_eq(format_args!("what {name} has made, hook as {form}, {place:?}"), &found, &expected)?;
                    let kept = place.look(t, &holder.any())?;
                    t.any_eq(format_args!("the original after {name}, {place:?}"), &kept, &hooked.view())?;
                }
            }
        }
    }
    t.eq("counts of a text that was answered", t.counts(text.handle())?, (1, 1))?;
    for (form, kind) in in_each_form(t, "__s_mutate__", fail, native_fail)? {
        let hooked = node(kind, view::int(1), view::int(2));
        let value = t.call_global("ffi.List", &[hooked.view(), view::int(7)])?;
        let before = hooked.counts();
        for (name, args, _lists) in mutations(t, &value.any())? {
            let raised = t.refuses(name, &args, &["KeyError"]);
            drop(raised.map_err(|failure| failure.noting(format!("the hook is {form}")))?);
            t.eq(format_args!("counts of the object after {name}"), hooked.counts(), before)?;
        }
        super::kit::take_seen();
    }
    Ok(())
}

/// A function in `__s_maybe_inplace_mutate__` is called only for an object that is reached by nothing that others refer to.
#[check(VIS_0045)]
fn in_place_hook(t: &Trial) -> Verdict {
    const COPIED: i64 = 4711;
    let copy: Body = |_, _| Some(view::int(COPIED));
    for (form, kind) in in_each_form(t, "__s_maybe_inplace_mutate__", in_place, native_in_place)? {
        t.set_hook(kind, "__s_mutate__", &t.callback(copy)?.any())?;
        for place in [Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            for (call, shared) in (0..3).flat_map(|call| (0..3).map(move |shared| (call, shared))) {
                // The object, the container around it, or the List around that is what others refer to.
                let hooked = node(kind, view::int(1), view::int(2));
                let inner = place.put(t, &hooked.view())?;
                hooked.set_counts(if shared == 0 { 2 } else { 1 }, 1);
                let outer = t.call_global("ffi.List", &[inner.any()])?;
                let _holder = (shared == 1).then_some(inner);
                let mut slot = outer.handle();
                let mut outer = Some(outer);
                if shared != 2 {
                    // Its one reference is given away.
                    outer.take().map(Owned::into_any);
                }
                let list = TVMFFIAny::new(kTVMFFIList, slot as u64);
                let (name, mut args, _lists) = mutations(t, &list)?.swap_remove(call);
                if shared != 2 {
                    args[0] = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut slot) as u64);
                }
                let changed = t.call_global(name, &args)?;
                let _rest = (shared != 2 && !slot.is_null()).then(|| t.own(list));
                let found = place.look(t, &t.element(changed.handle(), 0)?)?;
                let what = ["the object", "its container", "the List around that"][shared];
                t.any_eq(
                    format_args!("what {name} has made where {what} has another owner, hook as {form}, {place:?}"),
                    &found,
                    &view::int(COPIED),
                )?;
            }
        }
        t.eq("calls of the hook for what others refer to", IN_PLACE.swap(0, Ordering::AcqRel), 0)?;
    }
    Ok(())
}

/// A function in `__s_maybe_inplace_mutate__` is not called for an object while somebody holds a weak reference to it, or to a container by
/// which it is reached.
#[check(VIS_0045)]
fn in_place_hook_beside_weak_references(t: &Trial) -> Verdict {
    const COPIED: i64 = 4711;
    let copy: Body = |_, _| Some(view::int(COPIED));
    for (form, kind) in in_each_form(t, "__s_maybe_inplace_mutate__", in_place, native_in_place)? {
        t.set_hook(kind, "__s_mutate__", &t.callback(copy)?.any())?;
        for place in [Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            for (call, referred) in (0..3).flat_map(|call| (0..3).map(move |referred| (call, referred))) {
                // The object, the container around it, or the List around that.
                let hooked = node(kind, view::int(1), view::int(2));
                let inner = place.put(t, &hooked.view())?;
                hooked.set_counts(1, 1);
                let outer = t.call_global("ffi.List", &[inner.any()])?;
                let object = [hooked.handle(), inner.handle(), outer.handle()][referred];
                retain_weak(object);
                drop(inner);
                // The one reference to each is the next one's, and the last is given away.
                let mut slot = outer.handle();
                let list = outer.into_any();
                let (name, mut args, _lists) = mutations(t, &list)?.swap_remove(call);
                args[0] = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut slot) as u64);
                let changed = t.call_global(name, &args)?;
                let _rest = (!slot.is_null()).then(|| t.own(list));
                let found = place.look(t, &t.element(changed.handle(), 0)?)?;
                let what = ["the object", "its container", "the List around that"][referred];
                t.any_eq(
                    format_args!("what {name} has made with a weak reference to {what}, hook as {form}, {place:?}"),
                    &found,
                    &view::int(COPIED),
                )?;
                release_weak(object);
            }
        }
        t.eq("calls of the hook beside weak references", IN_PLACE.swap(0, Ordering::AcqRel), 0)?;
    }
    Ok(())
}

/// What maps and a mutation in which no callback matches make of a value that its owner keeps.
fn changes(t: &Trial, value: &Owned) -> Verdict<Vec<(&'static str, Owned)>> {
    let calls = mutations(t, &value.any())?.into_iter();
    calls.map(|(name, args, _lists)| Ok((name, t.call_global(name, &args)?))).collect()
}

/// A call of a function: its name, its arguments, and what owns them.
type Call = (&'static str, Vec<TVMFFIAny>, [Owned; 2]);

/// Calls that change a value where no callback matches.
fn mutations(t: &Trial, value: &TVMFFIAny) -> Verdict<Vec<Call>> {
    let mut all: Vec<Call> = Vec::new();
    for order in [PRE, POST] {
        let lists = [entries(t, &[(kTVMFFIDevice, add_hundred)])?, entries(t, &[])?];
        let [some, none] = lists.each_ref().map(Owned::any);
        all.push(("ffi.StructuralMap", vec![*value, some, none, view::int(order)], lists));
    }
    let lists = [triples(t, &[(kTVMFFIDevice, add_hundred)])?, entries(t, &[])?];
    all.push(("ffi.StructuralMutate", vec![*value, lists[0].any()], lists));
    Ok(all)
}

/// A callback of a map behind the parts is chosen by what the parts have made of the value.
#[check(VIS_0048)]
fn post_order_chooses_by_what_became(t: &Trial) -> Verdict {
    for (form, kind) in in_each_form(t, "__s_mutate__", answer_chosen, native_answer_chosen)? {
        choose_value(&view::int(7));
        let hooked = node(kind, view::int(1), view::int(2));
        for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            let holder = place.put_before(t, &hooked.view(), 0)?;
            let mapped = map(t, &holder, &[(kind, fail), (kTVMFFIInt, add_hundred)], POST)?;
            let what = format!("what a map in post order has made, hook as {form}, {place:?}");
            t.any_eq(what, &place.look(t, &mapped.any())?, &view::int(107))?;
            saw(t, &[])?;
        }
        choose_value(&TVMFFIAny::new(kTVMFFIUnchanged, 0));
        let array = t.call_global("ffi.Array", &[hooked.view()])?;
        let mapped = map(t, &array, &[(kTVMFFIInt, fail), (kind, super::kit::replace)], POST)?;
        t.eq(
            "what became of an unchanged object",
            Value::read(t, &mapped.any())?,
            Value::Array(vec![Value::Int(4711)]),
        )?;
    }
    Ok(())
}

/// An interrupt of a callback within a hook ends the whole visit.
#[check(VIS_0043)]
fn interrupted_within_a_hook(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    for (form, kind) in in_each_form(t, "__s_visit__", visit_second, native_visit_second)? {
        let hooked = node(kind, view::int(1), view::int(2));
        let value = t.call_global("ffi.Array", &[hooked.view(), view::int(7)])?;
        let callbacks = entries(t, &[(kTVMFFIInt, interrupt_at_once)])?;
        let answer = t.call_global("ffi.StructuralVisit", &[value.any(), callbacks.any()])?;
        t.any_eq(format_args!("the answer of a visit, hook as {form}"), &answer.any(), &interrupt.any())?;
        t.eq("calls of the callback", counted(), 1)?;
        drop(answer);
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
    }
    Ok(())
}

/// A function in `__s_visit__` or `__s_mutate__` that a type is given after one of its objects was walked, visited, mapped and mutated is
/// called from then on.
#[check(VIS_0042, VIS_0044)]
fn late_hooks(t: &Trial) -> Verdict {
    let columns: [(&str, &str, Body, Native); 2] = [
        ("__s_visit__", id::VIS_0042, visit_second, native_visit_second),
        ("__s_mutate__", id::VIS_0044, answer_chosen, native_answer_chosen),
    ];
    choose_value(&view::float(0.5));
    for (column, clause, body, native) in columns {
        let function = t.callback(body)?;
        for (form, hook) in
            [("a function object", function.any()), ("a C function", view::pointer(native as *mut c_void))]
        {
            let kind = changing_node_type(t, &format!("verify.visit.Late{column}, {form}"), TREE, [0, 0])?;
            let hooked = node(kind, view::int(1), view::int(2));
            let value = t.call_global("ffi.Array", &[hooked.view()])?;
            let callbacks = entries(t, &[(kTVMFFIInt, note)])?;
            let visit = || t.call_global("ffi.StructuralVisit", &[value.any(), callbacks.any()]);
            for order in [PRE, POST] {
                drop(walk(t, &value, &[(kTVMFFIInt, note)], order)?);
            }
            drop(visit()?);
            drop(changes(t, &value)?);
            super::kit::take_seen();
            t.set_hook(kind, column, &hook)?;
            t.clause(clause);
            if column == "__s_visit__" {
                drop(visit()?);
                met_second(t, &format!("a visit, hook as {form}"))?;
                for order in [PRE, POST] {
                    drop(walk(t, &value, &[(kTVMFFIInt, note)], order)?);
                    met_second(t, &format!("a walk in order {order}, hook as {form}"))?;
                }
            } else {
                for (name, changed) in changes(t, &value)? {
                    let found = t.element(changed.handle(), 0)?;
                    t.any_eq(format_args!("what {name} has made, hook as {form}"), &found, &view::float(0.5))?;
                }
            }
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// The hooks
// ---------------------------------------------------------------------------------------------------------------------

/// Two types with a hook in a column: one with a function object, and one with a C function.
pub(super) fn in_each_form(t: &Trial, column: &str, body: Body, native: Native) -> Verdict<[(&'static str, i32); 2]> {
    let at = TYPES.fetch_add(1, Ordering::AcqRel);
    let kind = |form: &str| node_type(t, &format!("verify.visit.Hooked{at}{form}"), TREE, [0, 0]);
    let kinds = [("a function object", kind("Object")?), ("a C function", kind("Native")?)];
    let hook = t.callback(body)?;
    for ((_, kind), hook) in kinds.iter().zip([hook.any(), view::pointer(native as *mut c_void)]) {
        t.set_hook(*kind, column, &hook)?;
    }
    Ok(kinds)
}

/// How many types there are.
static TYPES: AtomicI64 = AtomicI64::new(0);

/// Has the visitor visit the second field.
pub(super) fn visit_second(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [visitor, value] = args else {
        return raise(api, c"AssertionError", c"the hook takes a visitor and a value");
    };
    ask(api, "ffi.StructuralVisitorVisit", &[*visitor, fields_of(value)?.second])
}

/// How often [`in_place`] was called.
static IN_PLACE: AtomicI64 = AtomicI64::new(0);

/// Is counted, and answers 815.
fn in_place(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    IN_PLACE.fetch_add(1, Ordering::AcqRel);
    Some(view::int(815))
}

pub(super) unsafe extern "C" fn native_visit_second(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    natively(visit_second, visitor, value)
}

pub(super) unsafe extern "C" fn native_answer_chosen(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    natively(answer_chosen, mutator, value)
}

pub(super) unsafe extern "C" fn native_fail(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    natively(|api, _| raise(api, c"KeyError", c"by the hook"), visitor, value)
}

unsafe extern "C" fn native_in_place(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    natively(in_place, mutator, value)
}

/// What a body answers, or the error that it has raised, as a C function answers it.
fn natively(body: Body, engine: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    let Some(api) = callback::api() else { return TVMFFIAny::NONE };
    let type_index = memory::read(engine.cast::<TVMFFIObject>()).map_or(0, |header| header.type_index);
    let answer = body(api, &[TVMFFIAny::new(type_index, engine as u64), value]);
    answer.unwrap_or_else(|| TVMFFIAny::new(kTVMFFIError, api.take_raised() as u64))
}
