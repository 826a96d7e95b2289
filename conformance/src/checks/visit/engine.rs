//! What callbacks can ask of the visitor or the mutator that they are given.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    PRE, add_hundred, ask, choose, entries, interrupt_at_once, interrupt_at_two, note, remember_text as remember,
    sample, saw, triples, walk,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, raise},
        globals,
        homemade::release,
        model::Value,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

/// `ffi.StructuralVisitorVisit` has a visitor visit a value: callbacks are called for it, or what is in it is visited.
#[check(VIS_0035, VIS_0025)]
fn visitor_visits(t: &Trial) -> Verdict {
    let asks = (kTVMFFIArray, VISIT_CHOSEN);
    for (value, expected) in [
        (Value::Int(7), &["7"][..]),
        (Value::Map(vec![(Value::None, Value::Int(8))]), &["8"]),
        (Value::List(vec![Value::Int(9), Value::str("x"), Value::Int(10)]), &["9", "10"]),
        (Value::None, &[]),
    ] {
        let (chosen, whole) = (value.build(t)?, t.call_global("ffi.Array", &[view::int(1)])?);
        choose_value(&chosen);
        let callbacks = entries(t, &[asks, (kTVMFFIInt, note)])?;
        let answer = t.call_global("ffi.StructuralVisit", &[whole.any(), callbacks.any()])?;
        t.any_eq("the answer of the visit", &answer.any(), &TVMFFIAny::NONE)?;
        saw(t, expected)?;
    }
    let default: Body = |api, args| ask(api, "ffi.StructuralVisitorDefaultVisit", &[*args.get(1)?, chosen_value()]);
    let whole = t.call_global("ffi.Array", &[view::int(1)])?;
    let sevens = t.call_global("ffi.List", &[view::int(7), view::int(7)])?;
    choose_value(&sevens);
    for asks in [asks, (kTVMFFIArray, default)] {
        let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
        choose(&interrupt);
        let callbacks = entries(t, &[asks, (kTVMFFIInt, interrupt_at_once)])?;
        let answer = t.call_global("ffi.StructuralVisit", &[whole.any(), callbacks.any()])?;
        t.clause(id::VIS_0035);
        t.any_eq("the answer of a visit that was interrupted within", &answer.any(), &interrupt.any())?;
        drop(answer);
        t.clause(id::VIS_0025);
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
    }
    Ok(())
}

/// A visitor and a mutator tell the kind of region that they were put into for the time of a function, and its answer.
#[check(VIS_0036)]
fn region_for_a_time(t: &Trial) -> Verdict {
    for kind in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindSimple] {
        KINDS.iter().zip([kind, NOT_NESTED]).for_each(|(place, kind)| place.store(kind.into(), Ordering::Release));
        in_each_engine(t, |t, _| saw(t, &[&kind.to_string(), "4711", "0"]))?;
    }
    Ok(())
}

/// Within a pattern, a visitor and a mutator that are to be put into another kind of region stay in the pattern.
#[check(VIS_0036)]
fn region_within_a_pattern(t: &Trial) -> Verdict {
    for inner in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindSimple] {
        let kinds = [kTVMFFIDefRegionKindPattern, inner];
        KINDS.iter().zip(kinds).for_each(|(place, kind)| place.store(kind.into(), Ordering::Release));
        in_each_engine(t, |t, _| saw(t, &["1", "1", "4711", "1", "4711", "0"]))?;
    }
    Ok(())
}

/// A visitor and a mutator that were put into a region within another are back in that other one afterwards.
#[check(VIS_0036)]
fn region_within_a_region(t: &Trial) -> Verdict {
    for outer in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindSimple] {
        for inner in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindSimple, kTVMFFIDefRegionKindPattern] {
            let kinds = [outer, inner];
            KINDS.iter().zip(kinds).for_each(|(place, kind)| place.store(kind.into(), Ordering::Release));
            let [outer, inner] = kinds.map(|kind| kind.to_string());
            in_each_engine(t, |t, _| saw(t, &[&outer, &inner, "4711", &outer, "4711", "0"]))?;
        }
    }
    Ok(())
}

/// A visitor and a mutator are back in their region after a function that fails, whose error they pass on.
#[check(VIS_0036)]
fn region_after_failure(t: &Trial) -> Verdict {
    KINDS.iter().zip([kTVMFFIDefRegionKindSimple, FAILS]).for_each(|(place, kind)| {
        place.store(kind.into(), Ordering::Release);
    });
    in_each_engine(t, |t, failed| {
        t.eq("whether the whole failed, whose callback took the error", failed, false)?;
        saw(t, &["2", "failed", "0"])
    })
}

/// A visitor and a mutator whose function fails in a region within another are back in that other one.
#[check(VIS_0036)]
fn region_after_failure_within_a_region(t: &Trial) -> Verdict {
    for outer in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindSimple, kTVMFFIDefRegionKindPattern] {
        for (place, kind) in KINDS.iter().zip([outer, FAILS_WITHIN]) {
            place.store(kind.into(), Ordering::Release);
        }
        let outer = outer.to_string();
        let inner = if outer == kTVMFFIDefRegionKindPattern.to_string() { "1" } else { "2" };
        in_each_engine(t, |t, _| saw(t, &[&outer, inner, "failed", &outer, "4711", "0"]))?;
    }
    Ok(())
}

/// `ffi.StructuralMutatorMutate` answers what a mutator makes of a value, and `ffi.StructuralMutatorDefaultMutate` of a
/// value in which it has mutated everything.
#[check(VIS_0037)]
fn mutator_mutates(t: &Trial) -> Verdict {
    let value = Value::List(vec![Value::Int(1), Value::Array(vec![Value::Int(2)]), Value::str("x")]);
    let expected = Value::List(vec![Value::Int(101), Value::Array(vec![Value::Int(102)]), Value::str("x")]);
    let go_on: Body = |api, args| ask(api, "ffi.StructuralMutatorDefaultMutate", &[*args.get(1)?, *args.first()?]);
    let original = value.build(t)?;
    for callbacks in [
        vec![(kTVMFFIList, go_on), (kTVMFFIArray, go_on), (kTVMFFIInt, add_hundred as Body)],
        vec![(kTVMFFIArray, go_on), (kTVMFFIInt, add_hundred)],
    ] {
        let callbacks = triples(t, &callbacks)?;
        let mutated = t.call_global("ffi.StructuralMutate", &[original.any(), callbacks.any()])?;
        t.eq("the mutated value", Value::read(t, &mutated.any())?, expected.clone())?;
        t.eq("the original", Value::read(t, &original.any())?, value.clone())?;
    }
    // The mutation of a text is the mutation of another value, which the check has chosen.
    let elsewhere: Body = |api, args| ask(api, "ffi.StructuralMutatorMutate", &[*args.get(1)?, chosen_value()]);
    let seven = t.own(view::int(7));
    choose_value(&seven);
    let callbacks = triples(t, &[(kTVMFFIStr, elsewhere), (kTVMFFIInt, add_hundred)])?;
    let mutated = t.call_global("ffi.StructuralMutate", &[original.any(), callbacks.any()])?;
    let expected = Value::List(vec![Value::Int(101), Value::Array(vec![Value::Int(102)]), Value::Int(107)]);
    t.eq("the value of which a text became another", Value::read(t, &mutated.any())?, expected)
}

/// A value that only the client holds, and that a callback has the mutator mutate, or mutate all that is in it, stays as it was with all that is
/// in it, whatever is changed in the answer.
#[check(VIS_0037, VIS_0019)]
fn mutated_elsewhere_stays(t: &Trial) -> Verdict {
    type Hold = fn(Value) -> Value;
    const HOLDS: [Hold; 4] = [
        |value| Value::Array(vec![value]),
        |value| Value::List(vec![value]),
        |value| Value::Map(vec![(Value::None, value)]),
        |value| Value::Dict(vec![(Value::None, value)]),
    ];
    const DOORS: [(&str, Body); 2] = [
        ("ffi.StructuralMutatorMutate", |api, args| {
            ask(api, "ffi.StructuralMutatorMutate", &[*args.get(1)?, chosen_value()])
        }),
        ("ffi.StructuralMutatorDefaultMutate", |api, args| {
            ask(api, "ffi.StructuralMutatorDefaultMutate", &[*args.get(1)?, chosen_value()])
        }),
    ];
    let whole = t.call_global("ffi.Array", &[view::c_str(c"a text that becomes another value")])?;
    for (door, mutate) in DOORS {
        let callbacks = triples(t, &[(kTVMFFIStr, mutate), (kTVMFFIInt, add_hundred)])?;
        for (outer, inner) in HOLDS.iter().flat_map(|outer| HOLDS.map(|inner| (outer, inner))) {
            let [value, expected] = [2, 102].map(|number| outer(inner(Value::Int(number))));
            let chosen = value.build(t)?;
            choose_value(&chosen);
            t.clause(id::VIS_0037);
            let mutated = t.call_global("ffi.StructuralMutate", &[whole.any(), callbacks.any()])?;
            let found = Value::read(t, &t.element(mutated.handle(), 0)?)?;
            t.eq(format_args!("what {door} has made of {value:?}"), found, expected)?;
            t.clause(id::VIS_0019);
            let left = Value::read(t, &chosen.any())?;
            t.eq(format_args!("what {door} has left of a value that the client holds"), left, value)?;
        }
    }
    Ok(())
}

/// Callbacks may be listed with an integer for a boolean, with a boolean for an integer, and in a List; the caller's list
/// stays as it was.
#[check(ARG_0014)]
fn callbacks_of_other_forms(t: &Trial) -> Verdict {
    let value = Value::List(vec![Value::Int(1), Value::Array(vec![Value::Int(2)])]).build(t)?;
    // The answer tells how many arguments an entry has asked for.
    let function = t.callback(|_, args| Some(view::int(args.len() as i64)))?;
    let integers = view::int(kTVMFFIInt.into());
    let mutate = |make: &str, entry: [TVMFFIAny; 3]| -> Verdict<_> {
        let entries = t.call_global("ffi.Array", &entry)?;
        let callbacks = t.call_global(make, &[entries.any()])?;
        let answer = t.answer("ffi.StructuralMutate", &[value.any(), callbacks.any()])?;
        for (item, given) in t.sequence(entries.handle())?.items.iter().zip(&entry) {
            t.any_eq("what stands in the caller's list", item, given)?;
        }
        Ok(match answer {
            Ok(mutated) => Ok(Value::read(t, &mutated.any())?),
            Err(raised) => Err(raised.kind),
        })
    };
    for (flag, others) in [(false, &[0][..]), (true, &[1, -3, 1 << 32])] {
        let expected = mutate("ffi.Array", [integers, function.any(), view::bool(flag)])?;
        for entry in others.iter().map(|&other| [integers, function.any(), view::int(other)]) {
            t.eq("what comes of an integer for a boolean", mutate("ffi.Array", entry)?, expected.clone())?;
        }
        // The type of integers has the index 1.
        let entry = [view::bool(true), function.any(), view::bool(flag)];
        t.eq("what comes of a boolean for an integer", mutate("ffi.Array", entry)?, expected.clone())?;
        t.eq("what comes of a List of callbacks", mutate("ffi.List", entry)?, expected)?;
    }
    Ok(())
}

/// The sequences in which callbacks are listed, and their entries, stay as they were, whichever function takes them, whatever of them has to be
/// converted or refused, and whoever holds them.
#[check(ARG_0014)]
fn callbacks_stay_as_they_were(t: &Trial) -> Verdict {
    let value = t.call_global("ffi.Array", &[view::int(1)])?;
    let function = t.callback(|_, args| args.first().copied())?;
    let (function, none) = (function.any(), t.call_global("ffi.Array", &[])?);
    let sequences = ["ffi.Array", "ffi.List"];
    for index in [view::int(kTVMFFIInt.into()), view::bool(true), view::float(1.0), view::c_str(c"no index")] {
        for (((inner, outer), more), alone) in sequences
            .iter()
            .flat_map(|inner| sequences.map(|outer| (inner, outer)))
            .flat_map(|kinds| [None, Some(view::bool(false)), Some(view::int(1))].map(|more| (kinds, more)))
            .flat_map(|form| [true, false].map(|alone| (form, alone)))
        {
            let (Some(inner), Some(outer)) = (globals::find(t, inner)?, globals::find(t, outer)?) else { continue };
            let entry = t.call(&inner, &[vec![index, function], Vec::from_iter(more)].concat())?;
            let list = t.call(&outer, &vec![entry.any(); if alone { 1 } else { 2 }])?;
            let (handle, _others) = (entry.handle(), (!alone).then_some(entry));
            let content = || -> Verdict<Vec<_>> {
                let both = [t.sequence(list.handle())?.items, t.sequence(handle)?.items];
                Ok(both.concat().iter().map(TVMFFIAny::to_bytes).collect())
            };
            let before = content()?;
            let (value, list, none) = (value.any(), list.any(), none.any());
            let calls: [(&str, &[TVMFFIAny]); 6] = [
                ("ffi.StructuralWalk", &[value, list, none, view::int(PRE)]),
                ("ffi.StructuralWalk", &[value, none, list, view::int(PRE)]),
                ("ffi.StructuralMap", &[value, list, none, view::int(PRE)]),
                ("ffi.StructuralMap", &[value, none, list, view::int(PRE)]),
                ("ffi.StructuralVisit", &[value, list]),
                ("ffi.StructuralMutate", &[value, list]),
            ];
            for (name, args) in calls {
                if let Some(function) = globals::find(t, name)? {
                    drop(t.answer_of(function.handle(), args)?);
                    t.eq(
                        format_args!("what stands in the list and its entry after {name}"),
                        content()?,
                        before.clone(),
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// A mutator tells None of a variable until it is told a replacement, which then stands in every later use.
#[check(VIS_0038)]
fn replacements(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let [used, other] = [(); 2].map(|()| node(kind, view::int(1), view::int(2)));
    for replacement in [Value::Int(5), Value::str("a text that is not short"), Value::List(vec![Value::Int(6)])] {
        let replacement = replacement.build(t)?;
        let (variable, before) = (t.call_global("ffi.Array", &[used.view(), replacement.any()])?, used.counts());
        choose_value(&variable);
        // The integer comes first, and with it the replacement.
        let value = t.call_global("ffi.Array", &[used.view(), view::int(1), used.view(), other.view(), used.view()])?;
        let callbacks = triples(t, &[(kTVMFFIInt, remap)])?;
        let mutated = t.call_global("ffi.StructuralMutate", &[value.any(), callbacks.any()])?;
        saw(t, &["None", "told", "the same", "refused"])?;
        let items = t.sequence(mutated.handle())?.items;
        let expected = [used.view(), view::int(1), replacement.any(), other.view(), replacement.any()];
        for (at, (item, expected)) in items.iter().zip(&expected).enumerate() {
            t.any_eq(format_args!("element {at} of the mutated value"), item, expected)?;
        }
        drop((mutated, value));
        t.eq("counts of the variable afterwards", used.counts(), before)?;
    }
    Ok(())
}

/// A mutator that takes another replacement for a variable tells the later one, which then stands in every later use.
#[check(VIS_0038)]
fn later_replacements(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let used = node(kind, view::int(1), view::int(2));
    let all = [Value::Int(5), Value::Int(6), Value::str("a text that is not short"), Value::List(vec![Value::Int(6)])];
    for (first, second) in all.iter().flat_map(|first| all.iter().map(move |second| (first, second))) {
        let (first, second) = (first.build(t)?, second.build(t)?);
        let chosen = t.call_global("ffi.Array", &[used.view(), first.any(), second.any()])?;
        choose_value(&chosen);
        let before = used.counts();
        let is_object = |value: &&Owned| value.any().type_index >= kTVMFFIStaticObjectBegin;
        let objects = || [&first, &second].into_iter().filter(is_object).map(|value| t.counts(value.handle()));
        let counts = objects().collect::<Verdict<Vec<_>>>()?;
        let value = t.call_global("ffi.Array", &[view::int(1), used.view(), used.view()])?;
        let callbacks = triples(t, &[(kTVMFFIInt, remap_again)])?;
        let mutated = t.call_global("ffi.StructuralMutate", &[value.any(), callbacks.any()])?;
        saw(t, &["the one that was taken last"])?;
        // A mutator may refuse it, as long as it says so.
        let expected = if SECOND_TAKEN.load(Ordering::Acquire) { second.any() } else { first.any() };
        for at in [1, 2] {
            t.any_eq("what stands for the variable", &t.element(mutated.handle(), at)?, &expected)?;
        }
        drop((mutated, value));
        t.eq("counts of the variable afterwards", used.counts(), before)?;
        t.eq("counts of the replacements afterwards", objects().collect::<Verdict<Vec<_>>>()?, counts)?;
    }
    Ok(())
}

/// A walk that a callback of another walk begins, and that is interrupted, ends by itself alone.
#[check(VIS_0003, VIS_0011)]
fn walk_within_a_walk(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    let (value, none) = (sample().build(t)?, entries(t, &[])?);
    let callbacks = entries(t, &[(kTVMFFIInt, interrupt_at_two)])?;
    let inner = t.call_global("ffi.Array", &[value.any(), callbacks.any(), none.any()])?;
    choose_value(&inner);
    let outer = t.call_global("ffi.Array", &[view::int(7), view::int(8)])?;
    let answer = walk(t, &outer, &[(kTVMFFIInt, walk_inside)], PRE)?;
    saw(t, &["1", "2", "interrupted", "1", "2", "interrupted"])?;
    t.type_index_eq("type_index of the outer walk's answer", answer.any().type_index, kTVMFFINone)
}

/// Walks through the chosen value with the chosen callbacks, and goes on.
fn walk_inside(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let at = |index| ask(api, "ffi.ArrayGetItem", &[chosen_value(), view::int(index)]);
    let args = [at(0)?, at(1)?, at(2)?];
    let answer = ask(api, "ffi.StructuralWalk", &[args[0], args[1], args[2], view::int(PRE)])?;
    remember(if answer.type_index == kTVMFFIVisitInterrupt { "interrupted" } else { "not interrupted" });
    for value in args.into_iter().chain([answer]) {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            release(value.payload() as TVMFFIObjectHandle);
        }
    }
    Some(TVMFFIAny::NONE)
}

/// Whether the mutator took the second replacement for a variable.
static SECOND_TAKEN: AtomicBool = AtomicBool::new(false);

/// Has the mutator be told two replacements of the chosen variable, one after the other, and tell the last that it took.
fn remap_again(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [value, mutator] = args else { return None };
    let at = |index| ask(api, "ffi.ArrayGetItem", &[chosen_value(), view::int(index)]);
    let (variable, first, second) = (at(0)?, at(1)?, at(2)?);
    let set = |replacement| ask(api, "ffi.StructuralMutatorVarRemapSet", &[*mutator, variable, replacement]);
    set(first)?;
    let taken = set(second).is_some();
    SECOND_TAKEN.store(taken, Ordering::Release);
    if !taken {
        release(api.take_raised());
    }
    let found = ask(api, "ffi.StructuralMutatorVarRemapGet", &[*mutator, variable])?;
    let expected = if taken { second } else { first };
    remember(if found.to_bytes() == expected.to_bytes() { "the one that was taken last" } else { "another" });
    for value in [variable, first, second, found] {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            release(value.payload() as TVMFFIObjectHandle);
        }
    }
    Some(*value)
}

/// Has the mutator tell of the chosen variable, be told its replacement, and tell again.
fn remap(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [value, mutator] = args else { return None };
    let at = |index| ask(api, "ffi.ArrayGetItem", &[chosen_value(), view::int(index)]);
    let (variable, replacement) = (at(0)?, at(1)?);
    let get = |variable| ask(api, "ffi.StructuralMutatorVarRemapGet", &[*mutator, variable]);
    remember(if get(variable)?.type_index == kTVMFFINone { "None" } else { "something" });
    let answer = ask(api, "ffi.StructuralMutatorVarRemapSet", &[*mutator, variable, replacement])?;
    remember(if answer.type_index == kTVMFFINone { "told" } else { "answered" });
    let found = get(variable)?;
    remember(if found.to_bytes() == replacement.to_bytes() { "the same" } else { "another" });
    let refused = ask(api, "ffi.StructuralMutatorVarRemapSet", &[*mutator, view::int(1), view::int(2)]).is_none();
    remember(if refused { "refused" } else { "taken" });
    if refused {
        release(api.take_raised());
    }
    for value in [variable, replacement, found] {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            release(value.payload() as TVMFFIObjectHandle);
        }
    }
    Some(*value)
}

// ---------------------------------------------------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------------------------------------------------

/// Has the visitor visit the value that the check has chosen.
const VISIT_CHOSEN: Body = |api, args| ask(api, "ffi.StructuralVisitorVisit", &[*args.get(1)?, chosen_value()]);

/// The kinds of region that [`enter`] puts the engine into, the second within the first.
static KINDS: [AtomicI64; 2] = [AtomicI64::new(0), AtomicI64::new(0)];
/// In the place of the second kind: there is none.
const NOT_NESTED: i32 = -1;
/// In the place of the second kind: the function fails.
const FAILS: i32 = -2;
/// In the place of the second kind: it is simple, and the function fails in it.
const FAILS_WITHIN: i32 = -3;

/// The visitor or mutator, for functions that are given nothing.
static ENGINE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The value that the check has chosen, which it keeps alive.
static VALUE: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

fn choose_value(value: &Owned) {
    *VALUE.lock().unwrap_or_else(PoisonError::into_inner) = value.any();
}

fn chosen_value() -> TVMFFIAny {
    *VALUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn engine() -> TVMFFIAny {
    let engine = ENGINE.load(Ordering::Acquire).cast::<TVMFFIObject>();
    // SAFETY: the visitor or mutator whose callback is running.
    TVMFFIAny::new(unsafe { (*engine).type_index }, engine as u64)
}

/// Runs a visit and a mutation in which a callback [enters](enter) the chosen kinds of region, and looks at what they saw
/// and at whether they failed.
fn in_each_engine(t: &Trial, look: impl Fn(&Trial, bool) -> Verdict) -> Verdict {
    t.clause(id::VIS_0036);
    let visit: Body = |api, args| enter(api, args, "Visitor");
    let mutate: Body = |api, args| enter(api, args, "Mutator");
    for (name, callbacks) in [
        ("ffi.StructuralVisit", entries(t, &[(kTVMFFIInt, visit)])?),
        ("ffi.StructuralMutate", triples(t, &[(kTVMFFIInt, mutate)])?),
    ] {
        let function = t.callback(if name == "ffi.StructuralVisit" { within_visitor } else { within_mutator })?;
        choose_value(&function);
        let failed = t.answer(name, &[view::int(3), callbacks.any()])?.is_err();
        look(t, failed)?;
    }
    Ok(())
}

/// Puts the engine into the first kind of region, in which [`within`] runs, and asks for the kind afterwards.
fn enter(api: &Api, args: &[TVMFFIAny], engine: &str) -> Option<TVMFFIAny> {
    let [value, this, ..] = args else { return None };
    ENGINE.store(this.payload() as *mut c_void, Ordering::Release);
    put_into(api, engine, 0);
    note_kind(api, engine)?;
    Some(if engine == "Visitor" { TVMFFIAny::NONE } else { *value })
}

/// Has the engine run the chosen function in a kind of region, and notes what comes of it.
fn put_into(api: &Api, engine: &str, nesting: usize) {
    let kind = KINDS[nesting].load(Ordering::Acquire);
    let kind = view::int(if kind == i64::from(FAILS_WITHIN) { kTVMFFIDefRegionKindSimple.into() } else { kind });
    NESTING.store(nesting as i64, Ordering::Release);
    let name = format!("ffi.Structural{engine}WithDefRegionKind");
    match ask(api, &name, &[self::engine(), kind, chosen_value()]) {
        Some(answer) => remember(&(answer.payload() as i64).to_string()),
        None => {
            release(api.take_raised());
            remember("failed");
        }
    }
}

/// Which of [`KINDS`] the engine was put into last.
static NESTING: AtomicI64 = AtomicI64::new(0);

fn within_visitor(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    within(api, args, "Visitor")
}

fn within_mutator(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    within(api, args, "Mutator")
}

/// Notes the kind of region; then fails, or has the engine put into the second kind.
fn within(api: &Api, args: &[TVMFFIAny], engine: &str) -> Option<TVMFFIAny> {
    if !args.is_empty() {
        return raise(api, c"AssertionError", c"the function takes no arguments");
    }
    note_kind(api, engine)?;
    let second = KINDS[1].load(Ordering::Acquire);
    let is_within = NESTING.load(Ordering::Acquire) == 1;
    if second == i64::from(FAILS) || (second == i64::from(FAILS_WITHIN) && is_within) {
        return raise(api, c"KeyError", c"within a region");
    }
    if second != i64::from(NOT_NESTED) && NESTING.load(Ordering::Acquire) == 0 {
        put_into(api, engine, 1);
        note_kind(api, engine)?;
    }
    Some(view::int(4711))
}

fn note_kind(api: &Api, engine: &str) -> Option<()> {
    let kind = ask(api, &format!("ffi.Structural{engine}DefRegionKind"), &[self::engine()])?;
    remember(&(kind.payload() as i64).to_string());
    Some(())
}
