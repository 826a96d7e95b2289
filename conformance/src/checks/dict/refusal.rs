//! What the functions of a Dict refuse, Maps and Dicts told apart, and a key whose hook fails.

use tvm_ffi_spec::*;

use super::kit::{FUNCTIONS, ints, set};
use crate::{
    checks::check,
    client::{Verdict, callback::raise, containers::numbers::up_to, homemade::Homemade, view},
    trial::Trial,
};

/// The functions that read a Map raise a TypeError for a Dict.
#[check(DCT_0020)]
fn map_refuses_dict(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 1)])?;
    for (name, count) in
        [("ffi.MapSize", 1), ("ffi.MapGetItem", 2), ("ffi.MapCount", 2), ("ffi.MapForwardIterFunctor", 1)]
    {
        t.refuses(name, &[dict.any(), view::int(1)][..count], &["TypeError"])?;
    }
    Ok(())
}

/// The functions that read a Dict raise a TypeError for a Map.
#[check(DCT_0020)]
fn readers_refuse_map(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[view::int(1), view::int(1)])?;
    let functions =
        [("ffi.DictSize", 1), ("ffi.DictGetItem", 2), ("ffi.DictCount", 2), ("ffi.DictForwardIterFunctor", 1)];
    for (name, count) in functions {
        t.refuses(name, &[map.any(), view::int(1)][..count], &["TypeError"])?;
    }
    Ok(())
}

/// The functions that change a Dict leave a Map in the place of a Dict as it was, whether they refuse it or not.
#[check(DCT_0021)]
fn map_is_copied(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let args: Vec<_> = (0..len).flat_map(|key| [view::int(key), object.view()]).collect();
        let map = t.call_global("ffi.Map", &args)?;
        t.returns("ffi.DictSetItem", &[map.any(), view::int(0), view::int(0)])?;
        t.returns("ffi.DictSetItem", &[map.any(), view::int(99), view::int(0)])?;
        t.returns("ffi.DictErase", &[map.any(), view::int(1)])?;
        t.returns("ffi.DictClear", &[map.any()])?;
        let entries = t.map(map.handle())?.entries;
        t.eq("entries of the Map", entries.len(), len as usize)?;
        t.eq("strong count of the values", object.counts().0, 1 + len as u32)?;
        t.eq("counts of the Map", t.counts(map.handle())?, (1, 1))?;
    }
    Ok(())
}

/// `ffi.Dict` raises an error for a key without a value and holds none of its arguments.
#[check(DCT_0022)]
fn odd(t: &Trial) -> Verdict {
    t.refuses_odd("ffi.Dict")
}

/// The functions of a Dict raise a TypeError for an argument that is neither a Dict nor a Map.
#[check(DCT_0022)]
fn other_types(t: &Trial) -> Verdict {
    let list = t.call_global("ffi.List", &[])?;
    t.refuse_first(FUNCTIONS, &[TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), list.any()])
}

/// The functions of a Dict raise a TypeError for one argument too few or too many.
#[check(DCT_0022)]
fn argument_count(t: &Trial) -> Verdict {
    let (dict, object) = (ints(t, &[(1, 1)])?, Homemade::new(kTVMFFIObject, ()));
    for (name, count) in FUNCTIONS {
        let args = [dict.any(), object.view(), object.view(), object.view()];
        t.refuses(name, &args[..count - 1], &["TypeError"])?;
        t.refuses(name, &args[..count + 1], &["TypeError"])?;
        t.maps_ints(dict.handle(), &[(1, 1)])?;
    }
    t.eq("strong count of what was refused", object.counts().0, 1)
}

/// A Dict stays as it was, and holds nothing of the entry, when the hook of a key fails.
#[check(DCT_0033)]
fn hook_fails(t: &Trial) -> Verdict {
    let hook = t.callback(|api, _| raise(api, c"ArithmeticError", c"a hook fails"))?;
    let key = TVMFFIByteArray::new(b"verify.Unhashable");
    let index = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
    for column in ["__any_hash__", "__any_equal__"] {
        t.set_hook(index, column, &hook.any())?;
    }
    let (bad, value) = (Homemade::new(index, ()), Homemade::new(kTVMFFIObject, ()));
    let entries = up_to(9);
    let dict = ints(t, &entries)?;
    t.refuses("ffi.DictSetItem", &[dict.any(), bad.view(), value.view()], &["ArithmeticError"])?;
    t.refuses("ffi.DictErase", &[dict.any(), bad.view()], &["ArithmeticError"])?;
    t.maps_ints(dict.handle(), &entries)?;
    t.eq("strong counts of key and value", (bad.counts().0, value.counts().0), (1, 1))?;
    set(t, &dict, 9, 9)?;
    t.eq("entries", t.map(dict.handle())?.entries.len(), 10)
}
