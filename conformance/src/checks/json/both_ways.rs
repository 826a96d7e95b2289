//! Values that are written and read again, what is left behind, and calls that are refused.

use tvm_ffi_spec::*;

use super::kit::{
    PARSE, SAMPLE, STRINGIFY, built_comes_back, comes_back, does_not_write, held, parse, places, refuses, sample,
    stringify,
};
use crate::{
    checks::check,
    client::{
        Verdict,
        model::{self, Value},
        samples::{LENGTHS, Place, SIZES},
        view,
    },
    trial::Trial,
};

/// A String of random characters is written and read back unchanged.
#[check(JSN_0008)]
fn any_unicode(t: &Trial) -> Verdict {
    t.property(".{0,12}", |text| comes_back(t, &Value::str(text), None))
}

/// A hundred nested JSON arrays are read and written.
#[check(JSN_0018)]
fn deep_enough(t: &Trial) -> Verdict {
    let text = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let value = parse(t, &text)?;
    t.eq("the text that is written again", stringify(t, &value, None)?, text)
}

/// A random value is written as JSON and read back as the same value.
#[check(JSN_0031)]
fn any_value(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| comes_back(t, value, None))
}

/// A random value is written as JSON with a random indent and read back as the same value.
#[check(JSN_0031)]
fn any_value_indented(t: &Trial) -> Verdict {
    t.property((model::json_value(), 1..5i64), |(value, indent)| comes_back(t, value, Some(*indent)))
}

/// A String of any bytes and of every length is written and read back unchanged, or refused.
#[check(JSN_0031)]
fn every_text(t: &Trial) -> Verdict {
    let ramp: Vec<u8> = (0..=255).collect();
    let texts = [&ramp[..], b"\x7F", b"\xFF\x80", b"\xC3", b"a\0b", b"/", b"\xED\xA0\x80", b"\xE2\x80\xA8"];
    let short = (0..20).map(|len| &ramp[b'a' as usize..][..len]);
    for text in texts.into_iter().chain(short) {
        let Ok(written) = t.answer(STRINGIFY, &[t.string(text)?.any(), TVMFFIAny::NONE])? else { continue };
        let Ok(read) = t.answer(PARSE, &[written.any()])? else { continue };
        t.eq("the text that is read", Value::read(t, &read.any())?, Value::Str(text.to_vec()))?;
    }
    Ok(())
}

/// Containers of every size and texts of every length are written and read back as the same values.
#[check(JSN_0031, patient = 2)]
fn every_size(t: &Trial) -> Verdict {
    for size in SIZES {
        let values: Vec<_> = (0..size).map(Value::Int).collect();
        let entries: Vec<_> = (0..size).map(|key| (Value::str(&format!("key {key}")), Value::Int(key))).collect();
        for value in [Value::Array(values), Value::Map(entries)] {
            let built = value.build(t)?;
            for indent in [None, Some(1)] {
                built_comes_back(t, &built, &value, indent)?;
            }
        }
    }
    let places = places(t)?;
    for len in LENGTHS {
        // Every character that has to be escaped, among those that have not, at every place. A text that is longer than any buffer stands in no
        // container within a container.
        let text: Vec<u8> = (0..len).map(|at| (at % 0x7F) as u8 + 1).collect();
        let text_value = Value::Str(text.clone());
        for place in places.iter().filter(|place| place.len() < 2 || len <= 4096) {
            comes_back(t, &held(place, &text_value), None)?;
        }
        comes_back(t, &Value::Map(vec![(Value::Str(text), Value::None)]), None)?;
    }
    Ok(())
}

/// A container that stands twice beside itself is written twice, whatever it has in it.
#[check(JSN_0031)]
fn twice(t: &Trial) -> Verdict {
    let (number, entry) = (Value::Int(1), (Value::str("a"), Value::Int(1)));
    let inner = [
        Value::List(vec![]),
        Value::List(vec![number.clone()]),
        Value::List(vec![Value::List(vec![])]),
        Value::Dict(vec![]),
        Value::Dict(vec![entry.clone()]),
        Value::Array(vec![]),
        Value::Array(vec![number]),
        Value::Map(vec![]),
        Value::Map(vec![entry]),
    ];
    let (key, other) = (view::c_str(c"key"), view::c_str(c"other"));
    for inner in &inner {
        let twin = inner.build(t)?;
        // A target may write no mutable maps; a text has no mutable containers.
        let Ok(text) = t.answer(STRINGIFY, &[twin.any(), TVMFFIAny::NONE])? else { continue };
        let read_inner = Value::read(t, &t.call_global(PARSE, &[text.any()])?.any())?;
        for outer in ["ffi.Array", "ffi.List", "ffi.Map"] {
            let is_map = outer == "ffi.Map";
            // Nor may it write one inside of others.
            let once = t.call_global(outer, &[key, twin.any()][usize::from(!is_map)..])?;
            if t.answer(STRINGIFY, &[once.any(), TVMFFIAny::NONE])?.is_err() {
                continue;
            }
            let args = if is_map { vec![key, twin.any(), other, twin.any()] } else { vec![twin.any(), twin.any()] };
            let expected = if is_map {
                Value::Map(["key", "other"].map(|key| (Value::str(key), read_inner.clone())).to_vec())
            } else {
                Value::Array(vec![read_inner.clone(), read_inner.clone()])
            };
            let text = stringify(t, &t.call_global(outer, &args)?, None)?;
            let read = Value::read(t, &parse(t, &text)?.any())?;
            t.eq(format_args!("what an {outer} with {inner:?} twice is read as"), read, expected)?;
        }
    }
    Ok(())
}

/// Numbers at the edges of their types are written and read back as the same numbers, wherever they stand.
#[check(JSN_0021, JSN_0031, patient = 2)]
fn every_number(t: &Trial) -> Verdict {
    let ints = [0, -1, 1 << 31, -(1 << 31) - 1, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MIN];
    let floats = [-0.0, 0.1, -1e300, f64::MAX, f64::MIN_POSITIVE, 9_007_199_254_740_993.0, 9.3e18, f64::MIN];
    let places = places(t)?;
    for (row, number) in ints.map(Value::Int).into_iter().chain(floats.map(Value::float)).enumerate() {
        // In turn, so that each indent comes with each number and at each place.
        for (place, indent) in places.iter().zip([None, Some(0), Some(3)].into_iter().cycle().skip(row % 3)) {
            comes_back(t, &held(place, &number), indent)?;
        }
    }
    Ok(())
}

/// Reading and writing JSON leave no memory behind, also on threads that end.
#[check(JSN_0033, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    t.leaves_nothing("reading and writing JSON", |t| {
        let value = parse(t, SAMPLE)?;
        stringify(t, &value, Some(2)).map(drop)
    })
}

/// JSON texts and values that are refused leave no memory behind.
#[check(JSN_0033)]
fn refusal_no_growth(t: &Trial) -> Verdict {
    t.no_growth("refusing JSON", || {
        refuses(t, r#"{"a long enough key":["and a long value", oops"#)?;
        does_not_write(t, &Value::Array(vec![Value::str("a long enough string"), Value::Bytes(vec![0])]).build(t)?)
    })
}

/// A text that is refused behind a value, wherever and with whatever behind it, leaves no memory behind, nor does the value.
#[check(JSN_0033, patient = 2)]
fn refused_behind_a_value_no_growth(t: &Trial) -> Verdict {
    t.short_backtraces();
    let values = [
        "-1.5",
        r#""a long enough text""#,
        r#"["a long enough text",[2]]"#,
        r#"{"a long enough key":[1]}"#,
        "[]",
        "{}",
    ];
    // The value in each is the `@`.
    let texts = [
        "@ @",
        "@ oops",
        "@]",
        "@}",
        "@,",
        "[@",
        "[@,",
        "[@,]",
        "[@ @]",
        "[@,oops]",
        "[@}",
        "[[@],[@",
        "[@]]",
        r#"{"k":@"#,
        r#"{"k":@,"#,
        r#"{"k":@,}"#,
        r#"{"k":@,"l"}"#,
        r#"{"k":@,"l":}"#,
        r#"{"k":@ "l":1}"#,
        r#"{"k":@]"#,
        r#"{"a long enough key":@}}"#,
        r#"{@:1}"#,
        r#"[{"k":@},"and a text without an end"#,
        r#"{"k":@,"k":@,"#,
    ];
    for value in values {
        t.no_growth(format_args!("reading texts that are wrong behind {value}"), || {
            let texts = texts.map(|text| text.replace('@', value));
            texts.iter().try_for_each(|text| {
                let (array, owned) = (TVMFFIByteArray::new(text.as_bytes()), t.string(text.as_bytes())?);
                // Which of them are refused is for other clauses to say.
                [view::byte_array(&array), owned.any()].iter().try_for_each(|text| t.answer(PARSE, &[*text]).map(drop))
            })
        })?;
    }
    Ok(())
}

/// A value that is refused for what is in it, wherever that is, leaves no memory behind when it is written.
#[check(JSN_0033, patient = 2)]
fn refused_value_no_growth(t: &Trial) -> Verdict {
    t.short_backtraces();
    let bytes = t.bytes(b"bytes, which JSON has none of")?;
    let inner =
        Place::all(t)?.into_iter().map(|place| place.put_before(t, &bytes.any(), 2)).collect::<Verdict<Vec<_>>>()?;
    for (place, inner) in Place::all(t)?.into_iter().flat_map(|place| inner.iter().map(move |inner| (place, inner))) {
        let beside = t.string(b"a long enough text beside it")?;
        let value = place.put_before(t, &inner.any(), 2)?;
        let value = t.call_global("ffi.Array", &[beside.any(), value.any()])?;
        for indent in [TVMFFIAny::NONE, view::int(2)] {
            t.no_growth(format_args!("writing what cannot be written, {place:?}"), || {
                t.answer(STRINGIFY, &[value.any(), indent]).map(drop)
            })?;
        }
    }
    Ok(())
}

/// Four threads may read and write JSON at once.
#[check(JSN_0034, patient = 3)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, _| (0..50).try_for_each(|_| comes_back(t, &sample(), None)))
}

/// `ffi.json.Parse` and `ffi.json.Stringify` raise a TypeError for missing arguments or those of another type.
#[check(JSN_0035)]
fn arguments(t: &Trial) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let [parse, stringify] = t.globals([PARSE, STRINGIFY])?;
    t.raises(t.try_call(&parse, &[view::int(1)], &mut result), &["TypeError"])?;
    t.raises(t.try_call(&parse, &[], &mut result), &["TypeError"])?;
    let text = t.string(b"x")?;
    t.raises(t.try_call(&stringify, &[view::int(1), text.any()], &mut result), &["TypeError"]).map(drop)
}

/// An object that was read from JSON has one strong reference, which is the caller's.
#[check(JSN_0036)]
fn result_owned(t: &Trial) -> Verdict {
    for text in [SAMPLE, "[1]", "[]", "\"a string of many bytes\""] {
        let value = parse(t, text)?;
        t.eq(format_args!("the counts of {text}"), t.counts(value.handle())?, (1, 1))?;
    }
    Ok(())
}
