//! Objects made here: where their memory comes from, and the deleters that give it back.

use std::{
    ffi::c_int,
    mem,
    ptr::{self, NonNull},
};

use tvm_ffi_spec::{
    TVMFFIObjectAllocHeader, TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIObjectDeleterFlagBitMaskBoth,
    kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak,
};

use super::{
    deferred_end::{one_level_deeper, postpone_held, postpone_unheld},
    header::{HEADER_SIZE, ObjectRef, new_header},
    storage::{self, OutOfMemory, Refused},
};
use crate::generation::TVMFFIObject;

/// What lies behind the header of an object made here. It is dropped when the last strong reference goes, on whatever
/// thread that happens.
///
/// # Safety
/// The type is `repr(C)` and begins with what the ABI prescribes for objects of [`TYPE_INDEX`](Payload::TYPE_INDEX).
pub unsafe trait Payload: Sized {
    /// The index of the type.
    const TYPE_INDEX: i32;
    /// Bytes in front of the header that belong to the object; zero-filled, a multiple of 8.
    const PREFIX: usize = 0;

    /// Ends the payload, which is not dropped then, if no other object ends with it and that is quickly told. Whether it has.
    ///
    /// # Safety
    /// Nobody uses the payload any more; afterwards it is gone.
    #[inline]
    unsafe fn end_alone(&self) -> bool {
        !mem::needs_drop::<Self>()
    }
}

/// An object as it lies in memory, from its header on.
#[repr(C)]
struct Layout<T> {
    header: TVMFFIObject,
    payload: T,
}

/// Makes an object for a test, where there is memory.
#[cfg(test)]
pub fn new<T: Payload>(payload: T) -> ObjectRef {
    try_new(|| payload).unwrap()
}

/// Makes an object that somebody has asked for. When this fails, the payload has not been made.
#[inline]
pub fn try_new<T: Payload>(payload: impl FnOnce() -> T) -> Result<ObjectRef, OutOfMemory> {
    new_with_tail(0, |_| payload())
}

/// Makes an object with `tail` bytes behind it in the same allocation. `init` gets their address, fills them and makes
/// the payload, which may point to them. Fails when there is no room for that many bytes.
#[inline]
pub fn new_with_tail<T: Payload>(tail: usize, init: impl FnOnce(*mut u8) -> T) -> Result<ObjectRef, OutOfMemory> {
    make(tail, init, storage::allocate)
}

/// As [`new_with_tail`], from the reserve if there is no other memory.
pub fn new_surely_with_tail<T: Payload>(
    tail: usize,
    init: impl FnOnce(*mut u8) -> T,
) -> Result<ObjectRef, OutOfMemory> {
    make(tail, init, storage::allocate_surely)
}

#[inline]
fn make<T: Payload>(
    tail: usize,
    init: impl FnOnce(*mut u8) -> T,
    allocate: impl FnOnce(usize, i32) -> Result<NonNull<u8>, Refused>,
) -> Result<ObjectRef, OutOfMemory> {
    const {
        assert!(
            T::PREFIX.is_multiple_of(8) && align_of::<T>() <= 8 && mem::offset_of!(Layout<T>, payload) == HEADER_SIZE
        )
    };
    let too_large = OutOfMemory { size: tail, is_raised: false };
    let size = (size_of::<Layout<T>>() + T::PREFIX).checked_add(tail).ok_or(too_large)?;
    let block = allocate(size, T::TYPE_INDEX).map_err(|refused| refused.an_object(tail))?;
    // SAFETY: the block has room for the prefix, the layout and the tail, in this order, and is aligned to 8.
    unsafe {
        block.as_ptr().write_bytes(0, T::PREFIX);
        let object = block.as_ptr().add(T::PREFIX).cast::<Layout<T>>();
        (&raw mut (*object).payload).write(init(object.add(1).cast()));
        (&raw mut (*object).header).write(new_header(T::TYPE_INDEX, delete::<T>));
        Ok(ObjectRef::of_new(NonNull::new_unchecked(object.cast())))
    }
}

/// Whether an object was made here with a payload of this type, and not by a client.
#[inline]
pub fn is_made_here<T: Payload>(object: &ObjectRef) -> bool {
    object.has_deleter(delete::<T>)
}

/// The deleter of every object made here.
unsafe extern "C" fn delete<T: Payload>(object: TVMFFIObjectHandle, flags: c_int) {
    const BOTH: c_int = kTVMFFIObjectDeleterFlagBitMaskBoth as c_int;
    // Nearly all objects end at once, with both flags, which are known then and need not be kept until after the payload's end.
    // SAFETY: the caller's contract is the same.
    unsafe { if flags == BOTH { delete_parts::<T>(object, BOTH) } else { delete_held::<T>(object, flags) } }
}

/// The deleter of an object that is held weakly, or was.
#[inline(never)]
unsafe extern "C" fn delete_held<T: Payload>(object: TVMFFIObjectHandle, flags: c_int) {
    // SAFETY: the caller's contract is the same.
    unsafe { delete_parts::<T>(object, flags) }
}

/// # Safety
/// The references that `flags` stand for are gone, and the object was made here with such a payload.
#[inline(always)]
unsafe fn delete_parts<T: Payload>(object: TVMFFIObjectHandle, flags: c_int) {
    let layout = object.cast::<Layout<T>>();
    // SAFETY: the payload was written when the object was made, and its last strong reference has just gone.
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 && unsafe { !(*layout).payload.end_alone() } {
        // SAFETY: as above.
        let ended = one_level_deeper(|| unsafe { ptr::drop_in_place(&raw mut (*layout).payload) });
        if !ended {
            // SAFETY: the object's memory is there until whoever called this gives up its last weak reference.
            return unsafe { postpone(object, flags, delete::<T>) };
        }
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: the block begins `PREFIX` bytes before the header, and nobody refers to it any more.
        unsafe { storage::free(layout.cast::<u8>().sub(T::PREFIX)) };
    }
}

/// # Safety
/// The deleter belongs to the object and has just been called for it with these flags.
#[cold]
unsafe fn postpone(object: TVMFFIObjectHandle, flags: c_int, deleter: TVMFFIObjectDeleter) {
    // SAFETY: the caller's contract; where the memory is not freed by this call, the caller still holds a weak reference.
    unsafe {
        match flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
            true => postpone_unheld(object),
            false => postpone_held(object, deleter),
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects whose layout is known at run time only
// ---------------------------------------------------------------------------------------------------------------------

/// What such an object holds is dropped by this function, which gets the object and its size in bytes, header included.
///
/// Its contract: the object is ending, and nobody else uses it.
pub type End = unsafe fn(object: TVMFFIObjectHandle, size: usize);

/// What lies before the header of such an object.
#[repr(C)]
struct Prefix {
    size: usize,
    end: End,
    /// Aligns the object to 16 where the prefix is behind the word of its block.
    _gap: usize,
    /// Says that the deleter of the object gives its memory back.
    word: TVMFFIObjectAllocHeader,
}

const _: () = assert!(size_of::<Prefix>() == 32);

/// Makes an object of `size` bytes, header included, and at least that; behind the header it is all zeros.
pub fn new_zeroed(type_index: i32, size: usize, end: End) -> Result<ObjectRef, OutOfMemory> {
    let size = size.max(HEADER_SIZE);
    let whole = size.checked_add(size_of::<Prefix>()).ok_or(OutOfMemory { size, is_raised: false })?;
    let prefix = storage::allocate(whole, type_index).map_err(|refused| refused.an_object(size))?.cast::<Prefix>();
    // SAFETY: the block has room for the prefix and for the object behind it.
    unsafe {
        prefix.write(Prefix { size, end, _gap: 0, word: TVMFFIObjectAllocHeader { delete_space: None } });
        let object = prefix.add(1).cast::<TVMFFIObject>();
        object.cast::<u8>().write_bytes(0, size);
        object.write(new_header(type_index, delete_zeroed));
        Ok(ObjectRef::of_new(object))
    }
}

/// The size in bytes, header included, of an object that [`new_zeroed`] made.
pub fn zeroed_size(object: &ObjectRef) -> Option<usize> {
    // SAFETY: objects with this deleter have such a prefix.
    object.has_deleter(delete_zeroed).then(|| unsafe { (*object.handle().cast::<Prefix>().sub(1)).size })
}

/// The deleter of objects that [`new_zeroed`] made.
unsafe extern "C" fn delete_zeroed(object: TVMFFIObjectHandle, flags: c_int) {
    // SAFETY: such objects have a prefix.
    let prefix = unsafe { object.cast::<Prefix>().sub(1) };
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        // SAFETY: the prefix was written when the object was made, and is not changed.
        let (size, end) = unsafe { ((*prefix).size, (*prefix).end) };
        // SAFETY: the last strong reference has just gone.
        if !one_level_deeper(|| unsafe { end(object, size) }) {
            // SAFETY: the object's memory is there until whoever called this gives up its last weak reference.
            return unsafe { postpone(object, flags, delete_zeroed) };
        }
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: the block begins with the prefix, and nobody refers to it any more.
        unsafe { storage::free(prefix.cast()) };
    }
}
