//! Reading Dicts: values, counts, sizes and what stands for a missing key.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{ints, set};
use crate::{
    checks::check,
    client::{Client, Verdict, containers::numbers::up_to, homemade::Homemade, view},
    trial::Trial,
};

/// `ffi.DictGetItem` answers a key's value, `ffi.DictCount` 1 or 0, and `ffi.DictSize` the number of keys.
#[check(DCT_0006)]
fn reads(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for len in [0, 3, 20] {
        let dict = ints(t, &up_to(len))?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), object.view()])?;
        t.global_answers("ffi.DictSize", &[dict.any()], len + 1)?;
        for key in 0..len {
            t.global_answers("ffi.DictGetItem", &[dict.any(), view::int(key)], key)?;
            t.global_answers("ffi.DictCount", &[dict.any(), view::int(key)], 1)?;
        }
        t.eq("ffi.DictCount of no key", t.call_int("ffi.DictCount", &[dict.any(), view::int(len)])?, 0)?;
        let value = t.call_global("ffi.DictGetItem", &[dict.any(), view::int(-1)])?;
        t.any_eq("a value that is an object", &value.any(), &object.view())?;
        t.eq("strong count with the answer", object.counts().0, 3)?;
    }
    Ok(())
}

/// Every function of a Dict that looks a key up finds it in whatever form it is asked for, and none that is only like it.
#[check(DCT_0006, DCT_0008, patient = 2)]
fn finds_every_form(t: &Trial) -> Verdict {
    let doors = [("Count", id::DCT_0006), ("GetItem", id::DCT_0006), ("GetItemOrMissing", id::DCT_0008)];
    [0, 9].into_iter().try_for_each(|others| t.finds_every_form("ffi.Dict", others, &doors))
}

/// Every function of a Dict that reads a value answers it, whatever it is: None and what looks like nothing too.
#[check(DCT_0006, DCT_0008, DCT_0015, patient = 2)]
fn answers_every_value(t: &Trial) -> Verdict {
    let read = [("Count", id::DCT_0006), ("GetItem", id::DCT_0006), ("GetItemOrMissing", id::DCT_0008)];
    let doors = [&read[..], &[("ForwardIterFunctor", id::DCT_0015)]].concat();
    [0, 9].into_iter().try_for_each(|others| t.answers_every_value("ffi.Dict", others, &doors))
}

/// A Dict tells keys apart that have one hash, and finds each.
#[check(DCT_0006, DCT_0007)]
fn one_hash_read(t: &Trial) -> Verdict {
    [0, 9]
        .into_iter()
        .try_for_each(|others| t.tells_apart("ffi.Dict", others, [id::DCT_0006, id::DCT_0006, id::DCT_0007]))
}

/// A Dict tells keys apart that are nearly one, such as texts that differ in one byte, and finds each.
#[check(DCT_0006, DCT_0007, patient = 2)]
fn nearly_one_key_read(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.tells_near_keys_apart("ffi.Dict", [id::DCT_0006, id::DCT_0006, id::DCT_0007])
}

/// `ffi.DictGetItem` raises a KeyError for a key that the Dict does not have.
#[check(DCT_0007)]
fn missing_key(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let dict = ints(t, &up_to(len))?;
        for key in [view::int(99), TVMFFIAny::NONE, view::c_str(c"a text that is not short")] {
            t.refuses("ffi.DictGetItem", &[dict.any(), key], &["KeyError"])?;
        }
    }
    Ok(())
}

/// `ffi.DictGetItemOrMissing` answers a key's value, or one sentinel object for every missing key.
#[check(DCT_0008)]
fn or_missing(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let dict = ints(t, &up_to(len))?;
        t.has_sentinel("ffi.Dict", &dict, len)?;
    }
    Ok(())
}

/// The function that `ffi.DictForwardIterFunctor` answers walks through every entry in order, then tells the end.
#[check(DCT_0015)]
fn iterates(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 4, 5, 30, 300, 1030] {
        let dict = ints(t, &[])?;
        let entries: Vec<_> = (0..len).map(|key| (key * 37 % 10_007, key)).collect();
        for (key, value) in &entries {
            set(t, &dict, *key, *value)?;
        }
        let next = t.call_global("ffi.DictForwardIterFunctor", &[dict.any()])?;
        t.type_index_eq("type_index of an iterator", next.any().type_index, kTVMFFIFunction)?;
        for (index, (key, value)) in entries.iter().enumerate() {
            let ask = |command| t.call(&next, &[view::int(command)]).map(|answer| answer.any());
            t.any_eq(format_args!("key {index} of {len}"), &ask(0)?, &view::int(*key))?;
            t.any_eq(format_args!("value {index} of {len}"), &ask(1)?, &view::int(*value))?;
            t.any_eq(format_args!("answer behind entry {index}"), &ask(2)?, &view::bool(index + 1 < entries.len()))?;
        }
    }
    Ok(())
}

/// The function that `ffi.DictForwardIterFunctor` answers walks through as many entries as there are, also where that is more than a number of
/// eight or sixteen bits counts.
#[check(DCT_0015, patient = 2)]
fn iterates_through_many(t: &Trial) -> Verdict {
    [256, 257, 65_537]
        .into_iter()
        .try_for_each(|len| t.iterates_through("ffi.DictForwardIterFunctor", &ints(t, &up_to(len))?, len))
}

/// A function from `ffi.DictForwardIterFunctor` goes on where it was, whichever thread has made it and calls it.
#[check(DCT_0015)]
fn iterates_on_any_thread(t: &Trial) -> Verdict {
    [1, 4, 5, 30].into_iter().try_for_each(|len| {
        let dict = ints(t, &up_to(len))?;
        t.iterates_on_any_thread("ffi.DictForwardIterFunctor", &dict, &up_to(len))
    })
}

/// Four threads may read one Dict through every function at the same time.
#[check(DCT_0036)]
fn readers_of_all(t: &Trial) -> Verdict {
    t.short_backtraces();
    for len in [3, 20] {
        let mut args: Vec<_> = (0..len).flat_map(|key| [view::int(key), view::int(key)]).collect();
        args.extend([view::c_str(c"a text that is not short"), view::float(0.5)]);
        let dict = t.call_global("ffi.Dict", &args)?.into_any();
        let read = |client: &Client| client.all_that_is_read("ffi.Dict", &dict);
        t.same_on_threads("what is read of a Dict on several threads", read)?;
    }
    Ok(())
}
