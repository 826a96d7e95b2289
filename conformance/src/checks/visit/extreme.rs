//! Cycles, depth, what is left behind, and calls that are refused.

use std::ptr::null_mut;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    EVERYTHING, POST, PRE, add_hundred, advance, count, counted, entries, fail, map, note, saw, triples, walk,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::return_none, extremes::DEEP, model::Value, view},
    trial::Trial,
};

/// A structural walk over a List or a Dict that contains itself ends, with an answer or an error.
#[check(VIS_0024)]
fn cycles_end(t: &Trial) -> Verdict {
    let none = entries(t, &[])?;
    t.each_cycle(|value, _| {
        [PRE, POST]
            .iter()
            .try_for_each(|order| t.returns("ffi.StructuralWalk", &[*value, none.any(), none.any(), view::int(*order)]))
    })
}

/// Values three hundred levels deep are walked and mapped.
#[check(VIS_0023)]
fn deep(t: &Trial) -> Verdict {
    let nested = t.nested("ffi.Array", 300, view::int(1))?;
    walk(t, &nested, &[(kTVMFFIInt, note)], POST)?;
    saw(t, &["1"])?;
    let mapped = map(t, &nested, &[(kTVMFFIInt, add_hundred)], PRE)?;
    walk(t, &mapped, &[(kTVMFFIInt, note)], POST)?;
    saw(t, &["101"])
}

/// A structural walk and a structural map give back every reference that they take.
#[check(VIS_0025)]
fn counts(t: &Trial) -> Verdict {
    let text = Value::str("a string on the heap").build(t)?;
    let value = t.call_global("ffi.Array", &[text.any(), view::int(1)])?;
    let before = t.counts(text.handle())?;
    walk(t, &value, &[(EVERYTHING, note)], PRE)?;
    drop(map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE)?);
    t.eq("the counts of the element", t.counts(text.handle())?, before)?;
    t.eq("the counts of the value", t.counts(value.handle())?, (1, 1))
}

/// Walks, visits, maps and mutations that a callback stops with an error give back every reference that they took.
#[check(VIS_0025)]
fn counts_after_error(t: &Trial) -> Verdict {
    let text = Value::str("a string on the heap").build(t)?;
    let none = entries(t, &[])?;
    for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let value = t.call_global(make, &[text.any(), view::int(1), view::int(2), text.any()])?;
        let before = t.counts(text.handle())?;
        for order in [PRE, POST] {
            for name in ["ffi.StructuralWalk", "ffi.StructuralMap"] {
                let callbacks = entries(t, &[(kTVMFFIInt, fail)])?;
                drop(t.refuses(name, &[value.any(), callbacks.any(), none.any(), view::int(order)], &["KeyError"])?);
                let counts = (t.counts(text.handle())?, t.counts(value.handle())?);
                t.eq(
                    format_args!("the counts of an element and of the {make} after {name}"),
                    counts,
                    (before, (1, 1)),
                )?;
            }
        }
        let callbacks = [entries(t, &[(kTVMFFIInt, fail)])?, triples(t, &[(kTVMFFIInt, fail)])?];
        for (name, callbacks) in ["ffi.StructuralVisit", "ffi.StructuralMutate"].into_iter().zip(&callbacks) {
            drop(t.refuses(name, &[value.any(), callbacks.any()], &["KeyError"])?);
            let counts = (t.counts(text.handle())?, t.counts(value.handle())?);
            t.eq(format_args!("the counts of an element and of the {make} after {name}"), counts, (before, (1, 1)))?;
        }
    }
    Ok(())
}

/// Structural walks and maps leave no memory behind.
#[check(VIS_0025)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::List(vec![Value::str("a string on the heap"), Value::Int(1)]).build(t)?;
    t.no_growth("walking and mapping", || {
        walk(t, &value, &[(kTVMFFIInt, advance)], PRE)?;
        map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE).map(drop)
    })
}

/// Structural walks, visits, maps and mutations with None in the place of a callback come back, with an answer or an error.
#[check(VIS_0026)]
fn no_callback(t: &Trial) -> Verdict {
    let entry = [view::int(kTVMFFIInt.into()), TVMFFIAny::NONE, view::bool(true)];
    let list = |entry: &[TVMFFIAny]| -> Verdict<Owned> {
        let entry = t.call_global("ffi.Array", entry)?;
        t.call_global("ffi.Array", &[entry.any()])
    };
    let (pairs, triples, none) = (list(&entry[..2])?, list(&entry)?, t.call_global("ffi.Array", &[])?);
    for (name, args) in [
        ("ffi.StructuralWalk", &[view::int(1), pairs.any(), none.any(), view::int(0)][..]),
        ("ffi.StructuralMap", &[view::int(1), pairs.any(), none.any(), view::int(0)]),
        ("ffi.StructuralVisit", &[view::int(1), pairs.any()]),
        ("ffi.StructuralMutate", &[view::int(1), triples.any()]),
    ] {
        t.returns(name, args)?;
    }
    Ok(())
}

/// Structural walks, visits, maps and mutations raise a TypeError for missing arguments, for those of another type, and for lists of
/// callbacks of which one has too few parts, too many, or another type.
#[check(VIS_0026)]
fn arguments(t: &Trial) -> Verdict {
    let callback = t.function(null_mut(), return_none, None)?;
    let pair = [view::int(kTVMFFIInt.into()), callback.any()];
    let triple = [pair[0], pair[1], view::bool(true)];
    for (name, callback, lists) in [
        ("ffi.StructuralWalk", &pair[..], 2),
        ("ffi.StructuralMap", &pair, 2),
        ("ffi.StructuralVisit", &pair, 1),
        ("ffi.StructuralMutate", &triple, 1),
    ] {
        let function = t.global(name)?;
        t.call_fails(&function, &[view::int(1)], &["TypeError"])?;
        let args = [view::int(1), view::int(2), view::int(3), view::int(4)];
        t.call_fails(&function, if lists == 2 { &args } else { &args[..2] }, &["TypeError"])?;
        let mut wrong = vec![t.own(view::int(5))];
        for parts in
            (0..callback.len()).map(|len| callback[..len].to_vec()).chain([[callback, &[view::int(1)]].concat()])
        {
            wrong.push(t.call_global("ffi.Array", &parts)?);
        }
        for place in 0..callback.len() {
            let mut parts = callback.to_vec();
            parts[place] = view::c_str(c"no part of a callback");
            wrong.push(t.call_global("ffi.Array", &parts)?);
        }
        let none = t.call_global("ffi.Array", &[])?;
        for (wrong, list) in wrong.iter().flat_map(|wrong| (0..lists).map(move |list| (wrong, list))) {
            let callbacks = t.call_global("ffi.Array", &[wrong.any()])?;
            let mut args = vec![view::int(1), none.any(), none.any(), view::int(0)];
            args[1 + list] = callbacks.any();
            t.call_fails(&function, if lists == 2 { &args } else { &args[..2] }, &["TypeError"])?;
        }
    }
    Ok(())
}

/// What stands twice far within a value, and not within itself, is walked, mapped and mutated as two parts that are alike.
#[check(VIS_0032, VIS_0018, VIS_0022)]
fn deep_and_shared(t: &Trial) -> Verdict {
    let none = entries(t, &[])?;
    let (met, more) = (entries(t, &[(kTVMFFIInt, count)])?, entries(t, &[(kTVMFFIInt, add_hundred)])?);
    let triples = triples(t, &[(kTVMFFIInt, add_hundred)])?;
    t.in_large_pages();
    for (make, around, levels) in DEEP {
        let [shared, apart] = t.deep_shared_and_apart(make, around, levels)?;
        for (clause, name, args) in [
            (id::VIS_0032, "ffi.StructuralWalk", vec![met.any(), none.any(), view::int(PRE)]),
            (id::VIS_0032, "ffi.StructuralWalk", vec![met.any(), none.any(), view::int(POST)]),
            (id::VIS_0018, "ffi.StructuralMap", vec![more.any(), none.any(), view::int(PRE)]),
            (id::VIS_0018, "ffi.StructuralMap", vec![more.any(), none.any(), view::int(POST)]),
            (id::VIS_0022, "ffi.StructuralMutate", vec![triples.any()]),
        ] {
            t.clause(clause);
            let come_to = |value: &Owned| -> Verdict<(Result<i32, String>, usize)> {
                let answer = t.answer(name, &[&[value.any()][..], &args].concat())?;
                let answer = answer.map(|answer| answer.any().type_index).map_err(|raised| raised.message);
                Ok((answer, counted()))
            };
            // How deep a value may be is for other clauses to say.
            let expected = come_to(&apart)?;
            if expected.0.is_ok() {
                let what =
                    format_args!("what {name} makes of {make} {around} deep with a part of {levels} levels twice");
                t.eq(what, come_to(&shared)?, expected)?;
            }
        }
    }
    Ok(())
}
