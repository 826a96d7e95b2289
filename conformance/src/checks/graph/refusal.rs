//! What is refused, what ends all the same, and what is left behind.

use std::fmt::Write;

use proptest::{collection::vec, prelude::Strategy};
use tvm_ffi_spec::*;

use super::kit::{WRITE, comes_back, harmless, read, refuses, write};
use crate::{
    checks::check,
    client::{Verdict, globals, model::Value, view},
    trial::Trial,
};

/// Writing an object that cannot be made again, such as a function, is refused with an error.
#[check(GRF_0015)]
fn no_creator(t: &Trial) -> Verdict {
    let function = t.global(WRITE)?;
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[function.any(), TVMFFIAny::NONE], &mut result);
    t.raises(code, &[]).map(drop)
}

/// Writing an address, which means nothing elsewhere, is refused with an error, also where it stands in a container.
#[check(GRF_0015)]
fn addresses(t: &Trial) -> Verdict {
    let pointer = view::pointer(std::ptr::dangling_mut());
    let holder = t.call_global("ffi.Array", &[view::int(1), pointer])?;
    for (value, door) in
        [pointer, holder.any()].into_iter().flat_map(|value| [(value, WRITE), (value, "ffi.ToJSONGraph")])
    {
        let answer = t.answer(door, &[value, TVMFFIAny::NONE])?;
        t.that(format_args!("what {door} makes of an address"), answer.is_err(), "an error", "a graph")?;
    }
    Ok(())
}

/// Reading JSON that is no graph is refused with an error.
#[check(GRF_0016)]
fn no_graph(t: &Trial) -> Verdict {
    ["{}", "[]", "1", r#"{"root_index":0}"#, r#"{"nodes":[]}"#, r#"{"root_index":"0","nodes":[]}"#]
        .iter()
        .try_for_each(|text| refuses(t, text))
}

/// Reading a graph from a text that is not JSON is refused with an error.
#[check(GRF_0016)]
fn not_json(t: &Trial) -> Verdict {
    ["", "{", r#"{"root_index":0,"nodes":["#].iter().try_for_each(|text| refuses(t, text))
}

/// A graph with a node of a type that is not registered is refused with an error.
#[check(GRF_0017)]
fn unknown_type(t: &Trial) -> Verdict {
    refuses(t, r#"{"root_index":0,"nodes":[{"type":"no.such.Type","data":{}}]}"#)
}

/// A graph with a node whose data are of the wrong type is refused with an error.
#[check(GRF_0018)]
fn wrong_data(t: &Trial) -> Verdict {
    let nodes = [
        r#"{"type":"int","data":"x"}"#,
        r#"{"type":"ffi.String","data":1}"#,
        r#"{"type":"ffi.Array","data":1}"#,
        r#"{"type":"ffi.Array","data":["x"]}"#,
        r#"{"type":"ffi.Bytes","data":"abc"}"#,
        r#"{"type":"DataType","data":"no such type"}"#,
    ];
    nodes.iter().try_for_each(|node| refuses(t, &format!(r#"{{"root_index":0,"nodes":[{node}]}}"#)))
}

/// A graph with a node that has no type or no data is refused with an error.
#[check(GRF_0018)]
fn missing_data(t: &Trial) -> Verdict {
    [r#"{"type":"int"}"#, r#"{"data":1}"#, "1", "null"]
        .iter()
        .try_for_each(|node| refuses(t, &format!(r#"{{"root_index":0,"nodes":[{node}]}}"#)))
}

/// A graph with a node of any type whose data or type are missing or of the wrong type is refused with an error, as a text and as a value,
/// whether the node is the root or an element of another.
#[check(GRF_0018)]
fn incomplete_nodes(t: &Trial) -> Verdict {
    // Which plain values stand for each other as data, such as 1 for true, is left open.
    let (numbers, texts): (&[&str], &[&str]) =
        (&["null", r#""x""#, "[]", "{}", "[0]"], &["null", "true", "1", "0.5", "[]", "{}"]);
    let lists: &[&str] = &["null", "true", "1", "0.5", r#""x""#, "{}", r#"["x"]"#, r#"["x",1]"#];
    let objects: &[&str] = &["null", "true", "1", "0.5", r#""x""#, "[]"];
    let (mut kinds, types) = (
        vec![
            ("bool", numbers),
            ("int", numbers),
            ("float", numbers),
            ("ffi.String", texts),
            ("ffi.Bytes", texts),
            ("DataType", texts),
            ("Device", lists),
            ("ffi.Shape", lists),
            ("ffi.Array", lists),
            ("ffi.Map", lists),
            ("ffi.reflection.AccessStep", objects),
        ],
        ["null", "true", "1", "0.5", "[]", r#"["int"]"#, "{}"],
    );
    if globals::find(t, "ffi.List")?.is_some() {
        kinds.extend([("ffi.List", lists), ("ffi.Dict", lists)]);
    }
    let mut nodes: Vec<_> = types.iter().map(|kind| format!(r#"{{"type":{kind},"data":1}}"#)).collect();
    nodes.extend([r#"{"data":[]}"#, r#"{"data":null}"#, "{}", "[]", "true", r#""int""#].map(str::to_owned));
    for (kind, wrong) in kinds {
        nodes.push(format!(r#"{{"type":"{kind}"}}"#));
        nodes.extend(wrong.iter().map(|data| format!(r#"{{"type":"{kind}","data":{data}}}"#)));
    }
    for node in nodes {
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{node}]}}"#))?;
        let around = r#"{"type":"ffi.Array","data":[1,2]},{"type":"int","data":7}"#;
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{around},{node}]}}"#))?;
    }
    Ok(())
}

/// A graph with a number in the data of a node that is beyond what stands there is refused with an error, as a text and as a value: none is
/// cut to its lower bits.
#[check(GRF_0018)]
fn numbers_beyond(t: &Trial) -> Verdict {
    let mut nodes = Vec::new();
    // A device has two numbers of 32 bits.
    let two = 1_i64 << 32;
    for beyond in [two, two + 1, two + 2, 1 << 40, (1 << 62) + 1, i64::MAX, 1 - two, 2 - two, i64::MIN, i64::MIN + 1] {
        nodes.push(format!(r#"{{"type":"Device","data":[{beyond},0]}}"#));
        nodes.push(format!(r#"{{"type":"Device","data":[1,{beyond}]}}"#));
        nodes.push(format!(r#"{{"type":"Device","data":[{beyond},{beyond}]}}"#));
        // The kind of a step has 32 bits.
        nodes.push(format!(r#"{{"type":"ffi.reflection.AccessStep","data":{{"kind":{beyond},"key":1}}}}"#));
    }
    // A data type has 8 bits for its bits and 16 for its lanes.
    for text in ["int256", "int264", "uint288", "float65568", "int4294967328", "float32x65536", "float32x65540"] {
        nodes.push(format!(r#"{{"type":"DataType","data":"{text}"}}"#));
    }
    nodes.push(r#"{"type":"DataType","data":"float32x4294967300"}"#.to_owned());
    nodes.push(r#"{"type":"DataType","data":"int18446744073709551648"}"#.to_owned());
    // An extent has 64 bits.
    for beyond in ["9223372036854775808", "18446744073709551616", "18446744073709551618"] {
        nodes.push(format!(r#"{{"type":"ffi.Shape","data":[{beyond}]}}"#));
        nodes.push(format!(r#"{{"type":"ffi.Shape","data":[2,{beyond},3]}}"#));
    }
    for node in nodes {
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{node},{{"type":"int","data":7}}]}}"#))?;
        let around = r#"{"type":"ffi.Array","data":[1,2]},{"type":"int","data":7}"#;
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{around},{node}]}}"#))?;
    }
    Ok(())
}

/// A graph with a device of fewer than two numbers, or with a key without a value, is refused with an error, as a text and as a value.
#[check(GRF_0018)]
fn data_too_short(t: &Trial) -> Verdict {
    let mut nodes: Vec<_> = ["[]", "[1]"].map(|data| format!(r#"{{"type":"Device","data":{data}}}"#)).into();
    let dicts = globals::find(t, "ffi.Dict")?.map(|_| "ffi.Dict");
    for kind in ["ffi.Map"].into_iter().chain(dicts) {
        nodes.extend(["[1]", "[1,1,1]"].map(|data| format!(r#"{{"type":"{kind}","data":{data}}}"#)));
    }
    for node in nodes {
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{node},{{"type":"int","data":7}}]}}"#))?;
        let around = r#"{"type":"ffi.Array","data":[2]},{"type":"int","data":7}"#;
        refuses(t, &format!(r#"{{"root_index":0,"nodes":[{around},{node}]}}"#))?;
    }
    Ok(())
}

/// A graph with a number that no node has is refused with an error.
#[check(GRF_0019)]
fn index_out_of_range(t: &Trial) -> Verdict {
    for (root, data) in
        [(1, "[]"), (-1, "[]"), (1i64 << 40, "[]"), (0, "[1]"), (0, "[-1]"), (0, "[9223372036854775807]")]
    {
        let text = format!(r#"{{"root_index":{root},"nodes":[{{"type":"ffi.Array","data":{data}}}]}}"#);
        refuses(t, &text)?;
    }
    // Numbers that 64 bits do not hold.
    for beyond in ["18446744073709551616", "18446744073709551617", "-18446744073709551615", "1e30"] {
        let nodes = r#"{"type":"int","data":5},{"type":"int","data":6}"#;
        refuses(t, &format!(r#"{{"root_index":{beyond},"nodes":[{nodes}]}}"#))?;
        for (kind, data) in
            [("ffi.Array", beyond.to_owned()), ("ffi.Map", format!("0,{beyond}")), ("ffi.Map", format!("{beyond},0"))]
        {
            refuses(t, &format!(r#"{{"root_index":2,"nodes":[{nodes},{{"type":"{kind}","data":[{data}]}}]}}"#))?;
        }
    }
    // Numbers that are those of a node in their lower bits.
    for too_large in [1i64 << 8, 1 << 16, 1 << 31, 1 << 32, (1 << 32) + 1, i64::MIN, i64::MIN + 1] {
        for (kind, data) in [
            ("ffi.Array", format!("[1,{too_large}]")),
            ("ffi.List", format!("[1,{too_large}]")),
            ("ffi.Map", format!("[1,{too_large}]")),
            ("ffi.Dict", format!("[{too_large},1]")),
        ] {
            let nodes = format!(r#"{{"type":"{kind}","data":{data}}},{{"type":"int","data":5}}"#);
            refuses(t, &format!(r#"{{"root_index":0,"nodes":[{nodes}]}}"#))?;
        }
        refuses(
            t,
            &format!(r#"{{"root_index":{too_large},"nodes":[{{"type":"int","data":5}},{{"type":"int","data":6}}]}}"#),
        )?;
    }
    Ok(())
}

/// A graph with a node of any type that contains itself is read or refused, as a text and as a value, and never ends the process.
#[check(GRF_0020)]
fn self_reference(t: &Trial) -> Verdict {
    for (circular, root) in nodes_with(0, 1).into_iter().flat_map(|node| [0, 2].map(|root| (node.clone(), root))) {
        let around = r#"{"type":"int","data":1},{"type":"ffi.Array","data":[1,0,0]}"#;
        harmless_by_both_doors(t, &format!(r#"{{"root_index":{root},"nodes":[{circular},{around}]}}"#))?;
    }
    Ok(())
}

/// A graph with nodes of any two types that contain each other is read or refused, as a text and as a value, and never ends the process.
#[check(GRF_0020)]
fn mutual_reference(t: &Trial) -> Verdict {
    for outer in nodes_with(1, 2) {
        for inner in nodes_with(0, 2) {
            let nodes = format!(r#"{outer},{inner},{{"type":"int","data":1}}"#);
            harmless_by_both_doors(t, &format!(r#"{{"root_index":0,"nodes":[{nodes}]}}"#))?;
        }
    }
    Ok(())
}

/// Nodes of each type that has others in it, with this one at each place; where something stands beside it, that is `other`.
fn nodes_with(part: usize, other: usize) -> Vec<String> {
    let lists = ["ffi.Array", "ffi.List"].map(|kind| (kind, vec![format!("[{part}]"), format!("[{other},{part}]")]));
    let pairs = [(other, part), (part, other), (part, part)];
    let maps =
        ["ffi.Map", "ffi.Dict"].map(|kind| (kind, pairs.map(|(key, value)| format!("[{key},{value}]")).to_vec()));
    let step = ("ffi.reflection.AccessStep", vec![format!(r#"{{"kind":1,"key":{part}}}"#)]);
    let all = lists.into_iter().chain(maps).chain([step]);
    all.flat_map(|(kind, data)| data.into_iter().map(move |data| format!(r#"{{"type":"{kind}","data":{data}}}"#)))
        .collect()
}

/// Expects a graph to be read or refused, as a text and as what the text is read as.
fn harmless_by_both_doors(t: &Trial, text: &str) -> Verdict {
    harmless(t, text)?;
    let parsed = t.call_global("ffi.json.Parse", &[t.string(text.as_bytes())?.any()])?;
    t.returns("ffi.FromJSONGraph", &[parsed.any()])
}

/// A graph with a chain of 20,000 nodes, each in the next, is read or refused, and never ends the process.
#[check(GRF_0025)]
fn far_too_deep(t: &Trial) -> Verdict {
    const LEVELS: usize = 20_000;
    t.in_large_pages();
    for root in [0, LEVELS] {
        let inner = |at: usize| if root == 0 { at + 1 } else { at.wrapping_sub(1) };
        let mut text = format!(r#"{{"root_index":{root},"nodes":["#);
        text.reserve(40 * LEVELS);
        for at in 0..=LEVELS {
            text += if at == 0 { "" } else { "," };
            // Writing to a String does not fail.
            let _ = match inner(at) {
                next @ 0..=LEVELS => write!(text, r#"{{"type":"ffi.Array","data":[{next}]}}"#),
                _ => text.write_str(r#"{"type":"None"}"#),
            };
        }
        harmless(t, &(text + "]}"))?;
    }
    Ok(())
}

/// A graph of two Maps whose keys hold such Maps in StructuralKeys, a chain of 20,000 nodes, and that are keys of one Map at the root, is read or
/// refused, as a text and as a value, and never ends the process.
#[check(GRF_0025)]
fn keys_in_keys_far_too_deep(t: &Trial) -> Verdict {
    const MAPS: usize = 10_000;
    t.in_large_pages();
    let maps: &[&str] = if globals::find(t, "ffi.Dict")?.is_some() { &["ffi.Map", "ffi.Dict"] } else { &["ffi.Map"] };
    // All keys have one hash, so that they are compared by what is in them. Node 0 is in all.
    let mut text = String::with_capacity(4 << 20);
    let mut last = Vec::new();
    // Writing to a String does not fail.
    let _ = write!(text, r#"{{"root_index":{},"nodes":[{{"type":"int","data":1}}"#, 2 * (2 * MAPS + 1) + 1);
    let key = |text: &mut String, of: usize| {
        let _ = write!(text, r#",{{"type":"ffi.StructuralKey","data":{{"key":{of},"hash_i64":7}}}}"#);
    };
    let mut node = 0;
    for _ in 0..2 {
        key(&mut text, 0);
        node += 1;
        for level in 0..MAPS {
            let _ = write!(text, r#",{{"type":"{}","data":[{node},0]}}"#, maps[level % maps.len()]);
            key(&mut text, node + 1);
            node += 2;
        }
        last.push(node);
    }
    let _ = write!(text, r#",{{"type":"ffi.Map","data":[{},0,{},0]}}]}}"#, last[0], last[1]);
    harmless_by_both_doors(t, &text)
}

/// Writing an Array, a List, a Map or a Dict that holds such a container, 10,000 levels deep, as a graph ends, with a graph or an error.
#[check(GRF_0030)]
fn write_far_too_deep(t: &Trial) -> Verdict {
    t.in_large_pages();
    for (make, door) in t.containers()?.into_iter().zip([WRITE, "ffi.ToJSONGraph"].into_iter().cycle()) {
        let function = t.global(make)?;
        let is_map = matches!(make, "ffi.Map" | "ffi.Dict");
        let mut value = TVMFFIAny::NONE;
        t.api.note(&format!("{make} of such a container, 10,000 levels deep"));
        for _ in 0..10_000 {
            let args = [view::int(1), value];
            value = t.call_unnoted(&function, if is_map { &args } else { &args[1..] })?.into_any();
        }
        // It is not released: how what is deep ends is for other clauses to say.
        t.returns(door, &[value, TVMFFIAny::NONE])?;
    }
    Ok(())
}

/// Writing a List or a Dict that contains itself as a graph ends, with a graph or an error.
#[check(GRF_0021)]
fn write_cycle(t: &Trial) -> Verdict {
    t.each_cycle(|value, _| t.returns(WRITE, &[*value, TVMFFIAny::NONE]))
}

/// A value two hundred levels deep is written as a graph and read.
#[check(GRF_0022)]
fn deep(t: &Trial) -> Verdict {
    let mut value = Value::Int(1);
    for _ in 0..200 {
        value = Value::Array(vec![value]);
    }
    comes_back(t, &value)
}

/// A graph of Arrays that refer to random nodes is read or refused, and never ends the process.
///
/// Graphs of arrays whose numbers lead anywhere, in bounds and without cycles or not.
#[check(GRF_0019)]
fn any_graph(t: &Trial) -> Verdict {
    let node = vec(-1..6i64, 0..3).prop_map(|data| format!(r#"{{"type":"ffi.Array","data":{data:?}}}"#));
    t.property((0..6i64, vec(node, 1..6)), |(root, nodes)| {
        // Nodes that lead to themselves or forward are left out: another clause is about circles.
        let acyclic = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (at..6).fold(node.clone(), |node, number| node.replace(&number.to_string(), "9")));
        let nodes = acyclic.collect::<Vec<_>>().join(",");
        harmless(t, &format!(r#"{{"root_index":{root},"nodes":[{nodes}]}}"#))
    })
}

/// Writing and reading a graph leave no memory behind, also on threads that end.
#[check(GRF_0023, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::Map(vec![(Value::str("a string on the heap"), Value::Array(vec![Value::Bytes(vec![0; 30])]))]);
    t.leaves_nothing("writing and reading a graph", |t| comes_back(t, &value))
}

/// Graphs that are refused leave no memory behind.
#[check(GRF_0023)]
fn refusal_no_growth(t: &Trial) -> Verdict {
    let nodes = r#"{"type":"ffi.String","data":"a string on the heap"},{"type":"ffi.Array","data":[0,"x"]}"#;
    t.no_growth("refusing a graph", || refuses(t, &format!(r#"{{"root_index":1,"nodes":[{nodes}]}}"#)))
}

/// An object that was read from a graph has one strong reference, which is the caller's.
#[check(GRF_0024)]
fn result_owned(t: &Trial) -> Verdict {
    for value in [Value::Array(vec![Value::Int(1)]), Value::Map(vec![]), Value::str("a string on the heap")] {
        let back = read(t, &write(t, &value.build(t)?.any(), None)?)?;
        t.eq(format_args!("the counts of {value:?}"), t.counts(back.handle())?, (1, 1))?;
    }
    Ok(())
}
