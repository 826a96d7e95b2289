//! Global functions that make and change containers.

use tvm_ffi_spec::*;

use super::{
    function_call::FunctionCall,
    kit::{LONG, PASSING, Shortage},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, view},
    trial::Trial,
};

/// A container, a Shape, a String or Bytes that a global function makes is made, or the call fails and keeps nothing, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_containers(t: &Trial) -> Verdict {
    made(t, PASSING)
}

/// A List that is to be changed holds what it held where the change fails for want of memory, and what it is to hold where it does not.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn changes_lists(t: &Trial) -> Verdict {
    lists(t, PASSING)
}

/// A Dict that is to be changed holds what it held where the change fails for want of memory, and what it is to hold where it does not.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn changes_dicts(t: &Trial) -> Verdict {
    dicts(t, PASSING)
}

/// A container is looked through, or the call fails, where memory is refused, and what is in it stays.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn reads_containers(t: &Trial) -> Verdict {
    read(t, PASSING)
}

/// Calls a function with one container after the other, and with other arguments.
fn each(t: &Trial, shortage: Shortage, name: &str, container: (&str, &[i64]), others: &[TVMFFIAny]) -> Verdict {
    let (kind, sizes) = container;
    if globals::find(t, kind)?.is_none() {
        return Ok(());
    }
    for &size in sizes {
        let args = &|| {
            let others = others.iter().map(|any| t.own(*any));
            Ok([container_of(t, kind, size)?].into_iter().chain(others).collect())
        };
        FunctionCall::new(name, args).meets(t, shortage)?;
    }
    Ok(())
}

/// A container of so many integers.
fn container_of(t: &Trial, kind: &str, size: i64) -> Verdict<Owned> {
    holding(t, kind, (0..size).map(view::int))
}

/// A container of these, in a map each with itself.
fn holding(t: &Trial, kind: &str, items: impl Iterator<Item = TVMFFIAny>) -> Verdict<Owned> {
    let each = if matches!(kind, "ffi.Map" | "ffi.Dict") { 2 } else { 1 };
    t.call_global(kind, &items.flat_map(|item| std::iter::repeat_n(item, each)).collect::<Vec<_>>())
}

/// Containers of several sizes, and what else is made of values.
pub(super) fn made(t: &Trial, shortage: Shortage) -> Verdict {
    let raw = || t.own(view::c_str(LONG));
    let object = || t.string(b"a text of an object that its caller holds");
    // Each key with a text that has to be copied, or one that others hold.
    let texts = |count: i64| -> Verdict<Vec<Owned>> {
        let each = |item| Ok([t.own(view::int(item)), if item % 2 == 0 { raw() } else { object()? }]);
        Ok((0..count).map(each).collect::<Verdict<Vec<_>>>()?.into_iter().flatten().collect())
    };
    for count in [2, 20] {
        for name in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            FunctionCall::new(name, &|| texts(count)).meets(t, shortage)?;
        }
    }
    FunctionCall::new("ffi.Shape", &|| Ok([1, 2, 3].map(|extent| t.own(view::int(extent))).into()))
        .meets(t, shortage)?;
    FunctionCall::new("ffi.String", &|| Ok(vec![raw()])).meets(t, shortage)?;
    FunctionCall::new("ffi.Bytes", &|| Ok(vec![t.bytes(LONG.to_bytes())?])).meets(t, shortage)?;
    FunctionCall::new("ffi.VisitInterrupt", &|| Ok(vec![object()?])).meets(t, shortage)
}

/// Changes of a List.
pub(super) fn lists(t: &Trial, shortage: Shortage) -> Verdict {
    let (int, long) = (view::int, view::c_str(LONG));
    for (name, others) in [
        ("ffi.ListAppend", &[long][..]),
        ("ffi.ListInsert", &[int(3), int(-1)]),
        ("ffi.ListInsert", &[int(0), long]),
        ("ffi.ListSetItem", &[int(3), long]),
        ("ffi.ListPop", &[int(2)]),
        ("ffi.ListErase", &[int(2)]),
        ("ffi.ListEraseRange", &[int(1), int(4)]),
        ("ffi.ListReverse", &[]),
        ("ffi.ListReserve", &[int(100)]),
        ("ffi.ListClear", &[]),
    ] {
        each(t, shortage, name, ("ffi.List", &[4, 16]), others)?;
    }
    // What is put into its place is longer, shorter, and put where nothing is taken out.
    for (size, first, last) in [(40, 2, 12), (2, 2, 12), (5, 3, 3)] {
        for kind in ["ffi.Array", "ffi.List"] {
            let args = &|| {
                let (list, others) = (container_of(t, "ffi.List", 16)?, container_of(t, kind, size)?);
                Ok(vec![list, t.own(int(first)), t.own(int(last)), others])
            };
            FunctionCall::new("ffi.ListReplaceSlice", args).meets(t, shortage)?;
        }
    }
    Ok(())
}

/// Changes of a Dict.
pub(super) fn dicts(t: &Trial, shortage: Shortage) -> Verdict {
    // The largest that lies in one block, one that has to grow, and one that has not.
    const SIZES: &[i64] = &[0, 4, 31, 40];
    let (int, long) = (view::int, view::c_str(LONG));
    for (name, others) in [
        ("ffi.DictSetItem", &[int(100), int(1)][..]),
        ("ffi.DictSetItem", &[long, int(1)]),
        ("ffi.DictSetItem", &[int(2), long]),
        ("ffi.DictErase", &[int(2)]),
        ("ffi.DictClear", &[]),
    ] {
        let sizes = if name == "ffi.DictErase" { &SIZES[1..] } else { SIZES };
        each(t, shortage, name, ("ffi.Dict", sizes), others)?;
    }
    Ok(())
}

/// Reading: what is there, and what is not.
pub(super) fn read(t: &Trial, shortage: Shortage) -> Verdict {
    let (int, long) = (view::int, view::c_str(LONG));
    let (there, missing) = (view::c_str(c"a text that is the last one of a container"), long);
    for (kind, name, others) in [
        ("ffi.Array", "ffi.ArrayGetItem", &[&[int(1)][..]][..]),
        ("ffi.Array", "ffi.ArrayContains", &[&[there], &[missing]]),
        ("ffi.Array", "ffi.ContainerFindFirstNonCPUDevice", &[&[]]),
        ("ffi.List", "ffi.ListGetItem", &[&[int(1)]]),
        ("ffi.List", "ffi.ListContains", &[&[there], &[missing]]),
        ("ffi.Map", "ffi.MapGetItem", &[&[int(1)], &[there]]),
        ("ffi.Map", "ffi.MapGetItemOrMissing", &[&[there], &[missing]]),
        ("ffi.Map", "ffi.MapCount", &[&[there], &[missing]]),
        ("ffi.Map", "ffi.MapForwardIterFunctor", &[&[]]),
        ("ffi.Dict", "ffi.DictGetItem", &[&[int(1)], &[there]]),
        ("ffi.Dict", "ffi.DictGetItemOrMissing", &[&[there], &[missing]]),
        ("ffi.Dict", "ffi.DictCount", &[&[there], &[missing]]),
        ("ffi.Dict", "ffi.DictForwardIterFunctor", &[&[]]),
    ] {
        if globals::find(t, kind)?.is_none() {
            continue;
        }
        for (count, others) in [1, 20].into_iter().flat_map(|count| others.iter().map(move |others| (count, *others))) {
            let args = || {
                let container = holding(t, kind, (0..=count).map(int).chain([there]))?;
                Ok([container].into_iter().chain(others.iter().map(|any| t.own(*any))).collect())
            };
            FunctionCall::new(name, &args).meets(t, shortage)?;
        }
    }
    Ok(())
}
