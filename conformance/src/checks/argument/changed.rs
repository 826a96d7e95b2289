//! Values that change between two calls: what a function says of a value is what the value is at that time.

use tvm_ffi_spec::*;

use super::looks::{COPY, GRAPH, JSON, Look, Looking, RECURSIVE, STRUCTURAL, alike, found};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        homemade::retain,
        node::{changing_node_type, node, set_first},
        view,
    },
    trial::Trial,
};

/// A List, a Dict or an object that was changed after it was written as JSON is written as one that was never anything else, however many elements
/// it has and whichever of them is another now.
#[check(JSN_0031)]
fn written_after_a_change(t: &Trial) -> Verdict {
    changed(t, &JSON)
}

/// A List, a Dict or an object that was changed after it was written as a JSON graph is written as one that was never anything else.
#[check(GRF_0005)]
fn written_as_a_graph_after_a_change(t: &Trial) -> Verdict {
    changed(t, &GRAPH)
}

/// A List, a Dict or an object that was changed after it was copied or printed is copied and printed as one that was never anything else.
#[check(REC_0015, REC_0037)]
fn copied_after_a_change(t: &Trial) -> Verdict {
    changed(t, &COPY)
}

/// A List, a Dict or an object that was changed after it was hashed or compared recursively has the hash of one that was never anything else, equals
/// that, and no longer what it was.
#[check(REC_0011, REC_0004, REC_0039)]
fn compared_after_a_change(t: &Trial) -> Verdict {
    changed(t, &RECURSIVE)
}

/// A List, a Dict or an object that was changed after it was hashed or compared structurally has the hash of one that was never anything else, equals
/// that, and no longer what it was.
#[check(SEQ_0007, SEQ_0003, SEQ_0043)]
fn structurally_compared_after_a_change(t: &Trial) -> Verdict {
    changed(t, &STRUCTURAL)
}

/// Numbers of elements: one, those around powers of two, and many.
const SIZES: [i64; 7] = [1, 4, 5, 15, 16, 17, 64];

/// A way to change a value that stays where it is, and whose size stays.
type Change = (&'static str, fn(&Trial, &Own) -> Verdict);

const CHANGES: [Change; 6] = [
    ("the first element is another", |t, own| own.set(t, 0, view::int(77))),
    ("the last element is another", |t, own| own.set(t, own.size - 1, view::float(0.5))),
    ("the first element and the last have changed places", |t, own| {
        own.set(t, 0, view::int(own.size - 1))?;
        own.set(t, own.size - 1, view::int(0))
    }),
    ("an element between the first and the last is another", |t, own| own.set(t, own.size.min(2) - 1, view::int(80))),
    ("an element within an element is another", |t, own| {
        t.call_global("ffi.ListSetItem", &[own.part, view::int(0), view::int(78)]).map(drop)
    }),
    ("the last element was taken out and another was put in", |t, own| own.exchange_last(t)),
];

/// A value that can be changed.
struct Own {
    value: TVMFFIAny,
    size: i64,
    /// A List that is its element in the middle.
    part: TVMFFIAny,
}

impl Own {
    /// A List, a Dict, or an object for which its type is named, of so many elements. It is kept for the life of the process.
    fn new(t: &Trial, make: &str, kind: i32, size: i64) -> Verdict<Self> {
        let part = t.call_global("ffi.List", &[view::int(5), view::int(6)])?.into_any();
        let mut items: Vec<_> = (0..size).map(view::int).collect();
        // Of one and of two the part is no element that a change replaces alone.
        items[size as usize / 2] = part;
        let value = match make {
            "ffi.List" => t.call_global(make, &items)?.into_any(),
            "ffi.Dict" => {
                let entries: Vec<_> = (0..).zip(items).flat_map(|(at, item)| [KEYS[at], item]).collect();
                t.call_global(make, &entries)?.into_any()
            }
            _ => {
                let all = t.call_global("ffi.Array", &items)?;
                Box::leak(Box::new(node(kind, view::int(0), all.any()))).view()
            }
        };
        Ok(Self { value, size, part })
    }

    /// Puts a value into the place of an element; of an object, into its field.
    fn set(&self, t: &Trial, at: i64, item: TVMFFIAny) -> Verdict {
        match self.value.type_index {
            kTVMFFIList => t.call_void("ffi.ListSetItem", &[self.value, view::int(at), item]),
            kTVMFFIDict => t.call_void("ffi.DictSetItem", &[self.value, KEYS[at as usize], item]),
            _ => {
                set_first(&self.value, &item);
                Ok(())
            }
        }
    }

    fn exchange_last(&self, t: &Trial) -> Verdict {
        let last = self.size - 1;
        match self.value.type_index {
            kTVMFFIList => {
                drop(t.call_global("ffi.ListPop", &[self.value, view::int(last)])?);
                t.call_void("ffi.ListAppend", &[self.value, view::int(79)])
            }
            kTVMFFIDict => {
                t.call_void("ffi.DictErase", &[self.value, KEYS[last as usize]])?;
                t.call_void("ffi.DictSetItem", &[self.value, KEYS[last as usize], view::int(79)])
            }
            _ => self.set(t, 0, view::int(79)),
        }
    }
}

/// Keys that are texts, as JSON wants them, of two bytes each.
static KEYS: [TVMFFIAny; 64] = {
    let mut keys = [TVMFFIAny::NONE; 64];
    let mut at = 0;
    while at < 64 {
        let text = [b'a' + at as u8 / 8, b'a' + at as u8 % 8, 0, 0, 0, 0, 0, 0];
        keys[at] = TVMFFIAny {
            aux: TVMFFIAnyAux { small_str_len: 2 },
            ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(text))
        };
        at += 1;
    }
    keys
};

/// Expects each look at a value after a change, by itself and where it stands in another, to come to what it comes to for a value that is alike and
/// new, and so after the next change.
fn changed(t: &Trial, looks: &[Look]) -> Verdict {
    if globals::find(t, "ffi.List")?.is_none() {
        return Ok(());
    }
    let (kind, looks) =
        (changing_node_type(t, "verify.changed.Object", kTVMFFISEqHashKindTreeNode, [0, 0])?, found(t, looks)?);
    let fewer = ["ffi.Dict", "an object"].into_iter().flat_map(|make| [4, 17, 64].map(|size| (make, size)));
    let cases = SIZES.into_iter().map(|size| ("ffi.List", size)).chain(fewer);
    for (number, (make, size)) in cases.enumerate() {
        // In turn by itself, in a container that stays, and in one that does not.
        for (turn, looking) in looks.iter().enumerate() {
            t.clause(looking.look.clause);
            let own = Own::new(t, make, kind, size)?;
            // Every other one is somebody else's, too.
            if number % 2 == 1 {
                retain(own.value.payload() as TVMFFIObjectHandle);
            }
            let root = match (number + turn) % 3 {
                0 => own.value,
                1 => t.call_global("ffi.Array", &[view::int(1), own.value])?.into_any(),
                _ => t.call_global("ffi.Dict", &[KEYS[0], own.value])?.into_any(),
            };
            for (change, make_change) in CHANGES {
                let before = alike(t, &root, kind)?;
                looking.come_to(t, root, &[before])?;
                make_change(t, &own)?;
                let what = format!("{make} of {size} elements, of which {change}");
                comes_to_what_a_new_one_does(t, looking, &what, root, before, kind)?;
            }
        }
    }
    Ok(())
}

/// Expects a look at a value to come to what it comes to for one that is alike and new.
fn comes_to_what_a_new_one_does(
    t: &Trial,
    looking: &Looking,
    what: &str,
    root: TVMFFIAny,
    before: TVMFFIAny,
    kind: i32,
) -> Verdict {
    let twin = alike(t, &root, kind)?;
    // The first call after the change, before another value takes the place of what a library may have kept.
    let got = looking.come_to(t, root, &[twin, before])?;
    let expected = looking.come_to(t, alike(t, &root, kind)?, &[twin, before])?;
    t.eq(format_args!("what {} comes to for {what}", looking.name()), got, expected)
}

/// A container that lies where another of its size lay, which has ended, is hashed, compared, copied, printed and written as what it is.
#[check(SEQ_0007, SEQ_0003, SEQ_0043, REC_0011, REC_0004, REC_0039, REC_0015, REC_0037, JSN_0031, GRF_0005)]
fn made_where_another_lay(t: &Trial) -> Verdict {
    for looks in [&STRUCTURAL[..], &RECURSIVE, &COPY, &JSON, &GRAPH] {
        for looking in found(t, looks)? {
            t.clause(looking.look.clause);
            for (make, size) in t.containers()?.into_iter().flat_map(|make| [1, 4, 16, 20].map(|size| (make, size))) {
                each_in_turn(t, &looking, make, size)?;
            }
        }
    }
    Ok(())
}

/// Expects a look at containers of one size, of which each is made when the one before has ended, to come to what it comes to while all of them live.
fn each_in_turn(t: &Trial, looking: &Looking, make: &str, size: usize) -> Verdict {
    const LAST: [i64; 4] = [100, 101, 102, 103];
    let with = |last: i64| -> Verdict<Owned> {
        let numbers = (1..size as i64).chain([last]).map(view::int);
        let args: Vec<_> = match make {
            "ffi.Array" | "ffi.List" => numbers.collect(),
            _ => KEYS.into_iter().zip(numbers).flat_map(|(key, item)| [key, item]).collect(),
        };
        t.call_global(make, &args)
    };
    let kept = LAST.map(with).into_iter().collect::<Verdict<Vec<_>>>()?;
    let others = [kept[0].any(), kept[3].any()];
    let alone = kept.iter().map(|one| looking.come_to(t, one.any(), &others)).collect::<Verdict<Vec<_>>>()?;
    for (last, expected) in LAST.into_iter().zip(&alone) {
        let got = looking.come_to(t, with(last)?.any(), &others)?;
        let what = format_args!("what {} comes to for {make} of {size} whose last is {last}", looking.name());
        t.eq(what, &got, expected)?;
    }
    Ok(())
}
