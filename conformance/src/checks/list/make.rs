//! Making and reading Lists, and their memory as clients read it.

use std::ptr::null_mut;

use tvm_ffi_spec::{clause::id, *};

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{BufferDeleter, keys::text_object},
        homemade::{self, Homemade},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// `ffi.List` makes a List of its arguments in their order.
#[check(LST_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let list = ints(t, &[5, -7, 5, i64::MIN])?;
    t.is_new(&list, kTVMFFIList)?;
    t.holds_ints(list.handle(), &[5, -7, 5, i64::MIN])?;
    t.holds_ints(ints(t, &[])?.handle(), &[])
}

/// `ffi.List` makes a List of 100,000 integers.
#[check(LST_0001)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    let many: Vec<i64> = (0..100_000).collect();
    let list = ints(t, &many)?;
    t.holds_ints(list.handle(), &many)?;
    t.global_answers("ffi.ListSize", &[list.any()], 100_000)
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
        t.type_index_eq(format_args!("type_index of element {index}"), item.type_index, type_index)?;
        let text = String::from_utf8_lossy(&t.text(item)?).into_owned();
        t.that(format_args!("text of element {index}"), text.starts_with(begin), format_args!("{begin}…"), text)?;
    }
    Ok(())
}

/// A List owns a value of every form, whichever function puts it in, and gives it back.
#[check(LST_0001, LST_0006, LST_0007, LST_0008)]
fn every_form(t: &Trial) -> Verdict {
    let [append, insert, set, get] =
        t.globals(["ffi.ListAppend", "ffi.ListInsert", "ffi.ListSetItem", "ffi.ListGetItem"])?;
    for sample in t.samples()? {
        t.clause(id::LST_0001);
        let list = Place::InList.put(t, &sample.any())?;
        t.is_sample(&sample.name, &Place::InList.look(t, &list.any())?, &sample)?;
        t.call(&append, &[list.any(), sample.any()])?;
        t.call(&insert, &[list.any(), view::int(0), sample.any()])?;
        t.call(&set, &[list.any(), view::int(1), sample.any()])?;
        for (index, clause) in [id::LST_0008, id::LST_0007, id::LST_0006].into_iter().enumerate() {
            t.clause(clause);
            let answer = t.call(&get, &[list.any(), view::int(index as i64)])?;
            t.is_sample(format!("element {index}, {}", sample.name), &answer.any(), &sample)?;
        }
    }
    Ok(())
}

/// `ffi.ListContains` finds a value in whatever form it is asked for, and no value that is only like it.
#[check(LST_0016)]
fn contains_every_form(t: &Trial) -> Verdict {
    t.contains_every_form("ffi.List")
}

/// `ffi.ListContains` finds a value among others that are only like it, wherever it stands, and none where these are alone, however many they are.
#[check(LST_0016)]
fn contains_among_the_like(t: &Trial) -> Verdict {
    t.contains_among_the_like("ffi.List")
}

/// `ffi.ListContains` knows objects of a type with `__any_equal__` as that says, be there an `__any_hash__` or not, and all others by identity.
#[check(LST_0016, HSH_0012)]
fn contains_by_hooks(t: &Trial) -> Verdict {
    t.contains_by_hooks("ffi.List")
}

/// `ffi.ListGetItem` answers a new reference to the element of an index, and `ffi.ListSize` the number of elements.
#[check(LST_0002)]
fn get_item(t: &Trial) -> Verdict {
    let list = ints(t, &[10, 11, 12])?;
    t.global_answers("ffi.ListSize", &[list.any()], 3)?;
    for index in [2, 0, 1] {
        let item = t.call_global("ffi.ListGetItem", &[list.any(), view::int(index)])?;
        t.any_eq(format_args!("element {index}"), &item.any(), &view::int(10 + index))?;
    }
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    let element = t.call_global("ffi.ListGetItem", &[list.any(), view::int(0)])?;
    t.any_eq("an element that is an object", &element.any(), &object.view())?;
    t.eq("strong count with the answer", object.counts().0, 3)
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
        t.eq(format_args!("whether it contains {value:?}"), found, expected)?;
    }
    Ok(())
}

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
            let result = t.call_untraced(get, &args)?;
            t.type_index_eq("type_index of the element", result.type_index, kTVMFFIObject)?;
            homemade::release(result.payload() as TVMFFIObjectHandle);
        }
        Ok(())
    })?;
    t.eq("strong count of the element", object.counts().0, 2)
}

/// A List keeps the address, the number and the capacity of its elements behind its header.
#[check(LST_0003, lays = TVMFFISeqCell)]
fn cell(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 100] {
        let list = ints(t, &vec![3; len])?;
        t.has_cell_of_threes(&list, len)?;
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

/// What a List has in `data_deleter`.
fn deleter_of(t: &Trial, list: &Owned) -> Verdict<Option<BufferDeleter>> {
    Ok(t.cell::<TVMFFISeqCell>("cell", list.handle())?.data_deleter)
}
