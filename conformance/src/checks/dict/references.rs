//! What a Dict holds, when it lets go of that, and that nothing stays behind.

use tvm_ffi_spec::*;

use super::kit::{FUNCTIONS, fill, ints, set};
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::numbers::up_to,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// A Dict holds one strong reference for each key and each value, however it grows.
#[check(DCT_0017)]
fn holds_once(t: &Trial) -> Verdict {
    let (key, value) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let dict = ints(t, &[])?;
    t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), value.view()])?;
    for number in 1..40 {
        t.eq(format_args!("strong count of a key among {number}"), key.counts().0, 2)?;
        t.eq(format_args!("strong count of a value of {number} keys"), value.counts().0, 1 + number)?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(number.into()), value.view()])?;
    }
    drop(dict);
    t.eq("strong counts after the Dict", (key.counts().0, value.counts().0), (1, 1))
}

/// A Dict releases a value that is replaced, also by itself, and keeps one reference to the key.
#[check(DCT_0018)]
fn releases_replaced(t: &Trial) -> Verdict {
    for others in [0, 2, 3, 12] {
        let [key, first, last] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
        let dict = ints(t, &up_to(others))?;
        let counts = || [&key, &first, &last].map(|object| object.counts().0);
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), first.view()])?;
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), last.view()])?;
        t.eq(format_args!("strong counts of key, replaced and last value beside {others}"), counts(), [2, 1, 2])?;
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), last.view()])?;
        t.eq("strong counts when a value has replaced itself", counts(), [2, 1, 2])?;
    }
    Ok(())
}

/// A Dict releases the key and the value of an entry that is erased or cleared.
#[check(DCT_0018)]
fn releases_removed(t: &Trial) -> Verdict {
    for others in [0, 2, 12] {
        let [key, value] = [(); 2].map(|()| Homemade::new(kTVMFFIObject, ()));
        let dict = ints(t, &up_to(others))?;
        let counts = || [&key, &value].map(|object| object.counts().0);
        let entry = [dict.any(), key.view(), value.view()];
        t.call_void("ffi.DictSetItem", &entry)?;
        t.call_void("ffi.DictErase", &entry[..2])?;
        t.eq(format_args!("strong counts of an entry that was erased beside {others}"), counts(), [1, 1])?;
        t.call_void("ffi.DictSetItem", &entry)?;
        t.call_void("ffi.DictClear", &entry[..1])?;
        t.eq("strong counts of an entry that was cleared", counts(), [1, 1])?;
        for (name, count) in [("ffi.DictErase", 2), ("ffi.DictClear", 1)] {
            let entry = [dict.any(), key.view(), key.view()];
            t.call_void("ffi.DictSetItem", &entry)?;
            t.call_void(name, &entry[..count])?;
            t.eq(format_args!("strong count of a key that was its value, after {name}"), key.counts().0, 1)?;
        }
    }
    Ok(())
}

/// A key and a value that nobody else holds end when a Dict gives them up, though weak references to them are left.
#[check(DCT_0018)]
fn releases_what_is_held_weakly(t: &Trial) -> Verdict {
    let strong = || vec![kTVMFFIObjectDeleterFlagBitMaskStrong];
    let doors = [("ffi.DictErase", 2), ("ffi.DictClear", 1), ("ffi.DictSetItem", 3)];
    for (others, (name, count)) in [0, 2, 12].into_iter().flat_map(|others| doors.map(|door| (others, door))) {
        let [key, value] = [(); 2].map(|()| Homemade::new(kTVMFFIObject, ()));
        let dict = ints(t, &up_to(others))?;
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), value.view()])?;
        homemade::retain_weak(key.handle());
        homemade::retain_weak(value.handle());
        homemade::release(value.handle());
        // The key is an argument: it lives through the call.
        t.call_void(name, &[dict.any(), key.view(), view::int(7)][..count])?;
        homemade::release(key.handle());
        let key_ends = if name == "ffi.DictSetItem" { vec![] } else { strong() };
        t.eq(format_args!("ends of the key after {name} beside {others}"), key.ends(), key_ends)?;
        t.eq(format_args!("ends of the value after {name} beside {others}"), value.ends(), strong())?;
        drop(dict);
        homemade::release_weak(key.handle());
        homemade::release_weak(value.handle());
    }
    Ok(())
}

/// A Dict that ends releases each key and each value once.
#[check(DCT_0017)]
fn ends_entries(t: &Trial) -> Verdict {
    for len in [2, 3, 4, 5, 12] {
        let objects: Vec<_> = (0..2 * len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        let dict = ints(t, &[])?;
        for pair in objects.chunks(2) {
            t.call_void("ffi.DictSetItem", &[dict.any(), pair[0].view(), pair[1].view()])?;
        }
        objects.iter().for_each(|object| homemade::release(object.handle()));
        t.that("ends while the Dict lives", objects.iter().all(|object| object.ends().is_empty()), "none", "some")?;
        drop(dict);
        t.each_ended_once("key or value", &objects)?;
    }
    Ok(())
}

/// A Dict releases its entries with its last strong reference, even while a weak reference keeps its memory.
#[check(DCT_0017)]
fn ends_with_weak(t: &Trial) -> Verdict {
    for len in [2, 4, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let dict = ints(t, &[])?;
        fill(t, dict.any(), 0..len, &object)?;
        t.releases_while_weak("Dict", dict, &object)?;
    }
    Ok(())
}

/// A Dict owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(DCT_0019)]
fn owns_texts(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let (mut key, mut value) = (*b"a key that is not short\0", *b"a value that is not short");
        let span = TVMFFIByteArray::new(&value);
        let dict = ints(t, &up_to(others))?;
        let raw = TVMFFIAny::new(kTVMFFIRawStr, key.as_ptr() as u64);
        t.call_void("ffi.DictSetItem", &[dict.any(), raw, view::byte_array(&span)])?;
        key.fill(b'#');
        value.fill(b'#');
        std::hint::black_box((&key, &value));
        t.has_text_entry("ffi.Dict", &dict)?;
    }
    Ok(())
}

/// No function of a Dict changes the reference counts of the Dict.
#[check(DCT_0032)]
fn lent(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let dict = ints(t, &up_to(len))?;
        for (name, count) in FUNCTIONS {
            drop(t.call_global(name, &[dict.any(), view::int(1), view::int(1)][..*count])?);
            t.eq(format_args!("counts after {name}"), t.counts(dict.handle())?, (1, 1))?;
            set(t, &dict, 1, 1)?;
        }
        t.refuses("ffi.DictGetItem", &[dict.any(), view::int(-1)], &[])?;
        t.eq("counts after a refused call", t.counts(dict.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Dicts that have ended leave no memory behind.
#[check(DCT_0034, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, set] = t.globals(["ffi.Dict", "ffi.DictSetItem"])?;
    let text = view::c_str(c"a text that is not short");
    t.no_growth("memory of Dicts", || {
        let dict = t.call(&make, &[text, text])?;
        for key in 0..9 {
            t.call(&set, &[dict.any(), view::int(key), text])?;
        }
        Ok(())
    })
}

/// Dicts that had become empty before they ended leave no memory behind, however many entries they had and whoever took them out.
#[check(DCT_0034, patient = 2)]
fn no_growth_of_the_emptied(t: &Trial) -> Verdict {
    let [make, set, erase, clear] = t.globals(["ffi.Dict", "ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"])?;
    let text = view::c_str(c"a text that is not short");
    t.no_growth("memory of Dicts that had become empty", || {
        for size in [1, 2, 4, 5, 9] {
            let (cleared, erased) = (t.call(&make, &[])?, t.call(&make, &[])?);
            for key in 0..size {
                t.call(&set, &[cleared.any(), view::int(key), text])?;
                t.call(&set, &[erased.any(), view::int(key), text])?;
            }
            t.call(&clear, &[cleared.any()])?;
            for key in 0..size {
                t.call(&erase, &[erased.any(), view::int(key)])?;
            }
        }
        Ok(())
    })
}

/// Dict entries that were replaced, erased or cleared leave no memory behind.
#[check(DCT_0034, patient = 2)]
fn no_growth_in_place(t: &Trial) -> Verdict {
    let [set, erase, clear] = t.globals(["ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"])?;
    let text = view::c_str(c"a text that is not short");
    let (small, dense) = (ints(t, &[(1, 1)])?, ints(t, &up_to(9))?);
    t.no_growth("memory of entries", || {
        for dict in [&small, &dense] {
            t.call(&set, &[dict.any(), text, text])?;
            t.call(&set, &[dict.any(), text, text])?;
            t.call(&erase, &[dict.any(), text])?;
        }
        t.call(&set, &[dense.any(), text, text])?;
        t.call(&clear, &[dense.any()]).map(drop)
    })
}
