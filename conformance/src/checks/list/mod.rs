//! Lists: every operation, their memory as clients read and grow it, and who releases what.

mod model;

use std::ptr::null_mut;

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, ends_of},
            keys::text_object,
            retain,
        },
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

// ---- making and reading ----------------------------------------------------------------------------------------------

/// `ffi.List` makes a List of its arguments in their order.
#[check(LST_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let list = ints(t, &[5, -7, 5, i64::MIN])?;
    t.eq("type_index of the result", list.any().type_index, kTVMFFIList)?;
    t.eq("type_index in the header", t.header(list.handle())?.type_index, kTVMFFIList)?;
    t.eq("strong count of a new List", t.counts(list.handle())?.0, 1)?;
    t.holds_ints(list.handle(), &[5, -7, 5, i64::MIN])?;
    t.holds_ints(ints(t, &[])?.handle(), &[])
}

/// `ffi.List` makes a List of 100,000 integers.
#[check(LST_0001)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    let many: Vec<i64> = (0..100_000).collect();
    let list = ints(t, &many)?;
    t.holds_ints(list.handle(), &many)?;
    t.eq("ffi.ListSize", t.call_int("ffi.ListSize", &[list.any()])?, 100_000)
}

/// A List owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(LST_0001)]
fn owns_texts(t: &Trial) -> Verdict {
    let (mut long, mut bytes) = (*b"a text that is not short\0", *b"bytes that are not short");
    let span = TVMFFIByteArray::new(&bytes);
    let raw = TVMFFIAny::new(kTVMFFIRawStr, long.as_ptr() as u64);
    let list = t.call_global("ffi.List", &[raw, view::byte_array(&span)])?;
    for args in [[list.any(), raw], [list.any(), view::byte_array(&span)]] {
        t.call_void("ffi.ListAppend", &args)?;
    }
    t.call_void("ffi.ListInsert", &[list.any(), view::int(0), raw])?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(1), raw])?;
    long.fill(b'#');
    bytes.fill(b'#');
    std::hint::black_box((&long, &bytes));
    let items = t.sequence(list.handle())?.items;
    let expected = [(kTVMFFIStr, "a text"), (kTVMFFIStr, "a text"), (kTVMFFIBytes, "bytes"), (kTVMFFIStr, "a text")];
    for (index, (item, (type_index, begin))) in items.iter().zip(expected).enumerate() {
        t.eq(format!("type_index of element {index}"), item.type_index, type_index)?;
        let text = String::from_utf8_lossy(&t.text(item)?).into_owned();
        t.that(format!("text of element {index}"), text.starts_with(begin), format!("{begin}…"), text)?;
    }
    Ok(())
}

/// `ffi.ListGetItem` answers a new reference to the element of an index, and `ffi.ListSize` the number of elements.
#[check(LST_0002)]
fn get_item(t: &Trial) -> Verdict {
    let list = ints(t, &[10, 11, 12])?;
    t.eq("ffi.ListSize", t.call_int("ffi.ListSize", &[list.any()])?, 3)?;
    for index in [2, 0, 1] {
        let item = t.call_global("ffi.ListGetItem", &[list.any(), view::int(index)])?;
        t.any_eq(format!("element {index}"), &item.any(), &view::int(10 + index))?;
    }
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    let element = t.call_global("ffi.ListGetItem", &[list.any(), view::int(0)])?;
    t.any_eq("an element that is an object", &element.any(), &object.view())?;
    t.eq("strong count with the answer", object.counts().0, 3)
}

// ---- memory ----------------------------------------------------------------------------------------------------------

/// A List keeps the address, the number and the capacity of its elements behind its header.
#[check(LST_0003)]
fn cell(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 100] {
        let list = ints(t, &vec![3; len])?;
        let cell: TVMFFISeqCell = t.cell("cell", list.handle())?;
        t.eq("size", cell.size, len as i64)?;
        t.that("capacity", cell.capacity >= cell.size, format!("at least {len}"), cell.capacity)?;
        let last = t.read("the last element", cell.data.cast::<TVMFFIAny>().wrapping_add(len - 1).cast_const())?;
        t.any_eq("the last element", &last, &view::int(3))?;
    }
    Ok(())
}

/// A List of any length has a `data_deleter`, also when it is empty and after it has grown.
#[check(LST_0004)]
fn buffer_has_deleter(t: &Trial) -> Verdict {
    for len in [0, 1, 5, 300] {
        let list = ints(t, &vec![1; len])?;
        t.that("data_deleter", deleter_of(t, &list)?.is_some(), "a function", "NULL")?;
        t.call_void("ffi.ListAppend", &[list.any(), view::int(1)])?;
        t.that("data_deleter after growth", deleter_of(t, &list)?.is_some(), "a function", "NULL")?;
    }
    Ok(())
}

/// The `data_deleter` of a List takes NULL and does nothing.
#[check(LST_0005)]
fn deleter_takes_null(t: &Trial) -> Verdict {
    for len in [0, 3] {
        let list = ints(t, &vec![1; len])?;
        if let Some(deleter) = deleter_of(t, &list)? {
            // SAFETY: the clause says that it takes NULL.
            t.api.noted("data_deleter(NULL)", || unsafe { deleter(null_mut()) });
        }
        t.holds_ints(list.handle(), &vec![1; len])?;
    }
    Ok(())
}

type BufferDeleter = Option<unsafe extern "C" fn(*mut std::ffi::c_void)>;

fn deleter_of(t: &Trial, list: &Owned) -> Verdict<BufferDeleter> {
    Ok(t.cell::<TVMFFISeqCell>("cell", list.handle())?.data_deleter)
}

// ---- operations ------------------------------------------------------------------------------------------------------

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
    for (start, stop) in [(0, 0), (1, 2), (0, 3), (3, 3), (1, 3)] {
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
    for less in [0, 5, -1] {
        t.call_void("ffi.ListReserve", &[list.any(), view::int(less)])?;
    }
    t.holds_ints(list.handle(), &(1..=100).collect::<Vec<_>>())
}

/// `ffi.ListContains` finds texts by content, objects by identity, and other values by type and payload.
#[check(LST_0016)]
fn contains(t: &Trial) -> Verdict {
    let (one, other) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let heap = text_object(kTVMFFIStr, b"abc");
    let list = t.call_global("ffi.List", &[view::int(1), view::float(2.0), heap.view(), one.view()])?;
    let small = t.string(b"abc")?;
    for (value, expected) in [
        (view::int(1), 1),
        (view::float(2.0), 1),
        (small.any(), 1),
        (one.view(), 1),
        (view::bool(true), 0),
        (view::int(2), 0),
        (other.view(), 0),
        (TVMFFIAny::NONE, 0),
    ] {
        let found = t.call_int("ffi.ListContains", &[list.any(), value])?;
        t.eq(format!("whether it contains {value:?}"), found, expected)?;
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

// ---- refusing --------------------------------------------------------------------------------------------------------

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
        t.eq(format!("strong count of an argument of {name}"), object.counts().0, 1)?;
        t.eq(format!("counts of the List after {name}"), t.counts(list.handle())?, (1, 1))?;
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

/// Each function of a List, with arguments that fit behind the List.
const FUNCTIONS: &[(&str, &[i64])] = &[
    ("ffi.ListSize", &[]),
    ("ffi.ListGetItem", &[0]),
    ("ffi.ListSetItem", &[0, 5]),
    ("ffi.ListContains", &[5]),
    ("ffi.ListAppend", &[5]),
    ("ffi.ListInsert", &[0, 5]),
    ("ffi.ListPop", &[0]),
    ("ffi.ListErase", &[0]),
    ("ffi.ListEraseRange", &[0, 1]),
    ("ffi.ListReverse", &[]),
    ("ffi.ListClear", &[]),
];

/// The functions of a List raise a TypeError for what is neither a List nor an Array, and for an index that is a text.
#[check(LST_0025)]
fn other_types(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[])?;
    let list = ints(t, &[1])?;
    for (name, args) in FUNCTIONS {
        for value in [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), map.any()] {
            let args: Vec<_> = [value].into_iter().chain(args.iter().map(|arg| view::int(*arg))).collect();
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
        let fitting: Vec<_> = [list.any()].into_iter().chain(args.iter().map(|arg| view::int(*arg))).collect();
        t.refuses(name, &fitting[..fitting.len() - 1], &["TypeError"])?;
        let too_many: Vec<_> = fitting.iter().copied().chain([view::int(0)]).collect();
        t.refuses(name, &too_many, &["TypeError"])?;
        t.holds_ints(list.handle(), &[1])?;
    }
    Ok(())
}

// ---- references ------------------------------------------------------------------------------------------------------

/// A List holds one strong reference for each element, however it grows or is reordered.
#[check(LST_0021)]
fn holds_once(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    t.eq("strong count of the element of a new List", object.counts().0, 2)?;
    t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
    t.eq("strong count after an append", object.counts().0, 3)?;
    t.call_void("ffi.ListInsert", &[list.any(), view::int(0), object.view()])?;
    t.eq("strong count after an insertion", object.counts().0, 4)?;
    for _ in 0..30 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(0)])?;
    }
    t.eq("strong count after growth", object.counts().0, 4)?;
    t.call_void("ffi.ListReverse", &[list.any()])?;
    t.eq("strong count after a reversal", object.counts().0, 4)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 1)
}

/// A List releases an element that is replaced, alone or in a range.
#[check(LST_0022)]
fn releases_replaced(t: &Trial) -> Verdict {
    let [old, new, slice] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &[old.view(), old.view(), view::int(0)])?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), new.view()])?;
    t.eq("strong count of what was replaced", old.counts().0, 2)?;
    t.eq("strong count of what replaced it", new.counts().0, 2)?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), new.view()])?;
    t.eq("strong count of what replaced itself", new.counts().0, 2)?;
    let replacement = t.call_global("ffi.List", &[slice.view(), slice.view()])?;
    t.call_void("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(2), replacement.any()])?;
    t.eq("strong counts of a slice that was replaced", (old.counts().0, new.counts().0), (1, 1))?;
    t.eq("strong count of the slice in both Lists", slice.counts().0, 5)?;
    drop(replacement);
    t.eq("strong count of the slice in one List", slice.counts().0, 3)
}

/// A List releases an element that is erased, popped or cleared.
#[check(LST_0022)]
fn releases_removed(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &objects.each_ref().map(Homemade::view))?;
    let counts = || objects.each_ref().map(|object| object.counts().0);
    t.call_void("ffi.ListErase", &[list.any(), view::int(1)])?;
    t.eq("strong counts after one was erased", counts(), [2, 1, 2, 2, 2, 2])?;
    t.call_void("ffi.ListEraseRange", &[list.any(), view::int(1), view::int(3)])?;
    t.eq("strong counts after two were erased", counts(), [2, 1, 1, 1, 2, 2])?;
    t.call_global("ffi.ListPop", &[list.any(), view::int(2)])?;
    t.eq("strong counts after one was popped", counts(), [2, 1, 1, 1, 2, 1])?;
    t.call_void("ffi.ListClear", &[list.any()])?;
    t.eq("strong counts after the rest was cleared", counts(), [1; 6])
}

/// The answer of `ffi.ListPop` takes over the reference that the List held.
#[check(LST_0022)]
fn pop_moves(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    let popped = t.call_global("ffi.ListPop", &[list.any(), view::int(0)])?;
    t.any_eq("what was popped", &popped.any(), &object.view())?;
    t.eq("strong count of what was popped", object.counts().0, 2)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 2)
}

/// A List that ends releases each element once.
#[check(LST_0021)]
fn ends_elements(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &[])?;
    for object in &objects {
        t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
        homemade::release(object.handle());
    }
    t.eq("ends while the List lives", homemade::all_ends(), 0)?;
    drop(list);
    for (index, object) in objects.iter().enumerate() {
        let ends = object.ends();
        t.eq(format!("calls of the deleter of element {index}"), ends, vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
    }
    Ok(())
}

/// A List releases its elements with its last strong reference, even while a weak reference keeps its memory.
#[check(LST_0021)]
fn ends_with_weak(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    let handle = list.handle();
    homemade::retain_weak(handle);
    drop(list);
    t.eq("strong count of the element of a List that only a weak reference is left to", object.counts().0, 1)?;
    t.eq("counts of the List", t.counts(handle)?, (0, 1))?;
    homemade::release_weak(handle);
    t.eq("strong count of the element when the memory is gone", object.counts().0, 1)
}

/// No function of a List changes the reference counts of the List.
#[check(LST_0033)]
fn lent(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3, 4, 5])?;
    for (name, args) in FUNCTIONS {
        let args: Vec<_> = [list.any()].into_iter().chain(args.iter().map(|arg| view::int(*arg))).collect();
        t.call_global(name, &args)?;
        t.eq(format!("counts after {name}"), t.counts(list.handle())?, (1, 1))?;
    }
    Ok(())
}

// ---- conversions -----------------------------------------------------------------------------------------------------

/// The functions that change a List take an Array, act on a copy and leave the Array as it was.
#[check(LST_0023)]
fn array_is_copied(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view(), view::int(1)])?;
    t.call_void("ffi.ListAppend", &[array.any(), view::int(9)])?;
    t.call_void("ffi.ListSetItem", &[array.any(), view::int(0), view::int(9)])?;
    t.call_void("ffi.ListClear", &[array.any()])?;
    let popped = t.call_global("ffi.ListPop", &[array.any(), view::int(0)])?;
    t.any_eq("what was popped from the copy", &popped.any(), &object.view())?;
    let items = t.sequence(array.handle())?.items;
    t.eq("number of elements of the Array", items.len(), 2)?;
    t.any_eq("element 0 of the Array", &items[0], &object.view())?;
    drop(popped);
    t.eq("strong count of the element", object.counts().0, 2)
}

/// `ffi.ListReplaceSlice` takes an Array as the replacement and leaves the Array as it was.
#[check(LST_0023)]
fn array_as_replacement(t: &Trial) -> Verdict {
    let (list, array) = (ints(t, &[1, 2])?, t.call_global("ffi.Array", &[view::int(8), view::int(9)])?);
    t.call_void("ffi.ListReplaceSlice", &[list.any(), view::int(1), view::int(1), array.any()])?;
    t.holds_ints(list.handle(), &[1, 8, 9, 2])?;
    t.holds_ints(array.handle(), &[8, 9])
}

// ---- clients ---------------------------------------------------------------------------------------------------------

/// A List that grows to 2,000 elements one by one has at most 50 buffers.
#[check(LST_0027)]
fn growth(t: &Trial) -> Verdict {
    let list = ints(t, &[])?;
    let (append, mut capacities) = (t.global("ffi.ListAppend")?, Vec::new());
    for value in 0..2000 {
        t.call(&append, &[list.any(), view::int(value)])?;
        let cell: TVMFFISeqCell = t.cell("cell", list.handle())?;
        if capacities.last() != Some(&cell.capacity) {
            capacities.push(cell.capacity);
        }
    }
    t.that("number of buffers for 2000 elements", capacities.len() <= 50, "at most 50", format!("{capacities:?}"))
}

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
    // The library's growth ends a buffer of the client's, and the client's one of the library's.
    for _ in 0..40 {
        t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
        client::append_to_list(list.handle(), retain(&object.view()));
    }
    t.eq("ffi.ListSize", t.call_int("ffi.ListSize", &[list.any()])?, 101)?;
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

/// A List that a client has made is read and changed like one of the library's own.
#[check(LST_0029)]
fn client_list(t: &Trial) -> Verdict {
    let list = client::list(&[view::int(1), view::int(2), view::int(3)], 8);
    t.eq("ffi.ListSize", t.call_int("ffi.ListSize", &[list.view()])?, 3)?;
    t.call_void("ffi.ListAppend", &[list.view(), view::int(4)])?;
    t.call_void("ffi.ListInsert", &[list.view(), view::int(0), view::int(0)])?;
    t.call_void("ffi.ListErase", &[list.view(), view::int(2)])?;
    t.call_void("ffi.ListReverse", &[list.view()])?;
    t.holds_ints(list.handle(), &[4, 3, 1, 0])?;
    t.eq("counts of the List", list.counts(), (1, 1))
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
    t.eq("calls of the client's deleter", list.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
    t.eq("ends of the buffer", ends_of(buffer), 1)?;
    t.eq("strong count of the element", object.counts().0, 1)
}

/// A List that a client has made has its old buffer ended once, by its `data_deleter`, when it grows.
#[check(LST_0030)]
fn client_list_grows(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = client::list(&[object.view(), view::int(2)], 2);
    let first = t.sequence(list.handle())?.cell.data;
    for value in 3..30 {
        t.call_void("ffi.ListAppend", &[list.view(), view::int(value)])?;
    }
    let items = t.sequence(list.handle())?.items;
    t.eq("number of elements", items.len(), 29)?;
    t.any_eq("element 0", &items[0], &object.view())?;
    t.eq("strong count of element 0", object.counts().0, 2)?;
    t.eq("ends of the client's buffer", ends_of(first), 1)?;
    homemade::release(list.handle());
    t.eq("ends of the client's buffer after the List", ends_of(first), 1)?;
    t.eq("strong count of element 0 after the List", object.counts().0, 1)
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
    // What lies in an unused cell is no value that could be released.
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

/// A List may be an element of itself, and lets go of itself when it is cleared.
#[check(LST_0032)]
fn in_itself(t: &Trial) -> Verdict {
    let list = ints(t, &[1])?;
    t.call_void("ffi.ListAppend", &[list.any(), list.any()])?;
    t.eq("strong count of a List in itself", t.counts(list.handle())?.0, 2)?;
    t.eq("ffi.ListSize", t.call_int("ffi.ListSize", &[list.any()])?, 2)?;
    t.eq("whether it contains itself", t.call_int("ffi.ListContains", &[list.any(), list.any()])?, 1)?;
    t.any_eq("element 1", &t.sequence(list.handle())?.items[1], &list.any())?;
    t.call_void("ffi.ListClear", &[list.any()])?;
    t.eq("strong count of a List that was cleared of itself", t.counts(list.handle())?, (1, 1))
}

// ---- threads and memory ----------------------------------------------------------------------------------------------

/// Four threads may read one List at the same time.
#[check(LST_0034)]
fn readers(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view(), view::int(7)])?;
    let (list_word, get) = (list.any().payload(), t.global("ffi.ListGetItem")?.handle() as usize);
    t.api.note("4 threads call ffi.ListGetItem");
    t.threads(4, |t, _| {
        for _ in 0..300 {
            let args = [TVMFFIAny::new(kTVMFFIList, list_word), view::int(0)];
            let mut result = TVMFFIAny::NONE;
            let Some(call) = t.api.table().TVMFFIFunctionCall else {
                return Err(t.error("TVMFFIFunctionCall", "missing"));
            };
            // SAFETY: a call into a black box like any other; the arguments outlive it.
            t.ok(unsafe { call(get as *mut _, args.as_ptr().cast_mut(), 2, &mut result) })?;
            t.eq("type_index of the element", result.type_index, kTVMFFIObject)?;
            homemade::release(result.payload() as TVMFFIObjectHandle);
        }
        Ok(())
    })?;
    t.eq("strong count of the element", object.counts().0, 2)
}

/// Lists that have ended leave no memory behind.
#[check(LST_0035, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, append] = ["ffi.List", "ffi.ListAppend"].map(|name| t.global(name));
    let (make, append) = (make?, append?);
    t.no_growth("memory of Lists", || {
        let list = t.call(&make, &[view::c_str(c"a text that is not short"), view::int(1)])?;
        for _ in 0..3 {
            t.call(&append, &[list.any(), view::c_str(c"another text that is not short")])?;
        }
        Ok(())
    })
}

/// Buffers that a client gave to a List are freed when the List has outgrown them or ended.
#[check(LST_0028, patient = 2)]
fn no_growth_client(t: &Trial) -> Verdict {
    let [make, append] = ["ffi.List", "ffi.ListAppend"].map(|name| t.global(name));
    let (make, append) = (make?, append?);
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

/// List elements that were replaced, popped or erased leave no memory behind.
#[check(LST_0035, patient = 2)]
fn no_growth_in_place(t: &Trial) -> Verdict {
    let names = ["ffi.ListAppend", "ffi.ListPop", "ffi.ListInsert", "ffi.ListSetItem", "ffi.ListErase"];
    let [append, pop, insert, set, erase] = names.map(|name| t.global(name));
    let (append, pop, insert, set, erase) = (append?, pop?, insert?, set?, erase?);
    let list = ints(t, &[1])?;
    let text = view::c_str(c"a text that is not short");
    t.no_growth("memory of elements", || {
        t.call(&append, &[list.any(), text])?;
        t.call(&set, &[list.any(), view::int(1), text])?;
        t.call(&insert, &[list.any(), view::int(0), text])?;
        t.call(&pop, &[list.any(), view::int(0)])?;
        t.call(&erase, &[list.any(), view::int(1)]).map(drop)
    })
}

/// A List of integers.
fn ints(t: &Trial, values: &[i64]) -> Verdict<Owned> {
    let args: Vec<_> = values.iter().map(|value| view::int(*value)).collect();
    t.call_global("ffi.List", &args)
}
