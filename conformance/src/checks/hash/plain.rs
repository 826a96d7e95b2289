//! The hash and the equality of values that are no texts, and of objects without hooks.

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::*;

use super::kit::{dense_of, finds_each, numbered};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::numbers::{flattened, up_to},
        homemade::Homemade,
        view,
    },
    trial::Trial,
};

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

/// Values of different types with one payload or one number are different keys.
#[check(HSH_0008)]
fn types_apart(t: &Trial) -> Verdict {
    t.short_backtraces();
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
        args.extend(flattened(&up_to(others)));
        let map = t.call_global("ffi.Map", &args)?;
        t.global_answers("ffi.MapSize", &[map.any()], 1 + others)?;
        t.eq("value of NaN", t.call_int("ffi.MapGetItem", &[map.any(), view::float(f64::NAN)])?, 6)?;
    }
    let quiet = f64::NAN.to_bits();
    [quiet, quiet | 1, quiet | 1 << 63, 0x7ff0_0000_0000_0001].into_iter().try_for_each(|bits| {
        let nan = TVMFFIAny::new(kTVMFFIFloat, bits);
        t.same_key(&[view::float(0.0), nan], &nan, Some(1))
    })
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

/// Two big integers of the same value are the same key.
#[check(HSH_0018)]
fn big_integers(t: &Trial) -> Verdict {
    let make = |high: u64| -> Verdict<Owned> {
        let bytes: Vec<u8> = [5, high].into_iter().flat_map(u64::to_le_bytes).collect();
        let mut out = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes), &mut out))?;
        t.type_index_eq("type_index of a big integer", out.type_index, kTVMFFIBigInt)?;
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
