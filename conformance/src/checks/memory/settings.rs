//! What a thread or a process sets and asks for again.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::kit::{Call, PASSING, Shortage};
use crate::{checks::check, client::Verdict, trial::Trial};

/// A stream, or an allocator of tensors or of objects, is the one that was set, or the one before where setting it fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn sets_streams_and_allocators(t: &Trial) -> Verdict {
    settings(t, PASSING)
}

unsafe extern "C" fn allocate(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    -1
}

/// Each setting.
pub(super) fn settings(t: &Trial, shortage: Shortage) -> Verdict {
    // A device of its own each time, so that there is something to be kept of it.
    let device = Cell::new(0);
    let stream = std::ptr::without_provenance_mut::<c_void>(0x5a5a);
    Call {
        name: "TVMFFIEnvSetStream",
        prepare: &|| Ok(device.replace(device.get() + 1)),
        run: &|device, _| t.api.TVMFFIEnvSetStream(kDLCUDA, *device, stream, &mut null_mut()),
        look: &|device, done| {
            let expected = if done.is_some() { stream } else { null_mut() };
            t.eq("the stream after TVMFFIEnvSetStream", t.api.TVMFFIEnvGetStream(kDLCUDA, *device), expected)
        },
        is_left: &|_| false,
        raises: true,
        lasts: true,
    }
    .meets(t, shortage)?;
    for for_all in [0, 1] {
        Call {
            name: "TVMFFIEnvSetDLPackManagedTensorAllocator",
            prepare: &|| t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, for_all, null_mut())),
            run: &|(), _| t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(allocate), for_all, null_mut()),
            look: &|(), done| {
                let set = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator().map_or(0, |allocator| allocator as usize);
                let expected = if done.is_some() { allocate as *const () as usize } else { 0 };
                t.eq("the allocator after TVMFFIEnvSetDLPackManagedTensorAllocator", set, expected)
            },
            is_left: &|_| false,
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)?;
    }
    if !t.api.has("TVMFFISetCustomAllocator") || !t.api.has("TVMFFIGetCustomAllocator") {
        return Ok(());
    }
    let built_in = t.api.TVMFFIGetCustomAllocator();
    if built_in.is_null() {
        return Ok(());
    }
    let own = Box::leak(Box::new(t.read("the allocator", built_in.cast_const())?));
    Call {
        name: "TVMFFISetCustomAllocator",
        prepare: &|| t.ok(t.api.TVMFFISetCustomAllocator(null_mut())),
        run: &|(), _| t.api.TVMFFISetCustomAllocator((&raw const *own).cast_mut()),
        look: &|(), done| {
            let expected = if done.is_some() { (&raw const *own).cast_mut() } else { built_in };
            t.eq("the allocator after TVMFFISetCustomAllocator", t.api.TVMFFIGetCustomAllocator(), expected)
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)?;
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}
