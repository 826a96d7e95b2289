//! Types that decide the hash and the equality of their objects by hooks.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use super::{
    kit::{dense_of, numbered},
    number::{
        ASKED, BAD, Number, PREPARED, former_equal, former_hash, hash_of, native, native_equal, native_hash, number_of,
        numbers, renumber, type_with, type_with_functions, views,
    },
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        containers::{
            client, hash,
            map::{Map, home},
        },
        globals,
        homemade::Homemade,
        memory, reflected, types, view,
    },
    trial::Trial,
};

/// The hash of an object is what the function in its type's column `__any_hash__` answers, combined with the type
/// index.
#[check(HSH_0011)]
fn hook(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, 0..12);
    let map = dense_of(t, &views(&objects))?;
    t.ne("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)?;
    places_by(t, &t.map(map.handle())?, index)
}

/// Expects each number's chain to begin where its hook's hash leads to.
fn places_by(t: &Trial, map: &Map, index: i32) -> Verdict {
    let Some(dense) = &map.dense else { return Err(t.failure("layout", "dense", "small")) };
    for number in 0..3 {
        let home = home(hash::combine(index as u64, hash_of(number)), dense.cell.fib_shift);
        let first = dense.slots[home].1.map(|item| number_of(item.key.payload()) % 3);
        t.eq(format_args!("remainder of the number in slot {home}"), first, Some(number))?;
    }
    Ok(())
}

/// Two objects of a type are one key if the function in its column `__any_equal__` says so.
#[check(HSH_0012)]
fn hook_equal(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count + 3));
        let map = numbered(t, &views(&kept))?;
        for (number, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapCount", &[map.any(), key.view()])?;
            t.eq(format_args!("ffi.MapCount of another {number} among {count}"), found, (number < kept.len()).into())?;
        }
        for (number, key) in asked[..kept.len()].iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
            t.eq(format_args!("value of another {number}"), found, number as i64)?;
        }
        t.same_key(&views(&kept), &asked[1].view(), Some(1))?;
        t.same_key(&views(&kept), &asked[kept.len()].view(), None)?;
        let twice = [views(&kept), views(&asked)].concat();
        let map = numbered(t, &twice)?;
        t.eq("size of a Map of equal keys", t.call_int("ffi.MapSize", &[map.any()])?, count as i64 + 3)?;
    }
    Ok(())
}

/// Two objects are one key if the function in `__any_equal__` says so of what they are now, whatever it has said of them before.
#[check(HSH_0012)]
fn hook_of_what_changes(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    for count in [1, 3, 4, 12] {
        let kept = numbers(index, 0..count);
        let entries = views(&kept).into_iter().zip(0..).flat_map(|(key, place)| [key, view::int(place)]);
        let (entries, elements) = (entries.collect::<Vec<_>>(), views(&kept));
        let mut containers = Vec::new();
        for kind in ["ffi.Map", "ffi.Dict", "ffi.Array", "ffi.List"] {
            if let Some(make) = globals::find(t, kind)? {
                let args = if matches!(kind, "ffi.Map" | "ffi.Dict") { &entries } else { &elements };
                containers.push((kind, t.call(&make, args)?));
            }
        }
        let mut places = vec![0, count / 2, count - 1];
        places.dedup();
        for place in places {
            // It has the same hash. What changes is in no container.
            let unlike = place + 300;
            for (first, then) in [(unlike, place), (place, unlike)] {
                let asked = Number::new(index, first);
                for number in [first, then, first, then] {
                    renumber(&asked, number);
                    is_found(t, &containers, &asked, (number == place).then_some(place))?;
                }
            }
            let asked = Number::new(index, unlike);
            for number in [unlike, place, unlike] {
                renumber(&asked, number);
                t.same_key(&views(&kept), &asked.view(), (number == place).then_some(place as usize))?;
            }
        }
    }
    Ok(())
}

/// Expects each function that looks a key up in these containers to find an object in that place, or nowhere.
fn is_found(t: &Trial, containers: &[(&str, Owned)], asked: &Number, place: Option<u64>) -> Verdict {
    for (kind, container) in containers {
        let doors: &[&str] = match *kind {
            "ffi.Map" | "ffi.Dict" => &["Count", "GetItem", "GetItemOrMissing"],
            _ => &["Contains"],
        };
        for door in doors {
            let name = format!("{kind}{door}");
            let Some(function) = globals::find(t, &name)? else { continue };
            let answer = t.answer_of(function.handle(), &[container.any(), asked.view()])?.ok();
            // What is missing is told by an error, or by an object.
            let found = answer
                .map(|answer| answer.any())
                .filter(|answer| matches!(answer.type_index, kTVMFFIInt | kTVMFFIBool))
                .map(|answer| answer.payload());
            let expected = if door.starts_with("Get") { place } else { Some(place.is_some().into()) };
            t.eq(format_args!("what {name} answers for an object that has changed"), found, expected)?;
        }
    }
    Ok(())
}

/// The function in `__any_equal__` is asked for two objects of its own type only.
#[check(HSH_0012)]
fn hook_one_type(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let plain = [(); 3].map(|()| Homemade::new(kTVMFFIObject, 1_u64));
    let hooked = numbers(index, [1, 1, 1]);
    let keys: Vec<_> = plain.iter().map(Homemade::view).chain(views(&hooked)).collect();
    let map = numbered(t, &keys)?;
    t.eq("size of a Map of three equal keys and three others", t.call_int("ffi.MapSize", &[map.any()])?, 4)
}

/// `ffi.ArrayContains` compares objects by the function in their type's column `__any_equal__`.
#[check(HSH_0012)]
fn hook_contains(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let kept = numbers(index, 0..4);
    let asked = numbers(index, [3, 4]);
    let array = t.call_global("ffi.Array", &views(&kept))?;
    t.eq("whether it contains another 3", t.call_int("ffi.ArrayContains", &[array.any(), asked[0].view()])?, 1)?;
    t.eq("whether it contains a 4", t.call_int("ffi.ArrayContains", &[array.any(), asked[1].view()])?, 0)
}

/// A dense Map finds each of 24 keys for which `__any_hash__` answers one hash.
#[check(HSH_0011)]
fn hook_one_chain(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, (0..24).map(|number| number * 3));
    let map = dense_of(t, &views(&objects))?;
    let again = numbers(index, (0..24).map(|number| number * 3));
    for (number, key) in again.iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
        t.eq(format_args!("value of key {number} of the chain"), found, number as i64)?;
    }
    Ok(())
}

/// A hook may be a C function, as an opaque pointer, that answers a value.
#[check(HSH_0013)]
fn native_hook(t: &Trial) -> Verdict {
    let index = type_with(t, native(native_hash as *const ()), native(native_equal as *const ()))?;
    hooked_by_natives(t, index)
}

/// A hook may be a C function, as an opaque pointer, of the form that the library's own hooks have.
#[check(HSH_0014)]
fn former_native_hook(t: &Trial) -> Verdict {
    let index = match answers_values(t)? {
        true => type_with(t, native(native_hash as *const ()), native(native_equal as *const ()))?,
        false => type_with(t, native(former_hash as *const ()), native(former_equal as *const ()))?,
    };
    hooked_by_natives(t, index)
}

/// Whether the library's own hook for structural keys answers a value rather than a bare hash. A bare hash has the type
/// index of an integer in its first word by a chance of one in 2^64.
fn answers_values(t: &Trial) -> Verdict<bool> {
    let key = t.call_global("ffi.StructuralKey", &[view::int(4711)])?;
    let hook = reflected::attribute(t, "__any_hash__", key.any().type_index)?;
    if hook.type_index != kTVMFFIOpaquePtr {
        return Ok(false);
    }
    // SAFETY: a native hook takes the address of a value and answers in two registers, of which a bare hash uses one.
    let native: unsafe extern "C" fn(*const TVMFFIAny) -> TVMFFIAny = unsafe { std::mem::transmute(hook.payload()) };
    // SAFETY: called as its type says.
    let answer = t.api.noted("the library's own hook for structural keys", || unsafe { native(&key.any()) });
    Ok(answer.type_index == kTVMFFIInt && answer.aux_word() == 0)
}

/// The hooks of a type are not asked for objects of its descendants.
#[check(HSH_0019)]
fn hooks_are_not_inherited(t: &Trial) -> Verdict {
    let parent = type_with_functions(t)?;
    let child = types::new_child(t, "verify.NumberOfAnotherKind", parent)?;
    let (kept, asked) = (numbers(child, 0..3), numbers(child, 0..3));
    dense_of(t, &views(&numbers(child, 0..12)))?;
    for place in 0..3 {
        t.same_key(&views(&kept), &asked[place].view(), None)?;
        t.same_key(&views(&kept), &kept[place].view(), Some(place))?;
    }
    t.eq("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)
}

/// Expects native hooks to decide which numbers are one key, and their places in a dense Map.
fn hooked_by_natives(t: &Trial, index: i32) -> Verdict {
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count));
        let map = numbered(t, &views(&kept))?;
        for (number, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
            t.eq(format_args!("value of another {number}"), found, number as i64)?;
        }
        if count == 12 {
            places_by(t, &t.map(map.handle())?, index)?;
        }
    }
    t.ne("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)
}

/// An error of `__any_hash__` reaches the caller, and the Map stays sound.
#[check(HSH_0015)]
fn hook_fails(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, (0..8).chain([BAD]));
    let (good, bad) = (views(&objects[..8]), objects[8].view());
    let map = dense_of(t, &good)?;
    t.no_lookup(&good, &bad, &["ArithmeticError"])?;
    t.map(map.handle())?;
    drop(map);
    t.eq("strong counts of the keys", objects.iter().map(|object| object.counts().0).collect(), vec![1; 9])
}

/// A Map or a Dict that cannot be made since the hook of one of its keys fails keeps none of the keys and values.
#[check(HSH_0015)]
fn hook_fails_half_way(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    for (make, count) in
        ["ffi.Map", "ffi.Dict"].into_iter().flat_map(|make| [2, 3, 4, 5, 9, 20].map(|count| (make, count)))
    {
        if globals::find(t, make)?.is_none() {
            continue;
        }
        // The first, the second and the last key are the one that fails, and one in the middle.
        for bad in [0, 1, count / 2, count - 1] {
            let keys = numbers(index, (0..count).map(|place| if place == bad { BAD } else { place }));
            let values = [(); 20].map(|()| Homemade::new(kTVMFFIObject, ()));
            let args: Vec<_> = keys.iter().zip(&values).flat_map(|(key, value)| [key.view(), value.view()]).collect();
            t.refuses(make, &args, &["ArithmeticError"])?;
            let what = format!("{make} of {count} whose key {bad} fails");
            let held = |counts: Vec<(u32, u32)>| counts.into_iter().filter(|counts| *counts != (1, 1)).count();
            t.eq(format_args!("keys that {what} holds"), held(keys.iter().map(Homemade::counts).collect()), 0)?;
            t.eq(format_args!("values that {what} holds"), held(values.iter().map(Homemade::counts).collect()), 0)?;
        }
    }
    Ok(())
}

/// An error of `__any_equal__` reaches the caller, and no object stays held.
#[check(HSH_0015)]
fn equal_hook_fails(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, [0, 1, BAD, BAD]);
    let map = numbered(t, &views(&objects[..2]))?;
    t.no_lookup(&views(&objects[..2]), &objects[2].view(), &["ArithmeticError"])?;
    for (make, contains) in [("ffi.Array", "ffi.ArrayContains"), ("ffi.List", "ffi.ListContains")] {
        let (Some(make), Some(_)) = (globals::find(t, make)?, globals::find(t, contains)?) else { continue };
        // The hook fails for what is asked for, and for what is there.
        for (there, asked) in [(&objects[..2], &objects[2]), (&objects[2..3], &objects[0])] {
            let sequence = t.call(&make, &views(there))?;
            t.refuses(contains, &[sequence.any(), asked.view()], &["ArithmeticError"])?;
        }
    }
    drop(map);
    t.eq("strong counts of the objects", objects.iter().map(|object| object.counts().0).collect(), vec![1; 4])
}

/// An Error object that a C function answers as a hook is raised in the caller.
#[check(HSH_0016)]
fn native_hook_fails(t: &Trial) -> Verdict {
    let index = type_with(t, native(native_hash as *const ()), native(native_equal as *const ()))?;
    let error = t.new_error("ArithmeticError", "a hook fails", "")?;
    PREPARED.store(error.handle() as usize, Ordering::Relaxed);
    let objects = numbers(index, (0..8).chain([BAD]));
    t.no_lookup(&views(&objects[..2]), &objects[8].view(), &["ArithmeticError"])?;
    t.no_lookup(&views(&objects[..8]), &objects[8].view(), &["ArithmeticError"])?;
    for (make, contains) in [("ffi.Array", "ffi.ArrayContains"), ("ffi.List", "ffi.ListContains")] {
        let (Some(make), Some(_)) = (globals::find(t, make)?, globals::find(t, contains)?) else { continue };
        let sequence = t.call(&make, &views(&objects[..2]))?;
        t.refuses(contains, &[sequence.any(), objects[8].view()], &["ArithmeticError"])?;
    }
    // Each answer was a reference that the call took over.
    t.eq("counts of the error when nobody raises it any more", t.counts(error.handle())?, (1, 1))
}

/// Two values with the same sixteen bytes are equal without a hook being asked.
#[check(HSH_0017)]
fn same_object_unasked(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let bad = Number::new(index, BAD);
    let map = client::small_map(kTVMFFIMap, &[[bad.view(), view::int(5)]], 2);
    t.eq("value of a key that hooks fail for", t.call_int("ffi.MapGetItem", &[map.view(), bad.view()])?, 5)?;
    let array = t.call_global("ffi.Array", &[bad.view()])?;
    t.eq("whether an Array contains it", t.call_int("ffi.ArrayContains", &[array.any(), bad.view()])?, 1)?;
    t.eq("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)
}

/// An object is the same key as itself, and is known in an Array or a List, though the hook of its type says that no two objects are equal: the hook
/// is never asked about an object and itself.
#[check(HSH_0017)]
fn unequal_even_to_itself(t: &Trial) -> Verdict {
    let function = t.callback(hash_or_unequal)?;
    let mut hooks = vec![("verify.UnequalByFunction", function.any(), function.any())];
    // What else such a hook may be is for other clauses to say.
    if answers_values(t)? {
        let [hash, equal] = [native_hash as *const (), native_unequal as *const ()].map(native);
        hooks.push(("verify.UnequalByPointer", hash, equal));
    }
    for (key, hash, equal) in hooks {
        let index = types::new(t, key);
        t.set_hook(index, "__any_hash__", &hash)?;
        t.set_hook(index, "__any_equal__", &equal)?;
        for count in [1, 2, 3, 12] {
            let kept = numbers(index, 0..count);
            for (place, key) in kept.iter().enumerate() {
                t.same_key(&views(&kept), &key.view(), Some(place))?;
            }
            for make in ["ffi.Map", "ffi.Dict"] {
                let Some(function) = globals::find(t, make)? else { continue };
                let twice = kept.iter().chain(&kept).flat_map(|key| [key.view(), view::int(7)]).collect::<Vec<_>>();
                let size = t.call_int(&format!("{make}Size"), &[t.call(&function, &twice)?.any()])?;
                t.eq(format_args!("size of {make} of {count} objects that were given twice"), size, count as i64)?;
            }
        }
    }
    t.eq("times that a hook was asked about an object and itself", ASKED_ABOUT_ONE.load(Ordering::Relaxed), 0)
}

/// How often an equality was asked about an object and itself.
static ASKED_ABOUT_ONE: AtomicUsize = AtomicUsize::new(0);

/// Says of two objects that they are not equal.
fn unequal(one: u64, other: u64) -> TVMFFIAny {
    ASKED_ABOUT_ONE.fetch_add((one == other).into(), Ordering::Relaxed);
    view::bool(false)
}

/// The function object for both hooks: called with one object it answers the hash, with two that they are not equal.
fn hash_or_unequal(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    match args {
        [object] => Some(view::int(hash_of(number_of(object.payload())) as i64)),
        [one, other] => Some(unequal(one.payload(), other.payload())),
        _ => None,
    }
}

/// The same equality as a C function that answers a value.
///
/// # Safety
/// Both are objects.
unsafe extern "C" fn native_unequal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> TVMFFIAny {
    let [one, other] = [one, other].map(|value| memory::read(value).map_or(0, |value| value.payload()));
    unequal(one, other)
}
