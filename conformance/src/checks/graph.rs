//! JSON graphs: values written as a list of nodes that refer to each other by number, so that shared objects stay shared.

use proptest::{collection::vec, prelude::Strategy};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        model::{self, Value},
        samples::Place,
        view,
    },
    trial::Trial,
};

const WRITE: &str = "ffi.ToJSONGraphString";
const READ: &str = "ffi.FromJSONGraphString";

// ---------------------------------------------------------------------------------------------------------------------
// Values come back
// ---------------------------------------------------------------------------------------------------------------------

/// None, booleans, integers, floats, Strings and Bytes come back from their JSON graph with type and value.
#[check(GRF_0001)]
fn scalars(t: &Trial) -> Verdict {
    let values = [
        Value::None,
        Value::Bool(true),
        Value::Bool(false),
        Value::Int(0),
        Value::Int(i64::MIN),
        Value::Int(i64::MAX),
        Value::float(0.1),
        Value::float(-1.0),
        Value::str("text"),
        Value::Bytes(b"\0\xff".to_vec()),
    ];
    values.iter().try_for_each(|value| comes_back(t, value))
}

/// Strings and Bytes of 0 to 19 bytes come back from their JSON graph.
#[check(GRF_0001)]
fn strings_by_length(t: &Trial) -> Verdict {
    (0..20).try_for_each(|len| {
        comes_back(t, &Value::Str(vec![b's'; len]))?;
        comes_back(t, &Value::Bytes((0..len).map(|at| 200 + at as u8).collect()))
    })
}

/// A float comes back from its JSON graph whatever it is: infinite, no number, -0, or smaller than the normal ones.
#[check(GRF_0027)]
fn every_float(t: &Trial) -> Verdict {
    let floats = [-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1), f64::MIN_POSITIVE / 2.0];
    floats.iter().try_for_each(|value| comes_back(t, &Value::float(*value)))?;
    let back = read(t, &write(t, &view::float(f64::NAN), None)?)?.any();
    let is_nan = back.type_index == kTVMFFIFloat && f64::from_bits(back.payload()).is_nan();
    t.that("what NaN comes back as", is_nan, "a float that is no number", format!("{back:?}"))
}

/// Values of every form come back from their JSON graph at every place, in texts and in values.
#[check(GRF_0001, GRF_0002, GRF_0004, patient = 2)]
fn every_form(t: &Trial) -> Verdict {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for sample in t.samples()?.iter().filter(|sample| sample.fits_json()) {
        for place in Place::all(t)? {
            let holder = place.put(t, &sample.any())?;
            for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
                let back = t.call(read, &[graph.any()])?;
                let what = format!("what came back, {place:?}");
                if place != Place::Alone {
                    t.type_index_eq(&what, back.any().type_index, holder.any().type_index)?;
                }
                t.is_sample(what, &place.look(t, &back.any())?, sample)?;
            }
        }
    }
    Ok(())
}

/// A random normal float comes back from its JSON graph to the bit.
#[check(GRF_0001)]
fn any_float(t: &Trial) -> Verdict {
    t.property(proptest::num::f64::NORMAL, |value| comes_back(t, &Value::float(*value)))
}

/// Data types and devices come back from their JSON graph.
#[check(GRF_0002)]
fn dtype_and_device(t: &Trial) -> Verdict {
    let dtype = |code: u8, bits: u8, lanes: u16| {
        TVMFFIAny::new(kTVMFFIDataType, u64::from(code) | u64::from(bits) << 8 | u64::from(lanes) << 16)
    };
    let device = |kind: u32, id: u32| TVMFFIAny::new(kTVMFFIDevice, u64::from(kind) | u64::from(id) << 32);
    for value in [dtype(2, 32, 1), dtype(0, 8, 4), dtype(1, 64, 1), device(1, 0), device(2, 3)] {
        let back = read(t, &write(t, &value, None)?)?;
        t.any_eq("what came back", &back.any(), &value)?;
    }
    Ok(())
}

/// A Shape comes back from its JSON graph with its extents.
#[check(GRF_0003)]
fn shape(t: &Trial) -> Verdict {
    for extents in [vec![], vec![7], vec![2, 0, 1 << 40]] {
        let args: Vec<_> = extents.iter().map(|extent| view::int(*extent)).collect();
        let made = t.call_global("ffi.Shape", &args)?;
        let back = read(t, &write(t, &made.any(), None)?)?;
        t.eq("the type", back.any().type_index, kTVMFFIShape)?;
        let cell: TVMFFIShapeCell = t.cell("the shape", back.handle())?;
        t.eq("the number of extents", cell.size, extents.len())?;
        for (at, extent) in extents.iter().enumerate() {
            t.eq(format!("extent {at}"), t.read("an extent", cell.data.wrapping_add(at))?, *extent)?;
        }
    }
    Ok(())
}

/// Arrays and Maps come back from their JSON graph with their elements in their order.
#[check(GRF_0004)]
fn containers(t: &Trial) -> Verdict {
    use Value::{Array, Int, Map, None};
    let map = Map(vec![(Value::str("b"), Int(1)), (Value::str("a"), Array(vec![None]))]);
    comes_back(t, &Array(vec![]))?;
    comes_back(t, &Map(vec![]))?;
    comes_back(t, &Array(vec![Int(1), Value::str("a string on the heap"), Array(vec![Int(2)]), map.clone()]))?;
    comes_back(t, &Map(vec![(Value::str("outer"), map)]))
}

/// A Map with keys of several types comes back from its JSON graph.
#[check(GRF_0004)]
fn any_keys(t: &Trial) -> Verdict {
    let keys = [
        Value::Int(-1),
        Value::Bool(true),
        Value::float(2.5),
        Value::None,
        Value::str("s"),
        Value::str("a string on the heap"),
        Value::Bytes(b"b".to_vec()),
    ];
    comes_back(t, &Value::Map(keys.into_iter().zip((0..).map(Value::Int)).collect()))
}

/// A random value comes back from its JSON graph.
#[check(GRF_0004)]
fn any_value(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| comes_back(t, value))
}

/// Lists and Dicts come back from their JSON graph as Lists and Dicts.
#[check(GRF_0005)]
fn mutable_containers(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1), Value::List(vec![])]);
    comes_back(t, &list)?;
    comes_back(t, &Value::Dict(vec![]))?;
    comes_back(t, &Value::Dict(vec![(Value::str("k"), list), (Value::Int(2), Value::Array(vec![]))]))
}

/// An object that occurs twice in a value comes back from its JSON graph as one object.
#[check(GRF_0006)]
fn sharing(t: &Trial) -> Verdict {
    let shared = Value::Array(vec![Value::Int(1)]).build(t)?;
    let pair = t.call_global("ffi.Array", &[shared.any(), shared.any()])?;
    let back = read(t, &write(t, &pair.any(), None)?)?;
    let item = |index| t.call_global("ffi.ArrayGetItem", &[back.any(), view::int(index)]);
    t.eq("the second element", item(1)?.handle(), item(0)?.handle())
}

/// A container of any kind that stands twice comes back as one object, in every container and through every door.
#[check(GRF_0006)]
fn sharing_of_every_kind(t: &Trial) -> Verdict {
    let kinds = Place::all(t)?.into_iter().filter(|kind| *kind != Place::Alone);
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for kind in kinds {
        let shared = kind.put(t, &view::int(1))?;
        for place in Place::all(t)? {
            let (one, other) = (place.put(t, &shared.any())?, place.put(t, &shared.any())?);
            let both = t.call_global("ffi.Array", &[one.any(), other.any()])?;
            for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                let graph = t.call(write, &[both.any(), TVMFFIAny::NONE])?;
                let back = t.call(read, &[graph.any()])?;
                let items = t.sequence(back.handle())?.items;
                let inner = [place.look(t, &items[0])?, place.look(t, &items[1])?];
                t.any_eq(format!("the second {kind:?}, {place:?}"), &inner[1], &inner[0])?;
            }
        }
    }
    Ok(())
}

/// A value with sharing at 40 levels is written as one node for each level.
#[check(GRF_0006)]
fn diamonds(t: &Trial) -> Verdict {
    let mut value = Value::Array(vec![]).build(t)?;
    for _ in 0..40 {
        value = t.call_global("ffi.Array", &[value.any(), value.any()])?;
    }
    let text = write(t, &value.any(), None)?;
    t.that("the length of the text", text.len() < 10_000, "one node a level", text.len())?;
    read(t, &text).map(drop)
}

// ---------------------------------------------------------------------------------------------------------------------
// The form of a graph
// ---------------------------------------------------------------------------------------------------------------------

/// A JSON graph is an object with an array `nodes` and the integer `root_index`.
#[check(GRF_0007)]
fn form(t: &Trial) -> Verdict {
    let (root, nodes) = graph_of(t, &Value::Array(vec![Value::Int(1), Value::str("x")]))?;
    t.eq("the number of nodes", nodes.len(), 3)?;
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
        t.eq(format!("the data of {bytes:?}"), field(&nodes[root], "data").cloned(), Some(Value::str(encoded)))?;
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
    let plain = [Value::Bool(false), Value::Int(0), Value::float(0.5), Value::str(""), Value::Array(vec![])];
    for metadata in plain {
        let graph = parsed(t, &write(t, &view::int(3), Some(&metadata))?)?;
        t.eq("the metadata", field(&graph, "metadata").cloned(), Some(metadata.clone()))?;
        let graph = t.call_global("ffi.ToJSONGraph", &[view::int(3), metadata.build(t)?.any()])?;
        let graph = Value::read(t, &graph.any())?;
        t.eq("the metadata of a graph that is no text", field(&graph, "metadata").cloned(), Some(metadata))?;
    }
    let without = parsed(t, &write(t, &view::int(3), None)?)?;
    t.eq("the metadata of a graph without", field(&without, "metadata").cloned(), None)
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

/// An object of a reflected type comes back from its JSON graph with its type and its fields.
#[check(GRF_0014)]
fn object(t: &Trial) -> Verdict {
    let attr = t.string(b"an attribute's name")?;
    let step = t.access_step(0, attr.any())?;
    let back = read(t, &write(t, &step.any(), None)?)?;
    t.eq("the type", back.any().type_index, step.any().type_index)?;
    let fields: (i32, u32, TVMFFIAny) = t.cell("the object", back.handle())?;
    t.eq("the field `kind`", fields.0, 0)?;
    t.eq("the field `key`", t.text(&fields.2)?, b"an attribute's name".to_vec())
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

// ---------------------------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------------------------

/// Writing an object that cannot be made again, such as a function, is refused with an error.
#[check(GRF_0015)]
fn no_creator(t: &Trial) -> Verdict {
    let function = t.global(WRITE)?;
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[function.any(), TVMFFIAny::NONE], &mut result);
    t.raises(code, &[]).map(drop)
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

/// A graph with a number that no node has is refused with an error.
#[check(GRF_0019)]
fn index_out_of_range(t: &Trial) -> Verdict {
    for (root, data) in
        [(1, "[]"), (-1, "[]"), (1i64 << 40, "[]"), (0, "[1]"), (0, "[-1]"), (0, "[9223372036854775807]")]
    {
        let text = format!(r#"{{"root_index":{root},"nodes":[{{"type":"ffi.Array","data":{data}}}]}}"#);
        refuses(t, &text)?;
    }
    Ok(())
}

/// A graph with a node that contains itself is read or refused, and never ends the process.
#[check(GRF_0020)]
fn self_reference(t: &Trial) -> Verdict {
    harmless(t, r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":[0]}]}"#)
}

/// A graph with nodes that contain each other is read or refused, and never ends the process.
#[check(GRF_0020)]
fn mutual_reference(t: &Trial) -> Verdict {
    let nodes = r#"{"type":"ffi.Array","data":[1]},{"type":"ffi.Map","data":[2,0]},{"type":"int","data":1}"#;
    harmless(t, &format!(r#"{{"root_index":0,"nodes":[{nodes}]}}"#))
}

/// A graph with a chain of 20,000 nodes, each in the next, is read or refused, and never ends the process.
#[check(GRF_0025)]
fn far_too_deep(t: &Trial) -> Verdict {
    const LEVELS: usize = 20_000;
    for root in [0, LEVELS] {
        let inner = |at: usize| if root == 0 { at + 1 } else { at.wrapping_sub(1) };
        let chain = (0..=LEVELS).map(|at| match inner(at) {
            next @ 0..=LEVELS => format!(r#"{{"type":"ffi.Array","data":[{next}]}}"#),
            _ => r#"{"type":"None"}"#.to_owned(),
        });
        harmless(t, &format!(r#"{{"root_index":{root},"nodes":[{}]}}"#, chain.collect::<Vec<_>>().join(",")))?;
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

/// Writing and reading a graph leave no memory behind.
#[check(GRF_0023)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::Map(vec![(Value::str("a string on the heap"), Value::Array(vec![Value::Bytes(vec![0; 30])]))]);
    t.no_growth("writing and reading a graph", || comes_back(t, &value))
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
        t.eq(format!("the counts of {value:?}"), t.counts(back.handle())?, (1, 1))?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Helpers
// ---------------------------------------------------------------------------------------------------------------------

fn write(t: &Trial, value: &TVMFFIAny, metadata: Option<&Value>) -> Verdict<String> {
    let metadata = metadata.unwrap_or(&Value::None).build(t)?;
    let text = t.text(&t.call_global(WRITE, &[*value, metadata.any()])?.any())?;
    String::from_utf8(text).map_err(|error| t.failure("the written graph", "UTF-8", error))
}

fn read(t: &Trial, text: &str) -> Verdict<Owned> {
    let text = t.string(text.as_bytes())?;
    t.call_global(READ, &[text.any()])
}

fn comes_back(t: &Trial, value: &Value) -> Verdict {
    let text = write(t, &value.build(t)?.any(), None)?;
    let back = Value::read(t, &read(t, &text)?.any())?;
    t.eq(format!("what {text} reads as"), &back, value)
}

fn refuses(t: &Trial, text: &str) -> Verdict {
    let (read, owned) = (t.global(READ)?, t.string(text.as_bytes())?);
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&read, &[owned.any()], &mut result);
    if code == 0 {
        return Err(t.failure(format!("reading {text}"), "an error", format!("{:?}", Value::read(t, &result)?)));
    }
    t.raises(code, &[]).map(drop)
}

/// Expects a graph to be read, or to be refused with an error, without ending the process.
fn harmless(t: &Trial, text: &str) -> Verdict {
    t.returns(READ, &[t.string(text.as_bytes())?.any()])
}

/// A JSON text as a value, by the target's own reader.
fn parsed(t: &Trial, text: &str) -> Verdict<Value> {
    let text = t.string(text.as_bytes())?;
    Value::read(t, &t.call_global("ffi.json.Parse", &[text.any()])?.any())
}

/// What an object has under a key.
fn field<'v>(object: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Map(entries) = object else { return None };
    entries.iter().find(|(other, _)| *other == Value::str(key)).map(|(_, value)| value)
}

/// The root and the nodes of the graph that a value is written as.
fn graph_of(t: &Trial, value: &Value) -> Verdict<(usize, Vec<Value>)> {
    graph_in(t, &write(t, &value.build(t)?.any(), None)?)
}

/// The root and the nodes of the graph in a text.
fn graph_in(t: &Trial, text: &str) -> Verdict<(usize, Vec<Value>)> {
    let graph = parsed(t, text)?;
    match (field(&graph, "root_index"), field(&graph, "nodes")) {
        (Some(Value::Int(root)), Some(Value::Array(nodes))) if (0..nodes.len() as i64).contains(root) => {
            Ok((*root as usize, nodes.clone()))
        }
        _ => Err(t.failure("the graph", "`nodes`, and a `root_index` among them", text)),
    }
}

/// The nodes that a node's data lead to.
fn referred(t: &Trial, nodes: &[Value], node: usize) -> Verdict<Vec<Value>> {
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
