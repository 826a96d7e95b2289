//! Where two values differ first.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Verdict,
        access_path::Step,
        globals,
        model::Value,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

/// `ffi.GetFirstStructuralMismatch` answers None for equal values.
#[check(SEQ_0009)]
fn mismatch_none(t: &Trial) -> Verdict {
    [Value::Int(1), Value::Array(vec![Value::Int(1)]), Value::Map(vec![])]
        .iter()
        .try_for_each(|value| t.differ_at(&value.build(t)?.any(), &value.build(t)?.any(), None))
}

/// The first mismatch is a pair of paths to the element or the map entry that differs.
#[check(SEQ_0010)]
fn mismatch_element(t: &Trial) -> Verdict {
    let array = |value| Value::Array(vec![Value::Int(1), Value::Int(value)]).build(t);
    t.differ_at(&array(2)?.any(), &array(3)?.any(), Some((&[Step::item(1)], &[Step::item(1)])))?;
    let map = |value| Value::Map(vec![(Value::str("k"), Value::Int(value))]).build(t);
    t.differ_at(&map(2)?.any(), &map(3)?.any(), Some((&[Step::entry("k")], &[Step::entry("k")])))
}

/// The first mismatch leads through nested containers to where they differ.
#[check(SEQ_0010)]
fn mismatch_nested(t: &Trial) -> Verdict {
    let value = |last| {
        let inner = Value::Array(vec![Value::Int(2), Value::Int(last)]);
        Value::Map(vec![(Value::str("a"), Value::Array(vec![Value::Int(1), inner]))]).build(t)
    };
    let path: &[Step] = &[Step::entry("a"), Step::item(1), Step::item(1)];
    t.differ_at(&value(3)?.any(), &value(4)?.any(), Some((path, path)))
}

/// The first mismatch ends in a missing step on the side that lacks an element.
#[check(SEQ_0011)]
fn mismatch_missing(t: &Trial) -> Verdict {
    let lists = globals::find(t, "ffi.List")?.is_some();
    for make in if lists { &["ffi.Array", "ffi.List"][..] } else { &["ffi.Array"] } {
        let (short, long) = (t.sequence_of_ints(make, &[1])?, t.sequence_of_ints(make, &[1, 2])?);
        t.differ_at(&short.any(), &long.any(), Some((&[Step::missing_item(1)], &[Step::item(1)])))?;
        t.differ_at(&long.any(), &short.any(), Some((&[Step::item(1)], &[Step::missing_item(1)])))?;
    }
    for make in if lists { &["ffi.Map", "ffi.Dict"][..] } else { &["ffi.Map"] } {
        let key = t.string(b"a")?;
        let map = |entries: &[TVMFFIAny]| t.call_global(make, entries);
        let (short, long) = (map(&[])?, map(&[key.any(), view::int(1)])?);
        t.differ_at(&long.any(), &short.any(), Some((&[Step::entry("a")], &[Step::missing_entry("a")])))?;
        t.differ_at(&short.any(), &long.any(), Some((&[Step::missing_entry("a")], &[Step::entry("a")])))?;
    }
    Ok(())
}

/// The first mismatch of two scalars is a pair of empty paths.
#[check(SEQ_0010)]
fn mismatch_root(t: &Trial) -> Verdict {
    t.differ_at(&view::int(1), &view::int(2), Some((&[], &[])))?;
    t.differ_at(&view::int(1), &view::bool(true), Some((&[], &[])))
}

/// The path of a mismatch within an object has a step with the field's name.
#[check(SEQ_0015)]
fn object_mismatch(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Mismatch", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let array = |value| Value::Array(vec![Value::Int(value)]).build(t);
    let (left, right) = (array(1)?, array(2)?);
    let (lhs, rhs) = (node(kind, view::int(1), left.any()), node(kind, view::int(1), right.any()));
    let path: &[Step] = &[Step::attr("second"), Step::item(0)];
    t.differ_at(&lhs.view(), &rhs.view(), Some((path, path)))
}
