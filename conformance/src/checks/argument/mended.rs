//! Values that were refused, and have become such as are not: a call that has failed says nothing of what its values are later.

use std::sync::atomic::{AtomicBool, Ordering};

use tvm_ffi_spec::*;

use super::looks::{COPY, GRAPH, JSON, Look, RECURSIVE, SEARCH, STRUCTURAL, alike, found};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::raise,
        globals,
        node::{changing_node_type_with, copy_of, node},
        view,
    },
    trial::Trial,
};

/// A List or a Dict that was not written as JSON, as it contained itself, something that JSON cannot express or an object whose hook failed, is written
/// when that is gone from it, and so is whatever was on the way there, and whatever holds it.
#[check(JSN_0031, JSN_0030)]
fn written_when_mended(t: &Trial) -> Verdict {
    mended(t, &JSON, &BREAKS)
}

/// A List or a Dict that was not written as a JSON graph, for whatever reason, is written when that is gone from it, and so is what was on the way there.
#[check(GRF_0005, GRF_0021)]
fn written_as_a_graph_when_mended(t: &Trial) -> Verdict {
    mended(t, &GRAPH, &BREAKS)
}

/// A List or a Dict that contained itself, something that cannot be copied or an object whose hook failed is copied and printed like any other
/// when that is gone from it, and so is what was on the way there.
#[check(REC_0015, REC_0037, REC_0018, REC_0028)]
fn copied_when_mended(t: &Trial) -> Verdict {
    mended(t, &COPY, &BREAKS)
}

/// A List or a Dict that contained itself when it was searched for a device, which ends, is searched like any other when it no longer does.
#[check(CNT_0006, CNT_0004)]
fn searched_when_no_circle(t: &Trial) -> Verdict {
    mended(t, &SEARCH, BREAKS.split_at(CIRCLES).0)
}

/// A List or a Dict that contained itself or an object whose hook failed is hashed and compared recursively like any other when that is gone from
/// it, and so is what was on the way there.
#[check(REC_0011, REC_0004, REC_0039, REC_0029)]
fn compared_when_mended(t: &Trial) -> Verdict {
    mended(t, &RECURSIVE, &BREAKS)
}

/// A List or a Dict with an object whose hook failed, or that cannot be compared, is hashed and compared structurally like any other when that is gone
/// from it, and so is what was on the way there.
#[check(SEQ_0007, SEQ_0003, SEQ_0043)]
fn structurally_compared_when_mended(t: &Trial) -> Verdict {
    mended(t, &STRUCTURAL, BREAKS.split_at(CIRCLES).1)
}

/// A List or a Dict that contained itself when it was hashed or compared structurally, which ends, is hashed and compared like any other when it no
/// longer does.
#[check(SEQ_0029, SEQ_0007, SEQ_0003, SEQ_0043)]
fn structurally_compared_when_no_circle(t: &Trial) -> Verdict {
    mended(t, &STRUCTURAL, BREAKS.split_at(CIRCLES).0)
}

/// What makes a value such as is refused, given the value itself.
type Break = (&'static str, fn(&Trial, &Kit, TVMFFIAny) -> Verdict<TVMFFIAny>);

/// How many of [`BREAKS`] make circles. They come first.
const CIRCLES: usize = 3;

const BREAKS: [Break; 8] = [
    ("itself", |_, _, own| Ok(own)),
    ("an Array with itself", |t, _, own| kept(t, "ffi.Array", &[view::int(3), own])),
    ("a List in a Map with itself", |t, _, own| {
        let list = kept(t, "ffi.List", &[own])?;
        kept(t, "ffi.Map", &[KEY, list])
    }),
    ("a function", |_, kit, _| Ok(kit.function)),
    ("a function in a List in an Array", |t, kit, _| {
        let list = kept(t, "ffi.List", &[view::int(3), kit.function])?;
        kept(t, "ffi.Array", &[list])
    }),
    ("Bytes as a key", |t, _, _| kept(t, "ffi.Map", &[TVMFFIAny::new(kTVMFFISmallBytes, 0), view::int(1)])),
    ("an object that fails", |_, kit, _| Ok(kit.object)),
    ("an object that fails, in a Dict", |t, kit, _| kept(t, "ffi.Dict", &[KEY, kit.object])),
];

/// The text `k`.
const KEY: TVMFFIAny = TVMFFIAny {
    aux: TVMFFIAnyAux { small_str_len: 1 },
    ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(*b"k\0\0\0\0\0\0\0"))
};

/// The text `m`.
const OTHER_KEY: TVMFFIAny = TVMFFIAny {
    aux: TVMFFIAnyAux { small_str_len: 1 },
    ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(*b"m\0\0\0\0\0\0\0"))
};

/// What values are made bad with.
struct Kit {
    function: TVMFFIAny,
    /// An object whose hooks fail while [`FAILING`] says so.
    object: TVMFFIAny,
}

/// Whether the hooks fail.
static FAILING: AtomicBool = AtomicBool::new(false);

fn fail_or(api: &Api, answer: TVMFFIAny) -> Option<TVMFFIAny> {
    if FAILING.load(Ordering::Acquire) { raise(api, c"KeyError", c"for now") } else { Some(answer) }
}

const FIVE: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 5);
const YES: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 1);

impl Kit {
    fn new(t: &Trial) -> Verdict<Self> {
        let kind =
            changing_node_type_with(t, "verify.mended.Object", kTVMFFISEqHashKindTreeNode, [0, 0], |api, args| {
                fail_or(api, TVMFFIAny::NONE).and_then(|_| copy_of(args))
            })?;
        for (columns, hook) in [
            (&["__s_equal__", "__ffi_eq__"][..], t.callback(|api, _| fail_or(api, YES))?),
            (&["__s_hash__", "__ffi_hash__", "__data_to_json__"], t.callback(|api, _| fail_or(api, FIVE))?),
            (&["__ffi_compare__"], t.callback(|api, _| fail_or(api, view::int(0)))?),
            (&["__ffi_repr__"], t.callback(|api, _| fail_or(api, KEY))?),
        ] {
            columns.iter().try_for_each(|column| t.set_hook(kind, column, &hook.any()))?;
        }
        let object = Box::leak(Box::new(node(kind, view::int(1), view::int(2)))).view();
        Ok(Self { function: t.global("ffi.Array")?.into_any(), object })
    }
}

/// A container that lives as long as the process.
fn kept(t: &Trial, make: &str, items: &[TVMFFIAny]) -> Verdict<TVMFFIAny> {
    t.call_global(make, items).map(Owned::into_any)
}

/// Puts something into a List or a Dict in the place of its last element.
fn put(t: &Trial, own: TVMFFIAny, size: i64, value: TVMFFIAny) -> Verdict {
    match own.type_index {
        kTVMFFIList => t.call_void("ffi.ListSetItem", &[own, view::int(size - 1), value]),
        _ => t.call_void("ffi.DictSetItem", &[own, KEY, value]),
    }
}

/// Expects each look at a value that has been mended, at what holds it and at what it held, to come to what it comes to for values that are alike and
/// new: the first after the failure, and those after that.
fn mended(t: &Trial, looks: &[Look], breaks: &[Break]) -> Verdict {
    if globals::find(t, "ffi.List")?.is_none() {
        return Ok(());
    }
    t.short_backtraces();
    let (kit, looks) = (Kit::new(t)?, found(t, looks)?);
    let cases = ["ffi.List", "ffi.Dict"].into_iter().flat_map(|make| [1, 5].map(|size| (make, size)));
    let circles = &BREAKS.map(|(broken, _)| broken)[..CIRCLES];
    for ((make, size), (broken, bad)) in cases.flat_map(|case| breaks.iter().map(move |bad| (case, bad))) {
        for (turn, looking) in looks.iter().enumerate() {
            let part = kept(t, "ffi.List", &[view::int(3)])?;
            let mut items = vec![view::int(7); size - 1];
            items.splice(..items.len().min(1), (size > 1).then_some(part));
            items.push(TVMFFIAny::NONE);
            let own = match make {
                "ffi.List" => kept(t, make, &items)?,
                // One key is enough, and another where there is a part.
                _ if size == 1 => kept(t, make, &[KEY, TVMFFIAny::NONE])?,
                _ => kept(t, make, &[OTHER_KEY, part, KEY, TVMFFIAny::NONE])?,
            };
            let root = if turn % 2 == 0 { own } else { kept(t, "ffi.Array", &[view::int(1), own])? };
            let bad = bad(t, &kit, own)?;
            put(t, own, size as i64, bad)?;
            // Whether this is refused is for other clauses to say.
            t.clause(if circles.contains(broken) { looking.look.circle } else { looking.look.clause });
            FAILING.store(true, Ordering::Release);
            let refused = [root, own, bad].map(|value| looking.come_to(t, value, &[value, own]));
            FAILING.store(false, Ordering::Release);
            refused.into_iter().collect::<Verdict<Vec<_>>>()?;
            t.clause(looking.look.clause);
            // What has never been refused, and then the object as it is now.
            for good in [view::int(4), kit.object] {
                put(t, own, size as i64, good)?;
                for value in [root, own, part] {
                    let twin = alike(t, &value, -1)?;
                    let got = looking.come_to(t, value, &[twin, value])?;
                    let expected = looking.come_to(t, alike(t, &value, -1)?, &[twin, value])?;
                    let what = format_args!(
                        "what {} comes to for what was in or around {make} of {size} that had {broken} in it",
                        looking.name()
                    );
                    t.eq(what, got, expected)?;
                }
            }
        }
    }
    Ok(())
}
