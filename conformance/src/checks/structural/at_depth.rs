//! Values that differ, or do not, far inside of others.

use tvm_ffi_spec::{clause::id, *};

use super::asked::Asked;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::Value,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

/// How many containers are around what is compared. What is deeper than the second is for a SHOULD.
const LEVELS: [usize; 4] = [0, 8, 40, 150];

/// Containers and objects of each kind that differ in size, in a part, in a key or in their type are not structurally equal however deep they are
/// inside of others, and those that do not are, and have one hash.
#[check(SEQ_0003, SEQ_0004, SEQ_0013, SEQ_0007, SEQ_0030, SEQ_0043, patient = 2)]
fn differences_at_depth(t: &Trial) -> Verdict {
    let asked = Asked::new(t)?;
    let kind = node_type(t, "verify.structural.AtDepth", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let makes = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let functions = t.globals(makes)?;
    for (at, (clause, one, other)) in pairs(t, kind)?.into_iter().enumerate() {
        for (level, levels) in LEVELS.into_iter().enumerate() {
            let turn = (at + level) % makes.len();
            let key = (turn > 1).then(|| view::int(1));
            let around = |inner: TVMFFIAny| t.around(&functions[turn], levels, share(t, inner)?, key);
            let [one, again, other] = [one[0].any(), one[1].any(), other.any()].map(around);
            let (one, again, other) = (one?, again?, other?);
            let what = format!("pair {at} in {levels} of {}", makes[turn]);
            let is_far = levels > LEVELS[1];
            t.clause(if is_far { id::SEQ_0030 } else { clause });
            t.eq(format_args!("whether {what} is equal"), asked.are_equal(t, &one, &other, false)?, false)?;
            t.eq(
                format_args!("the other way round, whether {what} is"),
                asked.are_equal(t, &other, &one, false)?,
                false,
            )?;
            t.eq(format_args!("whether what is alike in {what} is"), asked.are_equal(t, &one, &again, false)?, true)?;
            t.clause(if is_far { id::SEQ_0030 } else { id::SEQ_0007 });
            let hashes = [&one, &again].map(|value| asked.hash(t, value, false));
            let [one_hash, again_hash] = hashes;
            t.eq(format_args!("the hash of what is alike in {what}"), again_hash?, one_hash?)?;
            t.clause(if is_far { id::SEQ_0030 } else { id::SEQ_0043 });
            for (value, expected) in [(&other, false), (&again, true)] {
                let is_none = asked.have_no_mismatch(t, &one, value, false)?;
                t.eq(format_args!("whether {what} has no mismatch, alike: {expected}"), is_none, expected)?;
            }
        }
    }
    Ok(())
}

/// A value twice, each made anew, with another that differs, and the clause that says so.
type Pair = (&'static str, [Owned; 2], Owned);

fn pairs(t: &Trial, kind: i32) -> Verdict<Vec<Pair>> {
    let ints = |numbers: &[i64]| numbers.iter().map(|number| Value::Int(*number)).collect::<Vec<_>>();
    let entries = |numbers: &[(i64, i64)]| {
        numbers.iter().map(|(key, value)| (Value::Int(*key), Value::Int(*value))).collect::<Vec<_>>()
    };
    let (sequences, maps) = (id::SEQ_0003, id::SEQ_0004);
    let mut all = Vec::new();
    for (clause, one, other) in [
        (sequences, Value::Array(ints(&[1, 2])), Value::Array(ints(&[1]))),
        (sequences, Value::Array(ints(&[1, 2])), Value::Array(ints(&[1, 2, 3]))),
        (sequences, Value::Array(ints(&[1, 2])), Value::Array(ints(&[1, 3]))),
        (sequences, Value::List(ints(&[1, 2])), Value::List(ints(&[1]))),
        (sequences, Value::List(ints(&[1])), Value::List(ints(&[]))),
        (sequences, Value::List(ints(&[1, 2])), Value::List(ints(&[2, 1]))),
        (maps, Value::Map(entries(&[(1, 1), (2, 2)])), Value::Map(entries(&[(1, 1)]))),
        (maps, Value::Map(entries(&[(1, 1)])), Value::Map(entries(&[(1, 2)]))),
        (maps, Value::Map(entries(&[(1, 1)])), Value::Map(entries(&[(2, 1)]))),
        (maps, Value::Dict(entries(&[(1, 1), (2, 2)])), Value::Dict(entries(&[(1, 1), (3, 2)]))),
        (maps, Value::Dict(entries(&[(1, 1)])), Value::Dict(entries(&[]))),
    ] {
        all.push((clause, [one.build(t)?, one.build(t)?], other.build(t)?));
    }
    for (first, other) in [(1, 3), (2, 1)] {
        let node = |first| share(t, node(kind, view::int(first), view::int(2)).view());
        all.push((id::SEQ_0013, [node(first)?, node(first)?], node(other)?));
    }
    Ok(all)
}

/// A reference of one's own.
fn share(t: &Trial, value: TVMFFIAny) -> Verdict<Owned> {
    let mut owned = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&value, &mut owned))?;
    Ok(t.own(owned))
}
