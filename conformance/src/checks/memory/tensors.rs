//! Tensors that come in and go out.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{Call, PASSING, Shortage, counts_stay, given};
use crate::{
    checks::check,
    client::{Owned, Verdict, tensor::FLOAT32},
    trial::Trial,
};

/// A tensor that is imported is still its producer's where the import fails for want of memory, and is given back once where it succeeds.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn imports_tensors(t: &Trial) -> Verdict {
    imports(t, PASSING)
}

/// A Tensor is exported with a reference of the export's own, or is as before, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn exports_tensors(t: &Trial) -> Verdict {
    exports(t, PASSING)
}

/// A view of a Tensor, and a Tensor from an allocator of the environment, is made, or nothing is held or lent any longer, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_tensors(t: &Trial) -> Verdict {
    views(t, PASSING)?;
    allocations(t, PASSING)
}

/// The two forms of a tensor that is handed over.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    Versioned,
}

/// A tensor of six floats, of which it is counted how often it is given back.
struct Producer {
    plain: DLManagedTensor,
    versioned: DLManagedTensorVersioned,
    _shape: Box<[i64; 2]>,
    _data: Box<[f32; 6]>,
}

static GIVEN_BACK: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn give_back(_: *mut DLManagedTensor) {
    GIVEN_BACK.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn give_back_versioned(_: *mut DLManagedTensorVersioned) {
    GIVEN_BACK.fetch_add(1, Ordering::Relaxed);
}

impl Producer {
    fn new() -> Box<Self> {
        let (mut shape, mut data) = (Box::new([2_i64, 3]), Box::new([0.5_f32; 6]));
        let dl_tensor = DLTensor {
            data: data.as_mut_ptr().cast(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 2,
            dtype: FLOAT32,
            shape: shape.as_mut_ptr(),
            strides: null_mut(),
            byte_offset: 0,
        };
        let (manager_ctx, version) = (null_mut(), DLPackVersion { major: 1, minor: 1 });
        Box::new(Self {
            plain: DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(give_back) },
            versioned: DLManagedTensorVersioned {
                version,
                manager_ctx,
                deleter: Some(give_back_versioned),
                flags: 0,
                dl_tensor,
            },
            _shape: shape,
            _data: data,
        })
    }

    fn import(&self, t: &Trial, form: Form, out: *mut TVMFFIObjectHandle) -> c_int {
        match form {
            Form::Plain => t.api.TVMFFITensorFromDLPack((&raw const self.plain).cast_mut(), 0, 0, out),
            Form::Versioned => t.api.TVMFFITensorFromDLPackVersioned((&raw const self.versioned).cast_mut(), 0, 0, out),
        }
    }
}

/// A Tensor with the producer that it was imported from.
fn imported(t: &Trial) -> Verdict<(Owned, Box<Producer>)> {
    let (producer, mut out) = (Producer::new(), null_mut());
    t.ok(producer.import(t, Form::Versioned, &mut out))?;
    Ok((t.own_object("the new Tensor", out)?, producer))
}

/// Tensors that come in.
pub(super) fn imports(t: &Trial, shortage: Shortage) -> Verdict {
    for (name, form) in [("TVMFFITensorFromDLPack", Form::Plain), ("TVMFFITensorFromDLPackVersioned", Form::Versioned)]
    {
        Call {
            name,
            prepare: &|| Ok((Producer::new(), GIVEN_BACK.load(Ordering::Relaxed))),
            run: &|(producer, _), out| {
                let mut tensor = null_mut();
                given(producer.import(t, form, &mut tensor), tensor, kTVMFFITensor, out)
            },
            look: &|(_, before), _| {
                let given_back = GIVEN_BACK.load(Ordering::Relaxed) - before;
                t.eq(format_args!("how often {name} has had the tensor given back"), given_back, 0)
            },
            is_left: &|_| false,
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)?;
    }
    Ok(())
}

/// Tensors that go out.
pub(super) fn exports(t: &Trial, shortage: Shortage) -> Verdict {
    export(
        t,
        shortage,
        "TVMFFITensorToDLPack",
        |tensor, out| t.api.TVMFFITensorToDLPack(tensor, out),
        |export| export.deleter,
    )?;
    export(
        t,
        shortage,
        "TVMFFITensorToDLPackVersioned",
        |tensor, out| t.api.TVMFFITensorToDLPackVersioned(tensor, out),
        |export| export.deleter,
    )
}

/// One form of an export, of which the deleter is the target's.
fn export<M: Copy + 'static>(
    t: &Trial,
    shortage: Shortage,
    name: &str,
    make: impl Fn(TVMFFIObjectHandle, *mut *mut M) -> c_int,
    deleter: impl Fn(M) -> Option<unsafe extern "C" fn(*mut M)>,
) -> Verdict {
    Call {
        name,
        prepare: &|| Ok((imported(t)?, AtomicPtr::new(null_mut::<M>()))),
        run: &|(tensor, export), _| make(tensor.0.handle(), export.as_ptr()),
        look: &|(tensor, export), done| {
            let managed = export.load(Ordering::Relaxed);
            if done.is_some()
                && let Some(delete) = deleter(t.read("the export", managed.cast_const())?)
            {
                // SAFETY: the target's own deleter, called once, with what it belongs to.
                t.api.noted("the deleter of an export", || unsafe { delete(managed) });
            }
            counts_stay(t, shortage, &format!("the Tensor given to {name}"), &tensor.0, (1, 1))
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}

/// Hands over what gives a tensor back: the last reference, and the deleter of an export of each form. Expects the producer to have it back then.
pub(super) fn exported(t: &Trial, with: impl Fn(&dyn Fn())) -> Verdict {
    let back = |what: &str, expected: usize, give_back: &dyn Fn()| -> Verdict {
        let before = GIVEN_BACK.load(Ordering::Relaxed);
        with(give_back);
        let given_back = GIVEN_BACK.load(Ordering::Relaxed) - before;
        t.eq(format_args!("how often the tensor is given back by {what}"), given_back, expected)
    };
    let (tensor, _producer) = imported(t)?;
    let handle = tensor.into_any().payload() as TVMFFIObjectHandle;
    back("the last reference", 1, &|| t.api.release(handle))?;

    let (tensor, _producer) = imported(t)?;
    let (mut plain, mut versioned) = (null_mut(), null_mut());
    t.ok(t.api.TVMFFITensorToDLPack(tensor.handle(), &mut plain))?;
    t.ok(t.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut versioned))?;
    drop(tensor);
    let delete = t.read("the export", plain.cast_const())?.deleter;
    let delete_versioned = t.read("the export", versioned.cast_const())?.deleter;
    // SAFETY: the target's own deleters, each called once, with what it belongs to.
    back("the deleter of one of two exports", 0, &|| unsafe { delete.map_or((), |delete| delete(plain)) })?;
    // SAFETY: as above.
    back("the deleter of the last export", 1, &|| unsafe { delete_versioned.map_or((), |delete| delete(versioned)) })
}

/// Views of Tensors.
pub(super) fn views(t: &Trial, shortage: Shortage) -> Verdict {
    if !t.api.has("TVMFFITensorCreateUnsafeView") {
        return Ok(());
    }
    Call {
        name: "TVMFFITensorCreateUnsafeView",
        prepare: &|| {
            let (tensor, producer) = imported(t)?;
            let prototype: DLTensor = t.cell("tensor", tensor.handle())?;
            Ok((tensor, prototype, producer))
        },
        run: &|(tensor, prototype, _), out| {
            let mut view = null_mut();
            let status = t.api.TVMFFITensorCreateUnsafeView(tensor.handle(), prototype, &mut view);
            given(status, view, kTVMFFITensor, out)
        },
        look: &|(tensor, ..), done| match done {
            Some(_) => Ok(()),
            None => counts_stay(t, shortage, "the Tensor whose view was not made", tensor, (1, 1)),
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}

/// Tensors from an allocator of the environment.
pub(super) fn allocations(t: &Trial, shortage: Shortage) -> Verdict {
    static LENT: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn take_back(lent: *mut DLManagedTensorVersioned) {
        LENT.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: made as a Box below, and given back once.
        drop(unsafe { Box::from_raw(lent) });
    }
    unsafe extern "C" fn lend(
        prototype: *mut DLTensor,
        out: *mut *mut DLManagedTensorVersioned,
        _: *mut c_void,
        _: Option<DLPackSetError>,
    ) -> c_int {
        static DATA: [u64; 4] = [0; 4];
        LENT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: whoever asks gives a prototype, whose shape outlives the tensor, and a place for the tensor.
        unsafe {
            let dl_tensor = DLTensor { data: DATA.as_ptr().cast_mut().cast(), ..prototype.read() };
            let version = DLPackVersion { major: 1, minor: 1 };
            let (manager_ctx, deleter) = (null_mut(), Some(take_back as unsafe extern "C" fn(_)));
            out.write(Box::into_raw(Box::new(DLManagedTensorVersioned {
                version,
                manager_ctx,
                deleter,
                flags: 0,
                dl_tensor,
            })));
        }
        0
    }
    if !t.api.has("TVMFFIEnvTensorAlloc") {
        return Ok(());
    }
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(lend), 0, null_mut()))?;
    let source = imported(t)?;
    let prototype: DLTensor = t.cell("tensor", source.0.handle())?;
    Call {
        name: "TVMFFIEnvTensorAlloc",
        prepare: &|| Ok(()),
        run: &|(), out| {
            let mut tensor = null_mut();
            given(t.api.TVMFFIEnvTensorAlloc(&mut { prototype }, &mut tensor), tensor, kTVMFFITensor, out)
        },
        look: &|(), done| {
            let lent = LENT.load(Ordering::Relaxed);
            if done.is_none() {
                t.clause(shortage.about(true));
            }
            t.eq("tensors of the allocator's that are not given back", lent, usize::from(done.is_some()))
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}
