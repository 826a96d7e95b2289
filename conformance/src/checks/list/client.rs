//! Lists whose buffers clients replace or that clients have made, and which the library then goes on with.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            client::{self, GRAFFITI, all_buffer_ends, ends_of},
            retain,
        },
        globals,
        homemade::{self, Homemade},
        reentry::{CHANGES, change_container},
        view,
    },
    trial::Trial,
};

/// A List uses the buffers that a client gives it when it is full, and its `data_deleter` ends them.
#[check(LST_0028)]
fn client_grows(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    for value in 0..20 {
        client::append_to_list(list.handle(), view::int(value));
        t.eq("ffi.ListSize after a client has appended", t.call_int("ffi.ListSize", &[list.any()])?, value + 2)?;
        let last = t.call_global("ffi.ListGetItem", &[list.any(), view::int(value + 1)])?;
        t.any_eq("the element that a client has appended", &last.any(), &view::int(value))?;
    }
    // The library ends a buffer of the client's when the List grows, and the client one of the library's.
    for _ in 0..40 {
        t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
        client::append_to_list(list.handle(), retain(&object.view()));
    }
    t.global_answers("ffi.ListSize", &[list.any()], 101)?;
    t.sequence(list.handle())?;
    t.eq("strong count of the element", object.counts().0, 82)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 1)
}

/// A List that was made empty uses the first buffer that a client gives it.
#[check(LST_0028)]
fn client_grows_empty(t: &Trial) -> Verdict {
    let list = ints(t, &[])?;
    client::append_to_list(list.handle(), view::int(1));
    t.holds_ints(list.handle(), &[1])?;
    t.call_void("ffi.ListAppend", &[list.any(), view::int(2)])?;
    t.holds_ints(list.handle(), &[1, 2])
}

/// Buffers that a client gave to a List are freed when the List has outgrown them or ended.
#[check(LST_0028, patient = 2)]
fn no_growth_client(t: &Trial) -> Verdict {
    let [make, append] = t.globals(["ffi.List", "ffi.ListAppend"])?;
    t.no_growth("memory of Lists that a client has grown", || {
        let list = t.call(&make, &[view::int(1)])?;
        client::append_to_list(list.handle(), view::int(2));
        client::append_to_list(list.handle(), view::int(3));
        t.call(&append, &[list.any(), view::int(4)])?;
        t.call(&append, &[list.any(), view::int(5)])?;
        client::append_to_list(list.handle(), view::int(6));
        Ok(())
    })
}

/// A buffer that a client gave to a List is freed when the List ends, or when the client gives it another, with whatever content the List was made and
/// whatever room it had.
#[check(LST_0028, patient = 2)]
fn no_growth_when_ended_with_the_clients_buffer(t: &Trial) -> Verdict {
    let [make, append] = t.globals(["ffi.List", "ffi.ListAppend"])?;
    let items: Vec<_> = (0..9).map(view::int).collect();
    for (given, appended, times) in
        [(0, 0, 1), (1, 0, 1), (3, 0, 2), (9, 0, 1), (0, 1, 1), (0, 5, 2), (1, 9, 1), (3, 1, 2)]
    {
        let what = format!(
            "memory of Lists of {given}, to which {appended} were appended before a client has grown them {times} times"
        );
        t.no_growth(what, || {
            let list = t.call(&make, &items[..given])?;
            (0..appended).try_for_each(|at| t.call(&append, &[list.any(), view::int(at)]).map(drop))?;
            for _ in 0..times {
                let before = t.sequence(list.handle())?.cell.data;
                while t.sequence(list.handle())?.cell.data == before {
                    client::append_to_list(list.handle(), view::int(7));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// A List that a client has made is read and changed like one of the library's own, and still ended by its own deleter.
#[check(LST_0029)]
fn client_list(t: &Trial) -> Verdict {
    let list = client::list(&[view::int(1), view::int(2), view::int(3)], 8);
    t.global_answers("ffi.ListSize", &[list.view()], 3)?;
    t.call_void("ffi.ListAppend", &[list.view(), view::int(4)])?;
    t.call_void("ffi.ListInsert", &[list.view(), view::int(0), view::int(0)])?;
    t.call_void("ffi.ListErase", &[list.view(), view::int(2)])?;
    t.call_void("ffi.ListReverse", &[list.view()])?;
    t.holds_ints(list.handle(), &[4, 3, 1, 0])?;
    t.eq("counts of the List", list.counts(), (1, 1))?;
    homemade::release(list.handle());
    t.ended_once("calls of the client's deleter", &list)
}

/// A List that a client has made ends once, by the client's deleter, when the library drops the last reference.
#[check(LST_0029)]
fn client_list_released(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = client::list(&[object.view()], 2);
    let buffer = t.sequence(list.handle())?.cell.data;
    let holder = t.call_global("ffi.List", &[list.view()])?;
    homemade::release(list.handle());
    t.eq("ends of the List while another one holds it", list.ends(), vec![])?;
    drop(holder);
    t.ended_once("calls of the client's deleter", &list)?;
    t.eq("ends of the buffer", ends_of(buffer), 1)?;
    t.eq("strong count of the element", object.counts().0, 1)
}

/// A List that a client has made has its old buffer ended once, by its `data_deleter`, when it grows.
#[check(LST_0030)]
fn client_list_grows(t: &Trial) -> Verdict {
    type Grow<'a> = (&'a str, &'a dyn Fn(&TVMFFIAny) -> Verdict);
    let more = t.call_global("ffi.Array", &(2..30).map(view::int).collect::<Vec<_>>())?;
    let ways: [Grow; 4] = [
        ("ffi.ListAppend", &|list| {
            (3..30).try_for_each(|value| t.call_void("ffi.ListAppend", &[*list, view::int(value)]))
        }),
        ("ffi.ListInsert", &|list| {
            (3..30).try_for_each(|value| t.call_void("ffi.ListInsert", &[*list, view::int(1), view::int(value)]))
        }),
        ("ffi.ListReserve", &|list| t.call_void("ffi.ListReserve", &[*list, view::int(100)])),
        ("ffi.ListReplaceSlice", &|list| {
            t.call_void("ffi.ListReplaceSlice", &[*list, view::int(1), view::int(2), more.any()])
        }),
    ];
    for (name, grow) in ways {
        if globals::find(t, name)?.is_none() {
            continue;
        }
        let object = Homemade::new(kTVMFFIObject, ());
        let list = client::list(&[object.view(), view::int(2)], 2);
        let first = t.sequence(list.handle())?.cell.data;
        grow(&list.view())?;
        t.any_eq(format_args!("element 0 after {name}"), &t.element(list.handle(), 0)?, &object.view())?;
        t.eq(format_args!("strong count of element 0 after {name}"), object.counts().0, 2)?;
        t.eq(format_args!("ends of the client's buffer after {name}"), ends_of(first), 1)?;
        homemade::release(list.handle());
        t.eq("ends of the client's buffer after the List", ends_of(first), 1)?;
        t.eq("strong count of element 0 after the List", object.counts().0, 1)?;
    }
    Ok(())
}

/// The `data_deleter` of a List that a client has made ends the client's buffer and no other, however and how often the List grows.
#[check(LST_0030, LST_0029)]
fn client_deleter_ends_no_other(t: &Trial) -> Verdict {
    let mut ways = vec!["ffi.ListAppend", "ffi.ListInsert", "ffi.ListReplaceSlice"];
    if globals::find(t, "ffi.ListReserve")?.is_some() {
        ways.push("ffi.ListReserve");
    }
    for (size, capacity) in [(0, 0), (0, 2), (1, 1), (1, 2), (2, 2), (4, 4), (3, 8)] {
        for (first, times) in (0..ways.len()).flat_map(|first| [1, 2, 5].map(|times| (first, times))) {
            for turn in [false, true] {
                let object = Homemade::new(kTVMFFIObject, ());
                let before = all_buffer_ends();
                let list = client::list(&vec![object.view(); size], capacity);
                let buffer = t.sequence(list.handle())?.cell.data;
                for time in 0..times {
                    let way = ways[(first + if turn { time } else { 0 }) % ways.len()];
                    outgrow(t, way, &list.view())?;
                    let what = format!("of a List of {size} in {capacity} cells, grown {time} times before {way}");
                    // Whether a buffer without a cell is one that has to be ended when the List grows is left open.
                    let ends = ends_of(buffer);
                    t.that(
                        format_args!("ends of the buffer {what}"),
                        ends == 1 || capacity == 0 && ends == 0,
                        1,
                        ends,
                    )?;
                    t.eq(format_args!("ends of all buffers {what}"), all_buffer_ends() - before, ends)?;
                    t.eq(format_args!("strong count {what}"), object.counts().0 as usize, 1 + size)?;
                }
                let ends = ends_of(buffer);
                t.clause(id::LST_0029);
                homemade::release(list.handle());
                t.ended_once("calls of the List's own deleter", &list)?;
                t.eq("strong count of the elements after the List", object.counts().0, 1)?;
                t.clause(id::LST_0030);
                t.eq("ends of all buffers after the List", all_buffer_ends() - before, ends)?;
            }
        }
    }
    Ok(())
}

/// Has a List need more cells than it has.
fn outgrow(t: &Trial, way: &str, list: &TVMFFIAny) -> Verdict {
    let TVMFFISeqCell { size, capacity, .. } = t.sequence(list.payload() as TVMFFIObjectHandle)?.cell;
    let missing = capacity - size + 1;
    match way {
        "ffi.ListAppend" => (0..missing).try_for_each(|value| t.call_void(way, &[*list, view::int(value)])),
        "ffi.ListInsert" => {
            (0..missing).try_for_each(|value| t.call_void(way, &[*list, view::int(0), view::int(value)]))
        }
        "ffi.ListReserve" => t.call_void(way, &[*list, view::int(capacity + 1)]),
        _ => {
            let more = ints(t, &vec![7; missing as usize])?;
            t.call_void(way, &[*list, view::int(0), view::int(0), more.any()])
        }
    }
}

// ---- deleters of buffers that change the List ------------------------------------------------------------------------

/// The List whose buffer's end changes it, once.
static LIST: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// In which way, and what is put in.
static WAY: AtomicUsize = AtomicUsize::new(0);
static PUT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// How many cells the buffer has, and how often it was ended.
static CELLS: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// The end of a client's buffer, in which no value is left.
unsafe extern "C" fn end_with_change(buffer: *mut c_void) {
    if buffer.is_null() {
        return;
    }
    ENDED.fetch_add(1, Ordering::AcqRel);
    let cells: *mut TVMFFIAny = buffer.cast();
    for at in 0..CELLS.swap(0, Ordering::AcqRel) {
        // SAFETY: the buffer has so many cells, and they are nobody's but the client's from now on.
        unsafe { cells.wrapping_add(at).write(GRAFFITI) };
    }
    let list = LIST.swap(null_mut(), Ordering::AcqRel);
    if !list.is_null() {
        let put = TVMFFIAny::new(kTVMFFIObject, PUT.load(Ordering::Acquire) as u64);
        change_container(&TVMFFIAny::new(kTVMFFIList, list as u64), WAY.load(Ordering::Acquire), put);
    }
}

/// The `data_deleter` of a client's List may put elements into the List and take them out when it ends the old buffer: what was to be
/// put in then is there as well, or is refused where elements were taken out, and nothing is lost or held too often.
#[check(HOK_0021, LST_0021, LST_0030, patient = 2)]
fn deleter_changes_the_list(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    for (size, way) in [1, 2, 4, 8].into_iter().flat_map(|size| (0..CHANGES).map(move |way| (size, way))) {
        let new = Homemade::new(kTVMFFIObject, ());
        let slice = |len: usize| t.call_global("ffi.List", &vec![new.view(); len]);
        let (two, more) = (slice(2)?, slice(size + 2)?);
        let (front, end) = (view::int(0), view::int(size as i64));
        let mut doors = vec![
            ("ffi.ListAppend", vec![new.view()], Some(1)),
            ("ffi.ListInsert", vec![front, new.view()], Some(1)),
            ("ffi.ListInsert", vec![view::int(size as i64 - 1), new.view()], Some(1)),
            ("ffi.ListInsert", vec![end, new.view()], Some(1)),
            ("ffi.ListReplaceSlice", vec![front, front, two.any()], Some(2)),
            ("ffi.ListReplaceSlice", vec![end, end, two.any()], Some(2)),
            // What a range means in a List that has changed is left open.
            ("ffi.ListReplaceSlice", vec![front, end, more.any()], None),
        ];
        if globals::find(t, "ffi.ListReserve")?.is_some() {
            doors.push(("ffi.ListReserve", vec![view::int(100)], Some(0)));
        }
        // The two Lists hold the object, and so does the check.
        let held = 1 + 2 + size + 2;
        for (door, args, added) in doors {
            let what = format!("{door} {args:?} of a full List of {size}, whose buffer's end changes it in way {way}");
            changed_meanwhile(t, (door, args, added), size, way, (&new, held))
                .map_err(|failure| failure.noting(&what))?;
        }
    }
    Ok(())
}

/// Calls a function that has a full List grow, whose buffer's end changes it, and looks at what became of it all. Apart from the List there
/// are `held` references to the object that the function puts in so often, if that is laid down.
fn changed_meanwhile(
    t: &Trial,
    (door, args, added): (&str, Vec<TVMFFIAny>, Option<usize>),
    size: usize,
    way: usize,
    (new, held): (&Homemade, usize),
) -> Verdict {
    let (base, put) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let list = client::sequence_outside(kTVMFFIList, &vec![base.view(); size], size, end_with_change);
    ENDED.store(0, Ordering::Release);
    CELLS.store(size, Ordering::Release);
    WAY.store(way, Ordering::Release);
    PUT.store(put.handle(), Ordering::Release);
    LIST.store(list.handle(), Ordering::Release);
    t.clause(id::HOK_0021);
    let refused = t.answer(door, &[vec![list.view()], args].concat())?.err();
    let has_changed = LIST.swap(null_mut(), Ordering::AcqRel).is_null();
    t.library_was_usable("at the end of a buffer")?;

    let items = t.sequence(list.handle())?.items;
    let count = |object: &Homemade| items.iter().filter(|item| item.payload() == object.handle() as u64).count();
    let (bases, puts, news) = (count(&base), count(&put), count(new));
    t.eq("number of elements that nobody put in", items.len() - bases - puts - news, 0)?;
    // What the change alone comes to: how many of the first elements stay, and how many are put in.
    let (stay, come) = match way {
        _ if !has_changed => (size, 0),
        0 | 1 => (size, 1),
        2 => (size - 1, 1),
        3 => (size - 1, 0),
        4 => (0, 0),
        _ => (size, 40),
    };
    let takes_out = has_changed && matches!(way, 3 | 4);
    if let Some(raised) = refused {
        let got = format!("{}: {}", raised.kind, raised.message);
        t.that("the call, in a List from which nothing was taken out", takes_out, "success", got)?;
        t.eq("elements of each kind after a call that failed", (bases, puts, news), (stay, come, 0))?;
    } else if let Some(added) = added {
        // The change may come after what is put in, and take that out.
        let least = if has_changed && (2..=4).contains(&way) { 0 } else { added };
        t.that("elements that were to be put in", (least..=added).contains(&news), added, news)?;
        t.eq("elements that the change has put in", puts, come)?;
        let all = stay + come + added;
        let emptied = has_changed && way == 4 && items.is_empty();
        t.that("number of elements", items.len() == all || emptied, all, items.len())?;
    }
    t.clause(id::LST_0021);
    let strong = |object: &Homemade| object.counts().0 as usize;
    t.eq("strong count of the first elements", strong(&base), 1 + bases)?;
    t.eq("strong count of what the change has put in", strong(&put), 1 + puts)?;
    t.eq("strong count of what was to be put in", strong(new), held + news)?;
    t.eq("counts of the List", list.counts(), (1, 1))?;
    homemade::release(list.handle());
    t.ended_once("calls of the List's own deleter", &list)?;
    t.eq("strong counts after the List", [strong(&base), strong(&put), strong(new)], [1, 1, held])?;
    t.clause(id::LST_0030);
    t.eq("ends of the client's buffer", ENDED.load(Ordering::Acquire), 1)
}

/// The functions of a List neither read nor release what lies in cells past the last element.
#[check(LST_0031)]
fn not_past_size(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = client::list(&[object.view(), view::int(1)], 12);
    t.eq("whether it contains a text", t.call_int("ffi.ListContains", &[list.view(), view::c_str(c"long text")])?, 0)?;
    for index in [2, 11, 12] {
        t.refuses("ffi.ListGetItem", &[list.view(), view::int(index)], &["IndexError"])?;
    }
    // An unused cell holds no value that could be released.
    t.call_void("ffi.ListAppend", &[list.view(), object.view()])?;
    t.call_void("ffi.ListInsert", &[list.view(), view::int(1), object.view()])?;
    let replacement = t.call_global("ffi.List", &[object.view(), object.view(), object.view()])?;
    t.call_void("ffi.ListReplaceSlice", &[list.view(), view::int(0), view::int(1), replacement.any()])?;
    t.eq("number of elements", t.sequence(list.handle())?.items.len(), 6)?;
    t.call_void("ffi.ListErase", &[list.view(), view::int(0)])?;
    t.call_void("ffi.ListClear", &[list.view()])?;
    drop(replacement);
    t.eq("strong count in the end", object.counts().0, 1)
}
