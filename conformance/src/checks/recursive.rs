//! What is done to a value and everything in it: comparing, hashing, copying and printing by content.

use std::cmp::Ordering;

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::{self, Value},
        tensor::INT32,
        view,
    },
    trial::Trial,
};

// ---------------------------------------------------------------------------------------------------------------------
// Equality
// ---------------------------------------------------------------------------------------------------------------------

/// `ffi.RecursiveEq` finds scalars equal if they have the same type and value.
#[check(REC_0001)]
fn equal_scalars(t: &Trial) -> Verdict {
    use Value::{Bool, Int, None};
    let all = [None, Bool(true), Bool(false), Int(0), Int(1), Int(i64::MIN), Value::float(1.0), Value::float(0.5)];
    for (at, lhs) in all.iter().enumerate() {
        for (other, rhs) in all.iter().enumerate() {
            equals(t, lhs, rhs, at == other)?;
        }
    }
    Ok(())
}

/// `ffi.RecursiveEq` finds Strings equal by content in either form, and never equal to Bytes.
#[check(REC_0002)]
fn equal_strings(t: &Trial) -> Verdict {
    let texts = ["", "a", "b", "seven_b", "eight_by", "eight_bz", "a string on the heap"];
    for lhs in texts {
        for rhs in texts {
            equals(t, &Value::str(lhs), &Value::str(rhs), lhs == rhs)?;
            equals(t, &Value::str(lhs), &Value::Bytes(rhs.into()), false)?;
        }
    }
    Ok(())
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

/// `ffi.RecursiveEq` never finds containers of different types equal.
#[check(REC_0006)]
fn kinds_differ(t: &Trial) -> Verdict {
    equals(t, &Value::Array(vec![Value::Int(1)]), &Value::List(vec![Value::Int(1)]), false)?;
    equals(t, &Value::Map(vec![]), &Value::Dict(vec![]), false)
}

/// `ffi.RecursiveEq` finds a random value equal to its twin, and to another value only if their content is equal.
#[check(REC_0004)]
fn any_equal(t: &Trial) -> Verdict {
    t.property((model::json_value(), model::json_value()), |(lhs, rhs)| {
        equals(t, lhs, lhs, true)?;
        equals(t, lhs, rhs, lhs.equal_by(rhs, same_number))
    })
}

/// Equality by content: the zeros are one.
fn same_number(lhs: &Value, rhs: &Value) -> bool {
    match (lhs, rhs) {
        (Value::Float(lhs), Value::Float(rhs)) => f64::from_bits(*lhs) == f64::from_bits(*rhs),
        _ => lhs == rhs,
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------------

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

/// Asking for the order of values of different types is a TypeError.
#[check(REC_0010)]
fn order_types(t: &Trial) -> Verdict {
    unordered(t, &Value::Int(1), &Value::float(1.0))?;
    unordered(t, &Value::Int(1), &Value::str("1"))?;
    unordered(t, &Value::Array(vec![]), &Value::List(vec![]))
}

/// Asking for the order of NaN is a TypeError.
#[check(REC_0010)]
fn order_nan(t: &Trial) -> Verdict {
    unordered(t, &Value::float(f64::NAN), &Value::float(1.0))
}

/// Asking for the order of Maps is a TypeError.
#[check(REC_0010)]
fn order_maps(t: &Trial) -> Verdict {
    let map = |value| Value::Map(vec![(Value::str("k"), Value::Int(value))]);
    unordered(t, &map(1), &map(2))
}

// ---------------------------------------------------------------------------------------------------------------------
// Hashes
// ---------------------------------------------------------------------------------------------------------------------

/// Recursively equal values, such as 0 and -0, have the same recursive hash.
#[check(REC_0011)]
fn hash_equal(t: &Trial) -> Verdict {
    for value in [Value::str("a string on the heap"), Value::Array(vec![Value::List(vec![Value::Int(1)])])] {
        t.eq(format!("the hash of another {value:?}"), hash(t, &value)?, hash(t, &value)?)?;
    }
    t.eq("the hash of -0", hash(t, &Value::float(-0.0))?, hash(t, &Value::float(0.0))?)
}

/// The recursive hash of a Map does not depend on the order of its entries.
#[check(REC_0011)]
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
    known.iter().try_for_each(|(value, known)| t.eq(format!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// A random value and its twin have the same recursive hash.
#[check(REC_0011)]
fn any_hash(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| t.eq("the hash of a second one", hash(t, value)?, hash(t, value)?))
}

// ---------------------------------------------------------------------------------------------------------------------
// Copies
// ---------------------------------------------------------------------------------------------------------------------

/// `ffi.DeepCopy` answers a scalar or text as it is.
#[check(REC_0014)]
fn copy_scalars(t: &Trial) -> Verdict {
    [Value::None, Value::Bool(true), Value::Int(-3), Value::float(0.5), Value::str("s"), Value::Bytes(b"b".to_vec())]
        .iter()
        .try_for_each(|value| copies(t, value))
}

/// `ffi.DeepCopy` of a container has copies of its elements in the same order.
#[check(REC_0015)]
fn copy_containers(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1), Value::str("a string on the heap")]);
    copies(t, &Value::Array(vec![list.clone(), Value::None]))?;
    copies(t, &Value::Map(vec![(Value::str("b"), list.clone()), (Value::str("a"), Value::Int(1))]))?;
    copies(t, &Value::Dict((0..9).map(|n| (Value::Int(n), list.clone())).collect()))
}

/// `ffi.DeepCopy` shares no List with the original, so a change to the copy leaves the original alone.
#[check(REC_0016)]
fn copy_is_apart(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1)]).build(t)?;
    let outer = t.call_global("ffi.Array", &[list.any()])?;
    let copy = deep_copy(t, &outer.any())?;
    let inner = t.call_global("ffi.ArrayGetItem", &[copy.any(), view::int(0)])?;
    t.ne("the inner list of the copy", inner.handle(), list.handle())?;
    t.call_global("ffi.ListAppend", &[inner.any(), view::int(2)])?;
    t.eq("the original", Value::read(t, &list.any())?, Value::List(vec![Value::Int(1)]))
}

/// An object that occurs twice in a value is one object in its deep copy.
#[check(REC_0017)]
fn copy_sharing(t: &Trial) -> Verdict {
    let shared = Value::List(vec![Value::Int(1)]).build(t)?;
    let pair = t.call_global("ffi.Array", &[shared.any(), shared.any()])?;
    let copy = deep_copy(t, &pair.any())?;
    let item = |index| t.call_global("ffi.ArrayGetItem", &[copy.any(), view::int(index)]);
    t.eq("the second element of the copy", item(1)?.handle(), item(0)?.handle())
}

/// `ffi.DeepCopy` of a List that contains itself is another List that contains itself.
#[check(REC_0018)]
fn copy_cycle(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    let copy = deep_copy(t, &list.any())?;
    t.ne("the copy", copy.handle(), list.handle())?;
    let inner = t.call_global("ffi.ListGetItem", &[copy.any(), view::int(1)])?;
    t.eq("what is in the copy", inner.handle(), copy.handle())?;
    t.clear_list(&copy)?;
    t.clear_list(&list)
}

/// `ffi.DeepCopy` of an object of a copyable type is another object with the same fields.
#[check(REC_0019)]
fn copy_objects(t: &Trial) -> Verdict {
    let step = t.access_step(1, view::int(7))?;
    let copy = deep_copy(t, &step.any())?;
    t.ne("the copy", copy.handle(), step.handle())?;
    let fields: (i32, u32, TVMFFIAny) = t.cell("the copy", copy.handle())?;
    t.eq("the field `kind` of the copy", fields.0, 1)?;
    t.any_eq("the field `key` of the copy", &fields.2, &view::int(7))
}

/// `ffi.DeepCopy` of an object that cannot be copied, such as a function, is refused with an error.
#[check(REC_0020)]
fn copy_refused(t: &Trial) -> Verdict {
    let function = t.global("ffi.DeepCopy")?;
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&function, &[function.any()], &mut result), &[]).map(drop)
}

/// A deep copy is held by the caller alone, and the original keeps its count.
#[check(REC_0021)]
fn copy_counts(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1)]).build(t)?;
    let copy = deep_copy(t, &list.any())?;
    t.eq("the counts of the copy", t.counts(copy.handle())?, (1, 1))?;
    t.eq("the counts of the original", t.counts(list.handle())?, (1, 1))
}

/// The deep copy of a random value reads as the same value.
#[check(REC_0015)]
fn any_copy(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| copies(t, value))
}

// ---------------------------------------------------------------------------------------------------------------------
// Printed form
// ---------------------------------------------------------------------------------------------------------------------

/// None, booleans, integers and floats are printed as in Python.
#[check(REC_0022)]
fn repr_scalars(t: &Trial) -> Verdict {
    let all = [
        (Value::None, "None"),
        (Value::Bool(true), "True"),
        (Value::Bool(false), "False"),
        (Value::Int(-5), "-5"),
        (Value::float(1.5), "1.5"),
        (Value::float(0.1), "0.1"),
        (Value::float(1e300), "1e+300"),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))
}

/// Strings are printed in double quotes with escapes, and Bytes with a `b` before the quotes.
#[check(REC_0023)]
fn repr_strings(t: &Trial) -> Verdict {
    let all = [
        (Value::str(""), r#""""#),
        (Value::str("text"), r#""text""#),
        (Value::str("a string on the heap"), r#""a string on the heap""#),
        (Value::str("a\"\\\n\t"), r#""a\"\\\n\t""#),
        (Value::Bytes(b"ab\xff".to_vec()), r#"b"ab\xff""#),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))
}

/// An Array is printed in parentheses, with a comma behind a single element, and a List in brackets.
#[check(REC_0024)]
fn repr_sequences(t: &Trial) -> Verdict {
    use Value::{Array, Int, List};
    let all = [
        (Array(vec![]), "()"),
        (Array(vec![Int(1)]), "(1,)"),
        (Array(vec![Int(1), Value::str("x")]), r#"(1, "x")"#),
        (List(vec![]), "[]"),
        (List(vec![Int(1)]), "[1]"),
        (List(vec![Int(1), Array(vec![Int(2), Int(3)])]), "[1, (2, 3)]"),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))
}

/// A Map and a Dict are printed in braces, with their entries in order.
#[check(REC_0025)]
fn repr_maps(t: &Trial) -> Verdict {
    let entries = vec![(Value::str("a"), Value::Int(1)), (Value::Int(2), Value::None)];
    t.prints(&Value::Map(vec![]).build(t)?.any(), "{}")?;
    t.prints(&Value::Map(entries.clone()).build(t)?.any(), r#"{"a": 1, 2: None}"#)?;
    t.prints(&Value::Dict(entries).build(t)?.any(), r#"{"a": 1, 2: None}"#)
}

/// Data types, devices and Shapes are printed as `float32`, `cuda:1` and `Shape(1, 2)`.
#[check(REC_0026)]
fn repr_plain(t: &Trial) -> Verdict {
    t.prints(&TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002), "float32")?;
    t.prints(&TVMFFIAny::new(kTVMFFIDevice, 0x1_0000_0002), "cuda:1")?;
    t.prints(&t.call_global("ffi.Shape", &[view::int(1), view::int(2)])?.any(), "Shape(1, 2)")
}

/// A Tensor is printed as its data type, its shape in brackets, and its device behind `@`.
#[check(REC_0034)]
fn repr_tensors(t: &Trial) -> Verdict {
    t.prints(&t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?.any(), "int32[2, 2]@cpu:0")?;
    t.prints(&t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?.any(), "int32[4]@cpu:0")
}

/// The object that stands for what is missing is printed as `<MISSING>`.
#[check(REC_0035)]
fn repr_missing(t: &Trial) -> Verdict {
    t.prints(&t.call_global("ffi.GetInvalidObject", &[])?.any(), "<MISSING>")
}

/// An object without printable fields is printed as its type key.
#[check(REC_0027)]
fn repr_objects(t: &Trial) -> Verdict {
    t.prints(&t.global("ffi.ReprPrint")?.any(), "ffi.Function")
}

/// A List that contains itself is printed with `...` in the place of itself.
#[check(REC_0028)]
fn repr_cycle(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    t.prints(&list.any(), "[1, ...]")?;
    t.clear_list(&list)
}

// ---------------------------------------------------------------------------------------------------------------------
// Extremes
// ---------------------------------------------------------------------------------------------------------------------

/// Comparing and hashing Lists that contain themselves ends, with an answer or an error.
#[check(REC_0029)]
fn cycles_end(t: &Trial) -> Verdict {
    let (lhs, rhs) = (t.list_in_itself()?, t.list_in_itself()?);
    t.returns("ffi.RecursiveHash", &[lhs.any()])?;
    t.returns("ffi.RecursiveEq", &[lhs.any(), rhs.any()])?;
    t.returns("ffi.RecursiveLt", &[lhs.any(), rhs.any()])?;
    t.clear_list(&lhs)?;
    t.clear_list(&rhs)
}

/// Values three hundred levels deep are compared, copied and printed.
#[check(REC_0030)]
fn deep(t: &Trial) -> Verdict {
    let nested = || t.nested("ffi.List", 300, TVMFFIAny::NONE);
    let (lhs, rhs) = (nested()?, nested()?);
    let copy = deep_copy(t, &lhs.any())?;
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
    let nested = t.nested("ffi.List", 10_000, TVMFFIAny::NONE)?;
    for function in ["ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint"] {
        t.returns(function, &[nested.any()])?;
    }
    t.returns("ffi.RecursiveEq", &[nested.any(), nested.any()])
}

/// Comparing, hashing, copying and printing leave no memory behind.
#[check(REC_0032)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::Map(vec![(Value::str("a string on the heap"), Value::List(vec![Value::Int(1)]))]);
    t.no_growth("comparing, hashing, copying and printing", || {
        let value = value.build(t)?;
        let copy = deep_copy(t, &value.any())?;
        t.call_global("ffi.RecursiveEq", &[value.any(), copy.any()])?;
        t.call_global("ffi.RecursiveHash", &[value.any()])?;
        t.call_global("ffi.ReprPrint", &[value.any()]).map(drop)
    })
}

/// Recursive functions called without arguments raise a TypeError.
#[check(REC_0033)]
fn arguments(t: &Trial) -> Verdict {
    for name in ["ffi.DeepCopy", "ffi.ReprPrint", "ffi.RecursiveHash", "ffi.RecursiveEq", "ffi.RecursiveLt"] {
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&t.global(name)?, &[], &mut result);
        t.raises(code, &["TypeError"])?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Helpers
// ---------------------------------------------------------------------------------------------------------------------

fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = t.call_global("ffi.RecursiveEq", &[lhs.build(t)?.any(), rhs.build(t)?.any()])?;
    t.any_eq(format!("whether {lhs:?} equals {rhs:?}"), &answer.any(), &view::bool(expected))
}

fn ordered(t: &Trial, lhs: &Value, rhs: &Value, order: Ordering) -> Verdict {
    let (left, right) = (lhs.build(t)?, rhs.build(t)?);
    for (name, expected) in [
        ("Lt", order.is_lt()),
        ("Le", order.is_le()),
        ("Gt", order.is_gt()),
        ("Ge", order.is_ge()),
        ("Eq", order.is_eq()),
    ] {
        let answer = t.call_global(&format!("ffi.Recursive{name}"), &[left.any(), right.any()])?;
        t.any_eq(format!("{name} of {lhs:?} and {rhs:?}"), &answer.any(), &view::bool(expected))?;
    }
    Ok(())
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

fn hash(t: &Trial, value: &Value) -> Verdict<i64> {
    t.recursive_hash(&value.build(t)?.any())
}

fn deep_copy(t: &Trial, value: &TVMFFIAny) -> Verdict<Owned> {
    t.call_global("ffi.DeepCopy", &[*value])
}

fn copies(t: &Trial, value: &Value) -> Verdict {
    let copy = deep_copy(t, &value.build(t)?.any())?;
    t.eq("the copy", &Value::read(t, &copy.any())?, value)
}
