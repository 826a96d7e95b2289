//! JSON texts and JSON graphs: no input harms the reference, and it agrees with the release where that survives.

use tvm_ffi_fuzz::{made, remake_graph, reprint_json, target, text};
use tvm_ffi_verify::side_by_side;

/// What JSON is made of.
const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "\"a\"",
    "\"b\":",
    "\\n",
    "\\u",
    "d83d",
    "\\ude00",
    "00e9",
    "0",
    "1",
    "23",
    "-",
    "+",
    ".",
    "e",
    "E",
    "5e-324",
    "1e999",
    "9223372036854775808",
    "NaN",
    "Infinity",
    "true",
    "false",
    "null",
    "nul",
    " ",
    "\t",
    "\r",
    "\n",
    "\0",
    "\x1f",
    "\x7f",
    "é",
];

#[test]
fn json_prints_and_parses_to_the_same() {
    let reference = side_by_side::reference();
    target!().with_type::<Vec<u8>>().for_each(|choices| {
        for input in [choices.clone(), text(choices, PIECES)] {
            if let Ok(printed) = made(reprint_json(&reference, &input)) {
                assert_eq!(made(reprint_json(&reference, &printed)), Ok(printed));
            }
        }
    });
}

#[test]
fn json_parses_as_in_the_release() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<Vec<u8>>().for_each(|choices| {
        for input in [choices.clone(), text(choices, PIECES)] {
            // The release refuses the smallest numbers.
            if has_small_number(&input) {
                continue;
            }
            let shown = input.escape_ascii().to_string();
            assert_eq!(made(reprint_json(&reference, &input)), made(reprint_json(&release, &input)), "{shown:?}");
        }
    });
}

/// Whether a text may have a number close to 0: with an exponent of three digits.
fn has_small_number(text: &[u8]) -> bool {
    text.windows(5).any(|part| part[0] | 0x20 == b'e' && part[1] == b'-' && part[2..].iter().all(u8::is_ascii_digit))
}

/// A node as numbers: what picks its type, and its data.
type Node = (u8, Vec<i8>);

const TYPES: &[&str] = &[
    "None",
    "bool",
    "int",
    "float",
    "ffi.String",
    "Device",
    "ffi.Shape",
    "ffi.Array",
    "ffi.List",
    "ffi.Map",
    "ffi.Dict",
    "ffi.Array",
    "ffi.Map",
    "ffi.VisitInterrupt",
    "ffi.Function",
    "no.such.Type",
];

/// A graph of such nodes. `index` makes the index of a node of a number in the node at a position.
fn graph(nodes: &[Node], root: i8, index: impl Fn(usize, i8) -> i64) -> String {
    let nodes = nodes.iter().enumerate().map(|(position, (ty, data))| {
        let indices: Vec<_> = data.iter().map(|&number| index(position, number)).collect();
        let first = indices.first().copied().unwrap_or(0);
        let ty = TYPES[*ty as usize % TYPES.len()];
        let data = match ty {
            "bool" | "int" | "float" => first.to_string(),
            "ffi.String" => format!("\"{first}\""),
            "ffi.VisitInterrupt" => format!(r#"{{"value":{first}}}"#),
            _ => format!("{indices:?}"),
        };
        format!(r#"{{"type":"{ty}","data":{data}}}"#)
    });
    let nodes: Vec<_> = nodes.collect();
    format!(r#"{{"root_index":{},"nodes":[{}]}}"#, i64::from(root), nodes.join(","))
}

#[test]
fn graph_is_a_value_or_an_error() {
    let reference = side_by_side::reference();
    target!().with_type::<(Vec<Node>, i8)>().for_each(|(nodes, root)| {
        let graph = graph(nodes, *root, |_, number| number.into());
        if let Ok(again) = made(remake_graph(&reference, graph.as_bytes())) {
            assert_eq!(made(remake_graph(&reference, &again)), Ok(again));
        }
    });
}

#[test]
fn text_is_a_graph_or_an_error() {
    let reference = side_by_side::reference();
    target!().with_type::<Vec<u8>>().for_each(|choices| {
        for input in [choices.clone(), text(choices, PIECES)] {
            let _ = made(remake_graph(&reference, &input));
        }
    });
}

#[test]
fn graph_makes_what_the_release_makes() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<(Vec<Node>, i8)>().for_each(|(nodes, root)| {
        // The release does not survive nodes that refer to themselves, so these refer to earlier ones, or to none.
        let earlier = |position: usize, number: i8| match i64::from(number) {
            number @ 0.. if position > 0 => number % position as i64,
            _ => -1,
        };
        let graph = graph(nodes, *root, earlier);
        assert_eq!(
            made(remake_graph(&reference, graph.as_bytes())),
            made(remake_graph(&release, graph.as_bytes())),
            "{graph}"
        );
    });
}
