//! The process-wide allocator of object bodies, and the built-in one that is in force until another is set.
//!
//! Whoever allocates puts a [`TVMFFIObjectAllocHeader`] right before the body, which says how the body is reclaimed. So a
//! body outlives a change of allocator. The objects of this library are made by the one that a client has installed.

use std::{
    alloc::Layout,
    cell::UnsafeCell,
    ffi::c_void,
    mem::{align_of, size_of},
    ptr::{self, NonNull},
};

use tvm_ffi_spec::{TVMFFICustomAllocator, TVMFFIObjectAllocHeader};

use crate::{
    border::error::{Error, Result},
    object::storage,
};

/// In writable memory, since the ABI hands it out as a pointer to something that is not constant.
struct Builtin(UnsafeCell<TVMFFICustomAllocator>);

// SAFETY: the library never reads or writes the content; what others do through the pointer is theirs to order.
unsafe impl Sync for Builtin {}

static BUILTIN: Builtin =
    Builtin(UnsafeCell::new(TVMFFICustomAllocator { allocate: Some(allocate), context: ptr::null_mut() }));

/// The allocator in force. Never NULL; borrowed, and valid as long as the process.
pub fn current() -> *mut TVMFFICustomAllocator {
    let installed = storage::installed();
    if installed.is_null() { BUILTIN.0.get() } else { installed }
}

/// Puts an allocator in force; NULL brings the built-in one back.
///
/// # Errors
/// `ValueError` for one that cannot allocate.
///
/// # Safety
/// `allocator` is NULL or valid as long as the process.
pub unsafe fn set_current(allocator: *mut TVMFFICustomAllocator) -> Result<()> {
    // SAFETY: valid when not NULL, as the caller says.
    let allocates = unsafe { allocator.as_ref() }.is_none_or(|allocator| allocator.allocate.is_some());
    if !allocates {
        return Err(Error::new("ValueError", "The custom allocator has no allocate function"));
    }
    // Without the built-in one, objects are made in a shorter way.
    let installed = if allocator == BUILTIN.0.get() { ptr::null_mut() } else { allocator };
    // SAFETY: valid as long as the process, as the caller says.
    unsafe { storage::install(installed) };
    Ok(())
}

/// What precedes a body: where its allocation starts, and the header that the ABI asks for.
#[repr(C)]
struct Preamble {
    start: *mut c_void,
    header: TVMFFIObjectAllocHeader,
}

unsafe extern "C" fn allocate(size: usize, alignment: usize, _type_index: i32, _context: *mut c_void) -> *mut c_void {
    allocate_body(size, alignment).unwrap_or_else(|error| {
        error.raise();
        ptr::null_mut()
    })
}

fn allocate_body(size: usize, alignment: usize) -> Result<*mut c_void> {
    let impossible = |_| {
        let message = format!("Cannot allocate {size} bytes aligned to {alignment}");
        Error::new("ValueError", message)
    };
    // No alignment is accepted but a power of two.
    let body = Layout::from_size_align(size, alignment).and_then(|body| body.align_to(align_of::<Preamble>()));
    let (whole, offset) = body.and_then(|body| Layout::new::<Preamble>().extend(body)).map_err(impossible)?;
    let start = block(whole);
    if start.is_null() {
        return Err(Error::new("MemoryError", format!("Out of memory: {size} bytes")));
    }
    let header = TVMFFIObjectAllocHeader { delete_space: Some(delete_space) };
    // SAFETY: `offset` lies inside the allocation, and at least a `Preamble` from its start.
    unsafe {
        let body = start.byte_add(offset);
        preamble_of(body).write(Preamble { start, header });
        Ok(body)
    }
}

/// A block of the C library, NULL if it has none. The layout is aligned at least as a pointer is.
fn block(layout: Layout) -> *mut c_void {
    let mut start = ptr::null_mut();
    // SAFETY: malloc may be called with any size. The alignment is a power of two and a multiple of the size of a pointer.
    unsafe {
        if layout.align() <= align_of::<libc::max_align_t>() {
            start = libc::malloc(layout.size());
        } else if libc::posix_memalign(&mut start, layout.align(), layout.size()) != 0 {
            return ptr::null_mut();
        }
    }
    start
}

/// Reclaims a body that [`allocate`] made.
unsafe extern "C" fn delete_space(body: *mut c_void) {
    let Some(body) = NonNull::new(body) else { return };
    // SAFETY: the body comes from `allocate_body`, which wrote the preamble and took the memory from the C library.
    unsafe { libc::free((*preamble_of(body.as_ptr())).start) }
}

/// # Safety
/// `body` comes from [`allocate_body`].
unsafe fn preamble_of(body: *mut c_void) -> *mut Preamble {
    // SAFETY: a preamble lies right before the body, which is aligned for it.
    unsafe { body.byte_sub(size_of::<Preamble>()).cast() }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    fn the_builtin_one_makes_aligned_bodies_that_know_their_end(
        #[values(0, 1, 24, 4096)] size: usize,
        #[values(1, 8, 16, 64, 4096)] alignment: usize,
    ) {
        // SAFETY: the pointer is never NULL, and the built-in allocator may be called with any numbers.
        let body =
            unsafe { ((*BUILTIN.0.get()).allocate.expect("it allocates"))(size, alignment, 64, ptr::null_mut()) };
        assert!(!body.is_null());
        assert_eq!(body.addr() % alignment, 0);
        // SAFETY: `size` bytes at `body` are writable, and its header lies right before it.
        unsafe {
            body.write_bytes(0xAB, size);
            let header = body.byte_sub(size_of::<TVMFFIObjectAllocHeader>()).cast::<TVMFFIObjectAllocHeader>();
            ((*header).delete_space.expect("the body can be reclaimed"))(body);
        }
    }

    #[rstest]
    #[case(8, 0)]
    #[case(8, 3)]
    #[case(usize::MAX, 8)]
    #[case(isize::MAX as usize, 16)]
    fn impossible_requests_fail(#[case] size: usize, #[case] alignment: usize) {
        assert!(allocate_body(size, alignment).is_err());
    }

    #[test]
    fn null_restores_the_builtin_one() {
        let _alone = storage::INSTALLING.lock().unwrap();
        // Other tests make objects meanwhile.
        let other = Box::leak(Box::new(TVMFFICustomAllocator { allocate: Some(allocate), context: ptr::null_mut() }));
        let mut useless = TVMFFICustomAllocator { allocate: None, context: ptr::null_mut() };
        // SAFETY: the allocators that can allocate are never freed.
        unsafe {
            assert!(set_current(&mut useless).is_err());
            assert!(set_current(other).is_ok());
            assert_eq!(current(), &raw mut *other);
            assert!(set_current(BUILTIN.0.get()).is_ok());
            assert!(storage::installed().is_null());
            assert!(set_current(other).is_ok());
            assert!(set_current(ptr::null_mut()).is_ok());
        }
        assert_eq!(current(), BUILTIN.0.get());
    }
}
