//! JSON texts: what they are read as, and how values are written.
//!
//! What is expected is written down here or computed by a model of its own ([`Value`]); nothing goes through the target
//! that is not being judged, except containers, which are built and read through their own functions.

use proptest::num::f64::{NORMAL, SUBNORMAL, ZERO};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::{self, Value},
        view,
    },
    trial::Trial,
};

const PARSE: &str = "ffi.json.Parse";
const STRINGIFY: &str = "ffi.json.Stringify";

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

/// The JSON literals `null`, `true` and `false` are read as None and the two booleans.
#[check(JSN_0001)]
fn literals(t: &Trial) -> Verdict {
    reads(t, &[("null", Value::None), ("true", Value::Bool(true)), ("false", Value::Bool(false))])
}

/// A whole JSON number that fits in 64 bits is read as an integer of exactly that value.
#[check(JSN_0002)]
fn integers(t: &Trial) -> Verdict {
    let numbers = [0, 1, -1, 7, -300, i64::from(i32::MAX), 1 << 53, i64::MAX, i64::MIN];
    numbers.iter().try_for_each(|number| reads(t, &[(&number.to_string(), Value::Int(*number))]))
}

/// A JSON number with a fraction or an exponent is read as the nearest float.
#[check(JSN_0003)]
fn floats(t: &Trial) -> Verdict {
    let texts = ["0.0", "1.5", "-0.25", "1e3", "1E3", "2e-3", "-1.5e+2", "123456789.125", "1e300", "2.5e-308", "0.1"];
    texts.iter().try_for_each(|text| reads(t, &[(text, Value::float(text.parse().unwrap_or_default()))]))
}

/// The shortest digits of a random float are read as that float, to the bit.
#[check(JSN_0003)]
fn any_float(t: &Trial) -> Verdict {
    t.property(NORMAL | ZERO, |value| reads(t, &[(&format!("{value:e}"), Value::float(*value))]))
}

/// The shortest digits of a random subnormal float are read as that float, to the bit.
#[check(JSN_0037)]
fn subnormals(t: &Trial) -> Verdict {
    t.property(SUBNORMAL, |value| reads(t, &[(&format!("{value:e}"), Value::float(*value))]))
}

/// A whole JSON number that does not fit in 64 bits is read as the nearest float.
#[check(JSN_0004)]
fn beyond_64_bits(t: &Trial) -> Verdict {
    let texts = ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "100000000000000000000"];
    texts.iter().try_for_each(|text| reads(t, &[(text, Value::float(text.parse().unwrap_or_default()))]))
}

/// A JSON string of any length is read as a String of the same content.
#[check(JSN_0005)]
fn plain_strings(t: &Trial) -> Verdict {
    let texts = ["", "a", "seven_b", "eight_by", "a string that is too long to be stored inline"];
    texts.iter().try_for_each(|text| reads(t, &[(&format!("\"{text}\""), Value::str(text))]))
}

/// Each escape of one letter in a JSON string is read as its character.
#[check(JSN_0006)]
fn escapes(t: &Trial) -> Verdict {
    let all = [
        (r#""\"""#, "\""),
        (r#""\\""#, "\\"),
        (r#""\/""#, "/"),
        (r#""\b""#, "\u{8}"),
        (r#""\f""#, "\u{c}"),
        (r#""\n""#, "\n"),
        (r#""\r""#, "\r"),
        (r#""\t""#, "\t"),
        (r#""a\tb\nc""#, "a\tb\nc"),
    ];
    all.iter().try_for_each(|(text, content)| reads(t, &[(text, Value::str(content))]))
}

/// An escape `\uXXXX` in a JSON string is read as its character in UTF-8.
#[check(JSN_0007)]
fn unicode_escapes(t: &Trial) -> Verdict {
    let all = [
        (r#""\u0041""#, "A"),
        (r#""\u00e9""#, "\u{e9}"),
        (r#""\u20AC""#, "\u{20ac}"),
        (r#""\uFFFD""#, "\u{fffd}"),
        (r#""x\u07ffy""#, "x\u{7ff}y"),
        (r#""\u0800""#, "\u{800}"),
    ];
    all.iter().try_for_each(|(text, content)| reads(t, &[(text, Value::str(content))]))
}

/// A pair of surrogate escapes in a JSON string is read as one character beyond the first plane.
#[check(JSN_0007)]
fn surrogates(t: &Trial) -> Verdict {
    let all = [
        (r#""\ud83d\ude00""#, "\u{1f600}"),
        (r#""\uD800\uDC00""#, "\u{10000}"),
        (r#""\udbff\udfff""#, "\u{10ffff}"),
        (r#""a\ud83d\ude00b""#, "a\u{1f600}b"),
    ];
    all.iter().try_for_each(|(text, content)| reads(t, &[(text, Value::str(content))]))
}

/// The escape `\u0000` in a JSON string is read as a NUL byte, which ends nothing.
#[check(JSN_0007)]
fn nul(t: &Trial) -> Verdict {
    reads(t, &[(r#""a\u0000b""#, Value::Str(b"a\0b".to_vec())), (r#""\u0000""#, Value::Str(b"\0".to_vec()))])
}

/// Characters beyond ASCII in a JSON string are read as the bytes they are.
#[check(JSN_0008)]
fn raw_utf8(t: &Trial) -> Verdict {
    let texts = ["\u{e9}", "\u{20ac}uro", "\u{1f600}\u{1f601} and more of it"];
    texts.iter().try_for_each(|text| reads(t, &[(&format!("\"{text}\""), Value::str(text))]))
}

/// A String of random characters is written and read back unchanged.
#[check(JSN_0008)]
fn any_unicode(t: &Trial) -> Verdict {
    t.property(".{0,12}", |text| comes_back(t, &Value::str(text), None))
}

/// A JSON array is read as an Array with its elements in their order.
#[check(JSN_0009)]
fn arrays(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Int, None};
    reads(
        t,
        &[
            ("[]", Array(vec![])),
            ("[1]", Array(vec![Int(1)])),
            ("[1,true,null]", Array(vec![Int(1), Bool(true), None])),
            (r#"[[],[[2]],"x"]"#, Array(vec![Array(vec![]), Array(vec![Array(vec![Int(2)])]), Value::str("x")])),
        ],
    )
}

/// A JSON object is read as a Map with its keys in the order of the text.
#[check(JSN_0010)]
fn objects(t: &Trial) -> Verdict {
    let entry = |key: &str, value| (Value::str(key), Value::Int(value));
    let many: Vec<_> = (0..20).map(|number| entry(&format!("key {number}"), number)).collect();
    let text = many.iter().enumerate().map(|(number, _)| format!(r#""key {number}":{number}"#)).collect::<Vec<_>>();
    reads(
        t,
        &[
            ("{}", Value::Map(vec![])),
            (r#"{"b":1,"a":2}"#, Value::Map(vec![entry("b", 1), entry("a", 2)])),
            (&format!("{{{}}}", text.join(",")), Value::Map(many)),
            (
                r#"{"":{"x":{}}}"#,
                Value::Map(vec![(Value::str(""), Value::Map(vec![(Value::str("x"), Value::Map(vec![]))]))]),
            ),
        ],
    )
}

/// The last of equal keys in a JSON object counts.
#[check(JSN_0011)]
fn duplicate_keys(t: &Trial) -> Verdict {
    let text = r#"{"a":1,"a":2}"#;
    reads(t, &[(text, Value::Map(vec![(Value::str("a"), Value::Int(2))]))])
}

/// Spaces, tabs and line breaks between the tokens of a JSON text mean nothing.
#[check(JSN_0012)]
fn whitespace(t: &Trial) -> Verdict {
    let pair = Value::Array(vec![Value::Int(1), Value::Map(vec![(Value::str("a"), Value::None)])]);
    reads(
        t,
        &[
            (" \t\r\n1 \t\r\n", Value::Int(1)),
            ("\n[ 1\t,\r\n{ \"a\" :\nnull } ]\n", pair),
            ("[ ]", Value::Array(vec![])),
            ("{ }", Value::Map(vec![])),
        ],
    )
}

/// The names `NaN`, `Infinity` and `-Infinity` are read as floats.
#[check(JSN_0013)]
fn non_finite(t: &Trial) -> Verdict {
    reads(t, &[("Infinity", Value::float(f64::INFINITY)), ("-Infinity", Value::float(f64::NEG_INFINITY))])?;
    let value = parse(t, "NaN")?.any();
    let is_nan = value.type_index == kTVMFFIFloat && f64::from_bits(value.payload()).is_nan();
    t.that("the value of `NaN`", is_nan, "a float that is no number", format!("{value:?}"))
}

/// A text that breaks the grammar of JSON is refused with a ValueError.
#[check(JSN_0014)]
fn malformed(t: &Trial) -> Verdict {
    let texts = [
        "",
        "  ",
        "nul",
        "tru",
        "True",
        "None",
        "undefined",
        "-",
        "1e",
        "[",
        "]",
        "{",
        "}",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "'a'",
        "\"",
        "\"a",
        r#""\x""#,
        r#""\u12""#,
        r#""\u12g4""#,
        "// comment\n1",
        "@",
        "\u{feff}1",
    ];
    texts.iter().try_for_each(|text| refuses(t, text))
}

/// A JSON text that is cut off at any place is refused with a ValueError.
#[check(JSN_0014)]
fn cut_anywhere(t: &Trial) -> Verdict {
    let text = r#"{"key":["a string",{"n":null,"t":[true,false]},"\u00e9\\"]}"#;
    (0..text.len()).filter(|end| text.is_char_boundary(*end)).try_for_each(|end| refuses(t, &text[..end]))
}

/// A text that goes on behind a complete JSON value is refused with a ValueError.
#[check(JSN_0014)]
fn extra_data(t: &Trial) -> Verdict {
    ["1 2", "[1]x", "{}{}", "null,", "\"a\"\"b\"", "true false", "[] ]"].iter().try_for_each(|text| refuses(t, text))
}

/// A raw control character in a JSON string is refused with a ValueError.
#[check(JSN_0015)]
fn raw_control(t: &Trial) -> Verdict {
    ["\"\n\"", "\"a\tb\"", "\"\u{1}\"", "\"\r\""].iter().try_for_each(|text| refuses(t, text))
}

/// Half of a surrogate pair in a JSON string is refused with a ValueError.
#[check(JSN_0016)]
fn lone_surrogate(t: &Trial) -> Verdict {
    let texts = [r#""\ud83d""#, r#""\ud83dx""#, r#""\ud83d\n""#, r#""\ud83d\ud83d""#];
    texts.iter().try_for_each(|text| refuses(t, text))
}

/// The error about a malformed JSON text tells in which line it is wrong.
#[check(JSN_0017)]
fn error_position(t: &Trial) -> Verdict {
    let text = "[1,\n  2,\n  oops]";
    let mut result = TVMFFIAny::NONE;
    let (parse, text) = (t.global(PARSE)?, t.string(text.as_bytes())?);
    let raised = t.raises(t.try_call(&parse, &[text.any()], &mut result), &["ValueError"])?;
    t.that("the message", raised.message.contains("line 3"), "one that says \"line 3\"", &raised.message)
}

/// A hundred nested JSON arrays are read and written.
#[check(JSN_0018)]
fn deep_enough(t: &Trial) -> Verdict {
    let text = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let value = parse(t, &text)?;
    t.eq("the text that is written again", stringify(t, &value, None)?, text)
}

/// 20,000 nested JSON arrays are read or refused with an error, and never end the process.
#[check(JSN_0019)]
fn far_too_deep(t: &Trial) -> Verdict {
    harmless(t, &format!("{}{}", "[".repeat(20_000), "]".repeat(20_000)))
}

/// 20,000 nested JSON objects are read or refused with an error, and never end the process.
#[check(JSN_0019)]
fn objects_far_too_deep(t: &Trial) -> Verdict {
    harmless(t, &format!("{}1{}", "{\"a\":".repeat(20_000), "}".repeat(20_000)))
}

/// Expects a text to be read, or to be refused with an error, without ending the process.
fn harmless(t: &Trial, text: &str) -> Verdict {
    t.returns(PARSE, &[t.string(text.as_bytes())?.any()])
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------------------------

/// None, booleans and integers are written as the JSON literals and numbers of the same value.
#[check(JSN_0020)]
fn write_scalars(t: &Trial) -> Verdict {
    writes(t, &Value::None, None, "null")?;
    writes(t, &Value::Bool(true), None, "true")?;
    writes(t, &Value::Bool(false), None, "false")?;
    [0, -1, 42, i64::MAX, i64::MIN].iter().try_for_each(|n| writes(t, &Value::Int(*n), None, &n.to_string()))
}

/// A random finite float is written as a number that reads as the same float.
#[check(JSN_0021)]
fn write_floats(t: &Trial) -> Verdict {
    t.property(NORMAL | ZERO, |value| {
        let text = stringify(t, &Value::float(*value).build(t)?, None)?;
        t.eq(format!("what {text} reads as"), text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()))
    })
}

/// A float without a fraction is written as a number of the same value.
#[check(JSN_0021)]
fn write_whole_floats(t: &Trial) -> Verdict {
    [0.0, 1.0, -3.0, 1e15, 1e22, -0.0].iter().try_for_each(|value: &f64| {
        let text = stringify(t, &Value::float(*value).build(t)?, None)?;
        t.eq(format!("what {text} reads as"), text.parse::<f64>(), Ok(*value))
    })
}

/// Floats that are no number are written as `NaN`, `Infinity` and `-Infinity`.
#[check(JSN_0022)]
fn write_non_finite(t: &Trial) -> Verdict {
    writes(t, &Value::float(f64::NAN), None, "NaN")?;
    writes(t, &Value::float(f64::INFINITY), None, "Infinity")?;
    writes(t, &Value::float(f64::NEG_INFINITY), None, "-Infinity")
}

/// Quotes, backslashes and control characters are written as escapes.
#[check(JSN_0023)]
fn write_escapes(t: &Trial) -> Verdict {
    for character in (0..0x20u8).chain([b'"', b'\\']) {
        let text = stringify(t, &Value::Str(vec![b'a', character, b'b']).build(t)?, None)?;
        let inner = text.strip_prefix("\"a").and_then(|rest| rest.strip_suffix("b\""));
        let escaped = inner.is_some_and(|inner| inner.starts_with('\\') && inner.bytes().all(|byte| byte >= 0x20));
        t.that(format!("a string with byte {character:#04x}"), escaped, "the byte as an escape", &text)?;
    }
    Ok(())
}

/// Characters beyond ASCII are written as they are.
#[check(JSN_0024)]
fn write_utf8(t: &Trial) -> Verdict {
    writes(t, &Value::str("\u{e9}\u{20ac}\u{1f600}"), None, "\"\u{e9}\u{20ac}\u{1f600}\"")
}

/// A value is written without any whitespace if the indent is 0 or not given.
#[check(JSN_0025)]
fn write_compact(t: &Trial) -> Verdict {
    writes(t, &sample(), None, SAMPLE)?;
    writes(t, &sample(), Some(0), SAMPLE)
}

const SAMPLE: &str = r#"{"a":[1,"x",null],"b":{"c":true}}"#;

fn sample() -> Value {
    let list = Value::Array(vec![Value::Int(1), Value::str("x"), Value::None]);
    let inner = Value::Map(vec![(Value::str("c"), Value::Bool(true))]);
    Value::Map(vec![(Value::str("a"), list), (Value::str("b"), inner)])
}

/// Each element is written on a line of its own, indented by its depth, if an indent is given.
#[check(JSN_0026)]
fn write_indented(t: &Trial) -> Verdict {
    let expected = "{\n  \"a\": [\n    1,\n    \"x\",\n    null\n  ],\n  \"b\": {\n    \"c\": true\n  }\n}";
    writes(t, &sample(), Some(2), expected)?;
    writes(t, &Value::Array(vec![Value::Int(7)]), Some(4), "[\n    7\n]")
}

/// A List is written as a JSON array.
#[check(JSN_0027)]
fn write_list(t: &Trial) -> Verdict {
    let inner = Value::List(vec![Value::Int(2)]);
    writes(t, &Value::List(vec![Value::Int(1), inner]), None, "[1,[2]]")
}

/// Writing a Map with a key that is no string is refused with a ValueError.
#[check(JSN_0028)]
fn write_other_key(t: &Trial) -> Verdict {
    [Value::Int(1), Value::None, Value::Bytes(b"key".to_vec())]
        .into_iter()
        .try_for_each(|key| does_not_write(t, &Value::Map(vec![(key, Value::Int(2))]).build(t)?))
}

/// Writing a value that JSON cannot express, such as Bytes or a function, is refused with a ValueError.
#[check(JSN_0029)]
fn write_other_value(t: &Trial) -> Verdict {
    does_not_write(t, &Value::Bytes(b"abc".to_vec()).build(t)?)?;
    does_not_write(t, &Value::Bytes(b"more than seven".to_vec()).build(t)?)?;
    does_not_write(t, &t.global(STRINGIFY)?)
}

/// Writing a container is refused with a ValueError if JSON cannot express a value deep in it.
#[check(JSN_0029)]
fn write_nested_other(t: &Trial) -> Verdict {
    let bytes = Value::Bytes(b"abc".to_vec());
    does_not_write(t, &Value::Array(vec![Value::Int(1), Value::Array(vec![bytes.clone()])]).build(t)?)?;
    does_not_write(t, &Value::Map(vec![(Value::str("k"), bytes)]).build(t)?)
}

/// Writing a List that contains itself is refused with a ValueError.
#[check(JSN_0030)]
fn write_cycle(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    does_not_write(t, &list)?;
    t.clear_list(&list)
}

// ---------------------------------------------------------------------------------------------------------------------
// Both ways
// ---------------------------------------------------------------------------------------------------------------------

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

fn comes_back(t: &Trial, value: &Value, indent: Option<i64>) -> Verdict {
    let text = stringify(t, &value.build(t)?, indent)?;
    // What a float is written as is not laid down: 1.0 may come back as the integer 1.
    let read = Value::read(t, &parse(t, &text)?.any())?;
    t.that(format!("what {text} reads as"), same(&read, value), format!("{value:?}"), format!("{read:?}"))
}

/// Whether both are the same to JSON, which has one type of numbers.
fn same(lhs: &Value, rhs: &Value) -> bool {
    match (lhs, rhs) {
        (Value::Array(lhs), Value::Array(rhs)) => {
            lhs.len() == rhs.len() && lhs.iter().zip(rhs).all(|(lhs, rhs)| same(lhs, rhs))
        }
        (Value::Map(lhs), Value::Map(rhs)) => {
            lhs.len() == rhs.len() && lhs.iter().zip(rhs).all(|(lhs, rhs)| lhs.0 == rhs.0 && same(&lhs.1, &rhs.1))
        }
        (Value::Int(int), Value::Float(bits)) => *int as f64 == f64::from_bits(*bits),
        _ => lhs == rhs,
    }
}

/// A random text of JSON's characters is read or refused with an error, and never ends the process.
#[check(JSN_0032)]
fn any_text(t: &Trial) -> Verdict {
    t.property(r#"[\[\]{}",:\\ \n0-9eE+.tfnulrasNI\-]{0,40}"#, |text| harmless(t, text))
}

/// A JSON text with random characters replaced is read or refused with an error, and never ends the process.
#[check(JSN_0032)]
fn mutated_text(t: &Trial) -> Verdict {
    let damage = proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), 0x20..0x7fu8), 1..4);
    t.property(damage, |damage| {
        let mut text = SAMPLE.as_bytes().to_vec();
        for (place, byte) in damage {
            let place = place.index(text.len());
            text[place] = *byte;
        }
        harmless(t, &String::from_utf8_lossy(&text))
    })
}

/// Reading and writing JSON leave no memory behind.
#[check(JSN_0033)]
fn no_growth(t: &Trial) -> Verdict {
    t.no_growth("reading and writing JSON", || {
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
        t.eq(format!("the counts of {text}"), t.counts(value.handle())?, (1, 1))?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Helpers
// ---------------------------------------------------------------------------------------------------------------------

fn parse(t: &Trial, text: &str) -> Verdict<Owned> {
    let text = t.string(text.as_bytes())?;
    t.call_global(PARSE, &[text.any()])
}

fn reads(t: &Trial, cases: &[(&str, Value)]) -> Verdict {
    cases.iter().try_for_each(|(text, expected)| {
        let got = Value::read(t, &parse(t, text)?.any())?;
        t.eq(format!("what {text} reads as"), &got, expected)
    })
}

fn refuses(t: &Trial, text: &str) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let (parse, owned) = (t.global(PARSE)?, t.string(text.as_bytes())?);
    let code = t.try_call(&parse, &[owned.any()], &mut result);
    if code == 0 {
        return Err(t.failure(format!("reading {text:?}"), "a ValueError", format!("{:?}", Value::read(t, &result)?)));
    }
    t.raises(code, &["ValueError"]).map(drop)
}

fn stringify(t: &Trial, value: &Owned, indent: Option<i64>) -> Verdict<String> {
    let indent = indent.map_or(TVMFFIAny::NONE, view::int);
    let text = t.text(&t.call_global(STRINGIFY, &[value.any(), indent])?.any())?;
    String::from_utf8(text).map_err(|error| t.failure("the written text", "UTF-8", error))
}

fn writes(t: &Trial, value: &Value, indent: Option<i64>, expected: &str) -> Verdict {
    let text = stringify(t, &value.build(t)?, indent)?;
    t.eq(format!("the text of {value:?} with indent {indent:?}"), text.as_str(), expected)
}

fn does_not_write(t: &Trial, value: &Owned) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let stringify = t.global(STRINGIFY)?;
    t.raises(t.try_call(&stringify, &[value.any(), TVMFFIAny::NONE], &mut result), &["ValueError"]).map(drop)
}
