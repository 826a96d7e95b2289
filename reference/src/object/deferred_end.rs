//! Ends objects that hold objects without recursion as deep as they are nested.
//!
//! An object that ends drops what it holds, which may end in turn, and how deep that goes is up to whoever built it. So
//! only the first levels are nested calls. What would come below them is postponed, and the outermost call ends one
//! postponed object after the other before it returns.
//!
//! That takes no memory: objects that nobody refers to any more are linked through their headers. Those that are held weakly are
//! put into a list.

use std::{
    cell::{Cell, RefCell},
    mem::{self, ManuallyDrop},
    ptr,
};

use tvm_ffi_spec::{
    TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIObjectDeleterFlagBitMaskBoth, kTVMFFIObjectDeleterFlagBitMaskStrong,
};

use super::header::WeakRef;
use crate::{
    generation::{self, TVMFFIObject},
    system::{
        stack,
        thread_words::{self, ThreadWords},
    },
};

/// How many calls are nested. Objects end at once within the ends of 32 others; of more the processor does not know where they
/// return to, ...
const LIMIT: u8 = 33;
/// ... or only so many where less of the stack than this is left for the others.
const LIMIT_ON_SMALL_STACK: u8 = 8;
const STACK_FOR_OTHERS: usize = 64 << 10;

/// The objects of a thread whose ends are still to come.
struct Postponed {
    /// The first of those that nobody refers to, or NULL.
    unheld: Cell<*mut TVMFFIObject>,
    /// Those that are held weakly.
    held: RefCell<ManuallyDrop<Vec<Held>>>,
}

/// An object that is held weakly, without strong references, and the deleter that is to end it.
struct Held {
    object: TVMFFIObjectHandle,
    deleter: TVMFFIObjectDeleter,
    /// Keeps the memory until after the call.
    memory: Option<WeakRef>,
}

thread_local! {
    // Without a destructor, so that it serves to the very end of the thread.
    static POSTPONED: Postponed = const {
        Postponed { unheld: Cell::new(ptr::null_mut()), held: RefCell::new(ManuallyDrop::new(Vec::new())) }
    };
}

/// Runs `end` one level deeper; `false` if that would be too deep. The outermost level ends what was postponed meanwhile.
///
/// It is in line, so that each level is one call: the processor knows where the last few calls return to, and no more.
#[inline(always)]
pub fn one_level_deeper(end: impl FnOnce()) -> bool {
    let words = thread_words::get();
    let outer = words.depth.get();
    if outer >= LIMIT_ON_SMALL_STACK && is_too_deep(outer) {
        return false;
    }
    words.depth.set(outer + 1);
    end();
    words.depth.set(outer);
    if outer == 0 && words.some_postponed.get() {
        POSTPONED.with(|postponed| postponed.end_all(words));
    }
    true
}

/// Whether nothing is to end at once within so many ends.
#[cold]
#[inline(never)]
fn is_too_deep(outer: u8) -> bool {
    outer == LIMIT || outer == LIMIT_ON_SMALL_STACK && !stack::has(STACK_FOR_OTHERS)
}

impl Postponed {
    /// Ends what was postponed, when nothing is nested any more.
    #[cold]
    fn end_all(&self, words: &ThreadWords) {
        // As on the first level, so that what ends here adds to the list instead of starting another such loop.
        words.depth.set(1);
        while self.end_one() {}
        words.depth.set(0);
        words.some_postponed.set(false);
        // With the last one goes the memory of the list.
        drop(ManuallyDrop::into_inner(mem::take(&mut *self.held.borrow_mut())));
    }

    /// Ends the object that was postponed last; `false` if there is none.
    fn end_one(&self) -> bool {
        let object = self.unheld.get();
        if !object.is_null() {
            // SAFETY: `postpone_unheld` has put the next object there, and its caller had the call to make.
            unsafe {
                let word = generation::unread_word(object);
                self.unheld.set(ptr::with_exposed_provenance_mut(word.replace(generation::UNREAD) as usize));
                if let Some(deleter) = (*object).deleter {
                    deleter(object.cast(), kTVMFFIObjectDeleterFlagBitMaskBoth as _);
                }
            }
            return true;
        }
        let held = self.held.borrow_mut().pop();
        held.map(Held::end).is_some()
    }
}

/// Has the deleter of an object that nobody refers to any more called before the outermost level of this thread is left.
///
/// # Safety
/// The caller has this call to make, with both flags, and leaves it to this function.
pub unsafe fn postpone_unheld(object: TVMFFIObjectHandle) {
    POSTPONED.with(|postponed| {
        let object = object.cast::<TVMFFIObject>();
        let next = postponed.unheld.replace(object).expose_provenance();
        // SAFETY: nobody reads the word before the object leaves the list.
        unsafe { generation::unread_word(object).write(next as u64) };
    });
    thread_words::get().some_postponed.set(true);
}

/// Has the deleter of an object that is held weakly end it before the outermost level of this thread is left.
///
/// # Safety
/// The caller has this call to make, with the flag for strong references, and leaves it to this function. It still holds a weak
/// reference.
pub unsafe fn postpone_held(object: TVMFFIObjectHandle, deleter: TVMFFIObjectDeleter) {
    // SAFETY: the caller's reference keeps the memory.
    let memory = unsafe { WeakRef::from_borrowed(object) };
    let held = Held { object, deleter, memory };
    let words = thread_words::get();
    POSTPONED.with(|postponed| {
        let mut all = postponed.held.borrow_mut();
        if all.try_reserve(1).is_ok() {
            all.push(held);
            return words.some_postponed.set(true);
        }
        drop(all);
        if !stack::has(STACK_FOR_OTHERS) {
            // With neither memory nor stack left it stays as it is.
            return mem::forget(held);
        }
        let depth = words.depth.replace(1);
        held.end();
        words.depth.set(depth);
    });
}

impl Held {
    fn end(self) {
        // SAFETY: whoever postponed the call had it to make, and the memory has been kept.
        unsafe { (self.deleter)(self.object, kTVMFFIObjectDeleterFlagBitMaskStrong as _) };
        drop(self.memory);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::{
        border::error_object,
        container::{array, list, map},
        object::{ObjectRef, TypedRef},
        value::any::Any,
    };

    const LEVELS: usize = 1_000_000;

    fn in_array(inner: Any) -> ObjectRef {
        array::new(vec![inner]).unwrap().into_object()
    }

    fn in_list(inner: Any) -> ObjectRef {
        list::new(vec![inner]).unwrap().into_object()
    }

    fn in_small_map(inner: Any) -> ObjectRef {
        map::new(vec![(1.into(), inner)]).unwrap().into_object()
    }

    fn in_large_dict(inner: Any) -> ObjectRef {
        let others = (1..5).map(|key| (key.into(), Any::NONE));
        map::new_dict(others.chain([(0.into(), inner)]).collect()).unwrap().into_object()
    }

    fn in_key(inner: Any) -> ObjectRef {
        map::new(vec![(inner, Any::NONE)]).unwrap().into_object()
    }

    /// What is no error, as the innermost object, lies in the context instead.
    fn in_cause(inner: Any) -> ObjectRef {
        let cause = inner.view().cast();
        let context = if cause.is_none() { inner.view().as_object() } else { None };
        error_object::new_object(b"ValueError", b"", b"", cause, context).unwrap().into_object()
    }

    fn in_context(inner: Any) -> ObjectRef {
        error_object::new_object(b"ValueError", b"", b"", None, inner.view().as_object()).unwrap().into_object()
    }

    /// However deep objects are nested, they end on a stack of ordinary size.
    #[rstest]
    #[case(in_array, LEVELS)]
    #[case(in_list, LEVELS)]
    #[case(in_small_map, LEVELS)]
    #[case(in_large_dict, LEVELS / 10)]
    #[case(in_key, LEVELS)]
    #[case(in_cause, LEVELS)]
    #[case(in_context, LEVELS)]
    fn nested_objects_end_level_by_level(#[case] around: fn(Any) -> ObjectRef, #[case] levels: usize) {
        let innermost = in_array(Any::NONE);
        let outermost = (0..levels).fold(innermost.clone(), |inner, _| around(inner.into()));
        assert!(!innermost.is_unique());
        drop(outermost);
        assert!(innermost.is_unique());
    }

    #[test]
    fn values_end_before_memory_that_weak_references_keep() {
        let innermost = in_array(Any::NONE);
        let (mut weak, mut outermost) = (vec![], innermost.clone());
        for _ in 0..1000 {
            outermost = in_array(outermost.into());
            weak.push(outermost.downgrade());
        }
        drop(outermost);
        assert!(innermost.is_unique());
        assert!(weak.iter().all(|weak| weak.upgrade().is_none()));
    }

    #[test]
    fn siblings_on_deep_levels_end_too() {
        let innermost = in_array(Any::NONE);
        let wide = |inner: ObjectRef| {
            array::new(vec![inner.clone().into(), in_array(inner.into()).into()]).unwrap().into_object()
        };
        let outermost = (0..LEVELS / 100).fold(innermost.clone(), |inner, _| wide(inner));
        drop(outermost);
        assert!(innermost.is_unique());
    }
}
