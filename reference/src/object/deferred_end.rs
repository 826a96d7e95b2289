//! Ends objects that hold objects without recursion as deep as they are nested.
//!
//! An object that ends drops what it holds, which may end in turn, and how deep that goes is up to whoever built it. So
//! only the first levels are nested calls. What would come below them is postponed, and the outermost call ends one
//! postponed object after the other before it returns.

use std::{cell::Cell, ffi::c_int, mem::ManuallyDrop};

use tvm_ffi_spec::{TVMFFIObjectDeleter, TVMFFIObjectHandle};

use super::header::WeakRef;

/// How many calls are nested.
const LIMIT: u32 = 64;

thread_local! {
    // Neither has a destructor, so that both serve to the very end of the thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static POSTPONED: Cell<ManuallyDrop<Vec<Postponed>>> = const { Cell::new(ManuallyDrop::new(Vec::new())) };
}

/// A call of an object's deleter that is still to come.
pub struct Postponed {
    /// What it is called with: an object without strong references, ...
    pub object: TVMFFIObjectHandle,
    /// ... and what is to be done to it.
    pub flags: c_int,
    /// The deleter.
    pub deleter: TVMFFIObjectDeleter,
    /// Keeps the memory until after the call, unless that is to free it.
    pub memory: Option<WeakRef>,
}

impl Postponed {
    /// Has the call made before the outermost level of this thread is left; right now if there is no memory for that.
    pub fn postpone(self) {
        let mut all = ManuallyDrop::into_inner(POSTPONED.take());
        let has_room = all.try_reserve(1).is_ok();
        if has_room {
            all.push(self);
            POSTPONED.set(ManuallyDrop::new(all));
        } else {
            POSTPONED.set(ManuallyDrop::new(all));
            let depth = DEPTH.replace(1);
            self.call();
            DEPTH.set(depth);
        }
    }

    /// The latest that was postponed. With the last one goes the memory of the list.
    fn next() -> Option<Self> {
        let mut all = ManuallyDrop::into_inner(POSTPONED.take());
        let next = all.pop()?;
        POSTPONED.set(ManuallyDrop::new(all));
        Some(next)
    }

    fn call(self) {
        // SAFETY: whoever postponed the call had it to make, and the memory has been kept.
        unsafe { (self.deleter)(self.object, self.flags) };
        drop(self.memory);
    }
}

/// A level of nesting of this thread, until it is dropped.
pub struct Level(());

impl Level {
    /// The next level; `None` if that would be too deep.
    pub fn enter() -> Option<Self> {
        let depth = DEPTH.get();
        (depth < LIMIT).then(|| {
            DEPTH.set(depth + 1);
            Self(())
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        let depth = DEPTH.get();
        if depth == 1 {
            // Still on this level, so that what ends here adds to the list instead of starting another such loop.
            while let Some(postponed) = Postponed::next() {
                postponed.call();
            }
        }
        DEPTH.set(depth - 1);
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
