//! Values without objects of clients: when they are equal, how they hash, and how they are keys of a Map.

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Client, Owned, Verdict,
        containers::hash,
        model::{self, Value},
        node::{node, node_type},
        reflected,
        samples::{Laws, Place, SIZES, Sample, pairs},
        tensor::{FLOAT32, INT32},
        view,
    },
    trial::Trial,
};

/// `ffi.StructuralEqual` finds scalars of one type equal if they have the same value.
#[check(SEQ_0001)]
fn equal_scalars(t: &Trial) -> Verdict {
    use Value::{Bool, Int, None};
    equals(t, &None, &None, true)?;
    pairwise(t, &[Bool(true), Bool(false)])?;
    pairwise(t, &[Int(0), Int(1), Int(-1), Int(1 << 53), Int((1 << 53) + 1)])?;
    pairwise(t, &[Value::float(1.0), Value::float(0.5), Value::float(f64::INFINITY), Value::float(5e-324)])
}

/// `ffi.StructuralEqual` finds Strings and Bytes equal by content.
#[check(SEQ_0001)]
fn equal_texts(t: &Trial) -> Verdict {
    let texts = ["", "a", "a\0b", "a\0c", "seven_b", "eight_by", "a string on the heap"];
    pairwise(t, &texts.map(Value::str))?;
    pairwise(t, &texts.map(|text| Value::Bytes(text.into())))
}

/// Structural equality and hash treat a value alike in every form and at every place, whichever side it is on.
#[check(SEQ_0001, SEQ_0007, SEQ_0037, patient = 2)]
fn every_form(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(Sample::is_data).collect();
    let laws = Laws { same: id::SEQ_0001, symmetric: id::SEQ_0037, one_hash: id::SEQ_0007 };
    let function = t.global("ffi.StructuralEqual")?;
    let equal = |lhs: &TVMFFIAny, rhs: &TVMFFIAny| -> Verdict<bool> {
        let answer = t.call(&function, &[*lhs, *rhs, view::bool(false), view::bool(false)])?.any();
        t.eq("the type of the answer", answer.type_index, kTVMFFIBool)?;
        Ok(answer.payload() != 0)
    };
    t.keeps_laws(&laws, &samples, equal, |value| t.structural_hash(value, false))
}

/// The first mismatch of two values is None exactly if they are structurally equal, in every form.
#[check(SEQ_0009, SEQ_0010)]
fn mismatch_in_every_form(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(Sample::is_data).collect();
    for (lhs, rhs) in pairs(&samples).filter(|(lhs, rhs)| !lhs.akin(rhs) && lhs.same_type(rhs)) {
        let (lhs, rhs, same) = (lhs.any(), rhs.any(), lhs.same(rhs));
        t.clause(if same { id::SEQ_0009 } else { id::SEQ_0010 });
        let is_none = t.mismatch(&lhs, &rhs)?.is_none();
        t.eq(format_args!("whether {lhs:?} and {rhs:?} have no mismatch"), is_none, same)?;
    }
    Ok(())
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

/// `ffi.StructuralEqual` finds Maps equal if they have the same keys with equal values.
#[check(SEQ_0004)]
fn equal_maps(t: &Trial) -> Verdict {
    let entry = |n: i64| (Value::str(&format!("key {n}")), Value::Array(vec![Value::Int(n)]));
    for count in [2, 4, 5, 40] {
        let entries: Vec<_> = (0..count).map(entry).collect();
        let reversed = Value::Map(entries.iter().rev().cloned().collect());
        equals(t, &Value::Map(entries.clone()), &Value::Map(entries.clone()), true)?;
        let fewer = Value::Map(entries[1..].to_vec());
        equals(t, &fewer, &reversed, false)?;
        equals(t, &reversed, &fewer, false)?;
        let mut other = entries.clone();
        other[0].1 = Value::None;
        equals(t, &Value::Map(other), &reversed, false)?;
        let mut other = entries;
        other[0].0 = Value::None;
        equals(t, &Value::Map(other), &reversed, false)?;
    }
    Ok(())
}

/// `ffi.StructuralEqual` finds Maps with the same entries equal whatever their order, and `ffi.StructuralHash` too.
#[check(SEQ_0036)]
fn map_order_is_nothing(t: &Trial) -> Verdict {
    for count in [2, 4, 5, 40] {
        let entries: Vec<_> = (0..count).map(|n| (Value::str(&format!("key {n}")), Value::Int(n))).collect();
        let reversed = Value::Map(entries.iter().rev().cloned().collect());
        let entries = Value::Map(entries);
        equals(t, &entries, &reversed, true)?;
        t.eq("the hash in another order", hash(t, &reversed)?, hash(t, &entries)?)?;
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
        t.eq(format_args!("whether the shapes {lhs:?} and {rhs:?} are equal"), answer, lhs == rhs)?;
    }
    Ok(())
}

/// The structural hash of Shapes is the same for the same extents, and depends on each of them and on their order.
#[check(SEQ_0007, SEQ_0008)]
fn hash_of_shapes(t: &Trial) -> Verdict {
    let shapes: [&[i64]; 6] = [&[], &[1], &[2], &[1, 2], &[2, 1], &[2, 1, 1]];
    let hash = |extents: &[i64]| {
        let extents: Vec<_> = extents.iter().copied().map(view::int).collect();
        t.structural_hash(&t.call_global("ffi.Shape", &extents)?.any(), false)
    };
    for lhs in shapes {
        for rhs in shapes {
            let (what, same) = (format!("the hash of the Shapes {lhs:?} and {rhs:?}"), lhs == rhs);
            t.clause(if same { id::SEQ_0007 } else { id::SEQ_0008 });
            if same {
                t.eq(what, hash(rhs)?, hash(lhs)?)?
            } else {
                t.ne(what, hash(rhs)?, hash(lhs)?)?
            };
        }
    }
    Ok(())
}

/// `ffi.StructuralEqual` never finds values of different types equal.
#[check(SEQ_0005)]
fn kinds_differ(t: &Trial) -> Verdict {
    use Value::{Bool, Bytes, Int, None};
    pairwise(t, &[None, Bool(false), Int(0), Value::float(0.0), Value::str(""), Bytes(vec![]), Value::Array(vec![])])?;
    pairwise(t, &[Bool(true), Int(1), Value::float(1.0), Value::str("eight_by"), Bytes(b"eight_by".to_vec())])?;
    let items = vec![Value::Int(1)];
    equals(t, &Value::Array(items.clone()), &Value::List(items), false)?;
    equals(t, &Value::Map(vec![]), &Value::Dict(vec![]), false)
}

/// `ffi.StructuralEqual` finds a random value equal to its twin, and to that with one more element neither way.
#[check(SEQ_0003, SEQ_0004)]
fn any_equal(t: &Trial) -> Verdict {
    t.property((vec(model::json_value(), 0..4), model::json_value()), |(items, last)| {
        let shorter = Value::Array(items.clone());
        let longer = Value::Array(items.iter().chain([last]).cloned().collect());
        equals(t, &shorter, &shorter, true)?;
        equals(t, &shorter, &longer, false)?;
        equals(t, &longer, &shorter, false)
    })
}

/// Expects two values to be structurally equal, or not.
fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = t.structural_equal(&lhs.build(t)?.any(), &rhs.build(t)?.any(), false)?;
    t.eq(format_args!("whether {lhs:?} equals {rhs:?}"), answer, expected)
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
    known.iter().try_for_each(|(value, known)| t.eq(format_args!("the hash of {value:?}"), hash(t, value)?, *known))
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
    known.iter().try_for_each(|(value, known)| t.eq(format_args!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// A random value and its twin have the same structural hash.
#[check(SEQ_0007)]
fn any_hash(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| t.eq("the hash of a second one", hash(t, value)?, hash(t, value)?))
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

/// A StructuralKey holds its value and its structural hash behind the header.
#[check(SEQ_0027)]
fn key(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let key = t.call_global("ffi.StructuralKey", &[value.any()])?;
    let (held, hash): (TVMFFIAny, i64) = t.cell("the key", key.handle())?;
    t.any_eq("the value of the key", &held, &value.any())?;
    t.eq("the hash of the key", hash, t.structural_hash(&value.any(), false)?)
}

/// A StructuralKey of any value, whoever makes it, holds the value and its structural hash.
#[check(SEQ_0027, INS_0018, patient = 2)]
fn key_of_every_value(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(Sample::is_data).collect();
    for place in Place::all(t)? {
        for sample in &samples {
            let value = place.put(t, &sample.any())?;
            holds_hash(t, &format!("{}, {place:?}", sample.name), &value.any())?;
        }
    }
    for value in SIZES.into_iter().map(|size| t.containers_of(size, -1)).collect::<Verdict<Vec<_>>>()?.iter().flatten()
    {
        holds_hash(t, "a container", &value.any())?;
    }
    for dtype in [INT32, FLOAT32] {
        let tensor = t.tensor_of_four(dtype, &[2, 2], [1, -2, 3, i32::MAX])?;
        for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
            holds_hash(t, &format!("a tensor, {place:?}"), &place.put(t, &tensor.any())?.any())?;
        }
    }
    let kind = node_type(t, "test.KeyOf", kTVMFFISEqHashKindTreeNode, [0, kTVMFFIFieldFlagBitMaskSEqHashIgnore])?;
    holds_hash(t, "an object", &node(kind, view::int(1), view::int(2)).view())
}

/// Expects keys of that value from all who make them to hold it and its hash.
fn holds_hash(t: &Trial, what: &str, value: &TVMFFIAny) -> Verdict {
    let expected = t.structural_hash(value, false)?;
    for (clause, key) in [id::SEQ_0027, id::INS_0018].into_iter().zip(structural_keys(t, value)?) {
        t.clause(clause);
        let (held, hash): (TVMFFIAny, i64) = t.cell("the key", key.handle())?;
        t.any_eq(format_args!("the value in the key of {what}"), &held, value)?;
        t.eq(format_args!("the hash in the key of {what}"), hash, expected)?;
    }
    Ok(())
}

/// Keys of that value from the global function and from the type's own, if the target has it.
fn structural_keys(t: &Trial, value: &TVMFFIAny) -> Verdict<Vec<Owned>> {
    let mut keys = vec![t.call_global("ffi.StructuralKey", &[*value])?];
    if let Ok(init) = reflected::attribute_function(t, "__ffi_init__", "ffi.StructuralKey") {
        keys.push(t.call(&init, &[*value])?);
    }
    Ok(keys)
}

/// StructuralKeys of structurally equal values are one key of a Map.
#[check(SEQ_0028)]
fn key_equal(t: &Trial) -> Verdict {
    let key = |item| {
        let value = Value::Array(vec![Value::Int(item)]).build(t)?;
        t.call_global("ffi.StructuralKey", &[value.any()])
    };
    let (one, twin) = (key(1)?, key(1)?);
    t.same_key(&[one.any()], &twin.any(), Some(0))?;
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
    t.same_key(&[one.any()], &other.any(), None)?;
    let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), other.any()])?;
    t.any_eq("whether the keys are equal", &answer.any(), &view::bool(false))
}

/// StructuralKeys of texts that differ are different keys of a Map, also where their hashes are the same.
#[check(SEQ_0028)]
fn keys_of_texts(t: &Trial) -> Verdict {
    for (one, other) in hash::collisions() {
        for (one, other) in [(t.string(&one)?, t.string(&other)?), (t.bytes(&one)?, t.bytes(&other)?)] {
            let [one, twin, other] = [&one, &one, &other].map(|text| t.call_global("ffi.StructuralKey", &[text.any()]));
            let (one, twin, other) = (one?, twin?, other?);
            t.same_key(&[one.any()], &twin.any(), Some(0))?;
            t.same_key(&[one.any()], &other.any(), None)?;
            let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), other.any()])?;
            t.any_eq("whether the keys of unlike texts are equal", &answer.any(), &view::bool(false))?;
        }
    }
    Ok(())
}

/// Containers of every kind and size are structurally equal, with one hash, exactly if all their values are.
#[check(SEQ_0003, SEQ_0004, SEQ_0007, SEQ_0010, patient = 2)]
fn every_size(t: &Trial) -> Verdict {
    for size in SIZES {
        let (all, twins, others) = (t.containers_of(size, -1)?, t.containers_of(size, -1)?, t.containers_of(size, -2)?);
        for ((one, twin), other) in all.iter().zip(&twins).zip(&others) {
            let what = format_args!("containers of type {} and {size} values", one.any().type_index);
            let is_map = matches!(one.any().type_index, kTVMFFIMap | kTVMFFIDict);
            t.clause(if is_map { id::SEQ_0004 } else { id::SEQ_0003 });
            let equal = |other: &Owned| t.structural_equal(&one.any(), &other.any(), false);
            t.eq(format_args!("whether equal {what} are equal"), equal(twin)?, true)?;
            t.eq(format_args!("whether {what} that differ in the last are equal"), equal(other)?, size == 0)?;
            t.clause(id::SEQ_0007);
            let hash = |value: &Owned| t.structural_hash(&value.any(), false);
            t.eq(format_args!("the hash of {what}"), hash(twin)?, hash(one)?)?;
            t.clause(id::SEQ_0010);
            let same = t.has_no_mismatch(&one.any(), &other.any())?;
            t.eq(format_args!("whether {what} that differ in the last have no mismatch"), same, size == 0)?;
        }
    }
    Ok(())
}

/// Values that are structurally equal have the same structural hash, be it that one container stands in them twice or that two do
/// which are alike.
#[check(SEQ_0007)]
fn hash_of_shared(t: &Trial) -> Verdict {
    for (what, [shared, apart]) in t.shared_and_apart()? {
        for variables in [false, true] {
            if t.structural_equal(&shared.any(), &apart.any(), variables)? {
                let hash = |value: &Owned| t.structural_hash(&value.any(), variables);
                t.eq(format_args!("the hash of {what}"), hash(&shared)?, hash(&apart)?)?;
            }
        }
    }
    Ok(())
}

/// Values that are structurally equal have the same structural hash, be it that one container with a variable stands in them before and
/// behind that variable or that two do which are alike.
#[check(SEQ_0007)]
fn hash_of_shared_around_a_variable(t: &Trial) -> Verdict {
    let variable = node_type(t, "verify.shared.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let x = node(variable, view::int(1), view::int(2));
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        for make in t.containers()? {
            let (one, twin) = (place.put(t, &x.view())?, place.put(t, &x.view())?);
            let (int, x) = (view::int, x.view());
            let with = |last: &Owned| t.call_global(make, &[int(1), one.any(), int(2), x, int(3), last.any()]);
            let (shared, apart) = (with(&one)?, with(&twin)?);
            for variables in [false, true] {
                if t.structural_equal(&shared.any(), &apart.any(), variables)? {
                    let hash = |value: &Owned| t.structural_hash(&value.any(), variables);
                    let what =
                        format_args!("the hash of {make} with a variable between it {place:?}, mapped: {variables}");
                    t.eq(what, hash(&shared)?, hash(&apart)?)?;
                }
            }
        }
    }
    Ok(())
}

/// Threads may compare and hash one value structurally at the same time.
#[check(SEQ_0042)]
fn threads(t: &Trial) -> Verdict {
    let (one, twin) = (t.containers_of(40, -1)?, t.containers_of(40, -1)?);
    let values: Vec<_> = one.iter().zip(&twin).map(|(one, twin)| (one.any(), twin.any())).collect();
    let other = t.call_global("ffi.Array", &[view::int(1)])?.into_any();
    t.same_on_threads("equality, mismatch and hash on several threads", |client| answers(client, &values, &other))
}

/// Containers are compared and hashed structurally on a thread with a small stack as on any other.
#[check(SEQ_0003, SEQ_0007)]
fn on_a_small_stack(t: &Trial) -> Verdict {
    let (one, twin) = (t.containers_of(3, -1)?, t.containers_of(3, -1)?);
    let values: Vec<_> = one.iter().zip(&twin).map(|(one, twin)| (one.any(), twin.any())).collect();
    let other = t.call_global("ffi.Array", &[view::int(1)])?;
    t.same_on_a_small_stack("equality, mismatch and hash on a thread with a small stack", |client| {
        answers(client, &values, &other.any())
    })
}

/// Whether two values of each pair are equal, how the first compares with another, and the hashes of both.
fn answers(client: &Client, values: &[(TVMFFIAny, TVMFFIAny)], other: &TVMFFIAny) -> Verdict<Vec<i64>> {
    let mut all = Vec::new();
    for (lhs, rhs) in values {
        all.push(i64::from(client.structural_equal(lhs, rhs, false)?));
        all.push(i64::from(client.structural_equal(lhs, other, true)?));
        all.push(i64::from(client.has_no_mismatch(lhs, other)?));
        all.push(client.structural_hash(lhs, false)?);
        all.push(client.structural_hash(rhs, true)?);
    }
    Ok(all)
}
