//! Streams, the tensor allocator, signals and the frontend's functions.
//!
//! Streams are never followed by the library, so any address will do for one. The allocators here count what they make
//! and what is given back to them, and remember what they were asked for.

use std::{
    ffi::{CStr, c_int, c_void},
    sync::{
        Barrier, Mutex, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use proptest::collection;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, memory},
    trial::Trial,
};

/// No device has a stream at first.
#[check(ENV_0001)]
fn stream_is_null_at_first(t: &Trial) -> Verdict {
    for device in [(kDLCPU, 0), (kDLCUDA, 0), (kDLCUDA, 7), (kDLROCM, 3), (kDLExtDev, 63)] {
        t.eq(format!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
    }
    Ok(())
}

/// Setting one device's stream gives its neighbours none.
#[check(ENV_0001)]
fn neighbours_have_no_stream(t: &Trial) -> Verdict {
    set_stream(t, (kDLCUDA, 5), 0x5150)?;
    for device in [(kDLCUDA, 4), (kDLCUDA, 6), (kDLCUDA, 0), (kDLCPU, 5), (kDLCUDAHost, 5), (kDLOpenCL, 5)] {
        t.eq(format!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
    }
    Ok(())
}

/// The stream that was set last is answered.
#[check(ENV_0002)]
fn stream_is_kept(t: &Trial) -> Verdict {
    for value in [0x5151, 0x5152, 0x5151, usize::MAX] {
        set_stream(t, (kDLCUDA, 0), value)?;
        t.eq("the stream", stream(t, (kDLCUDA, 0)), value)?;
        t.eq("the stream, asked again", stream(t, (kDLCUDA, 0)), value)?;
    }
    Ok(())
}

/// A stream can be set back to NULL.
#[check(ENV_0002)]
fn stream_can_be_reset(t: &Trial) -> Verdict {
    set_stream(t, (kDLCUDA, 0), 0x5151)?;
    set_stream(t, (kDLCUDA, 0), NO_STREAM)?;
    t.eq("the stream", stream(t, (kDLCUDA, 0)), NO_STREAM)
}

/// Every device type and id has a stream of its own.
#[check(ENV_0003)]
fn devices_have_streams_of_their_own(t: &Trial) -> Verdict {
    let types = [kDLCPU, kDLCUDA, kDLMetal, kDLROCM];
    let devices = || types.into_iter().flat_map(|device_type| (0..8).map(move |id| (device_type, id)));
    let own = |(device_type, id): (i32, i32)| 0x5000 + (device_type * 0x100 + id) as usize;
    // Not in ascending order, so that room has to be made in between.
    for device in devices().collect::<Vec<_>>().into_iter().rev() {
        set_stream(t, device, own(device))?;
    }
    for device in devices() {
        t.eq(format!("stream of {device:?}"), stream(t, device), own(device))?;
    }
    Ok(())
}

/// Any sequence of settings leaves each device with its last stream.
#[check(ENV_0003, patient = 3)]
fn streams_behave_like_a_map(t: &Trial) -> Verdict {
    let setting = (1..16_i32, 0..10_i32, 0..5_usize);
    t.property(collection::vec(setting, 1..30), |settings| {
        let mut model = std::collections::BTreeMap::new();
        for &(device_type, id, value) in settings {
            set_stream(t, (device_type, id), value)?;
            model.insert((device_type, id), value);
        }
        for (&device, &value) in &model {
            t.eq(format!("stream of {device:?}"), stream(t, device), value)?;
        }
        // The next case begins where this one did.
        model.keys().try_for_each(|&device| set_stream(t, device, NO_STREAM))
    })
}

/// Setting a stream gives out the one that it replaces.
#[check(ENV_0004)]
fn replaced_stream_is_given_out(t: &Trial) -> Verdict {
    let device = (kDLCUDA, 2);
    for (new, replaced) in [(0x5151, NO_STREAM), (0x5152, 0x5151), (NO_STREAM, 0x5152), (0x5153, NO_STREAM)] {
        let mut original = GARBAGE as TVMFFIStreamHandle;
        t.ok(t.api.TVMFFIEnvSetStream(device.0, device.1, new as TVMFFIStreamHandle, &mut original))?;
        t.eq("the stream that was replaced", original as usize, replaced)?;
        t.eq("the stream", stream(t, device), new)?;
    }
    Ok(())
}

/// A new thread has no stream, and what it sets is its own.
#[check(ENV_0005)]
fn streams_are_thread_local(t: &Trial) -> Verdict {
    let device = (kDLCUDA, 1);
    set_stream(t, device, 0x5151)?;
    t.threads(1, |t, _| {
        t.eq("the stream of a new thread", stream(t, device), NO_STREAM)?;
        let mut original = GARBAGE as TVMFFIStreamHandle;
        t.ok(t.api.TVMFFIEnvSetStream(device.0, device.1, 0x5152 as TVMFFIStreamHandle, &mut original))?;
        t.eq("the stream that the new thread replaced", original as usize, NO_STREAM)?;
        t.eq("the stream that the new thread has set", stream(t, device), 0x5152)
    })?;
    t.eq("the stream after another thread has set its own", stream(t, device), 0x5151)
}

/// Threads that set streams at once keep each its own.
#[check(ENV_0005, patient = 3)]
fn threads_keep_their_streams(t: &Trial) -> Verdict {
    t.threads(4, |t, thread| {
        for round in 0..500 {
            let (device, own) = ((kDLCUDA, round % 4), 0x5000 + 0x100 * (thread + 1) + round as usize % 7);
            set_stream(t, device, own)?;
            t.eq("the stream", stream(t, device), own)?;
        }
        Ok(())
    })
}

/// Streams can be set for every device type and for large ids.
#[check(ENV_0006)]
fn every_device_type_has_streams(t: &Trial) -> Verdict {
    let types = [
        kDLCPU,
        kDLCUDA,
        kDLCUDAHost,
        kDLOpenCL,
        kDLVulkan,
        kDLMetal,
        kDLVPI,
        kDLROCM,
        kDLROCMHost,
        kDLExtDev,
        kDLCUDAManaged,
        kDLOneAPI,
        kDLWebGPU,
        kDLHexagon,
        kDLMAIA,
    ];
    for device_type in types {
        for id in [255, 0, 63] {
            set_stream(t, (device_type, id), 0x5000 + id as usize)?;
            t.eq(format!("stream of {:?}", (device_type, id)), stream(t, (device_type, id)), 0x5000 + id as usize)?;
        }
    }
    Ok(())
}

/// A device that cannot exist has no stream.
#[check(ENV_0007)]
fn impossible_device_has_no_stream(t: &Trial) -> Verdict {
    set_stream(t, (kDLCUDA, 0), 0x5151)?;
    for device in [(kDLCUDA, -1), (-1, 0), (-1, -1), (i32::MIN, i32::MIN), (1 << 30, 0), (kDLCUDA, i32::MAX)] {
        t.eq(format!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
    }
    Ok(())
}

/// Setting streams again and again takes no more memory.
#[check(ENV_0008, patient = 3)]
fn setting_streams_takes_no_memory(t: &Trial) -> Verdict {
    t.no_growth("memory in use while streams are set", || {
        (0..4).try_for_each(|id| set_stream(t, (kDLCUDA, id), 0x5000 + id as usize))
    })
}

/// There is no tensor allocator at first, on any thread.
#[check(ENV_0009)]
fn no_allocator_at_first(t: &Trial) -> Verdict {
    uses(t, "at first", None)?;
    t.threads(1, |t, _| uses(t, "on a new thread", None))
}

/// A thread's allocator is answered on that thread alone.
#[check(ENV_0010)]
fn own_allocator_is_answered(t: &Trial) -> Verdict {
    for allocator in [rows, plain, rows] {
        set_allocator(t, Some(allocator), OWN)?;
        uses(t, "after setting it", Some(allocator))?;
    }
    t.threads(1, |t, _| {
        uses(t, "on another thread", None)?;
        set_allocator(t, Some(plain), OWN)
    })?;
    uses(t, "after another thread has set its own", Some(rows))
}

/// A global allocator is answered on every thread.
#[check(ENV_0011)]
fn global_allocator_reaches_all_threads(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), GLOBAL)?;
    uses(t, "on the thread that set it", Some(rows))?;
    t.threads(2, |t, _| uses(t, "on another thread", Some(rows)))
}

/// A global allocator that another thread sets is answered here.
#[check(ENV_0011)]
fn global_allocator_from_another_thread(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(rows), GLOBAL))?;
    uses(t, "after another thread has set a global one", Some(rows))?;
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    uses(t, "after another thread has replaced the global one", Some(plain))
}

/// A thread's own allocator goes before the global one.
#[check(ENV_0012)]
fn own_allocator_goes_first(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    uses(t, "with one of the thread's own and a global one", Some(rows))?;
    t.threads(1, |t, _| {
        uses(t, "on a thread without one of its own", Some(plain))?;
        set_allocator(t, Some(rows), OWN)?;
        uses(t, "on a thread that has set its own", Some(rows))
    })
}

/// Without an own allocator the global one is answered again.
#[check(ENV_0013)]
fn null_uncovers_the_global_allocator(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), GLOBAL)?;
    set_allocator(t, Some(rows), OWN)?;
    uses(t, "with one of the thread's own", Some(rows))?;
    set_allocator(t, None, OWN)?;
    uses(t, "after the thread's own was taken away", Some(plain))
}

/// NULL for the global context takes the global allocator away.
#[check(ENV_0013)]
fn null_removes_the_global_allocator(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), GLOBAL)?;
    set_allocator(t, None, GLOBAL)?;
    uses(t, "after both were taken away", None)?;
    t.threads(1, |t, _| uses(t, "on another thread", None))
}

/// Setting an allocator gives out the thread's former one.
#[check(ENV_0014)]
fn replaced_allocator_is_given_out(t: &Trial) -> Verdict {
    for (new, replaced) in
        [(Some(rows as Allocator), None), (Some(plain), Some(rows as Allocator)), (None, Some(plain))]
    {
        replaces(t, new, OWN, replaced)?;
    }
    Ok(())
}

/// The global allocator is not given out as the thread's own.
#[check(ENV_0014)]
fn global_allocator_is_not_given_out(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    replaces(t, Some(rows), OWN, None)?;
    replaces(t, None, OWN, Some(rows))?;
    replaces(t, Some(rows), GLOBAL, None)?;
    replaces(t, Some(plain), GLOBAL, Some(rows))
}

/// Allocating a tensor without an allocator raises a RuntimeError.
#[check(ENV_0015)]
fn allocating_without_an_allocator(t: &Trial) -> Verdict {
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &["RuntimeError"])?;
    Ok(())
}

/// The allocator receives the prototype and an error function.
#[check(ENV_0016)]
fn allocator_receives_the_prototype(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    let mut extents = [3, 1, 4];
    let mut prototype = prototype(&mut extents);
    prototype.device = DLDevice { device_type: kDLCPU, device_id: 7 };
    prototype.dtype = DLDataType { code: kDLBfloat, bits: 16, lanes: 4 };
    let mut out = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out))?;
    let _tensor = t.own_object("the tensor", out)?;
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let expected =
        Asked { device: prototype.device, dtype: prototype.dtype, extents: extents.to_vec(), can_report_errors: true };
    t.eq("what the allocator was asked for", asked, Some(expected))
}

/// The Tensor has the members of what the allocator made.
#[check(ENV_0017)]
fn tensor_is_what_was_allocated(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    let tensor = new_tensor(t, &[2, 3])?;
    t.eq("type_index of the tensor", t.header(tensor.handle())?.type_index, kTVMFFITensor)?;
    t.eq("strong references to the tensor", t.counts(tensor.handle())?.0, 1)?;
    let cell: DLTensor = t.cell("tensor", tensor.handle())?;
    t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
    t.eq("device", cell.device, DLDevice { device_type: kDLCPU, device_id: 0 })?;
    t.eq("dtype", cell.dtype, DLDataType { code: kDLFloat, bits: 32, lanes: 1 })?;
    t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, vec![2, 3])?;
    t.eq("strides", words(t, "strides", cell.strides, cell.ndim)?, vec![ROW_STRIDE, 1])?;
    t.eq("byte_offset", cell.byte_offset, BYTE_OFFSET)
}

/// NULL strides become row-major ones.
#[check(ENV_0018)]
fn missing_strides_are_row_major(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), OWN)?;
    for (extents, strides) in
        [([2, 3, 4], [12, 4, 1]), ([1, 1, 1], [1, 1, 1]), ([5, 1, 2], [2, 2, 1]), ([7, 2, 100], [200, 100, 1])]
    {
        let tensor = new_tensor(t, &extents)?;
        let cell: DLTensor = t.cell("tensor", tensor.handle())?;
        t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, extents.to_vec())?;
        t.eq(
            format!("strides for extents {extents:?}"),
            words(t, "strides", cell.strides, cell.ndim)?,
            strides.to_vec(),
        )?;
    }
    Ok(())
}

/// A Tensor without dimensions can be allocated.
#[check(ENV_0017)]
fn tensor_without_dimensions(t: &Trial) -> Verdict {
    for allocator in [rows, plain] {
        set_allocator(t, Some(allocator), OWN)?;
        let tensor = new_tensor(t, &[])?;
        let cell: DLTensor = t.cell("tensor", tensor.handle())?;
        t.eq("ndim", cell.ndim, 0)?;
        t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
    }
    Ok(())
}

/// The deleter runs once, with the last reference.
#[check(ENV_0019)]
fn tensor_ends_once(t: &Trial) -> Verdict {
    for (number, allocator) in [rows, plain].into_iter().enumerate() {
        set_allocator(t, Some(allocator), OWN)?;
        let tensor = new_tensor(t, &[2, 3])?;
        t.eq("times the deleter ran for a live tensor", DELETED.load(Ordering::Relaxed), number)?;
        t.ok(t.api.TVMFFIObjectIncRef(tensor.handle()))?;
        t.ok(t.api.TVMFFIObjectDecRef(tensor.handle()))?;
        t.eq("times the deleter ran while a reference is left", DELETED.load(Ordering::Relaxed), number)?;
        drop(tensor);
        t.eq("times the deleter ran with the last reference", DELETED.load(Ordering::Relaxed), number + 1)?;
    }
    Ok(())
}

/// A Tensor whose allocator gives no deleter ends quietly.
#[check(ENV_0020)]
fn tensor_without_deleter(t: &Trial) -> Verdict {
    set_allocator(t, Some(unowned), OWN)?;
    drop(new_tensor(t, &[2, 3])?);
    drop(new_tensor(t, &[])?);
    Ok(())
}

/// A non-zero answer of the allocator is a failure.
#[check(ENV_0021)]
fn failing_allocator_fails_the_call(t: &Trial) -> Verdict {
    for allocator in [refuse, refuse_silently] {
        set_allocator(t, Some(allocator), OWN)?;
        let mut out = std::ptr::null_mut();
        let code = allocate(t, &[2, 3], &mut out);
        t.that("return value", code != 0, "not 0", code)?;
        t.take_raised();
    }
    Ok(())
}

/// The allocator's error is raised with its kind and message.
#[check(ENV_0022)]
fn allocator_error_is_raised(t: &Trial) -> Verdict {
    set_allocator(t, Some(refuse), OWN)?;
    let mut out = std::ptr::null_mut();
    let raised = t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    t.eq("kind of the raised error", raised.kind.as_str(), "MemoryError")?;
    t.eq("message of the raised error", raised.message.as_str(), "no room for another tensor")
}

/// An allocator that makes nothing and says so to nobody is found out.
#[check(ENV_0023)]
fn allocator_without_a_tensor(t: &Trial) -> Verdict {
    set_allocator(t, Some(make_nothing), OWN)?;
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    Ok(())
}

/// Each thread allocates with its own allocator, or the global one.
#[check(ENV_0024)]
fn each_thread_uses_its_allocator(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    let strides = |t: &Trial| {
        let tensor = new_tensor(t, &[2, 3])?;
        let cell: DLTensor = t.cell("tensor", tensor.handle())?;
        words(t, "strides", cell.strides, cell.ndim)
    };
    const THREADS: usize = 4;
    let all_set = Barrier::new(THREADS);
    t.threads(THREADS, |t, thread| {
        let own = thread % 2 == 0;
        let set = if own { set_allocator(t, Some(rows), OWN) } else { Ok(()) };
        all_set.wait();
        set?;
        for _ in 0..50 {
            let which = if own { "strides by the thread's own allocator" } else { "strides by the global allocator" };
            t.eq(which, strides(t)?, vec![if own { ROW_STRIDE } else { 3 }, 1])?;
        }
        Ok(())
    })
}

/// Allocating and releasing tensors takes no more memory.
#[check(ENV_0025, patient = 3)]
fn tensors_leave_nothing_behind(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), OWN)?;
    t.no_growth("memory in use while tensors come and go", || {
        drop(new_tensor(t, &[2, 3])?);
        Ok(())
    })?;
    given_back(t)
}

/// Every tensor that was made is given back when allocations fail in between.
#[check(ENV_0025)]
fn failures_leave_nothing_behind(t: &Trial) -> Verdict {
    for round in 0..20 {
        set_allocator(t, Some(if round % 2 == 0 { rows } else { refuse }), OWN)?;
        let mut out = std::ptr::null_mut();
        if allocate(t, &[2, 3], &mut out) == 0 {
            drop(t.own_object("the tensor", out)?);
        } else {
            t.take_raised();
        }
    }
    given_back(t)
}

/// No signal is pending without a frontend, on any thread.
#[check(ENV_0026)]
fn no_signals_without_a_frontend(t: &Trial) -> Verdict {
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    t.threads(1, |t, _| t.ok(t.api.TVMFFIEnvCheckSignals()))
}

/// The frontend's answer decides whether a signal is pending.
#[check(ENV_0027)]
fn frontend_decides_on_signals(t: &Trial) -> Verdict {
    register_frontend(t)?;
    for (answer, pending) in [(0, false), (-1, true), (0, false), (1, true), (7, true), (0, false)] {
        ANSWER.store(answer as u32, Ordering::Relaxed);
        let code = t.api.TVMFFIEnvCheckSignals();
        let expected = if pending { "not 0" } else { "0" };
        t.that(format!("return value when the frontend answers {answer}"), (code != 0) == pending, expected, code)?;
    }
    Ok(())
}

/// The interpreter's lock is taken and given back around the question.
#[check(ENV_0028)]
fn signals_are_checked_under_the_lock(t: &Trial) -> Verdict {
    register_frontend(t)?;
    for answer in [0, -1] {
        ANSWER.store(answer as u32, Ordering::Relaxed);
        STEPS.store(0, Ordering::Relaxed);
        t.api.TVMFFIEnvCheckSignals();
        t.eq("the calls (1 ensure, 2 check, 3 release)", STEPS.load(Ordering::Relaxed), 123)?;
        t.eq("what PyGILState_Release received", RELEASED.load(Ordering::Relaxed), LOCK_STATE)?;
    }
    Ok(())
}

/// A pending signal raises no error of the library's.
#[check(ENV_0029)]
fn pending_signal_raises_nothing(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(1, Ordering::Relaxed);
    t.api.TVMFFIEnvCheckSignals();
    let raised = t.take_raised().map(|raised| format!("{}: {}", raised.kind, raised.message));
    t.eq("the raised error", raised, None)
}

/// The three functions of a frontend are accepted.
#[check(ENV_0030)]
fn known_functions_are_accepted(t: &Trial) -> Verdict {
    register_frontend(t)?;
    register_frontend(t)
}

/// A function of another name is refused with a ValueError.
#[check(ENV_0031)]
fn unknown_function_is_refused(t: &Trial) -> Verdict {
    for name in [c"PyErr_NoSuchFunction", c"PyErr_CheckSignal", c"PyGILState_Ensure2", c"", c"Py_DecRef"] {
        let code = t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), check_signals as *mut c_void);
        t.raises(code, &["ValueError"])?;
    }
    Ok(())
}

/// A function that is registered again replaces the former one.
#[check(ENV_0032)]
fn function_can_be_replaced(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(0, Ordering::Relaxed);
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    register(t, c"PyErr_CheckSignals", always_pending as *mut c_void)?;
    let code = t.api.TVMFFIEnvCheckSignals();
    t.that("return value with the new function", code != 0, "not 0", code)
}

/// NULL takes the function for signals away.
#[check(ENV_0033)]
fn function_can_be_taken_away(t: &Trial) -> Verdict {
    register_frontend(t)?;
    register(t, c"PyErr_CheckSignals", always_pending as *mut c_void)?;
    register(t, c"PyErr_CheckSignals", std::ptr::null_mut())?;
    t.ok(t.api.TVMFFIEnvCheckSignals())
}

/// A NULL name is refused.
#[check(ENV_0034)]
fn null_name_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIEnvRegisterCAPI(std::ptr::null(), check_signals as *mut c_void), &[])?;
    Ok(())
}

/// A NULL place for the tensor is refused.
#[check(ENV_0034)]
fn null_place_is_an_error(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    let mut extents = [2, 3];
    t.raises(t.api.TVMFFIEnvTensorAlloc(&mut prototype(&mut extents), std::ptr::null_mut()), &[])?;
    Ok(())
}

/// Signals are checked by the same functions on every thread.
#[check(ENV_0035)]
fn every_thread_asks_the_frontend(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(1, Ordering::Relaxed);
    t.threads(3, |t, _| {
        let code = t.api.TVMFFIEnvCheckSignals();
        t.that("return value on another thread", code != 0, "not 0", code)
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Streams
// ---------------------------------------------------------------------------------------------------------------------

/// What an address is before the target has written it.
const GARBAGE: usize = 0x5a5a_5a5a_5a5a_5a5a;
const NO_STREAM: usize = 0;

/// The current stream of a device, given by type and id.
fn stream(t: &Trial, (device_type, id): (i32, i32)) -> usize {
    t.api.TVMFFIEnvGetStream(device_type, id) as usize
}

/// Sets the stream of a device without asking for the former one.
fn set_stream(t: &Trial, (device_type, id): (i32, i32), stream: usize) -> Verdict {
    t.ok(t.api.TVMFFIEnvSetStream(device_type, id, stream as TVMFFIStreamHandle, std::ptr::null_mut()))
}

// ---------------------------------------------------------------------------------------------------------------------
// Allocators
// ---------------------------------------------------------------------------------------------------------------------

type Allocator = DLPackManagedTensorAllocator;

/// Where an allocator is set: for this thread, or globally too.
const OWN: c_int = 0;
const GLOBAL: c_int = 1;

fn set_allocator(t: &Trial, allocator: Option<Allocator>, place: c_int) -> Verdict {
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, place, std::ptr::null_mut()))
}

/// Expects this thread to use that allocator.
fn uses(t: &Trial, when: &str, allocator: Option<Allocator>) -> Verdict {
    let current = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    t.eq(format!("the allocator {when}"), name_of(current), name_of(allocator))
}

/// Sets an allocator and expects that one to be given out as the former one.
fn replaces(t: &Trial, allocator: Option<Allocator>, place: c_int, replaced: Option<Allocator>) -> Verdict {
    let mut original = Some(refuse as Allocator);
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, place, &mut original))?;
    t.eq("the allocator that was replaced", name_of(original), name_of(replaced))
}

/// An allocator's name, or its address if it is none of ours.
fn name_of(allocator: Option<Allocator>) -> String {
    let Some(allocator) = allocator else { return "NULL".to_owned() };
    let ours: [(&str, Allocator); 3] = [("rows", rows), ("plain", plain), ("refuse", refuse)];
    match ours.into_iter().find(|(_, ours)| *ours as usize == allocator as usize) {
        Some((name, _)) => name.to_owned(),
        None => format!("{:#x}", allocator as usize),
    }
}

/// A tensor of floats with these extents.
fn prototype(extents: &mut [i64]) -> DLTensor {
    DLTensor {
        data: std::ptr::null_mut(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: extents.len() as i32,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: extents.as_mut_ptr(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    }
}

/// `TVMFFIEnvTensorAlloc`; the status is the caller's to judge.
fn allocate(t: &Trial, extents: &[i64], out: &mut TVMFFIObjectHandle) -> c_int {
    t.api.TVMFFIEnvTensorAlloc(&mut prototype(&mut extents.to_vec()), out)
}

/// `TVMFFIEnvTensorAlloc`, expected to succeed.
fn new_tensor(t: &Trial, extents: &[i64]) -> Verdict<Owned> {
    let mut out = std::ptr::null_mut();
    t.ok(allocate(t, extents, &mut out))?;
    t.own_object("the tensor", out)
}

/// Extents or strides in the target's memory.
fn words(t: &Trial, what: &str, first: *const i64, ndim: i32) -> Verdict<Vec<i64>> {
    t.that("ndim", (0..=8).contains(&ndim), "a number of dimensions", ndim)?;
    (0..ndim as usize).map(|place| t.read(what, first.wrapping_add(place))).collect()
}

/// Expects every tensor that an allocator made to have been given back.
fn given_back(t: &Trial) -> Verdict {
    let (made, deleted) = (MADE.load(Ordering::Relaxed), DELETED.load(Ordering::Relaxed));
    if made == deleted { Ok(()) } else { Err(t.leak("tensors that were given back", made, deleted)) }
}

/// What every tensor's data is.
static DATA: [u8; 64] = [0x5a; 64];
/// The strides of [`rows`] leave a gap between rows.
const ROW_STRIDE: i64 = 16;
const BYTE_OFFSET: u64 = 8;

/// What the allocator was asked for last.
static ASKED: Mutex<Option<Asked>> = Mutex::new(None);
static MADE: AtomicUsize = AtomicUsize::new(0);
static DELETED: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone, Debug, PartialEq)]
struct Asked {
    device: DLDevice,
    dtype: DLDataType,
    extents: Vec<i64>,
    can_report_errors: bool,
}

/// A tensor and what it points to.
struct Allocation {
    managed: DLManagedTensorVersioned,
    extents: Vec<i64>,
    strides: Vec<i64>,
}

/// Makes tensors with strides and a byte offset.
unsafe extern "C" fn rows(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let Some(mut allocation) = make(prototype, set_error) else { return -1 };
    let inner = allocation.extents.len().saturating_sub(1);
    allocation.strides =
        (0..allocation.extents.len()).map(|place| if place == inner { 1 } else { ROW_STRIDE }).collect();
    allocation.managed.dl_tensor.strides = allocation.strides.as_mut_ptr();
    allocation.managed.dl_tensor.byte_offset = BYTE_OFFSET;
    // SAFETY: the caller gives a place for the tensor.
    unsafe { *out = hand_out(allocation, Some(give_back)) };
    0
}

/// Makes tensors without strides.
unsafe extern "C" fn plain(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let Some(allocation) = make(prototype, set_error) else { return -1 };
    // SAFETY: the caller gives a place for the tensor.
    unsafe { *out = hand_out(allocation, Some(give_back)) };
    0
}

/// Makes tensors that nobody has to give back.
unsafe extern "C" fn unowned(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let Some(allocation) = make(prototype, set_error) else { return -1 };
    // SAFETY: the caller gives a place for the tensor.
    unsafe { *out = hand_out(allocation, None) };
    0
}

/// Makes nothing, and says why.
unsafe extern "C" fn refuse(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    if let Some(set_error) = set_error {
        // SAFETY: the error function is called as DLPack says, with the context that came with it.
        unsafe { set_error(error_ctx, c"MemoryError".as_ptr(), c"no room for another tensor".as_ptr()) };
    }
    -1
}

/// Makes nothing, and does not say why.
unsafe extern "C" fn refuse_silently(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    7
}

/// Makes nothing, and claims success.
unsafe extern "C" fn make_nothing(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    0
}

/// A tensor like the prototype, or `None` when the prototype cannot be read.
fn make(prototype: *const DLTensor, set_error: Option<DLPackSetError>) -> Option<Box<Allocation>> {
    let prototype = memory::read(prototype)?;
    let count = usize::try_from(prototype.ndim).ok().filter(|&ndim| ndim <= 8)?;
    let extents = (0..count).map(|place| memory::read(prototype.shape.wrapping_add(place).cast_const()));
    let mut extents = extents.collect::<Option<Vec<i64>>>()?;
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Asked {
        device: prototype.device,
        dtype: prototype.dtype,
        extents: extents.clone(),
        can_report_errors: set_error.is_some(),
    });
    let dl_tensor = DLTensor {
        data: DATA.as_ptr().cast_mut().cast(),
        shape: extents.as_mut_ptr(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
        ..prototype
    };
    let version = DLPackVersion { major: 1, minor: 0 };
    let managed =
        DLManagedTensorVersioned { version, manager_ctx: std::ptr::null_mut(), deleter: None, flags: 0, dl_tensor };
    Some(Box::new(Allocation { managed, extents, strides: Vec::new() }))
}

/// Gives a tensor away to whoever runs the deleter.
fn hand_out(
    allocation: Box<Allocation>,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
) -> *mut DLManagedTensorVersioned {
    MADE.fetch_add(1, Ordering::Relaxed);
    let allocation = Box::into_raw(allocation);
    // SAFETY: just made, and nobody else's yet.
    let managed = unsafe { &mut (*allocation).managed };
    managed.manager_ctx = allocation.cast();
    managed.deleter = deleter;
    managed
}

unsafe extern "C" fn give_back(managed: *mut DLManagedTensorVersioned) {
    DELETED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: made by `hand_out`, and this is the last that is heard of it.
    drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Allocation>()) });
}

// ---------------------------------------------------------------------------------------------------------------------
// A frontend
// ---------------------------------------------------------------------------------------------------------------------

/// What the frontend answers when it is asked for signals.
static ANSWER: AtomicU32 = AtomicU32::new(0);
/// Its functions in the order in which they were called, a decimal digit each.
static STEPS: AtomicU32 = AtomicU32::new(0);
/// What the lock's state is: a C enumeration in Python, so no wider than this.
const LOCK_STATE: u32 = 0x61;
/// The state that was given back.
static RELEASED: AtomicU32 = AtomicU32::new(0);

fn register(t: &Trial, name: &CStr, function: *mut c_void) -> Verdict {
    t.ok(t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), function))
}

fn register_frontend(t: &Trial) -> Verdict {
    register(t, c"PyErr_CheckSignals", check_signals as *mut c_void)?;
    register(t, c"PyGILState_Ensure", ensure as *mut c_void)?;
    register(t, c"PyGILState_Release", release as *mut c_void)
}

fn step(number: u32) {
    // Only the order within one thread is looked at.
    STEPS.store(STEPS.load(Ordering::Relaxed) % 100_000_000 * 10 + number, Ordering::Relaxed);
}

unsafe extern "C" fn ensure() -> *mut c_void {
    step(1);
    LOCK_STATE as usize as *mut c_void
}

unsafe extern "C" fn check_signals() -> c_int {
    step(2);
    ANSWER.load(Ordering::Relaxed) as c_int
}

unsafe extern "C" fn always_pending() -> c_int {
    1
}

unsafe extern "C" fn release(state: *mut c_void) {
    step(3);
    RELEASED.store(state as usize as u32, Ordering::Relaxed);
}
