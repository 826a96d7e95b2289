//! Functions of the suite's own that the library calls: while a program is written, what they do is noticed.
//!
//! The library is given a function in the place of another, one for each, and the `self` that it would have been given anyhow.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFISafeCallType};

use crate::client::program;

/// How many functions can be noticed in one process.
const MOST: usize = 16;

/// The functions in whose places others stand.
static ORIGINALS: [AtomicUsize; MOST] = [const { AtomicUsize::new(0) }; MOST];

/// What stands in the places.
const STAND_INS: [TVMFFISafeCallType; MOST] = [
    stand_in::<0>,
    stand_in::<1>,
    stand_in::<2>,
    stand_in::<3>,
    stand_in::<4>,
    stand_in::<5>,
    stand_in::<6>,
    stand_in::<7>,
    stand_in::<8>,
    stand_in::<9>,
    stand_in::<10>,
    stand_in::<11>,
    stand_in::<12>,
    stand_in::<13>,
    stand_in::<14>,
    stand_in::<15>,
];

/// What the library is given for a function. That function itself where no program is written, or there are too many.
pub fn noticed(function: TVMFFISafeCallType) -> TVMFFISafeCallType {
    if !program::is_on() {
        return function;
    }
    let address = function as usize;
    let takes = |place: &AtomicUsize| {
        let taken = place.compare_exchange(0, address, Ordering::SeqCst, Ordering::SeqCst);
        taken.is_ok() || taken == Err(address)
    };
    ORIGINALS.iter().position(takes).map_or(function, |place| STAND_INS[place])
}

/// # Safety
/// As for the function in whose place it stands.
unsafe extern "C" fn stand_in<const PLACE: usize>(
    this: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    let address = ORIGINALS[PLACE].load(Ordering::SeqCst);
    // SAFETY: `noticed` put a function of this type there before it gave this one out.
    let function = unsafe { std::mem::transmute::<usize, TVMFFISafeCallType>(address) };
    let is_noticed = program::is_called(address, this, args, count);
    // SAFETY: by contract.
    let status = unsafe { function(this, args, count, result) };
    if is_noticed {
        program::has_answered(status, result);
    }
    status
}
