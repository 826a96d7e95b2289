//! Elements whose own end uses the library.

use std::{
    ffi::c_void,
    ptr::dangling_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict, containers::numbers::up_to, globals, homemade::Homemade, reentry::use_library, samples::Place,
        view,
    },
    trial::Trial,
};

/// How often an element has used the library at its end.
static USES: AtomicUsize = AtomicUsize::new(0);

/// The end of an element, which uses the library on its thread and on another.
unsafe extern "C" fn end_with_use(_: *mut c_void) {
    use_library();
    USES.fetch_add(1, Ordering::AcqRel);
}

/// An element whose end uses the library.
fn user(t: &Trial) -> Verdict<Owned> {
    t.serve_reentry()?;
    t.opaque(dangling_mut(), end_with_use)
}

/// Expects so many ends to have used the library, each without trouble.
fn uses(t: &Trial, what: &str, expected: usize) -> Verdict {
    t.eq(format_args!("ends that have used the library, {what}"), USES.load(Ordering::Acquire), expected)?;
    t.library_was_usable(&format!("at an end, {what}"))
}

/// An element whose own end makes and ends containers may end with an Array or a Map.
#[check(CNT_0007)]
fn end_calls_back(t: &Trial) -> Verdict {
    let (first, second) = (user(t)?, user(t)?);
    let array = t.call_global("ffi.Array", &[first.any(), view::int(1), second.any()])?;
    let map = t.call_global("ffi.Map", &[view::int(1), first.any(), array.any(), second.any()])?;
    drop((first, second, array));
    uses(t, "while a Map holds the elements", 0)?;
    drop(map);
    uses(t, "after the Map", 2)
}

/// Containers that end with the one that holds them, before or behind an element whose own end makes and ends containers, end with all that is in
/// them, whatever kinds they are.
#[check(CNT_0007)]
fn end_calls_back_beside_containers(t: &Trial) -> Verdict {
    let mut expected = 0;
    let makes = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    for (outer, inner) in makes.iter().flat_map(|outer| makes.map(|inner| (*outer, inner))) {
        if globals::find(t, outer)?.is_none() || globals::find(t, inner)?.is_none() {
            continue;
        }
        let object = Homemade::new(kTVMFFIObject, ());
        let deep = holding(t, inner, &[holding(t, inner, &[object.view()])?.any()])?;
        let values =
            [holding(t, inner, &[object.view()])?, user(t)?, deep, user(t)?, holding(t, inner, &[object.view()])?];
        let holder = holding(t, outer, &values.each_ref().map(Owned::any))?;
        drop(values);
        drop(holder);
        expected += 2;
        let what = format!("beside containers by {inner} in one by {outer}");
        uses(t, &what, expected)?;
        t.eq(format_args!("counts of what they held, {what}"), object.counts(), (1, 1))?;
    }
    Ok(())
}

/// A container by this function of these values, which are those of the keys 0, 1 and so on if it has keys.
fn holding(t: &Trial, make: &str, values: &[TVMFFIAny]) -> Verdict<Owned> {
    let has_keys = ["ffi.Map", "ffi.Dict"].contains(&make);
    let keyed = |(key, value): (i64, &TVMFFIAny)| if has_keys { vec![view::int(key), *value] } else { vec![*value] };
    t.call_global(make, &(0..).zip(values).flat_map(keyed).collect::<Vec<_>>())
}

/// An element whose own end makes and ends containers may end with a List or a Dict, as its key too.
#[check(CNT_0008)]
fn end_with_container(t: &Trial) -> Verdict {
    for (number, others) in [0, 9].into_iter().enumerate() {
        for (place, make) in [Place::InList, Place::DictKey, Place::DictValue].into_iter().zip(1..) {
            let element = user(t)?;
            let holder = place.put_before(t, &element.any(), others)?;
            drop(element);
            drop(holder);
            uses(t, &format!("{place:?} of {others}"), 3 * number + make)?;
        }
    }
    Ok(())
}

/// An element whose own end makes and ends containers may be taken out of a List or a Dict.
#[check(CNT_0008)]
fn end_in_operation(t: &Trial) -> Verdict {
    t.short_backtraces();
    let mut expected = 0;
    end_in_list_operation(t, &mut expected)?;
    for others in [0, 9] {
        end_in_dict_operation(t, others, &mut expected)?;
    }
    Ok(())
}

fn end_in_list_operation(t: &Trial, expected: &mut usize) -> Verdict {
    let (list, slice) = (t.call_global("ffi.List", &[view::int(0)])?, t.call_global("ffi.List", &[view::int(5)])?);
    for (change, args) in [
        ("ffi.ListSetItem", vec![view::int(1), view::int(5)]),
        ("ffi.ListErase", vec![view::int(1)]),
        ("ffi.ListPop", vec![view::int(1)]),
        ("ffi.ListEraseRange", vec![view::int(0), view::int(2)]),
        ("ffi.ListReplaceSlice", vec![view::int(0), view::int(2), slice.any()]),
        ("ffi.ListClear", vec![]),
    ] {
        t.call_void("ffi.ListClear", &[list.any()])?;
        t.call_void("ffi.ListAppend", &[list.any(), view::int(0)])?;
        let element = user(t)?;
        t.call_void("ffi.ListAppend", &[list.any(), element.any()])?;
        drop(element);
        drop(t.call_global(change, &[vec![list.any()], args].concat())?);
        *expected += 1;
        uses(t, change, *expected)?;
        t.sequence(list.handle())?;
    }
    Ok(())
}

fn end_in_dict_operation(t: &Trial, others: i64, expected: &mut usize) -> Verdict {
    let dict = t.map_of_ints("ffi.Dict", &up_to(others))?;
    for (change, args) in [
        ("ffi.DictSetItem", vec![view::int(-1), view::int(5)]),
        ("ffi.DictErase", vec![view::int(-1)]),
        ("ffi.DictClear", vec![]),
    ] {
        let value = user(t)?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), value.any()])?;
        drop(value);
        t.call_void(change, &[vec![dict.any()], args].concat())?;
        *expected += 1;
        uses(t, change, *expected)?;
        t.map(dict.handle())?;
    }
    for (change, others) in [("ffi.DictErase", 1), ("ffi.DictClear", 0)] {
        let key = user(t)?;
        let handle = key.any();
        t.call_void("ffi.DictSetItem", &[dict.any(), handle, view::int(1)])?;
        drop(key);
        t.call_void(change, &[dict.any(), handle][..1 + others])?;
        *expected += 1;
        uses(t, &format!("{change} of a key"), *expected)?;
    }
    Ok(())
}
