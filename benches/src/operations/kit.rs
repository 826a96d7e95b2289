//! What the set-ups of more than one area need: functions, tensors, types, and places to look at in turn.

use std::{
    ffi::{c_int, c_void},
    hint::black_box,
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use crate::library::{Library, handle};

/// The next place, far from the one before.
#[inline(always)]
pub fn next(at: usize, count: usize) -> usize {
    // A prime, so that every place has its turn.
    const STEP: usize = 7919;
    if count == 1 { 0 } else { (at + STEP) % count }
}

/// A function that adds integers, kept for the life of the process.
pub fn function(lib: &Library) -> TVMFFIAny {
    lib.client.function(null_mut(), sum, None).expect("a function can be made").into_any()
}

/// # Safety
/// As for every function that a library calls; the arguments are integers.
pub unsafe extern "C" fn sum(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    let sum = (0..count as usize).map(|at| {
        // SAFETY: the caller passes `count` integers.
        unsafe { (*args.add(at)).payload() }
    });
    // SAFETY: the caller passes room for a result.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, sum.sum())) };
    0
}

/// A function that calls another, with a library's own function for calls.
struct Forwarding {
    lib: Library,
    next: TVMFFIAny,
}

/// A function that calls `next` with what it is given, kept for the life of the process.
pub fn forwarding(lib: &Library, next: TVMFFIAny) -> TVMFFIAny {
    let this = Box::leak(Box::new(Forwarding { lib: *lib, next }));
    let this = std::ptr::from_mut(this).cast();
    lib.client.function(this, forward, None).expect("a function can be made").into_any()
}

unsafe extern "C" fn forward(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: self is what `forwarding` has leaked.
    let this = unsafe { &*this.cast::<Forwarding>() };
    this.lib.TVMFFIFunctionCall(handle(&this.next), args.cast_mut(), count, result)
}

/// Two rows of three floats. What it points to is kept for the life of the process.
pub fn prototype() -> DLTensor {
    DLTensor {
        data: Box::leak(Box::new([0_f32; 64])).as_mut_ptr().cast(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: Box::leak(Box::new([2, 3])).as_mut_ptr(),
        strides: Box::leak(Box::new([3, 1])).as_mut_ptr(),
        byte_offset: 0,
    }
}

/// A tensor to be taken over again and again: its deleter leaves it alone.
pub fn managed() -> *mut DLManagedTensor {
    unsafe extern "C" fn keep(_: *mut DLManagedTensor) {}
    Box::leak(Box::new(DLManagedTensor { dl_tensor: prototype(), manager_ctx: null_mut(), deleter: Some(keep) }))
}

#[inline(always)]
pub fn tensor(lib: &Library, from: *mut DLManagedTensor) -> TVMFFIAny {
    let mut out = null_mut();
    lib.ok(lib.TVMFFITensorFromDLPack(black_box(from), 0, 0, &mut out));
    TVMFFIAny::new(kTVMFFITensor, out as u64)
}

/// The index of a type below `ffi.Object`, which is registered at the first time.
#[inline(always)]
pub fn register_type(lib: &Library, key: &str) -> i32 {
    lib.TVMFFITypeGetOrAllocIndex(black_box(&TVMFFIByteArray::new(key.as_bytes())), -1, 1, 0, 1, kTVMFFIObject)
}
