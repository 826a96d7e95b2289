//! Big integers as arguments, results and owned copies.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicU64, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{BIGS, holds, make};
use crate::{
    checks::check,
    client::{Verdict, dirty, memory},
    trial::Trial,
};

/// A function that is called with a BigInt receives that very object.
#[check(BIG_0016)]
fn as_argument(t: &Trial) -> Verdict {
    static SEEN: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
    unsafe extern "C" fn look(_: *mut c_void, args: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        let words: Option<[u64; 2]> = memory::read(args.cast());
        let object = words.and_then(|[_, payload]| memory::read(payload as *const TVMFFIObject));
        let seen = words.zip(object).map(|([head, payload], object)| [head, payload, object.combined_ref_count]);
        for (place, word) in SEEN.iter().zip(seen.unwrap_or_default()) {
            place.store(word, Ordering::Relaxed);
        }
        0
    }
    let function = t.function(std::ptr::null_mut(), look, None)?;
    let made = make(t, BIGS[3])?;
    let before = t.counts(made.handle())?;
    t.call(&function, &[made.any()])?;
    let [head, payload, counts] = SEEN.each_ref().map(|place| place.load(Ordering::Relaxed));
    t.eq("type index and padding that the function saw", head, kTVMFFIBigInt as u64)?;
    t.eq("object that the function saw", payload, made.handle() as u64)?;
    t.that("strong count during the call", counts as u32 >= 1, "at least 1", counts as u32)?;
    t.eq("strong and weak count afterwards", t.counts(made.handle())?, before)
}

/// A function that answers a BigInt gives its caller that very object.
#[check(BIG_0016)]
fn as_result(t: &Trial) -> Verdict {
    /// Answers the object that the function was made with; its caller has taken the reference that goes with the
    /// result.
    unsafe extern "C" fn answer(object: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller of a function hands it a result to write.
        unsafe { *result = TVMFFIAny::new(kTVMFFIBigInt, object as u64) };
        0
    }
    let made = make(t, BIGS[4])?;
    let (strong, weak) = t.counts(made.handle())?;
    let function = t.function(made.handle(), answer, None)?;
    t.ok(t.api.TVMFFIObjectIncRef(made.handle()))?;
    let result = t.call(&function, &[])?;
    t.any_eq("the result", &result.any(), &made.any())?;
    t.eq("strong and weak count with the result", t.counts(made.handle())?, (strong + 1, weak))?;
    drop(result);
    t.eq("strong and weak count without it", t.counts(made.handle())?, (strong, weak))
}

/// An owned copy of a view of a BigInt is the same object with one reference more.
#[check(BIG_0016)]
fn view_to_owned(t: &Trial) -> Verdict {
    let made = make(t, BIGS[3])?;
    let (strong, weak) = t.counts(made.handle())?;
    let mut out = dirty(kTVMFFIInt);
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&made.any(), &mut out))?;
    let owned = t.own(out);
    t.any_eq("the owned value", &owned.any(), &made.any())?;
    t.eq("strong and weak count", t.counts(owned.handle())?, (strong + 1, weak))?;
    drop(made);
    holds(t, "content", &owned.any(), BIGS[3])
}
