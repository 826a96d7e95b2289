//! Dicts that a callback changes while they are mapped.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicI64, AtomicPtr, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{POST, PRE, ask, entries, remember_text, take_seen};
use crate::{
    checks::check,
    client::{Verdict, api::Api, homemade::release, view},
    trial::Trial,
};

/// Where a callback of a structural map erases an entry of the Dict that is being mapped, the map fails with an error, or the callback is called once
/// for the value of each entry that was there all along, and its answers stand in their places.
#[check(VIS_0049, VIS_0018)]
fn erased_while_it_is_mapped(t: &Trial) -> Verdict {
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, erase_and_add)])?, entries(t, &[])?);
    for (size, order) in [2, 3, 4, 5, 7, 9, 20].into_iter().flat_map(|size| [(size, PRE), (size, POST)]) {
        let mut places = vec![0, 1, size / 2, size - 1];
        places.dedup();
        for (call, erased) in places.iter().flat_map(|call| places.iter().map(move |erased| (*call, *erased))) {
            // Keys from 0 on, each with a value that tells it.
            let args: Vec<_> = (0..size).flat_map(|key| [view::int(key), view::int(100 + key)]).collect();
            let dict = t.call_global("ffi.Dict", &args)?;
            DICT.store(dict.handle(), Ordering::Release);
            CALL.store(call, Ordering::Release);
            ERASED.store(erased, Ordering::Release);
            let args = [dict.any(), callbacks.any(), none.any(), view::int(order)];
            t.clause(id::VIS_0049);
            let answer = t.answer("ffi.StructuralMap", &args)?;
            let (seen, what) = (take_seen(), format!("a Dict of {size}, {erased} of which is erased in call {call}"));
            // A library may refuse to go on with what has changed meanwhile.
            let Ok(mapped) = answer else { continue };
            t.type_index_eq(format_args!("what becomes of {what}"), mapped.any().type_index, kTVMFFIDict)?;
            let found = t.map(mapped.handle())?.entries;
            for key in (0..size).filter(|key| *key != erased) {
                t.clause(id::VIS_0049);
                let value = (100 + key).to_string();
                let count = seen.iter().filter(|seen| **seen == value).count();
                t.eq(format_args!("calls with the value of entry {key} of {what}"), count, 1)?;
                t.clause(id::VIS_0018);
                let entry = found.iter().find(|(found, _)| found.to_bytes() == view::int(key).to_bytes());
                let value = entry.map_or(TVMFFIAny::NONE, |(_, value)| *value);
                t.any_eq(format_args!("the value of entry {key} of {what}"), &value, &view::int(1100 + key))?;
            }
        }
    }
    Ok(())
}

/// The Dict that is mapped, which the check keeps alive.
static DICT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The key to be erased, and how many calls there are before that.
static ERASED: AtomicI64 = AtomicI64::new(0);
static CALL: AtomicI64 = AtomicI64::new(0);

/// Notes its argument, erases the entry when it is time, and answers the argument with a thousand more.
fn erase_and_add(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let number = args.first()?.payload() as i64;
    remember_text(&number.to_string());
    if CALL.fetch_sub(1, Ordering::AcqRel) == 0 {
        let dict = TVMFFIAny::new(kTVMFFIDict, DICT.load(Ordering::Acquire) as u64);
        match ask(api, "ffi.DictErase", &[dict, view::int(ERASED.load(Ordering::Acquire))]) {
            Some(answer) if answer.type_index >= kTVMFFIStaticObjectBegin => {
                release(answer.payload() as TVMFFIObjectHandle)
            }
            Some(_) => {}
            // A library may refuse to change what it looks into.
            None => api.release_raised(),
        }
    }
    Some(view::int(number + 1000))
}
