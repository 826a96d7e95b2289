//! Allocating tensors: what the allocator is asked for, and what becomes of what it makes.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Barrier, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    Allocator, Asked, BYTE_OFFSET, DATA, GLOBAL, OWN, ROW_STRIDE, as_told, asked, deleted, fail_as_told, fail_next,
    made, make_next, make_nothing, of_another_major, plain, refuse, refuse_as_told, refuse_silently, report_next, rows,
    set_allocator, unowned,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback,
        tensors::{nowhere, of_every_dtype, of_every_kind, scalar},
        written,
    },
    trial::Trial,
};

/// TVMFFIEnvTensorAlloc fails with an error when no allocator was set.
#[check(ENV_0015)]
fn allocating_without_an_allocator(t: &Trial) -> Verdict {
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &[]).map(drop)
}

/// TVMFFIEnvTensorAlloc fails with an error for a NULL place for the Tensor.
#[check(ENV_0034)]
fn null_place_is_an_error(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    let mut extents = [2, 3];
    t.raises(t.api.TVMFFIEnvTensorAlloc(&mut prototype(&mut extents), std::ptr::null_mut()), &[]).map(drop)
}

/// The allocator receives the prototype's device, dtype and extents, and a function to report an error with.
#[check(ENV_0016)]
fn allocator_receives_the_prototype(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    is_asked_for(t, &[3, 1, 4])
}

/// Has a Tensor of these extents allocated, on a device and of a data type that no other is of here, and expects the allocator to have read that last.
fn is_asked_for(t: &Trial, extents: &[i64]) -> Verdict {
    let mut extents = extents.to_vec();
    let mut prototype = prototype(&mut extents);
    prototype.device = DLDevice { device_type: kDLCUDA, device_id: 7 };
    prototype.dtype = DLDataType { code: kDLBfloat, bits: 16, lanes: 4 };
    let mut out = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out))?;
    let _tensor = t.own_object("the tensor", out)?;
    let expected =
        Asked { device: prototype.device, dtype: prototype.dtype, extents: extents.clone(), can_report_errors: true };
    t.eq("what the allocator was asked for", asked(), Some(expected))
}

/// TVMFFIEnvTensorAlloc asks for extents of any size, zero and beyond 32 bits among them.
#[check(ENV_0016)]
fn allocator_receives_any_extents(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    for extents in [&[][..], &[0], &[2, 0, 3], &[3 << 31], &[1 << 33, 3], &[1, 2, 3, 4, 5, 6, 7, 8]] {
        let _tensor = new_tensor(t, extents)?;
        t.eq("extents that the allocator was asked for", asked().map(|asked| asked.extents), Some(extents.to_vec()))?;
    }
    Ok(())
}

/// The allocator reads the prototype that it has received also after it has had a Tensor of another prototype allocated itself.
#[check(ENV_0016)]
fn allocator_receives_the_prototype_around_another(t: &Trial) -> Verdict {
    static WITHIN: AtomicBool = AtomicBool::new(false);
    unsafe extern "C" fn allocate_another_first(
        prototype: *mut DLTensor,
        out: *mut *mut DLManagedTensorVersioned,
        context: *mut c_void,
        set_error: Option<DLPackSetError>,
    ) -> c_int {
        if let (Some(api), false) = (callback::api(), WITHIN.swap(true, Ordering::AcqRel)) {
            for mut extents in [vec![], vec![5], vec![6; 7]] {
                let mut other =
                    DLTensor { dtype: DLDataType { code: kDLInt, bits: 8, lanes: 1 }, ..self::prototype(&mut extents) };
                let mut made = std::ptr::null_mut();
                api.TVMFFIEnvTensorAlloc(&mut other, &mut made);
                api.TVMFFIObjectDecRef(made);
            }
            WITHIN.store(false, Ordering::Release);
        }
        // SAFETY: called as this function was.
        unsafe { plain(prototype, out, context, set_error) }
    }
    t.serve_callbacks();
    set_allocator(t, Some(allocate_another_first), OWN)?;
    [&[][..], &[3], &[3, 1, 4], &[1, 2, 3, 4, 5, 6, 7, 8]].into_iter().try_for_each(|extents| is_asked_for(t, extents))
}

/// The allocator receives any device, data type and number of dimensions, and the Tensor has them.
#[check(ENV_0016, ENV_0017)]
fn allocator_receives_any_prototype(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), OWN)?;
    for described in of_every_kind() {
        let mut extents = described.shape.clone();
        let mut prototype = DLTensor { device: described.device, dtype: described.dtype, ..prototype(&mut extents) };
        let mut judge = || {
            let mut out = std::ptr::null_mut();
            t.clause(id::ENV_0016);
            t.ok(t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out))?;
            let tensor = t.own_object("the tensor", out)?;
            let expected = Asked {
                device: described.device,
                dtype: described.dtype,
                extents: described.shape.clone(),
                can_report_errors: true,
            };
            t.eq("what the allocator was asked for", asked(), Some(expected))?;
            t.clause(id::ENV_0017);
            let cell = tensor_of(t, &tensor)?;
            t.eq("device", cell.device, described.device)?;
            t.eq("dtype", cell.dtype, described.dtype)?;
            t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, described.shape.clone())
        };
        judge().map_err(|failure| failure.noting(format!("the prototype: {}", written(&described))))?;
    }
    Ok(())
}

/// TVMFFIEnvTensorAlloc does not look at the data, the strides and the byte offset of the prototype.
#[check(ENV_0037)]
fn rest_of_the_prototype(t: &Trial) -> Verdict {
    for allocator in [rows, plain] {
        set_allocator(t, Some(allocator), OWN)?;
        let mut extents = [2, 3];
        let mut prototype =
            DLTensor { data: nowhere(), strides: nowhere().cast(), byte_offset: u64::MAX, ..prototype(&mut extents) };
        let mut out = std::ptr::null_mut();
        t.ok(t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out))?;
        let cell = tensor_of(t, &t.own_object("the tensor", out)?)?;
        t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
        t.ne("byte_offset", cell.byte_offset, u64::MAX)?;
    }
    Ok(())
}

/// What an allocator makes of another major version is given back once, and TVMFFIEnvTensorAlloc fails with an error.
#[check(ENV_0036)]
fn tensor_of_another_major(t: &Trial) -> Verdict {
    set_allocator(t, Some(of_another_major), OWN)?;
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    t.eq("calls of the deleter", deleted(), 1)?;
    set_allocator(t, Some(as_told), OWN)?;
    for (major, minor) in [(0, 6), (2, 3), (3, 0), (256, 1), (1 << 16, 0), (u32::MAX, u32::MAX)] {
        let before = deleted();
        make_next(DLPackVersion { major, minor }, 0, scalar(kDLFloat, 32));
        t.raises(allocate(t, &[2, 3], &mut out), &[])
            .map_err(|failure| failure.noting(format!("the version is {major}.{minor}")))?;
        t.eq(format_args!("calls of the deleter of a tensor of version {major}.{minor}"), deleted() - before, 1)?;
    }
    Ok(())
}

/// What an allocator makes is given back once, be it with the Tensor that is made of it or since TVMFFIEnvTensorAlloc refuses it, whatever data
/// type, flags and minor version it has.
#[check(ENV_0025, ENV_0017)]
fn all_that_is_made_is_given_back(t: &Trial) -> Verdict {
    const FLAGS: [u64; 6] = [
        0,
        DLPACK_FLAG_BITMASK_READ_ONLY,
        DLPACK_FLAG_BITMASK_IS_COPIED,
        DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
        1 << 5,
        1 << 63,
    ];
    // Of such floats another number of bits is a reason to refuse.
    let odd = [4, 6, 8, 16].into_iter().flat_map(|bits| {
        [kDLFloat4_e2m1fn, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn].map(|code| (scalar(code, bits), 0, FLAGS[0]))
    });
    let padded = of_every_dtype().into_iter().map(|described| (described.dtype, 3, FLAGS[3]));
    let marked = FLAGS.into_iter().flat_map(|flags| [0, 1, 3, 99].map(|minor| (scalar(kDLFloat, 32), minor, flags)));
    set_allocator(t, Some(as_told), OWN)?;
    for (dtype, minor, flags) in odd.chain(padded).chain(marked) {
        t.clause(id::ENV_0025);
        make_next(DLPackVersion { major: 1, minor }, flags, dtype);
        let (mut extents, mut out) = ([2, 3], std::ptr::null_mut());
        let mut prototype = DLTensor { dtype, ..prototype(&mut extents) };
        let mut judge = || -> Verdict {
            match t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out) {
                0 => {
                    let tensor = t.own_object("the tensor", out)?;
                    t.clause(id::ENV_0017);
                    t.eq("dtype", tensor_of(t, &tensor)?.dtype, dtype)?;
                    t.clause(id::ENV_0025);
                }
                code => t.raises(code, &[]).map(drop)?,
            }
            given_back(t)
        };
        judge().map_err(|failure| {
            failure.noting(format!("{dtype:?}, version 1.{minor}, flags {flags:#x}, as the allocator made it"))
        })?;
    }
    Ok(())
}

/// A function of a module allocates with the allocator that its caller has set on the thread.
#[check(ENV_0038)]
fn kernels_allocate(t: &Trial) -> Verdict {
    type Alloc = unsafe extern "C" fn(*mut DLTensor, *mut TVMFFIObjectHandle) -> c_int;
    static ALLOC: OnceLock<Alloc> = OnceLock::new();
    unsafe extern "C" fn kernel(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        let Some(alloc) = ALLOC.get() else { return -1 };
        let mut out = std::ptr::null_mut();
        // SAFETY: a function of the ABI with its arguments; the caller of a kernel hands it a result to write.
        unsafe {
            let code = alloc(&mut prototype(&mut [2, 3]), &mut out);
            if code == 0 {
                result.write(TVMFFIAny::new(kTVMFFITensor, out as u64));
            }
            code
        }
    }
    let alloc = t.api.table().TVMFFIEnvTensorAlloc;
    ALLOC.get_or_init(|| alloc.unwrap_or(no_alloc));
    let symbol = c"__tvm_ffi_verify_allocate";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), kernel as *mut c_void))?;
    let module = t.call_global("ffi.SystemLib", &[])?;
    let kernel = t.function_of(&module, c"verify_allocate")?.into_any().payload() as usize;
    let allocate = |t: &Trial, allocator: Allocator, expected: i64| {
        set_allocator(t, Some(allocator), OWN)?;
        let mut result = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIFunctionCall(kernel as TVMFFIObjectHandle, std::ptr::null_mut(), 0, &mut result))?;
        let tensor = t.own(result);
        let cell = tensor_of(t, &tensor)?;
        t.eq("strides of the kernel's tensor", words(t, "strides", cell.strides, cell.ndim)?, vec![expected, 1])
    };
    allocate(t, rows, ROW_STRIDE)?;
    t.threads(1, |t, _| allocate(t, plain, 3))?;
    allocate(t, rows, ROW_STRIDE)
}

/// What is called where a target has no function to allocate with.
unsafe extern "C" fn no_alloc(_: *mut DLTensor, _: *mut TVMFFIObjectHandle) -> c_int {
    -1
}

/// TVMFFIEnvTensorAlloc gives out a new Tensor with every field of what the allocator made.
#[check(ENV_0017)]
fn tensor_is_what_was_allocated(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    let tensor = new_tensor(t, &[2, 3])?;
    t.type_index_eq("type_index of the tensor", t.header(tensor.handle())?.type_index, kTVMFFITensor)?;
    t.eq("strong references to the tensor", t.counts(tensor.handle())?.0, 1)?;
    let cell = tensor_of(t, &tensor)?;
    t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
    t.eq("device", cell.device, DLDevice { device_type: kDLCPU, device_id: 0 })?;
    t.eq("dtype", cell.dtype, DLDataType { code: kDLFloat, bits: 32, lanes: 1 })?;
    t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, vec![2, 3])?;
    t.eq("strides", words(t, "strides", cell.strides, cell.ndim)?, vec![ROW_STRIDE, 1])?;
    t.eq("byte_offset", cell.byte_offset, BYTE_OFFSET)
}

/// A Tensor has row-major strides when the allocator leaves the strides NULL.
#[check(ENV_0018)]
fn missing_strides_are_row_major(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), OWN)?;
    for (extents, strides) in
        [([2, 3, 4], [12, 4, 1]), ([1, 1, 1], [1, 1, 1]), ([5, 1, 2], [2, 2, 1]), ([7, 2, 100], [200, 100, 1])]
    {
        let tensor = new_tensor(t, &extents)?;
        let cell = tensor_of(t, &tensor)?;
        t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, extents.to_vec())?;
        let what = format!("strides for extents {extents:?}");
        t.eq(what, words(t, "strides", cell.strides, cell.ndim)?, strides.to_vec())?;
    }
    Ok(())
}

/// Extents or strides in the target's memory.
pub(super) fn words(t: &Trial, what: &str, first: *const i64, ndim: i32) -> Verdict<Vec<i64>> {
    t.that("ndim", (0..=64).contains(&ndim), "a number of dimensions", ndim)?;
    (0..ndim as usize).map(|place| t.read(what, first.wrapping_add(place))).collect()
}

/// TVMFFIEnvTensorAlloc gives out a Tensor without dimensions for a prototype without dimensions.
#[check(ENV_0017)]
fn tensor_without_dimensions(t: &Trial) -> Verdict {
    for allocator in [rows, plain] {
        set_allocator(t, Some(allocator), OWN)?;
        let tensor = new_tensor(t, &[])?;
        let cell = tensor_of(t, &tensor)?;
        t.eq("ndim", cell.ndim, 0)?;
        t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
    }
    Ok(())
}

/// The deleter of what the allocator made runs once, with the last reference to the Tensor.
#[check(ENV_0019)]
fn tensor_ends_once(t: &Trial) -> Verdict {
    for (number, allocator) in [rows, plain].into_iter().enumerate() {
        set_allocator(t, Some(allocator), OWN)?;
        let tensor = new_tensor(t, &[2, 3])?;
        t.eq("times the deleter ran for a live tensor", deleted(), number)?;
        t.ok(t.api.TVMFFIObjectIncRef(tensor.handle()))?;
        t.ok(t.api.TVMFFIObjectDecRef(tensor.handle()))?;
        t.eq("times the deleter ran while a reference is left", deleted(), number)?;
        drop(tensor);
        t.eq("times the deleter ran with the last reference", deleted(), number + 1)?;
    }
    Ok(())
}

/// A Tensor whose allocator gives no deleter ends without one.
#[check(ENV_0020)]
fn tensor_without_deleter(t: &Trial) -> Verdict {
    set_allocator(t, Some(unowned), OWN)?;
    drop(new_tensor(t, &[2, 3])?);
    drop(new_tensor(t, &[])?);
    Ok(())
}

/// TVMFFIEnvTensorAlloc fails whatever the allocator answers but zero, whether it reports why or not, and whether it has made a tensor or not.
#[check(ENV_0021)]
fn failing_allocator_fails_the_call(t: &Trial) -> Verdict {
    for allocator in [refuse, refuse_silently] {
        set_allocator(t, Some(allocator), OWN)?;
        let mut out = std::ptr::null_mut();
        let code = allocate(t, &[2, 3], &mut out);
        t.that("return value", code != 0, "not 0", code)?;
        t.take_raised();
    }
    set_allocator(t, Some(fail_as_told), OWN)?;
    for status in [-1, 1, 2, 42, 0xff, 0x100, 0x1_0000, c_int::MAX, c_int::MIN, -0x1_0000] {
        for makes in [None, Some(plain as Allocator), Some(unowned)] {
            for reports in [false, true] {
                fail_next(status, makes, reports);
                let mut out = std::ptr::null_mut();
                let code = allocate(t, &[2, 3], &mut out);
                let made = if makes.is_some() { "having made a tensor" } else { "without a tensor" };
                let what = format!("return value where the allocator answers {status}, {made}");
                t.that(what, code != 0, "not 0", code)?;
                // Whose a tensor is that was made all the same, nobody says.
                t.take_raised();
            }
        }
    }
    Ok(())
}

/// TVMFFIEnvTensorAlloc raises an error of its own when the allocator fails and reports none, also where an earlier one is still raised.
#[check(ENV_0039)]
fn silent_failure_raises_an_error(t: &Trial) -> Verdict {
    set_allocator(t, Some(refuse_silently), OWN)?;
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of an earlier call".as_ptr());
    let raised = t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    t.ne("message of the raised error", raised.message.as_str(), "of an earlier call")
}

/// TVMFFIEnvTensorAlloc raises the error that the allocator reports, with its kind and message.
#[check(ENV_0022)]
fn allocator_error_is_raised(t: &Trial) -> Verdict {
    set_allocator(t, Some(refuse), OWN)?;
    let mut out = std::ptr::null_mut();
    let raised = t.raises(allocate(t, &[2, 3], &mut out), &[])?;
    t.eq("kind of the raised error", raised.kind.as_str(), "MemoryError")?;
    t.eq("message of the raised error", raised.message.as_str(), "no room for another tensor")
}

/// An allocator that makes a tensor itself, with another allocator, and fails then has its error raised; one that tries in vain and goes on
/// has none.
#[check(ENV_0022, ENV_0021)]
fn allocator_that_allocates(t: &Trial) -> Verdict {
    /// Has another allocator make a tensor for this thread; answers whether it did.
    fn another(with: Allocator, own: Allocator) -> bool {
        let Some(api) = callback::api() else { return false };
        let set = |allocator| api.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(allocator), OWN, std::ptr::null_mut());
        let (mut extents, mut made) = ([5], std::ptr::null_mut());
        set(with);
        let status = api.TVMFFIEnvTensorAlloc(&mut prototype(&mut extents), &mut made);
        set(own);
        if status == 0 {
            api.release(made);
        } else {
            api.release_raised();
        }
        status == 0
    }
    unsafe extern "C" fn refuse_after_success(
        prototype: *mut DLTensor,
        out: *mut *mut DLManagedTensorVersioned,
        context: *mut c_void,
        set_error: Option<DLPackSetError>,
    ) -> c_int {
        if !another(rows, refuse_after_success) {
            return 0;
        }
        // SAFETY: what this function was given.
        unsafe { refuse(prototype, out, context, set_error) }
    }
    unsafe extern "C" fn make_after_failure(
        prototype: *mut DLTensor,
        out: *mut *mut DLManagedTensorVersioned,
        context: *mut c_void,
        set_error: Option<DLPackSetError>,
    ) -> c_int {
        another(refuse, make_after_failure);
        // SAFETY: what this function was given.
        unsafe { rows(prototype, out, context, set_error) }
    }
    t.serve_callbacks();
    set_allocator(t, Some(refuse_after_success), OWN)?;
    let raised = t.raises(allocate(t, &[2, 3], &mut std::ptr::null_mut()), &[])?;
    t.eq("kind of the raised error", raised.kind.as_str(), "MemoryError")?;
    t.eq("message of the raised error", raised.message.as_str(), "no room for another tensor")?;
    t.clause(id::ENV_0021);
    set_allocator(t, Some(make_after_failure), OWN)?;
    drop(new_tensor(t, &[2, 3])?);
    let raised = t.take_raised().map(|raised| format!("{}: {}", raised.kind, raised.message));
    t.eq("the error that is raised after success", raised, None)
}

/// TVMFFIEnvTensorAlloc raises the error that the allocator reports with a kind and a message of any length and content.
#[check(ENV_0022)]
fn allocator_error_of_any_length(t: &Trial) -> Verdict {
    for length in [0, 1, 7, 8, 63, 255, 256, 257, 1023, 1024, 4096, 65_536, 200_000] {
        let long: String = (0..length).map(|at| char::from(b'a' + (at % 26) as u8)).collect();
        for (kind, message) in
            [("ValueError", &*long), ("Kind\u{e9}%%", "100%% of %s %n {0} \u{fffd}\n%"), (&*long, "short")]
        {
            report_next(kind, message);
            set_allocator(t, Some(refuse_as_told), OWN)?;
            let raised = t.raises(allocate(t, &[2, 3], &mut std::ptr::null_mut()), &[])?;
            for (what, got, expected) in [("kind", &raised.kind, kind), ("message", &raised.message, message)] {
                let shown =
                    |text: &str| format!("{} bytes that begin {:?}", text.len(), text.get(..20.min(text.len())));
                t.that(format_args!("{what} of the raised error"), got == expected, shown(expected), shown(got))?;
            }
        }
    }
    Ok(())
}

/// TVMFFIEnvTensorAlloc fails with an error when the allocator answers zero without a tensor.
#[check(ENV_0023)]
fn allocator_without_a_tensor(t: &Trial) -> Verdict {
    set_allocator(t, Some(make_nothing), OWN)?;
    let mut out = std::ptr::null_mut();
    t.raises(allocate(t, &[2, 3], &mut out), &[]).map(drop)
}

/// TVMFFIEnvTensorAlloc uses the thread's own allocator, and the global one on a thread that has none.
#[check(ENV_0024)]
fn each_thread_uses_its_allocator(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    let strides = |t: &Trial| {
        let tensor = new_tensor(t, &[2, 3])?;
        let cell = tensor_of(t, &tensor)?;
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

/// A thread without an allocator of its own uses the global one as it is by then, and its own from when it has one.
#[check(ENV_0024)]
fn global_allocator_of_the_moment(t: &Trial) -> Verdict {
    for _ in 0..2 {
        for (allocator, expected) in [(plain as Allocator, 3), (rows, ROW_STRIDE)] {
            t.threads(1, |t, _| set_allocator(t, Some(allocator), GLOBAL))?;
            t.eq("stride by the global allocator that another thread has set", stride(t)?, expected)?;
        }
    }
    set_allocator(t, Some(plain), OWN)?;
    t.eq("stride by the thread's own allocator", stride(t)?, 3)
}

/// From row to row of a new tensor with rows of three, which tells the allocator that made it: [`ROW_STRIDE`] by [`rows`], 3 by [`plain`].
pub(super) fn stride(t: &Trial) -> Verdict<i64> {
    let tensor = new_tensor(t, &[2, 3])?;
    let cell = tensor_of(t, &tensor)?;
    let strides = words(t, "strides", cell.strides, cell.ndim)?;
    strides.first().copied().ok_or_else(|| t.failure("ndim", 2, 0))
}

/// Allocating and releasing tensors takes no more memory, and every tensor is given back.
#[check(ENV_0025, patient = 3)]
fn tensors_leave_nothing_behind(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), OWN)?;
    t.no_growth("memory in use while tensors come and go", || new_tensor(t, &[2, 3]).map(drop))?;
    given_back(t)
}

/// Threads that allocate tensors and end, an allocation that failed among them, leave nothing behind.
#[check(ENV_0025, patient = 3)]
fn threads_leave_no_tensors(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    t.short_backtraces();
    t.threads_leave_nothing("memory in use after threads that have allocated tensors", |t| {
        set_allocator(t, Some(plain), OWN)?;
        drop(new_tensor(t, &[2, 3])?);
        set_allocator(t, Some(refuse), OWN)?;
        t.ne("return value", allocate(t, &[2, 3], &mut std::ptr::null_mut()), 0)?;
        t.api.release_raised();
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

/// Expects every tensor that an allocator made to have been given back.
fn given_back(t: &Trial) -> Verdict {
    let (made, deleted) = (made(), deleted());
    if made == deleted { Ok(()) } else { Err(t.leak("tensors that were given back", made, deleted)) }
}

/// A tensor of floats with these extents.
pub(super) fn prototype(extents: &mut [i64]) -> DLTensor {
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
pub(super) fn allocate(t: &Trial, extents: &[i64], out: &mut TVMFFIObjectHandle) -> c_int {
    t.api.TVMFFIEnvTensorAlloc(&mut prototype(&mut extents.to_vec()), out)
}

/// `TVMFFIEnvTensorAlloc`, expected to succeed.
fn new_tensor(t: &Trial, extents: &[i64]) -> Verdict<Owned> {
    let mut out = std::ptr::null_mut();
    t.ok(allocate(t, extents, &mut out))?;
    t.own_object("the tensor", out)
}

/// The `DLTensor` behind a Tensor's header.
pub(super) fn tensor_of(t: &Trial, tensor: &Owned) -> Verdict<DLTensor> {
    t.cell("tensor", tensor.handle())
}
