//! Functions of a type's own, and objects of types that descend from it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use super::{
    column::{PLACES, looks, place_in},
    kit::{LOOKING, TREE},
};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{Body, raise},
        globals,
        node::{inheriting_node_type, node},
        view,
    },
    trial::Trial,
};

/// The functions that a type has for its objects are not asked for objects of its descendants, wherever these stand.
#[check(HSH_0019)]
fn of_an_ancestor(t: &Trial) -> Verdict {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let asked: Body = |api, _| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        raise(api, c"KeyError", c"by the hook of an ancestor")
    };
    let child = inheriting_node_type(t, "verify.hook.Descendant", TREE, [0, 0])?;
    let mut ancestor = -1;
    t.ok(t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.hook.DescendantBase"), &mut ancestor))?;
    for column in LOOKING.into_iter().chain(["__ffi_shallow_copy__"]) {
        t.set_hook(ancestor, column, &t.callback(asked)?.any())?;
    }
    let nodes = [0; 2].map(|_| node(child, view::int(1), view::int(2)));
    for place in PLACES {
        let held = [place_in(t, place, nodes[0].view())?, place_in(t, place, nodes[1].view())?];
        let mut calls = looks(place, held[0].any(), held[1].any());
        calls.push(("ffi.ToJSONGraphString", vec![held[0].any(), TVMFFIAny::NONE]));
        calls.push(("ffi.DeepCopy", vec![held[0].any()]));
        for (name, args) in calls {
            let Some(function) = globals::find(t, name)? else { continue };
            // What it answers without a function of the type's own is for other clauses to say.
            drop(t.answer_of(function.handle(), &args)?);
            let times = format_args!("how often {name} asked a function of the ancestor's, for {place:?}");
            t.eq(times, ASKED.load(Ordering::Relaxed), 0)?;
        }
    }
    Ok(())
}
