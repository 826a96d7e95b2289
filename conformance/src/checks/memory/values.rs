//! Global functions that go through all of a value.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use super::{
    function_call::FunctionCall,
    kit::{LONG, PASSING, Shortage},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, callback::Body, containers::retain, globals, view},
    trial::Trial,
};

/// A value that is compared, hashed, copied or printed stays as it is where that fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn goes_through_values(t: &Trial) -> Verdict {
    walks(t, PASSING)
}

/// A value that is written as JSON or as a graph, or read from one, is what it is without a shortage, or nothing is kept of it, where memory
/// is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn writes_and_reads_values(t: &Trial) -> Verdict {
    texts(t, PASSING)
}

/// A value that is visited, mapped or mutated with callbacks stays as it is where that fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn visits_values(t: &Trial) -> Verdict {
    visits(t, PASSING)
}

/// The names of the functions that are looked up and handed out are there as before where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn lists_names(t: &Trial) -> Verdict {
    names(t, PASSING)
}

/// A value with every kind of container in it, several levels of them, texts and Bytes.
fn whole(t: &Trial) -> Verdict<Owned> {
    let (int, long) = (view::int, view::c_str(LONG));
    let numbers: Vec<_> = (0..16).map(int).collect();
    let pairs: Vec<_> = (0..24).flat_map(|item| [int(item), int(item)]).collect();
    let kinds = ["ffi.List", "ffi.Dict"].into_iter().filter_map(|kind| globals::find(t, kind).transpose());
    let mut parts = vec![t.call_global("ffi.Array", &numbers)?, t.call_global("ffi.Map", &pairs)?];
    for kind in kinds {
        parts.push(t.call(&kind?, &pairs)?);
    }
    let inner = t.call_global(
        "ffi.Map",
        &[view::c_str(c"a key that is too long to lie in a value"), parts[0].any(), view::c_str(c"short"), long],
    )?;
    let views: Vec<_> = parts.iter().map(Owned::any).chain([inner.any(), long, view::float(2.5)]).collect();
    t.call_global("ffi.Array", &views)
}

/// Comparing, hashing, copying, printing.
pub(super) fn walks(t: &Trial, shortage: Shortage) -> Verdict {
    let no = || t.own(view::bool(false));
    let two = |more: usize| -> Verdict<Vec<Owned>> {
        Ok([whole(t)?, whole(t)?].into_iter().chain((0..more).map(|_| no())).collect())
    };
    for name in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveGe"] {
        FunctionCall::new(name, &|| two(0)).meets(t, shortage)?;
    }
    for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
        FunctionCall::new(name, &|| two(2)).meets(t, shortage)?;
    }
    FunctionCall::new("ffi.GetFirstStructuralMismatch", &|| {
        Ok(vec![whole(t)?, t.call_global("ffi.Array", &[])?, no(), no()])
    })
    .meets(t, shortage)?;
    FunctionCall::new("ffi.StructuralHash", &|| Ok(vec![whole(t)?, no(), no()])).meets(t, shortage)?;
    for name in ["ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint", "ffi.StructuralKey"] {
        FunctionCall::new(name, &|| Ok(vec![whole(t)?])).meets(t, shortage)?;
    }
    Ok(())
}

/// JSON and graphs.
pub(super) fn texts(t: &Trial, shortage: Shortage) -> Verdict {
    const TEXT: &[u8] = br#"{"a key that is too long to lie in a value": [1, 2.5, null, true, "\u00e9 and so on, far too long"], "b": {"c": []}}"#;
    let none = || t.own(TVMFFIAny::NONE);
    FunctionCall::new("ffi.json.Parse", &|| Ok(vec![t.string(TEXT)?])).meets(t, shortage)?;
    FunctionCall::new("ffi.json.Stringify", &|| {
        Ok(vec![t.call_global("ffi.json.Parse", &[t.string(TEXT)?.any()])?, none()])
    })
    .meets(t, shortage)?;
    graphs(t, shortage, &|| whole(t))
}

/// A value that is written as a graph, both ways, and read again.
pub(super) fn graphs(t: &Trial, shortage: Shortage, value: &dyn Fn() -> Verdict<Owned>) -> Verdict {
    for (write, read) in
        [("ffi.ToJSONGraph", "ffi.FromJSONGraph"), ("ffi.ToJSONGraphString", "ffi.FromJSONGraphString")]
    {
        if globals::find(t, write)?.is_none() || globals::find(t, read)?.is_none() {
            continue;
        }
        FunctionCall::new(write, &|| Ok(vec![value()?, t.own(TVMFFIAny::NONE)])).meets(t, shortage)?;
        let graph = || t.call_global(write, &[value()?.any(), TVMFFIAny::NONE]);
        FunctionCall::new(read, &|| Ok(vec![graph()?])).meets(t, shortage)?;
    }
    Ok(())
}

/// Walks, visits and maps, whose callbacks ask for no memory.
pub(super) fn visits(t: &Trial, shortage: Shortage) -> Verdict {
    // All callbacks in the first list; the second is that of those which are told the region.
    let given = |body: Body, order: i64| -> Verdict<Vec<Owned>> {
        let callback = t.callback(body)?;
        let entry = t.call_global("ffi.Array", &[view::int(-1), callback.any()])?;
        let (plain, told) = (t.call_global("ffi.Array", &[entry.any()])?, t.call_global("ffi.Array", &[])?);
        Ok(vec![whole(t)?, plain, told, t.own(view::int(order))])
    };
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let go_on = |_: &Api, _: &[TVMFFIAny]| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Some(TVMFFIAny::NONE)
    };
    let same = |_: &Api, args: &[TVMFFIAny]| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Some(retain(args.first()?))
    };
    for order in [0, 1] {
        for (name, body) in [("ffi.StructuralWalk", go_on as Body), ("ffi.StructuralMap", same)] {
            if globals::find(t, name)?.is_none() {
                continue;
            }
            let args = || given(body, order);
            let calls = |_: &[Owned]| Ok(CALLS.load(Ordering::Relaxed));
            FunctionCall { measure: &calls, is_undone: false, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
        }
    }
    Ok(())
}

/// Lists of names.
pub(super) fn names(t: &Trial, shortage: Shortage) -> Verdict {
    FunctionCall::new("ffi.FunctionListGlobalNamesFunctor", &|| Ok(Vec::new())).meets(t, shortage)?;
    FunctionCall::new("ffi.GetRegisteredTypeKeys", &|| Ok(Vec::new())).meets(t, shortage)?;
    FunctionCall::new("ffi.GetGlobalFuncMetadata", &|| Ok(vec![t.string(b"ffi.ArraySize")?])).meets(t, shortage)?;
    FunctionCall::new("ffi.SystemLib", &|| Ok(Vec::new())).meets(t, shortage)
}
