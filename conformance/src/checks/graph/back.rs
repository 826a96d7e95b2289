//! Values of every type, written and read.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{READ, WRITE, comes_back, read, write};
use crate::{
    checks::check,
    client::{
        Client, Owned, Verdict,
        extremes::DEEP,
        globals,
        model::{self, Value},
        samples::{LENGTHS, Place, SIZES},
        view,
    },
    trial::Trial,
};

/// None, booleans, integers, floats, Strings and Bytes come back from their JSON graph with type and value.
#[check(GRF_0001)]
fn scalars(t: &Trial) -> Verdict {
    let values = [
        Value::None,
        Value::Bool(true),
        Value::Bool(false),
        Value::Int(0),
        Value::Int(i64::MIN),
        Value::Int(i64::MAX),
        Value::float(0.1),
        Value::float(-1.0),
        Value::str("text"),
        Value::Bytes(b"\0\xff".to_vec()),
    ];
    values.iter().try_for_each(|value| comes_back(t, value))
}

/// Strings and Bytes of 0 to 19 bytes come back from their JSON graph, whatever bytes they begin and end with.
#[check(GRF_0001)]
fn strings_by_length(t: &Trial) -> Verdict {
    for len in 0..20 {
        comes_back(t, &Value::Str(vec![b's'; len]))?;
        comes_back(t, &Value::Bytes((0..len).map(|at| 200 + at as u8).collect()))?;
        for (edge, count) in
            [0, b'=', b'A', b'/', 0x7F, 0xFF].into_iter().flat_map(|edge| [1, 2, 3].map(|count| (edge, count)))
        {
            let inner = |at: usize| if at < count || at + count >= len { edge } else { b'm' };
            comes_back(t, &Value::Bytes((0..len).map(inner).collect()))?;
            comes_back(t, &Value::Bytes((0..len).map(|at| if at + count >= len { edge } else { b'm' }).collect()))?;
        }
    }
    Ok(())
}

/// A float comes back from its JSON graph whatever it is: infinite, no number, -0, or smaller than the normal ones.
#[check(GRF_0027)]
fn every_float(t: &Trial) -> Verdict {
    let floats = [-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1), f64::MIN_POSITIVE / 2.0];
    floats.iter().try_for_each(|value| comes_back(t, &Value::float(*value)))?;
    let back = read(t, &write(t, &view::float(f64::NAN), None)?)?.any();
    let is_nan = back.type_index == kTVMFFIFloat && f64::from_bits(back.payload()).is_nan();
    t.that("what NaN comes back as", is_nan, "a float that is no number", format_args!("{back:?}"))
}

/// Values that are alike come back beside each other as what each of them is.
#[check(GRF_0001)]
fn alike_beside_each_other(t: &Trial) -> Verdict {
    let alike = [
        vec![Value::Int(0), Value::float(0.0), Value::float(-0.0), Value::Bool(false), Value::None],
        vec![Value::Int(1), Value::float(1.0), Value::Bool(true), Value::str("1"), Value::Bytes(b"1".to_vec())],
        vec![Value::str(""), Value::Bytes(vec![]), Value::Array(vec![]), Value::Map(vec![])],
        [1 << 53, (1 << 53) + 1, i64::MAX, i64::MAX - 1].map(Value::Int).to_vec(),
        [1.0, 1.0 + f64::EPSILON, 1e300, 1e300 * (1.0 + f64::EPSILON)].map(Value::float).to_vec(),
        ["a", "a\0", "A", "\0a", "a text that is not short", "a text that is not short\0"].map(Value::str).to_vec(),
    ];
    for values in alike {
        for (one, other) in values.iter().flat_map(|one| values.iter().map(move |other| (one, other))) {
            comes_back(t, &Value::Array(vec![one.clone(), other.clone(), one.clone()]))?;
        }
    }
    Ok(())
}

/// Plain values of all types come back as what each of them is where hundreds of them stand beside each other, in whatever order and
/// container, in texts and in values.
#[check(GRF_0001, GRF_0002)]
fn many_beside_each_other(t: &Trial) -> Verdict {
    let word = |type_index: i32, payload: u64| TVMFFIAny::new(type_index, payload);
    // A small number, its neighbours of other types, and what has the same bits as they.
    let dtypes = [(0, 8, 1), (0, 32, 1), (0, 64, 1), (1, 8, 1), (1, 32, 4), (2, 16, 1), (2, 32, 1), (2, 64, 1)]
        .map(|(code, bits, lanes): (u64, u64, u64)| word(kTVMFFIDataType, code | bits << 8 | lanes << 16));
    let devices = [(1, 0), (1, 1), (2, 0), (2, 1), (2, 3), (4, 0)]
        .map(|(kind, id): (u64, u64)| word(kTVMFFIDevice, kind | id << 32));
    let mut values = vec![TVMFFIAny::NONE, view::bool(true), view::bool(false)];
    values.extend((-130..=300).map(view::int));
    values.extend((-130..=300).map(|number| view::float(f64::from(number))));
    values.extend(dtypes.iter().chain(&devices));
    values.extend(dtypes.iter().chain(&devices).map(|value| view::int(value.payload() as i64)));
    values.extend([1.0_f64, 2.0, 0.5].map(|float| view::int(float.to_bits() as i64)));
    values.extend([32, 52, 53, 63].map(|power| view::int(1_i64.wrapping_shl(power))));
    let turned: Vec<_> = values.iter().rev().copied().collect();
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for (make, values) in t.containers()?.into_iter().flat_map(|make| [(make, &values), (make, &turned)]) {
        let is_map = make == "ffi.Map" || make == "ffi.Dict";
        let entries = (0..).map(view::int).zip(values).flat_map(|(key, value)| [key, *value]);
        let args = if is_map { entries.collect() } else { values.clone() };
        let whole = t.call_global(make, &args)?;
        for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
            let back = t.call(read, &[t.call(write, &[whole.any(), TVMFFIAny::NONE])?.any()])?;
            t.type_index_eq("the type of what came back", back.any().type_index, whole.any().type_index)?;
            let found: Vec<_> = match is_map {
                true => t.map(back.handle())?.entries.into_iter().map(|(_, value)| value).collect(),
                false => t.sequence(back.handle())?.items,
            };
            t.eq("number of values that came back", found.len(), values.len())?;
            for (at, (value, found)) in values.iter().zip(&found).enumerate() {
                if found.to_bytes() == value.to_bytes() {
                    continue;
                }
                let is_plain = [kTVMFFIDataType, kTVMFFIDevice].contains(&value.type_index);
                t.clause(if is_plain { id::GRF_0002 } else { id::GRF_0001 });
                t.any_eq(format_args!("value {at} of what was {make}"), found, value)?;
            }
        }
    }
    Ok(())
}

/// What stands twice far within a value, and not within itself, is written and read as two parts that are alike are.
#[check(GRF_0004, GRF_0005)]
fn deep_and_shared(t: &Trial) -> Verdict {
    t.in_large_pages();
    for (make, around, levels) in DEEP {
        if globals::find(t, make)?.is_none() {
            continue;
        }
        t.clause(if make == "ffi.Array" || make == "ffi.Map" { id::GRF_0004 } else { id::GRF_0005 });
        let [shared, apart] = t.deep_shared_and_apart(make, around, levels)?;
        for (write, read) in [(WRITE, READ), ("ffi.ToJSONGraph", "ffi.FromJSONGraph")] {
            let come_to = |value: &Owned| -> Verdict<Result<i32, String>> {
                let graph = match t.answer(write, &[value.any(), TVMFFIAny::NONE])? {
                    Ok(graph) => graph,
                    Err(raised) => return Ok(Err(raised.message)),
                };
                let back = t.answer(read, &[graph.any()])?;
                Ok(back.map(|back| back.any().type_index).map_err(|raised| raised.message))
            };
            // How deep a value may be is for other clauses to say.
            let expected = come_to(&apart)?;
            if expected.is_ok() {
                let what =
                    format_args!("what {write} and {read} make of {make} {around} deep with {levels} levels twice");
                t.eq(what, come_to(&shared)?, expected)?;
            }
        }
    }
    Ok(())
}

/// Values of every form come back from their JSON graph at every place, in texts and in values.
#[check(GRF_0001, GRF_0002, GRF_0004, patient = 2)]
fn every_form(t: &Trial) -> Verdict {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for sample in t.samples()?.iter().filter(|sample| sample.fits_json()) {
        for place in Place::all(t)? {
            let holder = place.put(t, &sample.any())?;
            for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
                let back = t.call(read, &[graph.any()])?;
                let what = format_args!("what came back, {place:?}");
                if place != Place::Alone {
                    t.type_index_eq(what, back.any().type_index, holder.any().type_index)?;
                }
                t.is_sample(what, &place.look(t, &back.any())?, sample)?;
            }
        }
    }
    Ok(())
}

/// A random normal float comes back from its JSON graph to the bit.
#[check(GRF_0001)]
fn any_float(t: &Trial) -> Verdict {
    t.property(proptest::num::f64::NORMAL, |value| comes_back(t, &Value::float(*value)))
}

/// Data types and devices come back from their JSON graph.
#[check(GRF_0002)]
fn dtype_and_device(t: &Trial) -> Verdict {
    let dtype = |code: u8, bits: u8, lanes: u16| {
        TVMFFIAny::new(kTVMFFIDataType, u64::from(code) | u64::from(bits) << 8 | u64::from(lanes) << 16)
    };
    let device = |kind: u32, id: u32| TVMFFIAny::new(kTVMFFIDevice, u64::from(kind) | u64::from(id) << 32);
    for value in [dtype(2, 32, 1), dtype(0, 8, 4), dtype(1, 64, 1), device(1, 0), device(2, 3)] {
        let back = read(t, &write(t, &value, None)?)?;
        t.any_eq("what came back", &back.any(), &value)?;
    }
    Ok(())
}

/// A Shape comes back from its JSON graph with its extents.
#[check(GRF_0003)]
fn shape(t: &Trial) -> Verdict {
    let edges = [3, 0, -1, 1 << 31, 1 << 32, 1 << 40, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MAX - 1, i64::MIN];
    for extents in [&[][..], &[7], &[2, 0, 1 << 40], &edges] {
        let args: Vec<_> = extents.iter().map(|extent| view::int(*extent)).collect();
        let made = t.call_global("ffi.Shape", &args)?;
        for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
            let back = read(t, &write(t, &place.put(t, &made.any())?.any(), None)?)?;
            let shape = place.look(t, &back.any())?;
            t.type_index_eq(format_args!("the type, {place:?}"), shape.type_index, kTVMFFIShape)?;
            let cell: TVMFFIShapeCell = t.cell("the shape", shape.payload() as TVMFFIObjectHandle)?;
            t.eq("the number of extents", cell.size, extents.len())?;
            for (at, extent) in extents.iter().enumerate() {
                let got: i64 = t.read("an extent", cell.data.wrapping_add(at))?;
                t.eq(format_args!("extent {at}, {place:?}"), got, *extent)?;
            }
        }
    }
    Ok(())
}

/// Arrays and Maps come back from their JSON graph with their elements in their order.
#[check(GRF_0004)]
fn containers(t: &Trial) -> Verdict {
    use Value::{Array, Int, Map, None};
    let map = Map(vec![(Value::str("b"), Int(1)), (Value::str("a"), Array(vec![None]))]);
    comes_back(t, &Array(vec![]))?;
    comes_back(t, &Map(vec![]))?;
    comes_back(t, &Array(vec![Int(1), Value::str("a string on the heap"), Array(vec![Int(2)]), map.clone()]))?;
    comes_back(t, &Map(vec![(Value::str("outer"), map)]))
}

/// A Map with keys of several types comes back from its JSON graph.
#[check(GRF_0004)]
fn any_keys(t: &Trial) -> Verdict {
    let keys = [
        Value::Int(-1),
        Value::Bool(true),
        Value::float(2.5),
        Value::None,
        Value::str("s"),
        Value::str("a string on the heap"),
        Value::Bytes(b"b".to_vec()),
    ];
    comes_back(t, &Value::Map(keys.into_iter().zip((0..).map(Value::Int)).collect()))
}

/// A random value comes back from its JSON graph.
#[check(GRF_0004)]
fn any_value(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| comes_back(t, value))
}

/// Lists and Dicts come back from their JSON graph as Lists and Dicts.
#[check(GRF_0005)]
fn mutable_containers(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1), Value::List(vec![])]);
    comes_back(t, &list)?;
    comes_back(t, &Value::Dict(vec![]))?;
    comes_back(t, &Value::Dict(vec![(Value::str("k"), list), (Value::Int(2), Value::Array(vec![]))]))
}

/// An object of a reflected type comes back from its JSON graph with its type and its fields.
#[check(GRF_0014)]
fn object(t: &Trial) -> Verdict {
    let attr = t.string(b"an attribute's name")?;
    let step = t.access_step(0, attr.any())?;
    let back = read(t, &write(t, &step.any(), None)?)?;
    t.eq("the type", back.any().type_index, step.any().type_index)?;
    let fields: (i32, u32, TVMFFIAny) = t.cell("the object", back.handle())?;
    t.eq("the field `kind`", fields.0, 0)?;
    t.eq("the field `key`", t.text(&fields.2)?, b"an attribute's name".to_vec())
}

/// Containers of every kind and size come back from their JSON graph, and texts of every length.
#[check(GRF_0004, GRF_0001, patient = 2)]
fn every_size(t: &Trial) -> Verdict {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let doors = [(&write, &read), (&to_graph, &from_graph)];
    let back = |value: &TVMFFIAny| -> Verdict {
        let expected = Value::read(t, value)?;
        for (write, read) in doors {
            let got = t.call(read, &[t.call(write, &[*value, TVMFFIAny::NONE])?.any()])?;
            let got = Value::read(t, &got.any())?;
            t.that("what came back", got == expected, format_args!("{expected:?}"), format_args!("{got:?}"))?;
        }
        Ok(())
    };
    for size in SIZES {
        t.containers_of(size, -1)?.iter().try_for_each(|value| back(&value.any()))?;
    }
    t.clause(id::GRF_0001);
    for len in LENGTHS {
        // Every character that JSON has to escape, among those that it does not, at every place.
        let text: Vec<u8> = (0..len).map(|at| (at % 0x7F) as u8 + 1).collect();
        back(&t.string(&text)?.any())?;
        back(&t.bytes(&text)?.any())?;
    }
    Ok(())
}

/// Threads may write and read graphs of one value at the same time.
#[check(GRF_0029)]
fn threads(t: &Trial) -> Verdict {
    let values: Vec<_> = t.containers_of(20, -1)?.into_iter().map(|value| value.into_any()).collect();
    t.same_on_threads("graphs on several threads", |client| answers(client, &values))
}

/// Containers are written to graphs and read from them on a thread with a small stack as on any other.
#[check(GRF_0004)]
fn on_a_small_stack(t: &Trial) -> Verdict {
    let values: Vec<_> = t.containers_of(3, -1)?.into_iter().map(Owned::into_any).collect();
    t.same_on_a_small_stack("graphs on a thread with a small stack", |client| answers(client, &values))
}

/// The graphs of values, and what is read from them.
fn answers(client: &Client, values: &[TVMFFIAny]) -> Verdict<Vec<Value>> {
    let mut all = Vec::new();
    for value in values {
        let text = client.call_global(WRITE, &[*value, TVMFFIAny::NONE])?;
        let graph = client.call_global("ffi.ToJSONGraph", &[*value, TVMFFIAny::NONE])?;
        for (read, graph) in [(READ, &text), ("ffi.FromJSONGraph", &graph)] {
            all.push(Value::read(client, &client.call_global(read, &[graph.any()])?.any())?);
        }
        all.push(Value::read(client, &text.any())?);
    }
    Ok(all)
}
