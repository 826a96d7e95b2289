//! Values that are nearly one: equality, order, hashes and copies look at all of each.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::Value,
        near::{self, Texts},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// Devices, and data types, that differ in one member alone, or that are one number when their members are packed, added or xored, are neither
/// recursively nor structurally equal, wherever they stand and whichever comes first.
#[check(REC_0001, REC_0004, SEQ_0001, SEQ_0003, SEQ_0004, SEQ_0043, patient = 2)]
fn devices_and_types_apart(t: &Trial) -> Verdict {
    let equal = t.global("ffi.RecursiveEq")?;
    for (number, [lhs, rhs]) in near::members().into_iter().enumerate() {
        for (at, place) in Place::all(t)?.into_iter().enumerate() {
            // How many there are counts for how a map is laid out.
            let others = if is_sequence(place) { 0 } else { [0, 9][(number + at) % 2] };
            let put = |value: &TVMFFIAny| place.put_before(t, value, others);
            let (one, twin, other) = (put(&lhs)?, put(&lhs)?, put(&rhs)?);
            let (recursively, structurally) = clauses(place);
            for (one, other, expected) in [(&one, &twin, true), (&one, &other, false), (&other, &one, false)] {
                let what =
                    format_args!("{lhs:?} and {rhs:?}, {place:?} before {others} others (or the first and its twin)");
                t.clause(recursively);
                let answer = t.call(&equal, &[one.any(), other.any()])?;
                t.any_eq(format_args!("whether {what} are recursively equal"), &answer.any(), &view::bool(expected))?;
                t.clause(structurally);
                let answer = t.structural_equal(&one.any(), &other.any(), false)?;
                t.eq(format_args!("whether {what} are structurally equal"), answer, expected)?;
                t.clause(id::SEQ_0043);
                let answer = t.has_no_mismatch(&one.any(), &other.any())?;
                t.eq(format_args!("whether {what} have no mismatch"), answer, expected)?;
            }
        }
    }
    Ok(())
}

fn is_sequence(place: Place) -> bool {
    matches!(place, Place::Alone | Place::InArray | Place::InList)
}

/// The clauses that keep two values of one type from being equal that stand there, recursively and structurally.
fn clauses(place: Place) -> (&'static str, &'static str) {
    match place {
        Place::Alone => (id::REC_0001, id::SEQ_0001),
        Place::InArray | Place::InList => (id::REC_0004, id::SEQ_0003),
        _ => (id::REC_0004, id::SEQ_0004),
    }
}

/// Where devices, or data types, that differ in one member alone have a recursive order, one of the two is less, and the functions of order agree.
#[check(REC_0039)]
fn order_of_devices_and_types(t: &Trial) -> Verdict {
    t.short_backtraces();
    let [lt, le, gt, ge] = t.globals(["ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"])?;
    for [one, other] in near::members() {
        let answer = |function: &Owned, lhs: TVMFFIAny, rhs: TVMFFIAny| -> Verdict<Option<u64>> {
            Ok(t.answer_of(function.handle(), &[lhs, rhs])?.ok().map(|answer| answer.any().payload()))
        };
        let Some(less) = answer(&lt, one, other)? else { continue };
        let found = [(&le, one, other), (&gt, one, other), (&ge, one, other), (&lt, other, one), (&gt, other, one)];
        let found = found.map(|(function, lhs, rhs)| answer(function, lhs, rhs));
        let found = found.into_iter().collect::<Verdict<Vec<_>>>()?;
        let expected = [less, 1 - less, 1 - less, 1 - less, less].map(Some).to_vec();
        let what = format_args!(
            "whether {one:?} is <=, > and >= {other:?}, and that < and > the first, where < answers {less}"
        );
        t.eq(what, found, expected)?;
    }
    Ok(())
}

/// Devices, and data types, that differ in one member alone have different recursive and structural hashes, alone and as elements.
#[check(REC_0012, SEQ_0008)]
fn hash_of_devices_and_types(t: &Trial) -> Verdict {
    for [one, other] in near::members() {
        for place in Place::all(t)?.into_iter().filter(|place| is_sequence(*place)) {
            let (lhs, rhs) = (place.put(t, &one)?, place.put(t, &other)?);
            t.clause(id::REC_0012);
            let what = format_args!("hash of {one:?} and {other:?}, {place:?}");
            t.ne(format_args!("the recursive {what}"), t.recursive_hash(&lhs.any())?, t.recursive_hash(&rhs.any())?)?;
            t.clause(id::SEQ_0008);
            let hash = |value: &Owned| t.structural_hash(&value.any(), false);
            t.ne(format_args!("the structural {what}"), hash(&lhs)?, hash(&rhs)?)?;
        }
    }
    Ok(())
}

/// Strings, and Bytes, that differ in one byte or have one hash as keys are neither recursively nor structurally equal, alone and as elements,
/// and are in the order of their bytes.
#[check(REC_0002, REC_0004, REC_0007, REC_0009, SEQ_0001, SEQ_0003, patient = 2)]
fn texts_apart(t: &Trial) -> Verdict {
    let [equal, less] = t.globals(["ffi.RecursiveEq", "ffi.RecursiveLt"])?;
    let places: Vec<_> = Place::all(t)?.into_iter().filter(|place| is_sequence(*place)).collect();
    for (number, texts) in near_texts().into_iter().enumerate() {
        let [lhs, rhs] = pair(t, number, &texts)?;
        // In turn, so that each comes with each of all else.
        let place = places[number / 2 % places.len()];
        let [one, other, twin] = [&lhs, &rhs, &pair(t, number, &texts)?[0]].map(|text| place.put(t, &text.any()));
        let (one, other, twin) = (one?, other?, twin?);
        let shown = texts.each_ref().map(|text| text.escape_ascii());
        let what = format_args!("b\"{}\" and b\"{}\", {place:?}", shown[0], shown[1]);
        let is_alone = place == Place::Alone;
        for (one, other, expected) in [(&one, &other, false), (&other, &one, false), (&one, &twin, true)] {
            let what = format_args!("{what} (or the first and its twin)");
            t.clause(if is_alone { id::REC_0002 } else { id::REC_0004 });
            let answer = t.call(&equal, &[one.any(), other.any()])?;
            t.any_eq(format_args!("whether {what} are recursively equal"), &answer.any(), &view::bool(expected))?;
            t.clause(if is_alone { id::SEQ_0001 } else { id::SEQ_0003 });
            let answer = t.structural_equal(&one.any(), &other.any(), false)?;
            t.eq(format_args!("whether {what} are structurally equal"), answer, expected)?;
        }
        t.clause(if is_alone { id::REC_0007 } else { id::REC_0009 });
        for (lhs, rhs, expected) in [(&one, &other, texts[0] < texts[1]), (&other, &one, texts[1] < texts[0])] {
            let answer = t.call(&less, &[lhs.any(), rhs.any()])?;
            let what = format_args!("whether one of {what} is less");
            t.any_eq(what, &answer.any(), &view::bool(expected))?;
        }
    }
    Ok(())
}

/// Maps and Dicts whose only difference is a key are neither recursively nor structurally equal, where the keys are texts that differ in one
/// byte or have one hash, whether they stand at one place in both or not, and however many entries there are.
#[check(REC_0004, SEQ_0004, SEQ_0043, patient = 2)]
fn keys_apart(t: &Trial) -> Verdict {
    let equal = t.global("ffi.RecursiveEq")?;
    let makes: Vec<_> = t.containers()?.into_iter().filter(|make| matches!(*make, "ffi.Map" | "ffi.Dict")).collect();
    let makes = makes.into_iter().map(|make| Ok((make, t.global(make)?))).collect::<Verdict<Vec<_>>>()?;
    for (number, texts) in near_texts().into_iter().enumerate() {
        let keys = pair(t, number, &texts)?;
        // In turn, so that each comes with each of all else.
        let (name, make) = &makes[number / 2 % makes.len()];
        let (size, first) = ([1, 2, 4, 5, 20][number % 5], number % 3 == 0);
        let of = |key: &Owned, first: bool| {
            let mut entries: Vec<_> = (1..size).map(|at| [view::int(at), view::int(7)]).collect();
            entries.insert(if first { 0 } else { entries.len() }, [key.any(), view::int(9)]);
            t.call(make, &entries.concat())
        };
        let (one, twin, other, elsewhere) =
            (of(&keys[0], first)?, of(&keys[0], first)?, of(&keys[1], first)?, of(&keys[1], !first)?);
        for (lhs, rhs, expected, which) in [
            (&one, &twin, true, "a twin"),
            (&one, &other, false, "one with another key there"),
            (&other, &one, false, "one with another key there"),
            (&one, &elsewhere, false, "one with another key elsewhere"),
            (&elsewhere, &one, false, "one with another key elsewhere"),
        ] {
            let shown = texts.each_ref().map(|text| text.escape_ascii());
            let what = format_args!("equal a {name} of {size} and {which}, by b\"{}\" and b\"{}\"", shown[0], shown[1]);
            t.clause(id::REC_0004);
            let answer = t.call(&equal, &[lhs.any(), rhs.any()])?;
            t.any_eq(format_args!("whether recursively {what}"), &answer.any(), &view::bool(expected))?;
            t.clause(id::SEQ_0004);
            let answer = t.structural_equal(&lhs.any(), &rhs.any(), false)?;
            t.eq(format_args!("whether structurally {what}"), answer, expected)?;
            t.clause(id::SEQ_0043);
            let answer = t.has_no_mismatch(&lhs.any(), &rhs.any())?;
            t.eq(format_args!("whether without a mismatch {what}"), answer, expected)?;
        }
    }
    Ok(())
}

/// A deep copy keeps texts apart that differ in one byte or have one hash, as elements, as keys and as values.
#[check(REC_0015)]
fn copies_of_texts_apart(t: &Trial) -> Verdict {
    let mut pairs = near::texts_of_one_hash();
    pairs.extend(near::texts(17).into_iter().step_by(5));
    let copy = t.global("ffi.DeepCopy")?;
    for pairs in pairs.chunks(16) {
        for value in holding(&pairs.concat()) {
            let made = value.build(t)?;
            t.eq("the copy", &Value::read(t, &t.call(&copy, &[made.any()])?.any())?, &value)?;
        }
    }
    Ok(())
}

/// Containers of these texts, as Strings and as Bytes, each text once. What is in a List or a Dict is copied, and what holds them.
fn holding(texts: &[Vec<u8>]) -> Vec<Value> {
    let mut texts = texts.to_vec();
    texts.sort();
    texts.dedup();
    let mut all = Vec::new();
    for of in [Value::Str as fn(_) -> _, Value::Bytes] {
        let texts: Vec<_> = texts.iter().cloned().map(of).collect();
        let keyed: Vec<_> = texts.iter().cloned().zip(texts.iter().rev().cloned()).collect();
        all.push(Value::Array(vec![Value::List(texts.clone()), Value::Array(texts)]));
        all.push(Value::Array(vec![Value::Dict(keyed.clone()), Value::Map(keyed)]));
    }
    all
}

/// Pairs of texts to compare.
fn near_texts() -> Vec<Texts> {
    near::texts(40).into_iter().chain(near::texts_of_one_hash()).collect()
}

/// Two texts as Strings or, every other time, as Bytes.
fn pair(t: &Trial, number: usize, [one, other]: &Texts) -> Verdict<[Owned; 2]> {
    if number.is_multiple_of(2) { Ok([t.string(one)?, t.string(other)?]) } else { Ok([t.bytes(one)?, t.bytes(other)?]) }
}
