//! Objects. Each is an object of the core and one of the legacy generation at once: the header that clients of that generation
//! count in lies behind one of today's, and the references in it hold, all together, one reference of the core's.
//!
//! So a legacy function is a Function object, and every object fits into a value of the core as itself.

use std::{
    ffi::{c_int, c_void},
    ptr::{self, NonNull},
    sync::{
        LazyLock,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi::api::c_api::*;
use tvm_ffi_adapter::types::Header;
use tvm_ffi_spec::*;

use crate::core::{self, Any};

/// What lies before the legacy header.
#[repr(C)]
struct Front {
    core: TVMFFIObject,
    /// What the core calls, if this is a function.
    cell: TVMFFIFunctionCell,
    /// Where modules of the original have the address of their virtual table: `__tvm_module_ctx` points here.
    before_module: *const c_void,
}

/// How far the legacy header lies behind the core's.
pub const FRONT: usize = size_of::<Front>();
/// How far the address in `__tvm_module_ctx` lies before a module's handle.
pub const BEFORE_MODULE: usize = size_of::<*const c_void>();

/// A whole object.
#[repr(C)]
struct Whole<T> {
    front: Front,
    header: Header,
    body: T,
}

/// What lies behind the header of one kind of objects, which is dropped when the object ends.
pub trait Body: Send + Sync + Sized + 'static {
    /// The type index in the legacy header.
    const TYPE_INDEX: u32;
    /// What the core calls, if these are functions.
    const SAFE_CALL: Option<TVMFFISafeCallType> = None;
}

/// A reference to an object, counted in its legacy header. The object may be a client's own.
#[derive(Debug)]
pub struct Ref(NonNull<Header>);

// SAFETY: counts are atomic, and bodies are for all threads.
unsafe impl Send for Ref {}
// SAFETY: as above.
unsafe impl Sync for Ref {}

impl Ref {
    /// A new object, with one reference.
    pub fn new<T: Body>(body: T) -> Self {
        let type_index = if T::SAFE_CALL.is_some() { kTVMFFIFunction } else { *OBJECT };
        let core = TVMFFIObject {
            combined_ref_count: 1 << 32 | 1,
            type_index,
            __padding: 0,
            deleter: Some(end::<T>),
            #[cfg(target_pointer_width = "32")]
            __ensure_align: 0,
        };
        let cell = TVMFFIFunctionCell { safe_call: T::SAFE_CALL, cpp_call: ptr::null_mut() };
        let front = Front { core, cell, before_module: ptr::null() };
        let header = Header { type_index: T::TYPE_INDEX, ref_counter: AtomicI32::new(1), deleter: Some(give_up) };
        let whole = Box::into_raw(Box::new(Whole { front, header, body }));
        // SAFETY: a box is never NULL.
        Self(unsafe { NonNull::new_unchecked(&raw mut (*whole).header) })
    }

    /// Takes over a reference that a handle stands for.
    ///
    /// # Safety
    /// `handle` is NULL or an object of which the caller gives up a reference.
    pub unsafe fn from_owned(handle: *mut c_void) -> Option<Self> {
        NonNull::new(handle.cast()).map(Self)
    }

    /// Takes a reference of its own to what a handle stands for.
    ///
    /// # Safety
    /// `handle` is NULL or a live object.
    pub unsafe fn from_borrowed(handle: *mut c_void) -> Option<Self> {
        NonNull::new(handle.cast()).map(|header| {
            // SAFETY: the caller passes a live object.
            unsafe { retain(header) };
            Self(header)
        })
    }

    /// The handle, borrowed.
    pub fn handle(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// The handle, with this reference.
    pub fn into_handle(self) -> *mut c_void {
        let handle = self.handle();
        std::mem::forget(self);
        handle
    }

    /// The type index in the header.
    pub fn type_index(&self) -> u32 {
        // SAFETY: the reference keeps the object.
        unsafe { (*self.0.as_ptr()).type_index }
    }

    /// What this library keeps of it, if it made it and it is of that kind.
    pub fn body<T: Body>(&self) -> Option<&T> {
        (self.is_ours() && self.type_index() == T::TYPE_INDEX).then(|| {
            // SAFETY: objects with this deleter are `Whole`, and the index says of what.
            unsafe { &(*self.0.as_ptr().byte_sub(FRONT).cast::<Whole<T>>()).body }
        })
    }

    fn is_ours(&self) -> bool {
        // SAFETY: the reference keeps the object.
        let deleter = unsafe { (*self.0.as_ptr()).deleter };
        deleter.is_some_and(|deleter| ptr::fn_addr_eq(deleter, give_up as unsafe extern "C" fn(*mut Header)))
    }

    /// The same object as a value of the core. A client's own goes in as an opaque one.
    pub fn to_core(&self) -> crate::error::Result<Any> {
        if self.is_ours() {
            // SAFETY: the core's header lies before that of ours, and gets a reference for the value.
            return Ok(unsafe {
                let object = self.0.as_ptr().byte_sub(FRONT).cast();
                TVMFFIObjectIncRef(object);
                Any::from_object(object)
            });
        }
        let mut out = ptr::null_mut();
        let handle = self.clone().into_handle();
        // SAFETY: the deleter gives up the reference that the opaque object holds.
        let code = unsafe { TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, Some(release), &mut out) };
        if code != 0 {
            // SAFETY: nobody has taken the reference.
            unsafe { release(handle) };
        }
        core::succeeded(code)?;
        // SAFETY: the object is owned.
        Ok(unsafe { Any::from_object(out) })
    }

    /// The object that a value of the core holds, if it is one of the legacy generation. `F` is what functions are.
    pub fn of_core<F: Body>(value: &Any) -> Option<Self> {
        let object = value.object()?.cast::<TVMFFIObject>();
        // SAFETY: the value keeps the object; what is said of our deleters holds of nothing else, and an opaque object that was not
        // made above has no place here.
        unsafe {
            let is_function = (*object).type_index == kTVMFFIFunction;
            let ours = if is_function { is_function_of::<F>(object) } else { (*object).type_index == *OBJECT };
            let handle = match (*object).type_index {
                kTVMFFIOpaquePyObject => (*object.add(1).cast::<TVMFFIOpaqueObjectCell>()).handle,
                _ if ours => object.byte_add(FRONT).cast(),
                _ => return None,
            };
            Self::from_borrowed(handle)
        }
    }
}

/// Whether the core's function is a [`Whole`] of that kind.
///
/// # Safety
/// `object` is a Function object.
unsafe fn is_function_of<F: Body>(object: *const TVMFFIObject) -> bool {
    // SAFETY: the cell of a function lies behind its header.
    let called = unsafe { (*object.add(1).cast::<TVMFFIFunctionCell>()).safe_call };
    called.zip(F::SAFE_CALL).is_some_and(|(called, ours)| ptr::fn_addr_eq(called, ours))
}

impl Clone for Ref {
    fn clone(&self) -> Self {
        // SAFETY: the reference keeps the object.
        unsafe { retain(self.0) };
        Self(self.0)
    }
}

impl Drop for Ref {
    fn drop(&mut self) {
        // SAFETY: the reference is given up.
        unsafe { release(self.handle()) };
    }
}

/// Adds a reference. The first one of an object that only the core has held so far brings one of the core's.
///
/// # Safety
/// The object is alive.
unsafe fn retain(header: NonNull<Header>) {
    // SAFETY: the caller vouches for it.
    unsafe {
        let Header { ref_counter, deleter, .. } = &*header.as_ptr();
        let is_ours =
            deleter.is_some_and(|deleter| ptr::fn_addr_eq(deleter, give_up as unsafe extern "C" fn(*mut Header)));
        if ref_counter.fetch_add(1, Ordering::Relaxed) == 0 && is_ours {
            TVMFFIObjectIncRef(header.as_ptr().byte_sub(FRONT).cast());
        }
    }
}

/// Gives up a reference.
///
/// # Safety
/// `handle` is an object of which the caller gives up a reference.
unsafe extern "C" fn release(handle: *mut c_void) {
    let header = handle.cast::<Header>();
    // SAFETY: the caller vouches for it; whoever gave up the last reference sees what others did before.
    unsafe {
        let deleter = (*header).deleter;
        if (*header).ref_counter.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(deleter) = deleter
        {
            deleter(header);
        }
    }
}

/// The deleter in the legacy header: gives up the core's reference that stood for all of that header's.
unsafe extern "C" fn give_up(header: *mut Header) {
    // SAFETY: only objects made here have this deleter.
    unsafe { TVMFFIObjectDecRef(header.byte_sub(FRONT).cast()) };
}

/// The deleter in the core's header.
unsafe extern "C" fn end<T: Body>(object: *mut c_void, flags: c_int) {
    let whole = object.cast::<Whole<T>>();
    // SAFETY: the core calls it once for each of its two kinds of references, when none of that kind is left.
    unsafe {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong as c_int != 0 {
            ptr::drop_in_place(&raw mut (*whole).body);
        }
        if flags & kTVMFFIObjectDeleterFlagBitMaskWeak as c_int != 0 {
            drop(Box::from_raw(whole.cast::<std::mem::MaybeUninit<Whole<T>>>()));
        }
    }
}

/// The core's index of what is no function.
static OBJECT: LazyLock<i32> = LazyLock::new(|| {
    let key = "legacy.Object";
    let key = TVMFFIByteArray { data: key.as_ptr().cast(), size: key.len() };
    // SAFETY: the key is readable; the root type is the parent, so the depth is 1.
    unsafe { TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject) }
});
