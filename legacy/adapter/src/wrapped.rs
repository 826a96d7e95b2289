//! Legacy objects that stand in opaque objects of today's library, since they have no other form there.

use std::{
    collections::HashSet,
    ffi::{c_int, c_void},
    sync::{LazyLock, Mutex, PoisonError},
};

/// What an opaque object's handle points to.
pub(crate) struct Wrapped {
    free: unsafe extern "C" fn(*mut c_void) -> c_int,
    object: *mut c_void,
    code: c_int,
}

/// The addresses of all of them: an opaque object with another handle is somebody else's.
static ALL: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);

fn all() -> std::sync::MutexGuard<'static, HashSet<usize>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an object, with the reference that the caller has taken, to be given up by `free`.
pub(crate) fn keep(object: *mut c_void, code: c_int, free: unsafe extern "C" fn(*mut c_void) -> c_int) -> *mut c_void {
    let wrapped: *mut c_void = Box::into_raw(Box::new(Wrapped { free, object, code })).cast();
    all().insert(wrapped as usize);
    wrapped
}

/// The object and its code, if the handle of an opaque object is one of these.
pub(crate) fn find(handle: *mut c_void) -> Option<(*mut c_void, c_int)> {
    // SAFETY: what is listed is alive, as the caller's opaque object keeps it.
    all().contains(&(handle as usize)).then(|| unsafe {
        let wrapped = &*handle.cast::<Wrapped>();
        (wrapped.object, wrapped.code)
    })
}

/// Ends it: the deleter of opaque objects.
pub(crate) unsafe extern "C" fn end(handle: *mut c_void) {
    all().remove(&(handle as usize));
    // SAFETY: `keep` made it, and this is called once.
    unsafe {
        let wrapped = Box::from_raw(handle.cast::<Wrapped>());
        (wrapped.free)(wrapped.object);
    }
}
