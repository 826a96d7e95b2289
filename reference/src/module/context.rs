//! The place in a library that names its module. A library that is loaded several times has one place for all its modules: it names
//! the last of those that have not ended.

use std::{
    ffi::c_void,
    ptr::{self, NonNull},
    sync::atomic::{AtomicPtr, Ordering},
};

use crate::{
    border::error::Result,
    system::{fork::Exclusive, memory::RoomFor},
};

/// A place, and the context of a module that it has named.
#[derive(Clone, Copy, PartialEq)]
pub struct Naming {
    place: NonNull<*mut c_void>,
    context: *mut c_void,
}

// SAFETY: the place is written atomically and under the lock, and the context is only compared.
unsafe impl Send for Naming {}

/// All modules that live and are named, or were, the oldest first.
pub static NAMINGS: Exclusive<Vec<Naming>> = Exclusive::new(Vec::new());

impl Naming {
    pub fn new(place: NonNull<*mut c_void>, context: *mut c_void) -> Self {
        Self { place, context }
    }

    /// Has the place name the module.
    ///
    /// # Errors
    /// `MemoryError` if there is no memory to remember it.
    ///
    /// # Safety
    /// The place is a pointer of a library that stays loaded until the [`end`](Naming::end).
    pub unsafe fn begin(self) -> Result<()> {
        let mut namings = NAMINGS.lock();
        namings.room_for(1)?;
        namings.push(self);
        // SAFETY: the caller's contract.
        unsafe { AtomicPtr::from_ptr(self.place.as_ptr()) }.store(self.context, Ordering::Release);
        Ok(())
    }

    /// Has the place name this module no more.
    ///
    /// # Safety
    /// The place is a pointer of a library that is still loaded.
    pub unsafe fn end(self) {
        let mut namings = NAMINGS.lock();
        namings.retain(|naming| *naming != self);
        let before = namings.iter().rfind(|naming| naming.place == self.place);
        let before = before.map_or(ptr::null_mut(), |naming| naming.context);
        // SAFETY: the caller's contract. The library may have put something else there.
        let place = unsafe { AtomicPtr::from_ptr(self.place.as_ptr()) };
        let _ = place.compare_exchange(self.context, before, Ordering::AcqRel, Ordering::Relaxed);
    }
}
