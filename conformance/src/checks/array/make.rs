//! Making and reading Arrays, and what is refused.

use tvm_ffi_spec::{clause::id, *};

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{WRAPPING, keys::text_object, object_of},
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// `ffi.Array` makes an Array of its arguments in their order.
#[check(ARR_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let array = ints(t, &[5, -7, 5, i64::MIN])?;
    t.is_new(&array, kTVMFFIArray)?;
    t.holds_ints(array.handle(), &[5, -7, 5, i64::MIN])
}

/// `ffi.Array` makes an empty Array of no arguments.
#[check(ARR_0001)]
fn empty(t: &Trial) -> Verdict {
    let array = ints(t, &[])?;
    t.type_index_eq("type_index of the result", array.any().type_index, kTVMFFIArray)?;
    t.holds_ints(array.handle(), &[])?;
    t.global_answers("ffi.ArraySize", &[array.any()], 0)
}

/// `ffi.Array` makes an Array of 100,000 integers.
#[check(ARR_0001)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    let many: Vec<i64> = (0..100_000).collect();
    let array = ints(t, &many)?;
    t.holds_ints(array.handle(), &many)?;
    t.global_answers("ffi.ArraySize", &[array.any()], 100_000)
}

/// `ffi.ArrayGetItem` answers the element of an index, counted from 0.
#[check(ARR_0002)]
fn get_item(t: &Trial) -> Verdict {
    let array = ints(t, &[10, 11, 12, 13, 14])?;
    for index in [4, 0, 2, 1, 3] {
        let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(index)])?;
        t.any_eq(format_args!("element {index}"), &item.any(), &view::int(10 + index))?;
    }
    Ok(())
}

/// `ffi.ArraySize` answers the number of elements.
#[check(ARR_0003)]
fn size(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 3, 4, 5, 17, 1000] {
        let array = ints(t, &vec![1; len])?;
        t.eq(format_args!("ffi.ArraySize of {len}"), t.call_int("ffi.ArraySize", &[array.any()])?, len as i64)?;
    }
    Ok(())
}

/// `ffi.ArrayContains` finds texts by content, objects by identity, and other values by type and payload.
#[check(ARR_0014)]
fn contains(t: &Trial) -> Verdict {
    let (one, other) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let long = t.string(b"a text that is not short")?;
    let values = [view::int(1), view::float(2.0), view::bool(false), long.any(), one.view()];
    let array = t.call_global("ffi.Array", &values)?;
    let again = t.string(b"a text that is not short")?;
    let present = [view::int(1), view::float(2.0), view::bool(false), again.any(), one.view()];
    let absent = [view::int(2), view::float(1.0), view::bool(true), view::int(0), TVMFFIAny::NONE, other.view()];
    for (values, expected) in [(&present[..], 1), (&absent[..], 0)] {
        for value in values {
            let found = t.call_int("ffi.ArrayContains", &[array.any(), *value])?;
            t.eq(format_args!("whether it contains {value:?}"), found, expected)?;
        }
    }
    t.eq("strong count of an element that was asked for", one.counts().0, 2)
}

/// `ffi.ArrayContains` finds a String in either form and tells it from Bytes of the same content.
#[check(ARR_0014)]
fn contains_two_forms(t: &Trial) -> Verdict {
    let (small, heap) = (t.string(b"abc")?, text_object(kTVMFFIStr, b"abc"));
    for (kept, asked) in [(small.any(), heap.view()), (heap.view(), small.any()), (heap.view(), view::c_str(c"abc"))] {
        let array = t.call_global("ffi.Array", &[view::int(0), kept])?;
        t.eq("whether it contains the text", t.call_int("ffi.ArrayContains", &[array.any(), asked])?, 1)?;
    }
    let bytes = t.bytes(b"abc")?;
    let array = t.call_global("ffi.Array", &[small.any()])?;
    t.eq("whether it contains the same as Bytes", t.call_int("ffi.ArrayContains", &[array.any(), bytes.any()])?, 0)
}

/// `ffi.ArrayContains` finds a value in whatever form it is asked for, and no value that is only like it.
#[check(ARR_0014)]
fn contains_every_form(t: &Trial) -> Verdict {
    t.contains_every_form("ffi.Array")
}

/// `ffi.ArrayContains` finds a value among others that are only like it, wherever it stands, and none where these are alone, however many they are.
#[check(ARR_0014)]
fn contains_among_the_like(t: &Trial) -> Verdict {
    t.contains_among_the_like("ffi.Array")
}

/// `ffi.ArrayContains` knows objects of a type with `__any_equal__` as that says, be there an `__any_hash__` or not, and all others by identity.
#[check(ARR_0014, HSH_0012)]
fn contains_by_hooks(t: &Trial) -> Verdict {
    t.contains_by_hooks("ffi.Array")
}

/// Four threads may read one Array at the same time.
#[check(ARR_0021)]
fn readers(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[view::int(7), object.view()])?;
    let shared = array.any();
    let (size, get) = (t.global("ffi.ArraySize")?, t.global("ffi.ArrayGetItem")?);
    let (size, get) = (size.handle() as usize, get.handle() as usize);
    t.api.note("4 threads call ffi.ArraySize and ffi.ArrayGetItem");
    let shared = shared.payload();
    t.threads(4, |t, _| {
        let array = TVMFFIAny::new(kTVMFFIArray, shared);
        for round in 0..500 {
            let index = round % 2;
            t.eq("ffi.ArraySize", t.call_untraced(size, &[array])?.payload(), 2)?;
            let item = t.call_untraced(get, &[array, view::int(index)])?;
            t.type_index_eq(
                "type_index of the element",
                item.type_index,
                if index == 0 { kTVMFFIInt } else { kTVMFFIObject },
            )?;
            if let Some(object) = object_of(&item) {
                homemade::release(object);
            }
        }
        Ok(())
    })?;
    t.eq("strong count of the element", object.counts().0, 2)?;
    t.eq("counts of the Array", t.counts(array.handle())?, (1, 1))
}

/// `ffi.ArrayGetItem` raises an IndexError for an index that is a small one only to those who drop its upper bits.
#[check(ARR_0012, ARR_0013)]
fn wrapping_indices(t: &Trial) -> Verdict {
    let array = ints(t, &[1, 2, 3])?;
    for index in WRAPPING {
        t.clause(if index < 0 { id::ARR_0013 } else { id::ARR_0012 });
        t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(index)], &["IndexError"])?;
    }
    Ok(())
}

/// `ffi.ArrayGetItem` raises an IndexError for an index that is not below the size.
#[check(ARR_0012)]
fn past_the_end(t: &Trial) -> Verdict {
    for (len, index) in [(0, 0), (1, 1), (3, 3), (3, 4), (4, i64::MAX)] {
        let array = ints(t, &vec![1; len])?;
        t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(index)], &["IndexError"])?;
        t.holds_ints(array.handle(), &vec![1; len])?;
    }
    Ok(())
}

/// `ffi.ArrayGetItem` raises an IndexError for a negative index.
#[check(ARR_0013)]
fn negative(t: &Trial) -> Verdict {
    for (len, index) in [(0, -1), (3, -1), (3, -3), (3, i64::MIN)] {
        let array = ints(t, &vec![1; len])?;
        t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(index)], &["IndexError"])?;
    }
    Ok(())
}

/// The functions of an Array raise a TypeError for what is no Array, and for an index that is no integer.
#[check(ARR_0015)]
fn other_types(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[])?;
    let text = t.string(b"a text that is not short")?;
    let wrong = [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), map.any(), text.any()];
    for (index, value) in wrong.into_iter().enumerate() {
        t.api.note(&format!("argument {index} of those that are no Array"));
        t.refuses("ffi.ArraySize", &[value], &["TypeError"])?;
        t.refuses("ffi.ArrayGetItem", &[value, view::int(0)], &["TypeError"])?;
    }
    let array = ints(t, &[1])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), TVMFFIAny::NONE], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::c_str(c"0")], &["TypeError"]).map(drop)
}

/// The functions of an Array raise a TypeError for one argument too few or too many.
#[check(ARR_0016)]
fn argument_count(t: &Trial) -> Verdict {
    let array = ints(t, &[1])?;
    t.refuses("ffi.ArraySize", &[], &["TypeError"])?;
    t.refuses("ffi.ArraySize", &[array.any(), array.any()], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any()], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(0), view::int(0)], &["TypeError"]).map(drop)
}
