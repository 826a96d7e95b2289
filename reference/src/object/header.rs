//! Objects: the 24-byte header, the combined reference count, and how objects are made here.
//!
//! Everything that knows the layout of the header or the meaning of the count lives in this file. The count holds the
//! strong references in its low half and the weak references in its high half; all strong references together own one
//! weak reference. The last strong reference ends the value (deleter flag 1), the last weak one frees the memory
//! (flag 2), and where both fall together the deleter is called once with both flags (3).

use std::{
    ffi::c_int,
    mem::{self, ManuallyDrop},
    ptr::{self, NonNull},
    sync::atomic::{AtomicU64, Ordering, fence},
};

use tvm_ffi_spec::{
    TVMFFIObject, TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIObjectDeleterFlagBitMaskBoth,
    kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak,
};

use crate::{
    border::error::{Error, Result},
    object::deferred_end::{Level, Postponed},
};

const STRONG_ONE: u64 = 1;
const WEAK_ONE: u64 = 1 << 32;
const BOTH_ONE: u64 = STRONG_ONE | WEAK_ONE;
const STRONG_MASK: u64 = WEAK_ONE - 1;

/// The size of the header; an object's own data begins here, seen from its handle.
pub const HEADER_SIZE: usize = size_of::<TVMFFIObject>();

/// Adds a strong reference.
///
/// # Safety
/// `object` is alive: the caller holds, or borrows from somebody who holds, a strong reference to it.
pub unsafe fn inc_strong(object: NonNull<TVMFFIObject>) {
    // SAFETY: the object is alive.
    unsafe { count(object) }.fetch_add(STRONG_ONE, Ordering::Relaxed);
}

/// Gives up a strong reference, which may end the object.
///
/// # Safety
/// The caller owns the reference and does not use it afterwards.
pub unsafe fn dec_strong(object: NonNull<TVMFFIObject>) {
    // SAFETY: the caller's reference keeps the object alive until the subtraction.
    let before = unsafe { count(object) }.fetch_sub(STRONG_ONE, Ordering::Release);
    if before == BOTH_ONE {
        // Nobody else is left, so the value and the memory go in one call.
        fence(Ordering::Acquire);
        // SAFETY: this was the last reference of either kind.
        unsafe { run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth) };
    } else if before & STRONG_MASK == STRONG_ONE {
        fence(Ordering::Acquire);
        // SAFETY: this was the last strong reference; the weak reference of the strong ones keeps the memory, and is
        // given up only now.
        unsafe {
            run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
            dec_weak(object);
        }
    }
}

/// Adds a weak reference.
///
/// # Safety
/// The caller holds, or borrows, a reference of either kind.
pub unsafe fn inc_weak(object: NonNull<TVMFFIObject>) {
    // SAFETY: a reference of either kind keeps the header readable.
    unsafe { count(object) }.fetch_add(WEAK_ONE, Ordering::Relaxed);
}

/// Gives up a weak reference, which may free the memory.
///
/// # Safety
/// The caller owns the reference and does not use it afterwards.
pub unsafe fn dec_weak(object: NonNull<TVMFFIObject>) {
    // SAFETY: the caller's reference keeps the header readable until the subtraction.
    let before = unsafe { count(object) }.fetch_sub(WEAK_ONE, Ordering::Release);
    if before == WEAK_ONE {
        fence(Ordering::Acquire);
        // SAFETY: this was the last reference of either kind, and the value has ended before.
        unsafe { run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak) };
    }
}

/// Makes a strong reference out of a weak one; `false` when no strong reference is left.
///
/// # Safety
/// The caller holds, or borrows, a weak reference.
pub unsafe fn promote(object: NonNull<TVMFFIObject>) -> bool {
    // SAFETY: the weak reference keeps the header readable.
    let count = unsafe { count(object) };
    let alive = |now: u64| (now & STRONG_MASK != 0).then_some(now + STRONG_ONE);
    // What other threads did to the object before they gave it up must be seen by whoever gets it this way.
    count.fetch_update(Ordering::Acquire, Ordering::Relaxed, alive).is_ok()
}

/// # Safety
/// The header is readable and writable for `'a`.
unsafe fn count<'a>(object: NonNull<TVMFFIObject>) -> &'a AtomicU64 {
    // SAFETY: the field is an aligned u64 that every party accesses atomically.
    unsafe { AtomicU64::from_ptr(&raw mut (*object.as_ptr()).combined_ref_count) }
}

/// # Safety
/// The references that `flags` stand for are gone.
unsafe fn run_deleter(object: NonNull<TVMFFIObject>, flags: i32) {
    // SAFETY: the memory is still there: freeing it is what the deleter is about to do.
    if let Some(deleter) = unsafe { (*object.as_ptr()).deleter } {
        // SAFETY: whoever made the object put this deleter in its header, to be called with these flags.
        unsafe { deleter(object.as_ptr().cast(), flags as c_int) };
    }
}

/// A strong reference to an object, never NULL.
///
/// Objects are shared between threads by their callers' leave, as the ABI has it: the counts are atomic, and what an
/// object holds is its maker's business.
#[repr(transparent)]
#[derive(Debug)]
pub struct ObjectRef(NonNull<TVMFFIObject>);

// SAFETY: the count is atomic, and the ABI lets handles travel between threads.
unsafe impl Send for ObjectRef {}
// SAFETY: as above; a shared reference gives no access that the handle does not give.
unsafe impl Sync for ObjectRef {}

impl ObjectRef {
    /// Takes over the caller's reference; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or a live object, and the caller gives up one strong reference that it owns.
    pub unsafe fn from_owned(handle: TVMFFIObjectHandle) -> Option<Self> {
        NonNull::new(handle.cast()).map(Self)
    }

    /// Adds a reference of its own; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or a live object.
    pub unsafe fn from_borrowed(handle: TVMFFIObjectHandle) -> Option<Self> {
        let object = NonNull::new(handle.cast())?;
        // SAFETY: the object is alive.
        unsafe { inc_strong(object) };
        Some(Self(object))
    }

    /// The handle, for as long as the reference lives.
    pub fn handle(&self) -> TVMFFIObjectHandle {
        self.0.as_ptr().cast()
    }

    /// Hands the reference to the caller as a handle.
    pub fn into_handle(self) -> TVMFFIObjectHandle {
        ManuallyDrop::new(self).handle()
    }

    /// The index of the object's type.
    pub fn type_index(&self) -> i32 {
        // SAFETY: the reference keeps the header readable; the index never changes once the object is shared.
        unsafe { (*self.0.as_ptr()).type_index }
    }

    /// Whether this is the only reference of either kind, so that the object may be changed in place.
    pub fn is_unique(&self) -> bool {
        // SAFETY: the reference keeps the header readable.
        unsafe { count(self.0) }.load(Ordering::Acquire) == BOTH_ONE
    }

    /// How many strong references there were a moment ago.
    pub fn strong_count(&self) -> u64 {
        // SAFETY: the reference keeps the header readable.
        unsafe { count(self.0) }.load(Ordering::Relaxed) & STRONG_MASK
    }

    /// A weak reference to the same object.
    pub fn downgrade(&self) -> WeakRef {
        // SAFETY: the reference keeps the object alive.
        unsafe { inc_weak(self.0) };
        WeakRef(self.0)
    }

    /// What lies behind the header, read as `T`.
    ///
    /// # Safety
    /// The object's data begins with a `T`, and nobody changes it during the borrow but through interior mutability.
    pub unsafe fn data<T>(&self) -> &T {
        // SAFETY: the caller vouches for the type; the reference keeps the object alive.
        unsafe { &*self.data_ptr() }
    }

    /// Where the object's own data begins.
    pub fn data_ptr<T>(&self) -> *mut T {
        // SAFETY: the header is part of the same allocation as what follows it.
        unsafe { self.0.as_ptr().add(1).cast() }
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        // SAFETY: `self` keeps the object alive.
        unsafe { inc_strong(self.0) };
        Self(self.0)
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and not used afterwards.
        unsafe { dec_strong(self.0) };
    }
}

/// A weak reference: keeps the memory of an object but not its value.
#[derive(Debug)]
pub struct WeakRef(NonNull<TVMFFIObject>);

// SAFETY: as for `ObjectRef`.
unsafe impl Send for WeakRef {}
// SAFETY: as for `ObjectRef`.
unsafe impl Sync for WeakRef {}

impl WeakRef {
    /// A strong reference, unless the last one is gone.
    pub fn upgrade(&self) -> Option<ObjectRef> {
        // SAFETY: `self` is a weak reference to the object.
        unsafe { promote(self.0) }.then(|| ObjectRef(self.0))
    }
}

impl Clone for WeakRef {
    fn clone(&self) -> Self {
        // SAFETY: `self` keeps the header readable.
        unsafe { inc_weak(self.0) };
        Self(self.0)
    }
}

impl Drop for WeakRef {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and not used afterwards.
        unsafe { dec_weak(self.0) };
    }
}

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
}

/// An object as it lies in memory, from its header on.
#[repr(C)]
struct Layout<T> {
    header: TVMFFIObject,
    payload: T,
}

/// Makes an object.
pub fn new<T: Payload>(payload: T) -> ObjectRef {
    match new_with_tail(0, |_| payload) {
        Ok(object) => object,
        Err(_) => std::alloc::handle_alloc_error(std::alloc::Layout::new::<Layout<T>>()),
    }
}

/// Makes an object with `tail` bytes behind it in the same allocation. `init` gets their address, fills them and makes
/// the payload, which may point to them. Fails when there is no room for that many bytes.
pub fn new_with_tail<T: Payload>(tail: usize, init: impl FnOnce(*mut u8) -> T) -> Result<ObjectRef> {
    const {
        assert!(
            T::PREFIX.is_multiple_of(8) && align_of::<T>() <= 8 && mem::offset_of!(Layout<T>, payload) == HEADER_SIZE
        )
    };
    let size = size_of::<Layout<T>>() + T::PREFIX;
    let block = size.checked_add(tail).and_then(allocate).ok_or_else(|| out_of_memory(tail))?;
    // SAFETY: the block has room for the prefix, the layout and the tail, in this order, and malloc aligns it to 16.
    unsafe {
        block.as_ptr().write_bytes(0, T::PREFIX);
        let object = block.as_ptr().add(T::PREFIX).cast::<Layout<T>>();
        let payload = init(object.add(1).cast());
        object.write(Layout {
            header: TVMFFIObject {
                combined_ref_count: BOTH_ONE,
                type_index: T::TYPE_INDEX,
                __padding: 0,
                deleter: Some(delete::<T>),
            },
            payload,
        });
        Ok(ObjectRef(NonNull::new_unchecked(object.cast())))
    }
}

/// Whether an object was made here with a payload of this type, and not by a client.
pub fn is_made_here<T: Payload>(object: &ObjectRef) -> bool {
    // SAFETY: the reference keeps the header readable, and the deleter never changes.
    let deleter = unsafe { (*object.0.as_ptr()).deleter };
    deleter.is_some_and(|deleter| ptr::fn_addr_eq(deleter, delete::<T> as TVMFFIObjectDeleter))
}

/// Memory that `libc::free` takes back, aligned for every payload.
fn allocate(size: usize) -> Option<NonNull<u8>> {
    // SAFETY: malloc may be called with any size.
    NonNull::new(unsafe { libc::malloc(size) }.cast())
}

#[cold]
fn out_of_memory(size: usize) -> Error {
    Error::new("MemoryError", format!("Cannot allocate an object with {size} bytes of data"))
}

/// The deleter of every object made here.
unsafe extern "C" fn delete<T: Payload>(object: TVMFFIObjectHandle, flags: c_int) {
    let layout = object.cast::<Layout<T>>();
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 && mem::needs_drop::<T>() {
        let Some(_level) = Level::enter() else {
            // SAFETY: the object's memory is there until whoever called this gives up its last weak reference.
            return unsafe { postpone(object, flags, delete::<T>) };
        };
        // SAFETY: the payload was written when the object was made, and its last strong reference has just gone.
        unsafe { ptr::drop_in_place(&raw mut (*layout).payload) };
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: the block begins `PREFIX` bytes before the header, came from malloc, and nobody refers to it any more.
        unsafe { libc::free(layout.cast::<u8>().sub(T::PREFIX).cast()) };
    }
}

/// # Safety
/// The deleter belongs to the object and has just been called for it with these flags.
unsafe fn postpone(object: TVMFFIObjectHandle, flags: c_int, deleter: TVMFFIObjectDeleter) {
    let frees_memory = flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0;
    let memory = NonNull::new(object.cast()).filter(|_| !frees_memory).map(|object| {
        // SAFETY: the caller still holds a weak reference.
        unsafe { inc_weak(object) };
        WeakRef(object)
    });
    Postponed { object, flags, deleter, memory }.postpone();
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects whose layout is known at run time only
// ---------------------------------------------------------------------------------------------------------------------

/// What such an object holds is dropped by this function, which gets the object and its size in bytes, header included.
pub type End = fn(object: TVMFFIObjectHandle, size: usize);

/// What lies before the header of such an object.
#[repr(C, align(16))]
struct Prefix {
    size: usize,
    end: End,
}

/// Makes an object of `size` bytes, header included, and at least that; behind the header it is all zeros.
pub fn new_zeroed(type_index: i32, size: usize, end: End) -> Result<ObjectRef> {
    let size = size.max(HEADER_SIZE);
    let block = size.checked_add(size_of::<Prefix>()).ok_or_else(|| out_of_memory(size))?;
    // SAFETY: calloc may be called with any size.
    let prefix = NonNull::new(unsafe { libc::calloc(1, block) }.cast::<Prefix>()).ok_or_else(|| out_of_memory(size))?;
    // SAFETY: the block has room for the prefix and for the object behind it.
    unsafe {
        prefix.write(Prefix { size, end });
        let object = prefix.add(1).cast::<TVMFFIObject>();
        let (combined_ref_count, deleter) = (BOTH_ONE, Some(delete_zeroed as TVMFFIObjectDeleter));
        object.write(TVMFFIObject { combined_ref_count, type_index, __padding: 0, deleter });
        Ok(ObjectRef(object))
    }
}

impl ObjectRef {
    /// The size in bytes, header included, of an object that [`new_zeroed`] made.
    pub fn zeroed_size(&self) -> Option<usize> {
        // SAFETY: the reference keeps the header readable; objects with this deleter have such a prefix.
        unsafe {
            let deleter = (*self.0.as_ptr()).deleter?;
            ptr::fn_addr_eq(deleter, delete_zeroed as TVMFFIObjectDeleter)
                .then(|| (*self.0.as_ptr().cast::<Prefix>().sub(1)).size)
        }
    }
}

/// The deleter of objects that [`new_zeroed`] made.
unsafe extern "C" fn delete_zeroed(object: TVMFFIObjectHandle, flags: c_int) {
    // SAFETY: such objects have a prefix.
    let prefix = unsafe { object.cast::<Prefix>().sub(1) };
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        let Some(_level) = Level::enter() else {
            // SAFETY: the object's memory is there until whoever called this gives up its last weak reference.
            return unsafe { postpone(object, flags, delete_zeroed) };
        };
        // SAFETY: the prefix was written when the object was made, and is not changed.
        let Prefix { size, end } = unsafe { ptr::read(prefix) };
        end(object, size);
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: the block begins with the prefix, came from calloc, and nobody refers to it any more.
        unsafe { libc::free(prefix.cast()) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    };

    use proptest::prelude::*;
    use rstest::rstest;
    use tvm_ffi_spec::kTVMFFIObject;

    use super::*;

    /// Counts its ends.
    #[repr(C)]
    struct Counted<const PREFIX: usize>(Arc<AtomicUsize>);

    // SAFETY: a plain object has no data that the ABI prescribes.
    unsafe impl<const PREFIX: usize> Payload for Counted<PREFIX> {
        const TYPE_INDEX: i32 = kTVMFFIObject;
        const PREFIX: usize = PREFIX;
    }

    impl<const PREFIX: usize> Drop for Counted<PREFIX> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn counted() -> (ObjectRef, Arc<AtomicUsize>) {
        let ends = Arc::new(AtomicUsize::new(0));
        (new(Counted::<0>(ends.clone())), ends)
    }

    #[test]
    fn a_new_object_has_the_header_that_the_abi_says() {
        let (object, _) = counted();
        // SAFETY: the object is alive.
        let header = unsafe { *object.handle().cast::<TVMFFIObject>() };
        assert_eq!(header.combined_ref_count, 0x1_0000_0001);
        assert_eq!((header.type_index, header.__padding), (kTVMFFIObject, 0));
        assert!(header.deleter.is_some());
    }

    #[test]
    fn a_prefix_lies_zeroed_before_the_header() {
        let ends = Arc::new(AtomicUsize::new(0));
        let object = new(Counted::<8>(ends.clone()));
        // SAFETY: the object was made with a prefix of eight bytes.
        assert_eq!(unsafe { object.handle().cast::<u64>().sub(1).read() }, 0);
        drop(object);
        assert_eq!(ends.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn more_than_memory_is_an_error() {
        for tail in [usize::MAX, isize::MAX as usize] {
            let result = new_with_tail(tail, |tail| -> Counted<0> { panic!("no room for this at {tail:?}") });
            assert!(result.is_err_and(|error| error.to_string().starts_with("MemoryError")));
        }
    }

    /// A header with nothing behind it, whose deleter notes the flags of each call.
    #[repr(C)]
    struct Noted {
        header: TVMFFIObject,
        flags: Mutex<Vec<c_int>>,
    }

    unsafe extern "C" fn note(object: TVMFFIObjectHandle, flags: c_int) {
        // SAFETY: the deleter is only used in the headers of `Noted`.
        unsafe { &*object.cast::<Noted>() }.flags.lock().unwrap().push(flags);
    }

    fn noted(deleter: Option<tvm_ffi_spec::TVMFFIObjectDeleter>) -> Noted {
        let header = TVMFFIObject { combined_ref_count: BOTH_ONE, type_index: kTVMFFIObject, __padding: 0, deleter };
        Noted { header, flags: Mutex::new(Vec::new()) }
    }

    #[rstest]
    #[case::no_weak_left(false, &[3])]
    #[case::weak_outlives_strong(true, &[1, 2])]
    fn the_deleter_is_told_what_to_do(#[case] weak: bool, #[case] expected: &[c_int]) {
        let mut target = noted(Some(note));
        let handle = (&raw mut target).cast();
        // SAFETY: the target outlives the references.
        let object = unsafe { ObjectRef::from_owned(handle) }.unwrap();
        let weak = weak.then(|| object.downgrade());
        drop(object);
        assert!(weak.as_ref().is_none_or(|weak| weak.upgrade().is_none()));
        drop(weak);
        assert_eq!(*target.flags.lock().unwrap(), expected);
    }

    #[test]
    fn an_object_without_a_deleter_is_left_alone() {
        let mut target = noted(None);
        // SAFETY: the target outlives the reference.
        drop(unsafe { ObjectRef::from_owned((&raw mut target).cast()) });
        assert_eq!(target.header.combined_ref_count, WEAK_ONE);
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Clone,
        Drop,
        Downgrade,
        CloneWeak,
        DropWeak,
        Upgrade,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        use Step::*;
        prop::collection::vec(prop::sample::select(vec![Clone, Drop, Downgrade, CloneWeak, DropWeak, Upgrade]), 0..60)
    }

    proptest! {
        #[test]
        fn any_sequence_of_references_ends_the_value_exactly_once(steps in steps()) {
            let (object, ends) = counted();
            let (mut strong, mut weak) = (vec![object], Vec::new());
            for step in steps {
                match step {
                    Step::Clone => strong.extend(strong.last().cloned()),
                    Step::Drop => drop(strong.pop()),
                    Step::Downgrade => weak.extend(strong.last().map(ObjectRef::downgrade)),
                    Step::CloneWeak => weak.extend(weak.last().cloned()),
                    Step::DropWeak => drop(weak.pop()),
                    Step::Upgrade => {
                        let upgraded = weak.last().and_then(WeakRef::upgrade);
                        prop_assert_eq!(upgraded.is_some(), !strong.is_empty() && !weak.is_empty());
                        strong.extend(upgraded);
                    }
                }
                prop_assert_eq!(ends.load(Ordering::Relaxed), usize::from(strong.is_empty()));
                if let Some(object) = strong.last() {
                    prop_assert_eq!(object.is_unique(), strong.len() == 1 && weak.is_empty());
                }
            }
            drop((strong, weak));
            prop_assert_eq!(ends.load(Ordering::Relaxed), 1);
        }
    }

    #[test]
    fn threads_may_share_references() {
        let (object, ends) = counted();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mine = object.clone();
                scope.spawn(move || {
                    for _ in 0..1000 {
                        let weak = mine.clone().downgrade();
                        assert!(weak.upgrade().is_some());
                    }
                });
            }
        });
        assert!(object.is_unique());
        drop(object);
        assert_eq!(ends.load(Ordering::Relaxed), 1);
    }
}
