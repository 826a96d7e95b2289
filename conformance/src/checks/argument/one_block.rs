//! Objects that a client makes in one block of memory, one after the other: each is what it is then.

use std::rc::Rc;

use tvm_ffi_spec::{clause::id, *};

use super::looks::{COPY, GRAPH, JSON, Look, RECURSIVE, STRUCTURAL, found};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::return_none,
        containers::{client as own, keys::text_object},
        globals,
        homemade::{Homemade, remember_end},
        node::{Node, node, node_type},
        one_block::OneBlock,
        one_memory::pairs,
        own_error::error_cell,
        view,
    },
    trial::Trial,
};

/// An object of a client's that lies where another lay, which has ended, is hashed, compared, copied, printed and written as what it is, be the
/// other of its type or of any other.
#[check(SEQ_0007, SEQ_0003, SEQ_0043, REC_0011, REC_0004, REC_0039, REC_0015, REC_0037, JSN_0031, GRF_0005)]
fn objects_in_one_block(t: &Trial) -> Verdict {
    let comparable = comparable(t)?;
    for looks in [&STRUCTURAL[..], &RECURSIVE] {
        each_after_others(t, looks, &comparable)?;
    }
    // What is known by where it lies alone, such as an Error, has a hash of its own anywhere.
    let all = [comparable, others()].concat();
    [&COPY[..], &JSON, &GRAPH].into_iter().try_for_each(|looks| each_after_others(t, looks, &all))
}

/// A key that is a String or Bytes object of a client's is found as what it says, though another lay where it lies.
#[check(MAP_0004, DCT_0006, ARR_0014, LST_0016)]
fn keys_in_one_block(t: &Trial) -> Verdict {
    const TEXTS: [&[u8]; 4] = [b"one", b"two", b"layers.8.bias", b"layers.9.bias"];
    let block = OneBlock::new();
    for (make, look_up, clause) in [
        ("ffi.Map", "ffi.MapCount", id::MAP_0004),
        ("ffi.Dict", "ffi.DictCount", id::DCT_0006),
        ("ffi.Array", "ffi.ArrayContains", id::ARR_0014),
        ("ffi.List", "ffi.ListContains", id::LST_0016),
    ] {
        let (Some(make), Some(look_up)) = (globals::find(t, make)?, globals::find(t, look_up)?) else { continue };
        t.clause(clause);
        // Every other text is there, as a String.
        let (one, other) = (t.string(TEXTS[0])?, t.string(TEXTS[2])?);
        let holder = t.call(&make, &[one.any(), view::int(1), other.any(), view::int(2)])?;
        for at in pairs(2 * TEXTS.len()).flatten() {
            let (text, is_string) = (TEXTS[at % TEXTS.len()], at < TEXTS.len());
            let kind = if is_string { kTVMFFIStr } else { kTVMFFIBytes };
            let key = block.put_like(&text_object(kind, text), (at % 2 == 0).then_some(remember_end as _));
            let found = t.call(&look_up, &[holder.any(), key])?.any().payload();
            let expected = is_string && [TEXTS[0], TEXTS[2]].contains(&text);
            t.eq(
                format_args!("whether {} is found, a String: {is_string}", text.escape_ascii()),
                found,
                expected.into(),
            )?;
            t.ok(t.api.TVMFFIObjectDecRef(key.payload() as TVMFFIObjectHandle))?;
        }
    }
    Ok(())
}

/// An object that is kept, and how another of its content is made in a block.
#[derive(Clone)]
struct Kept {
    what: String,
    any: TVMFFIAny,
    put: Rc<Put>,
}

/// Makes an object in a block, with a deleter or without.
type Put = dyn Fn(&OneBlock, Option<TVMFFIObjectDeleter>) -> TVMFFIAny;

impl Kept {
    fn new<C: Copy + 'static>(what: impl Into<String>, object: Homemade<C>) -> Self {
        let any = object.view();
        Self { what: what.into(), any, put: Rc::new(move |block, deleter| block.put_like(&object, deleter)) }
    }
}

/// Objects that are told by what they hold.
fn comparable(t: &Trial) -> Verdict<Vec<Kept>> {
    let mut all = Vec::new();
    for name in ["One", "Other"] {
        let kind = node_type(t, &format!("verify.one_block.{name}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
        for (first, second) in [(1, 2), (3, 2)] {
            let object: Homemade<Node> = node(kind, view::int(first), view::int(second));
            all.push(Kept::new(format!("an object of the type {name} with {first} and {second}"), object));
        }
    }
    for text in [&b"short"[..], b"other", b"a text of more than seven bytes", b"a text of more than seven bites"] {
        all.push(Kept::new(format!("the String {}", text.escape_ascii()), text_object(kTVMFFIStr, text)));
        all.push(Kept::new(format!("the Bytes {}", text.escape_ascii()), text_object(kTVMFFIBytes, text)));
    }
    for extents in [[2_i64, 3], [3, 2]] {
        let extents: &'static [i64] = Box::leak(Box::new(extents));
        let shape = Homemade::new(kTVMFFIShape, (extents.as_ptr() as usize, 2_u64));
        all.push(Kept::new(format!("the Shape {extents:?}"), shape));
    }
    for items in [[1, 2], [1, 3]] {
        let items = items.map(view::int);
        // Their elements lie in buffers of their own.
        all.push(Kept::new(
            format!("an Array of {items:?}"),
            own::sequence_outside(kTVMFFIArray, &items, 2, own::remember_buffer),
        ));
        if globals::find(t, "ffi.List")?.is_some() {
            all.push(Kept::new(format!("a List of {items:?}"), own::list(&items, 2)));
        }
    }
    Ok(all)
}

/// Objects that are told by where they lie.
fn others() -> Vec<Kept> {
    let function = TVMFFIFunctionCell { safe_call: Some(return_none), cpp_call: std::ptr::null_mut() };
    vec![
        Kept::new("an Error", Homemade::new(kTVMFFIError, error_cell())),
        Kept::new("a Function", Homemade::new(kTVMFFIFunction, function)),
        Kept::new("an object without content", Homemade::new(kTVMFFIObject, ())),
    ]
}

/// Expects looks at objects, of which each is made in one block after both its neighbours, and after another of each kind, to come to what they
/// come to for others of their content elsewhere.
fn each_after_others(t: &Trial, looks: &[Look], all: &[Kept]) -> Verdict {
    let (block, len) = (OneBlock::new(), all.len());
    let order: Vec<usize> = (0..len).chain((0..len).rev()).chain((0..len).map(|at| at * 5 % len)).collect();
    let others = [all[0].any, all[all.len() - 1].any];
    for looking in found(t, looks)? {
        t.clause(looking.look.clause);
        let alone = all.iter().map(|kept| looking.come_to(t, kept.any, &others)).collect::<Verdict<Vec<_>>>()?;
        for (turn, &at) in order.iter().enumerate() {
            let kept = &all[at];
            let object = (kept.put)(&block, (turn % 2 == 0).then_some(remember_end as _));
            let got = looking.come_to(t, object, &others)?;
            let what = format!("what {} comes to for {} where another object lay", looking.name(), kept.what);
            t.eq(what, &got, &alone[at])?;
            t.eq("counts of an object that was looked at", block.counts(), (1, 1))?;
            t.ok(t.api.TVMFFIObjectDecRef(object.payload() as TVMFFIObjectHandle))?;
        }
    }
    Ok(())
}
