//! Containers of containers, and the threads that they end on.

use std::ptr::dangling_mut;

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, return_none},
        homemade::{self, Homemade},
        tensor::FLOAT32,
        view,
    },
    trial::Trial,
};

/// Containers of every kind hold one another and release all that is in them.
#[check(CNT_0009)]
fn of_each_other(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut inner = t.call_global("ffi.Array", &[object.view()])?;
    for _ in 0..3 {
        let list = t.call_global("ffi.List", &[inner.any(), inner.any()])?;
        let map = t.call_global("ffi.Map", &[view::int(1), list.any(), list.any(), inner.any()])?;
        let dict = t.call_global("ffi.Dict", &[map.any(), list.any(), view::c_str(c"key"), map.any()])?;
        t.sequence(list.handle())?;
        t.map(map.handle())?;
        t.map(dict.handle())?;
        inner = t.call_global("ffi.Array", &[dict.any(), map.any(), list.any()])?;
    }
    t.eq("strong count of the innermost element", object.counts().0, 2)?;
    drop(inner);
    t.eq("strong count after the outermost container", object.counts().0, 1)
}

/// A Map and a Dict hold each key and each value once, of whatever kind these are, from the first entry until the map has long been dense, by
/// whichever function the entries come; they hold nothing that was replaced, erased or cleared, and nothing when they have ended.
#[check(CNT_0009, patient = 2)]
fn entries_are_held_once(t: &Trial) -> Verdict {
    let (keys, values) = (one_of_each_kind(t, 1)?, one_of_each_kind(t, 2)?);
    let count = keys.len();
    let all: Vec<_> = keys.iter().map(|key| ("key", key)).chain(values.iter().map(|value| ("value", value))).collect();
    let before = all.iter().map(|(_, (_, object))| t.counts(object.handle())).collect::<Verdict<Vec<_>>>()?;
    // Expects those to be held whose places among all are given.
    let held = |places: &[usize], when: &str| -> Verdict {
        for (place, (role, (kind, object))) in all.iter().enumerate() {
            let (strong, weak) = before[place];
            let expected = (strong + u32::from(places.contains(&place)), weak);
            t.eq(format_args!("counts of {kind}, a {role}, {when}"), t.counts(object.handle())?, expected)?;
        }
        Ok(())
    };
    let any = |place: usize| all[place].1.1.any();
    let [set, erase, clear] = t.globals(["ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"])?;
    for first in (0..count).step_by(3) {
        // The places of keys, each with that of its value.
        let entries: Vec<_> =
            (0..count).map(|number| ((first + number) % count, count + (first + 5 * number) % count)).collect();
        let args: Vec<_> = entries.iter().flat_map(|&(key, value)| [any(key), any(value)]).collect();
        let upto = |len: usize| entries[..len].iter().flat_map(|&(key, value)| [key, value]).collect::<Vec<_>>();
        for len in 0..=count {
            let map = t.call_global("ffi.Map", &args[..2 * len])?;
            held(&upto(len), &format!("in a Map of {len}"))?;
            drop(map);
            held(&[], &format!("after a Map of {len}"))?;
        }
        for made in [0, 2, 4, 5] {
            let dict = t.call_global("ffi.Dict", &args[..2 * made])?;
            held(&upto(made), &format!("in a Dict made of {made}"))?;
            for (number, entry) in args.chunks(2).enumerate().skip(made) {
                t.call(&set, &[dict.any(), entry[0], entry[1]])?;
                held(&upto(number + 1), &format!("in a Dict of {made} that has {} now", number + 1))?;
            }
            let mut places = upto(count);
            for (number, &(key, value)) in entries.iter().enumerate().take(count - 1) {
                if number % 3 == 0 {
                    t.call(&set, &[dict.any(), any(key), view::int(7)])?;
                } else {
                    t.call(&erase, &[dict.any(), any(key)])?;
                    places.retain(|&place| place != key);
                }
                places.retain(|&place| place != value);
                held(&places, &format!("in a Dict, {} entries of which were replaced or erased", number + 1))?;
            }
            t.call(&clear, &[dict.any()])?;
            held(&[], "in a Dict that was cleared")?;
            for entry in args.chunks(2) {
                t.call(&set, &[dict.any(), entry[0], entry[1]])?;
            }
            held(&upto(count), "in a Dict that was filled again")?;
            drop(dict);
            held(&[], "after a Dict")?;
        }
    }
    Ok(())
}

/// An object of each kind that a container may hold. What cannot change holds the number, for two that are alike may be one.
fn one_of_each_kind(t: &Trial, number: i64) -> Verdict<Vec<(&'static str, Owned)>> {
    let mut made = Vec::new();
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape"] {
        made.push((kind, t.call_global(kind, &[view::int(number), view::int(3)])?));
    }
    made.push(("a String", t.string(format!("text {number}, which is not short").as_bytes())?));
    made.push(("Bytes", t.bytes(format!("bytes {number}, which are not short").as_bytes())?));
    made.extend(t.big_int(i128::from(number) << 70)?.map(|integer| ("an integer beyond 64 bits", integer)));
    made.push(("an Error", t.new_error("ValueError", "a message", "")?));
    made.push(("a Function", t.function(dangling_mut(), return_none, Some(keep_self))?));
    made.push(("a Tensor", t.tensor_of_four(FLOAT32, &[4], [0; 4])?));
    made.push(("an opaque object", t.opaque(dangling_mut(), keep_self)?));
    Ok(made)
}

/// A container may end on another thread than the one that made it.
#[check(CNT_0010)]
fn ended_elsewhere(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let containers = [
        t.call_global("ffi.Array", &[object.view()])?,
        t.call_global("ffi.List", &[object.view()])?,
        t.call_global("ffi.Map", &[view::int(1), object.view()])?,
        t.call_global("ffi.Dict", &(0..9).flat_map(|key| [view::int(key), object.view()]).collect::<Vec<_>>())?,
    ];
    t.eq("strong count of an element of all", object.counts().0, 13)?;
    let handles = containers.map(|container| container.into_any().payload() as usize);
    t.threads(handles.len(), |t, number| {
        t.api.note("a thread releases a container");
        homemade::release(handles[number] as TVMFFIObjectHandle);
        Ok(())
    })?;
    t.eq("strong count of the element in the end", object.counts().0, 1)
}
