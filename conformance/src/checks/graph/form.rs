//! The form of a graph.

use std::{
    ffi::{c_int, c_void},
    mem::offset_of,
};

use tvm_ffi_spec::*;

use super::kit::{field, graph_in, graph_of, parsed, read, referred, write};
use crate::{
    checks::check,
    client::{Verdict, globals, homemade::Homemade, model::Value, types, view},
    trial::Trial,
};

/// A JSON graph is an object with an array `nodes` and the integer `root_index`.
#[check(GRF_0007)]
fn form(t: &Trial) -> Verdict {
    let (root, nodes) = graph_of(t, &Value::Array(vec![Value::Int(1), Value::str("x")]))?;
    t.that("the number of nodes", nodes.len() >= 3, "one for each of three values at least", nodes.len())?;
    t.eq("the type of the root", field(&nodes[root], "type").cloned(), Some(Value::str("ffi.Array")))
}

/// A node of a JSON graph has its type key under `type` and its content under `data`.
#[check(GRF_0008)]
fn form_of_scalars(t: &Trial) -> Verdict {
    let cases = [
        (Value::Bool(true), "bool", Value::Bool(true)),
        (Value::Int(-7), "int", Value::Int(-7)),
        (Value::float(1.5), "float", Value::float(1.5)),
    ];
    for (value, key, data) in cases {
        let (root, nodes) = graph_of(t, &value)?;
        t.eq("the type", field(&nodes[root], "type").cloned(), Some(Value::str(key)))?;
        t.eq("the data", field(&nodes[root], "data").cloned(), Some(data))?;
    }
    let (root, nodes) = graph_of(t, &Value::None)?;
    t.eq("the type of None", field(&nodes[root], "type").cloned(), Some(Value::str("None")))
}

/// The node of a String of any length has the type `ffi.String` and the text as its data.
#[check(GRF_0026)]
fn form_of_texts(t: &Trial) -> Verdict {
    for text in ["", "x", "seven_b", "eight_by", "a string on the heap"] {
        let (root, nodes) = graph_of(t, &Value::str(text))?;
        t.eq("the type", field(&nodes[root], "type").cloned(), Some(Value::str("ffi.String")))?;
        t.eq("the data", field(&nodes[root], "data").cloned(), Some(Value::str(text)))?;
    }
    Ok(())
}

/// The data of an Array's node are the numbers of its elements' nodes.
#[check(GRF_0009)]
fn form_of_containers(t: &Trial) -> Verdict {
    let (root, nodes) = graph_of(t, &Value::Array(vec![Value::Int(5), Value::Int(6)]))?;
    let data = referred(t, &nodes, root)?;
    let items: Vec<_> = data.iter().map(|node| field(node, "data").cloned()).collect();
    t.eq("what the data lead to", items, vec![Some(Value::Int(5)), Some(Value::Int(6))])
}

/// The data of a Map's node are the numbers of its keys' and values' nodes in turn.
#[check(GRF_0009)]
fn form_of_maps(t: &Trial) -> Verdict {
    let (root, nodes) = graph_of(t, &Value::Map(vec![(Value::str("k"), Value::Int(6))]))?;
    let data = referred(t, &nodes, root)?;
    let items: Vec<_> = data.iter().map(|node| field(node, "data").cloned()).collect();
    t.eq("what the data lead to", items, vec![Some(Value::str("k")), Some(Value::Int(6))])
}

/// The data of the node of Bytes are their base64 text.
#[check(GRF_0010)]
fn base64(t: &Trial) -> Verdict {
    let cases =
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobarbaz", "Zm9vYmFyYmF6")];
    for (bytes, encoded) in cases {
        let (root, nodes) = graph_of(t, &Value::Bytes(bytes.as_bytes().to_vec()))?;
        t.eq("the type", field(&nodes[root], "type").cloned(), Some(Value::str("ffi.Bytes")))?;
        t.eq(format_args!("the data of {bytes:?}"), field(&nodes[root], "data").cloned(), Some(Value::str(encoded)))?;
    }
    Ok(())
}

/// Metadata stands under `metadata` of a JSON graph, and reading ignores it.
#[check(GRF_0011)]
fn metadata(t: &Trial) -> Verdict {
    let text = write(t, &view::int(3), Some(&Value::Map(vec![(Value::str("version"), Value::str("1.0"))])))?;
    let graph = parsed(t, &text)?;
    let version = field(&graph, "metadata").and_then(|metadata| field(metadata, "version"));
    t.eq("the metadata", version.cloned(), Some(Value::str("1.0")))?;
    t.any_eq("the value", &read(t, &text)?.any(), &view::int(3))?;
    // Members that a graph itself has, with other values.
    let like_a_graph = ["root_index", "nodes", "metadata"].map(|name| (Value::str(name), Value::Int(0)));
    let pair = Value::Array(vec![Value::Int(7), Value::str("a")]);
    let plain = [
        Value::Map(like_a_graph.to_vec()),
        Value::Bool(false),
        Value::Int(0),
        Value::float(0.5),
        Value::str(""),
        Value::Array(vec![]),
        Value::Map(vec![]),
    ];
    for metadata in plain {
        let text = write(t, &pair.build(t)?.any(), Some(&metadata))?;
        t.eq("the metadata", field(&parsed(t, &text)?, "metadata").cloned(), Some(metadata.clone()))?;
        t.eq(format_args!("what {text} reads as"), &Value::read(t, &read(t, &text)?.any())?, &pair)?;
        let graph = t.call_global("ffi.ToJSONGraph", &[pair.build(t)?.any(), metadata.build(t)?.any()])?;
        let back = t.call_global("ffi.FromJSONGraph", &[graph.any()])?;
        let what = format!("what a graph with the metadata {metadata:?} reads as");
        t.eq(what, &Value::read(t, &back.any())?, &pair)?;
        let graph = Value::read(t, &graph.any())?;
        t.eq("the metadata of a graph that is no text", field(&graph, "metadata").cloned(), Some(metadata))?;
    }
    let without = parsed(t, &write(t, &view::int(3), None)?)?;
    let metadata = field(&without, "metadata").cloned().unwrap_or(Value::None);
    t.eq("the metadata of a graph without", metadata, Value::None)
}

/// `ffi.ToJSONGraphString` writes the graph of `ffi.ToJSONGraph`, and `ffi.FromJSONGraph` reads it.
#[check(GRF_0012)]
fn text_of_graph(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let graph = t.call_global("ffi.ToJSONGraph", &[value.any(), TVMFFIAny::NONE])?;
    let text = parsed(t, &write(t, &value.any(), None)?)?;
    t.eq("the graph of the text", text, Value::read(t, &graph.any())?)?;
    let back = t.call_global("ffi.FromJSONGraph", &[graph.any()])?;
    t.eq("what the graph reads as", Value::read(t, &back.any())?, Value::read(t, &value.any())?)?;
    if globals::find(t, "ffi.List")?.is_none() {
        return Ok(());
    }
    let list = t.call_global("ffi.List", &[view::int(1)])?;
    let pair = t.call_global("ffi.Array", &[list.any(), list.any()])?;
    let back = t.sequence(read(t, &write(t, &pair.any(), None)?)?.handle())?.items;
    t.any_eq("the second place of a List in a text", &back[1], &back[0])
}

/// A node of a JSON graph may refer to nodes that stand behind it.
#[check(GRF_0013)]
fn any_order(t: &Trial) -> Verdict {
    let text =
        r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":[1,2]},{"type":"int","data":3},{"type":"None"}]}"#;
    let back = Value::read(t, &read(t, text)?.any())?;
    t.eq("what was read", back, Value::Array(vec![Value::Int(3), Value::None]))
}

/// In the node of an object a field declared as an integer stands as itself, and one of any type as a node's number.
#[check(GRF_0028)]
fn form_of_objects(t: &Trial) -> Verdict {
    let step = t.access_step(1, view::int(77))?;
    let (root, nodes) = graph_in(t, &write(t, &step.any(), None)?)?;
    let data = field(&nodes[root], "data");
    t.eq("the field `kind`", data.and_then(|data| field(data, "kind")).cloned(), Some(Value::Int(1)))?;
    let key = match data.and_then(|data| field(data, "key")) {
        Some(Value::Int(number)) => nodes.get(*number as usize).and_then(|node| field(node, "data")).cloned(),
        other => other.cloned(),
    };
    t.eq("what the field `key` leads to", key, Some(Value::Int(77)))
}

/// An object with a field of each plain type.
#[repr(C)]
struct Plain {
    count: i64,
    ratio: f64,
    flag: bool,
}

unsafe extern "C" fn get_count(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of the field, and where to write its value; so below.
    unsafe { result.write(view::int(*field.cast())) };
    0
}

unsafe extern "C" fn get_ratio(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { result.write(view::float(*field.cast())) };
    0
}

unsafe extern "C" fn get_flag(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { result.write(view::bool(*field.cast())) };
    0
}

/// That there is one tells that objects of the type can be made again; nobody makes any here.
unsafe extern "C" fn make_none(_: *mut TVMFFIObjectHandle) -> c_int {
    -1
}

/// In the node of an object fields declared as an integer, a float or a boolean stand as themselves.
#[check(GRF_0028)]
fn form_of_plain_fields(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Plain");
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Plain>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make_none), ..metadata }))?;
    let fields: [(&[u8], _, usize, usize, TVMFFIFieldGetter); 3] = [
        (b"count", kTVMFFIInt, size_of::<i64>(), offset_of!(Plain, count), get_count),
        (b"ratio", kTVMFFIFloat, size_of::<f64>(), offset_of!(Plain, ratio), get_ratio),
        (b"flag", kTVMFFIBool, size_of::<bool>(), offset_of!(Plain, flag), get_flag),
    ];
    for (name, declared, size, offset, getter) in fields {
        let field = types::field(name, declared, size as i64, (size_of::<TVMFFIObject>() + offset) as i64);
        let field = TVMFFIFieldInfo { alignment: size as i64, getter: Some(getter), ..field };
        t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
    }
    for (count, ratio, flag) in [(7, 0.5, true), (-1, -2.0, false)] {
        let plain = Homemade::new(index, Plain { count, ratio, flag });
        let (root, nodes) = graph_in(t, &write(t, &plain.view(), None)?)?;
        let data = field(&nodes[root], "data");
        let expected = [("count", Value::Int(count)), ("ratio", Value::float(ratio)), ("flag", Value::Bool(flag))];
        for (name, value) in expected {
            t.eq(format_args!("the field `{name}`"), data.and_then(|data| field(data, name)).cloned(), Some(value))?;
        }
    }
    Ok(())
}
