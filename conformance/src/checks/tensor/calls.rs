//! Tensors as arguments and results of functions.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicI32, AtomicU64, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{Form, Producer, returned, with_every_kind};
use crate::{
    checks::check,
    client::{
        Verdict, globals, memory,
        samples::Place,
        tensors::{ACCELERATORS, Described, nowhere},
        view,
    },
    trial::Trial,
};

/// A Tensor argument of any kind reaches a function as the same object, borrowed for the call.
#[check(TEN_0034)]
fn as_argument(t: &Trial) -> Verdict {
    let function = t.function(std::ptr::null_mut(), look, None)?;
    with_every_kind(|producer| {
        let tensor = producer.import(t, Form::Plain)?;
        let before = returned(0);
        t.call(&function, &[tensor.any()])?;
        t.type_index_eq("type index that the function saw", SEEN_INDEX.load(Ordering::SeqCst), kTVMFFITensor)?;
        t.eq("object that the function saw", SEEN_PAYLOAD.load(Ordering::SeqCst), tensor.any().payload())?;
        t.eq("strong and weak count after the call", t.counts(tensor.handle())?, (1, 1))?;
        t.eq("calls of the producer's deleter during the call", returned(0) - before, 0)?;
        producer.compare_tensor(t, "the Tensor after the call", &tensor)
    })
}

/// A DLTensor pointer to a tensor of any kind reaches a function as the same address.
#[check(TEN_0035)]
fn pointer_as_argument(t: &Trial) -> Verdict {
    let function = t.function(std::ptr::null_mut(), look, None)?;
    with_every_kind(|producer| {
        producer.fill();
        let tensor = producer.plain.dl_tensor;
        t.call(&function, &[view::dl_tensor(&tensor)])?;
        t.type_index_eq("type index that the function saw", SEEN_INDEX.load(Ordering::SeqCst), kTVMFFIDLTensorPtr)?;
        t.eq("address that the function saw", SEEN_PAYLOAD.load(Ordering::SeqCst), (&raw const tensor) as u64)
    })
}

/// No function reads the content of a Tensor in memory that the host cannot reach, wherever the Tensor stands.
#[check(TEN_0047, patient = 2)]
fn content_out_of_reach(t: &Trial) -> Verdict {
    let (no, none) = (view::bool(false), TVMFFIAny::NONE);
    // Each with the number of values that it takes, and what it takes besides.
    let functions: [(&str, usize, &[TVMFFIAny]); 14] = [
        ("ffi.StructuralEqual", 2, &[no, no]),
        ("ffi.GetFirstStructuralMismatch", 2, &[no, no]),
        ("ffi.StructuralHash", 1, &[no, no]),
        ("ffi.StructuralKey", 1, &[]),
        ("ffi.RecursiveEq", 2, &[]),
        ("ffi.RecursiveLt", 2, &[]),
        ("ffi.RecursiveLe", 2, &[]),
        ("ffi.RecursiveGt", 2, &[]),
        ("ffi.RecursiveGe", 2, &[]),
        ("ffi.RecursiveHash", 1, &[]),
        ("ffi.ReprPrint", 1, &[]),
        ("ffi.DeepCopy", 1, &[]),
        ("ffi.ToJSONGraph", 1, &[none]),
        ("ffi.json.Stringify", 1, &[none]),
    ];
    for (name, values, rest) in functions {
        if globals::find(t, name)?.is_none() {
            continue;
        }
        for (place, device_type) in Place::all(t)?.into_iter().flat_map(|place| ACCELERATORS.map(|of| (place, of))) {
            let device = DLDevice { device_type, device_id: 0 };
            let producer = |data| Producer::of(Described { device, data, ..Described::six_floats() });
            let mut producers = [producer(nowhere()), producer(nowhere().wrapping_byte_add(64))];
            let [one, other] = producers.each_mut().map(|producer| {
                let tensor = producer.import(t, Form::Plain)?;
                place.put(t, &tensor.any())
            });
            let (one, other) = (one?, other?);
            t.returns(name, &[&[one.any(), other.any()][..values], rest].concat())?;
        }
    }
    Ok(())
}

static SEEN_INDEX: AtomicI32 = AtomicI32::new(-1);
static SEEN_PAYLOAD: AtomicU64 = AtomicU64::new(0);

/// A function that notes its first argument.
unsafe extern "C" fn look(_: *mut c_void, args: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    let seen = memory::read(args).unwrap_or(TVMFFIAny::NONE);
    SEEN_INDEX.store(seen.type_index, Ordering::SeqCst);
    SEEN_PAYLOAD.store(seen.payload(), Ordering::SeqCst);
    0
}

/// A function may return a Tensor, which its caller then owns and ends.
#[check(TEN_0036)]
fn as_result(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Plain)?;
    let payload = tensor.into_any().payload();
    let function = t.function(payload as *mut c_void, hand_over, None)?;
    let result = t.call(&function, &[])?;
    t.any_eq("result", &result.any(), &TVMFFIAny::new(kTVMFFITensor, payload))?;
    t.eq("strong and weak count of the result", t.counts(result.handle())?, (1, 1))?;
    producer.compare_tensor(t, "the result", &result)?;
    t.eq("calls of the producer's deleter while the result is owned", returned(0), 0)?;
    drop(result);
    t.eq("calls of the producer's deleter after the result was released", returned(0), 1)
}

/// A function that returns the Tensor it was created with.
unsafe extern "C" fn hand_over(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(TVMFFIAny::new(kTVMFFITensor, this as u64)) };
    0
}
