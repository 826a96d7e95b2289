//! The global functions about maps and dicts.

use std::sync::atomic::{AtomicU64, Ordering};

use tvm_ffi_spec::{kTVMFFIDict, kTVMFFIMap};

use super::{
    change::*,
    dense::NO_SLOT,
    entry::Entry,
    find::*,
    layout::{Dict, Map, Mapping},
};
use crate::{
    border::error::{Error, Result},
    function::{
        Function,
        arguments::Arguments,
        row::{Row, row, typed_of},
        sentinels,
        signature::Signature,
    },
    value::any::{Any, AnyView},
};

/// The global functions about maps and dicts.
pub const GLOBALS: &[Row] = &[
    row("ffi.Map", |args| of_arguments(kTVMFFIMap, args.all()).map(Any::from)),
    row("ffi.MapSize(0: ffi.Map) -> int", |args| Ok((len(args.borrow::<Map>(0)?) as i64).into())),
    row("ffi.MapGetItem(0: ffi.Map, 1: Any) -> Any", |args| {
        let map = args.borrow::<Map>(0)?;
        args.look_at(1, |key| item(map, key))
    }),
    row("ffi.MapCount(0: ffi.Map, 1: Any) -> int", |args| {
        let map = args.borrow::<Map>(0)?;
        args.look_at(1, |key| count(map, key))
    }),
    row("ffi.MapForwardIterFunctor(0: ffi.Map) -> ffi.Function", |args| {
        forward_functor(args.borrow::<Map>(0)?).map(Any::from)
    }),
    row("ffi.MapGetItemOrMissing(0: ffi.Map, 1: Any) -> Any", |args| {
        let map = args.borrow::<Map>(0)?;
        args.look_at(1, |key| item_or_missing(map, key))
    }),
    row("ffi.Dict", |args| of_arguments(kTVMFFIDict, args.all()).map(Any::from)),
    row("ffi.DictSize(0: ffi.Dict) -> int", |args| Ok((len(args.borrow::<Dict>(0)?) as i64).into())),
    row("ffi.DictGetItem(0: ffi.Dict, 1: Any) -> Any", |args| {
        let map = args.borrow::<Dict>(0)?;
        args.look_at(1, |key| item(map, key))
    }),
    row("ffi.DictSetItem(0: Dict<Any, Any>, 1: Any, 2: Any) -> void", |args| {
        on_dict(args, |dict| insert(dict, args.any(1).to_owned()?, args.any(2).to_owned()?))
    }),
    row("ffi.DictCount(0: ffi.Dict, 1: Any) -> int", |args| {
        let map = args.borrow::<Dict>(0)?;
        args.look_at(1, |key| count(map, key))
    }),
    row("ffi.DictErase(0: Dict<Any, Any>, 1: Any) -> void", |args| {
        on_dict(args, |dict| args.look_at(1, |key| erase(dict, key).map(drop)))
    }),
    row("ffi.DictClear(0: Dict<Any, Any>) -> void", |args| {
        on_dict(args, |dict| {
            clear(dict);
            Ok(())
        })
    }),
    row("ffi.DictForwardIterFunctor(0: ffi.Dict) -> ffi.Function", |args| {
        forward_functor(args.borrow::<Dict>(0)?).map(Any::from)
    }),
    row("ffi.DictGetItemOrMissing(0: ffi.Dict, 1: Any) -> Any", |args| {
        let map = args.borrow::<Dict>(0)?;
        args.look_at(1, |key| item_or_missing(map, key))
    }),
];

fn of_arguments(type_index: i32, args: &[AnyView<'_>]) -> Result<Mapping> {
    let (pairs, rest) = args.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Error::new("InternalError", "Check failed: args.size() % 2 == 0 (1 vs. 0) : "));
    }
    of_pairs(type_index, pairs)
}

fn item(map: &Mapping, key: &AnyView<'_>) -> Result<Any> {
    // SAFETY: cloning a value runs no foreign code.
    match unsafe { find(map, key) }? {
        Some(value) => Ok(value.clone()),
        None => Err(Error::new("KeyError", "key is not in Map")),
    }
}

fn item_or_missing(map: &Mapping, key: &AnyView<'_>) -> Result<Any> {
    // SAFETY: cloning a value runs no foreign code.
    unsafe { find(map, key) }?.map_or_else(sentinels::missing, |value| Ok(value.clone()))
}

fn count(map: &Mapping, key: &AnyView<'_>) -> Result<Any> {
    Ok(i64::from(contains(map, key)?).into())
}

/// A function that walks a map: 0 answers the key and 1 the value of the current entry, anything else goes to the next
/// entry and answers whether there is one. It sees what becomes of the map meanwhile.
fn forward_functor(map: &Mapping) -> Result<Function> {
    static SIGNATURE: Signature = Signature::new("(0: int) -> Any");
    typed_of(&SIGNATURE, || {
        let (map, current) = (map.clone(), AtomicU64::new(first(map).unwrap_or(NO_SLOT)));
        move |args: &Arguments<'_>| part_of(&map, &current, args.int(0)?)
    })
}

/// The part of the current entry that a command asks for.
#[inline]
fn part_of(map: &Mapping, current: &AtomicU64, command: i64) -> Result<Any> {
    let position = current.load(Ordering::Relaxed);
    if !has_entry(map, position) {
        return Err(past_the_end());
    }
    // SAFETY: the position has an entry, and cloning runs no foreign code.
    let entry = unsafe { entry(map, position) };
    // SAFETY: as above.
    let (key, value) = unsafe { Entry::parts(entry) };
    let part = match command {
        0 => key,
        1 => value,
        _ => {
            // SAFETY: as above.
            let next = unsafe { behind(map, position, entry) };
            current.store(next.unwrap_or(NO_SLOT), Ordering::Relaxed);
            return Ok(next.is_some().into());
        }
    };
    Ok(part.clone())
}

#[cold]
#[inline(never)]
fn past_the_end() -> Error {
    Error::new("IndexError", "The iteration over a map is past its end")
}

/// Changes the first argument, a `Dict<Any, Any>`: a Map stands for a dict of its entries.
#[inline]
fn on_dict(args: &Arguments<'_>, change: impl FnOnce(&Dict) -> Result<()>) -> Result<Any> {
    let made;
    change(match args.any(0).cast_ref() {
        Some(dict) => dict,
        None => {
            made = dict_of_map(args)?;
            &made
        }
    })?;
    Ok(Any::NONE)
}

#[cold]
fn dict_of_map(args: &Arguments<'_>) -> Result<Dict> {
    match args.any(0).cast_ref::<Map>() {
        Some(map) => new_dict(entries(map)?),
        None => args.borrow(0).cloned(),
    }
}
