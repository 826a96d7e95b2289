//! Containers that a client has made, read through every function that takes one, beside the library's own.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::client::{self, Container, remember_buffer},
        globals, homemade, view,
    },
    trial::Trial,
};

/// An Array or a List that a client has made, with its elements behind it or in a buffer of its own, is read as the library's own with the
/// same elements is, by every function that takes one.
#[check(ARR_0019, LST_0029)]
fn sequences_are_read_alike(t: &Trial) -> Verdict {
    let text = t.string(b"a text that is not short")?;
    let inner = t.call_global("ffi.Array", &[view::int(1), text.any()])?;
    let kinds = [view::int(4), text.any(), view::float(0.5), inner.any(), view::bool(true)];
    let ints = [5, 4, 3, 2, 1].map(view::int);
    let absent = view::c_str(c"a text that is nowhere in it");
    for (make, elements) in ["ffi.Array", "ffi.List"].into_iter().flat_map(|make| [(make, &kinds), (make, &ints)]) {
        if globals::find(t, make)?.is_none() {
            continue;
        }
        let (kind, clause) =
            if make == "ffi.Array" { (kTVMFFIArray, id::ARR_0019) } else { (kTVMFFIList, id::LST_0029) };
        t.clause(clause);
        for (len, room) in [(0, 0), (0, 3), (1, 0), (1, 4), (2, 0), (5, 0), (5, 3)] {
            let elements = &elements[..len];
            let own = [t.call_global(make, elements)?, t.call_global(make, elements)?];
            let mut made = vec![client::sequence_outside(kind, elements, len + room, remember_buffer)];
            if kind == kTVMFFIArray {
                made.push(client::array(elements, len + room));
            }
            for clients in made {
                let sought = elements.iter().chain([&absent]);
                let calls = sequence_calls(make, len, &sought.copied().collect::<Vec<_>>());
                read_alike(t, &own, &clients, &calls)?;
                homemade::release(clients.handle());
                t.ended_once("calls of the client's deleter", &clients)?;
            }
        }
    }
    Ok(())
}

/// What lies in the cells of an Array or a List behind its last element is no element, be it a value of any kind or another of an element that it
/// has: every function that takes one answers as for one without such cells.
#[check(ARR_0020, LST_0029)]
fn rests_are_no_elements(t: &Trial) -> Verdict {
    let elements = [view::int(4), view::float(0.5)];
    for (number, sample) in t.samples()?.into_iter().enumerate() {
        for make in ["ffi.Array", "ffi.List"] {
            if globals::find(t, make)?.is_none() {
                continue;
            }
            let (kind, clause) =
                if make == "ffi.Array" { (kTVMFFIArray, id::ARR_0020) } else { (kTVMFFIList, id::LST_0029) };
            t.clause(clause);
            let len = number % (elements.len() + 1);
            let elements = &elements[..len];
            let rests = [sample.any(), elements.first().copied().unwrap_or(sample.any())];
            let own = [t.call_global(make, elements)?, t.call_global(make, elements)?];
            let clients = client::sequence_outside(kind, elements, len + 2 * rests.len(), remember_buffer);
            client::leave_rests(clients.handle(), &rests);
            let calls = sequence_calls(make, len, &rests);
            read_alike(t, &own, &clients, &calls)
                .map_err(|failure| failure.noting(format!("behind the elements lies {}", sample.name)))?;
            homemade::release(clients.handle());
        }
    }
    Ok(())
}

/// The functions that read a sequence, each with what comes behind it.
fn sequence_calls(make: &str, len: usize, sought: &[TVMFFIAny]) -> Vec<(String, Vec<TVMFFIAny>)> {
    let mut calls = vec![(format!("{make}Size"), vec![])];
    calls.extend((0..=len as i64).map(|index| (format!("{make}GetItem"), vec![view::int(index)])));
    calls.extend(sought.iter().map(|value| (format!("{make}Contains"), vec![*value])));
    calls
}

/// Expects a client's container to be read as the library's own is, by these functions and by those that take any value: by itself, beside the
/// library's own, and within another container. The library's own are two that are alike.
fn read_alike(t: &Trial, own: &[Owned; 2], clients: &Container, calls: &[(String, Vec<TVMFFIAny>)]) -> Verdict {
    let (no, none) = (view::bool(false), TVMFFIAny::NONE);
    let ([own, twin], clients) = (own.each_ref().map(Owned::any), clients.view());
    let agree = |name: &str, [one, other]: [&[TVMFFIAny]; 2]| -> Verdict {
        if globals::find(t, name)?.is_none() {
            return Ok(());
        }
        let expected = t.come_to(t.answer(name, one)?)?;
        let got = t.come_to(t.answer(name, other)?)?;
        t.eq(format_args!("what {name} comes to for the client's {other:?}"), got, expected)
    };
    for (name, behind) in calls {
        agree(name, [own, clients].map(|value| [&[value], &behind[..]].concat()).each_ref().map(|args| &args[..]))?;
    }
    let any: [(&str, &[TVMFFIAny]); 7] = [
        ("ffi.ReprPrint", &[]),
        ("ffi.RecursiveHash", &[]),
        ("ffi.StructuralHash", &[no, no]),
        ("ffi.DeepCopy", &[]),
        ("ffi.ToJSONGraphString", &[none]),
        ("ffi.ToJSONGraph", &[none]),
        ("ffi.json.Stringify", &[none]),
    ];
    let within = |value| t.call_global("ffi.Array", &[view::int(7), value]);
    let inner = [within(own)?, within(twin)?, within(clients)?];
    for [one, twin, other] in [[own, twin, clients], inner.each_ref().map(Owned::any)] {
        for (name, behind) in any {
            agree(name, [one, other].map(|value| [&[value], behind].concat()).each_ref().map(|args| &args[..]))?;
        }
        for name in ["Eq", "Lt", "Le", "Gt", "Ge"].map(|order| format!("ffi.Recursive{order}")) {
            agree(&name, [&[one, twin], &[one, other]])?;
            agree(&name, [&[twin, one], &[other, one]])?;
        }
        for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
            agree(name, [&[one, twin, no, no], &[one, other, no, no]])?;
            agree(name, [&[twin, one, no, no], &[other, one, no, no]])?;
        }
    }
    replaces_alike(t, own, clients)
}

/// Expects `ffi.ListReplaceSlice` to take a client's container as it takes the library's own.
fn replaces_alike(t: &Trial, own: TVMFFIAny, clients: TVMFFIAny) -> Verdict {
    if globals::find(t, "ffi.ListReplaceSlice")?.is_none() {
        return Ok(());
    }
    let after = |replacement: TVMFFIAny| -> Verdict<_> {
        let list = t.sequence_of_ints("ffi.List", &[1, 2, 3])?;
        let taken = t.answer("ffi.ListReplaceSlice", &[list.any(), view::int(1), view::int(2), replacement])?.is_ok();
        Ok((taken, t.outline(&list.any(), &[])?.text))
    };
    t.eq("a List in which it was put in the place of an element", after(clients)?, after(own)?)
}
