//! Elements that differ in what is not their payload, moved about in a List.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, near::in_the_place_of_each_other, samples::Sample, view},
    trial::Trial,
};

/// A change: the clause about it, its function, the further arguments, and the elements after it by their numbers in the group.
type Change = (&'static str, &'static str, Vec<TVMFFIAny>, Vec<usize>);

/// Every function that moves the elements of a List moves all of each, also where they have one type or one payload and differ in the rest,
/// as inline texts do in their lengths.
#[check(LST_0013, LST_0006, LST_0007, LST_0008, LST_0009, LST_0010, LST_0011, LST_0012)]
fn all_of_an_element_is_moved(t: &Trial) -> Verdict {
    for group in t.alike_in_payload()? {
        // With an element in the middle and without.
        for group in [&group[..], &group[1..], &group[..2]] {
            for (clause, door, rest, model) in changes(t, group)? {
                t.clause(clause);
                let list = t.call_global("ffi.List", &anys(group))?;
                let answer = t.call_global(door, &[vec![list.any()], rest].concat())?;
                if door == "ffi.ListPop" {
                    let taken = (0..group.len()).find(|number| !model.contains(number)).unwrap_or_default();
                    t.is_sample("what was popped", &answer.any(), &group[taken])?;
                }
                holds(t, door, &list, group, &model)?;
            }
        }
    }
    Ok(())
}

/// `ffi.ListReserve` moves all of each element into the new room, also where elements have one type or one payload and differ in the rest.
#[check(LST_0015)]
fn all_of_an_element_is_moved_into_room(t: &Trial) -> Verdict {
    for group in t.alike_in_payload()? {
        let list = t.call_global("ffi.List", &anys(&group))?;
        t.call_void("ffi.ListReserve", &[list.any(), view::int(500)])?;
        holds(t, "ffi.ListReserve", &list, &group, &(0..group.len()).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// A List whose elements have one type or one payload and differ in the rest, as inline texts do in their lengths, has each of them whole after
/// many changes in a row.
#[check(LST_0013, LST_0008, LST_0009, LST_0012)]
fn all_of_an_element_is_moved_again_and_again(t: &Trial) -> Verdict {
    for group in t.alike_in_payload()? {
        let list = t.call_global("ffi.List", &[])?;
        let mut model = Vec::new();
        for (number, sample) in group.iter().enumerate() {
            t.clause(id::LST_0008);
            let place = number / 2;
            t.call_void("ffi.ListInsert", &[list.any(), view::int(place as i64), sample.any()])?;
            model.insert(place, number);
            holds(t, "ffi.ListInsert", &list, &group, &model)?;
            t.clause(id::LST_0013);
            t.call_void("ffi.ListReverse", &[list.any()])?;
            model.reverse();
            holds(t, "ffi.ListReverse", &list, &group, &model)?;
        }
        t.clause(id::LST_0012);
        let size = model.len();
        let end = view::int(size as i64);
        t.call_void("ffi.ListReplaceSlice", &[list.any(), end, end, list.any()])?;
        model.extend(model.clone());
        holds(t, "ffi.ListReplaceSlice by itself", &list, &group, &model)?;
        while model.len() > 1 {
            t.clause(id::LST_0009);
            let place = model.len() / 3;
            let popped = t.call_global("ffi.ListPop", &[list.any(), view::int(place as i64)])?;
            t.is_sample("what was popped", &popped.any(), &group[model.remove(place)])?;
            holds(t, "ffi.ListPop", &list, &group, &model)?;
        }
    }
    Ok(())
}

/// `ffi.ListSetItem` and `ffi.ListReplaceSlice` put all of an element in the place of one that has the same payload and another type, or the same
/// type and payload and another length.
#[check(LST_0007, LST_0012)]
fn all_of_an_element_is_overwritten(t: &Trial) -> Verdict {
    let [make, set, replace, get] =
        t.globals(["ffi.List", "ffi.ListSetItem", "ffi.ListReplaceSlice", "ffi.ListGetItem"])?;
    let around = [view::int(-1), view::int(-2)];
    for group in t.alike_in_payload()? {
        for (clause, is_slice) in [(id::LST_0007, false), (id::LST_0012, true)] {
            t.clause(clause);
            let list = t.call(&make, &[around[0], view::int(0), around[1]])?;
            let (place, behind) = (view::int(1), view::int(2));
            let mut before = "an integer";
            for given in in_the_place_of_each_other(&group) {
                if is_slice {
                    let slice = t.call_unnoted(&make, &[given.any()])?;
                    t.call_unnoted(&replace, &[list.any(), place, behind, slice.any()])?;
                } else {
                    t.call_unnoted(&set, &[list.any(), place, given.any()])?;
                }
                let found = t.call_unnoted(&get, &[list.any(), place])?;
                let what = format_args!("the element that was {before} and became {}", given.name);
                t.is_sample(what, &found.any(), given)?;
                before = &given.name;
            }
            let items = t.sequence(list.handle())?.items;
            t.eq("number of elements", items.len(), 3)?;
            t.any_eq("the element in front", &items[0], &around[0])?;
            t.any_eq("the element behind", &items[2], &around[1])?;
        }
    }
    Ok(())
}

/// The changes of a List of this group.
fn changes(t: &Trial, group: &[Sample]) -> Verdict<Vec<Change>> {
    let (all, size) = ((0..group.len()).collect::<Vec<_>>(), group.len());
    let (int, last) = (|place: usize| view::int(place as i64), size - 1);
    let changed = |change: &dyn Fn(&mut Vec<usize>)| {
        let mut model = all.clone();
        change(&mut model);
        model
    };
    let mut changes = vec![
        (id::LST_0013, "ffi.ListReverse", vec![], changed(&|model| model.reverse())),
        (id::LST_0006, "ffi.ListAppend", vec![group[0].any()], changed(&|model| model.push(0))),
    ];
    for place in [0, size / 2, last] {
        let given = last - place;
        let taken_out: Vec<_> = all.iter().copied().filter(|number| *number != place).collect();
        changes.extend([
            (
                id::LST_0007,
                "ffi.ListSetItem",
                vec![int(place), group[given].any()],
                changed(&|model| model[place] = given),
            ),
            (
                id::LST_0008,
                "ffi.ListInsert",
                vec![int(place), group[given].any()],
                changed(&|model| model.insert(place, given)),
            ),
            (id::LST_0009, "ffi.ListPop", vec![int(place)], taken_out.clone()),
            (id::LST_0010, "ffi.ListErase", vec![int(place)], taken_out.clone()),
        ]);
        for stop in [place, place + 1, size] {
            let range = [int(place), int(stop)];
            let taken_out = changed(&|model| drop(model.drain(place..stop)));
            changes.push((id::LST_0011, "ffi.ListEraseRange", range.to_vec(), taken_out));
            for new in [&[last][..], &[last, 0, last]] {
                // It is kept for the life of the process.
                let slice = t.call_global("ffi.List", &new.iter().map(|at| group[*at].any()).collect::<Vec<_>>())?;
                let args = [&range[..], &[slice.into_any()]].concat();
                let replaced = changed(&|model| drop(model.splice(place..stop, new.iter().copied())));
                changes.push((id::LST_0012, "ffi.ListReplaceSlice", args, replaced));
            }
        }
    }
    Ok(changes)
}

fn anys(group: &[Sample]) -> Vec<TVMFFIAny> {
    group.iter().map(Sample::any).collect()
}

/// Expects a List to have these elements of the group.
fn holds(t: &Trial, door: &str, list: &Owned, group: &[Sample], model: &[usize]) -> Verdict {
    let items = t.sequence(list.handle())?.items;
    t.eq(format_args!("number of elements after {door}"), items.len(), model.len())?;
    for (place, (item, number)) in items.iter().zip(model).enumerate() {
        let sample = &group[*number];
        t.is_sample(format_args!("element {place} after {door}, which is {},", sample.name), item, sample)?;
    }
    Ok(())
}
