//! What checks on functions share: callees, and what they saw.

use std::{
    ffi::{c_int, c_void},
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, callback, memory},
    trial::Trial,
};

/// The self of functions that have one; nobody follows it.
pub const SELF: *mut c_void = 0x5e1f as *mut c_void;

// ---- a callee that notes what it receives ---------------------------------------------------------------------------

/// What [`record`] received in its latest call.
#[derive(Clone)]
pub struct Seen {
    /// Its handle.
    pub handle: usize,
    /// The number of arguments.
    pub num_args: i32,
    /// The bytes of each argument.
    pub args: Vec<[u8; 16]>,
    /// The type index of the result before the call.
    pub result_type_index: i32,
}

static SEEN: Mutex<Option<Seen>> = Mutex::new(None);

/// What [`record`] received in its latest call; nothing if it was not called.
pub fn seen() -> Seen {
    let nothing = Seen { handle: usize::MAX, num_args: -1, args: Vec::new(), result_type_index: i32::MAX };
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(nothing)
}

/// Expects [`record`] to have received these arguments; answers the handle that it received with them.
pub fn received(t: &Trial, args: &[TVMFFIAny]) -> Verdict<usize> {
    let seen = seen();
    t.eq("num_args that the callee received", seen.num_args, args.len() as i32)?;
    for (at, (got, expected)) in seen.args.iter().zip(args).enumerate() {
        if *got != expected.to_bytes() {
            let failure = t.failure(format!("argument {at}"), "the bytes that the caller passed", "other bytes");
            return Err(failure.showing("expected", &expected.to_bytes()).showing("got", got));
        }
    }
    Ok(seen.handle)
}

/// Notes what it receives; leaves the result alone.
pub unsafe extern "C" fn record(handle: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let arg = |at: i32| memory::read(args.wrapping_add(at as usize).cast()).unwrap_or([0xee; 16]);
    // At once where all can be read: there may be very many.
    let all = memory::read_bytes(args.cast(), usize::try_from(n).unwrap_or_default() * size_of::<TVMFFIAny>());
    let args = all.map_or_else(|| (0..n).map(arg).collect(), |all| all.as_chunks().0.to_vec());
    let result_type_index = memory::read(result.cast_const()).map_or(i32::MAX, |result| result.type_index);
    let now = Seen { handle: handle as usize, num_args: n, args, result_type_index };
    *SEEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    0
}

// ---- other callees --------------------------------------------------------------------------------------------------

/// Answers the value that its self points to.
pub unsafe extern "C" fn answer_self(value: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let Some(value) = memory::read(value.cast::<TVMFFIAny>().cast_const()) else { return -1 };
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(value) };
    0
}

/// Answers its handle, as a number.
pub unsafe extern "C" fn answer_handle(
    this: *mut c_void,
    _: *const TVMFFIAny,
    _: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, this as u64)) };
    0
}

/// Answers its self, a number, as its status.
pub unsafe extern "C" fn status_self(status: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    status as isize as c_int
}

/// Raises an error of its own.
pub unsafe extern "C" fn fail(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of the callee".as_ptr());
    }
    -1
}

// ---- calls ----------------------------------------------------------------------------------------------------------

/// Calls a function whose result does not matter and answers the status.
pub fn status_of(t: &Trial, function: &Owned, args: &[TVMFFIAny]) -> c_int {
    t.try_call(function, args, &mut { TVMFFIAny::NONE })
}

/// Values in which every byte tells its place: argument in the high nibble, byte in the low one.
pub fn graffiti(count: usize) -> Vec<TVMFFIAny> {
    let value = |at: usize| {
        let payload: [u8; 8] = std::array::from_fn(|byte| ((at as u8) << 4) | (byte as u8 + 8));
        let type_index = [kTVMFFIInt, kTVMFFIFloat, kTVMFFIOpaquePtr][at % 3];
        TVMFFIAny::new(type_index, u64::from_ne_bytes(payload))
    };
    (0..count).map(value).collect()
}
