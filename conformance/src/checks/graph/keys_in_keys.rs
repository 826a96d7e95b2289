//! Keys that are compared by what is in them, with such keys in it.

use tvm_ffi_spec::*;

use super::kit::{READ, graph_text};
use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// Two StructuralKeys of a Map in a JSON graph, which hold Maps with StructuralKeys in turn, are one key exactly if their values are structurally equal.
#[check(SEQ_0028)]
fn keys_that_hold_keys(t: &Trial) -> Verdict {
    for levels in 0..5 {
        for (other, expected) in [(1, 1), (2, 2)] {
            let mut nodes = vec![r#"{"type":"int","data":0}"#.to_owned(), r#"{"type":"int","data":5}"#.to_owned()];
            let keys = [1, other].map(|innermost| key(t, &mut nodes, levels, innermost));
            let [one, second] = keys;
            nodes.push(format!(r#"{{"type":"ffi.Map","data":[{},0,{},0]}}"#, one?, second?));
            let text = graph_text(&nodes);
            let parsed = t.call_global("ffi.json.Parse", &[t.string(text.as_bytes())?.any()])?;
            for (door, graph) in [(READ, t.string(text.as_bytes())?), ("ffi.FromJSONGraph", parsed)] {
                let map = t.call_global(door, &[graph.any()])?;
                t.type_index_eq("what was read", map.any().type_index, kTVMFFIMap)?;
                let what = format!("keys of a Map, which hold {levels} levels of keys around 1 and {other}");
                t.eq(what, t.map(map.handle())?.entries.len(), expected)?;
            }
        }
    }
    Ok(())
}

/// Adds the nodes of a key of so many levels, and answers its number. The same key is twice in each Map: as a key, and as that of another Map.
fn key(t: &Trial, nodes: &mut Vec<String>, levels: usize, innermost: i64) -> Verdict<usize> {
    let mut add = |node: String| {
        nodes.push(node);
        nodes.len() - 1
    };
    let mut value = t.own(view::int(innermost));
    let mut number = add(format!(r#"{{"type":"int","data":{innermost}}}"#));
    for level in 0..=levels {
        let hash = t.structural_hash(&value.any(), false)?;
        let key = t.call_global("ffi.StructuralKey", &[value.any()])?;
        let of_key = add(format!(r#"{{"type":"ffi.StructuralKey","data":{{"key":{number},"hash_i64":{hash}}}}}"#));
        if level == levels {
            return Ok(of_key);
        }
        let inner: Owned = t.call_global("ffi.Map", &[key.any(), view::int(0)])?;
        let of_inner = add(format!(r#"{{"type":"ffi.Map","data":[{of_key},0]}}"#));
        value = t.call_global("ffi.Map", &[key.any(), view::int(0), view::int(5), inner.any()])?;
        number = add(format!(r#"{{"type":"ffi.Map","data":[{of_key},0,1,{of_inner}]}}"#));
    }
    Ok(number)
}
