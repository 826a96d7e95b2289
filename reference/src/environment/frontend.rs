//! What a frontend (Python, say) and its kernels tell each other through the library: the current stream of each device,
//! the allocator that makes new tensors, and how to ask whether a signal is pending.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{c_int, c_void},
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{DLPackManagedTensorAllocator, TVMFFIStreamHandle};

use crate::border::error::{Error, Result};

thread_local! {
    /// The streams that were set on this thread, by device type and device id. A map and not a table: the numbers come
    /// from outside, and a large one must not cost memory.
    static STREAMS: RefCell<BTreeMap<(i32, i32), TVMFFIStreamHandle>> = const { RefCell::new(BTreeMap::new()) };
    static TENSOR_ALLOCATOR: Cell<Option<DLPackManagedTensorAllocator>> = const { Cell::new(None) };
}

/// The allocator for threads that have none of their own.
static GLOBAL_TENSOR_ALLOCATOR: FnSlot = FnSlot::empty();

/// This thread's current stream of a device; NULL, the default stream, unless one was set.
pub fn stream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle {
    // A thread that is ending has no streams any more.
    let found = STREAMS.try_with(|streams| streams.borrow().get(&(device_type, device_id)).copied());
    found.ok().flatten().unwrap_or(ptr::null_mut())
}

/// Sets this thread's current stream of a device and returns the previous one.
///
/// # Errors
/// `ValueError` for a negative device type or id.
pub fn set_stream(device_type: i32, device_id: i32, stream: TVMFFIStreamHandle) -> Result<TVMFFIStreamHandle> {
    if device_type < 0 || device_id < 0 {
        let message = format!("There is no device of type {device_type} with id {device_id}");
        return Err(Error::new("ValueError", message));
    }
    let key = (device_type, device_id);
    let replace = |streams: &RefCell<BTreeMap<_, _>>| match stream.is_null() {
        true => streams.borrow_mut().remove(&key),
        false => streams.borrow_mut().insert(key, stream),
    };
    Ok(STREAMS.try_with(replace).ok().flatten().unwrap_or(ptr::null_mut()))
}

/// The allocator of this thread, else that of the process.
pub fn tensor_allocator() -> Option<DLPackManagedTensorAllocator> {
    let local = TENSOR_ALLOCATOR.try_with(Cell::get).ok().flatten();
    // SAFETY: only `set_tensor_allocator` fills the slot, with a function of this type.
    local.or_else(|| unsafe { GLOBAL_TENSOR_ALLOCATOR.get() })
}

/// Sets the allocator of this thread, and of the process if `for_process`. Returns the thread's previous one.
pub fn set_tensor_allocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    for_process: bool,
) -> Option<DLPackManagedTensorAllocator> {
    if for_process {
        GLOBAL_TENSOR_ALLOCATOR.set(allocator.map_or(ptr::null_mut(), |function| function as *mut c_void));
    }
    TENSOR_ALLOCATOR.try_with(|slot| slot.replace(allocator)).ok().flatten()
}

/// A pointer to a function, or NULL, that any thread may replace.
struct FnSlot(AtomicPtr<c_void>);

impl FnSlot {
    const fn empty() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    fn set(&self, function: *mut c_void) {
        self.0.store(function, Ordering::Release);
    }

    /// # Safety
    /// `F` is a type of functions, and whatever was stored here is NULL or a function of that type.
    unsafe fn get<F: Copy>(&self) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let function = self.0.load(Ordering::Acquire);
        // SAFETY: the pointer is not NULL and, as the caller says, one to an `F`.
        (!function.is_null()).then(|| unsafe { std::mem::transmute_copy(&function) })
    }
}

type CheckSignals = unsafe extern "C" fn() -> c_int;
type GilEnsure = unsafe extern "C" fn() -> *mut c_void;
type GilRelease = unsafe extern "C" fn(state: *mut c_void);

static CHECK_SIGNALS: FnSlot = FnSlot::empty();
static GIL_ENSURE: FnSlot = FnSlot::empty();
static GIL_RELEASE: FnSlot = FnSlot::empty();

/// Registers one of the frontend's own functions under its name; NULL takes it back.
///
/// # Errors
/// `ValueError` for any name but the three known ones.
///
/// # Safety
/// `function` is NULL or a function of the type that Python's C API gives this name, callable from any thread.
pub unsafe fn register_c_api(name: &str, function: *mut c_void) -> Result<()> {
    let slot = match name {
        "PyErr_CheckSignals" => &CHECK_SIGNALS,
        "PyGILState_Ensure" => &GIL_ENSURE,
        "PyGILState_Release" => &GIL_RELEASE,
        _ => return Err(Error::new("ValueError", format!("Unknown env API {name}"))),
    };
    slot.set(function);
    Ok(())
}

/// Asks the frontend, holding its global lock, to run what pending signals call for. `true` when that raised an error,
/// which stays with the frontend.
///
/// # Errors
/// `InternalError` when signals can be checked but the lock cannot be taken.
pub fn check_signals() -> Result<bool> {
    // SAFETY: `register_c_api`'s caller vouches for the types of all three functions.
    let (check, ensure, release) = unsafe {
        (CHECK_SIGNALS.get::<CheckSignals>(), GIL_ENSURE.get::<GilEnsure>(), GIL_RELEASE.get::<GilRelease>())
    };
    let Some(check) = check else { return Ok(false) };
    let (Some(ensure), Some(release)) = (ensure, release) else {
        let message = "PyErr_CheckSignals is registered, PyGILState_Ensure or PyGILState_Release is not";
        return Err(Error::new("InternalError", message));
    };
    // SAFETY: as above; taking and releasing the lock are paired around the check.
    unsafe {
        let state = ensure();
        let code = check();
        release(state);
        Ok(code != 0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use rstest::rstest;
    use tvm_ffi_spec::{DLManagedTensorVersioned, DLPackSetError, DLTensor};

    use super::*;

    fn handle(address: usize) -> TVMFFIStreamHandle {
        ptr::without_provenance_mut(address)
    }

    #[test]
    fn a_stream_belongs_to_its_device_and_thread() {
        assert!(set_stream(2, 0, handle(8)).is_ok_and(|previous| previous.is_null()));
        assert!(set_stream(2, i32::MAX, handle(16)).is_ok_and(|previous| previous.is_null()));
        assert_eq!([stream(2, 0), stream(2, 1), stream(3, 0)], [handle(8), handle(0), handle(0)]);
        let elsewhere = std::thread::spawn(|| stream(2, 0).addr()).join();
        assert_eq!(elsewhere.ok(), Some(0));
        assert_eq!(set_stream(2, 0, handle(0)).ok(), Some(handle(8)));
        assert!(stream(2, 0).is_null());
    }

    #[rstest]
    #[case(-1, 0)]
    #[case(0, -1)]
    #[case(i32::MIN, i32::MIN)]
    fn negative_numbers_name_no_device(#[case] device_type: i32, #[case] device_id: i32) {
        assert!(set_stream(device_type, device_id, handle(8)).is_err());
        assert!(stream(device_type, device_id).is_null());
    }

    unsafe extern "C" fn no_tensor(
        _: *mut DLTensor,
        _: *mut *mut DLManagedTensorVersioned,
        _: *mut c_void,
        _: Option<DLPackSetError>,
    ) -> c_int {
        -1
    }

    #[test]
    fn a_thread_without_allocator_uses_the_one_of_the_process() {
        assert!(set_tensor_allocator(Some(no_tensor), true).is_none());
        assert!(tensor_allocator().is_some());
        let elsewhere = std::thread::spawn(|| {
            let found = tensor_allocator().is_some();
            // The previous allocator is that of this thread alone.
            found && set_tensor_allocator(None, false).is_none()
        });
        assert_eq!(elsewhere.join().ok(), Some(true));
        assert!(set_tensor_allocator(None, true).is_some());
        assert!(tensor_allocator().is_none());
    }

    #[test]
    fn signals_are_checked_under_the_lock() {
        static LOCKED: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "C" fn check() -> c_int {
            LOCKED.load(Ordering::Relaxed) as c_int - 1
        }
        unsafe extern "C" fn pending() -> c_int {
            -1
        }
        unsafe extern "C" fn ensure() -> *mut c_void {
            LOCKED.fetch_add(1, Ordering::Relaxed);
            handle(3)
        }
        unsafe extern "C" fn release(state: *mut c_void) {
            assert_eq!(state.addr(), 3);
            LOCKED.fetch_sub(1, Ordering::Relaxed);
        }
        // SAFETY: each function has the type that its name asks for.
        let register = |name, function| unsafe { register_c_api(name, function) };
        assert_eq!(check_signals().ok(), Some(false));
        assert!(register("PyErr_CheckSignals", check as *mut c_void).is_ok());
        assert!(check_signals().is_err());
        assert!(register("PyGILState_Ensure", ensure as *mut c_void).is_ok());
        assert!(register("PyGILState_Release", release as *mut c_void).is_ok());
        assert_eq!(check_signals().ok(), Some(false));
        assert!(register("PyErr_CheckSignals", pending as *mut c_void).is_ok());
        assert_eq!(check_signals().ok(), Some(true));
        assert_eq!(LOCKED.load(Ordering::Relaxed), 0);
        assert!(register("PyErr_SetString", handle(8)).is_err());
    }
}
