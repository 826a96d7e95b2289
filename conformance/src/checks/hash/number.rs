//! A type whose objects hold a number, and hooks of every form for the number's hash and equality.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Verdict,
        api::Api,
        callback::raise,
        homemade::{self, Homemade},
        memory, view,
    },
    trial::Trial,
};

/// An object whose hash and equality are those of a number that it holds.
pub(super) type Number = Homemade<u64>;

/// What hooks answer for the hash of a number: few different ones, which differ in nothing but their upper halves, so that all of
/// their 64 bits have to count.
pub(super) const fn hash_of(number: u64) -> u64 {
    const UPPER: [u64; 3] = [0, 1 << 40, 1 << 63 | 1 << 44];
    UPPER[(number % 3) as usize] + 1000
}

/// How often a hook was asked.
pub(super) static ASKED: AtomicUsize = AtomicUsize::new(0);

/// The number for which hooks fail.
pub(super) const BAD: u64 = 666;

/// The Error object that native hooks answer for [`BAD`]; its address, or 0.
pub(super) static PREPARED: AtomicUsize = AtomicUsize::new(0);

/// The number that an object holds, by its address.
pub(super) fn number_of(object: u64) -> u64 {
    memory::read((object as *const u64).wrapping_byte_add(size_of::<TVMFFIObject>())).unwrap_or(BAD)
}

/// The function object for both hooks: called with one object it answers the hash, with two whether they are equal.
pub(super) fn hash_or_equal(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let numbers: Vec<_> = args.iter().map(|arg| number_of(arg.payload())).collect();
    match numbers[..] {
        _ if numbers.contains(&BAD) => raise(api, c"ArithmeticError", c"a hook fails"),
        [number] => Some(view::int(hash_of(number) as i64)),
        [one, other] => Some(view::bool(one == other)),
        _ => None,
    }
}

/// The hash as a C function that answers a value.
///
/// # Safety
/// `value` is an object with a number.
pub(super) unsafe extern "C" fn native_hash(value: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let number = memory::read(value).map_or(BAD, |value| number_of(value.payload()));
    if number == BAD { failed() } else { view::int(hash_of(number) as i64) }
}

/// The equality as a C function that answers a value.
///
/// # Safety
/// Both are objects with a number.
pub(super) unsafe extern "C" fn native_equal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let [one, other] = [one, other].map(|value| memory::read(value).map_or(BAD, |value| number_of(value.payload())));
    if one == BAD || other == BAD { failed() } else { view::bool(one == other) }
}

/// The Error object that the check has made in advance, as a native hook answers it.
fn failed() -> TVMFFIAny {
    let error = PREPARED.load(Ordering::Relaxed);
    homemade::retain(error as TVMFFIObjectHandle);
    TVMFFIAny::new(kTVMFFIError, error as u64)
}

/// The hash as a C function that answers a bare number.
///
/// # Safety
/// As [`native_hash`].
pub(super) unsafe extern "C" fn former_hash(value: *const TVMFFIAny) -> u64 {
    ASKED.fetch_add(1, Ordering::Relaxed);
    memory::read(value).map_or(0, |value| hash_of(number_of(value.payload())))
}

/// The equality as a C function that answers a bare boolean.
///
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
    let index = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
    t.that("index of a new type", index > kTVMFFIObject, "one above 64", index)?;
    for (column, hook) in [("__any_hash__", hash), ("__any_equal__", equal)] {
        if hook.type_index != kTVMFFINone {
            t.set_hook(index, column, &hook)?;
        }
    }
    Ok(index)
}

/// That type without hooks, which [`type_with_functions`] gives to it afterwards.
pub(super) fn type_without(t: &Trial) -> Verdict<i32> {
    type_with(t, TVMFFIAny::NONE, TVMFFIAny::NONE)
}

/// A type whose objects hold a number, with a function object for both hooks.
pub(super) fn type_with_functions(t: &Trial) -> Verdict<i32> {
    let hook = t.callback(hash_or_equal)?;
    type_with(t, hook.any(), hook.any())
}

/// A C function as a hook.
pub(super) fn native(function: *const ()) -> TVMFFIAny {
    view::pointer(function.cast_mut().cast())
}

/// Objects of that type with these numbers.
pub(super) fn numbers(index: i32, values: impl IntoIterator<Item = u64>) -> Vec<Number> {
    values.into_iter().map(|value| Homemade::new(index, value)).collect()
}

/// Gives an object another number.
pub(super) fn renumber(object: &Number, number: u64) {
    let cell = object.handle().wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<u64>();
    // SAFETY: the object is the suite's own and never freed, its number follows its header, and nobody else looks now.
    unsafe { cell.write(number) };
}

pub(super) fn views(objects: &[Number]) -> Vec<TVMFFIAny> {
    objects.iter().map(Homemade::view).collect()
}
