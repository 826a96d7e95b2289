//! Each operation that changes a List.

use tvm_ffi_spec::*;

use super::kit::{ints, with};
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::WRAPPING,
        samples::{Place, pairs},
        view,
    },
    trial::Trial,
};

/// `ffi.ListAppend` puts each value behind the last element.
#[check(LST_0006)]
fn append(t: &Trial) -> Verdict {
    let list = ints(t, &[0])?;
    for value in 1..100 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
        t.holds_ints(list.handle(), &(0..=value).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// `ffi.ListAppend` puts a value into a List that was made empty.
#[check(LST_0006)]
fn append_to_empty(t: &Trial) -> Verdict {
    let list = ints(t, &[])?;
    t.call_void("ffi.ListAppend", &[list.any(), view::int(1)])?;
    t.holds_ints(list.handle(), &[1])
}

/// `ffi.ListSetItem` puts a value in the place of an element.
#[check(LST_0007)]
fn set_item(t: &Trial) -> Verdict {
    let list = ints(t, &[0, 1, 2])?;
    for index in [0, 2, 1] {
        t.call_void("ffi.ListSetItem", &[list.any(), view::int(index), view::int(10 + index)])?;
    }
    t.holds_ints(list.handle(), &[10, 11, 12])
}

/// `ffi.ListSetItem` puts the very value that it is given in the place of one that is equal to it, or nearly so.
#[check(LST_0007)]
fn sets_the_like(t: &Trial) -> Verdict {
    let (samples, set) = (t.samples()?, t.global("ffi.ListSetItem")?);
    for (before, given) in pairs(&samples) {
        let list = Place::InList.put(t, &before.any())?;
        t.call(&set, &[list.any(), view::int(0), given.any()])?;
        let found = Place::InList.look(t, &list.any())?;
        t.is_sample(format_args!("what was {} and was set to {}", before.name, given.name), &found, given)?;
    }
    // Two that are equal until one is changed.
    for kind in ["ffi.List", "ffi.Dict"] {
        let [before, given] = [t.call_global(kind, &[])?, t.call_global(kind, &[])?];
        let list = Place::InList.put(t, &before.any())?;
        t.call(&set, &[list.any(), view::int(0), given.any()])?;
        t.any_eq("the element that was set", &Place::InList.look(t, &list.any())?, &given.any())?;
    }
    Ok(())
}

/// What puts the marker of an unchanged value into a List puts it in as it is, or refuses it: nothing else takes its place.
#[check(LST_0036)]
fn marker_is_no_other_value(t: &Trial) -> Verdict {
    let marker = TVMFFIAny::new(kTVMFFIUnchanged, 0);
    for size in [1, 4, 9] {
        for (door, place, len) in [
            ("ffi.ListAppend", None, size + 1),
            ("ffi.ListSetItem", Some(size - 1), size),
            ("ffi.ListInsert", Some(size / 2), size + 1),
            ("ffi.List", None, 1),
        ] {
            let list = ints(t, &(0..size).collect::<Vec<_>>())?;
            let lent = (door != "ffi.List").then(|| list.any());
            let args: Vec<_> = lent.into_iter().chain(place.map(view::int)).chain([marker]).collect();
            let mut result = TVMFFIAny::NONE;
            if t.try_call(&t.global(door)?, &args, &mut result) != 0 {
                t.api.release_raised();
                t.holds_ints(list.handle(), &(0..size).collect::<Vec<_>>())?;
                continue;
            }
            let (made, at) = (t.own(result), place.unwrap_or(len - 1) as usize);
            let items = t.sequence(if lent.is_some() { list.handle() } else { made.handle() })?.items;
            t.eq(format_args!("elements after {door}"), items.len() as i64, len)?;
            t.any_eq(format_args!("what {door} put in"), &items[at], &marker)?;
        }
        for make in ["ffi.Array", "ffi.List"] {
            // In front of another value, and behind it.
            for slice in [[marker, view::int(-9)], [view::int(-9), marker]] {
                let list = ints(t, &(0..size).collect::<Vec<_>>())?;
                let Ok(slice) = t.answer(make, &slice)? else { continue };
                let kept = t.sequence(slice.handle())?.items;
                let args = [list.any(), view::int(0), view::int(1), slice.any()];
                if t.answer("ffi.ListReplaceSlice", &args)?.is_err() {
                    t.holds_ints(list.handle(), &(0..size).collect::<Vec<_>>())?;
                    continue;
                }
                let items = t.sequence(list.handle())?.items;
                t.eq("elements after ffi.ListReplaceSlice", items.len() as i64, size + 1)?;
                for (at, put) in kept.iter().enumerate() {
                    t.any_eq(format_args!("element {at} that ffi.ListReplaceSlice put in"), &items[at], put)?;
                }
            }
        }
    }
    Ok(())
}

/// `ffi.ListInsert` puts a value at the front, between elements or at the end.
#[check(LST_0008)]
fn insert(t: &Trial) -> Verdict {
    let list = ints(t, &[])?;
    let mut model = Vec::new();
    for (index, value) in [(0, 1), (0, 2), (2, 3), (1, 4), (4, 5), (0, 6), (3, 7), (3, 8)] {
        t.call_void("ffi.ListInsert", &[list.any(), view::int(index), view::int(value)])?;
        model.insert(index as usize, value);
        t.holds_ints(list.handle(), &model)?;
    }
    Ok(())
}

/// `ffi.ListInsert` puts a value where it is told to, however many elements there are and whether there is room or not.
#[check(LST_0008, patient = 2)]
fn insert_at_every_size(t: &Trial) -> Verdict {
    let [append, insert] = t.globals(["ffi.ListAppend", "ffi.ListInsert"])?;
    for size in (0..40).chain([63, 64, 65, 127, 128, 129]) {
        for place in [0, 1, size / 2, size - 1, size].into_iter().filter(|place| (0..=size).contains(place)) {
            let list = ints(t, &[])?;
            // One by one, which leaves no room whenever the number is one that buffers grow to.
            for value in 0..size {
                t.call(&append, &[list.any(), view::int(value)])?;
            }
            t.call(&insert, &[list.any(), view::int(place), view::int(-1)])?;
            let mut model: Vec<_> = (0..size).collect();
            model.insert(place as usize, -1);
            t.holds_ints(list.handle(), &model)?;
        }
    }
    Ok(())
}

/// `ffi.ListPop` takes an element out and answers it.
#[check(LST_0009)]
fn pop(t: &Trial) -> Verdict {
    let list = ints(t, &[10, 11, 12, 13])?;
    for (index, value, rest) in [(1, 11, &[10, 12, 13][..]), (2, 13, &[10, 12]), (0, 10, &[12]), (0, 12, &[])] {
        let item = t.call_global("ffi.ListPop", &[list.any(), view::int(index)])?;
        t.any_eq("the element popped", &item.any(), &view::int(value))?;
        t.holds_ints(list.handle(), rest)?;
    }
    Ok(())
}

/// `ffi.ListErase` takes an element out, and those behind it follow up in order.
#[check(LST_0010)]
fn erase(t: &Trial) -> Verdict {
    let list = ints(t, &[10, 11, 12, 13])?;
    for (index, rest) in [(1, &[10, 12, 13][..]), (2, &[10, 12]), (0, &[12]), (0, &[])] {
        t.call_void("ffi.ListErase", &[list.any(), view::int(index)])?;
        t.holds_ints(list.handle(), rest)?;
    }
    Ok(())
}

/// `ffi.ListEraseRange` takes out the elements from the first index to in front of the second.
#[check(LST_0011)]
fn erase_range(t: &Trial) -> Verdict {
    for (start, stop) in [(0, 1), (0, 6), (2, 4), (5, 6), (1, 6), (0, 5)] {
        let mut model: Vec<i64> = (0..6).collect();
        let list = ints(t, &model)?;
        t.call_void("ffi.ListEraseRange", &[list.any(), view::int(start), view::int(stop)])?;
        model.drain(start as usize..stop as usize);
        t.holds_ints(list.handle(), &model)?;
    }
    Ok(())
}

/// `ffi.ListEraseRange` leaves a List as it is when the range is empty.
#[check(LST_0011)]
fn erase_nothing(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3])?;
    for index in 0..=3 {
        t.call_void("ffi.ListEraseRange", &[list.any(), view::int(index), view::int(index)])?;
        t.holds_ints(list.handle(), &[1, 2, 3])?;
    }
    Ok(())
}

/// `ffi.ListReplaceSlice` puts the elements of another List in the place of a range.
#[check(LST_0012)]
fn replace_slice(t: &Trial) -> Verdict {
    for (start, stop, len) in [(0, 0, 3), (1, 2, 1), (1, 3, 5), (0, 4, 2), (4, 4, 9), (2, 4, 2)] {
        let mut model: Vec<i64> = (0..4).collect();
        let new: Vec<i64> = (100..100 + len).collect();
        let (list, replacement) = (ints(t, &model)?, ints(t, &new)?);
        let args = [list.any(), view::int(start), view::int(stop), replacement.any()];
        t.call_void("ffi.ListReplaceSlice", &args)?;
        model.splice(start as usize..stop as usize, new.iter().copied());
        t.holds_ints(list.handle(), &model)?;
        t.holds_ints(replacement.handle(), &new)?;
    }
    Ok(())
}

/// `ffi.ListReplaceSlice` can put the elements of a List in the place of a range of that List.
#[check(LST_0012)]
fn replace_slice_by_itself(t: &Trial) -> Verdict {
    for (start, stop) in [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)] {
        let mut model: Vec<i64> = (0..3).collect();
        let list = ints(t, &model)?;
        let args = [list.any(), view::int(start), view::int(stop), list.any()];
        t.call_void("ffi.ListReplaceSlice", &args)?;
        model.splice(start as usize..stop as usize, 0..3);
        t.holds_ints(list.handle(), &model)?;
    }
    Ok(())
}

/// `ffi.ListReplaceSlice` takes a range out when the replacement is empty.
#[check(LST_0012)]
fn replace_slice_by_nothing(t: &Trial) -> Verdict {
    let (list, nothing) = (ints(t, &[1, 2, 3])?, ints(t, &[])?);
    t.call_void("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(2), nothing.any()])?;
    t.holds_ints(list.handle(), &[3])
}

/// `ffi.ListReverse` reverses the elements of a List of any length.
#[check(LST_0013)]
fn reverse(t: &Trial) -> Verdict {
    for len in 0..6 {
        let mut model: Vec<i64> = (0..len).collect();
        let list = ints(t, &model)?;
        t.call_void("ffi.ListReverse", &[list.any()])?;
        model.reverse();
        t.holds_ints(list.handle(), &model)?;
    }
    Ok(())
}

/// `ffi.ListClear` takes all elements out and leaves a List that can be filled again.
#[check(LST_0014)]
fn clear(t: &Trial) -> Verdict {
    for len in [0, 1, 5] {
        let list = ints(t, &vec![1; len])?;
        t.call_void("ffi.ListClear", &[list.any()])?;
        t.holds_ints(list.handle(), &[])?;
        for value in 0..10 {
            t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
        }
        t.holds_ints(list.handle(), &(0..10).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// `ffi.ListReserve` makes room for elements, whose addresses then stay, and has no effect for a smaller number.
#[check(LST_0015)]
fn reserve(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3])?;
    t.call_void("ffi.ListReserve", &[list.any(), view::int(100)])?;
    let cell = t.sequence(list.handle())?.cell;
    t.that("capacity", cell.capacity >= 100, "at least 100", cell.capacity)?;
    t.holds_ints(list.handle(), &[1, 2, 3])?;
    for value in 4..=100 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
    }
    t.eq("address of the elements when the room is filled", t.sequence(list.handle())?.cell.data, cell.data)?;
    // Room that was asked for stays when elements go. Looked at each time, as what moves twice may come back to where it was.
    for last in (10..100).rev() {
        t.call_global("ffi.ListPop", &[list.any(), view::int(last)])?;
        let after = t.sequence(list.handle())?.cell;
        let what = format!("room and address of the elements when {last} are left");
        t.eq(what, (after.capacity, after.data), (cell.capacity, cell.data))?;
    }
    for value in 11..=100 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
    }
    t.eq("address of the elements when they are there again", t.sequence(list.handle())?.cell.data, cell.data)?;
    for less in [0, 5, -1] {
        t.call_void("ffi.ListReserve", &[list.any(), view::int(less)])?;
    }
    t.holds_ints(list.handle(), &(1..=100).collect::<Vec<_>>())
}

/// `ffi.ListReserve` of no more than there is room for has no effect, whatever the size and the room.
#[check(LST_0015)]
fn reserve_what_is_there(t: &Trial) -> Verdict {
    for (len, room) in [(0, 0), (0, 8), (1, 8), (3, 3), (3, 20), (8, 9), (100, 200)] {
        let list = ints(t, &vec![3; len])?;
        t.call_void("ffi.ListReserve", &[list.any(), view::int(room)])?;
        let before = t.sequence(list.handle())?.cell;
        t.that("capacity", before.capacity >= room, format_args!("at least {room}"), before.capacity)?;
        for number in (-1..=before.capacity).chain([i64::MIN]) {
            t.call_void("ffi.ListReserve", &[list.any(), view::int(number)])?;
            let after = t.sequence(list.handle())?.cell;
            let what = format!("room of {len} elements after {number} were reserved");
            t.eq(what, (after.data, after.capacity), (before.data, before.capacity))?;
        }
        t.holds_ints(list.handle(), &vec![3; len])?;
    }
    Ok(())
}

/// `ffi.ListReserve` fails for more elements than any memory holds, and leaves the List as it is.
#[check(LST_0015)]
fn reserve_beyond_memory(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3])?;
    for number in WRAPPING.into_iter().filter(|number| *number >= 1 << 60) {
        t.refuses("ffi.ListReserve", &[list.any(), view::int(number)], &[])?;
        t.holds_ints(list.handle(), &[1, 2, 3])?;
    }
    t.call_void("ffi.ListAppend", &[list.any(), view::int(4)])?;
    t.holds_ints(list.handle(), &[1, 2, 3, 4])
}

/// A List that grows to 2,000 elements one by one has at most 50 buffers, whichever function adds them.
#[check(LST_0027)]
fn growth(t: &Trial) -> Verdict {
    let (at_the_front, at_the_end) = (|_| Some(0), Some);
    type Place<'a> = &'a dyn Fn(i64) -> Option<i64>;
    let ways: [(&str, Place<'_>); 3] =
        [("ffi.ListAppend", &|_| None), ("ffi.ListInsert", &at_the_front), ("ffi.ListInsert", &at_the_end)];
    for (name, place) in ways {
        let list = ints(t, &[])?;
        let (add, mut capacities) = (t.global(name)?, Vec::new());
        for value in 0..2000 {
            let place = place(value).map(view::int);
            t.call(&add, &[list.any()].into_iter().chain(place).chain([view::int(value)]).collect::<Vec<_>>())?;
            let cell: TVMFFISeqCell = t.cell("cell", list.handle())?;
            if capacities.last() != Some(&cell.capacity) {
                capacities.push(cell.capacity);
            }
        }
        let what = format!("number of buffers for 2000 elements that {name} adds");
        t.that(what, capacities.len() <= 50, "at most 50", format_args!("{capacities:?}"))?;
    }
    Ok(())
}

/// A List that is changed stays the same object, so every holder sees the change.
#[check(LST_0017)]
fn same_object(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2])?;
    let holder = t.call_global("ffi.Array", &[list.any()])?;
    let before = list.handle();
    for value in 3..40 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
    }
    t.call_void("ffi.ListErase", &[list.any(), view::int(0)])?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), view::int(-2)])?;
    let seen = t.call_global("ffi.ArrayGetItem", &[holder.any(), view::int(0)])?;
    t.eq("the List that another holder sees", seen.handle(), before)?;
    let expected: Vec<i64> = [-2].into_iter().chain(3..40).collect();
    t.holds_ints(seen.handle(), &expected)
}

/// A change: what it is, what is done to a List, and to its model.
type Change = (&'static str, fn(&Trial, TVMFFIAny) -> Verdict, fn(&mut Vec<i64>));

/// The changes, of a List that has an element 1.
static CHANGES: [Change; 9] = [
    ("an element was set", |t, list| change(t, "SetItem", &with(list, &[1, 7])), |model| model[1] = 7),
    ("an element was appended", |t, list| change(t, "Append", &with(list, &[7])), |model| model.push(7)),
    ("an element was inserted", |t, list| change(t, "Insert", &with(list, &[0, 7])), |model| model.insert(0, 7)),
    (
        "an element was erased",
        |t, list| change(t, "Erase", &with(list, &[1])),
        |model| {
            model.remove(1);
        },
    ),
    (
        "an element was popped and another appended",
        |t, list| change(t, "Pop", &with(list, &[1])).and_then(|()| change(t, "Append", &with(list, &[7]))),
        |model| {
            model.remove(1);
            model.push(7);
        },
    ),
    ("elements were erased", |t, list| change(t, "EraseRange", &with(list, &[0, 2])), |model| drop(model.drain(0..2))),
    (
        "an element was replaced",
        |t, list| {
            let slice = ints(t, &[7])?;
            change(t, "ReplaceSlice", &[with(list, &[1, 2]), vec![slice.any()]].concat())
        },
        |model| model[1] = 7,
    ),
    ("the elements were reversed", |t, list| change(t, "Reverse", &with(list, &[])), |model| model.reverse()),
    ("all was cleared", |t, list| change(t, "Clear", &with(list, &[])), |model| model.clear()),
];

fn change(t: &Trial, door: &str, args: &[TVMFFIAny]) -> Verdict {
    t.call_global(&format!("ffi.List{door}"), args).map(drop)
}

/// What one thread changes in a List is seen by another that has looked at the List before, whatever was changed and however the other looks.
#[check(LST_0017, patient = 2)]
fn changes_are_seen_by_other_threads(t: &Trial) -> Verdict {
    const DOORS: [&str; 4] = ["GetItem", "Size", "Contains", "Contains the new one"];
    let (mut lists, mut cases) = (Vec::new(), Vec::new());
    for (change, door) in CHANGES.iter().flat_map(|change| DOORS.map(|door| (change, door))) {
        for len in [3, 4, 20] {
            let model: Vec<i64> = (1000..1000 + len).collect();
            let list = ints(t, &model)?;
            let mut changed = model.clone();
            change.2(&mut changed);
            cases.push((list.any(), change, door, model, changed));
            lists.push(list);
        }
    }
    let look = |t: &Trial, case: usize, again: bool| -> Verdict {
        let (list, change, door, model, changed) = &cases[case];
        let (model, when) = if again { (changed, "after") } else { (model, "before") };
        let what = format!("what ffi.List{door} answers {when} {} on another thread", change.0);
        match *door {
            "Size" => t.eq(what, t.call_int("ffi.ListSize", &[*list])?, model.len() as i64),
            "GetItem" => {
                let found = t.answer("ffi.ListGetItem", &[*list, view::int(1)])?;
                t.eq(what, found.ok().map(|found| found.any().payload() as i64), model.get(1).copied())
            }
            _ => {
                let value = if *door == "Contains" { 1001 } else { 7 };
                let found = t.call_int("ffi.ListContains", &[*list, view::int(value)])?;
                t.eq(what, found, model.contains(&value).into())
            }
        }
    };
    t.changes_are_seen(cases.len(), look, |t, case| {
        let (list, change, ..) = &cases[case];
        change.1(t, *list)
    })
}

/// A List may be an element of itself, and lets go of itself when it is cleared.
#[check(LST_0032)]
fn in_itself(t: &Trial) -> Verdict {
    let list = ints(t, &[1])?;
    t.call_void("ffi.ListAppend", &[list.any(), list.any()])?;
    t.eq("strong count of a List in itself", t.counts(list.handle())?.0, 2)?;
    t.global_answers("ffi.ListSize", &[list.any()], 2)?;
    t.eq("whether it contains itself", t.call_int("ffi.ListContains", &[list.any(), list.any()])?, 1)?;
    t.any_eq("element 1", &t.element(list.handle(), 1)?, &list.any())?;
    t.call_void("ffi.ListClear", &[list.any()])?;
    t.eq("strong count of a List that was cleared of itself", t.counts(list.handle())?, (1, 1))
}
