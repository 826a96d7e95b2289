//! Making and reading Maps, what stands for a missing key, and what is refused.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{FUNCTIONS, ints};
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::numbers::{flattened, up_to},
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// `ffi.Map` makes a Map of its arguments, which are keys and values in turn.
#[check(MAP_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let map = ints(t, &[(3, 30), (1, 10), (2, 20)])?;
    t.is_new(&map, kTVMFFIMap)?;
    t.maps_ints(map.handle(), &[(3, 30), (1, 10), (2, 20)])
}

/// `ffi.Map` makes an empty Map of no arguments.
#[check(MAP_0001)]
fn empty(t: &Trial) -> Verdict {
    let map = ints(t, &[])?;
    t.type_index_eq("type_index of the result", map.any().type_index, kTVMFFIMap)?;
    t.global_answers("ffi.MapSize", &[map.any()], 0)?;
    t.global_answers("ffi.MapCount", &[map.any(), TVMFFIAny::NONE], 0)?;
    t.maps_ints(map.handle(), &[])
}

/// `ffi.MapGetItem` finds every key of a Map of 1 to 300 entries.
#[check(MAP_0002)]
fn of_every_size(t: &Trial) -> Verdict {
    for len in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 300] {
        let entries: Vec<_> = (0..len).map(|key| (key * 7, key)).collect();
        let map = ints(t, &entries)?;
        t.global_answers("ffi.MapSize", &[map.any()], len)?;
        for (key, value) in &entries {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), view::int(*key)])?;
            t.eq(format_args!("value of {key} among {len}"), found, *value)?;
        }
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.any(), view::int(1)])?, 0)?;
    }
    Ok(())
}

/// `ffi.MapCount` and `ffi.MapGetItem` find a key in whatever form it is asked for, and none that is only like it.
#[check(MAP_0002, MAP_0004, patient = 2)]
fn finds_every_form(t: &Trial) -> Verdict {
    let doors = [("Count", id::MAP_0004), ("GetItem", id::MAP_0002)];
    [0, 9].into_iter().try_for_each(|others| t.finds_every_form("ffi.Map", others, &doors))
}

/// `ffi.MapGetItemOrMissing` finds a key in whatever form it is asked for, and none that is only like it.
#[check(MAP_0006)]
fn or_missing_finds_every_form(t: &Trial) -> Verdict {
    let doors = [("GetItemOrMissing", id::MAP_0006)];
    [0, 9].into_iter().try_for_each(|others| t.finds_every_form("ffi.Map", others, &doors))
}

/// `ffi.MapGetItem` and the iterator of a Map answer a value, whatever it is, and `ffi.MapCount` counts its key: None and what looks like
/// nothing too.
#[check(MAP_0002, MAP_0004, MAP_0014, patient = 2)]
fn answers_every_value(t: &Trial) -> Verdict {
    let doors = [("Count", id::MAP_0004), ("GetItem", id::MAP_0002), ("ForwardIterFunctor", id::MAP_0014)];
    [0, 9].into_iter().try_for_each(|others| t.answers_every_value("ffi.Map", others, &doors))
}

/// `ffi.MapGetItemOrMissing` answers a value, whatever it is: None and what looks like nothing too.
#[check(MAP_0006)]
fn or_missing_answers_every_value(t: &Trial) -> Verdict {
    let doors = [("GetItemOrMissing", id::MAP_0006)];
    [0, 9].into_iter().try_for_each(|others| t.answers_every_value("ffi.Map", others, &doors))
}

/// A Map tells keys apart that have one hash, and finds each.
#[check(MAP_0002, MAP_0004, MAP_0005)]
fn one_hash(t: &Trial) -> Verdict {
    [0, 9]
        .into_iter()
        .try_for_each(|others| t.tells_apart("ffi.Map", others, [id::MAP_0004, id::MAP_0002, id::MAP_0005]))
}

/// A Map tells keys apart that are nearly one, such as texts that differ in one byte, and finds each.
#[check(MAP_0002, MAP_0004, MAP_0005, patient = 2)]
fn nearly_one_key(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.tells_near_keys_apart("ffi.Map", [id::MAP_0004, id::MAP_0002, id::MAP_0005])
}

/// `ffi.MapGetItem` finds keys among 100,000, and `ffi.MapCount` is 0 for other keys.
#[check(MAP_0002, patient = 3)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    const COUNT: i64 = 100_000;
    let args: Vec<_> = (0..COUNT).flat_map(|key| [view::int(key * 3), view::int(key)]).collect();
    let map = t.call_global("ffi.Map", &args)?;
    t.global_answers("ffi.MapSize", &[map.any()], COUNT)?;
    let get = t.global("ffi.MapGetItem")?;
    for key in (0..COUNT).step_by(997) {
        let found = t.call(&get, &[map.any(), view::int(key * 3)])?;
        t.any_eq(format_args!("value of {}", key * 3), &found.any(), &view::int(key))?;
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.any(), view::int(key * 3 + 1)])?, 0)?;
    }
    Ok(())
}

/// `ffi.MapGetItem` answers a new reference to a value that is an object.
#[check(MAP_0003)]
fn get_is_owned(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut args = vec![view::int(-1), object.view()];
        args.extend(flattened(&up_to(others)));
        let map = t.call_global("ffi.Map", &args)?;
        let value = t.call_global("ffi.MapGetItem", &[map.any(), view::int(-1)])?;
        t.any_eq("the answer", &value.any(), &object.view())?;
        t.eq("strong count with the answer", object.counts().0, 3)?;
        drop(value);
        t.eq("strong count without it", object.counts().0, 2)?;
    }
    Ok(())
}

/// `ffi.MapSize` answers the number of keys, and `ffi.MapCount` 1 or 0.
#[check(MAP_0004)]
fn count_and_size(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &up_to(len))?;
        t.global_answers("ffi.MapSize", &[map.any()], len)?;
        for key in -2..len + 2 {
            let count = t.call_int("ffi.MapCount", &[map.any(), view::int(key)])?;
            t.eq(format_args!("ffi.MapCount of {key} among {len}"), count, (0..len).contains(&key).into())?;
        }
    }
    Ok(())
}

/// Four threads may read one Map at the same time.
#[check(MAP_0031)]
fn readers(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut args: Vec<_> = (0..20).flat_map(|key| [view::int(key), object.view()]).collect();
    args.extend([view::c_str(c"a text that is not short"), object.view()]);
    let map = t.call_global("ffi.Map", &args)?;
    let (map_word, get) = (map.any().payload(), t.global("ffi.MapGetItem")?.handle() as usize);
    t.api.note("4 threads call ffi.MapGetItem");
    t.threads(4, |t, _| {
        for round in 0..300 {
            let key = if round % 3 == 0 { view::c_str(c"a text that is not short") } else { view::int(round % 20) };
            let result = t.call_untraced(get, &[TVMFFIAny::new(kTVMFFIMap, map_word), key])?;
            t.type_index_eq("type_index of the value", result.type_index, kTVMFFIObject)?;
            homemade::release(result.payload() as TVMFFIObjectHandle);
        }
        Ok(())
    })?;
    t.eq("strong count of the value", object.counts().0, 22)
}

/// Four threads may read one Map through every function at the same time.
#[check(MAP_0031)]
fn readers_of_all(t: &Trial) -> Verdict {
    t.short_backtraces();
    for len in [3, 20] {
        let mut args: Vec<_> = (0..len).flat_map(|key| [view::int(key), view::int(key)]).collect();
        args.extend([view::c_str(c"a text that is not short"), view::float(0.5)]);
        let map = t.call_global("ffi.Map", &args)?.into_any();
        t.same_on_threads("what is read of a Map on several threads", |client| {
            client.all_that_is_read("ffi.Map", &map)
        })?;
    }
    Ok(())
}

/// `ffi.MapGetItem` raises a KeyError for a key that the Map does not have.
#[check(MAP_0005)]
fn missing_key(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &up_to(len))?;
        let before = t.counts(map.handle())?;
        for key in [view::int(99), TVMFFIAny::NONE, view::float(1.0), view::c_str(c"a text that is not short")] {
            t.refuses("ffi.MapGetItem", &[map.any(), key], &["KeyError"])?;
        }
        t.eq("counts of the Map", t.counts(map.handle())?, before)?;
    }
    Ok(())
}

/// `ffi.MapGetItemOrMissing` answers a key's value, or one sentinel object for every missing key.
#[check(MAP_0006)]
fn or_missing(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &up_to(len))?;
        t.has_sentinel("ffi.Map", &map, len)?;
    }
    Ok(())
}

/// Maps and Dicts answer the object of `ffi.GetInvalidObject` for a missing key.
#[check(MAP_0007)]
fn sentinel_is_one(t: &Trial) -> Verdict {
    let sentinel = t.call_global("ffi.GetInvalidObject", &[])?;
    t.is_answered_with_references(&sentinel, "ffi.GetInvalidObject", &[])?;
    for name in ["ffi.Map", "ffi.Dict"] {
        let empty = t.call_global(name, &[])?;
        let missing = t.call_global(&format!("{name}GetItemOrMissing"), &[empty.any(), view::int(1)])?;
        t.eq(format_args!("sentinel of {name}"), missing.handle(), sentinel.handle())?;
    }
    Ok(())
}

/// `ffi.Map` raises an error for a key without a value and holds none of its arguments.
#[check(MAP_0024)]
fn odd(t: &Trial) -> Verdict {
    t.refuses_odd("ffi.Map")
}

/// The functions of a Map raise a TypeError for an argument that is no Map.
#[check(MAP_0025)]
fn other_types(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[])?;
    t.refuse_first(FUNCTIONS, &[TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), array.any()])
}

/// The functions of a Map raise a TypeError for one argument too few or too many.
#[check(MAP_0026)]
fn argument_count(t: &Trial) -> Verdict {
    let map = ints(t, &[(1, 1)])?;
    for (name, count) in FUNCTIONS {
        let args = [map.any(), view::int(1), view::int(1)];
        t.refuses(name, &args[..count - 1], &["TypeError"])?;
        t.refuses(name, &args[..count + 1], &["TypeError"])?;
    }
    Ok(())
}
