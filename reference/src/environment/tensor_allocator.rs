//! The allocator that makes new tensors: one for each thread, else one for the process.

use std::{cell::Cell, ffi::c_void, ptr};

use tvm_ffi_spec::DLPackManagedTensorAllocator;

use crate::{environment::fn_slot::FnSlot, system::thread_words};

/// The allocator of this thread.
#[inline]
fn of_thread() -> &'static Cell<Option<DLPackManagedTensorAllocator>> {
    &thread_words::get().tensor_allocator
}

/// The allocator for threads that have none of their own.
static GLOBAL_TENSOR_ALLOCATOR: FnSlot = FnSlot::empty();

/// The allocator of this thread, else that of the process.
pub fn tensor_allocator() -> Option<DLPackManagedTensorAllocator> {
    // SAFETY: only `set_tensor_allocator` fills the slot, with a function of this type.
    of_thread().get().or_else(|| unsafe { GLOBAL_TENSOR_ALLOCATOR.get() })
}

/// Sets the allocator of this thread, and of the process if `for_process`. Returns the thread's previous one.
pub fn set_tensor_allocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    for_process: bool,
) -> Option<DLPackManagedTensorAllocator> {
    if for_process {
        GLOBAL_TENSOR_ALLOCATOR.set(allocator.map_or(ptr::null_mut(), |function| function as *mut c_void));
    }
    of_thread().replace(allocator)
}

#[cfg(test)]
mod tests {
    use std::ffi::c_int;

    use tvm_ffi_spec::{DLManagedTensorVersioned, DLPackSetError, DLTensor};

    use super::*;

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
}
