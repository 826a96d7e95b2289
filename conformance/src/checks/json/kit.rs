//! Reading and writing JSON texts, and a value with its text.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, globals, model::Value, view},
    trial::Trial,
};

/// The function that reads a text.
pub(super) const PARSE: &str = "ffi.json.Parse";

/// The function that writes a value.
pub(super) const STRINGIFY: &str = "ffi.json.Stringify";

/// Reads a text.
pub(super) fn parse(t: &Trial, text: &str) -> Verdict<Owned> {
    let text = t.string(text.as_bytes())?;
    t.call_global(PARSE, &[text.any()])
}

/// Writes a value.
pub(super) fn stringify(t: &Trial, value: &Owned, indent: Option<i64>) -> Verdict<String> {
    let indent = indent.map_or(TVMFFIAny::NONE, view::int);
    let text = t.text(&t.call_global(STRINGIFY, &[value.any(), indent])?.any())?;
    String::from_utf8(text).map_err(|error| t.failure("the written text", "UTF-8", error))
}

/// Expects texts to be read as these values.
pub(super) fn reads(t: &Trial, cases: &[(&str, Value)]) -> Verdict {
    cases.iter().try_for_each(|(text, expected)| {
        let got = Value::read(t, &parse(t, text)?.any())?;
        t.eq(format_args!("what {text} reads as"), &got, expected)
    })
}

/// Expects a text to be refused.
pub(super) fn refuses(t: &Trial, text: &str) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let (parse, owned) = (t.global(PARSE)?, t.string(text.as_bytes())?);
    let code = t.try_call(&parse, &[owned.any()], &mut result);
    if code == 0 {
        return Err(t.failure(format!("reading {text:?}"), "an error", format!("{:?}", Value::read(t, &result)?)));
    }
    t.raises(code, &[]).map(drop)
}

/// Expects a value to be refused.
pub(super) fn does_not_write(t: &Trial, value: &Owned) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let stringify = t.global(STRINGIFY)?;
    t.raises(t.try_call(&stringify, &[value.any(), TVMFFIAny::NONE], &mut result), &[]).map(drop)
}

/// Expects a text to be read, or to be refused with an error, without ending the process.
pub(super) fn harmless(t: &Trial, text: &str) -> Verdict {
    t.returns(PARSE, &[t.string(text.as_bytes())?.any()])
}

/// Expects a value to be read back from its text.
pub(super) fn comes_back(t: &Trial, value: &Value, indent: Option<i64>) -> Verdict {
    built_comes_back(t, &value.build(t)?, value, indent)
}

/// The same of one that the target has made.
pub(super) fn built_comes_back(t: &Trial, built: &Owned, value: &Value, indent: Option<i64>) -> Verdict {
    let text = stringify(t, built, indent)?;
    // No clause lays down how a float is written: 1.0 may come back as the integer 1.
    let read = Value::read(t, &parse(t, &text)?.any())?;
    t.that(
        format_args!("what {text} reads as"),
        same(&read, value),
        format_args!("{value:?}"),
        format_args!("{read:?}"),
    )
}

/// Puts a value into a container, or into one in another, or nowhere.
pub(super) type Holds = Vec<fn(Value) -> Value>;

/// A value in a place.
pub(super) fn held(place: &Holds, value: &Value) -> Value {
    place.iter().fold(value.clone(), |value, hold| hold(value))
}

/// Places for a value: alone and in containers of each kind, also where these are in containers again, as far as None is written there: which
/// containers are written, and where, is for other clauses to say.
pub(super) fn places(t: &Trial) -> Verdict<Vec<Holds>> {
    type Hold = fn(Value) -> Value;
    const KINDS: [(&str, Hold); 4] = [
        ("ffi.Array", |value| Value::Array(vec![value])),
        ("ffi.Map", |value| Value::Map(vec![(Value::str("key"), value)])),
        ("ffi.List", |value| Value::List(vec![value])),
        ("ffi.Dict", |value| Value::Dict(vec![(Value::str("key"), value)])),
    ];
    let mut holds = Vec::new();
    for (make, hold) in KINDS {
        if globals::find(t, make)?.is_some() {
            holds.push(hold);
        }
    }
    let once: Vec<Holds> = holds.iter().map(|hold| vec![*hold]).collect();
    let twice = holds.iter().flat_map(|inner| holds.iter().map(|outer| vec![*inner, *outer]));
    let mut found = Vec::new();
    for place in [vec![vec![]], once.clone(), twice.collect()].concat() {
        if t.answer(STRINGIFY, &[held(&place, &Value::None).build(t)?.any(), TVMFFIAny::NONE])?.is_ok() {
            found.push(place);
        }
    }
    Ok(found)
}

/// Whether what was read is what was written, to JSON, which has one type of numbers and one kind of either container.
fn same(lhs: &Value, rhs: &Value) -> bool {
    match (lhs, rhs) {
        (Value::Array(lhs), Value::Array(rhs) | Value::List(rhs)) => {
            lhs.len() == rhs.len() && lhs.iter().zip(rhs).all(|(lhs, rhs)| same(lhs, rhs))
        }
        (Value::Map(lhs), Value::Map(rhs) | Value::Dict(rhs)) => {
            lhs.len() == rhs.len() && lhs.iter().zip(rhs).all(|(lhs, rhs)| lhs.0 == rhs.0 && same(&lhs.1, &rhs.1))
        }
        // The zero of negative sign may be written as either zero.
        (Value::Int(0), Value::Float(bits)) => f64::from_bits(*bits) == 0.0,
        (Value::Float(one), Value::Float(other)) if f64::from_bits(*other) == 0.0 => f64::from_bits(*one) == 0.0,
        (Value::Int(int), Value::Float(bits)) => (*int as f64).to_bits() == *bits,
        _ => lhs == rhs,
    }
}

/// The text of the [`sample`].
pub(super) const SAMPLE: &str = r#"{"a":[1,"x",null],"b":{"c":true}}"#;

/// A value with something of most kinds in it.
pub(super) fn sample() -> Value {
    let list = Value::Array(vec![Value::Int(1), Value::str("x"), Value::None]);
    let inner = Value::Map(vec![(Value::str("c"), Value::Bool(true))]);
    Value::Map(vec![(Value::str("a"), list), (Value::str("b"), inner)])
}
