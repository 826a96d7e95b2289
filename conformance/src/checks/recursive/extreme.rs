//! Cycles, depth, what is left behind, and calls that are refused.

use std::ptr::null_mut;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback::return_none, content::without_addresses, extremes::DEEP, model::Value,
        samples::Place, view,
    },
    trial::Trial,
};

/// Comparing, hashing and printing Lists and Dicts that contain themselves ends, with an answer or an error.
#[check(REC_0029)]
fn cycles_end(t: &Trial) -> Verdict {
    let orders = ["ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"];
    t.each_cycle(|lhs, rhs| {
        t.returns("ffi.RecursiveHash", &[*lhs])?;
        t.returns("ffi.ReprPrint", &[*lhs])?;
        t.returns("ffi.RecursiveEq", &[*lhs, *rhs])?;
        orders.iter().try_for_each(|name| t.returns(name, &[*lhs, *rhs]))
    })
}

/// Values three hundred levels deep are compared, copied and printed.
#[check(REC_0030)]
fn deep(t: &Trial) -> Verdict {
    let nested = || t.nested("ffi.List", 300, TVMFFIAny::NONE);
    let (lhs, rhs) = (nested()?, nested()?);
    let copy = t.call_global("ffi.DeepCopy", &[lhs.any()])?;
    for other in [&rhs, &copy] {
        let equal = t.call_global("ffi.RecursiveEq", &[lhs.any(), other.any()])?;
        t.any_eq("whether they are equal", &equal.any(), &view::bool(true))?;
    }
    let text = t.text(&t.call_global("ffi.ReprPrint", &[lhs.any()])?.any())?;
    t.eq("the length of the printed form", text.len(), 604)
}

/// Comparing, hashing, copying and printing a value of 10,000 levels ends, with an answer or an error.
#[check(REC_0031)]
fn far_too_deep(t: &Trial) -> Verdict {
    t.in_large_pages();
    let nested = t.nested("ffi.List", 10_000, TVMFFIAny::NONE)?;
    for function in ["ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint"] {
        t.returns(function, &[nested.any()])?;
    }
    let twin = t.nested("ffi.List", 10_000, TVMFFIAny::NONE)?;
    for function in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveGe"] {
        t.returns(function, &[nested.any(), twin.any()])?;
    }
    Ok(())
}

/// Comparing, hashing, copying and printing a Map whose key holds such a Map in a StructuralKey, 10,000 levels deep, ends, with an answer or an
/// error.
#[check(REC_0031)]
fn keys_in_keys_far_too_deep(t: &Trial) -> Verdict {
    t.in_large_pages();
    let keys = [t.keys_in_keys(10_000)?, t.keys_in_keys(10_000)?];
    let maps = [t.map_by(keys[0])?, t.map_by(keys[1])?];
    t.returns("ffi.RecursiveEq", &keys)?;
    for function in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveGe"] {
        t.returns(function, &maps)?;
    }
    for function in ["ffi.RecursiveHash", "ffi.DeepCopy"] {
        t.returns(function, &maps[..1])?;
    }
    // Who puts texts into texts takes quadratic time, which is slow and no failure.
    t.returns("ffi.ReprPrint", &[t.map_by(t.keys_in_keys(2_000)?)?])
}

/// The recursive hash of a value, what it is equal to, and its printed form are the same whoever else holds references, strong or weak, to what is
/// in it, in every container, and in an object that has two fields at one place.
#[check(REC_0004, REC_0011, REC_0037, patient = 2)]
fn whoever_holds_the_parts(t: &Trial) -> Verdict {
    let mut values = Vec::new();
    for (value, twin) in t.nested_values()?.into_iter().zip(t.nested_values()?) {
        values.push((value.what.clone(), value.objects(), [value.whole, twin.whole]));
    }
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
            let parts = [place.put(t, &view::int(1))?, place.put(t, &view::int(1))?];
            let wholes = parts.each_ref().map(|part| kind.holding(t, &part.any()));
            values.push((format!("{place:?} in {}", kind.what), vec![parts[0].any(), wholes[0].any()], wholes));
        }
    }
    let [equal, hash, print] = t.globals(["ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.ReprPrint"])?;
    for (what, objects, [value, twin]) in &values {
        for (clause, asked, function, args) in [
            (id::REC_0004, "whether its twin is equal", &equal, &[value.any(), twin.any()][..]),
            (id::REC_0011, "the recursive hash", &hash, &[value.any()]),
        ] {
            t.clause(clause);
            t.same_however_held(format_args!("{asked} of {what}"), objects, || {
                let answer = t.answer_of(function.handle(), args)?.ok();
                Ok(answer.map(|answer| (answer.any().type_index, answer.any().payload())))
            })?;
        }
        t.clause(id::REC_0037);
        t.same_however_held(format_args!("the printed form of {what}"), objects, || {
            let text = t.text(&t.call(&print, &[value.any()])?.any())?;
            Ok(without_addresses(&String::from_utf8_lossy(&text)))
        })?;
    }
    Ok(())
}

/// Circles of Lists and Dicts that are recursively equal have one recursive hash, however many containers they go through.
#[check(REC_0011)]
fn circles_of_one_hash(t: &Trial) -> Verdict {
    let none = TVMFFIAny::NONE;
    for make in t.containers()?.into_iter().filter(|make| matches!(*make, "ffi.List" | "ffi.Dict")) {
        let mut circles = Vec::new();
        for length in [1, 2, 3, 6] {
            let made = |_| match make {
                "ffi.List" => t.call_global(make, &[view::int(7), none]),
                _ => t.call_global(make, &[view::int(0), view::int(7), view::int(1), none]),
            };
            let all = (0..length).map(made).collect::<Verdict<Vec<_>>>()?;
            for (at, one) in all.iter().enumerate() {
                let next = &all[(at + 1) % length];
                t.call_global(&format!("{make}SetItem"), &[one.any(), view::int(1), next.any()])?;
            }
            circles.push((length, all));
        }
        let around = |circle: &(usize, Vec<Owned>)| t.call_global("ffi.Array", &[circle.1[0].any(), circle.1[0].any()]);
        let wholes = circles.iter().map(around).collect::<Verdict<Vec<_>>>()?;
        for (at, (length, circle)) in circles.iter().enumerate() {
            for (one, other, what) in
                [(&circles[0].1[0], &circle[0], "a circle"), (&wholes[0], &wholes[at], "what holds a circle twice")]
            {
                let equal = t.answer("ffi.RecursiveEq", &[one.any(), other.any()])?;
                let hash = |of: &Owned| t.answer("ffi.RecursiveHash", &[of.any()]);
                let (Ok(equal), Ok(first), Ok(second)) = (equal, hash(one)?, hash(other)?) else { continue };
                if equal.any().payload() != 0 {
                    let what = format_args!("the hash of {what} of {length} of {make}, which equals one of 1");
                    t.eq(what, second.any().payload(), first.any().payload())?;
                }
            }
        }
        for one in circles.iter().flat_map(|(_, circle)| circle) {
            t.call_global(&format!("{make}Clear"), &[one.any()])?;
        }
    }
    Ok(())
}

/// Comparing, hashing, copying and printing leave no memory behind, also on threads that end.
#[check(REC_0032, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::Map(vec![(Value::str("a string on the heap"), Value::List(vec![Value::Int(1)]))]);
    t.leaves_nothing("comparing, hashing, copying and printing", |t| {
        let value = value.build(t)?;
        let copy = t.call_global("ffi.DeepCopy", &[value.any()])?;
        t.call_global("ffi.RecursiveEq", &[value.any(), copy.any()])?;
        t.call_global("ffi.RecursiveHash", &[value.any()])?;
        t.call_global("ffi.ReprPrint", &[value.any()]).map(drop)
    })
}

/// Copying, comparing and hashing keep no reference to anything in a value, whether they fail on what is in it or not.
#[check(REC_0032)]
fn failures_keep_nothing(t: &Trial) -> Verdict {
    // Nobody can copy a function, and nothing says what comes before it.
    let functions = [t.function(null_mut(), return_none, None)?, t.function(null_mut(), return_none, None)?];
    let places = Place::all(t)?;
    for (outer, inner) in places.iter().flat_map(|outer| places.iter().map(move |inner| (*outer, *inner))) {
        for others in [0, 9] {
            let within = |what: &Owned, place: Place| place.put_before(t, &what.any(), others);
            let holders = [within(&functions[0], inner)?, within(&functions[1], inner)?];
            let values = [within(&holders[0], outer)?, within(&holders[1], outer)?];
            let all: Vec<_> = functions.iter().chain(&holders).chain(&values).collect();
            let counts = || all.iter().map(|value| t.counts(value.handle())).collect::<Verdict<Vec<_>>>();
            let (before, [lhs, rhs]) = (counts()?, values.each_ref().map(Owned::any));
            for name in
                ["DeepCopy", "RecursiveHash", "RecursiveEq", "RecursiveLt", "RecursiveLe", "RecursiveGt", "RecursiveGe"]
            {
                let args = if name == "DeepCopy" || name == "RecursiveHash" { &[lhs][..] } else { &[lhs, rhs] };
                drop(t.answer(&format!("ffi.{name}"), args)?);
                let what = format_args!("counts of functions, {inner:?}, {outer:?}, before {others}, after ffi.{name}");
                t.eq(what, counts()?, before.clone())?;
            }
        }
    }
    Ok(())
}

/// Deep copies that fail leave no memory behind of what was copied before.
#[check(REC_0032, patient = 3)]
fn no_growth_of_failures(t: &Trial) -> Verdict {
    let (function, list) = (t.function(null_mut(), return_none, None)?, t.call_global("ffi.List", &[view::int(1)])?);
    let (one, two) = (view::int(1), view::int(2));
    let dict = t.call_global("ffi.Dict", &[one, list.any(), two, function.any()])?;
    let map = t.call_global("ffi.Map", &[one, list.any(), two, dict.any()])?;
    let inner = t.call_global("ffi.List", &[list.any(), map.any()])?;
    let whole = t.call_global("ffi.Array", &[list.any(), inner.any()])?;
    t.no_growth("deep copies that fail", || t.answer("ffi.DeepCopy", &[whole.any()]).map(drop))
}

/// Deep copies that fail in the middle of a circle, through containers of any kind and size, leave nothing behind of what was copied before.
#[check(REC_0032, patient = 3)]
fn failures_in_circles_leave_nothing(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (function, text) = (t.function(null_mut(), return_none, None)?, t.string(b"a string on the heap")?);
    let around: [&[&str]; 7] = [
        &[],
        &["ffi.Array"],
        &["ffi.Map"],
        &["ffi.List"],
        &["ffi.Dict"],
        &["ffi.Map", "ffi.Array"],
        &["ffi.Dict", "ffi.List", "ffi.Array"],
    ];
    let mut circles = Vec::new();
    for (make, links) in ["ffi.List", "ffi.Dict"].into_iter().flat_map(|make| around.map(|links| (make, links))) {
        for size in [0, 1, 2, 6, 20] {
            let circle = t.call_global(make, &[])?;
            let mut outer = vec![circle.any()];
            let mut owned = Vec::new();
            for link in links {
                owned.push(container_with(t, link, &[text.any(), outer[outer.len() - 1]], size)?);
                outer.push(owned[owned.len() - 1].any());
            }
            // What leads back stands in front of what cannot be copied.
            let values = [outer[outer.len() - 1], text.any()].into_iter();
            let values = values.chain((0..size).map(view::int)).chain([function.any()]);
            for (key, value) in (0..).map(view::int).zip(values) {
                match make {
                    "ffi.List" => t.call_void("ffi.ListAppend", &[circle.any(), value])?,
                    _ => t.call_void("ffi.DictSetItem", &[circle.any(), key, value])?,
                }
            }
            circles.push((format!("a circle of {make} and {links:?} with {size} others"), make, circle));
        }
    }
    for (what, _, circle) in &circles {
        let all = [&text, &function, circle];
        let counts = || all.iter().map(|value| t.counts(value.handle())).collect::<Verdict<Vec<_>>>();
        let before = counts()?;
        for _ in 0..3 {
            drop(t.answer("ffi.DeepCopy", &[circle.any()])?);
        }
        t.eq(
            format_args!("counts of a text, a function and a container after copies of {what} failed"),
            counts()?,
            before,
        )?;
    }
    let copy = t.global("ffi.DeepCopy")?;
    // Of each size and each way around some.
    t.no_growth("deep copies of circles that fail", || {
        circles.iter().step_by(6).try_for_each(|(_, _, circle)| t.answer_of(copy.handle(), &[circle.any()]).map(drop))
    })?;
    for (_, make, circle) in &circles {
        t.call_void(&format!("{make}Clear"), &[circle.any()])?;
    }
    Ok(())
}

/// A container of these values and so many integers behind them.
fn container_with(t: &Trial, make: &str, values: &[TVMFFIAny], others: i64) -> Verdict<Owned> {
    t.container_of(make, &values.iter().copied().chain((0..others).map(view::int)).collect::<Vec<_>>())
}

/// Recursive functions called without arguments raise a TypeError.
#[check(REC_0033)]
fn arguments(t: &Trial) -> Verdict {
    let orders = ["ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"];
    let others = ["ffi.DeepCopy", "ffi.ReprPrint", "ffi.RecursiveHash", "ffi.RecursiveEq"];
    for name in others.into_iter().chain(orders) {
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&t.global(name)?, &[], &mut result);
        t.raises(code, &["TypeError"])?;
    }
    Ok(())
}

/// What stands twice far within a value, and not within itself, is compared, hashed, copied and printed as two parts that are alike.
#[check(REC_0004, REC_0011, REC_0015, REC_0037)]
fn deep_and_shared(t: &Trial) -> Verdict {
    t.in_large_pages();
    for (make, around, levels) in DEEP {
        let [shared, apart] = t.deep_shared_and_apart(make, around, levels)?;
        let [other_shared, other] = t.deep_shared_and_apart(make, around, levels)?;
        let what = format_args!("{make} {around} deep with a part of {levels} levels twice");
        let equal = |lhs: &Owned, rhs: &Owned| -> Verdict<Result<u64, String>> {
            let answer = t.answer("ffi.RecursiveEq", &[lhs.any(), rhs.any()])?;
            Ok(answer.map(|answer| answer.any().payload()).map_err(|raised| raised.message))
        };
        t.clause(id::REC_0004);
        // How deep a value may be is for other clauses to say.
        if equal(&apart, &other)?.is_ok() {
            for (lhs, rhs) in [(&shared, &other_shared), (&shared, &apart), (&apart, &shared)] {
                t.eq(format_args!("whether values are equal, {what}"), equal(lhs, rhs)?, Ok(1))?;
            }
        }
        for (clause, name) in
            [(id::REC_0011, "ffi.RecursiveHash"), (id::REC_0015, "ffi.DeepCopy"), (id::REC_0037, "ffi.ReprPrint")]
        {
            t.clause(clause);
            let come_to = |value: &Owned| -> Verdict<Result<(i32, Vec<u8>), String>> {
                Ok(match t.answer(name, &[value.any()])? {
                    Ok(answer) if name == "ffi.DeepCopy" => Ok((answer.any().type_index, vec![])),
                    Ok(_) if name == "ffi.ReprPrint" => Ok((0, t.printed(&value.any())?.into_bytes())),
                    Ok(answer) => Ok((answer.any().type_index, answer.any().to_bytes().to_vec())),
                    Err(raised) => Err(raised.message),
                })
            };
            let expected = come_to(&apart)?;
            if expected.is_ok() {
                let found = come_to(&shared)?;
                let problem = found.as_ref().map_or_else(String::clone, |_| "something else".to_owned());
                t.that(
                    format_args!("what {name} makes of {what}"),
                    found == expected,
                    "what it makes of twins",
                    problem,
                )?;
            }
        }
    }
    Ok(())
}
