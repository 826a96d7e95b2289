//! Values without objects of clients: when they are equal, how they hash, and how they are keys of a Map.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::{self, Value},
        tensor::{FLOAT32, INT32},
        view,
    },
    trial::Trial,
};

/// `ffi.StructuralEqual` finds scalars equal if they have the same type and value.
#[check(SEQ_0001)]
fn equal_scalars(t: &Trial) -> Verdict {
    use Value::{Bool, Int, None};
    pairwise(t, &[None, Bool(true), Bool(false), Int(0), Int(1), Int(-1), Value::float(1.0), Value::float(0.5)])
}

/// `ffi.StructuralEqual` finds Strings and Bytes equal by type and content.
#[check(SEQ_0001)]
fn equal_texts(t: &Trial) -> Verdict {
    let bytes = |content: &[u8]| Value::Bytes(content.to_vec());
    let long = "a string on the heap";
    pairwise(t, &[Value::str(""), Value::str("a"), Value::str(long), bytes(b""), bytes(b"a"), bytes(long.as_bytes())])
}

/// `ffi.StructuralEqual` finds NaN equal to NaN.
#[check(SEQ_0002)]
fn equal_nan(t: &Trial) -> Verdict {
    equals(t, &Value::float(f64::NAN), &Value::float(f64::NAN), true)
}

/// `ffi.StructuralEqual` finds Arrays equal if they have equal elements in the same order.
#[check(SEQ_0003)]
fn equal_sequences(t: &Trial) -> Verdict {
    use Value::{Array, Int};
    let array = |items: &[i64]| Array(items.iter().copied().map(Int).collect());
    pairwise(t, &[array(&[]), array(&[1]), array(&[2]), array(&[1, 2]), array(&[2, 1]), Array(vec![array(&[1])])])
}

/// `ffi.StructuralEqual` finds Maps with the same entries equal whatever their order.
#[check(SEQ_0004)]
fn equal_maps(t: &Trial) -> Verdict {
    let entry = |n: i64| (Value::str(&format!("key {n}")), Value::Array(vec![Value::Int(n)]));
    for count in [2, 4, 5, 40] {
        let entries: Vec<_> = (0..count).map(entry).collect();
        let reversed = Value::Map(entries.iter().rev().cloned().collect());
        equals(t, &Value::Map(entries.clone()), &reversed, true)?;
        let fewer = Value::Map(entries[1..].to_vec());
        equals(t, &fewer, &reversed, false)?;
        let mut other = entries;
        other[0].1 = Value::None;
        equals(t, &Value::Map(other), &reversed, false)?;
    }
    Ok(())
}

/// `ffi.StructuralEqual` finds Shapes equal if they have the same extents.
#[check(SEQ_0003)]
fn equal_shapes(t: &Trial) -> Verdict {
    let shape =
        |extents: &[i64]| t.call_global("ffi.Shape", &extents.iter().copied().map(view::int).collect::<Vec<_>>());
    for (lhs, rhs) in [(&[2, 3][..], &[2, 3][..]), (&[2, 3], &[3, 2]), (&[], &[]), (&[1], &[1, 1])] {
        let answer = t.structural_equal(&shape(lhs)?.any(), &shape(rhs)?.any(), false)?;
        t.eq(format!("whether the shapes {lhs:?} and {rhs:?} are equal"), answer, lhs == rhs)?;
    }
    Ok(())
}

/// `ffi.StructuralEqual` never finds containers of different types equal.
#[check(SEQ_0005)]
fn kinds_differ(t: &Trial) -> Verdict {
    let items = vec![Value::Int(1)];
    equals(t, &Value::Array(items.clone()), &Value::List(items), false)?;
    equals(t, &Value::Map(vec![]), &Value::Dict(vec![]), false)
}

/// `ffi.StructuralEqual` finds a random value equal to its twin, and to another value only if their content is equal.
#[check(SEQ_0003, SEQ_0004)]
fn any_equal(t: &Trial) -> Verdict {
    t.property((model::json_value(), model::json_value()), |(lhs, rhs)| {
        equals(t, lhs, lhs, true)?;
        // Unlike in recursive equality, floats are equal bit by bit.
        equals(t, lhs, rhs, lhs.equal_by(rhs, Value::eq))
    })
}

/// Expects two values to be structurally equal, or not.
fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = t.structural_equal(&lhs.build(t)?.any(), &rhs.build(t)?.any(), false)?;
    t.eq(format!("whether {lhs:?} equals {rhs:?}"), answer, expected)
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

/// The structural hash of scalars and texts is what every release computes.
///
/// What every release answers.
#[check(SEQ_0006)]
fn hash_known(t: &Trial) -> Verdict {
    let known = [
        (Value::None, 2_654_435_769),
        (Value::Bool(true), 2_654_435_896),
        (Value::Int(1), 2_654_435_835),
        (Value::float(1.0), 4_607_182_421_454_453_370),
        (Value::float(f64::NAN), 9_221_120_239_695_526_522),
        (Value::str("a"), 2_654_439_979),
        (Value::str("abcdefgh"), 3_546_921_335),
        (Value::Bytes(b"abc".to_vec()), 2_660_949_777),
        (Value::Bytes(b"abcdefgh".to_vec()), 3_546_921_268),
    ];
    known.iter().try_for_each(|(value, known)| t.eq(format!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// The structural hash of Arrays and Maps is what every release computes.
#[check(SEQ_0006)]
fn hash_containers_known(t: &Trial) -> Verdict {
    use Value::{Array, Int, Map};
    let entry = |key: &str, value| (Value::str(key), Int(value));
    let known = [
        (Array(vec![]), -2_010_874_065_908_478_216),
        (Array(vec![Int(1)]), -2_659_981_581_661_525_815),
        (Array(vec![Int(1), Int(2)]), 2_823_322_240_268_045_181),
        (Map(vec![]), -6_752_507_338_210_542_304),
        (Map(vec![entry("a", 1)]), 8_690_073_498_391_192_266),
        (Map(vec![entry("a", 1), entry("b", 2)]), 8_387_368_743_028_195_433),
    ];
    known.iter().try_for_each(|(value, known)| t.eq(format!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// A random value and its twin have the same structural hash.
#[check(SEQ_0007)]
fn any_hash(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| t.eq("the hash of a second one", hash(t, value)?, hash(t, value)?))
}

/// The structural hash of a Map does not depend on the order of its entries.
#[check(SEQ_0007)]
fn hash_map_order(t: &Trial) -> Verdict {
    let entries: Vec<_> = (0..9).map(|n| (Value::str(&format!("key {n}")), Value::Int(n))).collect();
    let reversed = entries.iter().rev().cloned().collect();
    t.eq("the hash in another order", hash(t, &Value::Map(reversed))?, hash(t, &Value::Map(entries))?)
}

/// The structural hash depends on type, content and the order of sequences.
#[check(SEQ_0008)]
fn hash_differs(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Int, Map, None};
    let all = [
        None,
        Bool(false),
        Bool(true),
        Int(0),
        Int(1),
        Value::float(1.0),
        Value::str("a"),
        Value::str("a string on the heap"),
        Array(vec![]),
        Array(vec![Int(1)]),
        Array(vec![Int(1), Int(2)]),
        Array(vec![Int(2), Int(1)]),
        Map(vec![(Int(1), Int(2))]),
        Map(vec![(Int(2), Int(1))]),
    ];
    t.hashes_differ(&all, |value| hash(t, value))
}

/// The structural hash of a value.
fn hash(t: &Trial, value: &Value) -> Verdict<i64> {
    t.structural_hash(&value.build(t)?.any(), false)
}

/// Tensors are structurally equal if they have the same shape, data type and content.
#[check(SEQ_0034)]
fn equal_tensors(t: &Trial) -> Verdict {
    let one = t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &one, false, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?, false, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 5])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4, 1], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?, false, false)
}

/// The structural hash of a Tensor depends on shape, data type and, unless it is skipped, content.
#[check(SEQ_0034, SEQ_0035)]
fn tensor_hash(t: &Trial) -> Verdict {
    let hash = |dtype, shape: &[i64], content, skip| -> Verdict<u64> {
        let tensor = t.tensor_of_four(dtype, shape, content)?;
        let args = [tensor.any(), view::bool(false), view::bool(skip)];
        Ok(t.call_global("ffi.StructuralHash", &args)?.any().payload())
    };
    let of_one = hash(INT32, &[2, 2], [1, 2, 3, 4], false)?;
    t.eq("the hash of an equal tensor", hash(INT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor with other content", hash(INT32, &[2, 2], [1, 2, 3, 5], false)?, of_one)?;
    t.ne("the hash of a tensor of another shape", hash(INT32, &[4], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor of another data type", hash(FLOAT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    let without = hash(INT32, &[2, 2], [1, 2, 3, 4], true)?;
    t.clause(id::SEQ_0035);
    t.eq("the hash without content", hash(INT32, &[2, 2], [5, 6, 7, 8], true)?, without)
}

/// With `skip_tensor_content`, Tensors of one shape and data type are structurally equal whatever they contain.
#[check(SEQ_0035)]
fn tensors_without_content(t: &Trial) -> Verdict {
    let one = t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [5, 6, 7, 8])?, true, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?, true, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?, true, false)
}

fn tensors_equal(t: &Trial, lhs: &Owned, rhs: &Owned, skip_content: bool, expected: bool) -> Verdict {
    let args = [lhs.any(), rhs.any(), view::bool(false), view::bool(skip_content)];
    let answer = t.call_global("ffi.StructuralEqual", &args)?;
    t.any_eq("whether the tensors are structurally equal", &answer.any(), &view::bool(expected))
}

/// A StructuralKey holds its value and its structural hash behind the header.
#[check(SEQ_0027)]
fn key(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let key = t.call_global("ffi.StructuralKey", &[value.any()])?;
    let (held, hash): (TVMFFIAny, i64) = t.cell("the key", key.handle())?;
    t.any_eq("the value of the key", &held, &value.any())?;
    t.eq("the hash of the key", hash, t.structural_hash(&value.any(), false)?)
}

/// StructuralKeys of structurally equal values are one key of a Map.
#[check(SEQ_0028)]
fn key_equal(t: &Trial) -> Verdict {
    let key = |item| {
        let value = Value::Array(vec![Value::Int(item)]).build(t)?;
        t.call_global("ffi.StructuralKey", &[value.any()])
    };
    let (one, twin) = (key(1)?, key(1)?);
    let map = t.call_global("ffi.Map", &[one.any(), view::int(7)])?;
    t.any_eq(
        "what the map has for it",
        &t.call_global("ffi.MapGetItem", &[map.any(), twin.any()])?.any(),
        &view::int(7),
    )?;
    let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), twin.any()])?;
    t.any_eq("whether the keys are equal", &answer.any(), &view::bool(true))
}

/// StructuralKeys of values that are not structurally equal are different keys of a Map.
#[check(SEQ_0028)]
fn key_differs(t: &Trial) -> Verdict {
    let key = |item| {
        let value = Value::Array(vec![Value::Int(item)]).build(t)?;
        t.call_global("ffi.StructuralKey", &[value.any()])
    };
    let (one, other) = (key(1)?, key(2)?);
    let map = t.call_global("ffi.Map", &[one.any(), view::int(7)])?;
    let count = t.call_global("ffi.MapCount", &[map.any(), other.any()])?;
    t.any_eq("how often the map has the other key", &count.any(), &view::int(0))?;
    let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), other.any()])?;
    t.any_eq("whether the keys are equal", &answer.any(), &view::bool(false))
}
