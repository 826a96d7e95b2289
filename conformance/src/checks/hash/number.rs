//! A type whose objects hold a number, and hooks of every form for the number's hash and equality.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Verdict,
        callback::raise,
        homemade::{self, Homemade},
        memory, view,
    },
    trial::Trial,
};

/// An object whose hash and equality are those of a number that it holds.
pub(super) type Number = Homemade<u64>;

/// What hooks answer for the hash of a number: few different ones.
pub(super) const fn hash_of(number: u64) -> u64 {
    number % 3 + 1000
}

/// How often a hook was asked.
pub(super) static ASKED: AtomicUsize = AtomicUsize::new(0);

/// The number for which hooks fail.
pub(super) const BAD: u64 = 666;

pub(super) static PREPARED: AtomicUsize = AtomicUsize::new(0);

pub(super) fn number_of(object: u64) -> u64 {
    memory::read((object as *const u64).wrapping_byte_add(size_of::<TVMFFIObject>())).unwrap_or(BAD)
}

/// # Safety
/// `args` are `count` values and `result` is a slot for one.
pub(super) unsafe extern "C" fn hash_function(
    this: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let args: Vec<_> = (0..count as usize).filter_map(|index| memory::read(args.wrapping_add(index))).collect();
    let numbers: Vec<_> = args.iter().map(|arg| number_of(arg.payload())).collect();
    if numbers.contains(&BAD) {
        // SAFETY: the function was made with a raiser.
        return unsafe { raise(this) };
    }
    let answer = match numbers[..] {
        [number] => view::int(hash_of(number) as i64),
        [one, other] => view::bool(one == other),
        _ => return -1,
    };
    // SAFETY: by contract.
    unsafe { result.write(answer) };
    0
}

/// # Safety
/// `value` is an object with a number.
pub(super) unsafe extern "C" fn native_hash(value: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let number = memory::read(value).map_or(BAD, |value| number_of(value.payload()));
    if number == BAD { failed() } else { view::int(hash_of(number) as i64) }
}

/// # Safety
/// Both are objects with a number.
pub(super) unsafe extern "C" fn native_equal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let [one, other] = [one, other].map(|value| memory::read(value).map_or(BAD, |value| number_of(value.payload())));
    if one == BAD || other == BAD { failed() } else { view::bool(one == other) }
}

/// An error that the check has made in advance, as a native hook answers it.
pub(super) fn failed() -> TVMFFIAny {
    let error = PREPARED.load(Ordering::Relaxed);
    homemade::retain(error as TVMFFIObjectHandle);
    TVMFFIAny::new(kTVMFFIError, error as u64)
}

/// # Safety
/// As [`native_hash`].
pub(super) unsafe extern "C" fn former_hash(value: *const TVMFFIAny) -> u64 {
    ASKED.fetch_add(1, Ordering::Relaxed);
    memory::read(value).map_or(0, |value| hash_of(number_of(value.payload())))
}

/// # Safety
/// As [`native_equal`].
pub(super) unsafe extern "C" fn former_equal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> bool {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let [one, other] = [one, other].map(|value| memory::read(value).map(|value| number_of(value.payload())));
    one == other
}

/// A type whose objects hold a number, with hooks for hash and equality.
pub(super) fn type_with(t: &Trial, hash: TVMFFIAny, equal: TVMFFIAny) -> Verdict<i32> {
    let key = TVMFFIByteArray::new(b"verify.Number");
    let index = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
    t.that("index of a new type", index > kTVMFFIObject, "one above 64", index)?;
    for (column, hook) in [("__any_hash__", hash), ("__any_equal__", equal)] {
        if hook.type_index != kTVMFFINone {
            t.ok(t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(column.as_bytes()), &hook))?;
        }
    }
    Ok(index)
}

/// Such a type with function objects for hooks.
pub(super) fn type_with_functions(t: &Trial) -> Verdict<i32> {
    let hook = t.function(t.raiser()?, hash_function, None)?;
    type_with(t, hook.any(), hook.any())
}

pub(super) fn native(function: *const ()) -> TVMFFIAny {
    view::pointer(function.cast_mut().cast())
}

pub(super) fn numbers(index: i32, values: impl IntoIterator<Item = u64>) -> Vec<Number> {
    values.into_iter().map(|value| Homemade::new(index, value)).collect()
}

pub(super) fn views(objects: &[Number]) -> Vec<TVMFFIAny> {
    objects.iter().map(Homemade::view).collect()
}
