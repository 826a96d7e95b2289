//! Where two values differ first.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        access_path::Step,
        globals,
        model::Value,
        node::{node, node_type},
        tensor::FLOAT32,
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

/// The first mismatch ends in a missing step on the side that lacks an element, wherever the two stand.
#[check(SEQ_0011, patient = 2)]
fn mismatch_missing_within(t: &Trial) -> Verdict {
    let tree = node_type(t, "test.Lacking", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for (lacking, having, missing, there) in lacks(t)? {
        let mut wrapped = vec![(vec![], lacking, having)];
        for _ in 0..2 {
            let mut deeper = Vec::new();
            for (path, one, other) in &wrapped {
                for (step, one, other) in within(t, tree, &one.any(), &other.any())? {
                    deeper.push(([&[step][..], path].concat(), one, other));
                }
            }
            for (path, one, other) in &deeper {
                let (one, other) = (one.any(), other.any());
                let [lacks, has] = [&missing, &there].map(|last| [path, std::slice::from_ref(last)].concat());
                t.differ_at(&one, &other, Some((&lacks, &has)))?;
                t.differ_at(&other, &one, Some((&has, &lacks)))?;
            }
            wrapped = deeper;
        }
    }
    Ok(())
}

/// Pairs of containers of which the first lacks what the second has, with the steps to that on both sides.
fn lacks(t: &Trial) -> Verdict<Vec<(Owned, Owned, Step, Step)>> {
    let mut all = Vec::new();
    for (short, long) in [(0, 1), (1, 2), (5, 9)] {
        for make in makers(t, ["ffi.Array", "ffi.List"])? {
            let sequence = |size: i64| t.sequence_of_ints(make, &(0..size).collect::<Vec<_>>());
            all.push((sequence(short)?, sequence(long)?, Step::missing_item(short), Step::item(short)));
        }
    }
    for size in [1, 2, 9] {
        for make in makers(t, ["ffi.Map", "ffi.Dict"])? {
            let keys =
                (0..size).map(|number| t.string(format!("key {number}").as_bytes())).collect::<Verdict<Vec<_>>>()?;
            let entries: Vec<_> = keys.iter().flat_map(|key| [key.any(), view::int(1)]).collect();
            let (short, long) = (t.call_global(make, &entries[2..])?, t.call_global(make, &entries)?);
            all.push((short, long, Step::missing_entry("key 0"), Step::entry("key 0")));
        }
    }
    Ok(all)
}

/// Both values as a part of something, at each place that has a step, with that step.
fn within(t: &Trial, tree: i32, one: &TVMFFIAny, other: &TVMFFIAny) -> Verdict<Vec<(Step, Owned, Owned)>> {
    let (mut all, key) = (Vec::new(), t.string(b"k")?);
    for make in makers(t, ["ffi.Array", "ffi.List"])? {
        let hold = |value: &TVMFFIAny| t.call_global(make, &[view::int(1), *value]);
        all.push((Step::item(1), hold(one)?, hold(other)?));
    }
    for make in makers(t, ["ffi.Map", "ffi.Dict"])? {
        let hold = |value: &TVMFFIAny| t.call_global(make, &[key.any(), *value]);
        all.push((Step::entry("k"), hold(one)?, hold(other)?));
    }
    let hold = |value: &TVMFFIAny| t.own(node(tree, view::int(1), *value).view());
    all.push((Step::attr("second"), hold(one), hold(other)));
    Ok(all)
}

/// Those of these functions that the target has.
fn makers(t: &Trial, names: [&'static str; 2]) -> Verdict<Vec<&'static str>> {
    let known = |name: &str| Ok(globals::find(t, name)?.is_some());
    names.into_iter().filter_map(|name| known(name).map(|known| known.then_some(name)).transpose()).collect()
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

/// The first mismatch is looked for with the flags that equality is asked with.
#[check(SEQ_0043)]
fn mismatch_with_the_same_flags(t: &Trial) -> Verdict {
    let variables = node_type(t, "test.mismatch.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let variable = || t.own(node(variables, view::int(1), view::int(2)).view());
    let tensor = |content| t.tensor_of_four(FLOAT32, &[2, 2], content);
    let pairs = [
        (variable(), variable()),
        (tensor([1, 2, 3, 4])?, tensor([1, 2, 3, 5])?),
        (tensor([1, 2, 3, 4])?, tensor([1, 2, 3, 4])?),
        (Value::Int(1).build(t)?, Value::Int(2).build(t)?),
    ];
    for (lhs, rhs) in &pairs {
        let mut held = vec![(t.call_global("ffi.Array", &[lhs.any()])?, t.call_global("ffi.Array", &[rhs.any()])?)];
        held.push((
            t.call_global("ffi.List", &[lhs.any(), rhs.any()])?,
            t.call_global("ffi.List", &[rhs.any(), lhs.any()])?,
        ));
        let held = held
            .iter()
            .map(|(lhs, rhs)| (lhs.any(), rhs.any()))
            .chain([(lhs.any(), rhs.any()), (lhs.any(), lhs.any())]);
        for (lhs, rhs) in held {
            for flags in [[false, false], [false, true], [true, false], [true, true]] {
                let args = [lhs, rhs, view::bool(flags[0]), view::bool(flags[1])];
                let equal = t.call_global("ffi.StructuralEqual", &args)?.any().payload() != 0;
                let mismatch = t.call_global("ffi.GetFirstStructuralMismatch", &args)?;
                let what = format!("whether values of type {} have no mismatch, with flags {flags:?}", lhs.type_index);
                t.eq(what, mismatch.any().type_index == kTVMFFINone, equal)?;
            }
        }
    }
    Ok(())
}
