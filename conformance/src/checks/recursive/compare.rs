//! Recursive equality, order and hashes.

use std::{cmp::Ordering, fmt};

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        model::{self, Value},
        samples::{Laws, Place, Sample},
        view,
    },
    trial::Trial,
};

/// `ffi.RecursiveEq` finds scalars of one type equal if they have the same value.
#[check(REC_0001)]
fn equal_scalars(t: &Trial) -> Verdict {
    use Value::{Bool, Int, None};
    equals(t, &None, &None, true)?;
    pairwise(t, &[Bool(true), Bool(false)])?;
    pairwise(t, &[Int(0), Int(1), Int(1 << 53), Int((1 << 53) + 1), Int(i64::MIN)])?;
    pairwise(t, &[Value::float(1.0), Value::float(0.5), Value::float(f64::INFINITY), Value::float(5e-324)])
}

/// `ffi.RecursiveEq` finds a pointer equal to itself, and to no other.
#[check(REC_0001)]
fn equal_pointers(t: &Trial) -> Verdict {
    let pointers = [std::ptr::without_provenance_mut(8), std::ptr::without_provenance_mut(16)].map(view::pointer);
    for (at, lhs) in pointers.iter().enumerate() {
        for (other, rhs) in pointers.iter().enumerate() {
            let answer = t.call_global("ffi.RecursiveEq", &[*lhs, *rhs])?;
            t.any_eq(format_args!("whether {lhs:?} equals {rhs:?}"), &answer.any(), &view::bool(at == other))?;
        }
    }
    Ok(())
}

/// `ffi.RecursiveEq` finds Strings and Bytes equal by content.
#[check(REC_0002)]
fn equal_strings(t: &Trial) -> Verdict {
    let texts = ["", "a", "b", "a\0b", "a\0c", "seven_b", "eight_by", "eight_bz", "a string on the heap"];
    pairwise(t, &texts.map(Value::str))?;
    pairwise(t, &texts.map(|text| Value::Bytes(text.into())))
}

/// Expects each value to be equal to itself only.
fn pairwise(t: &Trial, values: &[Value]) -> Verdict {
    for (at, lhs) in values.iter().enumerate() {
        for (other, rhs) in values.iter().enumerate() {
            equals(t, lhs, rhs, at == other)?;
        }
    }
    Ok(())
}

/// Recursive equality and hash treat a value alike in every form and at every place, whichever side it is on.
#[check(REC_0002, REC_0011, REC_0036, patient = 2)]
fn every_form(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(Sample::is_data).collect();
    let laws = Laws { same: id::REC_0002, symmetric: id::REC_0036, one_hash: id::REC_0011 };
    let function = t.global("ffi.RecursiveEq")?;
    let equal = |lhs: &TVMFFIAny, rhs: &TVMFFIAny| -> Verdict<bool> {
        Ok(t.call(&function, &[*lhs, *rhs])?.any().payload() != 0)
    };
    t.keeps_laws(&laws, &samples, equal, |value| t.recursive_hash(value))
}

/// `ffi.RecursiveEq` finds NaN equal to NaN, and 0 equal to -0.
#[check(REC_0003)]
fn equal_nan(t: &Trial) -> Verdict {
    equals(t, &Value::float(f64::NAN), &Value::float(f64::NAN), true)?;
    equals(t, &Value::float(f64::NAN), &Value::float(1.0), false)?;
    equals(t, &Value::float(1.0), &Value::float(f64::NAN), false)?;
    equals(t, &Value::float(0.0), &Value::float(-0.0), true)
}

/// `ffi.RecursiveEq` finds containers equal if they have equal elements in the same order.
#[check(REC_0004)]
fn equal_containers(t: &Trial) -> Verdict {
    use Value::{Array, Int, List, Map};
    let map = |value| Map(vec![(Value::str("k"), Int(value))]);
    equals(t, &Array(vec![]), &Array(vec![]), true)?;
    equals(t, &Array(vec![Int(1), map(2)]), &Array(vec![Int(1), map(2)]), true)?;
    equals(t, &Array(vec![Int(1), map(2)]), &Array(vec![Int(1), map(3)]), false)?;
    equals(t, &Array(vec![Int(1)]), &Array(vec![Int(1), Int(2)]), false)?;
    equals(t, &List(vec![Int(1)]), &List(vec![Int(1)]), true)?;
    equals(t, &map(1), &Map(vec![(Value::str("other"), Int(1))]), false)?;
    equals(t, &map(1), &Map(vec![]), false)
}

/// Maps and Dicts of one size that differ in a key are recursively and structurally unlike, whatever the value: None is no
/// missing key.
#[check(REC_0004, SEQ_0003)]
fn missing_key_is_no_value(t: &Trial) -> Verdict {
    for (kind, value) in [Value::Map as fn(_) -> _, Value::Dict].into_iter().flat_map(|kind| {
        [Value::None, Value::Bool(false), Value::Int(0), Value::str(""), Value::Array(vec![])]
            .map(|value| (kind, value))
    }) {
        for size in [1, 2, 4, 5, 9, 40] {
            let of = |last: i64| {
                let key = |at: i64| Value::str(&format!("key {}", if at + 1 == size { last } else { at }));
                kind((0..size).map(|at| (key(at), value.clone())).collect())
            };
            let (one, twin, other) = (of(-1), of(-1), of(-2));
            t.clause(id::REC_0004);
            equals(t, &one, &twin, true)?;
            equals(t, &one, &other, false)?;
            t.clause(id::SEQ_0003);
            let answer = t.structural_equal(&one.build(t)?.any(), &other.build(t)?.any(), false)?;
            t.eq(format_args!("whether {one:?} structurally equals {other:?}"), answer, false)?;
        }
    }
    Ok(())
}

/// `ffi.RecursiveEq` finds Maps with the same entries equal whatever their order.
#[check(REC_0005)]
fn map_order_is_nothing(t: &Trial) -> Verdict {
    for count in [2, 4, 5, 40] {
        let entries: Vec<_> = (0..count).map(|n| (Value::str(&format!("key {n}")), Value::Int(n))).collect();
        let reversed = entries.iter().rev().cloned().collect();
        equals(t, &Value::Map(entries), &Value::Map(reversed), true)?;
    }
    Ok(())
}

/// `ffi.RecursiveEq` never finds values of different types equal.
#[check(REC_0006)]
fn kinds_differ(t: &Trial) -> Verdict {
    use Value::{Bool, Bytes, Int, None};
    pairwise(t, &[None, Bool(false), Int(0), Value::float(0.0), Value::str(""), Bytes(vec![]), Value::Array(vec![])])?;
    pairwise(t, &[Bool(true), Int(1), Value::float(1.0), Value::str("eight_by"), Bytes(b"eight_by".to_vec())])?;
    equals(t, &Value::Array(vec![Value::Int(1)]), &Value::List(vec![Value::Int(1)]), false)?;
    equals(t, &Value::Map(vec![]), &Value::Dict(vec![]), false)
}

/// `ffi.RecursiveEq` finds a random value equal to its twin, and to that with one more element neither way.
#[check(REC_0004)]
fn any_equal(t: &Trial) -> Verdict {
    t.property((vec(model::json_value(), 0..4), model::json_value()), |(items, last)| {
        let shorter = Value::Array(items.clone());
        let longer = Value::Array(items.iter().chain([last]).cloned().collect());
        equals(t, &shorter, &shorter, true)?;
        equals(t, &shorter, &longer, false)?;
        equals(t, &longer, &shorter, false)
    })
}

/// What stands in several places is compared in each, recursively and structurally: that it was equal to one thing does not
/// make it equal to another.
#[check(REC_0004, SEQ_0003, SEQ_0004)]
fn shared_beside_unlike(t: &Trial) -> Verdict {
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        let [one, twin, other] =
            [place.put(t, &view::int(0))?, place.put(t, &view::int(0))?, place.put(t, &view::int(5))?];
        for make in t.containers()? {
            let pair = |first: &Owned, second: &Owned| {
                t.call_global(make, &[view::int(7), first.any(), view::int(8), second.any()])
            };
            let pairs =
                [pair(&one, &one)?, pair(&twin, &twin)?, pair(&one, &twin)?, pair(&twin, &other)?, pair(&other, &one)?];
            for (at, lhs) in pairs.iter().enumerate() {
                for (beside, rhs) in pairs.iter().enumerate() {
                    // The first three have the same numbers.
                    let expected = at == beside || at.max(beside) < 3;
                    let what = format_args!("pair {at} of {place:?} in {make} equals pair {beside}");
                    t.clause(id::REC_0004);
                    let answer = t.call_global("ffi.RecursiveEq", &[lhs.any(), rhs.any()])?;
                    t.any_eq(format_args!("whether {what}"), &answer.any(), &view::bool(expected))?;
                    t.clause(if ["ffi.Map", "ffi.Dict"].contains(&make) { id::SEQ_0004 } else { id::SEQ_0003 });
                    let answer = t.structural_equal(&lhs.any(), &rhs.any(), false)?;
                    t.eq(format_args!("whether structurally {what}"), answer, expected)?;
                }
            }
        }
    }
    Ok(())
}

/// A container that has only a part of what another has is neither recursively nor structurally equal to it, whichever comes first, and a
/// sequence that another begins with comes before it.
#[check(REC_0004, REC_0036, REC_0009, SEQ_0003, SEQ_0004, SEQ_0043)]
fn part_of_another(t: &Trial) -> Verdict {
    let sizes = [1_usize, 2, 3, 4, 5, 6, 9, 20];
    for (make, size) in t.containers()?.into_iter().flat_map(|make| sizes.map(|size| (make, size))) {
        let is_map = ["ffi.Map", "ffi.Dict"].contains(&make);
        let values: Vec<_> = (0..).map(view::int).take(size).collect();
        let of = |values: &[TVMFFIAny]| {
            let entries = values.iter().flat_map(|value| [*value, view::bool(true)]);
            if is_map { t.call_global(make, &entries.collect::<Vec<_>>()) } else { t.call_global(make, values) }
        };
        let whole = of(&values)?;
        for (len, begins) in (0..size).flat_map(|len| [(len, true), (len, false)]) {
            let part = of(if begins { &values[..len] } else { &values[size - len..] })?;
            let what =
                format_args!("{make} of {size} and {len} of its {} elements", if begins { "first" } else { "last" });
            let equal = |lhs: &Owned, rhs: &Owned| t.call_global("ffi.RecursiveEq", &[lhs.any(), rhs.any()]);
            let (one, other) = (equal(&part, &whole)?, equal(&whole, &part)?);
            t.clause(id::REC_0036);
            t.any_eq(format_args!("whether {what} are equal the other way round"), &other.any(), &one.any())?;
            t.clause(id::REC_0004);
            t.any_eq(format_args!("whether {what} are equal"), &one.any(), &view::bool(false))?;
            if begins && !is_map {
                t.clause(id::REC_0009);
                t.recursively_ordered(&part.any(), &whole.any(), Ordering::Less)?;
                t.recursively_ordered(&whole.any(), &part.any(), Ordering::Greater)?;
            }
            for (lhs, rhs) in [(&part, &whole), (&whole, &part)] {
                t.clause(if is_map { id::SEQ_0004 } else { id::SEQ_0003 });
                let answer = t.structural_equal(&lhs.any(), &rhs.any(), false)?;
                t.eq(format_args!("whether {what} are structurally equal"), answer, false)?;
                t.clause(id::SEQ_0043);
                let answer = t.has_no_mismatch(&lhs.any(), &rhs.any())?;
                t.eq(format_args!("whether {what} have no mismatch"), answer, false)?;
            }
        }
    }
    Ok(())
}

fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = t.call_global("ffi.RecursiveEq", &[lhs.build(t)?.any(), rhs.build(t)?.any()])?;
    t.any_eq(format_args!("whether {lhs:?} equals {rhs:?}"), &answer.any(), &view::bool(expected))
}

/// Integers, floats, booleans, Strings and Bytes are ordered among values of their own type.
#[check(REC_0007)]
fn order_scalars(t: &Trial) -> Verdict {
    ordered(t, &Value::Int(i64::MIN), &Value::Int(1), Ordering::Less)?;
    ordered(t, &Value::Int(3), &Value::Int(3), Ordering::Equal)?;
    ordered(t, &Value::float(2.5), &Value::float(-1.0), Ordering::Greater)?;
    ordered(t, &Value::Bool(false), &Value::Bool(true), Ordering::Less)?;
    ordered(t, &Value::str("abc"), &Value::str("abd"), Ordering::Less)?;
    ordered(t, &Value::str("abc"), &Value::str("abcdefghij"), Ordering::Less)?;
    ordered(t, &Value::Bytes(vec![1]), &Value::Bytes(vec![1]), Ordering::Equal)
}

/// Strings and Bytes are ordered byte by byte, a byte beyond ASCII behind all of ASCII, and NUL before every other byte.
#[check(REC_0007)]
fn order_bytes(t: &Trial) -> Verdict {
    let ascending: [&[u8]; 9] =
        [b"", b"\0", b"a", b"a\0", b"a\0a text that is long", b"a\x01", b"a\x7F", b"a\x80", b"a\xFF and more of it"];
    for (at, lhs) in ascending.iter().enumerate() {
        for (other, rhs) in ascending.iter().enumerate() {
            ordered(t, &Value::Str(lhs.to_vec()), &Value::Str(rhs.to_vec()), at.cmp(&other))?;
            ordered(t, &Value::Bytes(lhs.to_vec()), &Value::Bytes(rhs.to_vec()), at.cmp(&other))?;
        }
    }
    Ok(())
}

/// Values of one type have one order in whatever forms they are given, by themselves and in sequences.
#[check(REC_0007, REC_0009, patient = 2)]
fn order_of_every_form(t: &Trial) -> Verdict {
    let samples = t.samples()?;
    let lent: Vec<_> = samples.iter().map(Sample::any).collect();
    ordered_as_contents(t, &samples, &lent, format_args!("as they are"))?;
    for place in [Place::Alone, Place::InArray, Place::InList] {
        t.clause(if place == Place::Alone { id::REC_0007 } else { id::REC_0009 });
        let held = lent.iter().map(|value| place.put(t, value)).collect::<Verdict<Vec<_>>>()?;
        let held_any: Vec<_> = held.iter().map(Owned::any).collect();
        ordered_as_contents(t, &samples, &held_any, format_args!("{place:?}"))?;
    }
    Ok(())
}

/// Expects values that hold these samples to be ordered as their contents are. What lies beyond ASCII is for another check.
fn ordered_as_contents(t: &Trial, samples: &[Sample], values: &[TVMFFIAny], form: fmt::Arguments) -> Verdict {
    let is_ascii = |sample: &Sample| sample.text().is_none_or(<[u8]>::is_ascii);
    let names = ["Lt", "Le", "Gt", "Ge", "Eq"];
    let functions = names.map(|name| t.global(&format!("ffi.Recursive{name}")));
    let functions = functions.into_iter().collect::<Verdict<Vec<_>>>()?;
    for (lhs, left) in samples.iter().zip(values) {
        for (rhs, right) in samples.iter().zip(values) {
            let is_for_others = !lhs.same(rhs) && [lhs, rhs].into_iter().any(|sample| !is_ascii(sample));
            let Some(order) = lhs.order(rhs).filter(|_| !is_for_others) else { continue };
            let expected = [order.is_lt(), order.is_le(), order.is_gt(), order.is_ge(), order.is_eq()];
            for ((name, function), expected) in names.iter().zip(&functions).zip(expected) {
                let answer = t.call(function, &[*left, *right])?;
                let what = format_args!("{name} of {} and {}, {form}", lhs.name, rhs.name);
                t.any_eq(what, &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// The four functions of order agree with each other and with equality, whatever two values they answer for.
#[check(REC_0039)]
fn orders_agree(t: &Trial) -> Verdict {
    let (functions, samples) = (functions_of_order(t)?, t.samples()?);
    t.short_backtraces();
    for (turn, place) in [Place::Alone, Place::InArray, Place::InList].into_iter().enumerate() {
        let held = samples.iter().enumerate().map(|(at, sample)| Ok((at, sample, place.put(t, &sample.any())?)));
        let held = held.collect::<Verdict<Vec<_>>>()?;
        let pairs = held.iter().flat_map(|lhs| held.iter().map(move |rhs| (lhs, rhs)));
        // Of two types, which have no order as a rule, each pair at one place in turn.
        let pairs = pairs.filter(|((at, lhs, _), (other, rhs, _))| lhs.same_type(rhs) || (at + other) % 3 == turn);
        pairs.into_iter().try_for_each(|((_, left, lhs), (_, right, rhs))| {
            let place = format_args!(", {place:?}");
            agree(t, &functions, (&left.name, lhs), (&right.name, rhs), place)
        })?;
    }
    Ok(())
}

/// The four functions of order agree with each other and with equality about sequences of every kind that begin alike, that end alike, and of which
/// each has an element that is greater than the other's.
#[check(REC_0039)]
fn orders_of_sequences_agree(t: &Trial) -> Verdict {
    let functions = functions_of_order(t)?;
    let rows =
        (0..4).flat_map(|len| (0..1_i64 << len).map(move |bits| (0..len).map(move |at| bits >> at & 1).collect()));
    let rows: Vec<Vec<i64>> = rows.collect();
    for kind in ["ffi.Array", "ffi.List", "ffi.Shape"] {
        if globals::find(t, kind)?.is_none() {
            continue;
        }
        let made = rows.iter().map(|row| Ok((format!("{row:?}"), t.sequence_of_ints(kind, row)?)));
        let made = made.collect::<Verdict<Vec<_>>>()?;
        for ((left, lhs), (right, rhs)) in made.iter().flat_map(|lhs| made.iter().map(move |rhs| (lhs, rhs))) {
            agree(t, &functions, (left, lhs), (right, rhs), format_args!(" in {kind}"))?;
        }
    }
    Ok(())
}

/// `<`, `<=`, `>`, `>=` and `==`.
fn functions_of_order(t: &Trial) -> Verdict<Vec<Owned>> {
    ["Lt", "Le", "Gt", "Ge", "Eq"].into_iter().map(|name| t.global(&format!("ffi.Recursive{name}"))).collect()
}

/// Expects them to agree about two values with these names.
fn agree(
    t: &Trial,
    functions: &[Owned],
    (left, lhs): (&str, &Owned),
    (right, rhs): (&str, &Owned),
    place: fmt::Arguments,
) -> Verdict {
    let answer = |function: &Owned, lhs: &Owned, rhs: &Owned| -> Verdict<Option<u64>> {
        Ok(t.answer_of(function.handle(), &[lhs.any(), rhs.any()])?.ok().map(|yes| yes.any().payload()))
    };
    // Which values have an order is for other clauses to say.
    let Some(lt) = answer(&functions[0], lhs, rhs)? else { return Ok(()) };
    let others = functions[1..].iter().map(|function| answer(function, lhs, rhs));
    let answers = others.chain([answer(&functions[2], rhs, lhs)]).collect::<Verdict<Vec<_>>>()?;
    let eq = answers[3].unwrap_or(2);
    let gt = u64::from(lt == 0 && eq == 0);
    let expected = [u64::from(lt + eq > 0), gt, u64::from(gt + eq > 0), u64::from(lt + gt == 0), lt];
    let what =
        format_args!("whether {left} is <=, >, >=, == {right}, and {right} > {left}{place}, where < answers {lt}");
    t.eq(what, answers, expected.map(Some).to_vec())
}

/// None comes before every other value in recursive order.
#[check(REC_0008)]
fn order_none(t: &Trial) -> Verdict {
    [Value::Int(i64::MIN), Value::str(""), Value::Array(vec![])].iter().try_for_each(|value| {
        ordered(t, &Value::None, value, Ordering::Less)?;
        ordered(t, value, &Value::None, Ordering::Greater)
    })
}

/// Arrays and Lists are ordered lexicographically.
#[check(REC_0009)]
fn order_sequences(t: &Trial) -> Verdict {
    let words: [&[i64]; 6] = [&[], &[1], &[1, 2], &[1, 3], &[2], &[2, 0]];
    for lhs in words {
        for rhs in words {
            let array = |word: &[i64]| Value::Array(word.iter().copied().map(Value::Int).collect());
            ordered(t, &array(lhs), &array(rhs), lhs.cmp(rhs))?;
            let list = |word: &[i64]| Value::List(word.iter().copied().map(Value::Int).collect());
            ordered(t, &list(lhs), &list(rhs), lhs.cmp(rhs))?;
        }
    }
    Ok(())
}

/// Random Strings are ordered byte by byte, and random integers by value.
#[check(REC_0007)]
fn any_order(t: &Trial) -> Verdict {
    t.property((model::text(), model::text(), -9..9i64, -9..9i64), |(a, b, m, n)| {
        ordered(t, &Value::str(a), &Value::str(b), a.cmp(b))?;
        ordered(t, &Value::Int(*m), &Value::Int(*n), m.cmp(n))
    })
}

fn ordered(t: &Trial, lhs: &Value, rhs: &Value, order: Ordering) -> Verdict {
    let (left, right) = (lhs.build(t)?, rhs.build(t)?);
    t.recursively_ordered(&left.any(), &right.any(), order)
}

/// Asking for the order of values of different types is a TypeError.
#[check(REC_0010)]
fn order_types(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Bytes, Int, List, Map};
    let all = [
        Bool(true),
        Int(1),
        Value::float(1.0),
        Value::str("1"),
        Bytes(b"1".to_vec()),
        Array(vec![]),
        List(vec![]),
        Map(vec![]),
    ];
    for (at, lhs) in all.iter().enumerate() {
        for (_, rhs) in all.iter().enumerate().filter(|(other, _)| *other != at) {
            unordered(t, lhs, rhs)?;
        }
    }
    Ok(())
}

/// Asking for the order of NaN is a TypeError.
#[check(REC_0010)]
fn order_nan(t: &Trial) -> Verdict {
    let nan = || Value::float(f64::NAN);
    unordered(t, &nan(), &Value::float(1.0))?;
    unordered(t, &Value::float(1.0), &nan())?;
    unordered(t, &nan(), &nan())?;
    unordered(t, &Value::Array(vec![nan()]), &Value::Array(vec![nan()]))
}

/// Asking for the order of Maps is a TypeError.
#[check(REC_0010)]
fn order_maps(t: &Trial) -> Verdict {
    let map = |value| Value::Map(vec![(Value::str("k"), Value::Int(value))]);
    unordered(t, &map(1), &map(2))
}

fn unordered(t: &Trial, lhs: &Value, rhs: &Value) -> Verdict {
    let (left, right) = (lhs.build(t)?, rhs.build(t)?);
    for name in ["Lt", "Le", "Gt", "Ge"] {
        let function = t.global(&format!("ffi.Recursive{name}"))?;
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&function, &[left.any(), right.any()], &mut result), &["TypeError"])?;
    }
    Ok(())
}

/// Recursively equal texts and containers have the same recursive hash.
#[check(REC_0011)]
fn hash_equal(t: &Trial) -> Verdict {
    for value in [Value::str("a string on the heap"), Value::Array(vec![Value::List(vec![Value::Int(1)])])] {
        t.eq(format_args!("the hash of another {value:?}"), hash(t, &value)?, hash(t, &value)?)?;
    }
    Ok(())
}

/// Values that are recursively equal have the same recursive hash, be it that one container stands in them twice or that two do
/// which are alike.
#[check(REC_0011)]
fn hash_of_shared(t: &Trial) -> Verdict {
    for (what, [shared, apart]) in t.shared_and_apart()? {
        if t.call_global("ffi.RecursiveEq", &[shared.any(), apart.any()])?.any().payload() != 0 {
            let hash = |value: &Owned| t.call_global("ffi.RecursiveHash", &[value.any()]);
            t.any_eq(format_args!("the hash of {what}"), &hash(&shared)?.any(), &hash(&apart)?.any())?;
        }
    }
    Ok(())
}

/// The recursive hash of a Map does not depend on the order of its entries.
#[check(REC_0005)]
fn hash_map_order(t: &Trial) -> Verdict {
    let entries: Vec<_> = (0..9).map(|n| (Value::str(&format!("key {n}")), Value::Int(n))).collect();
    let reversed = entries.iter().rev().cloned().collect();
    t.eq("the hash in another order", hash(t, &Value::Map(reversed))?, hash(t, &Value::Map(entries))?)
}

/// The recursive hash depends on type, content and the order of sequences.
#[check(REC_0012)]
fn hash_differs(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Int, List, None};
    let all = [
        None,
        Bool(false),
        Bool(true),
        Int(0),
        Int(1),
        Int(2),
        Value::float(1.0),
        Value::str("a"),
        Value::str("b"),
        Value::str("a string on the heap"),
        Array(vec![]),
        Array(vec![Int(1)]),
        Array(vec![Int(1), Int(2)]),
        Array(vec![Int(2), Int(1)]),
        List(vec![Int(1)]),
        Value::Map(vec![(Int(1), Int(2))]),
        Value::Map(vec![(Int(2), Int(1))]),
    ];
    t.hashes_differ(&all, |value| hash(t, value))
}

/// The recursive hash of a Shape depends on its extents and their order.
#[check(REC_0012)]
fn hash_differs_for_shapes(t: &Trial) -> Verdict {
    let shapes: [&[i64]; 6] = [&[], &[1], &[2], &[1, 2], &[2, 1], &[2, 1, 1]];
    let hashes = shapes.iter().map(|extents| {
        let extents: Vec<_> = extents.iter().copied().map(view::int).collect();
        t.recursive_hash(&t.call_global("ffi.Shape", &extents)?.any())
    });
    let hashes = hashes.collect::<Verdict<Vec<_>>>()?;
    for (at, hash) in hashes.iter().enumerate() {
        for other in at + 1..hashes.len() {
            t.ne(
                format_args!("the hash of the Shapes {:?} and {:?}", shapes[other], shapes[at]),
                hashes[other],
                *hash,
            )?;
        }
    }
    Ok(())
}

/// The recursive hash of scalars and texts is what every release computes.
///
/// What every release answers.
#[check(REC_0013)]
fn hash_known(t: &Trial) -> Verdict {
    let known = [
        (Value::None, 2_654_435_769),
        (Value::Bool(true), 2_654_435_896),
        (Value::Int(1), 2_654_435_835),
        (Value::float(1.0), 4_607_182_421_454_453_370),
        (Value::str("a"), 2_654_439_979),
        (Value::str("abcdefgh"), 3_546_921_335),
        (Value::Bytes(b"abc".to_vec()), 2_660_953_320),
    ];
    known.iter().try_for_each(|(value, known)| t.eq(format_args!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// A random value and its twin have the same recursive hash.
#[check(REC_0011)]
fn any_hash(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| t.eq("the hash of a second one", hash(t, value)?, hash(t, value)?))
}

fn hash(t: &Trial, value: &Value) -> Verdict<i64> {
    t.recursive_hash(&value.build(t)?.any())
}
