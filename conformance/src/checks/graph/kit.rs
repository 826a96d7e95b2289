//! Writing and reading graphs, and taking them apart.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, model::Value},
    trial::Trial,
};

/// The functions that write and read graphs as texts.
pub(super) const WRITE: &str = "ffi.ToJSONGraphString";
pub(super) const READ: &str = "ffi.FromJSONGraphString";

pub(super) fn write(t: &Trial, value: &TVMFFIAny, metadata: Option<&Value>) -> Verdict<String> {
    let metadata = metadata.unwrap_or(&Value::None).build(t)?;
    let text = t.text(&t.call_global(WRITE, &[*value, metadata.any()])?.any())?;
    String::from_utf8(text).map_err(|error| t.failure("the written graph", "UTF-8", error))
}

pub(super) fn read(t: &Trial, text: &str) -> Verdict<Owned> {
    let text = t.string(text.as_bytes())?;
    t.call_global(READ, &[text.any()])
}

pub(super) fn comes_back(t: &Trial, value: &Value) -> Verdict {
    let text = write(t, &value.build(t)?.any(), None)?;
    let back = Value::read(t, &read(t, &text)?.any())?;
    t.eq(format_args!("what {text} reads as"), &back, value)
}

/// Expects a graph to be refused, as a text and, if it is JSON, as what the text is read as.
pub(super) fn refuses(t: &Trial, text: &str) -> Verdict {
    let owned = t.string(text.as_bytes())?;
    let mut given = vec![(READ, owned.any())];
    let parsed = t.answer("ffi.json.Parse", &[owned.any()])?;
    given.extend(parsed.as_ref().ok().map(|parsed| ("ffi.FromJSONGraph", parsed.any())));
    for (door, graph) in given {
        if let Ok(read) = t.answer(door, &[graph])? {
            let got = format!("{:?}", Value::read(t, &read.any())?);
            return Err(t.failure(format!("{door} of {text}"), "an error", got));
        }
    }
    Ok(())
}

/// Expects a graph to be read, or to be refused with an error, without ending the process.
pub(super) fn harmless(t: &Trial, text: &str) -> Verdict {
    t.returns(READ, &[t.string(text.as_bytes())?.any()])
}

/// A JSON text as a value, by the target's own reader.
pub(super) fn parsed(t: &Trial, text: &str) -> Verdict<Value> {
    let text = t.string(text.as_bytes())?;
    Value::read(t, &t.call_global("ffi.json.Parse", &[text.any()])?.any())
}

/// What an object has under a key.
pub(super) fn field<'v>(object: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Map(entries) = object else { return None };
    entries.iter().find(|(other, _)| *other == Value::str(key)).map(|(_, value)| value)
}

/// The root and the nodes of the graph that a value is written as.
pub(super) fn graph_of(t: &Trial, value: &Value) -> Verdict<(usize, Vec<Value>)> {
    graph_in(t, &write(t, &value.build(t)?.any(), None)?)
}

/// The root and the nodes of the graph in a text.
pub(super) fn graph_in(t: &Trial, text: &str) -> Verdict<(usize, Vec<Value>)> {
    let graph = parsed(t, text)?;
    match (field(&graph, "root_index"), field(&graph, "nodes")) {
        (Some(Value::Int(root)), Some(Value::Array(nodes))) if (0..nodes.len() as i64).contains(root) => {
            Ok((*root as usize, nodes.clone()))
        }
        _ => Err(t.failure("the graph", "`nodes`, and a `root_index` among them", text)),
    }
}

/// The nodes that a node's data lead to.
pub(super) fn referred(t: &Trial, nodes: &[Value], node: usize) -> Verdict<Vec<Value>> {
    let follow = |number: &Value| match number {
        Value::Int(number) => usize::try_from(*number).ok().and_then(|number| nodes.get(number)).cloned(),
        _ => None,
    };
    let data = match field(&nodes[node], "data") {
        Some(Value::Array(data)) => data.iter().map(follow).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    data.ok_or_else(|| t.failure("the data of the node", "numbers of nodes", format!("{:?}", nodes[node])))
}

/// The text of a graph of these nodes, the last of which is the root.
pub(super) fn graph_text(nodes: &[String]) -> String {
    format!(r#"{{"root_index":{},"nodes":[{}]}}"#, nodes.len().saturating_sub(1), nodes.join(","))
}
