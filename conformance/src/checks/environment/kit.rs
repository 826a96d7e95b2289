//! The allocators that checks set. They count what they make and what is given back, and note what they are asked for.

use std::{
    ffi::{CString, c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    client::{Verdict, memory, tensors::row_major},
    trial::Trial,
};

/// What makes tensors for the environment.
pub type Allocator = DLPackManagedTensorAllocator;

/// Where an allocator is set: for this thread, or globally too.
pub const OWN: c_int = 0;
pub const GLOBAL: c_int = 1;

/// Sets an allocator without asking for the former one.
pub fn set_allocator(t: &Trial, allocator: Option<Allocator>, place: c_int) -> Verdict {
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, place, std::ptr::null_mut()))
}

/// The data of every tensor.
pub static DATA: [u8; 64] = [0x5a; 64];

/// The strides of [`rows`] leave a gap between rows.
pub const ROW_STRIDE: i64 = 16;
/// Where the data of [`rows`] begins.
pub const BYTE_OFFSET: u64 = 8;

/// Makes tensors with strides and a byte offset.
pub unsafe extern "C" fn rows(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let with_gaps = |allocation: &mut Allocation| {
        let count = allocation.extents.len();
        allocation.strides = (1..=count).map(|place| if place == count { 1 } else { ROW_STRIDE }).collect();
        allocation.managed.dl_tensor.strides = allocation.strides.as_mut_ptr();
        allocation.managed.dl_tensor.byte_offset = BYTE_OFFSET;
    };
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, Some(give_back), with_gaps) }
}

/// Makes tensors without strides.
pub unsafe extern "C" fn plain(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, Some(give_back), |_| ()) }
}

/// Makes tensors that nobody has to give back.
pub unsafe extern "C" fn unowned(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, None, |_| ()) }
}

/// Makes tensors of another major version, of which only the deleter may be used.
pub unsafe extern "C" fn of_another_major(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let newer = |allocation: &mut Allocation| allocation.managed.version = DLPackVersion { major: 2, minor: 0 };
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, Some(give_back), newer) }
}

/// Makes tensors with what [`make_next`] was told.
pub unsafe extern "C" fn as_told(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let (version, flags, dtype) = *NEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let told = |allocation: &mut Allocation| {
        allocation.managed.version = version;
        allocation.managed.flags = flags;
        allocation.managed.dl_tensor.dtype = dtype;
        allocation.strides = row_major(&allocation.extents);
        allocation.managed.dl_tensor.strides = allocation.strides.as_mut_ptr();
    };
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, Some(give_back), told) }
}

static NEXT: Mutex<(DLPackVersion, u64, DLDataType)> =
    Mutex::new((DLPackVersion { major: 1, minor: 0 }, 0, DLDataType { code: kDLFloat, bits: 32, lanes: 1 }));

/// Has [`as_told`] make tensors of that version of DLPack, with those flags and that data type.
pub fn make_next(version: DLPackVersion, flags: u64, dtype: DLDataType) {
    *NEXT.lock().unwrap_or_else(PoisonError::into_inner) = (version, flags, dtype);
}

/// What an allocator makes that does not look at what it is asked for.
#[derive(Clone, Debug)]
pub struct Described {
    pub minor: u32,
    pub device: DLDevice,
    pub dtype: DLDataType,
    pub extents: Vec<i64>,
    /// None where it leaves them out.
    pub strides: Option<Vec<i64>>,
    pub byte_offset: u64,
}

/// Makes tensors as [`describe_next`] was told, whatever is asked for.
pub unsafe extern "C" fn as_described(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let Some(described) = DESCRIBED.lock().unwrap_or_else(PoisonError::into_inner).clone() else { return -1 };
    let told = |allocation: &mut Allocation| {
        let Described { minor, device, dtype, extents, strides, byte_offset } = described;
        allocation.managed.version.minor = minor;
        allocation.extents = extents;
        allocation.strides = strides.clone().unwrap_or_default();
        allocation.managed.dl_tensor = DLTensor {
            data: DATA.as_ptr().cast_mut().cast(),
            device,
            ndim: allocation.extents.len() as i32,
            dtype,
            shape: allocation.extents.as_mut_ptr(),
            strides: if strides.is_some() { allocation.strides.as_mut_ptr() } else { std::ptr::null_mut() },
            byte_offset,
        };
    };
    // SAFETY: whoever asks gives a place for the tensor.
    unsafe { hand_out(prototype, out, set_error, Some(give_back), told) }
}

static DESCRIBED: Mutex<Option<Described>> = Mutex::new(None);

/// Has [`as_described`] make that.
pub fn describe_next(described: &Described) {
    *DESCRIBED.lock().unwrap_or_else(PoisonError::into_inner) = Some(described.clone());
}

/// Makes nothing, and says why.
pub unsafe extern "C" fn refuse(
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

/// Makes nothing, and says why as [`report_next`] was told.
pub unsafe extern "C" fn refuse_as_told(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    // Gone when this function returns: whoever keeps the texts has to copy them.
    let report = REPORT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(set_error), Some([kind, message])) = (set_error, report) {
        // SAFETY: as above.
        unsafe { set_error(error_ctx, kind.as_ptr(), message.as_ptr()) };
    }
    -1
}

static REPORT: Mutex<Option<[CString; 2]>> = Mutex::new(None);

/// Has [`refuse_as_told`] report that kind and that message next.
pub fn report_next(kind: &str, message: &str) {
    let report = [kind, message].map(|text| CString::new(text).unwrap_or_default());
    *REPORT.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
}

/// Fails as [`fail_next`] was told.
pub unsafe extern "C" fn fail_as_told(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let (status, makes, reports) = *FAILURE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: what this function was given.
    unsafe {
        if let Some(make) = makes {
            make(prototype, out, error_ctx, set_error);
        }
        if reports {
            refuse(prototype, out, error_ctx, set_error);
        }
    }
    status
}

static FAILURE: Mutex<(c_int, Option<Allocator>, bool)> = Mutex::new((-1, None, false));

/// Has [`fail_as_told`] answer that status next, after that allocator has made a tensor, if there is one, and with an error reported or not.
pub fn fail_next(status: c_int, makes: Option<Allocator>, reports: bool) {
    *FAILURE.lock().unwrap_or_else(PoisonError::into_inner) = (status, makes, reports);
}

/// Makes nothing, and does not say why.
pub unsafe extern "C" fn refuse_silently(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    7
}

/// Makes nothing, and claims success.
pub unsafe extern "C" fn make_nothing(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    0
}

/// What an allocator is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub device: DLDevice,
    pub dtype: DLDataType,
    pub extents: Vec<i64>,
    pub can_report_errors: bool,
}

/// What the allocator was asked for last.
pub fn asked() -> Option<Asked> {
    ASKED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

static ASKED: Mutex<Option<Asked>> = Mutex::new(None);

/// A tensor and what it points to.
struct Allocation {
    managed: DLManagedTensorVersioned,
    extents: Vec<i64>,
    strides: Vec<i64>,
}

/// Makes a tensor like the prototype, changes it, and gives it away to whoever runs the deleter.
///
/// # Safety
/// `out` is a place for a tensor.
unsafe fn hand_out(
    prototype: *const DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    set_error: Option<DLPackSetError>,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    change: impl FnOnce(&mut Allocation),
) -> c_int {
    let Some(mut allocation) = make(prototype, set_error) else { return -1 };
    change(&mut allocation);
    MADE.fetch_add(1, Ordering::Relaxed);
    let allocation = Box::into_raw(allocation);
    // SAFETY: just made, and nobody else's yet.
    let managed = unsafe { &mut (*allocation).managed };
    managed.manager_ctx = allocation.cast();
    managed.deleter = deleter;
    // SAFETY: by contract.
    unsafe { *out = managed };
    0
}

/// A tensor like the prototype, or `None` when the prototype cannot be read. Notes what was asked for.
fn make(prototype: *const DLTensor, set_error: Option<DLPackSetError>) -> Option<Box<Allocation>> {
    let prototype = memory::read(prototype)?;
    let count = usize::try_from(prototype.ndim).ok().filter(|&ndim| ndim <= 64)?;
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

unsafe extern "C" fn give_back(managed: *mut DLManagedTensorVersioned) {
    DELETED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: made by `hand_out`, and this is the last that is heard of it.
    drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Allocation>()) });
}

static MADE: AtomicUsize = AtomicUsize::new(0);
static DELETED: AtomicUsize = AtomicUsize::new(0);

/// How many tensors were handed out.
pub fn made() -> usize {
    MADE.load(Ordering::Relaxed)
}

/// How often the deleter of a tensor ran.
pub fn deleted() -> usize {
    DELETED.load(Ordering::Relaxed)
}
