//! What JSON texts are read as, and which are refused.

use proptest::prelude::Strategy;
use tvm_ffi_spec::*;

use super::kit::{PARSE, SAMPLE, harmless, parse, reads, refuses};
use crate::{
    checks::check,
    client::{Verdict, model::Value, view},
    trial::Trial,
};

/// Expects a token to be read as that by itself, in an array and in an object, as a name too if it is a string.
fn reads_anywhere(t: &Trial, text: &str, expected: &Value) -> Verdict {
    let (array, member) = (format!("[0,{text}]"), format!(r#"{{"k":{text}}}"#));
    let map = |key: &Value, value: &Value| Value::Map(vec![(key.clone(), value.clone())]);
    reads(
        t,
        &[
            (text, expected.clone()),
            (&array, Value::Array(vec![Value::Int(0), expected.clone()])),
            (&member, map(&Value::str("k"), expected)),
        ],
    )?;
    match expected {
        Value::Str(_) => reads(t, &[(&format!("{{{text}:1}}"), map(expected, &Value::Int(1)))]),
        _ => Ok(()),
    }
}

/// Expects a string to be refused by itself, in an array, in an object and as a name.
fn refuses_anywhere(t: &Trial, text: &str) -> Verdict {
    let all = [text.to_owned(), format!("[{text}]"), format!(r#"{{"k":{text}}}"#), format!("{{{text}:1}}")];
    all.iter().try_for_each(|text| refuses(t, text))
}

/// The JSON literals `null`, `true` and `false` are read as None and the two booleans.
#[check(JSN_0001)]
fn literals(t: &Trial) -> Verdict {
    let all = [("null", Value::None), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
    all.iter().try_for_each(|(text, value)| reads_anywhere(t, text, value))
}

/// A whole JSON number that fits in 64 bits is read as an integer of exactly that value.
#[check(JSN_0002)]
fn integers(t: &Trial) -> Verdict {
    let numbers = [0, 1, -1, 7, -300, i64::from(i32::MAX), 1 << 53, i64::MAX, i64::MIN];
    numbers.iter().try_for_each(|number| reads_anywhere(t, &number.to_string(), &Value::Int(*number)))?;
    // A zero with a sign is the integer zero: only floats have two of them.
    reads_anywhere(t, "-0", &Value::Int(0))
}

/// A whole JSON number that does not fit in 64 bits is read exactly or as the nearest float, or refused.
#[check(JSN_0004)]
fn beyond_64_bits(t: &Trial) -> Verdict {
    let texts = ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "100000000000000000000"];
    for text in texts {
        let Ok(read) = t.answer(PARSE, &[t.string(text.as_bytes())?.any()])? else { continue };
        let read = read.any();
        if read.type_index == kTVMFFIBigInt {
            t.prints(&read, text)?;
        } else {
            let nearest = view::float(text.parse().unwrap_or_default());
            t.any_eq(format_args!("what {text} reads as"), &read, &nearest)?;
        }
    }
    Ok(())
}

/// A JSON string of any length is read as a String of the same content.
#[check(JSN_0005)]
fn plain_strings(t: &Trial) -> Verdict {
    let texts = ["", "a", "seven_b", "eight_by", "a string that is too long to be stored inline"];
    texts.iter().try_for_each(|text| reads_anywhere(t, &format!("\"{text}\""), &Value::str(text)))
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
    all.iter().try_for_each(|(text, content)| reads_anywhere(t, text, &Value::str(content)))
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
    all.iter().try_for_each(|(text, content)| reads_anywhere(t, text, &Value::str(content)))
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
    all.iter().try_for_each(|(text, content)| reads_anywhere(t, text, &Value::str(content)))
}

/// The escape `\u0000` in a JSON string is read as a NUL byte, which ends nothing.
#[check(JSN_0007)]
fn nul(t: &Trial) -> Verdict {
    reads_anywhere(t, r#""a\u0000b""#, &Value::Str(b"a\0b".to_vec()))?;
    reads_anywhere(t, r#""\u0000""#, &Value::Str(b"\0".to_vec()))?;
    // Two names that are one up to the NUL.
    let names = Value::Map(vec![(Value::str("a"), Value::Int(1)), (Value::str("a\0b"), Value::Int(2))]);
    reads(t, &[(r#"{"a":1,"a\u0000b":2}"#, names)])
}

/// Characters beyond ASCII in a JSON string are read as the bytes they are.
#[check(JSN_0008)]
fn raw_utf8(t: &Trial) -> Verdict {
    let texts = ["\u{e9}", "\u{20ac}uro", "\u{1f600}\u{1f601} and more of it"];
    texts.iter().try_for_each(|text| reads_anywhere(t, &format!("\"{text}\""), &Value::str(text)))
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

/// A nested text is read after many such texts were refused.
#[check(JSN_0009)]
fn after_refusals(t: &Trial) -> Verdict {
    // What is far deeper may be refused itself.
    const DEPTH: usize = 64;
    let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
    for _ in 0..450 {
        refuses(t, &open)?;
        refuses(t, &format!("{{\"k\":{open}oops"))?;
    }
    let mut value = parse(t, &format!("{open}{close}"))?;
    for depth in 1..DEPTH {
        t.type_index_eq(format_args!("type_index at depth {depth}"), value.any().type_index, kTVMFFIArray)?;
        value = t.call_global("ffi.ArrayGetItem", &[value.any(), view::int(0)])?;
    }
    t.eq("elements of the innermost", t.call_int("ffi.ArraySize", &[value.any()])?, 0)
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
            // Not as in JavaScript, where whole numbers come first.
            (
                r#"{"b":1,"10":2,"2":3,"a":4}"#,
                Value::Map(vec![entry("b", 1), entry("10", 2), entry("2", 3), entry("a", 4)]),
            ),
            (&format!("{{{}}}", text.join(",")), Value::Map(many)),
            (
                r#"{"":{"x":{}}}"#,
                Value::Map(vec![(Value::str(""), Value::Map(vec![(Value::str("x"), Value::Map(vec![]))]))]),
            ),
        ],
    )
}

/// Keys of a JSON object that differ in one character, wherever it stands, are different keys.
#[check(JSN_0010)]
fn keys_alike(t: &Trial) -> Verdict {
    for len in (1..20).chain([31, 32, 33, 64, 100]) {
        let alike = |at: usize| (0..len).map(|place| if place == at { 'b' } else { 'a' }).collect::<String>();
        let entries: Vec<_> = (0..=len).map(|at| (Value::str(&alike(at)), Value::Int(at as i64))).collect();
        let members: Vec<_> = (0..=len).map(|at| format!(r#""{}":{at}"#, alike(at))).collect();
        reads(t, &[(&format!("{{{}}}", members.join(",")), Value::Map(entries))])?;
    }
    Ok(())
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
    t.that("the value of `NaN`", is_nan, "a float that is no number", format_args!("{value:?}"))
}

/// A text that is no JSON value is refused with an error.
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
        "[,1]",
        "[1 2]",
        "[1}",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "\"",
        "\"a",
        r#""\u12""#,
        r#""\u12g4""#,
        "@",
    ];
    texts.iter().try_for_each(|text| refuses(t, text))
}

/// Trailing commas, comments, single quotes, names without quotes and made-up escapes are refused with an error.
#[check(JSN_0039)]
fn extensions(t: &Trial) -> Verdict {
    let texts = ["[1,]", "{\"a\":1,}", "{a:1}", "'a'", r#""\x""#, "// comment\n1", "/* comment */1"];
    texts.iter().try_for_each(|text| refuses(t, text))
}

/// What is space in other texts, and control characters, are refused with an error between the tokens of a JSON text.
#[check(JSN_0039)]
fn other_space(t: &Trial) -> Verdict {
    let controls = ('\u{1}'..' ').filter(|control| !"\t\r\n".contains(*control));
    // No mark of the byte order: RFC 8259, section 8.1, lets readers ignore it.
    for other in controls.chain("\u{7f}\u{85}\u{a0}\u{1680}\u{2003}\u{200b}\u{2028}\u{2029}\u{3000}".chars()) {
        for text in [
            format!("{other}"),
            format!("1{other}"),
            format!("{other}1"),
            format!("[{other}]"),
            format!("[1{other},2]"),
            format!("[1,{other}2]"),
            format!("{{{other}\"a\":1}}"),
            format!("{{\"a\"{other}:1}}"),
            format!("{{\"a\":{other}1}}"),
            format!("{{\"a\":1{other}}}"),
        ] {
            refuses(t, &text)?;
        }
    }
    Ok(())
}

/// A JSON text with a NUL byte outside of its strings is refused with an error.
#[check(JSN_0041)]
fn nul_is_no_end(t: &Trial) -> Verdict {
    ["\0", "1\0", "1\0 2", "[1,2]\0", "[1\0,2]", "\u{0}1", "{\"a\":1}\0x"].iter().try_for_each(|text| refuses(t, text))
}

/// A text that is not JSON is refused with a ValueError.
#[check(JSN_0038)]
fn error_kind(t: &Trial) -> Verdict {
    for text in ["", "[1", "1 2", "tru", r#""\u12""#, "{\"a\" 1}"] {
        t.refuses(PARSE, &[t.string(text.as_bytes())?.any()], &["ValueError"])?;
    }
    Ok(())
}

/// A JSON text that is cut off at any place is refused with an error.
#[check(JSN_0014)]
fn cut_anywhere(t: &Trial) -> Verdict {
    let text = r#"{"key":["a string",{"n":null,"t":[true,false]},"\u00e9\\"]}"#;
    (0..text.len()).filter(|end| text.is_char_boundary(*end)).try_for_each(|end| refuses(t, &text[..end]))
}

/// A text that goes on behind a complete JSON value is refused with an error.
#[check(JSN_0014)]
fn extra_data(t: &Trial) -> Verdict {
    ["1 2", "[1]x", "{}{}", "null,", "\"a\"\"b\"", "true false", "[] ]"].iter().try_for_each(|text| refuses(t, text))
}

/// A raw control character in a JSON string is refused with an error.
#[check(JSN_0015)]
fn raw_control(t: &Trial) -> Verdict {
    ["\"\n\"", "\"a\tb\"", "\"\u{1}\"", "\"\r\"", "\"a\0b\""].iter().try_for_each(|text| refuses_anywhere(t, text))
}

/// Half of a surrogate pair in a JSON string is refused with an error.
#[check(JSN_0016)]
fn lone_surrogate(t: &Trial) -> Verdict {
    let texts = [r#""\ud83d""#, r#""\ud83dx""#, r#""\ud83d\n""#, r#""\ud83d\ud83d""#];
    texts.iter().try_for_each(|text| refuses_anywhere(t, text))
}

/// The error about a malformed JSON text tells in which line it is wrong.
#[check(JSN_0017)]
fn error_position(t: &Trial) -> Verdict {
    for (text, line) in
        [("[1,\n  2,\n  oops]", 3), ("oops", 1), ("[1,\r\n2,\r\n\r\noops]", 4), ("\n\n{\"a\"\n: oops}", 4)]
    {
        tells_line(t, text, line)?;
    }
    Ok(())
}

/// Nothing but a line feed between the tokens of a JSON text counts as the end of a line in an error about the text: no escape, no
/// other character for a line, however many there are.
#[check(JSN_0017)]
fn error_position_behind_anything(t: &Trial) -> Verdict {
    // What stands in front of a line feed, and is no end of a line itself.
    let in_strings = [
        r"\n", r"\\n", r"\u000a", r"\u000A", r"\r\n", r"\r", r"\\", r#"\""#, r"\u2028", "\u{2028}", "\u{85}",
        "\u{2029}", "n", "",
    ];
    // A full backtrace of each refusal would take long.
    t.short_backtraces();
    let mut beginnings = ["[1,\r", "[1,\t", "[[],{},", "[1.5e1, -0,", "{\"a\":[true,\r\r"].map(str::to_owned).to_vec();
    for text in in_strings {
        // Whether such a string is read at all is for other clauses to say.
        if t.answer(PARSE, &[t.string(format!("[\"{text}\"]").as_bytes())?.any()])?.is_ok() {
            beginnings.extend([format!("[\"{text}\","), format!("{{\"{text}\":")]);
        }
    }
    for (at, beginning) in beginnings.iter().enumerate() {
        for lines in [0, 1, [2, 9, 10, 99, 256][at % 5]] {
            let text = format!("{beginning}{}oops", ["\n", "\r\n", "\n "][at % 3].repeat(lines));
            tells_line(t, &text, lines + 1)?;
        }
    }
    for (text, line) in [
        // In each place where a text may stop to be JSON.
        ("\n\n\"a\\n\\x\"", 3),
        ("\n[\n\"a\\n\"\n\"b\"]", 4),
        ("{\"a\\n\":\n1\n2}", 3),
        ("[\"\\n\\n\"]\n]", 2),
        ("{\"\\u000a\":1,\n2:3}", 2),
        ("[\"\\n\"\n,,1]", 2),
        ("[\"\\n\",\n\"cut", 2),
        ("[\"\\n\",\n1", 2),
    ] {
        tells_line(t, text, line)?;
    }
    Ok(())
}

/// Expects the error about a text to tell that line, and no other.
fn tells_line(t: &Trial, text: &str, line: usize) -> Verdict {
    let raised = t.refuses(PARSE, &[t.string(text.as_bytes())?.any()], &["ValueError"]);
    let raised = raised.map_err(|failure| failure.noting(format!("the text was {text:?}")))?;
    let told: Vec<&str> = raised.message.split("line ").skip(1).collect();
    let numbers = told.iter().map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    let is_told = numbers.filter(|number| !number.is_empty()).any(|number| number == line.to_string());
    t.that(
        format_args!("the message about {text:?}"),
        is_told,
        format_args!("one with \"line {line}\""),
        &raised.message,
    )
}

/// 20,000 nested JSON arrays are read or refused with an error, and never end the process.
#[check(JSN_0019)]
fn far_too_deep(t: &Trial) -> Verdict {
    harmless(t, &format!("{}{}", "[".repeat(20_000), "]".repeat(20_000)))
}

/// 20,000 nested JSON objects are read or refused with an error, and never end the process.
#[check(JSN_0019)]
fn objects_far_too_deep(t: &Trial) -> Verdict {
    t.in_large_pages();
    harmless(t, &format!("{}1{}", "{\"a\":".repeat(20_000), "}".repeat(20_000)))
}

/// A random text of JSON's characters is read or refused with an error, and never ends the process.
#[check(JSN_0032)]
fn any_text(t: &Trial) -> Verdict {
    t.property(r#"[\[\]{}",:\\ \n0-9eE+.tfnulrasNI\-]{0,40}"#, |text| harmless(t, text))
}

/// A JSON text with random bytes replaced is read or refused with an error, and never ends the process.
#[check(JSN_0032)]
fn mutated_text(t: &Trial) -> Verdict {
    let damage = proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), 0..=0xffu8), 1..4);
    let texts = damage.prop_map(|damage| {
        let mut text = SAMPLE.as_bytes().to_vec();
        for (place, byte) in damage {
            let place = place.index(text.len());
            text[place] = byte;
        }
        text
    });
    t.property(texts, |text| t.returns(PARSE, &[t.string(text)?.any()]))
}
