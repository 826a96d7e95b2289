//! Functions of a type's own that are registered after the type was asked for them in vain: they count from then on.

use tvm_ffi_spec::{clause::id, *};

use super::kit::TREE;
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::Body,
        globals,
        graph_text::nodes_of,
        model::Value,
        node::{fields_of, node, node_type},
        view,
    },
    trial::Trial,
};

/// A function that a type is given for its objects after one of them was compared, hashed or printed is called from then on.
#[check(HOK_0001, HOK_0003, HOK_0004, HOK_0005, HOK_0006, HOK_0008)]
fn late_for_objects(t: &Trial) -> Verdict {
    let alike: Body = |_, _| Some(view::bool(true));
    let number: Body = |_, _| Some(view::int(4711));
    for (column, clause, name, hook, expected) in [
        ("__s_equal__", id::HOK_0001, "ffi.StructuralEqual", alike, Value::Bool(true)),
        ("__s_hash__", id::HOK_0003, "ffi.StructuralHash", number, Value::Int(4711)),
        ("__ffi_eq__", id::HOK_0004, "ffi.RecursiveEq", alike, Value::Bool(true)),
        ("__ffi_compare__", id::HOK_0005, "ffi.RecursiveLt", order_of_second, Value::Bool(true)),
        ("__ffi_hash__", id::HOK_0006, "ffi.RecursiveHash", number, Value::Int(4711)),
        ("__ffi_repr__", id::HOK_0008, "ffi.ReprPrint", printed_late, Value::str("printed by a late function")),
    ] {
        let Some(function) = globals::find(t, name)? else { continue };
        let kind = node_type(t, &format!("verify.hook.Late{column}"), TREE, [0, 0])?;
        // By their first fields, the first is the greater.
        let (one, other) = (node(kind, view::int(5), view::int(2)), node(kind, view::int(1), view::int(3)));
        let (one, other, no) = (one.view(), other.view(), view::bool(false));
        let args = match name {
            "ffi.StructuralEqual" => vec![one, other, no, no],
            "ffi.StructuralHash" => vec![one, no, no],
            "ffi.RecursiveEq" | "ffi.RecursiveLt" => vec![one, other],
            _ => vec![one],
        };
        t.clause(clause);
        // What it comes to without the function is for other clauses to say.
        for _ in 0..2 {
            drop(t.answer_of(function.handle(), &args)?);
        }
        t.set_hook(kind, column, &t.callback(hook)?.any())?;
        let answer = Value::read(t, &t.call(&function, &args)?.any())?;
        t.eq(format_args!("what {name} answers once {column} has a function"), answer, expected)?;
    }
    Ok(())
}

/// Orders two nodes by their second fields.
fn order_of_second(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let second = |at: usize| Some(fields_of(args.get(at)?)?.second.payload());
    let (lhs, rhs) = (second(0)?, second(1)?);
    Some(view::int(i64::from(lhs > rhs) - i64::from(lhs < rhs)))
}

fn printed_late(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let mut answer = TVMFFIAny::NONE;
    let text = TVMFFIByteArray::new(b"printed by a late function");
    (api.TVMFFIStringFromByteArray(&text, &mut answer) == 0).then_some(answer)
}

/// A function that a type is given for JSON graphs after a graph with one of its objects was written or read is called from then on.
#[check(HOK_0016, HOK_0017)]
fn late_for_graphs(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.LateGraph", TREE, [0, 0])?;
    let object = node(kind, view::int(1), view::int(2));
    let write = t.global("ffi.ToJSONGraphString")?;
    let args = [object.view(), TVMFFIAny::NONE];
    drop(t.answer_of(write.handle(), &args)?);
    t.set_hook(kind, "__data_to_json__", &t.callback(|_, _| Some(view::int(4711)))?.any())?;
    t.clause(id::HOK_0016);
    let text = String::from_utf8_lossy(&t.text(&t.call(&write, &args)?.any())?).into_owned();
    let found = nodes_of(&text).iter().any(|node| node["data"] == 4711);
    t.that("the graph once there is a function", found, "a node with the data 4711", &text)?;
    let kind = node_type(t, "verify.hook.LateRead", TREE, [0, 0])?;
    let read = t.global("ffi.FromJSONGraphString")?;
    let text = t.string(br#"{"root_index":0,"nodes":[{"type":"verify.hook.LateRead","data":4711}]}"#)?;
    drop(t.answer_of(read.handle(), &[text.any()])?);
    t.set_hook(kind, "__data_from_json__", &t.callback(|_, _| Some(view::float(0.5)))?.any())?;
    t.clause(id::HOK_0017);
    let made = t.call(&read, &[text.any()])?;
    t.any_eq("what a node reads as once there is a function", &made.any(), &view::float(0.5))
}
