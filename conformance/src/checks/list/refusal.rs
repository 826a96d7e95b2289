//! What the functions of a List refuse, and Arrays and Lists told apart.

use tvm_ffi_spec::*;

use super::kit::{FUNCTIONS, ints, with};
use crate::{
    checks::check,
    client::{Verdict, containers::WRAPPING, homemade::Homemade, view},
    trial::Trial,
};

/// The functions that read, set or take out an element raise an IndexError for an index outside of the List.
#[check(LST_0018)]
fn index_errors(t: &Trial) -> Verdict {
    for (len, index) in [(0, 0), (0, -1), (3, 3), (3, -1), (3, i64::MAX), (3, i64::MIN)] {
        let list = ints(t, &vec![1; len])?;
        let (list, index) = (list.any(), view::int(index));
        t.refuses("ffi.ListGetItem", &[list, index], &["IndexError"])?;
        t.refuses("ffi.ListSetItem", &[list, index, view::int(2)], &["IndexError"])?;
        t.refuses("ffi.ListPop", &[list, index], &["IndexError"])?;
        t.refuses("ffi.ListErase", &[list, index], &["IndexError"])?;
        t.holds_ints(list.payload() as TVMFFIObjectHandle, &vec![1; len])?;
    }
    Ok(())
}

/// `ffi.ListInsert` raises an IndexError for an index that is negative or beyond the size.
#[check(LST_0018)]
fn insert_index_errors(t: &Trial) -> Verdict {
    for (len, index) in [(0, 1), (0, -1), (3, 4), (3, -1)] {
        let list = ints(t, &vec![1; len])?;
        t.refuses("ffi.ListInsert", &[list.any(), view::int(index), view::int(2)], &["IndexError"])?;
        t.holds_ints(list.handle(), &vec![1; len])?;
    }
    Ok(())
}

/// The functions of a List raise an IndexError for an index that is a small one only to those who drop its upper bits.
#[check(LST_0018)]
fn wrapping_indices(t: &Trial) -> Verdict {
    for index in WRAPPING {
        let list = ints(t, &[1, 2, 3])?;
        for (name, rest) in [
            ("ffi.ListGetItem", &[][..]),
            ("ffi.ListSetItem", &[view::int(9)]),
            ("ffi.ListPop", &[]),
            ("ffi.ListErase", &[]),
        ] {
            t.refuses(name, &[&[list.any(), view::int(index)], rest].concat(), &["IndexError"])?;
            t.holds_ints(list.handle(), &[1, 2, 3])?;
        }
    }
    Ok(())
}

/// `ffi.ListInsert` raises an IndexError for an index that is a small one only to those who drop its upper bits.
#[check(LST_0018)]
fn wrapping_index_to_insert(t: &Trial) -> Verdict {
    for index in WRAPPING {
        let list = ints(t, &[1, 2, 3])?;
        t.refuses("ffi.ListInsert", &[list.any(), view::int(index), view::int(9)], &["IndexError"])?;
        t.holds_ints(list.handle(), &[1, 2, 3])?;
    }
    Ok(())
}

/// The functions of a List raise an IndexError for a range that is a small one only to those who drop its upper bits.
#[check(LST_0019)]
fn wrapping_ranges(t: &Trial) -> Verdict {
    let replacement = ints(t, &[9])?;
    for index in WRAPPING {
        let list = ints(t, &[1, 2, 3])?;
        for (start, stop) in [(0, index), (index, 3)] {
            let range = [list.any(), view::int(start), view::int(stop)];
            t.refuses("ffi.ListEraseRange", &range, &["IndexError"])?;
            t.refuses("ffi.ListReplaceSlice", &[&range[..], &[replacement.any()]].concat(), &["IndexError"])?;
            t.holds_ints(list.handle(), &[1, 2, 3])?;
        }
    }
    Ok(())
}

/// `ffi.ListEraseRange` and `ffi.ListReplaceSlice` raise an IndexError for a range that does not fit the List.
#[check(LST_0019)]
fn range_errors(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3])?;
    let replacement = ints(t, &[9])?;
    for (start, stop) in [(-1, 2), (0, 4), (2, 1), (3, 5), (-2, -1)] {
        let (start, stop) = (view::int(start), view::int(stop));
        t.refuses("ffi.ListEraseRange", &[list.any(), start, stop], &["IndexError"])?;
        t.refuses("ffi.ListReplaceSlice", &[list.any(), start, stop, replacement.any()], &["IndexError"])?;
        t.holds_ints(list.handle(), &[1, 2, 3])?;
    }
    Ok(())
}

/// A function that refuses its arguments leaves the List as it was.
#[check(LST_0020)]
fn refused_changes_nothing(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view(), view::int(1)])?;
    t.refuses("ffi.ListSetItem", &[list.any(), view::int(2), view::int(9)], &[])?;
    t.refuses("ffi.ListInsert", &[list.any(), view::int(3), view::int(9)], &[])?;
    t.refuses("ffi.ListEraseRange", &[list.any(), view::int(0), view::int(3)], &[])?;
    t.refuses("ffi.ListAppend", &[list.any()], &[])?;
    t.refuses("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(1), view::int(9)], &[])?;
    let items = t.sequence(list.handle())?.items;
    t.eq("number of elements", items.len(), 2)?;
    t.any_eq("element 0", &items[0], &object.view())?;
    t.any_eq("element 1", &items[1], &view::int(1))?;
    t.eq("strong count of element 0", object.counts().0, 2)
}

/// A function that refuses an index, a range, or the number or type of its arguments leaves the List with its elements, whether there is room
/// for another element or not.
#[check(LST_0020)]
fn refused_leaves_any_list_as_it_was(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (replacement, text) = (ints(t, &[7, 8, 9])?, view::c_str(c"text"));
    for (made, appended, popped) in
        [(0, 0, 0), (1, 0, 0), (3, 0, 0), (4, 0, 0), (0, 1, 0), (4, 1, 0), (4, 4, 0), (9, 0, 5), (2, 15, 0), (3, 0, 3)]
    {
        for until_full in [false, true] {
            let list = ints(t, &(0..made).collect::<Vec<_>>())?;
            for value in made..made + appended {
                t.call_void("ffi.ListAppend", &[list.any(), view::int(value)])?;
            }
            let mut len = made + appended - popped;
            for _ in 0..popped {
                t.call_void("ffi.ListErase", &[list.any(), view::int(0)])?;
            }
            let cell = || -> Verdict<TVMFFISeqCell> { Ok(t.sequence(list.handle())?.cell) };
            // Room that is large is not filled.
            while until_full && len < 64 && cell()?.size < cell()?.capacity {
                t.call_void("ffi.ListAppend", &[list.any(), view::int(popped + len)])?;
                len += 1;
            }
            let elements: Vec<_> = (popped..popped + len).collect();
            t.holds_ints(list.handle(), &elements)?;
            let (lent, five) = (list.any(), view::int(5));
            let mut calls: Vec<(&str, Vec<TVMFFIAny>)> = Vec::new();
            for index in [-1, len, len + 1, len + 99, i64::MAX, i64::MIN].into_iter().chain(WRAPPING) {
                let at = view::int(index);
                if index != len {
                    calls.push(("ffi.ListInsert", vec![lent, at, five]));
                }
                calls.push(("ffi.ListSetItem", vec![lent, at, five]));
                calls.push(("ffi.ListPop", vec![lent, at]));
                calls.push(("ffi.ListErase", vec![lent, at]));
            }
            for (start, stop) in [(-1, len), (0, len + 1), (0, i64::MAX), (i64::MIN, len), (1, 0), (len, len - 1)] {
                let range = [lent, view::int(start), view::int(stop)];
                calls.push(("ffi.ListEraseRange", range.to_vec()));
                calls.push(("ffi.ListReplaceSlice", [&range[..], &[replacement.any()]].concat()));
            }
            let fitting = [lent, view::int(0), view::int(0)];
            calls.push(("ffi.ListReplaceSlice", [&fitting[..], &[five]].concat()));
            calls.extend(["ffi.ListInsert", "ffi.ListSetItem"].map(|name| (name, vec![lent, text, five])));
            for (name, args) in FUNCTIONS.iter().map(|(name, args)| (*name, with(lent, args))) {
                calls.push((name, args[..args.len() - 1].to_vec()));
                calls.push((name, [&args[..], &[five]].concat()));
            }
            for (name, args) in calls {
                // What is taken instead is for other checks to judge, and the List is another one then.
                if t.answer(name, &args)?.is_ok() {
                    break;
                }
                let what =
                    format!("of a List of {len} elements, of which {made} came first, after {name} refused {args:?}");
                t.holds_ints(list.handle(), &elements).map_err(|failure| failure.noting(&what))?;
            }
        }
    }
    Ok(())
}

/// A function of a List that refuses its arguments holds none of them.
#[check(LST_0020)]
fn refused_holds_nothing(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = ints(t, &[1])?;
    for (name, args) in [
        ("ffi.ListSetItem", vec![list.any(), view::int(1), object.view()]),
        ("ffi.ListInsert", vec![list.any(), view::int(2), object.view()]),
        ("ffi.ListAppend", vec![list.any(), object.view(), object.view()]),
        ("ffi.ListSetItem", vec![object.view(), view::int(0), object.view()]),
    ] {
        t.refuses(name, &args, &[])?;
        t.eq(format_args!("strong count of an argument of {name}"), object.counts().0, 1)?;
        t.eq(format_args!("counts of the List after {name}"), t.counts(list.handle())?, (1, 1))?;
    }
    Ok(())
}

/// The functions of a List raise a TypeError for what is neither a List nor an Array, and for an index that is a text.
#[check(LST_0025)]
fn other_types(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[])?;
    let list = ints(t, &[1])?;
    for (name, args) in FUNCTIONS {
        for value in [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), map.any()] {
            let args = with(value, args);
            t.refuses(name, &args, &["TypeError"])?;
        }
    }
    for (name, count) in [("ffi.ListGetItem", 2), ("ffi.ListSetItem", 3), ("ffi.ListErase", 2)] {
        let args = [list.any(), view::c_str(c"0"), view::int(0)];
        t.refuses(name, &args[..count], &["TypeError"])?;
    }
    t.refuses("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(0), map.any()], &["TypeError"]).map(drop)
}

/// The functions of a List raise a TypeError for one argument too few or too many.
#[check(LST_0026)]
fn argument_count(t: &Trial) -> Verdict {
    let list = ints(t, &[1])?;
    for (name, args) in FUNCTIONS {
        let fitting = with(list.any(), args);
        t.refuses(name, &fitting[..fitting.len() - 1], &["TypeError"])?;
        let too_many: Vec<_> = fitting.iter().copied().chain([view::int(0)]).collect();
        t.refuses(name, &too_many, &["TypeError"])?;
        t.holds_ints(list.handle(), &[1])?;
    }
    Ok(())
}

/// The functions that read a List raise a TypeError for an Array.
#[check(LST_0024)]
fn readers_refuse_array(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(1)])?;
    t.refuses("ffi.ListSize", &[array.any()], &["TypeError"])?;
    t.refuses("ffi.ListGetItem", &[array.any(), view::int(0)], &["TypeError"])?;
    t.refuses("ffi.ListContains", &[array.any(), view::int(0)], &["TypeError"]).map(drop)
}

/// The functions that read an Array raise a TypeError for a List.
#[check(LST_0024)]
fn array_refuses_list(t: &Trial) -> Verdict {
    let list = ints(t, &[1])?;
    t.refuses("ffi.ArraySize", &[list.any()], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[list.any(), view::int(0)], &["TypeError"])?;
    t.refuses("ffi.ArrayContains", &[list.any(), view::int(0)], &["TypeError"]).map(drop)
}

/// The functions that change a List leave an Array in the place of a List as it was, whether they refuse it or not.
#[check(LST_0023)]
fn array_is_copied(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view(), view::int(1)])?;
    let replacement = ints(t, &[7])?;
    let replaces = ("ffi.ListReplaceSlice", vec![array.any(), view::int(0), view::int(1), replacement.any()]);
    let changes = FUNCTIONS.iter().map(|(name, args)| (*name, with(array.any(), args))).chain([replaces]);
    for (name, args) in changes {
        t.returns(name, &args)?;
        let items = t.sequence(array.handle())?.items;
        t.eq(format_args!("number of elements of the Array after {name}"), items.len(), 2)?;
        t.any_eq(format_args!("element 0 of the Array after {name}"), &items[0], &object.view())?;
        t.any_eq(format_args!("element 1 of the Array after {name}"), &items[1], &view::int(1))?;
        t.eq(format_args!("strong count of the element after {name}"), object.counts().0, 2)?;
    }
    t.eq("counts of the Array", t.counts(array.handle())?, (1, 1))
}

/// `ffi.ListReplaceSlice` leaves an Array that is the replacement as it was, and takes its elements or refuses it.
#[check(LST_0023)]
fn array_as_replacement(t: &Trial) -> Verdict {
    let (list, array) = (ints(t, &[1, 2])?, t.call_global("ffi.Array", &[view::int(8), view::int(9)])?);
    let args = [list.any(), view::int(1), view::int(1), array.any()];
    let taken = t.answer("ffi.ListReplaceSlice", &args)?.is_ok();
    t.holds_ints(list.handle(), if taken { &[1, 8, 9, 2] } else { &[1, 2] })?;
    t.holds_ints(array.handle(), &[8, 9])
}
