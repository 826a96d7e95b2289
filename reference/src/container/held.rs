//! Values on their way through a walk, lent by their containers where nobody can change these meanwhile.
//!
//! An Array or a Map is changed in place by whoever holds the only reference to it, so that nobody else changes one that a
//! walk holds, nor what is inside of it down to the next List, Dict or object with fields. Such a walk counts no references
//! on its way. What can change meanwhile is held by references of the walk's own.

use std::{mem::ManuallyDrop, slice, vec};

use tvm_ffi_spec::{kTVMFFIArray, kTVMFFIDict, kTVMFFIList, kTVMFFIMap};

use crate::{
    border::error::Result,
    container::{map, sequence},
    object::ObjectRef,
    value::any::{Any, AnyView},
};

/// A value that a walk is at.
pub struct Held {
    value: ManuallyDrop<Any>,
    is_ours: bool,
}

impl Held {
    /// A value with a reference of the walk's own.
    #[inline]
    pub fn ours(value: Any) -> Self {
        Self { value: ManuallyDrop::new(value), is_ours: true }
    }

    /// A value that somebody lends.
    ///
    /// # Safety
    /// Whoever lends it keeps it for as long as it is held.
    #[inline]
    pub unsafe fn lent(value: &AnyView<'_>) -> Self {
        // SAFETY: what is not dropped takes nothing over.
        Self { value: ManuallyDrop::new(unsafe { Any::from_raw(value.raw()) }), is_ours: false }
    }

    /// A value that somebody lends, with a reference of the walk's own to the object in it.
    ///
    /// # Safety
    /// As for [`lent`](Self::lent).
    pub unsafe fn kept(value: &AnyView<'_>) -> Self {
        // SAFETY: the caller's contract is the same.
        value.as_object().map_or_else(|| unsafe { Self::lent(value) }, |object| Self::ours(object.into()))
    }

    /// A part of a container: lent if nobody changes the container meanwhile (`is_fixed`).
    ///
    /// # Safety
    /// A container that is fixed outlives what is held of it.
    #[inline]
    pub unsafe fn part(value: &Any, is_fixed: bool) -> Self {
        // SAFETY: the caller's contract is the same.
        if is_fixed { unsafe { Self::lent(value.view()) } } else { Self::ours(value.clone()) }
    }

    /// The value.
    #[inline]
    pub fn view(&self) -> &AnyView<'_> {
        self.value.view()
    }

    /// The object in the value.
    #[inline]
    pub fn object(&self) -> Option<&ObjectRef> {
        self.view().cast_ref()
    }

    /// Whether there are more references to the object in the value than that of its container and the walk's own, so that
    /// the walk may meet it in more than one place.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.object().is_some_and(|object| object.strong_count() > 1 + u64::from(self.is_ours))
    }

    /// The value with a reference of its own.
    #[inline]
    pub fn to_owned(&self) -> Any {
        Any::clone(&self.value)
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        if self.is_ours {
            // SAFETY: the reference is ours, and the value is not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

/// A value that a walk is at, and whether it is worth noting what becomes of it.
pub struct Visited {
    /// The value.
    pub value: Held,
    /// Whether the walk may come by again, so that what becomes of the value is to be noted.
    pub noted: bool,
    /// Whether it may come by what is inside again without coming by the value: by another way to the value.
    again: bool,
}

impl Visited {
    /// What a walk begins with, which may be met again inside of itself. Those that a hook begins may follow one another.
    pub fn root(value: Any, by_hook: bool) -> Self {
        Self { value: Held::ours(value), noted: true, again: by_hook }
    }

    /// What a walk begins with that only has to end: where it runs in a circle, it notices the second time round.
    #[inline]
    pub fn outermost(value: Held) -> Self {
        let noted = value.is_shared();
        Self { value, noted, again: false }
    }

    /// A part of the value: met again if there is another reference to it or to what it is inside of.
    #[inline]
    pub fn part(&self, value: Held) -> Self {
        let again = self.again || value.is_shared();
        Self { value, noted: again, again }
    }
}

/// The parts of a container that are still to come, as they are when the walk gets there: of maps, each key and its value
/// in turn.
pub enum Parts {
    /// Elements of an Array.
    Elements(slice::Iter<'static, Any>),
    /// Entries of a Map, and the value of the key that came last.
    Entries(map::Entries<'static>, Option<&'static Any>),
    /// What may have changed since.
    Copied(vec::IntoIter<Any>),
}

impl Parts {
    /// The parts of a container; none of other objects.
    ///
    /// # Safety
    /// The container is one that a walk holds, or that one lends to it, for as long as the parts are used.
    pub unsafe fn of(container: &ObjectRef) -> Result<Option<Self>> {
        let container: *const ObjectRef = container;
        // SAFETY: what the container refers to outlives the parts, as the caller says.
        let container = unsafe { &*container };
        Ok(Some(match container.type_index() {
            kTVMFFIArray => {
                // SAFETY: nobody changes an Array that is held.
                Self::Elements(unsafe { sequence::borrow_in(container) }.iter())
            }
            kTVMFFIMap => {
                let Some(map) = container.cast_ref() else { return Ok(None) };
                // SAFETY: nobody changes a Map that is held.
                Self::Entries(unsafe { map::iter(map) }, None)
            }
            kTVMFFIList => {
                Self::Copied(container.cast_ref().map(sequence::elements).transpose()?.unwrap_or_default().into_iter())
            }
            kTVMFFIDict => Self::Copied(
                container.cast_ref().map(map::keys_and_values).transpose()?.unwrap_or_default().into_iter(),
            ),
            _ => return Ok(None),
        }))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Entries(entries, value) => 2 * entries.len() + usize::from(value.is_some()),
            Self::Copied(values) => values.len(),
        }
    }
}

impl Iterator for Parts {
    type Item = Held;

    #[inline]
    fn next(&mut self) -> Option<Held> {
        let lent = match self {
            Self::Copied(values) => return values.next().map(Held::ours),
            Self::Elements(elements) => elements.next()?,
            Self::Entries(entries, value) => match value.take() {
                Some(value) => value,
                None => {
                    let (key, behind) = entries.next()?;
                    *value = Some(behind);
                    key
                }
            },
        };
        // SAFETY: the container keeps its parts, and is kept itself for as long as they are used.
        Some(unsafe { Held::lent(lent.view()) })
    }
}
