//! Containers and what they alone hold: it is set to itself, and its end reads and changes what it was taken out of.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::numbers::up_to,
        homemade::{self, Homemade},
        reentry::{CHANGES, at_the_end_of, change_container, read_container},
        view,
    },
    trial::Trial,
};

// ---- set to what only the container holds ----------------------------------------------------------------------------

/// A key of a Dict may be set to the very value that it has, which only the Dict holds, or to a part of that value.
#[check(DCT_0003)]
fn dict_value_from_itself(t: &Trial) -> Verdict {
    for others in [0, 3, 9] {
        for within in [false, true] {
            let (dict, object) = (t.map_of_ints("ffi.Dict", &up_to(others))?, Homemade::new(kTVMFFIObject, ()));
            let value = held_or_within(t, &object, within)?;
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), value.any()])?;
            drop(value);
            // From now on the Dict alone holds the object.
            homemade::release(object.handle());
            for _ in 0..2 {
                t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), object.view()])?;
                t.eq("counts and ends of the value", (object.counts(), object.ends()), ((1, 1), vec![]))?;
                let found = t.call_global("ffi.DictGetItem", &[dict.any(), view::int(-1)])?;
                t.any_eq("the value of the key", &found.any(), &object.view())?;
                t.global_answers("ffi.DictSize", &[dict.any()], others + 1)?;
            }
            // Under another key, too.
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-2), object.view()])?;
            t.eq("counts of the value of two keys", object.counts(), (2, 1))?;
            drop(dict);
            t.ended_once("ends of the value", &object)?;
        }
    }
    Ok(())
}

/// A key object that only the Dict holds may be what the Dict is asked with, whatever is asked.
#[check(DCT_0003, DCT_0004)]
fn dict_key_from_itself(t: &Trial) -> Verdict {
    for others in [0, 3, 9] {
        let (dict, key) = (t.map_of_ints("ffi.Dict", &up_to(others))?, Homemade::new(kTVMFFIObject, ()));
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), view::int(5)])?;
        homemade::release(key.handle());
        for value in [view::int(6), key.view(), key.view(), view::int(7)] {
            t.clause(id::DCT_0003);
            t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), value])?;
            t.eq("ends of the key", key.ends(), vec![])?;
            t.global_answers("ffi.DictSize", &[dict.any()], others + 1)?;
        }
        t.eq("value of the key", t.call_int("ffi.DictGetItem", &[dict.any(), key.view()])?, 7)?;
        t.eq("counts of the key", key.counts(), (1, 1))?;
        t.clause(id::DCT_0004);
        t.call_void("ffi.DictErase", &[dict.any(), key.view()])?;
        t.ended_once("ends of the key that was erased", &key)?;
        t.maps_ints(dict.handle(), &up_to(others))?;
    }
    Ok(())
}

/// A List may be given the very element that only it holds, or a part of that element, in the same place or another.
#[check(LST_0021, LST_0022)]
fn list_element_from_itself(t: &Trial) -> Verdict {
    for (size, within) in [(1, false), (4, false), (9, false), (1, true), (4, true)] {
        let object = Homemade::new(kTVMFFIObject, ());
        let list = t.call_global("ffi.List", &(1..size).map(view::int).collect::<Vec<_>>())?;
        let value = held_or_within(t, &object, within)?;
        t.call_void("ffi.ListInsert", &[list.any(), view::int(0), value.any()])?;
        drop(value);
        homemade::release(object.handle());
        let alive = |what: &str, strong| {
            t.eq(format_args!("counts and ends after {what}"), (object.counts(), object.ends()), ((strong, 1), vec![]))
        };
        for _ in 0..2 {
            t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), object.view()])?;
            alive("the element was set to itself", 1)?;
        }
        t.call_void("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(size), list.any()])?;
        alive("a List was put in the place of its own elements", 1)?;
        t.global_answers("ffi.ListSize", &[list.any()], size)?;
        // The List grows meanwhile.
        for count in 2..9 {
            t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
            alive("the element was appended", 2 * count - 2)?;
            t.call_void("ffi.ListInsert", &[list.any(), view::int(0), object.view()])?;
            alive("the element was inserted", 2 * count - 1)?;
        }
        t.sequence(list.handle())?;
        t.clause(id::LST_0022);
        drop(list);
        t.ended_once("ends of the element", &object)?;
    }
    Ok(())
}

/// The object, or an Array in which it is.
fn held_or_within(t: &Trial, object: &Homemade, within: bool) -> Verdict<Owned> {
    if within {
        return t.call_global("ffi.Array", &[object.view()]);
    }
    homemade::retain(object.handle());
    Ok(t.own(object.view()))
}

// ---- ends that use the container -------------------------------------------------------------------------------------

/// The container that ends use, and what type it is of.
static CONTAINER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static KIND: AtomicI32 = AtomicI32::new(0);
/// What an end does to it beside reading it: nothing, or one of the ways to change it and one more.
static WAY: AtomicUsize = AtomicUsize::new(0);
/// The object that an end puts into it.
static PUT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// How many elements have ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// The end of an element, whose address is noted there.
unsafe extern "C" fn end_with_use(noted: *mut c_void) {
    // SAFETY: `user` has made the element with the address of such a note, which lasts.
    let element = unsafe { &*noted.cast::<AtomicPtr<c_void>>() };
    at_the_end_of(element.load(Ordering::Acquire), use_container);
}

fn use_container() {
    ENDED.fetch_add(1, Ordering::AcqRel);
    let container = CONTAINER.load(Ordering::Acquire);
    if container.is_null() {
        return;
    }
    let container = TVMFFIAny::new(KIND.load(Ordering::Acquire), container as u64);
    // An element that the change lets go of only reads.
    if let Some(way) = WAY.swap(0, Ordering::AcqRel).checked_sub(1) {
        change_container(&container, way, TVMFFIAny::new(kTVMFFIObject, PUT.load(Ordering::Acquire) as u64));
    }
    read_container(&container);
}

/// An element that a List lets go of may read the List at its end, whatever the List is doing.
#[check(CNT_0011, LST_0035)]
fn list_read_at_an_end(t: &Trial) -> Verdict {
    list_doors(t, 0)
}

/// An element that a List lets go of may change the List at its end: nothing is lost and nothing is released twice.
#[check(CNT_0011, LST_0035, patient = 2)]
fn list_changed_at_an_end(t: &Trial) -> Verdict {
    (1..=CHANGES).try_for_each(|way| list_doors(t, way))
}

/// A key or a value that a Dict lets go of may read the Dict at its end, whatever the Dict is doing.
#[check(CNT_0011, DCT_0034)]
fn dict_read_at_an_end(t: &Trial) -> Verdict {
    dict_doors(t, 0)
}

/// A key or a value that a Dict lets go of may change the Dict at its end: nothing is lost and nothing is released twice.
#[check(CNT_0011, DCT_0034, patient = 2)]
fn dict_changed_at_an_end(t: &Trial) -> Verdict {
    (1..=CHANGES).try_for_each(|way| dict_doors(t, way))
}

/// Has Lists let go of elements that use them, through every function that does so.
fn list_doors(t: &Trial, way: usize) -> Verdict {
    // Of four and eight elements, Lists are full.
    for size in [1, 3, 4, 8, 9] {
        let (last, end) = (view::int(size - 1), view::int(size));
        let mut doors = vec![
            ("ffi.ListSetItem", vec![last, view::int(5)]),
            ("ffi.ListSetItem", vec![view::int(0), view::int(5)]),
            ("ffi.ListErase", vec![last]),
            ("ffi.ListErase", vec![view::int(0)]),
            ("ffi.ListPop", vec![view::int(0)]),
            ("ffi.ListEraseRange", vec![view::int(0), end]),
            ("ffi.ListEraseRange", vec![view::int(0), view::int(1)]),
            ("ffi.ListClear", vec![]),
        ];
        // All elements, one, and those up to the end are replaced by none, by fewer, by as many, and by more.
        let mut slices = Vec::new();
        for (start, stop) in [(0, size), (size / 2, size / 2 + 1), (size / 2, size)] {
            for len in [0, 1, stop - start, stop - start + 2] {
                let slice = t.sequence_of_ints("ffi.List", &vec![5; len as usize])?;
                doors.push(("ffi.ListReplaceSlice", vec![view::int(start), view::int(stop), slice.any()]));
                slices.push(slice);
            }
        }
        for (door, args) in doors {
            let list = t.call_global("ffi.List", &[])?;
            for _ in 0..size {
                t.call_void("ffi.ListAppend", &[list.any(), user(t)?.any()])?;
            }
            let leak = id::LST_0035;
            let_go(t, &list, way, (door, args), size, leak, "ffi.ListClear")?;
        }
    }
    Ok(())
}

/// Has Dicts let go of keys and values that use them, through every function that does so.
fn dict_doors(t: &Trial, way: usize) -> Verdict {
    for size in [1, 3, 9] {
        for (door, args) in [
            ("ffi.DictSetItem", vec![view::int(0), view::int(5)]),
            ("ffi.DictErase", vec![view::int(0)]),
            ("ffi.DictErase", vec![view::int(size - 1)]),
            ("ffi.DictClear", vec![]),
        ] {
            let dict = t.call_global("ffi.Dict", &[])?;
            for key in 0..size {
                t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), user(t)?.any()])?;
            }
            let_go(t, &dict, way, (door, args), size, id::DCT_0034, "ffi.DictClear")?;
        }
        for door in ["ffi.DictErase", "ffi.DictClear"] {
            let (dict, key) = (t.map_of_ints("ffi.Dict", &up_to(size - 1))?, user(t)?);
            let args = if door == "ffi.DictErase" { vec![key.any()] } else { vec![] };
            t.call_void("ffi.DictSetItem", &[dict.any(), key.any(), view::int(1)])?;
            drop(key);
            let_go(t, &dict, way, (door, args), 1, id::DCT_0034, "ffi.DictClear")?;
        }
    }
    Ok(())
}

/// An element whose end uses the container.
fn user(t: &Trial) -> Verdict<Owned> {
    t.serve_reentry()?;
    let noted: &AtomicPtr<c_void> = Box::leak(Box::default());
    let element = t.opaque(std::ptr::from_ref(noted).cast_mut().cast(), end_with_use)?;
    noted.store(element.handle(), Ordering::Release);
    Ok(element)
}

/// Calls a function that has a container let go of some of its `users`, and expects all that was ever in it to be released
/// once when the container has been emptied and has ended.
fn let_go(
    t: &Trial,
    container: &Owned,
    way: usize,
    (door, args): (&str, Vec<TVMFFIAny>),
    users: i64,
    leak: &'static str,
    clear: &str,
) -> Verdict {
    let put = Homemade::new(kTVMFFIObject, ());
    ENDED.store(0, Ordering::Release);
    KIND.store(container.any().type_index, Ordering::Release);
    PUT.store(put.handle(), Ordering::Release);
    WAY.store(way, Ordering::Release);
    CONTAINER.store(container.handle(), Ordering::Release);
    let what = format!("{door} with {users} elements, at whose end the container is changed in way {way}");
    t.clause(id::CNT_0011);
    let call = t.call_global(door, &[vec![container.any()], args].concat());
    drop(call.map_err(|failure| failure.noting(&what))?);
    t.library_was_usable(&format!("at an end within {what}"))?;
    CONTAINER.store(null_mut(), Ordering::Release);
    if container.any().type_index == kTVMFFIList {
        drop(t.sequence(container.handle())?);
    } else {
        drop(t.map(container.handle())?);
    }
    t.call_void(clear, &[container.any()])?;
    t.eq(format_args!("counts after {what}"), t.counts(container.handle())?, (1, 1))?;
    t.clause(leak);
    t.eq(format_args!("elements that have ended after {what}"), ENDED.load(Ordering::Acquire), users as usize)?;
    t.eq(format_args!("counts and ends of what was put in during {what}"), (put.counts(), put.ends()), ((1, 1), vec![]))
}
