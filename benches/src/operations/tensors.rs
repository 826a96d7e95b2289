//! Tensors: taken over and exported in both versions of DLPack, views, allocation, shapes, and streams.

use std::{
    ffi::{c_int, c_void},
    hint::black_box,
    ptr::null_mut,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::view;

use super::{
    kit::{managed, prototype, tensor},
    operation::Area,
};
use crate::task::Task;

pub fn area() -> Area {
    let mut area = Area::new("tensors");
    area.one("DLPack in", |lib| {
        let (lib, from) = (*lib, managed());
        Task::making(&lib, "ffi.Tensor", move || tensor(&lib, from))
    });
    area.one("DLPack in, versioned", |lib| {
        let (lib, from) = (*lib, versioned());
        Task::making(&lib, "ffi.Tensor", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFITensorFromDLPackVersioned(black_box(from), 0, 0, &mut out));
            TVMFFIAny::new(kTVMFFITensor, out as u64)
        })
    });
    area.one("DLPack in, aligned and contiguous", |lib| {
        let (lib, from) = (*lib, managed());
        Task::making(&lib, "ffi.Tensor", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFITensorFromDLPack(black_box(from), 4, 1, &mut out));
            TVMFFIAny::new(kTVMFFITensor, out as u64)
        })
    });
    area.one("DLPack out", |lib| {
        let lib = *lib;
        let tensor = lib.own(tensor(&lib, managed()));
        export(move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFITensorToDLPack(black_box(tensor.handle()), &mut out));
            // SAFETY: a tensor that the library has just exported, given back once.
            unsafe {
                let shape = shape_of(&(*out).dl_tensor);
                (*out).deleter.expect("an exported tensor has a deleter")(out);
                shape
            }
        })
    });
    area.one("DLPack out, versioned", |lib| {
        let lib = *lib;
        let tensor = lib.own(tensor(&lib, managed()));
        export(move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFITensorToDLPackVersioned(black_box(tensor.handle()), &mut out));
            // SAFETY: a tensor that the library has just exported, given back once.
            unsafe {
                let shape = shape_of(&(*out).dl_tensor);
                (*out).deleter.expect("an exported tensor has a deleter")(out);
                shape
            }
        })
    });
    area.one("view", |lib| {
        let lib = *lib;
        let (tensor, prototype) = (lib.own(tensor(&lib, managed())), prototype());
        Task::making(&lib, "ffi.Tensor", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFITensorCreateUnsafeView(black_box(tensor.handle()), &prototype, &mut out));
            TVMFFIAny::new(kTVMFFITensor, out as u64)
        })
    });
    area.one("environment's allocation", |lib| {
        let (lib, mut prototype) = (*lib, prototype());
        lib.ok(lib.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(allocate), 0, null_mut()));
        Task::making(&lib, "ffi.Tensor", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFIEnvTensorAlloc(black_box(&mut prototype), &mut out));
            TVMFFIAny::new(kTVMFFITensor, out as u64)
        })
    });
    area.one("Shape of 4", |lib| {
        let (lib, make) = (*lib, lib.function("ffi.Shape"));
        let extents: [_; 4] = std::array::from_fn(|at| view::int(at as i64 + 2));
        Task::making_alike(&lib, move || lib.call(make, &extents))
    });
    area.one("stream set", |lib| {
        let lib = *lib;
        let set = move |stream: u64| lib.ok(lib.TVMFFIEnvSetStream(kDLCUDA, 0, stream as *mut c_void, null_mut()));
        let mut stream = 0x10;
        let step = move || {
            stream ^= 0x20;
            set(black_box(stream));
        };
        Task::changing("0x30", step, move || format!("{:?}", lib.TVMFFIEnvGetStream(kDLCUDA, 0)))
    });
    area.one("stream asked for", |lib| {
        let lib = *lib;
        lib.ok(lib.TVMFFIEnvSetStream(kDLCUDA, 1, 0x10 as *mut c_void, null_mut()));
        Task::new(format!("{:?}", lib.TVMFFIEnvGetStream(kDLCUDA, 1)), move || {
            black_box(lib.TVMFFIEnvGetStream(black_box(kDLCUDA), 1));
        })
    });
    area
}

unsafe extern "C" fn keep_versioned(_: *mut DLManagedTensorVersioned) {}

/// The same in the form that knows its version.
fn versioned() -> *mut DLManagedTensorVersioned {
    Box::leak(Box::new(DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 1 },
        manager_ctx: null_mut(),
        deleter: Some(keep_versioned),
        flags: 0,
        dl_tensor: prototype(),
    }))
}

/// An allocator that hands out the same tensor each time, so that what is timed is the library's part.
unsafe extern "C" fn allocate(
    _: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    thread_local! {
        static TENSOR: *mut DLManagedTensorVersioned = versioned();
    }
    // SAFETY: the library passes room for a pointer.
    TENSOR.with(|tensor| unsafe { out.write(*tensor) });
    0
}

/// A task that exports a tensor, gives it back, and answers its first extent.
fn export(mut step: impl FnMut() -> i64 + 'static) -> Task {
    let extent = step();
    assert_eq!(extent, 2, "the first extent of what is exported");
    Task::new("2 rows", move || {
        black_box(step());
    })
}

/// # Safety
/// The tensor has a dimension.
unsafe fn shape_of(tensor: &DLTensor) -> i64 {
    // SAFETY: by contract.
    unsafe { tensor.shape.read() }
}
