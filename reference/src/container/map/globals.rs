//! The global functions about maps and dicts.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
};

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
        row::{Row, row, typed},
        sentinels,
        signature::Signature,
    },
    value::any::{Any, AnyView},
};

/// The global functions about maps and dicts.
pub const GLOBALS: &[Row] = &[
    row("ffi.Map", |args| of_arguments(kTVMFFIMap, args.all())),
    row("ffi.MapSize(0: ffi.Map) -> int", |args| Ok((len(args.borrow::<Map>(0)?) as i64).into())),
    row("ffi.MapGetItem(0: ffi.Map, 1: Any) -> Any", |args| {
        item(args.borrow::<Map>(0)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.MapCount(0: ffi.Map, 1: Any) -> int", |args| {
        count(args.borrow::<Map>(0)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.MapForwardIterFunctor(0: ffi.Map) -> ffi.Function", |args| {
        Ok(forward_functor(args.borrow::<Map>(0)?).into())
    }),
    row("ffi.MapGetItemOrMissing(0: ffi.Map, 1: Any) -> Any", |args| {
        item_or_missing(args.borrow::<Map>(0)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.Dict", |args| of_arguments(kTVMFFIDict, args.all())),
    row("ffi.DictSize(0: ffi.Dict) -> int", |args| Ok((len(args.borrow::<Dict>(0)?) as i64).into())),
    row("ffi.DictGetItem(0: ffi.Dict, 1: Any) -> Any", |args| {
        item(args.borrow::<Dict>(0)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.DictSetItem(0: Dict<Any, Any>, 1: Any, 2: Any) -> void", |args| {
        insert(&*dict_argument(args, 0)?, args.any(1).to_owned()?, args.any(2).to_owned()?)?;
        Ok(Any::NONE)
    }),
    row("ffi.DictCount(0: ffi.Dict, 1: Any) -> int", |args| {
        count(args.borrow::<Dict>(0)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.DictErase(0: Dict<Any, Any>, 1: Any) -> void", |args| {
        erase(&*dict_argument(args, 0)?, args.value(1, &mut Any::default())?)?;
        Ok(Any::NONE)
    }),
    row("ffi.DictClear(0: Dict<Any, Any>) -> void", |args| {
        clear(&*dict_argument(args, 0)?);
        Ok(Any::NONE)
    }),
    row("ffi.DictForwardIterFunctor(0: ffi.Dict) -> ffi.Function", |args| {
        Ok(forward_functor(args.borrow::<Dict>(0)?).into())
    }),
    row("ffi.DictGetItemOrMissing(0: ffi.Dict, 1: Any) -> Any", |args| {
        item_or_missing(args.borrow::<Dict>(0)?, args.value(1, &mut Any::default())?)
    }),
];

fn of_arguments(type_index: i32, args: &[AnyView<'_>]) -> Result<Any> {
    let (pairs, rest) = args.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Error::new("InternalError", "Check failed: args.size() % 2 == 0 (1 vs. 0) : "));
    }
    Ok(of_pairs(type_index, pairs)?.into())
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
    Ok(unsafe { find(map, key) }?.map_or_else(sentinels::missing, Any::clone))
}

fn count(map: &Mapping, key: &AnyView<'_>) -> Result<Any> {
    Ok(i64::from(contains(map, key)?).into())
}

/// A function that walks a map: 0 answers the key and 1 the value of the current entry, anything else goes to the next
/// entry and answers whether there is one. It sees what becomes of the map meanwhile.
fn forward_functor(map: &Mapping) -> Function {
    let map = map.clone();
    let current = AtomicU64::new(first(&map).unwrap_or(NO_SLOT));
    static SIGNATURE: Signature = Signature::new("(0: int) -> Any");
    typed(&SIGNATURE, move |args| {
        let command = args.int(0)?;
        let position = current.load(Ordering::Relaxed);
        if !has_entry(&map, position) {
            return Err(past_the_end());
        }
        // SAFETY: the position has an entry, and cloning runs no foreign code.
        let (key, value) = unsafe { Entry::parts(entry(&map, position)) };
        Ok(match command {
            0 => key.clone(),
            1 => value.clone(),
            _ => {
                // SAFETY: as above.
                let next = unsafe { following(&map, position) };
                current.store(next.unwrap_or(NO_SLOT), Ordering::Relaxed);
                next.is_some().into()
            }
        })
    })
}

#[cold]
fn past_the_end() -> Error {
    Error::new("IndexError", "The iteration over a map is past its end")
}

/// A `Dict<Any, Any>`: a Map stands for a dict of its entries.
fn dict_argument<'a>(args: &Arguments<'a>, index: usize) -> Result<Cow<'a, Dict>> {
    let Some(map) = args.any(index).cast_ref::<Map>() else {
        return args.borrow(index).map(Cow::Borrowed);
    };
    new_dict(entries(map)?).map(Cow::Owned)
}
