//! JSON texts and JSON graphs, both ways.

use std::fmt::Write;

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, view};

use super::{operation::Area, trees};
use crate::{library::Library, task::Task};

const SIZES: [usize; 3] = [100, 10_000, 1_000_000];
/// Of graphs, which take the release ten times as long as texts.
const GRAPHS: [usize; 3] = [100, 10_000, 100_000];
const ONE: [usize; 1] = [10_000];
/// How deep the deep text is nested.
const DEPTH: [usize; 1] = [500];

pub fn area() -> Area {
    let mut area = Area::new("JSON");
    area.through("parse records", &SIZES, |lib, size| parse(lib, &records(size)));
    area.through("parse numbers", &ONE, |lib, size| parse(lib, &numbers(size)));
    area.through("parse text with escapes", &ONE, |lib, size| parse(lib, &texts(size)));
    area.through("parse deep nesting", &DEPTH, |lib, size| parse(lib, &deep(size)));
    area.one("parse a small record", |lib| parse(lib, &records(10)));
    area.through("stringify records", &SIZES, |lib, size| stringify(lib, &records(size), None));
    area.through("stringify numbers", &ONE, |lib, size| stringify(lib, &numbers(size), None));
    area.through("stringify text with escapes", &ONE, |lib, size| stringify(lib, &texts(size), None));
    area.through("stringify deep nesting", &DEPTH, |lib, size| stringify(lib, &deep(size), None));
    area.through("stringify records, indented", &ONE, |lib, size| stringify(lib, &records(size), Some(2)));
    for text in ["[]", "{}", "7"] {
        area.one(format!("stringify {text}"), move |lib| stringify(lib, text, None));
    }
    area.one("stringify a small record", |lib| stringify(lib, &records(10), None));
    area.through("to graph", &ONE, |lib, size| to_graph(lib, "ffi.ToJSONGraph", trees::tree(lib, size, 7)));
    area.through("to graph, shared parts", &ONE, |lib, size| {
        to_graph(lib, "ffi.ToJSONGraph", trees::shared(lib, size))
    });
    area.through("to graph text", &GRAPHS, |lib, size| {
        to_graph(lib, "ffi.ToJSONGraphString", trees::tree(lib, size, 7))
    });
    area.through("from graph", &ONE, |lib, size| from_graph(lib, "", trees::tree(lib, size, 7)));
    area.through("from graph, shared parts", &ONE, |lib, size| from_graph(lib, "", trees::shared(lib, size)));
    area.through("from graph text", &GRAPHS, |lib, size| from_graph(lib, "String", trees::tree(lib, size, 7)));
    area
}

/// Records of ten values in all.
fn records(values: usize) -> String {
    let record = |number| {
        let (price, active) = (f64::from(number) * 0.25 + 0.1, number % 2 == 0);
        format!(
            r#"{{"id":{number},"name":"the name of {number}","tags":["red","green"],"price":{price:?},"active":{active},"none":null}}"#
        )
    };
    let records: Vec<_> = (0..values as u32 / 10).map(record).collect();
    format!("[{}]", records.join(","))
}

fn numbers(count: usize) -> String {
    let number = |at: i64| match at % 3 {
        0 => (at * 7919).to_string(),
        1 => format!("{:?}", at as f64 / 7.0),
        _ => (-at).to_string(),
    };
    let numbers: Vec<_> = (0..count as i64).map(number).collect();
    format!("[{}]", numbers.join(","))
}

fn texts(count: usize) -> String {
    let text = |at| format!(r#""line {at}\nwith \"quotes\", a tab\t, é and \u00e9 and \ud83d\ude00""#);
    let texts: Vec<_> = (0..count).map(text).collect();
    format!("[{}]", texts.join(","))
}

fn deep(depth: usize) -> String {
    let mut text = String::new();
    for level in 0..depth {
        write!(text, "[{level},").expect("a String takes everything");
    }
    text + "0" + &"]".repeat(depth)
}

fn parse(lib: &Library, text: &str) -> Task {
    let (lib, parse) = (*lib, lib.function("ffi.json.Parse"));
    let text = lib.own(lib.string(text.as_bytes()));
    Task::making_alike(&lib, move || lib.call(parse, &[text.any()]))
}

/// Prints what was parsed. Read again, that has to be the same value.
fn stringify(lib: &Library, text: &str, indent: Option<i64>) -> Task {
    let (lib, stringify) = (*lib, lib.function("ffi.json.Stringify"));
    let parsed = |text: Owned| lib.own(lib.call_global("ffi.json.Parse", &[text.any()]));
    let value = parsed(lib.own(lib.string(text.as_bytes())));
    let args = [value.any(), indent.map_or(TVMFFIAny::NONE, view::int)];
    let again = parsed(lib.own(lib.call(stringify, &args)));
    let same = lib.call_global("ffi.RecursiveEq", &[value.any(), again.any()]);
    assert_eq!(lib.shown(&same), "true", "whether a value that was printed and read is the same");
    Task::making_alike(&lib, move || lib.call(stringify, &args)).keeping(value)
}

fn to_graph(lib: &Library, global: &str, value: Owned) -> Task {
    let (lib, function) = (*lib, lib.function(global));
    Task::making_alike(&lib, move || lib.call(function, &[value.any(), TVMFFIAny::NONE]))
}

/// From a graph, or from its text, back to the value.
fn from_graph(lib: &Library, form: &str, value: Owned) -> Task {
    let (lib, function) = (*lib, lib.function(&format!("ffi.FromJSONGraph{form}")));
    let graph = lib.own(lib.call_global(&format!("ffi.ToJSONGraph{form}"), &[value.any(), TVMFFIAny::NONE]));
    Task::making(&lib, &lib.shown(&value.any()), move || lib.call(function, &[graph.any()]))
}
