//! Objects and their references, whatever order they come and go in.

use std::{
    cell::{RefCell, UnsafeCell},
    ffi::{c_int, c_void},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::prelude::*;
use rstest::rstest;
use tvm_ffi_spec::{
    TVMFFICustomAllocator, TVMFFIObjectAllocHeader, TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIObject,
};

use super::{header::new_header, *};
use crate::generation::{Counts, TVMFFIObject};

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
    let (header, counts) = unsafe { (*object.handle().cast::<TVMFFIObject>(), Counts::of(object.handle().cast())) };
    assert!(counts.are_one());
    assert_eq!(header.type_index, kTVMFFIObject);
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
        assert!(result.is_err_and(|error| error.size == tail));
    }
}

thread_local! {
    /// The bodies that the allocator of the test has made and not got back.
    static BODIES: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn allocate_body(
    size: usize,
    alignment: usize,
    type_index: i32,
    context: *mut c_void,
) -> *mut c_void {
    assert!(size >= HEADER_SIZE && alignment == 8);
    // The allocator is the process's, and other tests make other objects meanwhile.
    let is_counted = type_index == TEST_TYPE;
    // SAFETY: malloc may be called with any size; there is room for the word before the body.
    unsafe {
        if is_counted && !context.is_null() && (*context.cast::<AtomicUsize>()).load(Ordering::Relaxed) > 0 {
            return std::ptr::null_mut();
        }
        let body = libc::malloc(size + 16).cast::<u8>().add(16);
        body.cast::<TVMFFIObjectAllocHeader>().sub(1).write(TVMFFIObjectAllocHeader { delete_space: Some(free_body) });
        if is_counted {
            BODIES.with_borrow_mut(|bodies| bodies.push(body.addr()));
        }
        body.cast()
    }
}

unsafe extern "C" fn free_body(body: *mut c_void) {
    BODIES.with_borrow_mut(|bodies| bodies.retain(|other| *other != body.addr()));
    // SAFETY: the body comes from the function above.
    unsafe { libc::free(body.byte_sub(16)) };
}

/// A type that only this test uses.
const TEST_TYPE: i32 = 77_777;

#[repr(C)]
struct Rare<const PREFIX: usize>(u64);

// SAFETY: there is no such type, so nothing is prescribed for its objects.
unsafe impl<const PREFIX: usize> Payload for Rare<PREFIX> {
    const TYPE_INDEX: i32 = TEST_TYPE;
    const PREFIX: usize = PREFIX;
}

#[test]
fn an_installed_allocator_makes_the_objects_and_gets_them_back() {
    static REFUSES: AtomicUsize = AtomicUsize::new(0);
    static ALLOCATOR: Installed = Installed(UnsafeCell::new(TVMFFICustomAllocator {
        allocate: Some(allocate_body),
        context: (&raw const REFUSES).cast_mut().cast(),
    }));
    struct Installed(UnsafeCell<TVMFFICustomAllocator>);
    // SAFETY: it is never written.
    unsafe impl Sync for Installed {}

    fn nothing(_: TVMFFIObjectHandle, _: usize) {}

    let _alone = storage::INSTALLING.lock().unwrap();
    let before = new(Rare::<0>(1));
    // SAFETY: the allocator lives as long as the process.
    unsafe { storage::install(ALLOCATOR.0.get()) };
    let objects = [new(Rare::<0>(2)), new(Rare::<8>(3)), new_zeroed(TEST_TYPE, 64, nothing).unwrap()];
    assert_eq!(BODIES.with_borrow(Vec::len), 3);
    REFUSES.store(1, Ordering::Relaxed);
    assert!(try_new(|| Rare::<0>(4)).is_err_and(|error| error.is_raised));
    let needed = new_surely_with_tail(0, |_| Rare::<0>(5)).unwrap();
    REFUSES.store(0, Ordering::Relaxed);
    // SAFETY: as above.
    unsafe { storage::install(std::ptr::null_mut()) };
    drop((before, needed));
    assert_eq!(BODIES.with_borrow(Vec::len), 3);
    drop(objects);
    assert_eq!(BODIES.with_borrow(Vec::len), 0);
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

fn noted(deleter: Option<TVMFFIObjectDeleter>) -> Noted {
    let mut header = new_header(kTVMFFIObject, note);
    header.deleter = deleter;
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
    // SAFETY: the target is alive.
    assert_eq!(unsafe { Counts::of(&raw mut target.header) }.strong(), 0);
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
