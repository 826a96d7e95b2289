//! Objects that occur several times in a value: a callback is called for each occurrence, and each has its own answer.

use std::{
    cell::Cell,
    sync::atomic::{AtomicI64, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{POST, PRE, entries};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, raise},
        homemade::retain,
        model::Value,
        node::{changing_node_type, node},
        view,
    },
    trial::Trial,
};

/// A structural map with one callback calls it for each occurrence of an object, beside each other or apart, in sequences, maps and fields, and what it
/// answers each time stands in that place, be it another answer each time or the object itself; where it fails, nothing follows.
#[check(VIS_0049, VIS_0018, VIS_0029, patient = 2)]
fn each_occurrence_by_one_callback(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (none, turn) = (entries(t, &[])?, Cell::new(0));
    each_value(t, |what, type_index, value, holder, count| {
        let list = |body: Body| entries(t, &[(type_index, body)]);
        let (numbering, keeping, failing) = (list(number)?, list(keep)?, list(fail_the_second_time)?);
        // In turn: each object is tried in both orders with either list.
        turn.set(turn.get() + 1);
        let turns = [[(PRE, false), (POST, true)], [(POST, false), (PRE, true)]];
        for (order, told) in turns[turn.get() % 2] {
            let come_to = |callbacks: &Owned| {
                CALLS.store(0, Ordering::Release);
                let [plain, other] = if told { [&none, callbacks] } else { [callbacks, &none] };
                t.answer("ffi.StructuralMap", &[value.any(), plain.any(), other.any(), view::int(order)])
            };
            let what = format!("a map in order {order} of {what}, region told: {told}");
            t.clause(id::VIS_0049);
            let Ok(mapped) = come_to(&numbering)? else {
                return Err(t.failure(&what, "an answer", "an error"));
            };
            t.eq(format_args!("calls of the callback in {what}"), calls(), count)?;
            t.clause(id::VIS_0018);
            // An answer that was put in twice, or not at all, is missing elsewhere.
            let text = t.outline(&mapped.any(), &[holder])?.text;
            for answer in FIRST..FIRST + count {
                let stands = text.split(' ').filter(|part| *part == format!("{kTVMFFIInt}:{answer:x}")).count();
                t.eq(format_args!("places of answer {} in {what}", answer - FIRST), stands, 1)?;
            }
            t.clause(id::VIS_0049);
            drop(come_to(&keeping)?);
            t.eq(format_args!("calls of a callback that keeps the value, in {what}"), calls(), count)?;
            t.clause(id::VIS_0029);
            let has_failed = come_to(&failing)?.is_err();
            t.eq(format_args!("whether {what} fails, where the callback fails the second time"), has_failed, true)?;
            t.eq(format_args!("calls of a callback that fails the second time, in {what}"), calls(), 2)?;
        }
        Ok(())
    })
}

/// A structural walk with one callback calls it for each occurrence of an object, beside each other or apart, in sequences, maps and fields.
#[check(VIS_0032)]
fn each_occurrence_is_walked(t: &Trial) -> Verdict {
    let none = entries(t, &[])?;
    each_value(t, |what, type_index, value, _, count| {
        let callbacks = entries(t, &[(type_index, advance)])?;
        for order in [PRE, POST] {
            for [plain, told] in [[&callbacks, &none], [&none, &callbacks]] {
                CALLS.store(0, Ordering::Release);
                t.call_global("ffi.StructuralWalk", &[value.any(), plain.any(), told.any(), view::int(order)])?;
                t.eq(format_args!("calls of the callback in a walk in order {order} of {what}"), calls(), count)?;
            }
        }
        Ok(())
    })
}

/// What is tried with a value: what it is, the type of the shared object, the value, the type of its nodes, and how often the object occurs.
type Try<'a> = &'a dyn Fn(&str, i32, &Owned, i32, i64) -> Verdict;

/// Tries objects of each kind at the places of each value.
fn each_value(t: &Trial, attempt: impl Fn(&str, i32, &Owned, i32, i64) -> Verdict) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Shared", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let holder = changing_node_type(t, "verify.visit.Holder", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let part = Value::float(0.5);
    let shared = [
        Value::List(vec![part.clone()]).build(t)?,
        Value::Dict(vec![(Value::Int(1), part.clone())]).build(t)?,
        t.own(node(kind, view::float(0.5), view::float(1.5)).view()),
        t.string(b"a text that is not short")?,
        t.bytes(b"bytes that are no few")?,
    ];
    shared.iter().try_for_each(|shared| places(t, holder, shared, &attempt))
}

/// Tries an object that has another type than all that is around it.
fn places(t: &Trial, holder: i32, shared: &Owned, attempt: Try<'_>) -> Verdict {
    let (one, number) = (shared.any(), view::float(2.5));
    let type_index = one.type_index;
    let sequences: [(&str, Vec<TVMFFIAny>, i64); 4] = [
        ("twice in a row", vec![one, one], 2),
        ("twice, apart", vec![one, number, number, one, number], 2),
        ("nine times", vec![one; 9], 9),
        ("five times among others", [[one, number]; 5].concat(), 5),
    ];
    let name = format!("an object of type {type_index}");
    let doors = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    // A callback is called for what is around it, too, where that has its type.
    let around = |make: &str| match make {
        "ffi.List" => type_index != kTVMFFIList,
        "ffi.Dict" => type_index != kTVMFFIDict,
        _ => true,
    };
    for make in doors.into_iter().filter(|make| around(make)) {
        for (how, items, count) in &sequences {
            let made = match make {
                "ffi.Array" | "ffi.List" => t.call_global(make, items)?,
                _ => {
                    let keyed = (0..).zip(items).flat_map(|(key, value)| [view::int(key), *value]);
                    t.call_global(make, &keyed.collect::<Vec<_>>())?
                }
            };
            attempt(&format!("{name}, {how} in {make}"), type_index, &made, holder, *count)?;
            // What holds it is shared itself.
            let around = t.call_global("ffi.Array", &[made.any(), number, made.any()])?;
            attempt(&format!("{name}, {how} in {make}, which is there twice"), type_index, &around, holder, 2 * count)?;
        }
    }
    let object = t.own(node(holder, one, one).view());
    attempt(&format!("{name} in two fields"), type_index, &object, holder, 2)?;
    let inner = t.call_global("ffi.Array", &[one])?;
    let map = t.call_global("ffi.Map", &[view::int(1), inner.any(), view::int(2), one])?;
    let mixed = t.call_global("ffi.Array", &[one, inner.any(), object.any(), map.any(), object.any(), one])?;
    attempt(&format!("{name} at top, deeper, in fields and in a map"), type_index, &mixed, holder, 9)
}

/// What the first call of [`number`] answers.
const FIRST: i64 = 0x1000;

static CALLS: AtomicI64 = AtomicI64::new(0);

/// How often a callback was called.
fn calls() -> i64 {
    CALLS.load(Ordering::Acquire)
}

/// Is counted, and answers another number each time.
fn number(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(view::int(FIRST + CALLS.fetch_add(1, Ordering::AcqRel)))
}

/// Is counted, and answers its argument.
fn keep(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLS.fetch_add(1, Ordering::AcqRel);
    let value = *args.first()?;
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}

/// Is counted, and fails when it is called for the second time.
fn fail_the_second_time(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    if calls() == 1 {
        CALLS.fetch_add(1, Ordering::AcqRel);
        return raise(api, c"KeyError", c"by the callback");
    }
    keep(api, args)
}

/// Is counted, and goes on.
fn advance(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLS.fetch_add(1, Ordering::AcqRel);
    Some(TVMFFIAny::NONE)
}
