//! Pending signals: how the library asks the frontend (Python, say) whether one calls for something to be done.

use std::ffi::{c_int, c_void};

use crate::{
    border::error::{Error, Result},
    environment::fn_slot::FnSlot,
};

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
    use std::{
        ptr,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

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
            ptr::without_provenance_mut(3)
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
        assert!(register("PyErr_SetString", ptr::without_provenance_mut(8)).is_err());
    }
}
