//! Which values are the same key, and where a key goes.
//!
//! A dense Map shows the hash of each of its keys: it is in the chain that begins where the hash leads to. The reader of
//! the suite computes these places for itself, so reading a Map of some keys checks their hashes to the bit.

use std::{
    ffi::c_int,
    sync::atomic::{AtomicUsize, Ordering},
};

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{client, hash, keys::text_object, map::Map},
        homemade::Homemade,
        memory, view,
    },
    trial::Trial,
};

// ---- plain values ----------------------------------------------------------------------------------------------------

/// The hash of an integer combines its type index and its value, which decides its slot in a dense Map.
#[check(HSH_0001)]
fn integers(t: &Trial) -> Verdict {
    dense_of(t, &[0, 1, -1, 42, 1_000_000_007, 1 << 32, i64::MIN, i64::MAX].map(view::int)).map(drop)
}

/// The hash of a value that is no object combines its type index and its payload.
#[check(HSH_0001)]
fn plain_values(t: &Trial) -> Verdict {
    let mut place = 0_u64;
    let values = [
        TVMFFIAny::NONE,
        view::bool(false),
        view::bool(true),
        view::float(0.0),
        view::float(-0.0),
        view::float(1.5),
        view::float(f64::NAN),
        view::float(f64::NEG_INFINITY),
        view::pointer((&raw mut place).cast()),
        TVMFFIAny::new(kTVMFFIDevice, 3 << 32 | 2),
        TVMFFIAny::new(kTVMFFIDataType, 0x0004_1002),
    ];
    dense_of(t, &values).map(drop)
}

/// The hash of a random 64-bit integer combines its type index and its value.
#[check(HSH_0001, patient = 2)]
fn many_integers(t: &Trial) -> Verdict {
    t.property(vec(any::<i64>(), 5..40), |numbers| {
        let mut keys = numbers.clone();
        keys.sort_unstable();
        keys.dedup();
        keys.extend([-1, -2, -3, -4, -5].into_iter().filter(|extra| !numbers.contains(extra)));
        dense_of(t, &keys.into_iter().map(view::int).collect::<Vec<_>>()).map(drop)
    })
}

// ---- texts -----------------------------------------------------------------------------------------------------------

const TEXT: &[u8] = b"The quick brown fox jumps over the lazy dog, 0123456789 times \xff\x80\x00 and back again.";

/// The hash of a String of up to seven bytes is that of its content.
#[check(HSH_0002)]
fn small_strings(t: &Trial) -> Verdict {
    let texts: Vec<_> = (0..=7).map(|len| t.string(&TEXT[..len])).collect::<Verdict<_>>()?;
    t.eq("type_index of the longest", texts[7].any().type_index, kTVMFFISmallStr)?;
    let high: Vec<_> = [b"\xff".as_slice(), b"\x80\0", b"\0", b"\0\0\0\0\0\0\0", b"\xff\xff\xff\xff\xff\xff\xff"]
        .into_iter()
        .map(|text| t.string(text))
        .collect::<Verdict<_>>()?;
    dense_of(t, &texts.iter().chain(&high).map(Owned::any).collect::<Vec<_>>()).map(drop)
}

/// The hash of a String object of any length up to 64 bytes is that of its content.
#[check(HSH_0002)]
fn heap_strings(t: &Trial) -> Verdict {
    let texts: Vec<_> = (8..=64).map(|len| t.string(&TEXT[len % 8..len % 8 + len])).collect::<Verdict<_>>()?;
    dense_of(t, &texts.iter().map(Owned::any).collect::<Vec<_>>())?;
    let short: Vec<_> = (0..=7).map(|len| text_object(kTVMFFIStr, &TEXT[..len])).collect();
    dense_of(t, &short.iter().map(Homemade::view).collect::<Vec<_>>()).map(drop)
}

/// The hash of a String of random bytes is that of its content.
#[check(HSH_0002, patient = 2)]
fn any_strings(t: &Trial) -> Verdict {
    t.property(vec(vec(any::<u8>(), 0..40), 5..12), |texts| {
        let distinct: std::collections::BTreeSet<&[u8]> =
            texts.iter().map(Vec::as_slice).chain([&b"a"[..], b"b", b"c", b"d", b"e"]).collect();
        let kept: Vec<_> = distinct.into_iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
        dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>()).map(drop)
    })
}

/// The hash of Bytes of any length up to 40 is that of their content.
#[check(HSH_0003)]
fn bytes(t: &Trial) -> Verdict {
    let kept: Vec<_> = (0..=40).map(|len| t.bytes(&TEXT[..len])).collect::<Verdict<_>>()?;
    dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>()).map(drop)
}

/// The content of a String key is what its data pointer leads to, wherever that is.
#[check(HSH_0004)]
fn elsewhere(t: &Trial) -> Verdict {
    // A client may keep the text of a String anywhere; what is directly behind the cell is not it.
    let cell = |text: &'static [u8]| [text.as_ptr() as u64, text.len() as u64, u64::from_ne_bytes(*b"not text")];
    let keys = [b"text one\0".as_slice(), b"text two\0", b"text three\0", b"4\0", b"\0"]
        .map(|text| Homemade::new(kTVMFFIStr, cell(&text[..text.len() - 1])));
    let map = dense_of(t, &keys.each_ref().map(Homemade::view))?;
    for (index, text) in [c"text one", c"text two", c"text three", c"4", c""].into_iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), view::c_str(text)])?;
        t.eq(format_args!("value of {text:?}"), found, index as i64)?;
    }
    Ok(())
}

// ---- equality --------------------------------------------------------------------------------------------------------

/// A small String and a String object of the same content are one key of a small Map.
#[check(HSH_0005)]
fn two_forms(t: &Trial) -> Verdict {
    for text in [&b""[..], b"a", b"seven_b"] {
        let (small, heap) = (t.string(text)?, text_object(kTVMFFIStr, text));
        t.eq("type_index of the small form", small.any().type_index, kTVMFFISmallStr)?;
        for (kept, asked) in [(small.any(), heap.view()), (heap.view(), small.any())] {
            let map = t.call_global("ffi.Map", &[kept, view::int(7)])?;
            t.eq(format_args!("value of {asked:?}"), t.call_int("ffi.MapGetItem", &[map.any(), asked])?, 7)?;
            let both = t.call_global("ffi.Map", &[kept, view::int(1), asked, view::int(2)])?;
            t.eq("size of a Map of both forms", t.call_int("ffi.MapSize", &[both.any()])?, 1)?;
        }
    }
    Ok(())
}

/// A small String and a String object of the same content are one key of a dense Map.
#[check(HSH_0005)]
fn two_forms_dense(t: &Trial) -> Verdict {
    let texts: [&[u8]; 6] = [b"", b"a", b"ab", b"abc", b"sixsix", b"seven_b"];
    let small: Vec<_> = texts.iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
    let heap = texts.map(|text| text_object(kTVMFFIStr, text));
    let small: Vec<_> = small.iter().map(Owned::any).collect();
    let heap = heap.each_ref().map(Homemade::view);
    for (kept, asked) in [(&small[..], &heap[..]), (&heap[..], &small[..])] {
        let map = dense_of(t, kept)?;
        for (index, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), *key])?;
            t.eq(format_args!("value of {key:?}"), found, index as i64)?;
        }
    }
    Ok(())
}

/// Small Bytes and a Bytes object of the same content are one key.
#[check(HSH_0005)]
fn two_forms_of_bytes(t: &Trial) -> Verdict {
    let (small, heap) = (t.bytes(b"a\0b")?, text_object(kTVMFFIBytes, b"a\0b"));
    for others in [0, 10] {
        for (kept, asked) in [(small.any(), heap.view()), (heap.view(), small.any())] {
            let mut args = vec![kept, view::int(7)];
            args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
            let map = t.call_global("ffi.Map", &args)?;
            t.eq("value of the other form", t.call_int("ffi.MapGetItem", &[map.any(), asked])?, 7)?;
        }
    }
    Ok(())
}

/// Strings that differ in length or in any byte, also behind a NUL, are different keys.
#[check(HSH_0006)]
fn similar_texts(t: &Trial) -> Verdict {
    let texts: [&[u8]; 10] = [
        b"",
        b"\0",
        b"\0\0",
        b"a",
        b"a\0",
        b"A",
        b"a text that is",
        b"a text that is\0",
        b"a text that iS",
        b"b text that is",
    ];
    let kept: Vec<_> = texts.iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
    let heap = texts.map(|text| text_object(kTVMFFIStr, text));
    let map = dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>())?;
    for (index, key) in heap.iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
        t.eq(format_args!("value of \"{}\"", texts[index].escape_ascii()), found, index as i64)?;
    }
    for pair in heap.windows(2) {
        let map = t.call_global("ffi.Map", &[pair[0].view(), view::int(0)])?;
        t.eq("ffi.MapCount of a text that is alike", t.call_int("ffi.MapCount", &[map.any(), pair[1].view()])?, 0)?;
    }
    Ok(())
}

/// A String and Bytes of the same content are different keys.
#[check(HSH_0007)]
fn string_and_bytes(t: &Trial) -> Verdict {
    for text in [&b"abc"[..], b"a text that is not short"] {
        let (string, bytes) = (t.string(text)?, t.bytes(text)?);
        for others in [0, 10] {
            let mut args = vec![string.any(), view::int(-1), bytes.any(), view::int(-2)];
            args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
            let map = t.call_global("ffi.Map", &args)?;
            t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, 2 + others)?;
            t.eq("value of the String", t.call_int("ffi.MapGetItem", &[map.any(), string.any()])?, -1)?;
            t.eq("value of the Bytes", t.call_int("ffi.MapGetItem", &[map.any(), bytes.any()])?, -2)?;
        }
    }
    Ok(())
}

/// Values of different types with one payload or one number are different keys.
#[check(HSH_0008)]
fn types_apart(t: &Trial) -> Verdict {
    let ones = [
        view::int(1),
        view::bool(true),
        TVMFFIAny::new(kTVMFFIFloat, 1),
        TVMFFIAny::new(kTVMFFIOpaquePtr, 1),
        TVMFFIAny::new(kTVMFFIDevice, 1),
        TVMFFIAny::new(kTVMFFIDataType, 1),
        view::float(1.0),
    ];
    finds_each(t, &ones)?;
    finds_each(t, &ones[..3])?;
    finds_each(t, &[view::int(0), view::bool(false), view::float(0.0), TVMFFIAny::NONE])
}

/// Floats that differ in any bit are different keys, such as 0.0 and -0.0.
#[check(HSH_0009)]
fn float_bits(t: &Trial) -> Verdict {
    let quiet = f64::NAN.to_bits();
    let floats = [0.0_f64.to_bits(), (-0.0_f64).to_bits(), quiet, quiet | 1, quiet | 1 << 63, 1.0_f64.to_bits()];
    let floats = floats.map(|bits| TVMFFIAny::new(kTVMFFIFloat, bits));
    finds_each(t, &floats)?;
    finds_each(t, &floats[..3])
}

/// A NaN is found by a NaN with the same bits.
#[check(HSH_0009)]
fn same_nan(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let mut args = vec![view::float(f64::NAN), view::int(5), view::float(f64::NAN), view::int(6)];
        args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
        let map = t.call_global("ffi.Map", &args)?;
        t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, 1 + others)?;
        t.eq("value of NaN", t.call_int("ffi.MapGetItem", &[map.any(), view::float(f64::NAN)])?, 6)?;
    }
    Ok(())
}

/// Objects of a type without hooks are different keys unless they are the same object.
#[check(HSH_0010)]
fn identity(t: &Trial) -> Verdict {
    let objects = [(); 7].map(|()| Homemade::new(kTVMFFIObject, 5_u64));
    finds_each(t, &objects.each_ref().map(Homemade::view))?;
    finds_each(t, &objects.each_ref().map(Homemade::view)[..2])?;
    let errors: Vec<_> = (0..6).map(|_| t.new_error("ValueError", "text", "")).collect::<Verdict<_>>()?;
    finds_each(t, &errors.iter().map(Owned::any).collect::<Vec<_>>())
}

/// Containers are different keys unless they are the same object.
#[check(HSH_0010)]
fn containers_by_identity(t: &Trial) -> Verdict {
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(t.call_global("ffi.Array", &[view::int(1)])?);
        kept.push(t.call_global("ffi.Map", &[view::int(1), view::int(2)])?);
        kept.push(t.call_global("ffi.Shape", &[view::int(1)])?);
    }
    finds_each(t, &kept.iter().map(Owned::any).collect::<Vec<_>>())
}

/// Expects each of these values to be a key of its own, which is found and leads to its own value.
fn finds_each(t: &Trial, keys: &[TVMFFIAny]) -> Verdict {
    let map = numbered(t, keys)?;
    t.map(map.handle())?;
    t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, keys.len() as i64)?;
    for (index, key) in keys.iter().enumerate() {
        t.eq(format_args!("value of {key:?}"), t.call_int("ffi.MapGetItem", &[map.any(), *key])?, index as i64)?;
    }
    Ok(())
}

// ---- hooks -----------------------------------------------------------------------------------------------------------

/// An object whose hash and equality are those of a number that it holds.
type Number = Homemade<u64>;

/// What hooks answer for the hash of a number: few different ones.
const fn hash_of(number: u64) -> u64 {
    number % 3 + 1000
}

/// How often a hook was asked.
static ASKED: AtomicUsize = AtomicUsize::new(0);
/// The number for which hooks fail.
const BAD: u64 = 666;

fn number_of(object: u64) -> u64 {
    memory::read((object as *const u64).wrapping_byte_add(size_of::<TVMFFIObject>())).unwrap_or(BAD)
}

/// # Safety
/// `args` are `count` values and `result` is a slot for one.
unsafe extern "C" fn hash_function(
    this: *mut std::ffi::c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let args: Vec<_> = (0..count as usize).filter_map(|index| memory::read(args.wrapping_add(index))).collect();
    let numbers: Vec<_> = args.iter().map(|arg| number_of(arg.payload())).collect();
    if numbers.contains(&BAD) {
        // SAFETY: `this` is the function of the target that raises errors.
        let raise: unsafe extern "C" fn(*const i8, *const i8) = unsafe { std::mem::transmute(this) };
        // SAFETY: two C strings.
        unsafe { raise(c"ArithmeticError".as_ptr().cast(), c"a hook fails".as_ptr().cast()) };
        return -1;
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
unsafe extern "C" fn native_hash(value: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let number = memory::read(value).map_or(BAD, |value| number_of(value.payload()));
    if number == BAD { failed() } else { view::int(hash_of(number) as i64) }
}

/// # Safety
/// Both are objects with a number.
unsafe extern "C" fn native_equal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> TVMFFIAny {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let [one, other] = [one, other].map(|value| memory::read(value).map_or(BAD, |value| number_of(value.payload())));
    if one == BAD || other == BAD { failed() } else { view::bool(one == other) }
}

/// An error that the check has made in advance, as a native hook answers it.
fn failed() -> TVMFFIAny {
    let error = PREPARED.load(Ordering::Relaxed);
    crate::client::homemade::retain(error as TVMFFIObjectHandle);
    TVMFFIAny::new(kTVMFFIError, error as u64)
}

static PREPARED: AtomicUsize = AtomicUsize::new(0);

/// # Safety
/// As [`native_hash`].
unsafe extern "C" fn former_hash(value: *const TVMFFIAny) -> u64 {
    ASKED.fetch_add(1, Ordering::Relaxed);
    memory::read(value).map_or(0, |value| hash_of(number_of(value.payload())))
}

/// # Safety
/// As [`native_equal`].
unsafe extern "C" fn former_equal(one: *const TVMFFIAny, other: *const TVMFFIAny) -> bool {
    ASKED.fetch_add(1, Ordering::Relaxed);
    let [one, other] = [one, other].map(|value| memory::read(value).map(|value| number_of(value.payload())));
    one == other
}

/// A type whose objects hold a number, with hooks for hash and equality.
fn type_with(t: &Trial, hash: TVMFFIAny, equal: TVMFFIAny) -> Verdict<i32> {
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
fn type_with_functions(t: &Trial) -> Verdict<i32> {
    let Some(raise) = t.api.table().TVMFFIErrorSetRaisedFromCStr else {
        return Err(t.error("raising", "it is missing"));
    };
    let hook = t.function(raise as *mut _, hash_function, None)?;
    type_with(t, hook.any(), hook.any())
}

fn native(function: *const ()) -> TVMFFIAny {
    view::pointer(function.cast_mut().cast())
}

fn numbers(index: i32, values: impl IntoIterator<Item = u64>) -> Vec<Number> {
    values.into_iter().map(|value| Homemade::new(index, value)).collect()
}

fn views(objects: &[Number]) -> Vec<TVMFFIAny> {
    objects.iter().map(Homemade::view).collect()
}

/// The hash of an object is what the function in its type's column `__any_hash__` answers, combined with the type
/// index.
#[check(HSH_0011)]
fn hook(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, 0..12);
    let map = dense_of(t, &views(&objects))?;
    t.ne("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)?;
    places_by(t, &t.map(map.handle())?, index)
}

/// Expects each number's chain to begin where its hook's hash leads to.
fn places_by(t: &Trial, map: &Map, index: i32) -> Verdict {
    let Some(dense) = &map.dense else { return Err(t.failure("layout", "dense", "small")) };
    for number in 0..3 {
        let home =
            crate::client::containers::map::home(hash::combine(index as u64, hash_of(number)), dense.cell.fib_shift);
        let first = dense.slots[home].1.map(|item| number_of(item.key.payload()) % 3);
        t.eq(format_args!("remainder of the number in slot {home}"), first, Some(number))?;
    }
    Ok(())
}

/// Two objects of a type are one key if the function in its column `__any_equal__` says so.
#[check(HSH_0012)]
fn hook_equal(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count + 3));
        let map = numbered(t, &views(&kept))?;
        for (number, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapCount", &[map.any(), key.view()])?;
            t.eq(format_args!("ffi.MapCount of another {number} among {count}"), found, (number < kept.len()).into())?;
        }
        for (number, key) in asked[..kept.len()].iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
            t.eq(format_args!("value of another {number}"), found, number as i64)?;
        }
        let twice = [views(&kept), views(&asked)].concat();
        let map = numbered(t, &twice)?;
        t.eq("size of a Map of equal keys", t.call_int("ffi.MapSize", &[map.any()])?, count as i64 + 3)?;
    }
    Ok(())
}

/// The function in `__any_equal__` is asked for two objects of its own type only.
#[check(HSH_0012)]
fn hook_one_type(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let plain = [(); 3].map(|()| Homemade::new(kTVMFFIObject, 1_u64));
    let hooked = numbers(index, [1, 1, 1]);
    let keys: Vec<_> = plain.iter().map(Homemade::view).chain(views(&hooked)).collect();
    let map = numbered(t, &keys)?;
    t.eq("size of a Map of three equal keys and three others", t.call_int("ffi.MapSize", &[map.any()])?, 4)
}

/// `ffi.ArrayContains` compares objects by the function in their type's column `__any_equal__`.
#[check(HSH_0012)]
fn hook_contains(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let kept = numbers(index, 0..4);
    let asked = numbers(index, [3, 4]);
    let array = t.call_global("ffi.Array", &views(&kept))?;
    t.eq("whether it contains another 3", t.call_int("ffi.ArrayContains", &[array.any(), asked[0].view()])?, 1)?;
    t.eq("whether it contains a 4", t.call_int("ffi.ArrayContains", &[array.any(), asked[1].view()])?, 0)
}

/// A dense Map finds each of 24 keys for which `__any_hash__` answers one hash.
#[check(HSH_0011)]
fn hook_one_chain(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, (0..24).map(|number| number * 3));
    let map = dense_of(t, &views(&objects))?;
    let again = numbers(index, (0..24).map(|number| number * 3));
    for (number, key) in again.iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
        t.eq(format_args!("value of key {number} of the chain"), found, number as i64)?;
    }
    Ok(())
}

/// A hook may be a C function, as an opaque pointer, that answers a value.
#[check(HSH_0013)]
fn native_hook(t: &Trial) -> Verdict {
    let index = type_with(t, native(native_hash as *const ()), native(native_equal as *const ()))?;
    hooked_by_natives(t, index)
}

/// A hook may be a C function, as an opaque pointer, that answers a bare 64-bit hash or boolean.
#[check(HSH_0014)]
fn former_native_hook(t: &Trial) -> Verdict {
    let index = type_with(t, native(former_hash as *const ()), native(former_equal as *const ()))?;
    hooked_by_natives(t, index)
}

fn hooked_by_natives(t: &Trial, index: i32) -> Verdict {
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count));
        let map = numbered(t, &views(&kept))?;
        for (number, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
            t.eq(format_args!("value of another {number}"), found, number as i64)?;
        }
        if count == 12 {
            places_by(t, &t.map(map.handle())?, index)?;
        }
    }
    t.ne("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)
}

/// An error of `__any_hash__` reaches the caller, and the Map stays sound.
#[check(HSH_0015)]
fn hook_fails(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, (0..8).chain([BAD]));
    let (good, bad) = (views(&objects[..8]), objects[8].view());
    let map = dense_of(t, &good)?;
    let kind = ["ArithmeticError"];
    t.refuses("ffi.MapGetItem", &[map.any(), bad], &kind)?;
    t.refuses("ffi.MapCount", &[map.any(), bad], &kind)?;
    let args: Vec<_> = good.iter().chain([&bad]).flat_map(|key| [*key, view::int(0)]).collect();
    t.refuses("ffi.Map", &args, &kind)?;
    t.map(map.handle())?;
    drop(map);
    t.eq("strong counts of the keys", objects.iter().map(|object| object.counts().0).collect(), vec![1; 9])
}

/// An error of `__any_equal__` reaches the caller, and no object stays held.
#[check(HSH_0015)]
fn equal_hook_fails(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let objects = numbers(index, [0, 1, BAD, BAD]);
    let map = numbered(t, &views(&objects[..2]))?;
    let array = t.call_global("ffi.Array", &views(&objects[..2]))?;
    for (name, container) in [("ffi.MapGetItem", &map), ("ffi.MapCount", &map), ("ffi.ArrayContains", &array)] {
        t.refuses(name, &[container.any(), objects[2].view()], &["ArithmeticError"])?;
    }
    drop((map, array));
    t.eq("strong counts of the objects", objects.iter().map(|object| object.counts().0).collect(), vec![1; 4])
}

/// An Error object that a C function answers as a hook is raised in the caller.
#[check(HSH_0016)]
fn native_hook_fails(t: &Trial) -> Verdict {
    let index = type_with(t, native(native_hash as *const ()), native(native_equal as *const ()))?;
    let error = t.new_error("ArithmeticError", "a hook fails", "")?;
    PREPARED.store(error.handle() as usize, Ordering::Relaxed);
    let objects = numbers(index, (0..8).chain([BAD]));
    for keys in [&objects[..2], &objects[..8]] {
        let map = numbered(t, &views(keys))?;
        t.refuses("ffi.MapGetItem", &[map.any(), objects[8].view()], &["ArithmeticError"])?;
        t.refuses("ffi.MapCount", &[map.any(), objects[8].view()], &["ArithmeticError"])?;
    }
    Ok(())
}

/// Two values with the same sixteen bytes are equal without a hook being asked.
#[check(HSH_0017)]
fn same_object_unasked(t: &Trial) -> Verdict {
    let index = type_with_functions(t)?;
    let bad = Number::new(index, BAD);
    let map = client::small_map(kTVMFFIMap, &[[bad.view(), view::int(5)]], 2);
    t.eq("value of a key that hooks fail for", t.call_int("ffi.MapGetItem", &[map.view(), bad.view()])?, 5)?;
    let array = t.call_global("ffi.Array", &[bad.view()])?;
    t.eq("whether an Array contains it", t.call_int("ffi.ArrayContains", &[array.any(), bad.view()])?, 1)?;
    t.eq("times that a hook was asked", ASKED.load(Ordering::Relaxed), 0)
}

/// Two big integers of the same value are the same key.
#[check(HSH_0018)]
fn big_integers(t: &Trial) -> Verdict {
    let make = |high: u64| -> Verdict<Owned> {
        let bytes: Vec<u8> = [5, high].into_iter().flat_map(u64::to_le_bytes).collect();
        let mut out = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes), &mut out))?;
        t.eq("type_index of a big integer", out.type_index, kTVMFFIBigInt)?;
        Ok(t.own(out))
    };
    for count in [3, 12] {
        let kept: Vec<_> = (1..=count).map(make).collect::<Verdict<_>>()?;
        let map = numbered(t, &kept.iter().map(Owned::any).collect::<Vec<_>>())?;
        for number in 0..count {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), make(number + 1)?.any()])?;
            t.eq(format_args!("value of another big integer {number}"), found, number as i64)?;
        }
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.any(), make(count + 1)?.any()])?, 0)?;
    }
    Ok(())
}

// ---- Maps of keys ----------------------------------------------------------------------------------------------------

/// A Map of these keys with their places as values.
fn numbered(t: &Trial, keys: &[TVMFFIAny]) -> Verdict<Owned> {
    let args: Vec<_> = keys.iter().enumerate().flat_map(|(index, key)| [*key, view::int(index as i64)]).collect();
    t.call_global("ffi.Map", &args)
}

/// The same, of more than four keys, read and found to have each of them in its place.
fn dense_of(t: &Trial, keys: &[TVMFFIAny]) -> Verdict<Owned> {
    let map = numbered(t, keys)?;
    let read = t.map(map.handle())?;
    t.that("layout of the Map", read.dense.is_some(), "dense", "small")?;
    t.eq("number of keys", read.entries.len(), keys.len())?;
    Ok(map)
}
