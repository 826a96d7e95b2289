//! How values are written as JSON, and which are refused.

use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{SAMPLE, STRINGIFY, does_not_write, sample, stringify};
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, model::Value, tensor::FLOAT32, view},
    trial::Trial,
};

fn writes(t: &Trial, value: &Value, indent: Option<i64>, expected: &str) -> Verdict {
    let text = stringify(t, &value.build(t)?, indent)?;
    t.eq(format_args!("the text of {value:?} with indent {indent:?}"), text.as_str(), expected)
}

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
    t.property(NORMAL | POSITIVE | NEGATIVE, |value| {
        let text = stringify(t, &Value::float(*value).build(t)?, None)?;
        t.eq(format_args!("what {text} reads as"), text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()))
    })
}

/// A float of every power of two, whatever its other bits, is written as a number that reads as the same float.
#[check(JSN_0021)]
fn write_floats_of_every_power(t: &Trial) -> Verdict {
    const FRACTION: u64 = (1 << 52) - 1;
    // The last two have a fraction wherever floats of their power can have one.
    let fractions = [0, FRACTION, 0x5_5555_5555_5555, 0x9_E377_9B97_F4A7];
    let bits = (1..2047_u64).flat_map(|power| fractions.map(|fraction| (power % 2) << 63 | power << 52 | fraction));
    written_as(t, &bits.map(f64::from_bits).collect::<Vec<_>>())
}

/// A float at a power of ten or just below or above, of either sign, is written as a number that reads as the same float.
#[check(JSN_0021)]
fn write_floats_around_powers_of_ten(t: &Trial) -> Verdict {
    let near = |power: i32| -> [f64; 6] {
        let at = |digits: &str, power: i32| format!("{digits}e{power}").parse().unwrap_or_default();
        let ten: f64 = at("1", power);
        let sign = if power % 2 == 0 { 1.0 } else { -1.0 };
        let below = at("9.9999997", power - 1);
        [ten, ten.next_down(), ten.next_up(), below, -ten.next_down(), -below].map(|float| sign * float)
    };
    written_as(t, &(-306..=308).flat_map(near).collect::<Vec<_>>())
}

/// Expects each of these floats to be written as a number that reads as the same float.
fn written_as(t: &Trial, floats: &[f64]) -> Verdict {
    // All in few texts, which is what makes so many of them cheap.
    for floats in floats.chunks(1000) {
        let items: Vec<_> = floats.iter().map(|float| view::float(*float)).collect();
        let text = stringify(t, &t.call_global("ffi.Array", &items)?, None)?;
        let written: Vec<_> = text.trim_matches(['[', ']']).split(',').map(str::trim).collect();
        t.eq("the numbers that are written", written.len(), floats.len())?;
        for (number, float) in written.into_iter().zip(floats) {
            if number.parse::<f64>().map(f64::to_bits) != Ok(float.to_bits()) {
                let what = format_args!("what {number}, which was written, reads as");
                t.eq(what, number.parse::<f64>().map(f64::to_bits), Ok(float.to_bits()))?;
            }
        }
    }
    Ok(())
}

/// A float without a fraction is written as a number of the same value.
#[check(JSN_0021)]
fn write_whole_floats(t: &Trial) -> Verdict {
    [0.0, 1.0, -3.0, 1e15, 1e22, -0.0].iter().try_for_each(|value: &f64| {
        let text = stringify(t, &Value::float(*value).build(t)?, None)?;
        t.eq(format_args!("what {text} reads as"), text.parse::<f64>(), Ok(*value))
    })
}

/// Floats that are not finite are written as `NaN`, `Infinity` and `-Infinity`, or refused.
#[check(JSN_0022)]
fn write_non_finite(t: &Trial) -> Verdict {
    let no_number = [f64::NAN, -f64::NAN, f64::from_bits(0x7FF0_0000_0000_0001)].map(|value| (value, "NaN"));
    for (value, name) in no_number.into_iter().chain([(f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")]) {
        if let Ok(text) = t.answer(STRINGIFY, &[view::float(value), TVMFFIAny::NONE])? {
            let text = t.text(&text.any())?;
            t.eq(format_args!("the text of {:#x}", value.to_bits()), text.escape_ascii().to_string(), name.to_owned())?;
        }
    }
    Ok(())
}

/// Quotes, backslashes and control characters are written as escapes.
#[check(JSN_0023)]
fn write_escapes(t: &Trial) -> Verdict {
    for character in (0..0x20u8).chain([b'"', b'\\']) {
        let text = stringify(t, &Value::Str(vec![b'a', character, b'b']).build(t)?, None)?;
        let inner = text.strip_prefix("\"a").and_then(|rest| rest.strip_suffix("b\""));
        let escaped = inner.is_some_and(|inner| inner.starts_with('\\') && inner.bytes().all(|byte| byte >= 0x20));
        t.that(format_args!("a string with byte {character:#04x}"), escaped, "the byte as an escape", &text)?;
    }
    Ok(())
}

/// Characters beyond ASCII are written as they are.
#[check(JSN_0024)]
fn write_utf8(t: &Trial) -> Verdict {
    writes(t, &Value::str("\u{e9}\u{20ac}\u{1f600}"), None, "\"\u{e9}\u{20ac}\u{1f600}\"")
}

/// A value is written without any whitespace if no indent is given.
#[check(JSN_0025)]
fn write_compact(t: &Trial) -> Verdict {
    writes(t, &sample(), None, SAMPLE)
}

/// A value is written without any whitespace if the indent is 0.
#[check(JSN_0040)]
fn write_without_indent(t: &Trial) -> Verdict {
    writes(t, &sample(), Some(0), SAMPLE)
}

/// The sample with an indent of 2, as releases write it.
const INDENTED: &str = "{\n  \"a\": [\n    1,\n    \"x\",\n    null\n  ],\n  \"b\": {\n    \"c\": true\n  }\n}";

/// As [`writes`], wherever closing brackets stand, and whatever space follows a colon.
fn writes_lines(t: &Trial, value: &Value, indent: i64, expected: &str) -> Verdict {
    let text = stringify(t, &value.build(t)?, Some(indent))?;
    let subject = format!("the lines of {value:?} with indent {indent}, without closing brackets");
    t.eq(subject, lines_of_elements(&text), lines_of_elements(expected))
}

/// The lines on which elements begin: without the brackets that close something, and without space behind colons.
fn lines_of_elements(text: &str) -> Vec<String> {
    let opened = |line: &str| {
        let (key, value) = line
            .split_once("\":")
            .map_or((String::new(), line), |(key, value)| (format!("{key}\":"), value.trim_start()));
        key + value.trim_end_matches([' ', ',', ']', '}'])
    };
    text.lines().map(opened).filter(|line| !line.is_empty()).collect()
}

/// Each element is written on a line of its own, indented by its depth, if an indent is given.
#[check(JSN_0026)]
fn write_indented(t: &Trial) -> Verdict {
    writes_lines(t, &sample(), 2, INDENTED)?;
    writes_lines(t, &Value::Array(vec![Value::Int(7)]), 4, "[\n    7\n]")
}

/// With an indent, one space is written behind a colon, and closing brackets on lines of their own.
#[check(JSN_0042)]
fn write_indented_as_releases_do(t: &Trial) -> Verdict {
    writes(t, &sample(), Some(2), INDENTED)
}

/// What stands behind an empty container of any kind is indented by its own depth, wherever the container stands.
#[check(JSN_0026)]
fn write_indented_behind_what_is_empty(t: &Trial) -> Verdict {
    let keyed = |items: &[Value]| {
        let keys = (b'a'..).map(|letter| Value::Str(vec![letter]));
        keys.zip(items.iter().cloned()).collect::<Vec<_>>()
    };
    let holding = |items: &[Value]| {
        [Value::Array(items.to_vec()), Value::List(items.to_vec()), Value::Map(keyed(items)), Value::Dict(keyed(items))]
    };
    for (empty, place) in holding(&[]).iter().flat_map(|empty| [(empty, 0), (empty, 1), (empty, 3)]) {
        let mut items = [7, 8, 9].map(Value::Int).to_vec();
        items.insert(place, empty.clone());
        let inner = holding(&items);
        let outer = inner.iter().flat_map(|inner| holding(&[inner.clone(), Value::Int(6)]));
        for value in inner.iter().cloned().chain(outer) {
            // Whether a Dict is written is for other clauses to say.
            if t.answer(STRINGIFY, &[value.build(t)?.any(), TVMFFIAny::NONE])?.is_ok() {
                writes_lines(t, &value, 3, &indented(&value, 3, 1))?;
            }
        }
    }
    Ok(())
}

/// Integers in containers as text, with the elements of the outermost at that depth.
fn indented(value: &Value, indent: usize, depth: usize) -> String {
    let (open, lines, close): (_, Vec<_>, _) = match value {
        Value::Array(items) | Value::List(items) => {
            ('[', items.iter().map(|item| indented(item, indent, depth + 1)).collect(), ']')
        }
        Value::Map(entries) | Value::Dict(entries) => {
            let entry = |(key, value): &(Value, Value)| match key {
                Value::Str(key) => format!("\"{}\": {}", key.escape_ascii(), indented(value, indent, depth + 1)),
                _ => unreachable!("a key is a String"),
            };
            ('{', entries.iter().map(entry).collect(), '}')
        }
        Value::Int(number) => return number.to_string(),
        _ => unreachable!("{value:?} is no integer"),
    };
    let margin = |depth: usize| " ".repeat(indent * depth);
    let lines: Vec<_> = lines.into_iter().map(|line| margin(depth) + &line).collect();
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), margin(depth - 1))
}

/// An element is indented by its depth however deep it is and however wide the indent.
#[check(JSN_0026)]
fn write_indented_deeply(t: &Trial) -> Verdict {
    for (levels, indent) in [(40, 1), (20, 4), (3, 33), (2, 300)] {
        let value = (0..levels).fold(Value::Int(7), |inner, _| Value::Array(vec![inner]));
        let at = |level: usize| " ".repeat(level * indent);
        let opens: String = (0..levels).map(|level| format!("{}[\n", at(level))).collect();
        let closes: String = (0..levels).rev().map(|level| format!("\n{}]", at(level))).collect();
        writes_lines(t, &value, indent as i64, &format!("{opens}{}7{closes}", at(levels)))?;
    }
    Ok(())
}

/// A List is written as a JSON array.
#[check(JSN_0027)]
fn write_list(t: &Trial) -> Verdict {
    let inner = Value::List(vec![Value::Int(2)]);
    writes(t, &Value::List(vec![Value::Int(1), inner]), None, "[1,[2]]")
}

/// A container of any kind that stands in several places, and not in itself, is written in each, at whatever depth and in whatever stands
/// beside it.
#[check(JSN_0025, JSN_0027, patient = 2)]
fn write_what_stands_twice(t: &Trial) -> Verdict {
    const KINDS: [&str; 4] = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let keys = [c"a", c"b", c"c"];
    // A container of values, and its text.
    let hold = |kind: &str, items: &[&(Owned, String)]| -> Verdict<Option<(Owned, String)>> {
        // Whether a kind is written at all is for other clauses to say.
        let Some(make) = globals::find(t, kind)? else { return Ok(None) };
        if t.answer(STRINGIFY, &[t.call(&make, &[])?.any(), TVMFFIAny::NONE])?.is_err() {
            return Ok(None);
        }
        let is_map = kind == "ffi.Map" || kind == "ffi.Dict";
        let (mut args, mut texts) = (Vec::new(), Vec::new());
        for ((value, text), key) in items.iter().zip(keys) {
            args.extend(is_map.then(|| view::c_str(key)));
            args.push(value.any());
            texts.push(if is_map { format!("\"{}\":{text}", key.to_string_lossy()) } else { text.clone() });
        }
        let (open, close) = if is_map { ('{', '}') } else { ('[', ']') };
        Ok(Some((t.call(&make, &args)?, format!("{open}{}{close}", texts.join(",")))))
    };
    let one = (t.own(view::int(1)), "1".to_owned());
    for (kind, filled) in KINDS.iter().flat_map(|kind| [(kind, 0), (kind, 1)]) {
        let Some(twice) = hold(kind, &[&one][..filled])? else { continue };
        for outer in KINDS {
            let Some(around) = hold(outer, &[&twice])? else { continue };
            let Some(far_around) = hold(outer, &[&around])? else { continue };
            // Whether a Dict is written may also depend on where it is.
            let has_dict = [outer, *kind].contains(&"ffi.Dict");
            if has_dict && t.answer(STRINGIFY, &[far_around.0.any(), TVMFFIAny::NONE])?.is_err() {
                continue;
            }
            for places in [
                [&twice, &twice, &one],
                [&twice, &around, &twice],
                [&around, &twice, &around],
                [&far_around, &around, &twice],
                [&twice, &far_around, &far_around],
            ] {
                let Some((value, text)) = hold(outer, &places)? else { continue };
                t.clause(if outer == "ffi.List" || *kind == "ffi.List" { id::JSN_0027 } else { id::JSN_0025 });
                let what = format_args!("the text of a value of {outer} in which one of {kind} stands several times");
                t.eq(what, stringify(t, &value, None)?, text)?;
            }
        }
    }
    Ok(())
}

/// A List that could not be written is written when what was in the way has gone, within another one too.
#[check(JSN_0027)]
fn write_after_failure(t: &Trial) -> Verdict {
    let (no, yes) = (Value::Bytes(b"abc".to_vec()).build(t)?, view::int(7));
    let list = Value::List(vec![Value::Int(1)]).build(t)?;
    let outer = t.call_global("ffi.List", &[list.any()])?;
    for holder in [&list, &outer] {
        t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), no.any()])?;
        does_not_write(t, holder)?;
        does_not_write(t, &list)?;
        t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), yes])?;
        for (written, text) in [(&list, "[7]"), (&outer, "[[7]]")] {
            t.eq("what is written after failures", stringify(t, written, None)?.as_str(), text)?;
        }
    }
    Ok(())
}

/// Writing a Map with a key that is no string is refused with an error.
#[check(JSN_0028)]
fn write_other_key(t: &Trial) -> Verdict {
    [Value::Int(1), Value::None, Value::Bytes(b"key".to_vec())]
        .into_iter()
        .try_for_each(|key| does_not_write(t, &Value::Map(vec![(key, Value::Int(2))]).build(t)?))
}

/// Writing a value that JSON cannot express, such as Bytes or a function, is refused with an error.
#[check(JSN_0029)]
fn write_other_value(t: &Trial) -> Verdict {
    inexpressible(t)?.iter().try_for_each(|other| does_not_write(t, other))
}

/// Values of all kinds that JSON cannot express.
fn inexpressible(t: &Trial) -> Verdict<[Owned; 6]> {
    Ok([
        t.bytes(b"abc")?,
        t.bytes(b"more than seven")?,
        t.own(view::pointer(std::ptr::dangling_mut())),
        t.global(STRINGIFY)?,
        t.tensor_of_four(FLOAT32, &[4], [0; 4])?,
        t.new_error("ValueError", "a message", "")?,
    ])
}

/// Writing a container is refused with an error if JSON cannot express a value in it, of whatever kind and wherever.
#[check(JSN_0029)]
fn write_nested_other(t: &Trial) -> Verdict {
    let (one, key) = (view::int(1), view::c_str(c"a key"));
    for other in &inexpressible(t)? {
        let array = t.call_global("ffi.Array", &[one, other.any()])?;
        let map = t.call_global("ffi.Map", &[key, other.any()])?;
        does_not_write(t, &array)?;
        does_not_write(t, &map)?;
        for inner in [array, map] {
            does_not_write(t, &t.call_global("ffi.Array", &[inner.any(), one])?)?;
            does_not_write(t, &t.call_global("ffi.Map", &[key, inner.any()])?)?;
        }
        if globals::find(t, "ffi.List")?.is_some() {
            does_not_write(t, &t.call_global("ffi.List", &[other.any(), one])?)?;
        }
    }
    Ok(())
}

/// Writing a value that JSON cannot express is refused with a ValueError.
#[check(JSN_0038)]
fn error_kind_of_values(t: &Trial) -> Verdict {
    for value in [Value::Bytes(b"abc".to_vec()), Value::Map(vec![(Value::Int(1), Value::Int(2))])] {
        t.refuses(STRINGIFY, &[value.build(t)?.any(), TVMFFIAny::NONE], &["ValueError"])?;
    }
    Ok(())
}

/// Writing a List or a Dict that contains itself is refused with an error.
#[check(JSN_0030)]
fn write_cycle(t: &Trial) -> Verdict {
    t.each_cycle(|value, _| t.refuses(STRINGIFY, &[*value, TVMFFIAny::NONE], &[]).map(drop))
}

/// Writing a List or a Dict that contains itself by way of any other containers is refused with an error, however long the circle is and
/// however deep in a value it stands.
#[check(JSN_0030, patient = 2)]
fn write_circles(t: &Trial) -> Verdict {
    const KINDS: [&str; 4] = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    // Keys are strings, so that no key is in the way.
    let [other, key] = [c"other", c"key"].map(view::c_str);
    let hold = |kind: &str, value: TVMFFIAny| match kind {
        "ffi.Array" | "ffi.List" => t.call_global(kind, &[view::int(7), value]),
        _ => t.call_global(kind, &[other, view::int(7), key, value]),
    };
    let refuses = |value: &Owned, indent: TVMFFIAny, what: &str| {
        let raised = t.refuses(STRINGIFY, &[value.any(), indent], &[]);
        raised.map(drop).map_err(|failure| failure.noting(what))
    };
    let mut chains: Vec<Vec<&str>> = vec![vec![]];
    for kind in KINDS {
        chains.extend([vec![kind], vec![kind; 7]]);
        chains.extend(KINDS.map(|next| vec![kind, next]));
    }
    for (head, clear) in [("ffi.List", "ffi.ListClear"), ("ffi.Dict", "ffi.DictClear")] {
        for chain in &chains {
            let circle = hold(head, TVMFFIAny::NONE)?;
            let mut links: Vec<Owned> = Vec::new();
            for kind in chain {
                let inner = links.last().unwrap_or(&circle).any();
                links.push(hold(kind, inner)?);
            }
            let last = links.last().unwrap_or(&circle).any();
            match head {
                "ffi.List" => t.call_global("ffi.ListAppend", &[circle.any(), last])?,
                _ => t.call_global("ffi.DictSetItem", &[circle.any(), key, last])?,
            };
            let what = format_args!("of a circle of {head} and, from the inside, {chain:?}");
            refuses(&circle, TVMFFIAny::NONE, &format!("written is the {head} {what}"))?;
            refuses(&circle, view::int(2), &format!("written with an indent is the {head} {what}"))?;
            for (link, kind) in links.iter().zip(chain).filter(|(_, kind)| matches!(**kind, "ffi.List" | "ffi.Dict")) {
                refuses(link, TVMFFIAny::NONE, &format!("written is a {kind} {what}"))?;
            }
            for (around, levels) in KINDS.iter().flat_map(|kind| [(kind, 1), (kind, 3)]).filter(|_| chain.len() < 2) {
                let mut whole = hold(around, circle.any())?;
                for _ in 1..levels {
                    whole = hold(around, whole.any())?;
                }
                refuses(&whole, TVMFFIAny::NONE, &format!("it stands {levels} deep in {around}, the {head} {what}"))?;
            }
            t.call_global(clear, &[circle.any()])?;
        }
    }
    Ok(())
}
