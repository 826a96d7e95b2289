//! The current streams of devices. The library never follows a stream, so any address will do for one.

use std::{
    collections::BTreeMap,
    ffi::{c_int, c_void},
    ptr::dangling_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::{collection, sample};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Client, Verdict,
        api::Api,
        callback::{Body, api, raise},
        samples::Place,
        tensors::{ACCELERATORS, HOSTS},
    },
    trial::Trial,
};

/// The current stream of a device for which none was set is NULL.
#[check(ENV_0001)]
fn stream_is_null_at_first(t: &Trial) -> Verdict {
    for device in [(kDLCPU, 0), (kDLCUDA, 0), (kDLCUDA, 7), (kDLROCM, 3), (kDLExtDev, 63)] {
        t.eq(format_args!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
    }
    Ok(())
}

/// The current stream of a device for which none was set is NULL, whatever was set for devices of another type or whose id differs by one bit.
#[check(ENV_0001)]
fn stream_is_null_beside_others(t: &Trial) -> Verdict {
    let set = [(kDLCUDA, 5), (kDLROCM, 0), (kDLCUDA, 0), (kDLVulkan, 255)];
    set.into_iter().try_for_each(|device| set_stream(t, device, 0x5150))?;
    for (device_type, id) in set {
        let ids = (0..31).map(|bit| (device_type, id ^ (1 << bit)));
        let types = ACCELERATORS.into_iter().map(|device_type| (device_type, id));
        for device in ids.chain(types).filter(|device| !set.contains(device)) {
            t.eq(format_args!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
        }
    }
    Ok(())
}

/// Setting the stream of one device leaves those of other ids and other device types as they were.
#[check(ENV_0003)]
fn neighbours_keep_their_streams(t: &Trial) -> Verdict {
    let others = [(kDLCUDA, 4), (kDLCUDA, 6), (kDLCUDA, 0), (kDLROCM, 5), (kDLVulkan, 5), (kDLOpenCL, 5), (kDLCPU, 0)];
    let before = others.map(|device| stream(t, device));
    set_stream(t, (kDLCUDA, 5), 0x5150)?;
    for (device, before) in others.into_iter().zip(before) {
        t.eq(format_args!("stream of {device:?}"), stream(t, device), before)?;
    }
    Ok(())
}

/// TVMFFIEnvGetStream answers the stream that was set last, however often it is asked.
#[check(ENV_0002)]
fn stream_is_kept(t: &Trial) -> Verdict {
    // Nobody could follow any of these.
    for value in [0x5151, 0x5152, 0x5151, 1, 0x7ead_0000_0000_0000, usize::MAX] {
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

/// The streams that a function sets while it is called are still set after the call, whoever calls the function: the client, a module, or the library
/// as a hook, as a callback or at the end of an object, and whether the function answers or fails.
#[check(ENV_0002)]
fn streams_that_a_call_sets_stay(t: &Trial) -> Verdict {
    let sets: Body = |api, _| set_within(api).then(|| *ANSWER.lock().unwrap_or_else(PoisonError::into_inner));
    let sets_and_fails: Body = |api, _| {
        set_within(api);
        raise(api, c"KeyError", c"after the streams were set")
    };
    let (sets, fails) = (t.callback(sets)?, t.callback(sets_and_fails)?);
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.sets_streams"), sets.handle(), 1))?;
    let symbol = c"__tvm_ffi_verify_sets_streams".as_ptr();
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol, set_by_symbol as *mut c_void))?;
    let of_system = t.function_of(&t.call_global("ffi.SystemLib", &[])?, c"verify_sets_streams")?;
    let call = t.function_of(&t.load("functions.so")?, c"call")?;
    for _ in 0..2 {
        t.call(&sets, &[])?;
        latest_are_set(t, "a function has returned")?;
        t.call_fails(&fails, &[], &[])?;
        latest_are_set(t, "a function has failed")?;
        t.call_global("verify.sets_streams", &[])?;
        latest_are_set(t, "a global function has returned")?;
        t.call(&of_system, &[])?;
        latest_are_set(t, "a function of ffi.SystemLib has returned")?;
        for inner in [&sets, &of_system] {
            t.call(&call, &[inner.any()])?;
            latest_are_set(t, "a module's function that has called another has returned")?;
            t.call(&call, &[call.any(), call.any(), inner.any()])?;
            latest_are_set(t, "a module's function that has called itself has returned")?;
        }
        t.call_fails(&call, &[fails.any()], &[])?;
        latest_are_set(t, "a module's function has failed")?;
        drop(t.opaque(dangling_mut(), set_at_end)?);
        latest_are_set(t, "an object has ended")?;
    }
    for occasion in t.occasions(&sets)? {
        *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = occasion.answer;
        drop((occasion.provoke)(t)?);
        latest_are_set(t, &occasion.name)?;
    }
    for occasion in t.occasions_about(Place::InArray, &fails)? {
        drop((occasion.0.provoke)(t)?);
        latest_are_set(t, &occasion.0.name)?;
    }
    Ok(())
}

/// The devices whose streams are set within calls.
const WITHIN: [(i32, i32); 5] = [(kDLCUDA, 0), (kDLCUDA, 255), (kDLROCM, 3), (kDLVulkan, 0), (kDLCPU, 0)];

/// The latest stream that was set for the first of these; the others have those that follow.
static LATEST: AtomicUsize = AtomicUsize::new(0x5000);

/// What a function answers that sets streams.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// Sets new streams, from within a call. It answers whether that has succeeded.
fn set_within(api: &Api) -> bool {
    let latest = LATEST.fetch_add(0x10, Ordering::Relaxed) + 0x10;
    WITHIN.into_iter().zip(latest..).all(|((device_type, id), stream)| {
        api.TVMFFIEnvSetStream(device_type, id, stream as TVMFFIStreamHandle, std::ptr::null_mut()) == 0
    })
}

/// Does so as a symbol of a library.
unsafe extern "C" fn set_by_symbol(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if api().is_some_and(set_within) { 0 } else { -1 }
}

/// Does so as the end of an object.
unsafe extern "C" fn set_at_end(_: *mut c_void) {
    if let Some(api) = api() {
        set_within(api);
    }
}

/// Expects the streams that were set last.
fn latest_are_set(t: &Trial, when: &str) -> Verdict {
    for (device, latest) in WITHIN.into_iter().zip(LATEST.load(Ordering::Relaxed)..) {
        t.eq(format_args!("stream of {device:?} after: {when}"), stream(t, device), latest)?;
    }
    Ok(())
}

/// The streams that a thread has set are still its own when its process makes a copy of itself, in both.
#[check(ENV_0002)]
fn streams_outlast_a_fork(t: &Trial) -> Verdict {
    let devices = [(kDLCUDA, 0), (kDLCUDA, 255), (kDLROCM, 3), (kDLCPU, 0)];
    for (place, device) in devices.into_iter().enumerate() {
        set_stream(t, device, 0x5151 + place)?;
    }
    set_stream(t, devices[2], NO_STREAM)?;
    let streams = t.lasts_in_copies("the streams", |client| Ok(devices.map(|device| stream(client, device))))?;
    t.eq("the streams", streams, [0x5151, 0x5152, NO_STREAM, 0x5154])
}

/// Every pair of device type and id has a stream of its own, for ids up to 255 of all types at once.
#[check(ENV_0003)]
fn devices_have_streams_of_their_own(t: &Trial) -> Verdict {
    let numbered = ACCELERATORS.into_iter().flat_map(|device_type| (0..=255).map(move |id| (device_type, id)));
    keep_apart(t, HOSTS.map(|device_type| (device_type, 0)).into_iter().chain(numbered).collect())
}

/// A device with an id beyond 255 has a stream of its own, unless setting it fails with an error.
#[check(ENV_0003)]
fn large_ids_have_streams_of_their_own(t: &Trial) -> Verdict {
    // Apart by one bit or by more, up to where a table of all ids is still of a moderate size.
    let powers = (8..=17).map(|power| 1_i32 << power);
    let ids: Vec<i32> = [0, 1, 1000].into_iter().chain(powers.flat_map(|id| [id - 1, id, id + 1])).collect();
    let mut devices = Vec::new();
    for device in ACCELERATORS.into_iter().flat_map(|device_type| ids.iter().map(move |&id| (device_type, id))) {
        match t.api.TVMFFIEnvSetStream(device.0, device.1, NO_STREAM as TVMFFIStreamHandle, std::ptr::null_mut()) {
            0 => devices.push(device),
            code => t.raises(code, &[]).map(drop)?,
        }
    }
    keep_apart(t, devices)
}

/// Sets a stream for each of these devices, and then expects each to have its own.
fn keep_apart(t: &Trial, devices: Vec<(i32, i32)>) -> Verdict {
    let own = |(device_type, id): (i32, i32)| 0x5_0000 + ((device_type as usize) << 20) + id as usize;
    // Not in ascending order, so that room has to be made in between.
    devices.iter().rev().try_for_each(|&device| set_stream(t, device, own(device)))?;
    devices.iter().try_for_each(|&device| t.eq(format_args!("stream of {device:?}"), stream(t, device), own(device)))
}

/// A random sequence of settings leaves each device with the stream that was set for it last.
#[check(ENV_0003, patient = 3)]
fn streams_behave_like_a_map(t: &Trial) -> Verdict {
    let setting = (sample::select(&ACCELERATORS[..]), 0..10_i32, 0..5_usize);
    let told = |settings: &Vec<(i32, i32, usize)>| {
        let told = settings.iter().map(|(kind, id, stream)| format!("device ({kind}, {id}) gets stream {stream:#x}"));
        told.collect::<Vec<_>>().join("; ")
    };
    t.property_told(collection::vec(setting, 1..30), told, |settings| {
        let mut model = BTreeMap::new();
        for &(device_type, id, value) in settings {
            set_stream(t, (device_type, id), value)?;
            model.insert((device_type, id), value);
        }
        for (&device, &value) in &model {
            t.eq(format_args!("stream of {device:?}"), stream(t, device), value)?;
        }
        // The next case begins where this one did.
        model.keys().try_for_each(|&device| set_stream(t, device, NO_STREAM))
    })
}

/// TVMFFIEnvSetStream gives out the stream that it replaces.
#[check(ENV_0004)]
fn replaced_stream_is_given_out(t: &Trial) -> Verdict {
    for device in [(kDLCUDA, 2), (kDLCPU, 0), (kDLROCM, 255)] {
        let mut replaced = stream(t, device);
        // Each comes after each, itself among them.
        let all = [NO_STREAM, 0x5151, 0x5152, usize::MAX];
        for new in all.into_iter().flat_map(|first| all.into_iter().flat_map(move |second| [first, second])) {
            t.eq(
                format_args!("the stream of {device:?} that was replaced"),
                replace_stream(t, device, new)?,
                replaced,
            )?;
            t.eq(format_args!("the stream of {device:?}"), stream(t, device), new)?;
            replaced = new;
        }
    }
    Ok(())
}

/// A thread neither sees the stream that another has set nor changes it.
#[check(ENV_0005)]
fn streams_are_thread_local(t: &Trial) -> Verdict {
    let device = (kDLCUDA, 1);
    set_stream(t, device, 0x5151)?;
    t.threads(1, |t, _| {
        let at_first = stream(t, device);
        t.ne("the stream of a new thread", at_first, 0x5151)?;
        t.eq("the stream that the new thread replaced", replace_stream(t, device, 0x5152)?, at_first)?;
        t.eq("the stream that the new thread has set", stream(t, device), 0x5152)
    })?;
    t.eq("the stream after another thread has set its own", stream(t, device), 0x5151)
}

/// A thread that begins after others have ended sees none of the streams that those have set.
#[check(ENV_0005)]
fn streams_end_with_their_thread(t: &Trial) -> Verdict {
    let devices = [(kDLCUDA, 1), (kDLROCM, 200), (kDLCPU, 0)];
    // The system gives a new thread the stack, and with it the name, of one that has ended.
    for round in 0..20 {
        t.threads(1 + round % 3, |t, number| {
            for device in devices {
                let seen = stream(t, device);
                t.that("the stream of a new thread", seen & OF_A_THREAD == 0, "none that another has set", seen)?;
                set_stream(t, device, OF_A_THREAD | (round << 4 | number))?;
            }
            Ok(())
        })?;
    }
    for device in devices {
        let seen = stream(t, device);
        t.that("the stream of the first thread", seen & OF_A_THREAD == 0, "none that another has set", seen)?;
    }
    Ok(())
}

/// Each of hundreds of threads keeps its own streams while all of them live.
#[check(ENV_0005)]
fn streams_of_a_crowd(t: &Trial) -> Verdict {
    let devices = [(kDLCUDA, 0), (kDLCUDA, 255), (kDLROCM, 1), (kDLCPU, 0)];
    let own = |number: usize, place: usize| OF_A_THREAD | (number << 4 | place);
    t.crowd(
        |t, number| {
            for (place, device) in devices.into_iter().enumerate() {
                let seen = stream(t, device);
                t.that("the stream of a new thread", seen & OF_A_THREAD == 0, "none that another has set", seen)?;
                set_stream(t, device, own(number, place))?;
            }
            Ok(())
        },
        |t, number, ()| {
            for (place, device) in devices.into_iter().enumerate() {
                t.eq(format_args!("stream of {device:?} on thread {number}"), stream(t, device), own(number, place))?;
            }
            Ok(())
        },
    )
}

/// Threads that set streams and end keep no memory.
#[check(ENV_0008, patient = 3)]
fn streams_go_with_their_thread(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have set streams", |t| {
        [(kDLCUDA, 0), (kDLCUDA, 40), (kDLROCM, 7)].into_iter().try_for_each(|device| set_stream(t, device, 0x5151))
    })
}

/// A bit of the streams that threads set here.
const OF_A_THREAD: usize = 1 << 40;

/// Threads that set streams of the same devices at once each keep their own.
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

/// A stream can be set for every device type of DLPack, and for ids up to 255 where there are several devices.
#[check(ENV_0006)]
fn every_device_type_has_streams(t: &Trial) -> Verdict {
    let numbered = ACCELERATORS.into_iter().flat_map(|device_type| [255, 0, 63].map(|id| (device_type, id)));
    for device in HOSTS.map(|device_type| (device_type, 0)).into_iter().chain(numbered) {
        let own = 0x5000 + device.1 as usize;
        set_stream(t, device, own)?;
        t.eq(format_args!("stream of {device:?}"), stream(t, device), own)?;
    }
    Ok(())
}

/// The current stream of a device whose type or id is negative or enormous is NULL.
#[check(ENV_0007)]
fn impossible_device_has_no_stream(t: &Trial) -> Verdict {
    set_stream(t, (kDLCUDA, 0), 0x5151)?;
    for device in [(kDLCUDA, -1), (-1, 0), (-1, -1), (i32::MIN, i32::MIN), (1 << 30, 0), (kDLCUDA, i32::MAX)] {
        t.eq(format_args!("stream of {device:?}"), stream(t, device), NO_STREAM)?;
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

/// What an address is before the target has written it.
const GARBAGE: usize = 0x5a5a_5a5a_5a5a_5a5a;
const NO_STREAM: usize = 0;

/// The current stream of a device, given by type and id.
fn stream(client: &Client, (device_type, id): (i32, i32)) -> usize {
    client.api.TVMFFIEnvGetStream(device_type, id) as usize
}

/// Sets the stream of a device without asking for the former one.
fn set_stream(t: &Trial, (device_type, id): (i32, i32), stream: usize) -> Verdict {
    t.ok(t.api.TVMFFIEnvSetStream(device_type, id, stream as TVMFFIStreamHandle, std::ptr::null_mut()))
}

/// Sets the stream of a device and answers the former one.
fn replace_stream(t: &Trial, (device_type, id): (i32, i32), stream: usize) -> Verdict<usize> {
    let mut original = GARBAGE as TVMFFIStreamHandle;
    t.ok(t.api.TVMFFIEnvSetStream(device_type, id, stream as TVMFFIStreamHandle, &mut original))?;
    Ok(original as usize)
}
