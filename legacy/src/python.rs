//! Functions of Python's that a frontend has registered.

use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// The names that can be registered.
const NAMES: [&str; 5] = ["PyErr_CheckSignals", "Py_IncRef", "Py_DecRef", "PyGILState_Ensure", "PyGILState_Release"];
const INC_REF: usize = 1;
const DEC_REF: usize = 2;

static FUNCTIONS: [AtomicPtr<c_void>; NAMES.len()] = [const { AtomicPtr::new(ptr::null_mut()) }; NAMES.len()];

/// Registers a function by one of the names; `false` for any other.
pub fn register(name: &[u8], function: *mut c_void) -> bool {
    let place = NAMES.iter().position(|known| known.as_bytes() == name);
    place.map(|place| FUNCTIONS[place].store(function, Ordering::Release)).is_some()
}

fn counting(place: usize) -> Option<unsafe extern "C" fn(*mut c_void)> {
    let function = FUNCTIONS[place].load(Ordering::Acquire);
    // SAFETY: whoever registered it under the name of Python's gave a function of this type, or NULL, which is `None`.
    unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>>(function) }
}

/// Takes a reference; `false` where that cannot be done, or not be undone.
pub fn inc_ref(object: *mut c_void) -> bool {
    let (Some(inc), Some(_)) = (counting(INC_REF), counting(DEC_REF)) else { return false };
    // SAFETY: the caller passes an object of Python's.
    unsafe { inc(object) };
    true
}

/// Gives up a reference. NULL is accepted.
pub fn dec_ref(object: *mut c_void) {
    if let (false, Some(dec)) = (object.is_null(), counting(DEC_REF)) {
        // SAFETY: the reference was taken by `inc_ref`.
        unsafe { dec(object) };
    }
}

/// The names, for messages.
pub fn names() -> String {
    NAMES.join(", ")
}
