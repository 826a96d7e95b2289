//! What a Map holds, when it lets go of that, and that nothing stays behind.

use tvm_ffi_spec::*;

use super::kit::{FUNCTIONS, ints};
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::numbers::{flattened, up_to},
        homemade::{self, Homemade},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// A Map owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(MAP_0022)]
fn owns_texts(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let (mut key, mut value) = (*b"a key that is not short\0", *b"a value that is not short");
        let span = TVMFFIByteArray::new(&value);
        let mut args = vec![TVMFFIAny::new(kTVMFFIRawStr, key.as_ptr() as u64), view::byte_array(&span)];
        args.extend(flattened(&up_to(others)));
        let map = t.call_global("ffi.Map", &args)?;
        key.fill(b'#');
        value.fill(b'#');
        std::hint::black_box((&key, &value));
        t.has_text_entry("ffi.Map", &map)?;
    }
    Ok(())
}

/// A Map owns keys and values of every form.
#[check(MAP_0022)]
fn every_form(t: &Trial) -> Verdict {
    for sample in t.samples()? {
        for place in [Place::MapKey, Place::MapValue] {
            let map = place.put(t, &sample.any())?;
            t.is_sample(format!("{}, {place:?}", sample.name), &place.look(t, &map.any())?, &sample)?;
        }
    }
    Ok(())
}

/// A Map keeps keys and values of every type to the bit, with zero in the bytes that they do not use.
#[check(MAP_0022)]
fn every_kind(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let (small, heap) = (t.string(b"seven_b")?, t.string(b"a text that is not short")?);
    let bytes = t.bytes(b"\0bytes\xff")?;
    let values = [
        TVMFFIAny::NONE,
        view::bool(true),
        view::int(1),
        view::float(1.0),
        TVMFFIAny::new(kTVMFFIDevice, 7 << 32 | 2),
        TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002),
        small.any(),
        heap.any(),
        bytes.any(),
        object.view(),
    ];
    for count in [3, values.len()] {
        for first in [0, values.len() - count] {
            let part = &values[first..first + count];
            let args: Vec<_> = part.iter().zip(part.iter().rev()).flat_map(|(key, value)| [*key, *value]).collect();
            let map = t.call_global("ffi.Map", &args)?;
            let entries = t.map(map.handle())?.entries;
            t.eq("number of entries", entries.len(), count)?;
            for (index, ((key, value), expected)) in entries.iter().zip(args.chunks(2)).enumerate() {
                t.any_eq(format_args!("key {index}"), key, &expected[0])?;
                t.any_eq(format_args!("value {index}"), value, &expected[1])?;
                let found = t.call_global("ffi.MapGetItem", &[map.any(), expected[0]])?;
                t.any_eq(format_args!("answer for key {index}"), &found.any(), &expected[1])?;
            }
        }
    }
    Ok(())
}

/// A Map holds one strong reference for each key and each value.
#[check(MAP_0023)]
fn holds_once(t: &Trial) -> Verdict {
    for len in [1, 2, 3, 4, 5, 9, 40] {
        let (key, value) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
        let mut args = vec![key.view(), value.view()];
        args.extend((1..len).flat_map(|number| [view::int(number), value.view()]));
        let map = t.call_global("ffi.Map", &args)?;
        let counts = || (key.counts().0, value.counts().0);
        t.eq(format_args!("strong counts of a key and of a value in {len} entries"), counts(), (2, 1 + len as u32))?;
        drop(map);
        t.eq("strong counts after the Map", counts(), (1, 1))?;
    }
    Ok(())
}

/// A Map that ends releases each key and each value once.
#[check(MAP_0023)]
fn ends_entries(t: &Trial) -> Verdict {
    for len in [2, 4, 5, 12] {
        let objects: Vec<_> = (0..2 * len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        let map = t.call_global("ffi.Map", &objects.iter().map(Homemade::view).collect::<Vec<_>>())?;
        objects.iter().for_each(|object| homemade::release(object.handle()));
        t.that("ends while the Map lives", objects.iter().all(|object| object.ends().is_empty()), "none", "some")?;
        drop(map);
        t.each_ended_once("key or value", &objects)?;
    }
    Ok(())
}

/// A Map does not hold a value that a later one for an equal key has replaced.
#[check(MAP_0023)]
fn releases_replaced(t: &Trial) -> Verdict {
    for others in [0, 3, 12] {
        let [key, first, last] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
        let mut args = vec![key.view(), first.view()];
        args.extend((0..others).flat_map(|number| [view::int(number), view::int(0)]));
        args.extend([key.view(), last.view()]);
        let map = t.call_global("ffi.Map", &args)?;
        let counts = || [&key, &first, &last].map(|object| object.counts().0);
        t.eq("strong counts of key, replaced and last value", counts(), [2, 1, 2])?;
        drop(map);
        t.eq("strong counts after the Map", counts(), [1, 1, 1])?;
    }
    Ok(())
}

/// A Map releases its entries with its last strong reference, even while a weak reference keeps its memory.
#[check(MAP_0023)]
fn ends_with_weak(t: &Trial) -> Verdict {
    for others in [0, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut args = vec![object.view(), object.view()];
        args.extend((0..others).flat_map(|number| [view::int(number), view::int(0)]));
        let map = t.call_global("ffi.Map", &args)?;
        t.releases_while_weak("Map", map, &object)?;
    }
    Ok(())
}

/// The functions of a Map leave its reference counts as they were, once an iterator over it has ended.
#[check(MAP_0027)]
fn lent(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let map = ints(t, &up_to(len))?;
        for (name, count) in &FUNCTIONS[..3] {
            t.call_global(name, &[map.any(), view::int(1)][..*count])?;
            t.eq(format_args!("counts after {name}"), t.counts(map.handle())?, (1, 1))?;
        }
        t.refuses("ffi.MapGetItem", &[map.any(), view::int(-1)], &[])?;
        t.eq("counts after a refused call", t.counts(map.handle())?, (1, 1))?;
        // An iterator may hold the Map, but no longer than it lives.
        drop(t.call_global("ffi.MapForwardIterFunctor", &[map.any()])?);
        t.eq("counts after an iterator", t.counts(map.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Maps that have ended leave no memory behind.
#[check(MAP_0032, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, get, iterate] = t.globals(["ffi.Map", "ffi.MapGetItem", "ffi.MapForwardIterFunctor"])?;
    let text = view::c_str(c"a text that is not short");
    let entries: Vec<_> = (0..9).flat_map(|key| [view::int(key), text]).collect();
    t.no_growth("memory of Maps", || {
        for count in [4, 18] {
            let map = t.call(&make, &entries[..count])?;
            t.call(&get, &[map.any(), view::int(0)])?;
            let next = t.call(&iterate, &[map.any()])?;
            t.call(&next, &[view::int(1)])?;
        }
        Ok(())
    })
}
