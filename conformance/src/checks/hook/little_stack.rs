//! Calls where little of the stack is left.

use tvm_ffi_spec::*;

use super::kit::TREE;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::Body,
        containers::retain,
        globals,
        looking::{compare_first, go_on_with_first, mix_first, quote_first},
        node::{changing_node_type, node},
        view,
    },
    trial::Trial,
};

/// How many bytes of the stack are left: few, and about as many as a library may want to keep back for others.
const LEFT: [usize; 8] =
    [96 << 10, 160 << 10, 257 << 10, 258 << 10, 259 << 10, (260 << 10) + 512, (262 << 10) + 256, 266 << 10];

/// A function that goes through a value, and may ask hooks of the objects in it or call callbacks, comes back with an answer or an error where
/// little of the stack of its thread is left.
#[check(HOK_0026)]
fn with_little_of_the_stack(t: &Trial) -> Verdict {
    t.short_backtraces();
    let hooks: [(&str, Body); 7] = [
        ("__s_equal__", |api, args| compare_first(api, args, true)),
        ("__s_hash__", mix_first),
        ("__ffi_eq__", |api, args| compare_first(api, args, false)),
        ("__ffi_hash__", go_on_with_first),
        ("__ffi_repr__", quote_first),
        ("__any_hash__", |_, _| Some(view::int(7))),
        ("__any_equal__", |_, _| Some(view::bool(true))),
    ];
    let (plain, hooked) = (
        changing_node_type(t, "verify.little_stack.Plain", TREE, [0; 2])?,
        changing_node_type(t, "verify.little_stack.Hooked", TREE, [0; 2])?,
    );
    for (column, body) in hooks {
        t.set_hook(hooked, column, &t.callback(body)?.any())?;
    }
    let leaf = t.call_global("ffi.Array", &[view::int(1), view::c_str(c"a text")])?;
    let (inner, other) = (node(plain, leaf.any(), view::int(2)), node(hooked, leaf.any(), view::int(3)));
    let outer = node(hooked, inner.view(), TVMFFIAny::NONE);
    let values = [
        t.call_global("ffi.Array", &[outer.view(), inner.view()])?,
        t.call_global("ffi.Map", &[view::int(1), inner.view(), view::int(2), outer.view()])?,
    ];
    let keys = t.call_global("ffi.Map", &(0..8).flat_map(|at| [view::int(at), leaf.any()]).collect::<Vec<_>>())?;
    let keyed = t.answer("ffi.Map", &[other.view(), view::int(1), view::int(2), view::int(3)])?.ok();
    let (go_on, same) = (t.callback(|_, _| Some(TVMFFIAny::NONE))?, t.callback(|_, args| args.first().map(retain))?);
    let list = |callback: &Owned, is_triple: bool| -> Verdict<Owned> {
        let entry = [view::int(kTVMFFIInt.into()), callback.any(), view::bool(false)];
        let entry = t.call_global("ffi.Array", if is_triple { &entry } else { &entry[..2] })?;
        t.call_global("ffi.Array", &[entry.any()])
    };
    let (looks, changes, triples) = (list(&go_on, false)?, list(&same, false)?, list(&same, true)?);
    let none = t.call_global("ffi.Array", &[])?;
    let (no, order) = (view::bool(false), view::int(0));
    let mut calls: Vec<(Owned, Vec<TVMFFIAny>)> = Vec::new();
    let mut add = |name: &str, args: &[TVMFFIAny]| -> Verdict {
        calls.extend(globals::find(t, name)?.map(|function| (function, args.to_vec())));
        Ok(())
    };
    for value in values.iter().map(Owned::any).chain([outer.view(), inner.view()]) {
        for (name, args) in [
            ("ffi.RecursiveEq", &[value, value][..]),
            ("ffi.RecursiveHash", &[value]),
            ("ffi.ReprPrint", &[value]),
            ("ffi.DeepCopy", &[value]),
            ("ffi.RecursiveLt", &[value, value]),
            ("ffi.ToJSONGraph", &[value, TVMFFIAny::NONE]),
            ("ffi.ToJSONGraphString", &[value, TVMFFIAny::NONE]),
            ("ffi.json.Stringify", &[value, TVMFFIAny::NONE]),
            ("ffi.ContainerFindFirstNonCPUDevice", &[value]),
            ("ffi.GetFirstStructuralMismatch", &[value, value, no, no]),
            ("ffi.StructuralEqual", &[value, value, no, no]),
            ("ffi.StructuralHash", &[value, no, no]),
            ("ffi.StructuralWalk", &[value, looks.any(), none.any(), order]),
            ("ffi.StructuralVisit", &[value, looks.any()]),
            ("ffi.StructuralMap", &[value, none.any(), changes.any(), order]),
            ("ffi.StructuralMutate", &[value, triples.any()]),
        ] {
            add(name, args)?;
        }
    }
    if globals::find(t, "ffi.ToJSONGraph")?.is_some() {
        let graph = t.call_global("ffi.ToJSONGraph", &[keys.any(), TVMFFIAny::NONE])?;
        add("ffi.FromJSONGraph", &[graph.any()])?;
        graph.into_any();
    }
    if let Some(keyed) = &keyed {
        for key in [other.view(), outer.view()] {
            add("ffi.MapCount", &[keyed.any(), key])?;
            add("ffi.Map", &[key, view::int(1), other.view(), view::int(2)])?;
        }
    }
    for left in LEFT {
        t.with_stack_left(left, |client| {
            for (function, args) in &calls {
                drop(client.answer_of(function.handle(), args)?);
            }
            Ok(())
        })?;
    }
    Ok(())
}
